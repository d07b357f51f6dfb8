// SPDX-License-Identifier: Apache-2.0
// unfuse: fusions become calls, and what only the compiler that made them understands goes away.
//
//   before  f = f32[8] fusion(a), kind=kLoop, calls=body, backend_config={…}
//   after   f = f32[8] call(a), to_apply=body
//
// Backend configurations of all instructions but custom calls are dropped, and so are schedules.
// Needs and ensures a verified module. A compiler that gets unoptimised programs needs it: a fusion
// of a kind it would not have built itself is a risk.
#ifndef AXLE_PASSES_UNFUSE_H_
#define AXLE_PASSES_UNFUSE_H_

#include "hlo/module.h"

namespace axle::passes {

void Unfuse(hlo::Module* module);

}  // namespace axle::passes

#endif  // AXLE_PASSES_UNFUSE_H_
