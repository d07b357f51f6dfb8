// SPDX-License-Identifier: Apache-2.0
#include "custom_calls/registry.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "custom_calls/errors.h"

namespace axle::custom_calls {
namespace {

using hlo::Instruction;
using hlo::Literal;
using hlo::Shape;

absl::Status Expect(bool holds, const Instruction& call, absl::string_view expected) {
  if (holds) return absl::OkStatus();
  return MakeError(
      errors::kSignature,
      absl::StrCat(call.name, " calls ", call.As<hlo::CustomCallAttributes>().target,
                   " with result ", call.shape.ToString(false), ": expected ", expected));
}

absl::Status CheckSharding(const Instruction& call, absl::Span<const Shape> operands) {
  return Expect(operands.size() == 1 && hlo::Compatible(operands[0], call.shape), call,
                "one operand of the result's shape");
}

absl::StatusOr<Literal> SameValue(const Instruction&, absl::Span<const Literal* const> operands) {
  return *operands[0];
}

bool IsFloatMatrix(const Shape& shape) {
  return shape.IsArray() && hlo::IsFloat(shape.element_type()) && shape.rank() >= 2;
}

absl::Status CheckQr(const Instruction& call, absl::Span<const Shape> operands) {
  return Expect(operands.size() == 1 && IsFloatMatrix(operands[0]) && call.shape.IsTuple() &&
                    call.shape.tuple_shapes().size() == 2 &&
                    hlo::Compatible(call.shape.tuple_shape(0), operands[0]) &&
                    call.shape.tuple_shape(1).rank() == operands[0].rank() - 1,
                call, "one matrix, giving a matrix of its shape and a vector of scales");
}

absl::Status CheckHouseholder(const Instruction& call, absl::Span<const Shape> operands) {
  return Expect(operands.size() == 2 && IsFloatMatrix(operands[0]) &&
                    operands[1].rank() == operands[0].rank() - 1 && IsFloatMatrix(call.shape),
                call, "a matrix and a vector of scales, giving a matrix");
}

absl::Status CheckEigh(const Instruction& call, absl::Span<const Shape> operands) {
  bool holds = operands.size() == 1 && IsFloatMatrix(operands[0]) && call.shape.IsTuple() &&
               call.shape.tuple_shapes().size() == 2 &&
               hlo::Compatible(call.shape.tuple_shape(0), operands[0]) &&
               call.shape.tuple_shape(1).rank() == operands[0].rank() - 1;
  const int rank = holds ? operands[0].rank() : 0;
  holds = holds && operands[0].dimension(rank - 1) == operands[0].dimension(rank - 2);
  return Expect(holds, call, "one square matrix, giving its vectors and values");
}

absl::Status CheckTopK(const Instruction& call, absl::Span<const Shape> operands) {
  return Expect(operands.size() == 1 && operands[0].IsArray() && operands[0].rank() >= 1 &&
                    call.shape.IsTuple() && call.shape.tuple_shapes().size() == 2 &&
                    call.shape.tuple_shape(0).element_type() == operands[0].element_type() &&
                    call.shape.tuple_shape(0).rank() == operands[0].rank() &&
                    call.shape.tuple_shape(1).element_type() == hlo::ElementType::kS32,
                call, "one array, giving its largest values and their s32 indices");
}

}  // namespace

void Registry::Add(Target target) {
  std::string name = target.name;
  targets_.insert_or_assign(std::move(name), std::move(target));
}

const Target* Registry::Find(absl::string_view name) const {
  const auto found = targets_.find(name);
  return found == targets_.end() ? nullptr : &found->second;
}

absl::Status CheckCustomCalls(const hlo::Module& module, const Registry& registry,
                              const ErrorDef& missing) {
  for (const hlo::Computation& computation : module.computations) {
    for (const Instruction& call : computation.instructions) {
      if (call.opcode != hlo::Opcode::kCustomCall) continue;
      const std::string& name = call.As<hlo::CustomCallAttributes>().target;
      const Target* target = registry.Find(name);
      if (target == nullptr) {
        return MakeError(missing, absl::StrCat(computation.name, "/", call.name,
                                               ": custom call of \"", name, "\""));
      }
      std::vector<Shape> operands;
      for (const hlo::InstructionIndex i : call.operands) {
        operands.push_back(computation.instructions[i].shape);
      }
      AXLE_RETURN_IF_ERROR(AtPlace(computation.name, target->check(call, operands)));
    }
  }
  return absl::OkStatus();
}

void AddShardingTargets(Registry* registry) {
  for (const char* name : {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"}) {
    registry->Add({name, CheckSharding, SameValue});
  }
}

void AddXlaExpandedTargets(Registry* registry) {
  registry->Add({"Qr", CheckQr, nullptr});
  registry->Add({"ProductOfElementaryHouseholderReflectors", CheckHouseholder, nullptr});
  registry->Add({"Eigh", CheckEigh, nullptr});
  registry->Add({"TopK", CheckTopK, nullptr});
}

}  // namespace axle::custom_calls
