// SPDX-License-Identifier: Apache-2.0
// Operations that place elements without computing: most are one strided copy.
#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"

namespace axle::eval {
namespace {

const std::vector<int64_t>& DimensionsOf(const KernelArgs& args) {
  return args.instruction.As<hlo::DimensionsAttributes>().dimensions;
}

// Dimensions in the order of the layout; row-major without one.
Dims MajorToMinor(const hlo::Shape& shape) {
  if (shape.layout() == nullptr) return OtherDims(shape.rank(), {});
  const auto& order = shape.layout()->minor_to_major;
  return Dims(order.rbegin(), order.rend());
}

}  // namespace

absl::StatusOr<hlo::Literal> EvalBroadcast(const KernelArgs& args) {
  const hlo::Literal& operand = args.operand(0);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  const DimsView dims = args.result().dimensions();
  const Dims operand_strides = RowMajorStrides(operand.shape().dimensions());
  Dims from(dims.size(), 0);
  const std::vector<int64_t>& dimensions = DimensionsOf(args);
  for (size_t i = 0; i < dimensions.size(); ++i) from[dimensions[i]] = operand_strides[i];
  CopyStrided(WidthOf(result), dims, {operand.bytes().data(), from},
              {result.bytes().data(), RowMajorStrides(dims)});
  return result;
}

absl::StatusOr<hlo::Literal> EvalTranspose(const KernelArgs& args) {
  const hlo::Literal& operand = args.operand(0);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  const DimsView dims = args.result().dimensions();
  const Dims from = Select(RowMajorStrides(operand.shape().dimensions()), DimensionsOf(args));
  CopyStrided(WidthOf(result), dims, {operand.bytes().data(), from},
              {result.bytes().data(), RowMajorStrides(dims)});
  return result;
}

absl::StatusOr<hlo::Literal> EvalReverse(const KernelArgs& args) {
  const hlo::Literal& operand = args.operand(0);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  if (result.element_count() == 0) return result;
  const DimsView dims = args.result().dimensions();
  Dims from = RowMajorStrides(dims);
  int64_t start = 0;
  for (int64_t dim : DimensionsOf(args)) {
    start += (dims[dim] - 1) * from[dim];
    from[dim] = -from[dim];
  }
  CopyStrided(WidthOf(result), dims, {operand.bytes().data() + start * WidthOf(result), from},
              {result.bytes().data(), RowMajorStrides(dims)});
  return result;
}

absl::StatusOr<hlo::Literal> EvalSlice(const KernelArgs& args) {
  const hlo::Literal& operand = args.operand(0);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  if (result.element_count() == 0) return result;
  const auto& slice = args.instruction.As<hlo::SliceAttributes>().slice.dimensions;
  Dims from = RowMajorStrides(operand.shape().dimensions());
  int64_t start = 0;
  for (size_t i = 0; i < slice.size(); ++i) {
    start += slice[i].start * from[i];
    from[i] *= slice[i].stride;
  }
  const DimsView dims = args.result().dimensions();
  CopyStrided(WidthOf(result), dims, {operand.bytes().data() + start * WidthOf(result), from},
              {result.bytes().data(), RowMajorStrides(dims)});
  return result;
}

// Element i of a padded dimension goes to low + i * (interior + 1); what falls outside is cropped.
absl::StatusOr<hlo::Literal> EvalPad(const KernelArgs& args) {
  const hlo::Literal& operand = args.operand(0);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  FillWith(args.operand(1), result);
  const DimsView operand_dims = operand.shape().dimensions();
  const Dims from = RowMajorStrides(operand_dims);
  Dims to = RowMajorStrides(args.result().dimensions());
  Dims dims;  // elements of the operand that stay
  int64_t from_start = 0, to_start = 0;
  const auto& padding = args.instruction.As<hlo::PadAttributes>().padding.dimensions;
  for (size_t i = 0; i < padding.size(); ++i) {
    const int64_t step = padding[i].interior + 1;
    const int64_t size = args.result().dimension(static_cast<int>(i));
    // First element at a place >= 0, and first at a place >= size.
    const int64_t begin = padding[i].low >= 0 ? 0 : (-padding[i].low + step - 1) / step;
    const int64_t end = size <= padding[i].low ? 0 : (size - padding[i].low + step - 1) / step;
    dims.push_back(std::max<int64_t>(0, std::min(end, operand_dims[i]) - begin));
    from_start += begin * from[i];
    to_start += (padding[i].low + begin * step) * to[i];
    to[i] *= step;
  }
  if (Product(dims) == 0) return result;
  CopyStrided(WidthOf(result), dims, {operand.bytes().data() + from_start * WidthOf(result), from},
              {result.bytes().data() + to_start * WidthOf(result), to});
  return result;
}

absl::StatusOr<hlo::Literal> EvalConcatenate(const KernelArgs& args) {
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  const int64_t dimension = DimensionsOf(args)[0];
  const Dims to = RowMajorStrides(args.result().dimensions());
  int64_t start = 0;
  for (const hlo::Literal* operand : args.operands) {
    const DimsView dims = operand->shape().dimensions();
    if (operand->element_count() > 0) {
      CopyStrided(WidthOf(result), dims, {operand->bytes().data(), RowMajorStrides(dims)},
                  {result.bytes().data() + start * to[dimension] * WidthOf(result), to});
    }
    start += dims[dimension];
  }
  return result;
}

// 0, 1, 2 … in the arithmetic of the type: integers wrap, floats round.
absl::StatusOr<hlo::Literal> EvalIota(const KernelArgs& args) {
  const hlo::Shape& shape = args.result();
  const int64_t dimension = args.instruction.As<hlo::IotaAttributes>().iota_dimension;
  AXLE_ASSIGN_OR_RETURN(
      hlo::Literal counts,
      hlo::Literal::Zeros(hlo::Shape::Array(hlo::ElementType::kS64, {shape.dimension(dimension)})));
  for (int64_t i = 0; i < counts.element_count(); ++i) counts.data<int64_t>()[i] = i;
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal row, ConvertTo(counts, shape.element_type()));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(shape));
  Dims from(shape.rank(), 0);
  from[dimension] = 1;
  CopyStrided(WidthOf(result), shape.dimensions(), {row.bytes().data(), from},
              {result.bytes().data(), RowMajorStrides(shape.dimensions())});
  return result;
}

absl::StatusOr<hlo::Literal> EvalGetDimensionSize(const KernelArgs& args) {
  const int dimension = static_cast<int>(DimensionsOf(args)[0]);
  return hlo::Literal::Scalar(static_cast<int32_t>(args.operand(0).shape().dimension(dimension)));
}

// The bytes in the order of the operand's layout, read in the order of the result's.
absl::StatusOr<Value> RunBitcast(StepContext& context) {
  const hlo::Literal& operand = context.array(0);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal physical, context.Zeros(operand.shape()));
  CopyPermuted(operand, MajorToMinor(context.operand_shape(0)), physical);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, context.Zeros(context.result()));
  const DimsView dims = context.result().dimensions();
  const Dims order = MajorToMinor(context.result());
  const Dims ordered = Select(dims, order);
  CopyStrided(WidthOf(result), ordered, {physical.bytes().data(), RowMajorStrides(ordered)},
              {result.bytes().data(), Select(RowMajorStrides(dims), order)});
  return context.Array(std::move(result));
}

absl::StatusOr<Value> RunReshape(StepContext& context) {
  AXLE_ASSIGN_OR_RETURN(hlo::Literal array, context.Take(0));
  return context.Array(std::move(array).Reshaped(context.result()));
}

}  // namespace axle::eval
