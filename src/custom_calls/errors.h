// SPDX-License-Identifier: Apache-2.0
// Errors of custom calls: AX0870-AX0899.
#ifndef AXLE_CUSTOM_CALLS_ERRORS_H_
#define AXLE_CUSTOM_CALLS_ERRORS_H_

#include "base/error.h"

namespace axle::custom_calls::errors {

inline constexpr ErrorDef kSignature{
    "AX0870", absl::StatusCode::kInvalidArgument, "Custom call with another signature",
    "The operands or the result of a custom call are not what the function of that name takes and "
    "gives. The message says what it expects."};

inline constexpr ErrorDef kTable[] = {kSignature};

}  // namespace axle::custom_calls::errors

#endif  // AXLE_CUSTOM_CALLS_ERRORS_H_
