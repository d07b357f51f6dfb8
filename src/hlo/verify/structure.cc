// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "hlo/name_index.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {
namespace {

absl::Status NoName(absl::string_view whose) {
  return MakeError(verify_errors::kName, absl::StrCat(whose, " has no name"));
}

absl::Status SecondName(absl::string_view name) {
  return MakeError(verify_errors::kName,
                   absl::StrCat("two of them are called ", name, "; expected one"));
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
  return absl::OkStatus();
}

// `parameters`: the instructions that are parameters. By number they go to `shape`.
absl::Status CheckParameters(const Computation& computation,
                             absl::Span<const InstructionIndex> parameters, ProgramShape* shape) {
  const int64_t count = static_cast<int64_t>(parameters.size());
  shape->parameters.resize(count);
  shape->parameter_names.resize(count);
  for (const InstructionIndex parameter : parameters) {
    const Instruction& instruction = computation.instructions[parameter];
    if (absl::Status status = CheckFamily(instruction); !status.ok()) {
      return AtInstruction(computation, instruction, status);
    }
    const int64_t number = instruction.As<ParameterAttributes>().number;
    if (number < 0 || number >= count) {
      return AtInstruction(
          computation, instruction,
          MakeError(verify_errors::kParameterNumber,
                    absl::StrCat("parameter number ", number, " in a computation with ", count,
                                 " parameters; expected 0 to ", count - 1)));
    }
    if (shape->parameters[number].valid()) {
      return AtInstruction(computation, instruction,
                           MakeError(verify_errors::kParameterNumber,
                                     absl::StrCat("a second parameter with number ", number)));
    }
    shape->parameters[number] = instruction.shape;
    shape->parameter_names[number] = instruction.name;
  }
  return absl::OkStatus();
}

constexpr InstructionIndex kAhead = 8;  // how far to prefetch names

absl::Status CheckComputation(const Module& module, const Computation& computation,
                              const VerifyOptions& options, std::vector<Call>* calls,
                              ProgramShape* shape) {
  if (computation.root >= computation.instructions.size()) {
    return AtPlace(
        computation.name,
        MakeError(verify_errors::kNoRoot, absl::StrCat("it has ", computation.instructions.size(),
                                                       " instructions and root ", computation.root,
                                                       "; expected one of them")));
  }
  NameIndex names(&computation.instructions);
  names.Reserve(computation.instructions.size());
  std::vector<InstructionIndex> parameters;
  for (InstructionIndex i = 0; i < computation.instructions.size(); ++i) {
    const Instruction& instruction = computation.instructions[i];
    if (i + kAhead < computation.instructions.size()) {
      names.Prefetch(computation.instructions[i + kAhead].name);
    }
    absl::Status status;
    if (instruction.name.empty()) {
      status = NoName("an instruction");
    } else if (!names.Insert(i)) {
      status = SecondName(instruction.name);
    } else {
      status = CheckInstruction(module, instruction, i);
    }
    if (status.ok()) status = CheckShape(instruction.shape, options);
    if (!status.ok()) return AtInstruction(computation, instruction, status);
    if (instruction.opcode == Opcode::kParameter) parameters.push_back(i);
    for (const ComputationIndex callee : instruction.called) {
      calls->push_back({i, callee, instruction.opcode});
    }
  }
  shape->result = computation.root_instruction().shape;
  return CheckParameters(computation, parameters, shape);
}

}  // namespace

absl::Status CheckFamily(const Instruction& instruction) {
  if (instruction.attributes.family() == Info(instruction.opcode).attributes) {
    return absl::OkStatus();
  }
  return MakeError(verify_errors::kAttributeFamily,
                   absl::StrCat("it does not have the attributes of ", Name(instruction.opcode)));
}

absl::Status CheckStructure(const Module& module, const VerifyOptions& options, CallLists* calls,
                            ProgramShapes* shapes) {
  if (module.entry >= module.computations.size()) {
    return MakeError(
        verify_errors::kNoEntry,
        absl::StrCat("the module has ", module.computations.size(), " computations and entry ",
                     module.entry, "; expected one of them"));
  }
  absl::flat_hash_set<absl::string_view> names;
  names.reserve(module.computations.size());
  calls->resize(module.computations.size());
  for (ComputationIndex i = 0; i < module.computations.size(); ++i) {
    const Computation& computation = module.computations[i];
    if (computation.name.empty()) return AtPlace("", NoName("a computation"));
    if (!names.insert(computation.name).second) {
      return AtPlace(computation.name, SecondName(computation.name));
    }
    ProgramShape shape;
    AXLE_RETURN_IF_ERROR(CheckComputation(module, computation, options, &(*calls)[i], &shape));
    shapes->Give(i, std::move(shape));
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::verify
