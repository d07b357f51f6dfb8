// SPDX-License-Identifier: Apache-2.0
// Errors of checking results: AX0910-AX0939.
#ifndef AXLE_CHECK_ERRORS_H_
#define AXLE_CHECK_ERRORS_H_

#include "base/error.h"

namespace axle::check::errors {

inline constexpr ErrorDef kArrayType{
    "AX0910", absl::StatusCode::kInvalidArgument, "File holds another element type",
    "The element type of a .npy file is not the one that the program wants. bfloat16 is stored as "
    "uint16 or V2, types of 8 bits and less as uint8 or V1, one element a byte; all others by "
    "their own NumPy type in little-endian order."};
inline constexpr ErrorDef kArrayShape{
    "AX0911", absl::StatusCode::kInvalidArgument, "File holds another shape",
    "The dimensions of a .npy file are not those that the program wants."};
inline constexpr ErrorDef kArrayValue{
    "AX0912", absl::StatusCode::kInvalidArgument, "File holds a value out of range",
    "An element of a .npy file has bits set above the width of its element type: types under 8 "
    "bits keep their value in the low bits of a byte, the other bits are 0 or repeat the sign."};
inline constexpr ErrorDef kCaseFile{
    "AX0913", absl::StatusCode::kInvalidArgument, "Case description not understood",
    "A case.json is no JSON, or lacks an entry, or has one of the wrong kind. The message names "
    "the file and the entry."};
inline constexpr ErrorDef kNoCases{
    "AX0914", absl::StatusCode::kNotFound, "Nothing to check",
    "None of the given paths is a case (a folder with case.json) or contains one."};

inline constexpr ErrorDef kTable[] = {kArrayType, kArrayShape, kArrayValue, kCaseFile, kNoCases};

}  // namespace axle::check::errors

#endif  // AXLE_CHECK_ERRORS_H_
