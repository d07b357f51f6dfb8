// SPDX-License-Identifier: Apache-2.0
#include "runtime/allocation.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "runtime/errors.h"
#include "runtime/program.h"
#include "runtime/shape_text.h"

namespace axle::runtime {
namespace {

// Leaves and empty tuples, and levels of tuples, of a tree within the bounds.
struct Extent {
  int64_t size = 0;
  int levels = 0;
};

Extent ExtentOf(const hlo::Shape& shape) {
  if (!shape.IsTuple()) return {1, 0};
  Extent extent{shape.tuple_shapes().empty() ? 1 : 0, 0};
  for (const hlo::Shape& element : shape.tuple_shapes()) {
    const Extent part = ExtentOf(element);
    extent.size += part.size;
    extent.levels = std::max(extent.levels, part.levels);
  }
  ++extent.levels;
  return extent;
}

// Fills the literal of `shape` from the leaves, taking as many as it has.
absl::StatusOr<hlo::Literal> Collect(const hlo::Shape& shape,
                                     absl::Span<const std::shared_ptr<Leaf>>* leaves) {
  if (!shape.IsTuple()) {
    AXLE_ASSIGN_OR_RETURN(const std::shared_ptr<Buffer> buffer, leaves->front()->buffer());
    leaves->remove_prefix(1);
    return DownloadLiteral(*buffer);
  }
  std::vector<hlo::Literal> elements;
  elements.reserve(shape.tuple_shapes().size());
  for (const hlo::Shape& element : shape.tuple_shapes()) {
    AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, Collect(element, leaves));
    elements.push_back(std::move(literal));
  }
  return hlo::Literal::Tuple(std::move(elements));
}

}  // namespace

Allocation::Allocation(std::shared_ptr<Leaf> leaf) : array_(std::move(leaf)), size_(1) {
  array_->AddHolder();
}

Allocation::Allocation(hlo::Shape tuple, std::vector<std::shared_ptr<Leaf>> leaves)
    : tuple_(std::move(tuple)), leaves_(std::move(leaves)) {
  for (const std::shared_ptr<Leaf>& leaf : leaves_) leaf->AddHolder();
}

Allocation::Allocation(const Allocation& other)
    : array_(other.array_),
      tuple_(other.tuple_),
      leaves_(other.leaves_),
      size_(other.size_),
      levels_(other.levels_) {
  for (const std::shared_ptr<Leaf>& leaf : this->leaves()) leaf->AddHolder();
}

Allocation& Allocation::operator=(Allocation other) noexcept {
  array_.swap(other.array_);
  std::swap(tuple_, other.tuple_);
  leaves_.swap(other.leaves_);
  std::swap(size_, other.size_);
  std::swap(levels_, other.levels_);
  return *this;
}

Allocation::~Allocation() {
  for (const std::shared_ptr<Leaf>& leaf : leaves()) leaf->RemoveHolder();
}

Allocation Allocation::Tree(hlo::Shape shape, std::vector<std::shared_ptr<Leaf>> leaves) {
  const Extent extent = ExtentOf(shape);
  AXLE_ASSERT(shape.LeafCount() == static_cast<int64_t>(leaves.size()));
  if (!shape.IsTuple()) {
    AXLE_ASSERT(hlo::Compatible(shape, leaves.front()->shape()));
    return Allocation(std::move(leaves.front()));
  }
  for (const std::shared_ptr<Leaf>& leaf : leaves) {
    AXLE_ASSERT(&leaf->device() == &leaves.front()->device());
  }
  Allocation tree(std::move(shape), std::move(leaves));
  tree.size_ = extent.size;
  tree.levels_ = extent.levels;
  return tree;
}

