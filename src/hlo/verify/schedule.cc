// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {
namespace {

constexpr size_t kNowhere = std::numeric_limits<size_t>::max();

absl::Status Before(const Computation& computation, const std::vector<size_t>& place,
                    InstructionIndex first, InstructionIndex second) {
  if (place[first] < place[second]) return absl::OkStatus();
  return AtInstruction(
      computation, computation.instructions[second],
      MakeError(verify_errors::kSchedule,
                absl::StrCat("scheduled before ", computation.instructions[first].name,
                             ", which it needs")));
}

absl::Status CheckSequence(const Computation& computation,
                           absl::Span<const InstructionIndex> sequence) {
  const size_t count = computation.instructions.size();
  std::vector<size_t> place(count, kNowhere);
  for (size_t i = 0; i < sequence.size(); ++i) {
    if (sequence[i] >= count || place[sequence[i]] != kNowhere) {
      return AtPlace(computation.name,
                     MakeError(verify_errors::kSchedule,
                               absl::StrCat("entry ", i, " of the schedule is instruction ",
                                            sequence[i], "; expected each of ", count, " once")));
    }
    place[sequence[i]] = i;
  }
  if (sequence.size() != count) {
    return AtPlace(
        computation.name,
        MakeError(verify_errors::kSchedule, absl::StrCat("the schedule has ", sequence.size(),
                                                         " instructions; expected all ", count)));
  }
  for (InstructionIndex i = 0; i < count; ++i) {
    const Instruction& instruction = computation.instructions[i];
    for (const InstructionIndex operand : instruction.operands) {
      AXLE_RETURN_IF_ERROR(Before(computation, place, operand, i));
    }
    for (const InstructionIndex predecessor : instruction.control_predecessors()) {
      AXLE_RETURN_IF_ERROR(Before(computation, place, predecessor, i));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckSchedule(const Module& module) {
  const auto& schedule = module.config.schedule;
  if (schedule.empty()) return absl::OkStatus();
  if (!schedule.contains(module.entry)) {
    return MakeError(verify_errors::kSchedule, "the schedule lacks the entry computation");
  }
  for (const auto& [computation, sequence] : schedule) {
    if (computation >= module.computations.size()) {
      return MakeError(verify_errors::kSchedule,
                       absl::StrCat("a schedule of computation ", computation, " of ",
                                    module.computations.size()));
    }
    AXLE_RETURN_IF_ERROR(CheckSequence(module.computations[computation], sequence));
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::verify
