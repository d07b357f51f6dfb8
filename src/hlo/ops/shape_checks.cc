// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/shape_checks.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/errors.h"

namespace axle::hlo {
namespace {

absl::Status WrongShape(const Shape& shape, absl::string_view what, absl::string_view expected) {
  return MakeError(ops_errors::kOperandShape,
                   absl::StrCat(what, " is ", ShapeText(shape), "; expected ", expected));
}

}  // namespace

std::string ShapeText(const Shape& shape) { return shape.ToString(/*with_layout=*/false); }

std::string OperandText(int i) { return absl::StrCat("operand ", i); }

absl::Status ExpectArray(const Shape& shape, absl::string_view what) {
  return shape.IsArray() ? absl::OkStatus() : WrongShape(shape, what, "an array");
}

absl::Status ExpectScalar(const Shape& shape, absl::string_view what) {
  return shape.IsScalar() ? absl::OkStatus() : WrongShape(shape, what, "a scalar");
}

absl::Status ExpectToken(const Shape& shape, absl::string_view what) {
  return shape.IsToken() ? absl::OkStatus() : WrongShape(shape, what, "a token");
}

absl::Status ExpectArrayOperands(const RuleContext& context) {
  for (int i = 0; i < context.operands.size(); ++i) {
    if (!context.operand(i).IsArray()) return ExpectArray(context.operand(i), OperandText(i));
  }
  return absl::OkStatus();
}

absl::Status ExpectDeclaredArray(const RuleContext& context) {
  return ExpectArray(context.declared(), "the declared shape");
}

absl::Status ExpectType(const Shape& shape, absl::string_view what, bool (*allowed)(ElementType),
                        absl::string_view expected) {
  AXLE_RETURN_IF_ERROR(ExpectArray(shape, what));
  if (allowed(shape.element_type())) return absl::OkStatus();
  return MakeError(
      ops_errors::kElementType,
      absl::StrCat(what, " is ", ShapeText(shape), "; expected elements that are ", expected));
}

absl::Status ExpectSameType(const Shape& a, absl::string_view what_a, const Shape& b,
                            absl::string_view what_b) {
  if (a.element_type() == b.element_type()) return absl::OkStatus();
  return MakeError(ops_errors::kElementType,
                   absl::StrCat(what_a, " is ", ShapeText(a), " and ", what_b, " is ", ShapeText(b),
                                "; expected one element type"));
}

bool IsIntegralOrPred(ElementType type) { return IsIntegral(type) || IsPred(type); }
bool IsFloatOrComplex(ElementType type) { return IsFloat(type) || IsComplex(type); }
bool IsNumber(ElementType type) { return IsIntegral(type) || IsFloatOrComplex(type); }

bool ShapesAgree(const Shape& a, const Shape& b) {
  if (a.SharesDataWith(b)) return true;
  const auto sizes_a = a.dimensions();
  const auto sizes_b = b.dimensions();
  const auto tuple_a = a.tuple_shapes();
  const auto tuple_b = b.tuple_shapes();
  return a.element_type() == b.element_type() &&
         std::equal(sizes_a.begin(), sizes_a.end(), sizes_b.begin(), sizes_b.end(), SizesAgree) &&
         std::equal(tuple_a.begin(), tuple_a.end(), tuple_b.begin(), tuple_b.end(), ShapesAgree);
}

absl::Status ExpectSameDimensions(const Shape& a, absl::string_view what_a, const Shape& b,
                                  absl::string_view what_b) {
  const auto sizes_a = a.dimensions();
  const auto sizes_b = b.dimensions();
  if (std::equal(sizes_a.begin(), sizes_a.end(), sizes_b.begin(), sizes_b.end(), SizesAgree)) {
    return absl::OkStatus();
  }
  return MakeError(ops_errors::kOperandShape,
                   absl::StrCat(what_a, " is ", ShapeText(a), " and ", what_b, " is ", ShapeText(b),
                                "; expected the same dimensions"));
}

absl::Status ExpectDimension(absl::string_view attribute, int64_t dimension, int64_t rank) {
  if (dimension >= 0 && dimension < rank) return absl::OkStatus();
  return MakeError(ops_errors::kAttribute,
                   absl::StrCat(attribute, " names dimension ", dimension, " of ", rank,
                                "; expected numbers from 0 to below ", rank));
}

absl::Status ExpectUniqueDimensions(absl::string_view attribute,
                                    absl::Span<const int64_t> dimensions, int64_t rank) {
  uint64_t seen = 0;
  for (const int64_t dimension : dimensions) {
    AXLE_RETURN_IF_ERROR(ExpectDimension(attribute, dimension, rank));
    const uint64_t bit = uint64_t{1} << dimension;  // rank <= Shape::kMaxRank == 64
    if (seen & bit) {
      return MakeError(ops_errors::kAttribute, absl::StrCat(attribute, " names dimension ",
                                                            dimension, " twice; expected once"));
    }
    seen |= bit;
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> ExpectOneDimension(absl::Span<const int64_t> dimensions, int64_t rank) {
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("dimensions", dimensions.size(), 1));
  AXLE_RETURN_IF_ERROR(ExpectDimension("dimensions", dimensions[0], rank));
  return dimensions[0];
}

absl::Status ExpectEntryCount(absl::string_view attribute, size_t entries, size_t needed) {
  if (entries == needed) return absl::OkStatus();
  return MakeError(ops_errors::kAttribute,
                   absl::StrCat(attribute, " has ", entries, " entries; expected ", needed));
}

DimensionList::DimensionList(const Shape& shape) {
  for (int i = 0; i < shape.rank(); ++i) Add(shape.dimension(i), shape.is_dynamic(i));
}

void DimensionList::Merge(const Shape& shape) {
  for (int i = 0; i < rank(); ++i) {
    if (sizes_[i] == Shape::kUnbounded) {
      sizes_[i] = shape.dimension(i);
      dynamic_[i] = shape.is_dynamic(i);
    } else if (shape.dimension(i) != Shape::kUnbounded) {
      dynamic_[i] = dynamic_[i] || shape.is_dynamic(i);
    }
  }
}

absl::StatusOr<Shape> DimensionList::ToShape(ElementType type) const {
  if (rank() > Shape::kMaxRank) {
    return MakeError(ops_errors::kResultShape,
                     absl::StrCat("the result would have ", rank(),
                                  " dimensions; expected at most ", Shape::kMaxRank));
  }
  for (const int64_t size : sizes_) {
    if (size < 0 && size != Shape::kUnbounded) {
      return MakeError(ops_errors::kResultShape,
                       absl::StrCat("the result would have size ", size, "; expected at least 0"));
    }
  }
  return Shape::Array(type, sizes_, dynamic_);
}

}  // namespace axle::hlo
