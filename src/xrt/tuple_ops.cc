// SPDX-License-Identifier: Apache-2.0
// Operations that take tuples apart and put them together. No element is copied.
#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "proto/xrt.pb.h"
#include "runtime/errors.h"
#include "xrt/errors.h"
#include "xrt/ops.h"
#include "xrt/values.h"

namespace axle::xrt {
namespace {

using AllocationPtr = std::shared_ptr<const runtime::Allocation>;

absl::StatusOr<Outputs> TakePart(OpSet& ops, absl::Span<const Value> inputs, bool release) {
  const int64_t base = Int64(inputs[0]);
  const absl::Span<const int32_t> numbers = Array(inputs[1]).data<int32_t>();
  AXLE_ASSIGN_OR_RETURN(const AllocationPtr allocation, FindAllocation(ops, base));
  AXLE_ASSIGN_OR_RETURN(runtime::Allocation part,
                        allocation->SubTuple(std::vector<int64_t>(numbers.begin(), numbers.end())));
  std::vector<int64_t> released;
  if (release) released.push_back(base);
  AXLE_ASSIGN_OR_RETURN(const int64_t handle, KeepAndRelease(ops, std::move(part), released));
  return MakeOutputs(ScalarHandle(handle));
}

// One XRTMakeTuple: first checks the whole description and counts what it makes, then makes it.
class TupleMaker {
 public:
  TupleMaker(std::vector<int64_t> handles, std::vector<AllocationPtr> inputs)
      : handles_(std::move(handles)), inputs_(std::move(inputs)) {}

  absl::Status Check(const wire::XLATupleNode& root) {
    AXLE_RETURN_IF_ERROR(Count(root, 0));
    for (const auto& [handle, use] : uses_) {
      if (!use.released) continue;
      if (use.count > 1) {
        return MakeError(errors::kReleaseShared, absl::StrCat("handle ", handle, " is used ",
                                                              use.count, " times and released"));
      }
      released_.push_back(handle);
    }
    return absl::OkStatus();
  }

  runtime::Allocation Make(const wire::XLATupleNode& root) {
    std::vector<std::shared_ptr<runtime::Leaf>> leaves;
    hlo::Shape shape = Collect(root, &leaves);
    return runtime::Allocation::Tree(std::move(shape), std::move(leaves));
  }

  // Handles that the description releases.
  const std::vector<int64_t>& released() const { return released_; }

 private:
  struct Use {
    int64_t count = 0;
    bool released = false;
  };

  absl::Status TooLarge() const {
    return MakeError(runtime::errors::kTreeTooLarge,
                     "the description makes a tuple with more leaves or levels than there may be");
  }

  // Recursion follows the message, whose nesting the parser bounds.
  absl::Status Count(const wire::XLATupleNode& node, int depth) {
    if (node.tuples_size() > 0) {
      for (const wire::XLATupleNode& element : node.tuples()) {
        AXLE_RETURN_IF_ERROR(Count(element, depth + 1));
      }
      return absl::OkStatus();
    }
    const int32_t input = node.input_index();
    if (input < 0 || input >= static_cast<int64_t>(inputs_.size())) {
      return MakeError(errors::kTupleInput,
                       absl::StrCat("input_index is ", input, ", of ", inputs_.size(), " inputs"));
    }
    Use& use = uses_[handles_[input]];
    ++use.count;
    use.released |= node.release_input_handle();
    size_ += inputs_[input]->size();  // each at most kMaxLeaves, so no overflow before the check
    if (size_ > runtime::kMaxLeaves || depth + inputs_[input]->levels() > runtime::kMaxLevels) {
      return TooLarge();
    }
    return absl::OkStatus();
  }

  hlo::Shape Collect(const wire::XLATupleNode& node,
                     std::vector<std::shared_ptr<runtime::Leaf>>* leaves) const {
    if (node.tuples_size() == 0) {
      const runtime::Allocation& input = *inputs_[node.input_index()];
      leaves->insert(leaves->end(), input.leaves().begin(), input.leaves().end());
      return input.shape();
    }
    std::vector<hlo::Shape> shapes;
    shapes.reserve(node.tuples_size());
    for (const wire::XLATupleNode& element : node.tuples()) {
      shapes.push_back(Collect(element, leaves));
    }
    return hlo::Shape::Tuple(std::move(shapes));
  }

  const std::vector<int64_t> handles_;
  const std::vector<AllocationPtr> inputs_;
  absl::flat_hash_map<int64_t, Use> uses_;  // by handle
  int64_t size_ = 0;
  std::vector<int64_t> released_;
};

}  // namespace

absl::StatusOr<Outputs> SubTuple(OpSet& ops, const Attributes&, absl::Span<const Value> inputs) {
  return TakePart(ops, inputs, /*release=*/false);
}

absl::StatusOr<Outputs> SubTupleAndRelease(OpSet& ops, const Attributes&,
                                           absl::Span<const Value> inputs) {
  return TakePart(ops, inputs, /*release=*/true);
}

absl::StatusOr<Outputs> MakeTuple(OpSet& ops, const Attributes&, absl::Span<const Value> inputs) {
  AXLE_ASSIGN_OR_RETURN(const auto root,
                        Parse<wire::XLATupleNode>(inputs[0], "tuple_description (XLATupleNode)"));
  std::vector<int64_t> handles = Concatenate(inputs.subspan(1));
  std::vector<AllocationPtr> allocations;
  allocations.reserve(handles.size());
  for (const int64_t handle : handles) {
    AXLE_ASSIGN_OR_RETURN(AllocationPtr allocation, FindAllocation(ops, handle));
    allocations.push_back(std::move(allocation));
  }
  TupleMaker maker(std::move(handles), std::move(allocations));
  AXLE_RETURN_IF_ERROR(maker.Check(root));
  AXLE_ASSIGN_OR_RETURN(const int64_t handle,
                        KeepAndRelease(ops, maker.Make(root), maker.released()));
  return MakeOutputs(ScalarHandle(handle));
}

}  // namespace axle::xrt
