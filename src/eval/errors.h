// SPDX-License-Identifier: Apache-2.0
// Errors of the reference evaluator: AX0800-AX0849.
#ifndef AXLE_EVAL_ERRORS_H_
#define AXLE_EVAL_ERRORS_H_

#include "base/error.h"

namespace axle::eval::errors {

inline constexpr ErrorDef kUnimplemented{
    "AX0800", absl::StatusCode::kUnimplemented, "Operation not in the reference evaluator",
    "The reference evaluator does not run this operation, or not for this element type. "
    "docs/hlo-opcodes.md lists what it runs; another backend may run the program."};

inline constexpr ErrorDef kTable[] = {kUnimplemented};

}  // namespace axle::eval::errors

#endif  // AXLE_EVAL_ERRORS_H_
