// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {

absl::Status CheckControlEdges(const Computation& computation, InstructionIndex index,
                               bool* backward) {
  const size_t count = computation.instructions.size();
  for (const InstructionIndex predecessor :
       computation.instructions[index].control_predecessors()) {
    if (predecessor >= count || predecessor == index) {
      return MakeError(verify_errors::kControlReference,
                       absl::StrCat("control predecessor ", predecessor, " of ", count,
                                    " instructions, this being ", index));
    }
    *backward |= predecessor > index;
  }
  return absl::OkStatus();
}

// Operands never point backwards, so only control edges can close a circle. Takes away instructions
// that wait for nothing until none is left, or only circles are.
absl::Status CheckAcyclic(const Computation& computation) {
  const size_t count = computation.instructions.size();
  std::vector<std::vector<InstructionIndex>> followers(count);
  std::vector<int64_t> waits_for(count);
  for (InstructionIndex i = 0; i < count; ++i) {
    const Instruction& instruction = computation.instructions[i];
    const auto add = [&](InstructionIndex before) {
      followers[before].push_back(i);
      ++waits_for[i];
    };
    std::for_each(instruction.operands.begin(), instruction.operands.end(), add);
    for (const InstructionIndex before : instruction.control_predecessors()) add(before);
  }
  std::vector<InstructionIndex> ready;
  for (InstructionIndex i = 0; i < count; ++i) {
    if (waits_for[i] == 0) ready.push_back(i);
  }
  for (size_t next = 0; next < ready.size(); ++next) {
    for (const InstructionIndex follower : followers[ready[next]]) {
      if (--waits_for[follower] == 0) ready.push_back(follower);
    }
  }
  if (ready.size() == count) return absl::OkStatus();
  const auto stuck =
      std::find_if(waits_for.begin(), waits_for.end(), [](int64_t waits) { return waits > 0; });
  return AtInstruction(computation, computation.instructions[stuck - waits_for.begin()],
                       MakeError(verify_errors::kControlCycle,
                                 absl::StrCat(count - ready.size(),
                                              " instructions wait for each other, this among "
                                              "them; expected control edges without a circle")));
}

}  // namespace axle::hlo::verify
