// SPDX-License-Identifier: Apache-2.0
// Errors of loading programs: AX0900-AX0909.
#ifndef AXLE_LOAD_ERRORS_H_
#define AXLE_LOAD_ERRORS_H_

#include "base/error.h"

namespace axle::load::errors {

inline constexpr ErrorDef kEmptyProgram{
    "AX0900", absl::StatusCode::kInvalidArgument, "Empty program",
    "The program has no bytes. Check that the file was written to its end."};
inline constexpr ErrorDef kFormUnimplemented{
    "AX0901", absl::StatusCode::kUnimplemented, "Form of program not read yet",
    "The program is StableHLO, which this version recognises but does not read. Export it as HLO: "
    "in JAX, `jax.jit(f).lower(...).compiler_ir('hlo').as_serialized_hlo_module_proto()`."};

inline constexpr ErrorDef kTable[] = {kEmptyProgram, kFormUnimplemented};

}  // namespace axle::load::errors

#endif  // AXLE_LOAD_ERRORS_H_
