// SPDX-License-Identifier: Apache-2.0
// The handles of one session and what they stand for.
//
// Sharded by handle, so that threads seldom meet and no insertion moves more than a shard. Locks:
// one shard at a time; several only in Release, in ascending order. Nothing is freed under a lock.
#ifndef AXLE_RUNTIME_HANDLE_TABLE_H_
#define AXLE_RUNTIME_HANDLE_TABLE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/allocation.h"
#include "runtime/handle.h"
#include "runtime/program_cache.h"
#include "runtime/transfer.h"

namespace axle::runtime {

// A program that a session owns, with what its results are charged to.
struct OwnedProgram {
  std::shared_ptr<CachedProgram> cached;
  std::shared_ptr<const Origin> origin;
};

// What a handle stands for: one of the three is set.
struct HandleTarget {
  std::shared_ptr<const Allocation> allocation;
  std::shared_ptr<const OwnedProgram> program;
  std::shared_ptr<Transfer> transfer;
};

// Thread-safe.
class HandleTable {
 public:
  HandleTable(std::string session_name, uint32_t epoch);

  // New handles for the targets, all or none. Error AX0623 once closed.
  absl::Status Add(absl::Span<HandleTarget> targets, absl::Span<int64_t> handles);

  // Errors: AX0620 unknown, AX0621 of another epoch, AX0622 of another kind.
  absl::StatusOr<std::shared_ptr<const Allocation>> FindAllocation(int64_t handle) const;
  absl::StatusOr<std::shared_ptr<const OwnedProgram>> FindProgram(int64_t handle) const;
  absl::StatusOr<std::shared_ptr<Transfer>> FindTransfer(int64_t handle) const;

  // Takes all of `handles` out, or none where one is unknown or of another kind than `kind`. A
  // handle that occurs twice is released once.
  absl::Status Release(absl::Span<const int64_t> handles, HandleKind kind);
  // Takes out what is there, for handles that were checked before and that others may have released
  // meanwhile.
  void ReleaseIfPresent(absl::Span<const int64_t> handles);
  // Takes out everything of the kind.
  void ReleaseAll(HandleKind kind);
  // Takes out everything, and lets nothing in any more.
  void Close();

  struct Counts {
    int64_t allocations = 0, programs = 0, transfers = 0;
  };
  Counts counts() const;

 private:
  static constexpr size_t kShards = 64;
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    absl::flat_hash_map<int64_t, HandleTarget> targets;  // guarded by mutex
    bool closed = false;                                 // guarded by mutex
  };
  using Targets = std::vector<HandleTarget>;

  Shard& ShardOf(int64_t handle) const { return shards_[static_cast<uint64_t>(handle) % kShards]; }
  absl::Status Check(int64_t handle, HandleKind kind) const;
  absl::Status Unknown(int64_t handle) const;
  absl::StatusOr<HandleTarget> Find(int64_t handle, HandleKind kind) const;

  const std::string session_name_;
  const uint32_t epoch_;
  HandleNumbers numbers_;
  mutable std::array<Shard, kShards> shards_;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_HANDLE_TABLE_H_
