// SPDX-License-Identifier: Apache-2.0
#ifndef AXLE_CHECK_ACTUAL_SIZES_H_
#define AXLE_CHECK_ACTUAL_SIZES_H_

#include "absl/status/statusor.h"
#include "hlo/literal.h"

namespace axle::check {

// An array without dynamic dimensions: only the elements within the literal's actual sizes, which
// become its dimensions. The literal itself where all sizes equal the bounds. Sizes must lie
// between 0 and the bounds (asserted).
absl::StatusOr<hlo::Literal> WithActualSizes(hlo::Literal literal);

}  // namespace axle::check

#endif  // AXLE_CHECK_ACTUAL_SIZES_H_
