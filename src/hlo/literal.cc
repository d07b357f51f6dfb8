// SPDX-License-Identifier: Apache-2.0
#include "hlo/literal.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/errors.h"

namespace axle::hlo {
absl::StatusOr<Literal> Literal::Uninitialized(const Shape& shape, int64_t max_bytes) {
  AXLE_ASSIGN_OR_RETURN(const int64_t total, shape.ByteSize());
  if (total > max_bytes) {
    return MakeError(errors::kLiteralTooLarge, absl::StrCat(shape.ToString(), " takes ", total,
                                                            " bytes; the limit is ", max_bytes));
  }
  Literal literal;
  literal.shape_ = shape;
  if (shape.IsTuple()) {
    for (const Shape& element : shape.tuple_shapes()) {
      AXLE_ASSIGN_OR_RETURN(Literal part, Uninitialized(element, max_bytes));
      literal.elements_.push_back(std::move(part));
    }
    return literal;
  }
  if (shape.IsToken()) return literal;
  if (!shape.IsArray()) {
    return MakeError(errors::kNoLiteralOfType,
                     absl::StrCat("a value of type ", shape.ToString(), " has no host form"));
  }
  AXLE_ASSIGN_OR_RETURN(literal.count_, shape.ElementCount());
  literal.bytes_ = AlignedBytes(total);
  if (literal.bytes_.size() != total) {
    return MakeError(errors::kLiteralTooLarge,
                     absl::StrCat("no memory for ", shape.ToString(), " (", total, " bytes)"));
  }
  return literal;
}

void Literal::Clear() {
  if (bytes_.size() > 0) std::memset(bytes_.data(), 0, bytes_.size());
  for (Literal& element : elements_) element.Clear();
}

absl::StatusOr<Literal> Literal::Zeros(const Shape& shape, int64_t max_bytes) {
  AXLE_ASSIGN_OR_RETURN(Literal literal, Uninitialized(shape, max_bytes));
  literal.Clear();
  return literal;
}

absl::StatusOr<Literal> Literal::CopyOf(const Shape& shape, absl::Span<const std::byte> data) {
  AXLE_ASSIGN_OR_RETURN(Literal literal, Uninitialized(shape, kDefaultMaxBytes));
  AXLE_ASSERT(shape.IsArray() && literal.bytes().size() == data.size());
  if (!data.empty()) std::memcpy(literal.bytes_.data(), data.data(), data.size());
  return literal;
}

Literal Literal::Borrow(const Shape& shape, absl::Span<const std::byte> data) {
  AXLE_ASSERT(shape.IsArray() && shape.ByteSize().value() == static_cast<int64_t>(data.size()));
  AXLE_ASSERT(reinterpret_cast<uintptr_t>(data.data()) % AlignedBytes::kAlignment == 0);
  Literal literal;
  literal.shape_ = shape;
  literal.count_ = shape.ElementCount().value();
  literal.bytes_ =
      AlignedBytes::Borrow(reinterpret_cast<uint8_t*>(const_cast<std::byte*>(data.data())),
                           static_cast<int64_t>(data.size()));
  return literal;
}

Literal Literal::Tuple(std::vector<Literal> elements) {
  Literal literal;
  std::vector<Shape> shapes;
  shapes.reserve(elements.size());
  for (const Literal& element : elements) shapes.push_back(element.shape());
  literal.shape_ = Shape::Tuple(std::move(shapes));
  literal.elements_ = std::move(elements);
  return literal;
}

Literal Literal::Reshaped(Shape shape) && {
  AXLE_ASSERT(shape.IsArray() && shape.element_type() == shape_.element_type());
  AXLE_ASSERT(shape.ElementCount().value() == count_);
  Literal result = std::move(*this);
  result.shape_ = std::move(shape);
  result.dynamic_sizes_.clear();
  return result;
}

bool operator==(const Literal& a, const Literal& b) {
  if (!Compatible(a.shape_, b.shape_) || a.dynamic_sizes_ != b.dynamic_sizes_) return false;
  if (a.bytes_.size() != b.bytes_.size()) return false;
  if (a.bytes_.size() > 0 && std::memcmp(a.bytes_.data(), b.bytes_.data(), a.bytes_.size()) != 0) {
    return false;
  }
  return a.elements_ == b.elements_;
}

}  // namespace axle::hlo
