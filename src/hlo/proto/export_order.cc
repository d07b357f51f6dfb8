// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/export_order.h"

#include <cstdint>
#include <numeric>
#include <optional>

#include "absl/strings/str_cat.h"
#include "hlo/proto/errors.h"
#include "hlo/proto/instruction_codec.h"

namespace axle::hlo::proto {
namespace {

// Depth-first order of 0 … count-1 in which what next(node, k) yields for k = 0, 1, … until nullopt
// comes before the node. `order` is complete unless a node on a cycle is returned. Without
// recursion of its own, since chains may be long.
template <typename Next>
std::optional<uint32_t> PostOrder(uint32_t count, Next&& next, std::vector<uint32_t>* order) {
  enum State : uint8_t { kNew, kOpen, kDone };
  std::vector<State> states(count, kNew);
  struct Visit {
    uint32_t node;
    size_t k = 0;
  };
  std::vector<Visit> stack;
  order->reserve(count);
  for (uint32_t start = 0; start < count; ++start) {
    if (states[start] != kNew) continue;
    states[start] = kOpen;
    stack.push_back({start});
    while (!stack.empty()) {
      Visit& visit = stack.back();
      const std::optional<uint32_t> before = next(visit.node, visit.k++);
      if (!before.has_value()) {
        states[visit.node] = kDone;
        order->push_back(visit.node);
        stack.pop_back();
      } else if (states[*before] == kOpen) {
        return before;
      } else if (states[*before] == kNew) {
        states[*before] = kOpen;
        stack.push_back({*before});
      }
    }
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<std::vector<ComputationIndex>> ComputationOrder(const Module& module) {
  // Callees of each computation, flattened.
  std::vector<std::vector<ComputationIndex>> callees(module.computations.size());
  for (size_t i = 0; i < callees.size(); ++i) {
    for (const Instruction& instruction : module.computations[i].instructions) {
      callees[i].insert(callees[i].end(), instruction.called.begin(), instruction.called.end());
    }
  }
  std::vector<ComputationIndex> order;
  const auto cycle = PostOrder(
      static_cast<uint32_t>(callees.size()),
      [&](uint32_t node, size_t k) -> std::optional<uint32_t> {
        if (k < callees[node].size()) return callees[node][k];
        return std::nullopt;
      },
      &order);
  if (!cycle.has_value()) return order;
  return MakeError(errors::kRecursion,
                   absl::StrCat("computation '", Shown(module.computations[*cycle].name),
                                "' calls itself, directly or through others"));
}

absl::StatusOr<std::vector<InstructionIndex>> InstructionOrder(const Computation& computation) {
  const std::vector<Instruction>& instructions = computation.instructions;
  const auto count = static_cast<uint32_t>(instructions.size());
  bool in_order = true;
  for (uint32_t i = 0; i < count && in_order; ++i) {
    for (const InstructionIndex predecessor : instructions[i].control_predecessors()) {
      in_order &= predecessor < i;
    }
  }
  std::vector<InstructionIndex> order;
  if (in_order) {
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  const auto cycle = PostOrder(
      count,
      [&](uint32_t node, size_t k) -> std::optional<uint32_t> {
        const Instruction& instruction = instructions[node];
        if (k < instruction.operands.size()) return instruction.operands[k];
        k -= instruction.operands.size();
        if (k < instruction.control_predecessors().size()) {
          return instruction.control_predecessors()[k];
        }
        return std::nullopt;
      },
      &order);
  if (!cycle.has_value()) return order;
  return MakeError(errors::kControlCycle,
                   absl::StrCat("instruction '", Shown(instructions[*cycle].name),
                                "' is its own control predecessor, directly or through others"));
}

}  // namespace axle::hlo::proto
