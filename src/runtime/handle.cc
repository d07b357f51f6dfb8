// SPDX-License-Identifier: Apache-2.0
#include "runtime/handle.h"

#include <random>

namespace axle::runtime {
namespace {

constexpr uint64_t Mask(int bits) { return (uint64_t{1} << bits) - 1; }

// A mix of half a number with a key. The constants are odd and without structure: fractional digits
// of the square roots of 5 and 7.
uint64_t Mix(uint64_t half, uint64_t key) {
  uint64_t x = (half + key) * 0x3c6ef372fe94f82b;
  x ^= x >> 32;
  x = (x + (key << 17 | key >> 47)) * 0xa54ff53a5f1d36f1;
  return x ^ x >> 29;
}

// A permutation of the numbers below 2^50: a Feistel network over two halves of 25 bits.
uint64_t Permute(uint64_t number, const std::array<uint64_t, 2>& key) {
  constexpr int kHalf = (kHandleNumberBits + 1) / 2;
  constexpr int kRounds = 8;
  uint64_t left = number >> kHalf;
  uint64_t right = number & Mask(kHalf);
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t mixed = Mix(right, key[round % 2] + static_cast<uint64_t>(round));
    left ^= mixed & Mask(kHalf);
    std::swap(left, right);
  }
  return left << kHalf | right;
}

uint64_t RandomWord(std::random_device& device) {
  return uint64_t{device()} << 32 | uint64_t{device()};
}

}  // namespace

absl::string_view HandleKindName(HandleKind kind) {
  switch (kind) {
    case HandleKind::kNone:
      return "none";
    case HandleKind::kProgram:
      return "program";
    case HandleKind::kAllocation:
      return "value";
    case HandleKind::kTransfer:
      return "transfer";
  }
  return "none";
}

HandleParts SplitHandle(int64_t handle) {
  if (handle <= 0) return {};
  const uint64_t bits = static_cast<uint64_t>(handle);
  const uint64_t kind = bits >> (kHandleNumberBits + kHandleEpochBits);
  if (kind < 1 || kind > 3) return {};
  return {static_cast<HandleKind>(kind),
          static_cast<uint32_t>(bits >> kHandleNumberBits & Mask(kHandleEpochBits)),
          bits & Mask(kHandleNumberBits)};
}

int64_t JoinHandle(const HandleParts& parts) {
  return static_cast<int64_t>(static_cast<uint64_t>(parts.kind)
                                  << (kHandleNumberBits + kHandleEpochBits) |
                              uint64_t{parts.epoch} << kHandleNumberBits | parts.number);
}

HandleNumbers::HandleNumbers() {
  std::random_device device;
  key_ = {RandomWord(device), RandomWord(device)};
}

uint64_t HandleNumbers::Next() {
  // The permutation has one bit more than a number: what falls outside is skipped, every second
  // value on average.
  uint64_t number = 0;
  do {
    number = Permute(next_.fetch_add(1, std::memory_order_relaxed), key_);
  } while (number > Mask(kHandleNumberBits));
  return number;
}

}  // namespace axle::runtime
