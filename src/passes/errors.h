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

inline constexpr ErrorDef kRngState{
    "AX0501", absl::StatusCode::kUnimplemented, "Random numbers where no state can go",
    "Plugins draw random numbers from a state that goes into every computation that draws and "
    "comes "
    "out of it again. It can go through calls, fusions, loops and branches, but not through "
    "computations that are applied to elements, such as that of reduce, map or sort, through "
    "asynchronous or custom calls, or tuples nested as deep as can be; and rng must have a fixed "
    "size. Draw before, and pass the numbers in; or run on the reference backend."};

inline constexpr ErrorDef kTable[] = {kEntryNotArrays, kRngState};

}  // namespace axle::passes::errors

#endif  // AXLE_PASSES_ERRORS_H_
