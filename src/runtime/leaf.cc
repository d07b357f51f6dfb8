// SPDX-License-Identifier: Apache-2.0
#include "runtime/leaf.h"

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/error.h"
#include "runtime/errors.h"

namespace axle::runtime {
namespace {

// Taken by who writes, one at a time, before the mutexes of leaves.
std::mutex& Writers() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

absl::Status Leaf::Gone() const {
  return MakeError(errors::kDeletedBuffer, absl::StrCat("a value of shape ", shape_.ToString(false),
                                                        " was given away to a program"));
}

std::shared_ptr<Buffer> Leaf::TryBuffer() const {
  const std::lock_guard lock(mutex_);
  return present() ? buffer_ : nullptr;
}

absl::StatusOr<std::shared_ptr<Buffer>> Leaf::buffer() const {
  std::shared_ptr<Buffer> buffer = TryBuffer();
  if (buffer == nullptr) return Gone();
  return buffer;
}

absl::Status Leaf::Write(absl::Span<const std::shared_ptr<Leaf>> leaves,
                         std::vector<std::shared_ptr<Buffer>> buffers) {
  const std::lock_guard writing(Writers());
  absl::Status status;
  size_t kept = 0;
  while (kept < leaves.size() && status.ok()) {
    status = leaves[kept]->Keep();
    if (status.ok()) ++kept;
  }
  for (size_t i = 0; i < leaves.size() && status.ok(); ++i) {
    const std::lock_guard lock(leaves[i]->mutex_);
    leaves[i]->buffer_.swap(buffers[i]);  // the old one is freed after the locks
  }
  for (const std::shared_ptr<Leaf>& leaf : leaves.first(kept)) {
    leaf->state_.fetch_and(~kWritten, std::memory_order_acq_rel);
  }
  return status;
}

absl::Status Leaf::Keep() {
  const std::lock_guard lock(mutex_);
  if (!present()) return Gone();  // a claim needs the mutex too
  state_.fetch_or(kWritten, std::memory_order_acq_rel);
  return absl::OkStatus();
}

std::shared_ptr<Buffer> Leaf::TryClaim() {
  if (lasting_) return nullptr;
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      int64_t state = 1;  // one holder, no flag
      if (buffer_ == nullptr) return nullptr;
      if (state_.compare_exchange_strong(state, 1 | kClaimed, std::memory_order_acq_rel)) {
        return buffer_;
      }
      if (state != (1 | kWritten)) return nullptr;
    }
    const std::lock_guard until_it_is_written(Writers());
  }
}

void Leaf::Unclaim() { state_.fetch_and(~kClaimed, std::memory_order_acq_rel); }

Charge Leaf::Give() {
  std::shared_ptr<Buffer> given;  // freed after the lock
  const std::lock_guard lock(mutex_);
  backend_ = device_.backend().shared_from_this();
  given.swap(buffer_);
  Unclaim();
  return charge_.Take(charge_.bytes());
}

}  // namespace axle::runtime
