// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/reduction.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/shape_checks.h"
#include "hlo/ops/structured_checks.h"
#include "hlo/ops/structured_errors.h"

namespace axle::hlo {
namespace {

using structured_errors::kDimensionNumbers;
using structured_errors::kScan;

// What reduce and reduce-window share: n arrays of equal dimensions, n scalars of the same types,
// and a combiner. Returns the types.
absl::StatusOr<std::vector<ElementType>> CheckReduction(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const int operand_count = static_cast<int>(context.operands.size());
  if (operand_count % 2 != 0) {
    return MakeError(
        ops_errors::kOperandCount,
        absl::StrCat(operand_count, " operands; expected n arrays and n initial values"));
  }
  const int count = operand_count / 2;
  AXLE_RETURN_IF_ERROR(ExpectSameDimensions(context, 0, count));
  std::vector<ElementType> types;
  for (int i = 0; i < count; ++i) {
    const Shape& initial = context.operand(count + i);
    const std::string name = absl::StrCat("operand ", count + i, ", an initial value,");
    AXLE_RETURN_IF_ERROR(ExpectScalar(initial, name));
    AXLE_RETURN_IF_ERROR(
        ExpectSameType(initial, name, context.operand(i), absl::StrCat("operand ", i)));
    types.push_back(initial.element_type());
  }
  AXLE_RETURN_IF_ERROR(ExpectCombiner(*context.called[0], types));
  return types;
}

// A slice of `input` along `dimension`: what a scan gives to its computation.
absl::StatusOr<Shape> ScanSlice(const Shape& input, int64_t dimension) {
  DimensionList sizes;
  for (int i = 0; i < input.rank(); ++i) {
    if (i != dimension) AddFrom(&sizes, input, i);
  }
  return sizes.ToShape(input.element_type());
}

// The output that slices stacked along `dimension` make.
absl::StatusOr<Shape> ScanStack(const Shape& slice, int64_t dimension, int64_t length) {
  AXLE_RETURN_IF_ERROR(ExpectArray(slice, "an output slice"));
  if (dimension > slice.rank()) {
    return MakeError(kScan, absl::StrCat("an output slice of ", slice.ToString(false),
                                         " cannot be stacked along dimension ", dimension));
  }
  DimensionList sizes;
  for (int i = 0; i < slice.rank(); ++i) {
    if (i == dimension) sizes.Add(length, false);
    AddFrom(&sizes, slice, i);
  }
  if (dimension == slice.rank()) sizes.Add(length, false);
  return sizes.ToShape(slice.element_type());
}

// Shape of what a scan's computation returns, one entry an output or carry.
absl::Span<const Shape> ScanResults(const ProgramShape& called) {
  return called.result.IsTuple() ? called.result.tuple_shapes()
                                 : absl::Span<const Shape>(&called.result, 1);
}

}  // namespace

absl::StatusOr<Shape> MapRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  AXLE_RETURN_IF_ERROR(ExpectSameDimensions(context, 0, static_cast<int>(context.operands.size())));
  const Shape& first = context.operand(0);
  const auto& dimensions = context.instruction.As<DimensionsAttributes>().dimensions;
  AXLE_RETURN_IF_ERROR(
      ExpectEntryCount("dimensions", dimensions.size(), static_cast<size_t>(first.rank())));
  AXLE_RETURN_IF_ERROR(ExpectRising("dimensions", dimensions, first.rank()));
  std::vector<Shape> scalars;
  for (const Shape& operand : context.operands) {
    scalars.push_back(Shape::Scalar(operand.element_type()));
  }
  const ProgramShape& called = *context.called[0];
  const Shape result =
      called.result.IsScalar() ? called.result : Shape::Scalar(first.element_type());
  AXLE_RETURN_IF_ERROR(ExpectSignature(called, scalars, result, "computation to apply"));
  return first.WithoutLayouts().WithElementType(result.element_type());
}

