// SPDX-License-Identifier: Apache-2.0
// Errors of shapes and literals: AX0300-AX0319. (AX0320-AX0399 belong to hlo/ops.)
#ifndef AXLE_HLO_ERRORS_H_
#define AXLE_HLO_ERRORS_H_

#include "base/error.h"

namespace axle::hlo::errors {

inline constexpr ErrorDef kShapeTooLarge{
    "AX0300", absl::StatusCode::kInvalidArgument, "Shape too large",
    "The product of a shape's dimensions, or its size in bytes, does not fit in 64 bits. Check the "
    "dimensions of the shape that the message names."};
inline constexpr ErrorDef kUnboundedShape{
    "AX0301", absl::StatusCode::kInvalidArgument, "Shape of unknown size",
    "A dimension written `?` has no bound, so the size of the value is unknown and nothing can be "
    "allocated for it. Export the program with static or bounded dimensions."};
inline constexpr ErrorDef kLiteralTooLarge{
    "AX0302", absl::StatusCode::kResourceExhausted, "Value too large for this host",
    "A value needs more memory than the limit, or than the machine has. Use smaller shapes, or a "
    "device that holds the value."};
inline constexpr ErrorDef kNoLiteralOfType{
    "AX0303", absl::StatusCode::kInvalidArgument, "Value without a host form",
    "Opaque values and buffers exist on a device only and cannot be written down as a literal."};

inline constexpr ErrorDef kTable[] = {kShapeTooLarge, kUnboundedShape, kLiteralTooLarge,
                                      kNoLiteralOfType};

}  // namespace axle::hlo::errors

#endif  // AXLE_HLO_ERRORS_H_
