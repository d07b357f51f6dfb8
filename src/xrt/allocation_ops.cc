// SPDX-License-Identifier: Apache-2.0
// Operations that make values, overwrite them and let them go.
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "proto/xrt.pb.h"
#include "xrt/errors.h"
#include "xrt/ops.h"
#include "xrt/values.h"

namespace axle::xrt {
namespace {

using hlo::Literal;
using hlo::Shape;

absl::StatusOr<Outputs> UploadAndKeep(OpSet& ops, const Literal& literal) {
  AXLE_ASSIGN_OR_RETURN(runtime::Allocation allocation,
                        ops.session().Upload(literal, ops.device()));
  AXLE_ASSIGN_OR_RETURN(const int64_t handle, ops.session().Keep(std::move(allocation)));
  return MakeOutputs(ScalarHandle(handle));
}

// Consumes the layout of one shape from the front of `layouts`.
absl::Status CheckLayout(const Shape& shape, absl::Span<const int64_t>* layouts) {
  const size_t rank = shape.dimensions().size();
  if (layouts->size() < rank) {
    return MakeError(errors::kLayouts,
                     absl::StrCat("layouts ends before the shape ", shape.ToString(false)));
  }
  const absl::Span<const int64_t> order = layouts->first(rank);
  layouts->remove_prefix(rank);
  std::vector<bool> seen(rank);
  size_t defaults = 0;
  bool good = true;
  for (const int64_t dimension : order) {
    if (dimension == -1) {
      ++defaults;
    } else if (dimension < 0 || dimension >= static_cast<int64_t>(rank) || seen[dimension]) {
      good = false;
    } else {
      seen[dimension] = true;
    }
  }
  if (good && (defaults == 0 || defaults == rank)) return absl::OkStatus();
  return MakeError(errors::kLayouts, absl::StrCat("layouts has ", absl::StrJoin(order, ","),
                                                  " for the shape ", shape.ToString(false)));
}

absl::Status CheckLayouts(absl::Span<const Shape> shapes, absl::Span<const int64_t> layouts) {
  if (layouts.empty()) return absl::OkStatus();
  const size_t given = layouts.size();
  for (const Shape& shape : shapes) AXLE_RETURN_IF_ERROR(CheckLayout(shape, &layouts));
  if (layouts.empty()) return absl::OkStatus();
  return MakeError(errors::kLayouts,
                   absl::StrCat("layouts has ", given, " numbers, ", layouts.size(), " too many"));
}

// The tensor under the dimensions of `shape`, without a copy: the tensor must outlive it.
absl::StatusOr<Literal> View(const Literal& tensor, const Shape& shape, size_t at) {
  const auto mismatch = [&] {
    return MakeError(errors::kTensorShape,
                     absl::StrCat("tensor ", at, " is ", tensor.shape().ToString(false),
                                  ", its shape ", shape.ToString(false)));
  };
  if (!shape.IsArray() || shape.has_dynamic_dimensions()) return mismatch();
  const absl::StatusOr<int64_t> count = shape.ElementCount();
  if (!count.ok() || *count != tensor.element_count()) return mismatch();
  return Literal::Borrow(Shape::Array(tensor.shape().element_type(), shape.dimensions()),
                         tensor.bytes());
}

}  // namespace

absl::StatusOr<Outputs> Allocate(OpSet& ops, const Attributes&, absl::Span<const Value> inputs) {
  AXLE_ASSIGN_OR_RETURN(const auto allocation, ParseWithLiteral<wire::XLAAllocation>(
                                                   inputs[0], "allocation (XLAAllocation)"));
  AXLE_RETURN_IF_ERROR(CheckOrdinal(ops, allocation.device_ordinal()));
  if (!allocation.has_value()) return MakeError(errors::kNoLiteral, "value is missing");
  AXLE_ASSIGN_OR_RETURN(const Literal literal, ParseLiteral(allocation.value()));
  return UploadAndKeep(ops, literal);
}

absl::StatusOr<Outputs> AllocateUninitialized(OpSet& ops, const Attributes& attributes,
                                              absl::Span<const Value>) {
  AXLE_ASSIGN_OR_RETURN(const Shape shape, ArrayOf(attributes));
  AXLE_ASSIGN_OR_RETURN(runtime::Allocation allocation, ops.session().Reserve(shape, ops.device()));
  AXLE_ASSIGN_OR_RETURN(const int64_t handle, ops.session().Keep(std::move(allocation)));
  return MakeOutputs(ScalarHandle(handle));
}

absl::StatusOr<Outputs> AllocateFromTensor(OpSet& ops, const Attributes& attributes,
                                           absl::Span<const Value> inputs) {
  const auto& shapes = Get<std::vector<Shape>>(attributes, "shapes");
  const bool make_tuple = Get<bool>(attributes, "make_tuple");
  if (shapes.size() != inputs.size()) {
    return MakeError(errors::kTensorShape,
                     absl::StrCat(inputs.size(), " tensors with ", shapes.size(), " shapes"));
  }
  if (inputs.empty() && !make_tuple) {
    return MakeError(errors::kTensorShape, "no tensors, and make_tuple is false");
  }
  std::vector<Literal> views;
  views.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    AXLE_ASSIGN_OR_RETURN(Literal view, View(Array(inputs[i]), shapes[i], i));
    views.push_back(std::move(view));
  }
  AXLE_RETURN_IF_ERROR(CheckLayouts(shapes, Get<std::vector<int64_t>>(attributes, "layouts")));
  if (inputs.size() == 1 && !make_tuple) return UploadAndKeep(ops, views.front());
  return UploadAndKeep(ops, Literal::Tuple(std::move(views)));
}

absl::StatusOr<Outputs> WriteLiteral(OpSet& ops, const Attributes&,
                                     absl::Span<const Value> inputs) {
  const int64_t handle = Int64(inputs[0]);
  AXLE_ASSIGN_OR_RETURN(const auto allocation, FindAllocation(ops, handle));
  AXLE_ASSIGN_OR_RETURN(const auto proto,
                        ParseWithLiteral<wire::LiteralProto>(inputs[1], "literal (LiteralProto)"));
  AXLE_ASSIGN_OR_RETURN(const Literal literal, ParseLiteral(proto));
  AXLE_RETURN_IF_ERROR(ops.session().Write(*allocation, literal));
  return MakeOutputs(ScalarHandle(handle));
}

absl::StatusOr<Outputs> ReleaseAllocationHandle(OpSet& ops, const Attributes&,
                                                absl::Span<const Value> inputs) {
  const absl::Span<const int64_t> handles = Int64s(inputs[0]);
  for (const int64_t handle : handles) AXLE_RETURN_IF_ERROR(FindAllocation(ops, handle).status());
  AXLE_RETURN_IF_ERROR(ops.session().handles().Release(handles, runtime::HandleKind::kAllocation));
  return Outputs();
}

absl::StatusOr<Outputs> ReleaseAllAllocations(OpSet& ops, const Attributes&,
                                              absl::Span<const Value>) {
  ops.session().handles().ReleaseAll(runtime::HandleKind::kAllocation);
  return Outputs();
}

// Backends manage their memory; moving values about would gain nothing.
absl::StatusOr<Outputs> CompactAllocations(OpSet&, const Attributes&, absl::Span<const Value>) {
  return Outputs();
}

}  // namespace axle::xrt
