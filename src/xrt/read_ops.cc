// SPDX-License-Identifier: Apache-2.0
// Operations that read values. What they release, they release once all has been read.
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "xrt/errors.h"
#include "xrt/ops.h"
#include "xrt/values.h"

namespace axle::xrt {
namespace {

using AllocationPtr = std::shared_ptr<const runtime::Allocation>;

absl::Status Release(OpSet& ops, absl::Span<const int64_t> handles) {
  return ops.session().handles().Release(handles, runtime::HandleKind::kAllocation);
}

absl::StatusOr<Outputs> ReadMessage(OpSet& ops, absl::Span<const Value> inputs, bool release) {
  const int64_t handle = Int64(inputs[0]);
  AXLE_ASSIGN_OR_RETURN(const AllocationPtr allocation, FindAllocation(ops, handle));
  AXLE_RETURN_IF_ERROR(CheckMessageSize(allocation->shape()));
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal literal, allocation->ToLiteral());
  AXLE_ASSIGN_OR_RETURN(std::string message, SerializeLiteral(literal));
  if (release) AXLE_RETURN_IF_ERROR(Release(ops, {handle}));
  return MakeOutputs(ScalarString(std::move(message)));
}

void AppendArrays(hlo::Literal literal, Outputs* arrays) {
  if (!literal.IsTuple()) {
    arrays->push_back(std::move(literal));
    return;
  }
  for (hlo::Literal& element : literal.elements()) AppendArrays(std::move(element), arrays);
}

absl::Status CheckLeafTypes(absl::Span<const AllocationPtr> allocations,
                            const std::vector<hlo::ElementType>& types) {
  std::vector<hlo::ElementType> leaf_types;
  for (const AllocationPtr& allocation : allocations) {
    for (const auto& leaf : allocation->leaves())
      leaf_types.push_back(leaf->shape().element_type());
  }
  if (leaf_types == types) return absl::OkStatus();
  size_t at = 0;
  while (at < types.size() && at < leaf_types.size() && types[at] == leaf_types[at]) ++at;
  const auto name = [&](const std::vector<hlo::ElementType>& list) {
    return at < list.size() ? hlo::Name(list[at]) : absl::string_view("none");
  };
  return MakeError(errors::kLeafTypes, absl::StrCat("array ", at, " of ", leaf_types.size(), " is ",
                                                    name(leaf_types), ", dtypes has ", name(types),
                                                    " there, and ", types.size(), " types"));
}

}  // namespace

absl::StatusOr<Outputs> ReadLiteral(OpSet& ops, const Attributes&, absl::Span<const Value> inputs) {
  return ReadMessage(ops, inputs, /*release=*/false);
}

absl::StatusOr<Outputs> ReadLiteralAndRelease(OpSet& ops, const Attributes&,
                                              absl::Span<const Value> inputs) {
  return ReadMessage(ops, inputs, /*release=*/true);
}

absl::StatusOr<Outputs> ReadToTensor(OpSet& ops, const Attributes& attributes,
                                     absl::Span<const Value> inputs) {
  const absl::Span<const int64_t> handles = Int64s(inputs[0]);
  std::vector<AllocationPtr> allocations;
  for (const int64_t handle : handles) {
    AXLE_ASSIGN_OR_RETURN(AllocationPtr allocation, FindAllocation(ops, handle));
    allocations.push_back(std::move(allocation));
  }
  AXLE_RETURN_IF_ERROR(
      CheckLeafTypes(allocations, Get<std::vector<hlo::ElementType>>(attributes, "dtypes")));
  Outputs tensors;
  for (const AllocationPtr& allocation : allocations) {
    AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, allocation->ToLiteral());
    AppendArrays(std::move(literal), &tensors);
  }
  if (Get<bool>(attributes, "release_handles")) AXLE_RETURN_IF_ERROR(Release(ops, handles));
  return tensors;
}

}  // namespace axle::xrt
