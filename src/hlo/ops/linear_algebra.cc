// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/linear_algebra.h"

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

using ops_errors::kOperandShape;
using structured_errors::kFft;
using structured_errors::kMatrix;

// The array that is normalised, and vectors with one entry a feature from operand 1 on.
absl::Status CheckBatchNorm(const RuleContext& context, int last_vector) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectType(operand, "operand 0", IsFloat, "floating point"));
  const int64_t feature = context.instruction.As<BatchNormAttributes>().feature_index;
  AXLE_RETURN_IF_ERROR(ExpectDimension("feature_index", feature, operand.rank()));
  const Shape vector =
      Shape::Array(operand.element_type(), {operand.dimension(static_cast<int>(feature))});
  for (int i = 1; i <= last_vector; ++i) {
    if (!ShapesAgree(context.operand(i), vector)) {
      return MakeError(kOperandShape, absl::StrCat("operand ", i, " must be ", vector.ToString(),
                                                   ", one entry a feature"));
    }
  }
  return absl::OkStatus();
}

Shape FeatureVector(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  const int feature = static_cast<int>(context.instruction.As<BatchNormAttributes>().feature_index);
  return Shape::Array(operand.element_type(), {operand.dimension(feature)});
}

// `array` is a batch of square matrices.
absl::Status ExpectSquare(const Shape& array) {
  AXLE_RETURN_IF_ERROR(
      ExpectType(array, "operand 0", IsFloatOrComplex, "floating point or complex"));
  const int rank = array.rank();
  if (rank >= 2 && SizesAgree(array.dimension(rank - 1), array.dimension(rank - 2))) {
    return absl::OkStatus();
  }
  return MakeError(kMatrix, "operand 0 must be square in its last two dimensions");
}

absl::StatusOr<ElementType> FftElementType(FftType type, ElementType operand) {
  const bool wide = BitWidth(operand) == (IsComplex(operand) ? 128 : 64);
  switch (type) {
    case FftType::kFft:
    case FftType::kIfft:
      if (IsComplex(operand)) return operand;
      break;
    case FftType::kRfft:
      if (operand != ElementType::kF32 && operand != ElementType::kF64) break;
      return wide ? ElementType::kC128 : ElementType::kC64;
    case FftType::kIrfft:
      if (!IsComplex(operand)) break;
      return wide ? ElementType::kF64 : ElementType::kF32;
  }
  return MakeError(kFft, absl::StrCat(EnumName(type), " of ", Name(operand), "; expected ",
                                      type == FftType::kRfft ? "f32 or f64" : "c64 or c128"));
}

}  // namespace

absl::StatusOr<Shape> BatchNormTrainingRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(CheckBatchNorm(context, 2));
  const Shape vector = FeatureVector(context);
  return Shape::Tuple({context.operand(0), vector, vector});
}

absl::StatusOr<Shape> BatchNormInferenceRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(CheckBatchNorm(context, 4));
  return context.operand(0);
}

absl::StatusOr<Shape> BatchNormGradRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(CheckBatchNorm(context, 3));
  if (!ShapesAgree(context.operand(4), context.operand(0))) {
    return MakeError(kOperandShape,
                     "operand 4, the gradient of the output, must have the shape of operand 0");
  }
  const Shape vector = FeatureVector(context);
  return Shape::Tuple({context.operand(0), vector, vector});
}

absl::StatusOr<Shape> CholeskyRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  AXLE_RETURN_IF_ERROR(ExpectSquare(context.operand(0)));
  return context.operand(0);
}

absl::StatusOr<Shape> TriangularSolveRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const Shape& a = context.operand(0);
  const Shape& b = context.operand(1);
  const auto& options = context.instruction.As<TriangularSolveAttributes>();
  AXLE_RETURN_IF_ERROR(ExpectSquare(a));
  AXLE_RETURN_IF_ERROR(ExpectSameType(a, "operand 0", b, "operand 1"));
  if (options.transpose_a == TriangularTranspose::kInvalid) {
    return MakeError(ops_errors::kAttribute,
                     "transpose_a is not set; expected NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  }
  const int rank = a.rank();
  bool fits = b.rank() == rank;
  for (int i = 0; fits && i < rank - 2; ++i) fits = SizesAgree(a.dimension(i), b.dimension(i));
  if (fits &&
      SizesAgree(b.dimension(options.left_side ? rank - 2 : rank - 1), a.dimension(rank - 1))) {
    return b;
  }
  return MakeError(kMatrix,
                   absl::StrCat("operand 1 must have the leading dimensions of operand 0, and as "
                                "many ",
                                options.left_side ? "rows" : "columns"));
}

absl::StatusOr<Shape> FftRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const Shape& operand = context.operand(0);
  const auto& a = context.instruction.As<FftAttributes>();
  const int count = static_cast<int>(a.length.size());
  if (count < 1 || count > 3 || count > operand.rank()) {
    return MakeError(kFft,
                     absl::StrCat("fft_length=", DimensionsText(a.length),
                                  "; expected 1 to 3 entries and at most the operand's rank"));
  }
  AXLE_ASSIGN_OR_RETURN(const ElementType type, FftElementType(a.type, operand.element_type()));
  DimensionList sizes(operand);
  for (int i = 0; i < count; ++i) {
    const int dimension = operand.rank() - count + i;
    const int64_t length = a.length[i];
    const bool last = i == count - 1;
    // Half of a transform of real numbers mirrors the other half and is left out.
    const int64_t half = length == 0 ? 0 : length / 2 + 1;
    const int64_t expected = last && a.type == FftType::kIrfft ? half : length;
    if (length < 0 || !SizesAgree(operand.dimension(dimension), expected)) {
      return MakeError(kFft, absl::StrCat("fft_length=", DimensionsText(a.length), ": dimension ",
                                          dimension, " of the operand must have size ", expected));
    }
    if (last && a.type == FftType::kRfft) sizes.Set(dimension, half, false);
    if (last && a.type == FftType::kIrfft) sizes.Set(dimension, length, false);
  }
  return sizes.ToShape(type);
}

}  // namespace axle::hlo
