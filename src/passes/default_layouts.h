// SPDX-License-Identifier: Apache-2.0
// default_layouts: every array shape names a layout.
//
//   before  a = f32[2,3] add(…)
//   after   a = f32[2,3]{1,0} add(…)
//
// Shapes of instructions, of declared signatures and of the entry layout; a layout that is there
// stays. Compilers that count on layouts everywhere need it. Needs and ensures a verified module.
#ifndef AXLE_PASSES_DEFAULT_LAYOUTS_H_
#define AXLE_PASSES_DEFAULT_LAYOUTS_H_

#include "hlo/module.h"

namespace axle::passes {

void SetDefaultLayouts(hlo::Module* module);

}  // namespace axle::passes

#endif  // AXLE_PASSES_DEFAULT_LAYOUTS_H_
