// SPDX-License-Identifier: Apache-2.0
#include "runtime/handle_table.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "runtime/errors.h"

namespace axle::runtime {
namespace {

HandleKind KindOf(const HandleTarget& target) {
  if (target.program != nullptr) return HandleKind::kProgram;
  return target.transfer != nullptr ? HandleKind::kTransfer : HandleKind::kAllocation;
}

}  // namespace

HandleTable::HandleTable(std::string session_name, uint32_t epoch)
    : session_name_(std::move(session_name)), epoch_(epoch) {}

absl::Status HandleTable::Unknown(int64_t handle) const {
  return MakeError(errors::kNoSuchHandle,
                   absl::StrCat("handle ", handle, " in session ", session_name_));
}

absl::Status HandleTable::Check(int64_t handle, HandleKind kind) const {
  const HandleParts parts = SplitHandle(handle);
  if (parts.kind == HandleKind::kNone) return Unknown(handle);
  if (parts.epoch != epoch_) {
    return MakeError(errors::kStaleHandle,
                     absl::StrCat("handle ", handle, " is from before the process restarted"));
  }
  if (parts.kind != kind) {
    return MakeError(errors::kHandleKind,
                     absl::StrCat("handle ", handle, " is of a ", HandleKindName(parts.kind),
                                  ", a ", HandleKindName(kind), " is wanted"));
  }
  return absl::OkStatus();
}

absl::Status HandleTable::Add(absl::Span<HandleTarget> targets, absl::Span<int64_t> handles) {
  AXLE_ASSERT(targets.size() == handles.size());
  for (size_t i = 0; i < targets.size(); ++i) {
    handles[i] = JoinHandle({KindOf(targets[i]), epoch_, numbers_.Next()});
    bool closed = false;
    {
      Shard& shard = ShardOf(handles[i]);
      const std::lock_guard lock(shard.mutex);
      closed = shard.closed;
      if (!closed) shard.targets.emplace(handles[i], std::move(targets[i]));
    }
    if (closed) {
      ReleaseIfPresent(handles.first(i));
      return MakeError(errors::kSessionEnded, absl::StrCat("session ", session_name_));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<HandleTarget> HandleTable::Find(int64_t handle, HandleKind kind) const {
  AXLE_RETURN_IF_ERROR(Check(handle, kind));
  {
    const Shard& shard = ShardOf(handle);
    const std::lock_guard lock(shard.mutex);
    if (const auto found = shard.targets.find(handle); found != shard.targets.end()) {
      return found->second;
    }
  }
  return Unknown(handle);
}

absl::StatusOr<std::shared_ptr<const Allocation>> HandleTable::FindAllocation(
    int64_t handle) const {
  AXLE_ASSIGN_OR_RETURN(HandleTarget target, Find(handle, HandleKind::kAllocation));
  return std::move(target.allocation);
}

absl::StatusOr<std::shared_ptr<const OwnedProgram>> HandleTable::FindProgram(int64_t handle) const {
  AXLE_ASSIGN_OR_RETURN(HandleTarget target, Find(handle, HandleKind::kProgram));
  return std::move(target.program);
}

absl::StatusOr<std::shared_ptr<Transfer>> HandleTable::FindTransfer(int64_t handle) const {
  AXLE_ASSIGN_OR_RETURN(HandleTarget target, Find(handle, HandleKind::kTransfer));
  return std::move(target.transfer);
}

absl::Status HandleTable::Release(absl::Span<const int64_t> handles, HandleKind kind) {
  for (const int64_t handle : handles) AXLE_RETURN_IF_ERROR(Check(handle, kind));
  std::vector<Shard*> shards;
  for (const int64_t handle : handles) shards.push_back(&ShardOf(handle));
  std::sort(shards.begin(), shards.end());
  shards.erase(std::unique(shards.begin(), shards.end()), shards.end());

  Targets released;
  absl::Status status;
  for (Shard* shard : shards) shard->mutex.lock();
  for (const int64_t handle : handles) {
    if (status.ok() && !ShardOf(handle).targets.contains(handle)) status = Unknown(handle);
  }
  for (const int64_t handle : handles) {
    auto& targets = ShardOf(handle).targets;
    const auto found = status.ok() ? targets.find(handle) : targets.end();
    if (found == targets.end()) continue;
    released.push_back(std::move(found->second));
    targets.erase(found);
  }
  for (Shard* shard : shards) shard->mutex.unlock();
  return status;
}

void HandleTable::ReleaseIfPresent(absl::Span<const int64_t> handles) {
  Targets released;
  for (const int64_t handle : handles) {
    Shard& shard = ShardOf(handle);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.targets.find(handle);
    if (found == shard.targets.end()) continue;
    released.push_back(std::move(found->second));
    shard.targets.erase(found);
  }
}

void HandleTable::ReleaseAll(HandleKind kind) {
  for (Shard& shard : shards_) {
    Targets released;
    const std::lock_guard lock(shard.mutex);
    for (auto target = shard.targets.begin(); target != shard.targets.end();) {
      if (SplitHandle(target->first).kind != kind) {
        ++target;
        continue;
      }
      released.push_back(std::move(target->second));
      shard.targets.erase(target++);
    }
  }
}

void HandleTable::Close() {
  for (Shard& shard : shards_) {
    absl::flat_hash_map<int64_t, HandleTarget> released;
    const std::lock_guard lock(shard.mutex);
    shard.closed = true;
    released.swap(shard.targets);
  }
}

HandleTable::Counts HandleTable::counts() const {
  Counts counts;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    for (const auto& [handle, target] : shard.targets) {
      counts.programs += target.program != nullptr;
      counts.allocations += target.allocation != nullptr;
      counts.transfers += target.transfer != nullptr;
    }
  }
  return counts;
}

}  // namespace axle::runtime