absl::StatusOr<Allocation> Allocation::Tuple(absl::Span<const Allocation* const> elements) {
  int64_t size = elements.empty() ? 1 : 0;
  int levels = 0;
  Device* device = nullptr;
  for (const Allocation* element : elements) {
    size += element->size_;  // each at most kMaxLeaves, so no overflow before the check
    levels = std::max(levels, element->levels_);
    if (size > kMaxLeaves || levels + 1 > kMaxLevels) {
      return MakeError(errors::kTreeTooLarge,
                       absl::StrCat("a tuple of ", elements.size(), " elements would have over ",
                                    size > kMaxLeaves ? kMaxLeaves : kMaxLevels,
                                    size > kMaxLeaves ? " leaves" : " levels"));
    }
    if (element->device() == nullptr) continue;
    if (device != nullptr && device != element->device()) {
      return MakeError(errors::kArgumentDevice,
                       absl::StrCat("elements of one tuple are on devices ", device->id(), " and ",
                                    element->device()->id()));
    }
    device = element->device();
  }
  std::vector<hlo::Shape> shapes;
  shapes.reserve(elements.size());
  std::vector<std::shared_ptr<Leaf>> leaves;
  leaves.reserve(size);
  for (const Allocation* element : elements) {
    shapes.push_back(element->shape());
    leaves.insert(leaves.end(), element->leaves().begin(), element->leaves().end());
  }
  Allocation tuple(hlo::Shape::Tuple(std::move(shapes)), std::move(leaves));
  tuple.size_ = size;
  tuple.levels_ = levels + 1;
  return tuple;
}

absl::StatusOr<Allocation> Allocation::SubTuple(absl::Span<const int64_t> index) const {
  if (shape().SubShape(index) == nullptr) {
    return MakeError(errors::kTupleIndex,
                     absl::StrCat("no part {", absl::StrJoin(index, ","), "} in a value of shape ",
                                  ShapeText(shape())));
  }
  const hlo::Shape* shape = &this->shape();
  int64_t first = 0;
  for (const int64_t i : index) {
    for (int64_t k = 0; k < i; ++k) first += shape->tuple_shape(static_cast<int>(k)).LeafCount();
    shape = &shape->tuple_shape(static_cast<int>(i));
  }
  const auto begin = leaves().begin() + first;
  return Tree(*shape, {begin, begin + shape->LeafCount()});
}

std::vector<Allocation> Allocation::Elements() const {
  std::vector<Allocation> elements;
  auto begin = leaves_.begin();
  for (const hlo::Shape& shape : tuple_.tuple_shapes()) {
    const auto end = begin + shape.LeafCount();
    elements.push_back(Tree(shape, {begin, end}));
    begin = end;
  }
  return elements;
}

absl::Status Allocation::CheckBounds(const hlo::Shape& shape) {
  const Extent extent = ExtentOf(shape);
  if (extent.size <= kMaxLeaves && extent.levels <= kMaxLevels) return absl::OkStatus();
  return MakeError(errors::kTreeTooLarge, absl::StrCat("a value of ", extent.size, " leaves and ",
                                                       extent.levels, " levels"));
}

bool Allocation::present() const {
  for (const std::shared_ptr<Leaf>& leaf : leaves()) {
    if (leaf->TryBuffer() == nullptr) return false;
  }
  return true;
}

absl::Status Allocation::Await() const {
  for (const std::shared_ptr<Leaf>& leaf : leaves()) {
    AXLE_ASSIGN_OR_RETURN(const std::shared_ptr<Buffer> buffer, leaf->buffer());
    AXLE_RETURN_IF_ERROR(buffer->Await());
  }
  return absl::OkStatus();
}

absl::StatusOr<hlo::Literal> Allocation::ToLiteral(int64_t max_bytes) const {
  AXLE_ASSIGN_OR_RETURN(const int64_t bytes, shape().ByteSize());
  if (bytes > max_bytes) {
    return MakeError(errors::kTooLarge,
                     absl::StrCat("reading a value of shape ", ShapeText(shape()), " takes ", bytes,
                                  " bytes; the limit is ", max_bytes));
  }
  absl::Span<const std::shared_ptr<Leaf>> leaves = this->leaves();
  return Collect(shape(), &leaves);
}

}  // namespace axle::runtime
