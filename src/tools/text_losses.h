// SPDX-License-Identifier: Apache-2.0
#ifndef AXLE_TOOLS_TEXT_LOSSES_H_
#define AXLE_TOOLS_TEXT_LOSSES_H_

#include <string>
#include <vector>

#include "hlo/module.h"

namespace axle::tools {

// What of this module HLO text has no words for, a sentence each with its place; at most 100. The
// module's id, which no program depends on, is not among them.
std::vector<std::string> TextLosses(const hlo::Module& module);

}  // namespace axle::tools

#endif  // AXLE_TOOLS_TEXT_LOSSES_H_
