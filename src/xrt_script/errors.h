// SPDX-License-Identifier: Apache-2.0
// Errors of scripts of XRT operations: AX0958, which the command line takes for wrong usage.
#ifndef AXLE_XRT_SCRIPT_ERRORS_H_
#define AXLE_XRT_SCRIPT_ERRORS_H_

#include "base/error.h"

namespace axle::xrt_script::errors {

inline constexpr ErrorDef kScript{
    "AX0958", absl::StatusCode::kInvalidArgument, "Script not understood",
    "A script of `axle xrt` or `axle stats` has something at the place shown that is no statement, "
    "no operand of the operation, or a handle that nothing has made yet. docs/xrt-scripts.md "
    "describes the language."};

inline constexpr ErrorDef kTable[] = {kScript};

}  // namespace axle::xrt_script::errors

#endif  // AXLE_XRT_SCRIPT_ERRORS_H_
