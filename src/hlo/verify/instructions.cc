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

// The checks of one computation after the other, with room that they share.
class InstructionChecks {
 public:
  InstructionChecks(const Module& module, ProgramShapes& shapes)
      : module_(module), shapes_(shapes) {}

  absl::Status CheckComputation(const Computation& computation) {
    bool backward = false;  // a control edge
    bool starts = false;    // something asynchronous
    for (InstructionIndex i = 0; i < computation.instructions.size(); ++i) {
      const Instruction& instruction = computation.instructions[i];
      absl::Status status = CheckControlEdges(computation, i, &backward);
      if (status.ok()) status = CheckInstruction(computation, instruction);
      if (!status.ok()) return AtInstruction(computation, instruction, status);
      starts |= IsAsyncStart(instruction.opcode);
    }
    if (backward) AXLE_RETURN_IF_ERROR(CheckAcyclic(computation));
    return starts ? CheckAsyncStarts(computation) : absl::OkStatus();
  }

 private:
  absl::Status CheckInstruction(const Computation& computation, const Instruction& instruction) {
    AXLE_RETURN_IF_ERROR(CheckFamily(instruction));
    AXLE_RETURN_IF_ERROR(CheckLiteral(instruction));
    AXLE_RETURN_IF_ERROR(CheckTarget(instruction));
    AXLE_RETURN_IF_ERROR(CheckRule(computation, instruction));
    AXLE_RETURN_IF_ERROR(CheckSharding(module_.config, computation, instruction));
    AXLE_RETURN_IF_ERROR(CheckCollective(module_.config, instruction));
    return CheckAsyncDone(computation, instruction);
  }

  // Operands, attributes, called computations and the declared shape.
  absl::Status CheckRule(const Computation& computation, const Instruction& instruction) {
    operands_.clear();
    called_.clear();
    for (const InstructionIndex operand : instruction.operands) {
      operands_.push_back(computation.instructions[operand].shape);
    }
    for (const ComputationIndex callee : instruction.called) {
      called_.push_back(&shapes_.Of(callee));
    }
    const RuleContext context{instruction, operands_, called_};
    AXLE_ASSIGN_OR_RETURN(const Shape inferred, InferShape(context));
    return CheckDeclaredShape(context, inferred);
  }

  const Module& module_;
  ProgramShapes& shapes_;
  std::vector<Shape> operands_;  // of the instruction at hand
  std::vector<const ProgramShape*> called_;
};

}  // namespace

absl::Status CheckInstructions(const Module& module, ProgramShapes& shapes) {
  InstructionChecks checks(module, shapes);
  for (const Computation& computation : module.computations) {
    AXLE_RETURN_IF_ERROR(checks.CheckComputation(computation));
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::verify
