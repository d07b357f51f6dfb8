// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/xla_cpu_faults.h"

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "pjrt_client/errors.h"

namespace axle::pjrt_client {
namespace {

using hlo::ElementType;
using hlo::Opcode;

bool IsScale(ElementType type) { return type == ElementType::kF8E8M0FNU; }
bool HasTwoBits(ElementType type) { return hlo::BitWidth(type) == 2; }
bool IsIntegerOfFourBits(ElementType type) {
  return hlo::IsIntegral(type) && hlo::BitWidth(type) == 4;
}

struct Fault {
  Opcode opcode;
  bool (*has_it)(ElementType type);  // the type of the result, or of a part of it
  const ErrorDef& error;
};
constexpr Fault kFaults[] = {
    // No code, and a crash looking for it.
    {Opcode::kAcos, hlo::IsComplex, errors::kCrashesXlaCpu},
    {Opcode::kAcosh, hlo::IsComplex, errors::kCrashesXlaCpu},
    {Opcode::kAsin, hlo::IsComplex, errors::kCrashesXlaCpu},
    {Opcode::kAsinh, hlo::IsComplex, errors::kCrashesXlaCpu},
    {Opcode::kAtanh, hlo::IsComplex, errors::kCrashesXlaCpu},
    {Opcode::kCosh, hlo::IsComplex, errors::kCrashesXlaCpu},
    {Opcode::kSinh, hlo::IsComplex, errors::kCrashesXlaCpu},
    // An assertion on the type.
    {Opcode::kConcatenate, HasTwoBits, errors::kCrashesXlaCpu},
    // Real parts alone are compared.
    {Opcode::kMaximum, hlo::IsComplex, errors::kWrongOnXlaCpu},
    {Opcode::kMinimum, hlo::IsComplex, errors::kWrongOnXlaCpu},
    {Opcode::kClamp, hlo::IsComplex, errors::kWrongOnXlaCpu},
    // Computed in 8 bits, all of which count.
    {Opcode::kMulhi, IsIntegerOfFourBits, errors::kWrongOnXlaCpu},
    {Opcode::kPopcnt, IsIntegerOfFourBits, errors::kWrongOnXlaCpu},
    // Elements come out that did not go in.
    {Opcode::kSort, HasTwoBits, errors::kWrongOnXlaCpu},
    // NaN comes out where 0 plays a part, which the type has not.
    {Opcode::kCholesky, IsScale, errors::kWrongOnXlaCpu},
    {Opcode::kTriangularSolve, IsScale, errors::kWrongOnXlaCpu},
};

// Integers of one bit are taken for pred in some places, and in others memory is read that is not
// theirs; folding constants of six bits aborts.
bool IsTypeXlaCpuLacks(ElementType type) {
  return type == ElementType::kS1 || type == ElementType::kU1 || type == ElementType::kF6E2M3FN ||
         type == ElementType::kF6E3M2FN;
}

absl::Status CheckTypes(const hlo::Instruction& instruction, const hlo::Shape& shape) {
  for (const hlo::Shape& element : shape.tuple_shapes()) {
    AXLE_RETURN_IF_ERROR(CheckTypes(instruction, element));
  }
  if (!shape.IsArray()) return absl::OkStatus();
  const auto refuse = [&](const ErrorDef& error) {
    return MakeError(error,
                     absl::StrCat(hlo::Name(instruction.opcode), " of ", shape.ToString(false)));
  };
  const ElementType type = shape.element_type();
  if (IsTypeXlaCpuLacks(type)) return refuse(errors::kTypeOfXlaCpu);
  for (const Fault& fault : kFaults) {
    if (fault.opcode == instruction.opcode && fault.has_it(type)) return refuse(fault.error);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckForXlaCpu(const hlo::Instruction& instruction) {
  return CheckTypes(instruction, instruction.shape);
}

}  // namespace axle::pjrt_client
