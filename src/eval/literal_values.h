// SPDX-License-Identifier: Apache-2.0
// Elements of a literal as numbers of one chosen type.
#ifndef AXLE_EVAL_LITERAL_VALUES_H_
#define AXLE_EVAL_LITERAL_VALUES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "hlo/literal.h"

namespace axle::eval {

// The array converted as the convert operation does; same dimensions. Error: kUnimplemented where
// the types do not convert.
absl::StatusOr<hlo::Literal> ConvertTo(const hlo::Literal& array, hlo::ElementType type);

// Element `i` of an array of integers; one of u64 that is above the range reads as the largest.
int64_t IntegerAt(const hlo::Literal& array, int64_t i);

}  // namespace axle::eval

#endif  // AXLE_EVAL_LITERAL_VALUES_H_
