// SPDX-License-Identifier: Apache-2.0
// Errors of passes: AX0500-AX0599.
#ifndef AXLE_PASSES_ERRORS_H_
#define AXLE_PASSES_ERRORS_H_

#include "base/error.h"

namespace axle::passes::errors {

inline constexpr ErrorDef kEntryNotArrays{
    "AX0500", absl::StatusCode::kUnimplemented, "Entry parameter or result that is no array",
    "A token, opaque value or buffer is a parameter or result of the program's entry. Programs "
    "exchange arrays, and tuples of them, with their callers. Make the token inside the program "
    "with after-all instead."};

inline constexpr ErrorDef kTable[] = {kEntryNotArrays};

}  // namespace axle::passes::errors

#endif  // AXLE_PASSES_ERRORS_H_
