// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/linear_algebra.h"
#include "hlo/ops/shape_checks.h"
#include "hlo/ops/structured_checks.h"
#include "hlo/ops/structured_errors.h"

namespace axle::hlo {
namespace {

using structured_errors::kConvolution;

// Two special dimensions and the spatial ones name each dimension of an array exactly once.
absl::Status CheckLabels(const char* what, int64_t a, int64_t b, absl::Span<const int64_t> spatial,
                         int64_t rank) {
  AXLE_RETURN_IF_ERROR(ExpectEntryCount(what, spatial.size() + 2, static_cast<size_t>(rank)));
  uint64_t seen = 0;
  AXLE_RETURN_IF_ERROR(ClaimDimensions(what, {a, b}, rank, &seen));
  return ClaimDimensions(what, spatial, rank, &seen);
}

absl::Status CheckConvolutionDims(const RuleContext& context, const ConvolutionDimensions& d) {
  const int rank = context.operand(0).rank();
  if (context.operand(1).rank() != rank) {
    return MakeError(ops_errors::kOperandShape,
                     absl::StrCat("operand 1 is ", ShapeText(context.operand(1)),
                                  "; expected as many dimensions as operand 0, ", rank));
  }
  AXLE_RETURN_IF_ERROR(CheckLabels("dim_labels of the input", d.input_batch, d.input_feature,
                                   d.input_spatial, rank));
  AXLE_RETURN_IF_ERROR(CheckLabels("dim_labels of the kernel", d.kernel_input_feature,
                                   d.kernel_output_feature, d.kernel_spatial, rank));
  return CheckLabels("dim_labels of the output", d.output_batch, d.output_feature, d.output_spatial,
                     rank);
}

int64_t SizeOf(const Shape& shape, int64_t dimension) {
  return shape.dimension(static_cast<int>(dimension));
}

// Whether `count` divides `size`, an unbounded size being divided by all.
bool Divides(int64_t count, int64_t size) { return size == Shape::kUnbounded || size % count == 0; }

absl::Status CheckGroups(const RuleContext& context, const ConvolutionAttributes& a) {
  const ConvolutionDimensions& d = a.dimensions;
  const int64_t features = SizeOf(context.operand(0), d.input_feature);
  const int64_t batch = SizeOf(context.operand(0), d.input_batch);
  const int64_t kernel_inputs = SizeOf(context.operand(1), d.kernel_input_feature);
  const int64_t kernel_outputs = SizeOf(context.operand(1), d.kernel_output_feature);
  if (a.feature_group_count < 1 || a.batch_group_count < 1 ||
      (a.feature_group_count > 1 && a.batch_group_count > 1)) {
    return MakeError(kConvolution,
                     absl::StrCat("feature_group_count=", a.feature_group_count,
                                  ", batch_group_count=", a.batch_group_count,
                                  "; expected at least 1, and more for one of them at most"));
  }
  if (!Divides(a.feature_group_count, features) ||
      (features != Shape::kUnbounded &&
       !SizesAgree(features / a.feature_group_count, kernel_inputs))) {
    return MakeError(
        kConvolution,
        absl::StrCat("the input has ", features, " features; expected ", kernel_inputs,
                     " input features of the kernel times ", a.feature_group_count, " groups"));
  }
  if (!Divides(a.feature_group_count, kernel_outputs) ||
      !Divides(a.batch_group_count, kernel_outputs) || !Divides(a.batch_group_count, batch)) {
    return MakeError(kConvolution,
                     absl::StrCat("groups (", a.feature_group_count, " of features, ",
                                  a.batch_group_count, " of batches) must divide the kernel's ",
                                  kernel_outputs, " output features and the batch of ", batch));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> ConvolutionRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const Shape& input = context.operand(0);
  const Shape& kernel = context.operand(1);
  const auto& a = context.instruction.As<ConvolutionAttributes>();
  const ConvolutionDimensions& d = a.dimensions;
  AXLE_RETURN_IF_ERROR(CheckConvolutionDims(context, d));
  AXLE_RETURN_IF_ERROR(CheckGroups(context, a));
  AXLE_ASSIGN_OR_RETURN(const ElementType type, AccumulationType(context, input, kernel));

  std::vector<int64_t> base;
  for (const int64_t dimension : d.input_spatial) base.push_back(SizeOf(input, dimension));
  AXLE_ASSIGN_OR_RETURN(const std::vector<int64_t> spatial, WindowedSizes(base, a.window));
  for (size_t i = 0; i < d.kernel_spatial.size(); ++i) {
    const int64_t size = SizeOf(kernel, d.kernel_spatial[i]);
    if (!SizesAgree(size, a.window.dimensions[i].size)) {
      return MakeError(kConvolution,
                       absl::StrCat("window of size ", a.window.dimensions[i].size,
                                    " along spatial dimension ", i, "; the kernel has ", size));
    }
  }
  DimensionList sizes;
  for (int i = 0; i < input.rank(); ++i) sizes.Add(0, false);
  const int64_t batch = SizeOf(input, d.input_batch);
  sizes.Set(static_cast<int>(d.output_batch),
            batch == Shape::kUnbounded ? batch : batch / a.batch_group_count,
            input.is_dynamic(static_cast<int>(d.input_batch)));
  sizes.Set(static_cast<int>(d.output_feature), SizeOf(kernel, d.kernel_output_feature), false);
  for (size_t i = 0; i < spatial.size(); ++i) {
    sizes.Set(static_cast<int>(d.output_spatial[i]), spatial[i], false);
  }
  return sizes.ToShape(type);
}

}  // namespace axle::hlo
