// SPDX-License-Identifier: Apache-2.0
// make_synchronous: what is started asynchronously is done at once.
//
//   before  s = ((f32[8]), f32[]) async-start(x), calls=f
//           d = f32[] async-done(s)
//   after   s = f32[] call(x), to_apply=f
//
//   before  s = (f32[2], f32[4]) all-gather-start(a), …
//           d = f32[4] all-gather-done(s)
//   after   s = f32[4] all-gather(a), …
//
// Pairs of collectives, copies and computations; users of the done use the start. Left alone are
// send and recv, computations of other threads than main, and starts with users beside one chain
// that ends in one done. Control edges from a done go from its start; edges to a done are dropped,
// as are schedules. Needs and ensures a verified module.
#ifndef AXLE_PASSES_MAKE_SYNCHRONOUS_H_
#define AXLE_PASSES_MAKE_SYNCHRONOUS_H_

#include "hlo/module.h"

namespace axle::passes {

void MakeSynchronous(hlo::Module* module);

}  // namespace axle::passes

#endif  // AXLE_PASSES_MAKE_SYNCHRONOUS_H_
