// SPDX-License-Identifier: Apache-2.0
// Allocation: a value on a device, an array or a tree of tuples over arrays.
//
//        t = ((a, b), c)                 Allocations are trees over leaves (runtime/leaf.h).
//       / \                              Taking a tuple apart or putting values together shares
//    (a, b)  c     u = SubTuple(t, {0})  leaves and copies nothing: u's leaves a and b are t's.
//
// An allocation is a value: a copy is one more allocation that holds the same leaves.
#ifndef AXLE_RUNTIME_ALLOCATION_H_
#define AXLE_RUNTIME_ALLOCATION_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hlo/literal.h"
#include "hlo/shape.h"
#include "runtime/leaf.h"

namespace axle::runtime {

// Bounds of one tree. A value shared k times counts k times, an empty tuple as one leaf.
inline constexpr int64_t kMaxLeaves = int64_t{1} << 20;
inline constexpr int kMaxLevels = hlo::kMaxShapeNesting;

// Reading one from several threads is fine; so is using copies.
class Allocation {
 public:
  Allocation() = default;  // no value; only valid() and assignment work
  explicit Allocation(std::shared_ptr<Leaf> leaf);
  Allocation(const Allocation& other);
  Allocation(Allocation&& other) noexcept = default;
  Allocation& operator=(Allocation other) noexcept;
  ~Allocation();

  // The tree of `shape` over `leaves` of one device, depth first, as many as it has; asserted. An
  // array's own shape is that of its leaf.
  static Allocation Tree(hlo::Shape shape, std::vector<std::shared_ptr<Leaf>> leaves);

  // One tuple of `elements`. Errors: AX0611 for more leaves or levels than an allocation may have,
  // found before any work; AX0602 for elements on several devices.
  static absl::StatusOr<Allocation> Tuple(absl::Span<const Allocation* const> elements);

  // The part at `index`, a path through tuples; the empty path is the whole. Error AX0612.
  absl::StatusOr<Allocation> SubTuple(absl::Span<const int64_t> index) const;

  // The elements of a tuple, an allocation each.
  std::vector<Allocation> Elements() const;

  // AX0611 where an allocation of the shape would have too many leaves or levels.
  static absl::Status CheckBounds(const hlo::Shape& shape);

  bool valid() const { return shape().valid(); }
  // Without layouts.
  const hlo::Shape& shape() const { return array_ ? array_->shape() : tuple_; }
  absl::Span<const std::shared_ptr<Leaf>> leaves() const {
    return array_ ? absl::MakeConstSpan(&array_, 1) : absl::MakeConstSpan(leaves_);
  }
  int64_t size() const { return size_; }  // leaves and empty tuples
  int levels() const { return levels_; }  // of tuples
  Device* device() const { return leaves().empty() ? nullptr : &leaves().front()->device(); }

  // Whether every leaf still holds something: none was given away.
  bool present() const;
  // Waits for every leaf; the first failure among them.
  absl::Status Await() const;
  // Waits and copies to the host. Errors: AX0604, and what made a leaf fail; AX0606 for more than
  // `max_bytes` in all, which shared leaves may well add up to.
  absl::StatusOr<hlo::Literal> ToLiteral(int64_t max_bytes = int64_t{64} << 30) const;

 private:
  Allocation(hlo::Shape tuple, std::vector<std::shared_ptr<Leaf>> leaves);

  // An array is its leaf, a tuple a tree of shapes over leaves.
  std::shared_ptr<Leaf> array_;
  hlo::Shape tuple_;
  std::vector<std::shared_ptr<Leaf>> leaves_;
  int64_t size_ = 0;
  int levels_ = 0;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_ALLOCATION_H_
