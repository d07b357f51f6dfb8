// SPDX-License-Identifier: Apache-2.0
// Elements of a literal as numbers of one chosen type.
#ifndef AXLE_EVAL_LITERAL_VALUES_H_
#define AXLE_EVAL_LITERAL_VALUES_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "eval/index.h"
#include "hlo/literal.h"

namespace axle::eval {

// The array converted as the convert operation does; same dimensions. Error: kUnimplemented where
// the types do not convert.
absl::StatusOr<hlo::Literal> ConvertTo(const hlo::Literal& array, hlo::ElementType type);

// Element `i` of an array of integers; one of u64 that is above the range reads as the largest.
int64_t IntegerAt(const hlo::Literal& array, int64_t i);

// Bytes of one element as stored, and the address of element `i`.
inline int WidthOf(const hlo::Literal& array) {
  return hlo::ByteWidth(array.shape().element_type());
}
inline std::byte* ElementAt(hlo::Literal& array, int64_t i) {
  return array.bytes().data() + i * WidthOf(array);
}
inline const std::byte* ElementAt(const hlo::Literal& array, int64_t i) {
  return array.bytes().data() + i * WidthOf(array);
}

// Sets every element to the scalar of the same type.
void FillWith(const hlo::Literal& scalar, hlo::Literal& array);

// Writes the array's elements, its dimensions taken in `order`, densely into `result`, which has as
// many elements.
void CopyPermuted(const hlo::Literal& array, DimsView order, hlo::Literal& result);

// The array converted to `type`, its dimensions taken in `order`.
absl::StatusOr<hlo::Literal> ConvertPermuted(const hlo::Literal& array, DimsView order,
                                             hlo::ElementType type);

}  // namespace axle::eval

#endif  // AXLE_EVAL_LITERAL_VALUES_H_
