// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {
namespace {

using Names = absl::flat_hash_set<absl::string_view>;

absl::Status CheckName(const std::string& name, const char* whose, Names* names) {
  if (name.empty()) {
    return MakeError(verify_errors::kName, absl::StrCat(whose, " has no name"));
  }
  if (!names->insert(name).second) {
    return MakeError(verify_errors::kName,
                     absl::StrCat("two of them are called ", name, "; expected one"));
  }
  return absl::OkStatus();
}

absl::Status CheckInstruction(const Module& module, const Instruction& instruction,
                              InstructionIndex index) {
  if (!instruction.shape.valid()) {
    return MakeError(verify_errors::kNoShape, "it has no shape; expected one");
  }
  for (const InstructionIndex operand : instruction.operands) {
    if (operand >= index) {
      return MakeError(verify_errors::kOperandReference,
                       absl::StrCat("it is instruction ", index, " and uses instruction ", operand,
                                    "; expected an earlier one"));
    }
  }
  for (const ComputationIndex called : instruction.called) {
    if (called >= module.computations.size()) {
      return MakeError(
          verify_errors::kCallReference,
          absl::StrCat("it calls computation ", called, " of ", module.computations.size()));
    }
  }
  if (instruction.attributes.family() != Info(instruction.opcode).attributes) {
    return MakeError(verify_errors::kAttributeFamily,
                     absl::StrCat("it does not have the attributes of ", Name(instruction.opcode)));
  }
  return absl::OkStatus();
}

absl::Status CheckParameterNumbers(const Computation& computation) {
  int64_t count = 0;
  for (const Instruction& instruction : computation.instructions) {
    count += instruction.opcode == Opcode::kParameter;
  }
  std::vector<bool> seen(count);
  for (const Instruction& instruction : computation.instructions) {
    if (instruction.opcode != Opcode::kParameter) continue;
    const int64_t number = instruction.As<ParameterAttributes>().number;
    if (number < 0 || number >= count) {
      return AtInstruction(
          computation, instruction,
          MakeError(verify_errors::kParameterNumber,
                    absl::StrCat("parameter number ", number, " in a computation with ", count,
                                 " parameters; expected 0 to ", count - 1)));
    }
    if (seen[number]) {
      return AtInstruction(computation, instruction,
                           MakeError(verify_errors::kParameterNumber,
                                     absl::StrCat("a second parameter with number ", number)));
    }
    seen[number] = true;
  }
  return absl::OkStatus();
}

absl::Status CheckComputation(const Module& module, const Computation& computation) {
  if (computation.root >= computation.instructions.size()) {
    return AtPlace(
        computation.name,
        MakeError(verify_errors::kNoRoot, absl::StrCat("it has ", computation.instructions.size(),
                                                       " instructions and root ", computation.root,
                                                       "; expected one of them")));
  }
  Names names;
  names.reserve(computation.instructions.size());
  InstructionIndex index = 0;
  for (const Instruction& instruction : computation.instructions) {
    absl::Status status = CheckName(instruction.name, "an instruction", &names);
    if (status.ok()) status = CheckInstruction(module, instruction, index++);
    if (!status.ok()) return AtInstruction(computation, instruction, status);
  }
  return CheckParameterNumbers(computation);
}

}  // namespace

absl::Status CheckStructure(const Module& module) {
  if (module.entry >= module.computations.size()) {
    return MakeError(
        verify_errors::kNoEntry,
        absl::StrCat("the module has ", module.computations.size(), " computations and entry ",
                     module.entry, "; expected one of them"));
  }
  Names names;
  names.reserve(module.computations.size());
  for (const Computation& computation : module.computations) {
    AXLE_RETURN_IF_ERROR(
        AtPlace(computation.name, CheckName(computation.name, "a computation", &names)));
    AXLE_RETURN_IF_ERROR(CheckComputation(module, computation));
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::verify
