// SPDX-License-Identifier: Apache-2.0
#include "runtime/verified_module.h"

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/compare.h"
#include "hlo/verify/verify.h"
#include "runtime/errors.h"

namespace axle::runtime {
namespace {

// An instruction with its name, operands and attributes (hlo/instruction.h), without constants.
constexpr int64_t kInstructionBytes = 400;

int64_t ApproximateBytes(const hlo::Module& module) {
  int64_t bytes = 0;
  for (const hlo::Computation& computation : module.computations) {
    bytes += kInstructionBytes * static_cast<int64_t>(computation.instructions.size());
    for (const hlo::Instruction& instruction : computation.instructions) {
      if (instruction.opcode != hlo::Opcode::kConstant) continue;
      bytes += instruction.shape.ByteSize().value_or(0);
    }
  }
  return bytes;
}

absl::Status CheckFits(const hlo::Shape& asked, const hlo::Shape& is, const std::string& what) {
  if (hlo::Compatible(asked, is)) return absl::OkStatus();
  return MakeError(errors::kSignature,
                   absl::StrCat(what, " is ", is.ToString(false), " in the module, ",
                                asked.ToString(false), " in the requested program shape"));
}

}  // namespace

VerifiedModule::VerifiedModule(std::shared_ptr<const hlo::Module> module)
    : module_(std::move(module)),
      digest_(hlo::EquivalenceHash(*module_)),
      approximate_bytes_(ApproximateBytes(*module_)) {}

absl::StatusOr<std::shared_ptr<const VerifiedModule>> VerifiedModule::Create(
    std::shared_ptr<const hlo::Module> module) {
  AXLE_RETURN_IF_ERROR(hlo::VerifyModule(*module));
  return std::shared_ptr<const VerifiedModule>(new VerifiedModule(std::move(module)));
}

bool VerifiedModule::Equals(const VerifiedModule& other) const {
  if (module_ == other.module_) return true;
  return digest_ == other.digest_ && hlo::Equivalent(*module_, *other.module_);
}

absl::StatusOr<std::shared_ptr<const VerifiedModule>> VerifiedModule::WithSignature(
    const hlo::ProgramShape& signature) const {
  const hlo::ProgramShape own = hlo::ProgramShapeOf(module_->entry_computation());
  if (signature.parameters.size() != own.parameters.size()) {
    return MakeError(errors::kSignature, absl::StrCat("the module has ", own.parameters.size(),
                                                      " parameters, the requested program shape ",
                                                      signature.parameters.size()));
  }
  for (size_t i = 0; i < own.parameters.size(); ++i) {
    AXLE_RETURN_IF_ERROR(
        CheckFits(signature.parameters[i], own.parameters[i], absl::StrCat("parameter ", i)));
  }
  AXLE_RETURN_IF_ERROR(CheckFits(signature.result, own.result, "the result"));
  hlo::Module module = *module_;
  module.config.entry_layout = signature;
  return Create(std::move(module));
}

}  // namespace axle::runtime
