// SPDX-License-Identifier: Apache-2.0
// The computations that explicit_rng_state puts in the place of instructions that draw. Its header
// has the formulas.
#ifndef AXLE_PASSES_RNG_NUMBERS_H_
#define AXLE_PASSES_RNG_NUMBERS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "hlo/ops/builder.h"

namespace axle::passes {

// (a, b, state: u64[2]) -> (numbers, u64[2]): what rng with operands a and b gives, and the state
// after it. `shape` is the numbers', of static dimensions and a type that the distribution has.
absl::StatusOr<hlo::ComputationIndex> AddRngNumbers(hlo::ModuleBuilder* module,
                                                    hlo::RandomDistribution distribution,
                                                    const hlo::Shape& shape);

// (state: u64[2]) -> u64[2]: the 128-bit number, low word first, plus delta.
absl::StatusOr<hlo::ComputationIndex> AddRngStateAdvance(hlo::ModuleBuilder* module, int64_t delta);

}  // namespace axle::passes

#endif  // AXLE_PASSES_RNG_NUMBERS_H_
