// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/structured_checks.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/structured_errors.h"

namespace axle::hlo {
namespace {

using structured_errors::kAccumulation;
using structured_errors::kDimensionNumbers;

// Classes whose products can be summed. A pred is the number 0 or 1 of any class.
ElementClass ProductClass(ElementType type, ElementType other) {
  const ElementClass kind = Info(IsPred(type) ? other : type).kind;
  const bool integer = kind == ElementClass::kPred || kind == ElementClass::kUnsigned;
  return integer ? ElementClass::kSigned : kind;
}

// Size of `size` elements with dilation - 1 gaps between them; false when it overflows.
bool Dilate(int64_t size, int64_t dilation, int64_t* result) {
  if (size == 0) {
    *result = 0;
    return true;
  }
  return !__builtin_mul_overflow(size - 1, dilation, result) &&
         !__builtin_add_overflow(*result, int64_t{1}, result);
}

}  // namespace

std::string DimensionsText(absl::Span<const int64_t> dimensions) {
  constexpr size_t kMost = 16;
  if (dimensions.size() <= kMost) return absl::StrCat("{", absl::StrJoin(dimensions, ","), "}");
  return absl::StrCat("{", absl::StrJoin(dimensions.subspan(0, kMost), ","), ",… (",
                      dimensions.size(), " entries)}");
}

absl::Status ClaimDimensions(absl::string_view attribute, absl::Span<const int64_t> dimensions,
                             int64_t rank, uint64_t* seen) {
  for (const int64_t dimension : dimensions) {
    if (dimension < 0 || dimension >= rank) {
      return MakeError(kDimensionNumbers,
                       absl::StrCat(attribute, "=", DimensionsText(dimensions), ": ", dimension,
                                    " is not at least 0 and below ", rank));
    }
    if (*seen >> dimension & 1) {
      return MakeError(kDimensionNumbers,
                       absl::StrCat(attribute, "=", DimensionsText(dimensions), ": ", dimension,
                                    " is listed twice or has another role already"));
    }
    *seen |= uint64_t{1} << dimension;
  }
  return absl::OkStatus();
}

absl::Status ExpectRising(absl::string_view attribute, absl::Span<const int64_t> dimensions,
                          int64_t rank) {
  uint64_t seen = 0;
  AXLE_RETURN_IF_ERROR(ClaimDimensions(attribute, dimensions, rank, &seen));
  if (std::is_sorted(dimensions.begin(), dimensions.end())) return absl::OkStatus();
  return MakeError(kDimensionNumbers, absl::StrCat(attribute, "=", DimensionsText(dimensions),
                                                   " is not in rising order"));
}

absl::Status ExpectSameDimensions(const RuleContext& context, int first, int last) {
  for (int i = first + 1; i < last; ++i) {
    AXLE_RETURN_IF_ERROR(ExpectSameDimensions(context.operand(first), OperandText(first),
                                              context.operand(i), OperandText(i)));
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> WindowedSize(int64_t base, const WindowDimension& window) {
  if (window.size < 1 || window.stride < 1 || window.window_dilation < 1 ||
      window.base_dilation < 1) {
    return MakeError(ops_errors::kAttribute,
                     absl::StrCat("window of size ", window.size, ", stride ", window.stride,
                                  ", window dilation ", window.window_dilation, ", base dilation ",
                                  window.base_dilation, "; expected at least 1 for each"));
  }
  if (base == Shape::kUnbounded) return base;
  int64_t padded = 0;
  int64_t dilated_window = 0;
  if (!Dilate(base, window.base_dilation, &padded) ||
      __builtin_add_overflow(padded, window.padding_low, &padded) ||
      __builtin_add_overflow(padded, window.padding_high, &padded) ||
      !Dilate(window.size, window.window_dilation, &dilated_window)) {
    return MakeError(ops_errors::kResultShape,
                     absl::StrCat("size ", base, " under a window overflows 64 bits"));
  }
  if (padded < 0) {
    return MakeError(ops_errors::kAttribute,
                     absl::StrCat("padding of ", window.padding_low, " and ", window.padding_high,
                                  " takes away more than size ", base, " has"));
  }
  return dilated_window > padded ? 0 : (padded - dilated_window) / window.stride + 1;
}

absl::StatusOr<std::vector<int64_t>> WindowedSizes(absl::Span<const int64_t> base,
                                                   const WindowConfig& window) {
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("window", window.dimensions.size(), base.size()));
  std::vector<int64_t> sizes(base.size());
  for (size_t i = 0; i < base.size(); ++i) {
    AXLE_ASSIGN_OR_RETURN(sizes[i], WindowedSize(base[i], window.dimensions[i]));
  }
  return sizes;
}

Shape OneOrTuple(std::vector<Shape> shapes) {
  return shapes.size() == 1 ? std::move(shapes[0]) : Shape::Tuple(std::move(shapes));
}

std::string SignatureText(const ProgramShape& shape) {
  return absl::StrCat("(",
                      absl::StrJoin(shape.parameters, ", ",
                                    [](std::string* out, const Shape& parameter) {
                                      absl::StrAppend(out, ShapeText(parameter));
                                    }),
                      ") -> ", ShapeText(shape.result));
}

absl::Status ExpectSignature(const ProgramShape& called, absl::Span<const Shape> parameters,
                             const Shape& result, absl::string_view role) {
  if (std::equal(called.parameters.begin(), called.parameters.end(), parameters.begin(),
                 parameters.end(), ShapesAgree) &&
      ShapesAgree(called.result, result)) {
    return absl::OkStatus();
  }
  const ProgramShape expected{{parameters.begin(), parameters.end()}, {}, result};
  return MakeError(ops_errors::kCalledComputation,
                   absl::StrCat("the ", role, " is ", SignatureText(called), "; expected ",
                                SignatureText(expected)));
}

absl::Status ExpectCombiner(const ProgramShape& combiner, absl::Span<const ElementType> types) {
  std::vector<Shape> values;
  for (const ElementType type : types) values.push_back(Shape::Scalar(type));
  std::vector<Shape> parameters = values;
  parameters.insert(parameters.end(), values.begin(), values.end());
  return ExpectSignature(combiner, parameters, OneOrTuple(std::move(values)), "combiner");
}

absl::StatusOr<ElementType> AccumulationType(const RuleContext& context, const Shape& lhs,
                                             const Shape& rhs) {
  const ElementType a = lhs.element_type();
  const ElementType b = rhs.element_type();
  const ElementClass kind = ProductClass(a, b);
  if (ProductClass(b, a) != kind) {
    return MakeError(kAccumulation,
                     absl::StrCat("products of ", Name(a), " and ", Name(b),
                                  "; expected integers, floats or complex numbers on both sides"));
  }
  const int width = std::max(BitWidth(a), BitWidth(b));
  if (!context.declared().IsArray()) {
    if (a == b || IsPred(b) || BitWidth(a) > BitWidth(b)) return a;
    if (IsPred(a) || BitWidth(b) > BitWidth(a)) return b;
    return MakeError(kAccumulation, absl::StrCat("the result type of products of ", Name(a),
                                                 " and ", Name(b), " must be given"));
  }
  const ElementType type = context.declared().element_type();
  const bool narrowed = kind == ElementClass::kSigned && BitWidth(type) < width;
  if (ProductClass(type, a) == kind && !narrowed) return type;
  return MakeError(kAccumulation, absl::StrCat("a result of ", Name(type), " from products of ",
                                               Name(a), " and ", Name(b)));
}

}  // namespace axle::hlo
