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
inline constexpr ErrorDef kMemoryLimit{
    "AX0801", absl::StatusCode::kResourceExhausted, "Run needs more memory than its limit",
    "The arrays that are alive at one moment of the run would take more bytes than the limit of "
    "the "
    "evaluator's options. Nothing was allocated. Raise the limit or use smaller shapes."};
inline constexpr ErrorDef kCancelled{
    "AX0802", absl::StatusCode::kCancelled, "Run cancelled",
    "The caller asked the run to stop. No result was made, and the arguments are unchanged."};
inline constexpr ErrorDef kArgument{
    "AX0803", absl::StatusCode::kInvalidArgument, "Arguments do not fit the program",
    "The number of arguments, or the shape of one of them, is not what the entry computation "
    "declares. The message has both shapes; layouts play no part."};
inline constexpr ErrorDef kTooDeep{
    "AX0804", absl::StatusCode::kResourceExhausted, "Calls nest too deeply",
    "Computations call each other through more levels than the evaluator's stack has room for. "
    "Inline some of the calls."};
inline constexpr ErrorDef kTable[] = {kUnimplemented, kMemoryLimit, kCancelled, kArgument,
                                      kTooDeep};

}  // namespace axle::eval::errors

#endif  // AXLE_EVAL_ERRORS_H_
