// SPDX-License-Identifier: Apache-2.0
#include "passes/shield_atan2.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hlo/ops/builder.h"

namespace axle::passes {
namespace {

using hlo::Instruction;
using hlo::InstructionIndex;
using hlo::Opcode;

bool HasAtan2(const hlo::Computation& computation) {
  return std::any_of(computation.instructions.begin(), computation.instructions.end(),
                     [](const Instruction& i) { return i.opcode == Opcode::kAtan2; });
}

void ShieldComputation(hlo::Computation* computation) {
  hlo::NameSet names;
  for (const Instruction& instruction : computation->instructions) names.Add(instruction.name);
  std::vector<Instruction> old = std::move(computation->instructions);
  computation->instructions.clear();
  std::vector<InstructionIndex> mapped;
  for (Instruction& instruction : old) {
    for (InstructionIndex& operand : instruction.operands) operand = mapped[operand];
    if (instruction.opcode == Opcode::kAtan2) {
      Instruction barrier;
      barrier.opcode = Opcode::kOptBarrier;
      barrier.shape = computation->instructions[instruction.operands[1]].shape;
      barrier.name = names.Unique(absl::StrCat(instruction.name, ".shield"));
      barrier.operands.push_back(instruction.operands[1]);
      instruction.operands[1] = static_cast<InstructionIndex>(computation->instructions.size());
      computation->Add(std::move(barrier));
    }
    mapped.push_back(static_cast<InstructionIndex>(computation->instructions.size()));
    computation->Add(std::move(instruction));
  }
  for (Instruction& instruction : computation->instructions) {
    if (!instruction.extras) continue;
    for (InstructionIndex& i : instruction.extras->control_predecessors) i = mapped[i];
  }
  computation->root = mapped[computation->root];
}

}  // namespace

void ShieldAtan2(hlo::Module* module) {
  for (hlo::ComputationIndex i = 0; i < module->computations.size(); ++i) {
    if (!HasAtan2(module->computations[i])) continue;
    ShieldComputation(&module->computations[i]);
    module->config.schedule.clear();
    module->config.is_scheduled = false;
  }
}

}  // namespace axle::passes
