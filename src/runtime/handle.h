// SPDX-License-Identifier: Apache-2.0
// Handles: what clients hold instead of values and programs.
//
//   bit 63   62 61   60 … 49   48 … 0
//       0    kind    epoch     number
//
// So a handle is an int64 > 0 that tells its kind and the run of the process it is from. Numbers
// are a keyed permutation of 1, 2, 3 …: no session gives one out twice, and none can be guessed
// from others.
#ifndef AXLE_RUNTIME_HANDLE_H_
#define AXLE_RUNTIME_HANDLE_H_

#include <array>
#include <atomic>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace axle::runtime {

enum class HandleKind : uint8_t { kNone = 0, kProgram = 1, kAllocation = 2, kTransfer = 3 };

absl::string_view HandleKindName(HandleKind kind);  // "program", "value", "transfer"

inline constexpr int kHandleNumberBits = 49;
inline constexpr int kHandleEpochBits = 12;

struct HandleParts {
  HandleKind kind = HandleKind::kNone;
  uint32_t epoch = 0;
  uint64_t number = 0;
};
// Of any int64; kNone for what no handle can be.
HandleParts SplitHandle(int64_t handle);
int64_t JoinHandle(const HandleParts& parts);

// Thread-safe.
class HandleNumbers {
 public:
  HandleNumbers();  // keys from the system's random numbers
  explicit HandleNumbers(const std::array<uint64_t, 2>& key) : key_(key) {}

  uint64_t Next();

 private:
  std::array<uint64_t, 2> key_;
  std::atomic<uint64_t> next_ = 0;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_HANDLE_H_
