// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {
namespace {

absl::Status CheckLiteral(const Instruction& instruction) {
  if (instruction.opcode != Opcode::kConstant) return absl::OkStatus();
  const auto& literal = instruction.As<ConstantAttributes>().literal;
  if (literal == nullptr) {
    return MakeError(
        verify_errors::kLiteralMissing,
        absl::StrCat("a constant of ", instruction.shape.ToString(false), " without its value"));
  }
  if (!Compatible(literal->shape(), instruction.shape)) {
    return MakeError(verify_errors::kLiteralShape,
                     absl::StrCat("a value of ", literal->shape().ToString(false), "; expected ",
                                  instruction.shape.ToString(false)));
  }
  return absl::OkStatus();
}

absl::Status CheckTarget(const Instruction& instruction) {
  const auto* custom_call = instruction.attributes.TryAs<CustomCallAttributes>();
  if (custom_call == nullptr || !custom_call->target.empty()) return absl::OkStatus();
  return MakeError(verify_errors::kNoTarget, "custom_call_target is empty");
}

}  // namespace

absl::Status CheckInstructions(const Module& module, ProgramShapes& shapes) {
  std::vector<Shape> operands;
  std::vector<const ProgramShape*> called;
  return ForEachInstruction(
      module, [&](const Computation& computation, const Instruction& instruction) -> absl::Status {
        AXLE_RETURN_IF_ERROR(CheckLiteral(instruction));
        AXLE_RETURN_IF_ERROR(CheckTarget(instruction));
        operands.clear();
        called.clear();
        for (const InstructionIndex operand : instruction.operands) {
          operands.push_back(computation.instructions[operand].shape);
        }
        for (const ComputationIndex callee : instruction.called) {
          called.push_back(&shapes.Of(callee));
        }
        const RuleContext context{instruction, operands, called};
        AXLE_ASSIGN_OR_RETURN(const Shape inferred, InferShape(context));
        return CheckDeclaredShape(context, inferred);
      });
}

}  // namespace axle::hlo::verify
