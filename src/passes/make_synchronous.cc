// SPDX-License-Identifier: Apache-2.0
#include "passes/make_synchronous.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace axle::passes {
namespace {

using hlo::Instruction;
using hlo::InstructionIndex;
using hlo::Opcode;

struct Pair {
  Opcode start, done, together;
};

constexpr Pair kPairs[] = {
    {Opcode::kAllGatherStart, Opcode::kAllGatherDone, Opcode::kAllGather},
    {Opcode::kAllReduceStart, Opcode::kAllReduceDone, Opcode::kAllReduce},
    {Opcode::kCollectivePermuteStart, Opcode::kCollectivePermuteDone, Opcode::kCollectivePermute},
    {Opcode::kCopyStart, Opcode::kCopyDone, Opcode::kCopy},
    {Opcode::kAsyncStart, Opcode::kAsyncDone, Opcode::kCall},
};

const Pair* PairOfStart(Opcode opcode) {
  const auto* found = std::find_if(std::begin(kPairs), std::end(kPairs),
                                   [&](const Pair& pair) { return pair.start == opcode; });
  return found == std::end(kPairs) ? nullptr : found;
}

bool OnMainThread(const hlo::Module& module, const Instruction& start) {
  for (const hlo::ComputationIndex callee : start.called) {
    const std::string& thread = module.computations[callee].execution_thread;
    if (!thread.empty() && thread != "main") return false;
  }
  return true;
}

// Users of every instruction by data; the root has one more, itself.
std::vector<std::vector<InstructionIndex>> UsersOf(const hlo::Computation& computation) {
  std::vector<std::vector<InstructionIndex>> users(computation.instructions.size());
  for (InstructionIndex i = 0; i < users.size(); ++i) {
    for (const InstructionIndex operand : computation.instructions[i].operands) {
      users[operand].push_back(i);
    }
  }
  users[computation.root].push_back(computation.root);
  return users;
}

// What follows `start` up to its done: the done last, async-updates before. Empty where it is not
// one chain.
std::vector<InstructionIndex> ChainOf(const hlo::Computation& computation,
                                      const std::vector<std::vector<InstructionIndex>>& users,
                                      InstructionIndex start, Opcode done) {
  std::vector<InstructionIndex> chain;
  InstructionIndex at = start;
  while (users[at].size() == 1 && users[at][0] != at) {
    at = users[at][0];
    const Instruction& next = computation.instructions[at];
    chain.push_back(at);
    if (next.opcode == done) return chain;
    if (next.opcode != Opcode::kAsyncUpdate || next.operands.size() != 1) break;
  }
  return {};
}

void Join(const Pair& pair, const hlo::Shape& shape, Instruction* start) {
  start->opcode = pair.together;
  start->shape = shape;
  if (pair.together == Opcode::kCopy || pair.together == Opcode::kCall) {
    start->attributes = hlo::Attributes::Default(hlo::Info(pair.together).attributes);
  }
}

// By index, the start that takes the instruction's place; itself for what stays.
std::vector<InstructionIndex> JoinPairs(const hlo::Module& module, hlo::Computation* computation) {
  const auto users = UsersOf(*computation);
  std::vector<InstructionIndex> stands_for(computation->instructions.size());
  for (InstructionIndex i = 0; i < stands_for.size(); ++i) stands_for[i] = i;
  for (InstructionIndex i = 0; i < stands_for.size(); ++i) {
    Instruction& start = computation->instructions[i];
    const Pair* pair = PairOfStart(start.opcode);
    if (pair == nullptr || !OnMainThread(module, start)) continue;
    const std::vector<InstructionIndex> chain = ChainOf(*computation, users, i, pair->done);
    if (chain.empty()) continue;
    for (const InstructionIndex follower : chain) stands_for[follower] = i;
    Join(*pair, computation->instructions[chain.back()].shape, &start);
  }
  return stands_for;
}

void DropFollowers(const std::vector<InstructionIndex>& stands_for, hlo::Computation* computation) {
  std::vector<Instruction> old = std::move(computation->instructions);
  computation->instructions.clear();
  std::vector<InstructionIndex> mapped(old.size());
  for (InstructionIndex i = 0; i < old.size(); ++i) {
    if (stands_for[i] != i) {
      mapped[i] = mapped[stands_for[i]];
      continue;
    }
    for (InstructionIndex& operand : old[i].operands) operand = mapped[operand];
    mapped[i] = static_cast<InstructionIndex>(computation->instructions.size());
    computation->Add(std::move(old[i]));
  }
  for (Instruction& instruction : computation->instructions) {
    if (!instruction.extras) continue;
    for (InstructionIndex& i : instruction.extras->control_predecessors) i = mapped[i];
  }
  computation->root = mapped[computation->root];
}

}  // namespace

void MakeSynchronous(hlo::Module* module) {
  bool changed = false;
  for (hlo::Computation& computation : module->computations) {
    const std::vector<InstructionIndex> stands_for = JoinPairs(*module, &computation);
    InstructionIndex next = 0;
    if (std::all_of(stands_for.begin(), stands_for.end(),
                    [&](InstructionIndex i) { return i == next++; })) {
      continue;
    }
    DropFollowers(stands_for, &computation);
    changed = true;
  }
  if (!changed) return;
  module->config.schedule.clear();
  module->config.is_scheduled = false;
}

}  // namespace axle::passes
