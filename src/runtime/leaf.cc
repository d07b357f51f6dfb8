// SPDX-License-Identifier: Apache-2.0
#include "runtime/leaf.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/error.h"
#include "runtime/errors.h"

namespace axle::runtime {

absl::Status Leaf::Gone() const {
  return MakeError(errors::kDeletedBuffer, absl::StrCat("a value of shape ", shape_.ToString(false),
                                                        " was given away to a program"));
}

absl::StatusOr<std::shared_ptr<Buffer>> Leaf::buffer() const {
  absl::MutexLock lock(&mutex_);
  if (!present()) return Gone();
  return buffer_;
}

absl::Status Leaf::Write(absl::Span<const std::shared_ptr<Leaf>> leaves,
                         std::vector<std::shared_ptr<Buffer>> buffers) {
  // A leaf may occur several times: then the last buffer stays. Locks in the order of addresses.
  std::vector<Leaf*> distinct;
  for (const std::shared_ptr<Leaf>& leaf : leaves) distinct.push_back(leaf.get());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());

  absl::Status status;
  for (Leaf* leaf : distinct) leaf->mutex_.Lock();
  for (Leaf* leaf : distinct) {
    if (status.ok() && !leaf->present()) status = leaf->Gone();
  }
  for (size_t i = 0; i < leaves.size() && status.ok(); ++i) {
    leaves[i]->buffer_.swap(buffers[i]);  // the old one is freed after the locks
  }
  for (Leaf* leaf : distinct) leaf->mutex_.Unlock();
  return status;
}

bool Leaf::TryClaim() {
  if (lasting_) return false;
  absl::MutexLock lock(&mutex_);
  int64_t only_holder = 1;
  return buffer_ != nullptr &&
         state_.compare_exchange_strong(only_holder, 1 | kClaimed, std::memory_order_acq_rel);
}

void Leaf::Unclaim() { state_.fetch_and(~kClaimed, std::memory_order_acq_rel); }

Charge Leaf::Give() {
  std::shared_ptr<Buffer> given;
  Charge charge;
  absl::MutexLock lock(&mutex_);
  backend_ = device_.backend().shared_from_this();
  given.swap(buffer_);
  charge = std::move(charge_);
  Unclaim();
  return charge;
}

}  // namespace axle::runtime
