// SPDX-License-Identifier: Apache-2.0
// lower_bitcasts: bitcasts become what they do to the elements.
//
//   before  r = f32[6]{0} bitcast(a)                 a = f32[2,3]{0,1}, stored column by column
//   after   r.physical = f32[3,2] transpose(a), dimensions={1,0}
//           r = f32[6]{0} reshape(r.physical)
//
// A bitcast reads the same bytes under another shape and layout, so it is a transpose to the order
// of the bytes, a reshape, and a transpose to the order of the result; another element type of the
// same width needs a bitcast-convert between. Steps that change nothing are left out. Compilers
// that assign layouts themselves refuse bitcasts.
//
// Left alone are bitcasts to another width and of dynamic or tiled arrays. The schedule is dropped.
// Needs and ensures a verified module that computes the same whatever layouts its values have.
#ifndef AXLE_PASSES_LOWER_BITCASTS_H_
#define AXLE_PASSES_LOWER_BITCASTS_H_

#include "hlo/module.h"

namespace axle::passes {

void LowerBitcasts(hlo::Module* module);

}  // namespace axle::passes

#endif  // AXLE_PASSES_LOWER_BITCASTS_H_
