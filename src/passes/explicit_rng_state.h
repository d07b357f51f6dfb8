// SPDX-License-Identifier: Apache-2.0
// explicit_rng_state: random numbers come out of a value, because plugins take no seed.
//
//   before  ENTRY (p: f32[2]) -> f32[2]      with r = f32[2] rng(a, b), distribution=rng_uniform
//   after   ENTRY (p: f32[2], rng_state: u64[2]) -> (f32[2], u64[2])
//
// The state enters as the last parameter and leaves as the last element of a tuple result, so that
// the tables of parameters keep their numbers; a result that was an array, at {} in the tables of
// aliases, is at {0} thereafter. Within, the state runs through all that draws, in the order of the
// instructions:
//
//   rng, rng-get-and-update-state   call of a computation of plain operations
//   call, fusion                    call with a tuple (operands ..., state), result (result, state)
//   conditional                     every branch takes (argument, state) and gives (result, state)
//   while                           the loop carries (value, state); where the condition draws too,
//                                   (value, state, pred), and the condition is evaluated before the
//                                   loop and at the end of the body, so that its draws persist
//
// A computation that draws is rewritten once, whoever calls it; what the entry does not reach is
// dropped, and so are schedules and, in computations that draw, control edges against the order of
// the instructions. Chains of calls grow by one computation, and by one more for each loop whose
// condition draws and each branch or condition that does not.
//
// Needs a verified module whose entry has an array or a flat tuple of arrays as result
// (flatten_entry), with asynchronous pairs joined (make_synchronous). Ensures a verified module.
//
// State. A number of 128 bits, low word first. rng-get-and-update-state gives it and then adds its
// delta, sign-extended. rng draws words from Philox-4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel
// Random Numbers: As Easy as 1, 2, 3", SC 2011) with key 0 and the state as counter, which
// rng-bit-generator gives alike on every backend: one counter makes four words of 32 bits, or two
// of 64, for elements in row-major order; then the state is past the counters used.
//
// Numbers. The reference evaluator computes the same, operation by operation; others agree to the
// last bit on uniform numbers, and on normal ones as far as on log, sqrt and cos.
//
//   uniform floats  One word x each. f64: computed in f64 from 64 bits, d = 52, l = 26, c = 27; all
//     others in f32 from 32 bits. f32: d = 24, l = 12, c = 12; narrower types: d = digits of their
//     significand, l = 0, c = 12. k = x >> (32 or 64 - d), k1 = k >> l, k0 = k mod 2^l;
//     w = max(b - a, 0), w1 = w with its lowest c bits zero, w0 = w - w1;
//     a + (((k0 w0 / 2^d + k0 w1 / 2^d) + k1 w0 / 2^(d-l)) + k1 w1 / 2^(d-l)), rounded to the type;
//     a in the place of what rounding has made b. That is a + w k / 2^d with exact products, which
//     compilers may fuse with sums without changing a bit. Numbers lie in [a, b); where a >= b,
//     they are a. Not covered are NaN, infinite b - a, and b - a so small that products are
//     subnormal.
//   uniform integers  One word x of 64 bits each: a + x mod (b - a), where a >= b: a. A value's
//     probability is off by less than (b - a) / 2^64 of itself: nothing to notice in types of up to
//     32 bits, but up to a factor of 2 for ranges of s64 and u64 close to 2^64.
//   normal floats  Box-Muller: two words each, x for all, then y for all; in f64 for f64, else in
//     f32; u = (x >> (64 - 52)) / 2^52 or (x >> (32 - 24)) / 2^24, v alike from y;
//     a + b (sqrt(-2 log(1 - u)) cos(2 pi v)). The largest deviation is 5.8 b in f32, 8.5 b in f64.
#ifndef AXLE_PASSES_EXPLICIT_RNG_STATE_H_
#define AXLE_PASSES_EXPLICIT_RNG_STATE_H_

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "hlo/module.h"

namespace axle::passes {

// Whether the module drew random numbers, and so has the parameter and the result now; else it is
// unchanged. Error AX0501, and those of Shape::ByteSize for words of an rng that are too many: the
// module is unchanged.
absl::StatusOr<bool> MakeRngStateExplicit(hlo::Module* module);

// The state with which a run of this seed begins, in the evaluator too: no two seeds draw the same
// within 2^64 steps.
inline std::array<uint64_t, 2> InitialRngState(uint64_t seed) { return {0, seed}; }

}  // namespace axle::passes

#endif  // AXLE_PASSES_EXPLICIT_RNG_STATE_H_