absl::StatusOr<Shape> ReduceRule(const RuleContext& context) {
  AXLE_ASSIGN_OR_RETURN(const std::vector<ElementType> types, CheckReduction(context));
  const Shape& first = context.operand(0);
  uint64_t reduced = 0;
  AXLE_RETURN_IF_ERROR(ClaimDimensions("dimensions",
                                       context.instruction.As<DimensionsAttributes>().dimensions,
                                       first.rank(), &reduced));
  DimensionList sizes;
  for (int i = 0; i < first.rank(); ++i) {
    if (!(reduced >> i & 1)) AddFrom(&sizes, first, i);
  }
  std::vector<Shape> results;
  for (const ElementType type : types) {
    AXLE_ASSIGN_OR_RETURN(results.emplace_back(), sizes.ToShape(type));
  }
  return OneOrTuple(std::move(results));
}

absl::StatusOr<Shape> ReduceWindowRule(const RuleContext& context) {
  AXLE_ASSIGN_OR_RETURN(const std::vector<ElementType> types, CheckReduction(context));
  AXLE_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                        WindowedSizes(context.operand(0).dimensions(),
                                      context.instruction.As<WindowAttributes>().window));
  std::vector<Shape> results;
  for (const ElementType type : types) results.push_back(Shape::Array(type, sizes));
  return OneOrTuple(std::move(results));
}

absl::StatusOr<Shape> ScanRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const auto& a = context.instruction.As<ScanAttributes>();
  const auto operand_count = static_cast<int64_t>(context.operands.size());
  if (a.num_carries < 0 || a.num_carries >= operand_count) {
    return MakeError(kScan,
                     absl::StrCat("num_carries=", a.num_carries, " with ", operand_count,
                                  " operands; expected at least one input besides the carries"));
  }
  const int inputs = static_cast<int>(operand_count - a.num_carries);
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("dimensions", a.dimensions.size(), 1));
  const int64_t dimension = a.dimensions[0];
  int64_t length = Shape::kUnbounded;
  std::vector<Shape> parameters;
  for (int i = 0; i < inputs; ++i) {
    const Shape& input = context.operand(i);
    AXLE_RETURN_IF_ERROR(ExpectDimension("dimensions", dimension, input.rank()));
    const int64_t size = input.dimension(static_cast<int>(dimension));
    if (!SizesAgree(length, size)) {
      return MakeError(kScan, absl::StrCat("input ", i, " has size ", size, " along dimension ",
                                           dimension, "; the inputs before it have ", length));
    }
    if (length == Shape::kUnbounded) length = size;
    AXLE_ASSIGN_OR_RETURN(parameters.emplace_back(), ScanSlice(input, dimension));
  }
  parameters.insert(parameters.end(), context.operands.begin() + inputs, context.operands.end());

  const ProgramShape& called = *context.called[0];
  const absl::Span<const Shape> results = ScanResults(called);
  if (static_cast<int64_t>(results.size()) < a.num_carries) {
    return MakeError(kScan, absl::StrCat("the computation returns ", called.result.ToString(false),
                                         "; expected at least ", a.num_carries, " carries"));
  }
  std::vector<Shape> expected(results.begin(), results.end());
  std::vector<Shape> stacked;
  const size_t outputs = results.size() - static_cast<size_t>(a.num_carries);
  for (size_t i = 0; i < results.size(); ++i) {
    if (i < outputs) {
      AXLE_ASSIGN_OR_RETURN(stacked.emplace_back(), ScanStack(results[i], dimension, length));
    } else {
      expected[i] = context.operand(static_cast<int>(inputs + i - outputs));
      stacked.push_back(expected[i]);
    }
  }
  const bool tuple = called.result.IsTuple();
  AXLE_RETURN_IF_ERROR(ExpectSignature(called, parameters,
                                       tuple ? Shape::Tuple(std::move(expected)) : expected[0],
                                       "computation to apply"));
  return tuple ? Shape::Tuple(std::move(stacked)) : stacked[0];
}

}  // namespace axle::hlo
