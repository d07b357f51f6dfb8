// SPDX-License-Identifier: Apache-2.0
// Counter-based random number generators: a pure function of a key and a counter. Source: Salmon,
// Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011.
#ifndef AXLE_EVAL_COUNTER_RNG_H_
#define AXLE_EVAL_COUNTER_RNG_H_

#include <array>
#include <cstdint>

namespace axle::eval {

// Threefry-2x32 with 20 rounds. Words are (low, high) halves of 64-bit numbers.
std::array<uint32_t, 2> ThreeFry2x32(uint64_t key, uint64_t counter);

// Philox-4x32 with 10 rounds. Words are the counter's 32-bit parts, lowest first.
std::array<uint32_t, 4> Philox4x32(uint64_t key, unsigned __int128 counter);

}  // namespace axle::eval

#endif  // AXLE_EVAL_COUNTER_RNG_H_
