// SPDX-License-Identifier: Apache-2.0
// Leaf: one array in device memory that allocations share.
//
// A leaf is a place; the buffer in it is what the place holds now. Buffers never change, so a write
// puts another buffer there, and every allocation that shares the leaf sees it. A program that
// takes a leaf over (donation) leaves the place empty for good.
#ifndef AXLE_RUNTIME_LEAF_H_
#define AXLE_RUNTIME_LEAF_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hlo/shape.h"
#include "runtime/account.h"
#include "runtime/backend.h"

namespace axle::runtime {

// Thread-safe.
class Leaf {
 public:
  // `lasting`: may not be donated, whoever asks; for memory of the caller's.
  Leaf(std::shared_ptr<Buffer>&& buffer, Charge&& charge, bool lasting = false)
      : own_shape_(buffer->shape()),
        shape_(own_shape_),
        device_(buffer->device()),
        lasting_(lasting),
        charge_(std::move(charge)),
        buffer_(std::move(buffer)) {}
  // A result of a program, of a shape that the charge's origin keeps.
  Leaf(std::shared_ptr<Buffer>&& buffer, Charge&& charge, const hlo::Shape& shape)
      : shape_(shape),
        device_(buffer->device()),
        charge_(std::move(charge)),
        buffer_(std::move(buffer)) {}

  Leaf(const Leaf&) = delete;
  Leaf& operator=(const Leaf&) = delete;

  const hlo::Shape& shape() const { return shape_; }
  Device& device() const { return device_; }

  // What the leaf holds. Error AX0604: a program took it over, or a run that may is just being
  // launched.
  absl::StatusOr<std::shared_ptr<Buffer>> buffer() const;
  // The same, null in place of that error, which is Gone().
  std::shared_ptr<Buffer> TryBuffer() const;
  absl::Status Gone() const;

  // Puts buffers, of the leaves' shapes and devices, in place of the present ones: all, or none
  // where a leaf was given away (AX0604).
  static absl::Status Write(absl::Span<const std::shared_ptr<Leaf>> leaves,
                            std::vector<std::shared_ptr<Buffer>> buffers);

  // Donation. A claim succeeds for one caller at a time, only while exactly one allocation holds
  // the leaf, and keeps everybody else out; it ends with one of the other two calls. Returns what
  // the leaf holds, or null.
  std::shared_ptr<Buffer> TryClaim();
  void Unclaim();
  // The program has the memory now. Returns what the leaf was charged.
  Charge Give();
  const Charge& charge() const { return charge_; }  // for who has claimed the leaf

 private:
  friend class Allocation;
  static constexpr int64_t kClaimed = int64_t{1} << 62;
  static constexpr int64_t kWritten = int64_t{1} << 61;

  void AddHolder() { state_.fetch_add(1, std::memory_order_relaxed); }
  void RemoveHolder() { state_.fetch_sub(1, std::memory_order_acq_rel); }
  bool present() const {
    return buffer_ != nullptr && (state_.load(std::memory_order_acquire) & kClaimed) == 0;
  }
  // Nobody can claim the leaf from here until kWritten is taken off. Error AX0604.
  absl::Status Keep();

  const hlo::Shape own_shape_;
  const hlo::Shape& shape_;
  Device& device_;  // kept alive by the buffer, then by backend_
  const bool lasting_ = false;
  Charge charge_;                   // loses its bytes once, in Give; its origin stays
  std::atomic<int64_t> state_ = 0;  // number of allocations that hold the leaf, and the flags
  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::shared_ptr<Buffer> buffer_;    // null once given away
  std::shared_ptr<Backend> backend_;  // null until then
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_LEAF_H_
