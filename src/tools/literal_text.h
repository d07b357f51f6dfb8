// SPDX-License-Identifier: Apache-2.0
#ifndef AXLE_TOOLS_LITERAL_TEXT_H_
#define AXLE_TOOLS_LITERAL_TEXT_H_

#include <cstdint>
#include <string>

#include "hlo/literal.h"

namespace axle::tools {

// "f32[2,3] = 1 2 3 4 5 6", or the first `most` elements of an array that has more:
// "f32[100] = 0 1 2 ... (100 elements)". Row-major order; dimensions are not dynamic.
std::string LiteralText(const hlo::Literal& literal, int64_t most = 12);

}  // namespace axle::tools

#endif  // AXLE_TOOLS_LITERAL_TEXT_H_
