// SPDX-License-Identifier: Apache-2.0
// shield_atan2: no compiler sees that the second operand of atan2 is constant.
//
//   before  r = f32[64] atan2(y, x)
//   after   x.shield = f32[64] opt-barrier(x)
//           r = f32[64] atan2(y, x.shield)
//
// XLA:CPU of 2026 computes atan2(y, broadcast(1)) wrongly from 64 elements on. Needs and ensures a
// verified module that computes the same.
#ifndef AXLE_PASSES_SHIELD_ATAN2_H_
#define AXLE_PASSES_SHIELD_ATAN2_H_

#include "hlo/module.h"

namespace axle::passes {

void ShieldAtan2(hlo::Module* module);

}  // namespace axle::passes

#endif  // AXLE_PASSES_SHIELD_ATAN2_H_
