// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {
namespace {

absl::Status BadPair(absl::string_view message) {
  return MakeError(verify_errors::kAsyncPair, message);
}

// The opcode that starts what `opcode` finishes; nothing for all other operations.
std::optional<Opcode> StartOf(Opcode opcode) {
  if (opcode == Opcode::kAllGatherDone) return Opcode::kAllGatherStart;
  if (opcode == Opcode::kAllReduceDone) return Opcode::kAllReduceStart;
  if (opcode == Opcode::kCollectivePermuteDone) return Opcode::kCollectivePermuteStart;
  if (opcode == Opcode::kCopyDone) return Opcode::kCopyStart;
  if (opcode == Opcode::kSendDone) return Opcode::kSend;
  if (opcode == Opcode::kRecvDone) return Opcode::kRecv;
  if (opcode == Opcode::kAsyncDone || opcode == Opcode::kAsyncUpdate) return Opcode::kAsyncStart;
  return std::nullopt;
}

absl::Status CheckChannels(const Instruction& start, const Instruction& done) {
  const auto* a = start.attributes.TryAs<SendRecvAttributes>();
  const auto* b = done.attributes.TryAs<SendRecvAttributes>();
  if (a == nullptr || b == nullptr || !a->channel_id || !b->channel_id ||
      *a->channel_id == *b->channel_id) {
    return absl::OkStatus();
  }
  return BadPair(absl::StrCat("channel ", *b->channel_id, "; expected ", *a->channel_id,
                              ", as its start has"));
}

// An all-reduce of several operands gives the tuple of all; the shape rule cannot see how many
// operands the start has.
absl::Status CheckReduced(const Instruction& start, const Instruction& done) {
  const bool tuple = start.operands.size() > 1;
  if (done.opcode != Opcode::kAllReduceDone || !tuple || Compatible(done.shape, start.shape)) {
    return absl::OkStatus();
  }
  return BadPair(absl::StrCat("a result of ", done.shape.ToString(false), "; expected ",
                              start.shape.ToString(false)));
}

}  // namespace

bool IsAsyncStart(Opcode opcode) {
  return opcode == Opcode::kAllGatherStart || opcode == Opcode::kAllReduceStart ||
         opcode == Opcode::kCollectivePermuteStart || opcode == Opcode::kCopyStart ||
         opcode == Opcode::kSend || opcode == Opcode::kRecv || opcode == Opcode::kAsyncStart ||
         opcode == Opcode::kAsyncUpdate;
}

absl::Status CheckAsyncDone(const Computation& computation, const Instruction& done) {
  const std::optional<Opcode> expected = StartOf(done.opcode);
  if (!expected) return absl::OkStatus();
  const Instruction& start = computation.instructions[done.operands[0]];
  const bool continues = *expected == Opcode::kAsyncStart && start.opcode == Opcode::kAsyncUpdate;
  if (start.opcode != *expected && !continues) {
    return BadPair(absl::StrCat(Name(done.opcode), " of ", Name(start.opcode), "; expected ",
                                Name(*expected)));
  }
  AXLE_RETURN_IF_ERROR(CheckChannels(start, done));
  return CheckReduced(start, done);
}

absl::Status CheckAsyncStarts(const Computation& computation) {
  std::vector<uint32_t> users(computation.instructions.size());
  std::vector<bool> finished(computation.instructions.size());
  for (const Instruction& instruction : computation.instructions) {
    for (const InstructionIndex operand : instruction.operands) ++users[operand];
    if (StartOf(instruction.opcode)) finished[instruction.operands[0]] = true;
  }
  for (size_t i = 0; i < users.size(); ++i) {
    const Instruction& start = computation.instructions[i];
    if (!IsAsyncStart(start.opcode) || (users[i] == 1 && finished[i])) continue;
    return AtInstruction(computation, start,
                         BadPair(absl::StrCat(Name(start.opcode), " with ", users[i],
                                              " users; expected one, which finishes it")));
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::verify
