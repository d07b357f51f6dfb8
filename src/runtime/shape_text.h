// SPDX-License-Identifier: Apache-2.0
#ifndef AXLE_RUNTIME_SHAPE_TEXT_H_
#define AXLE_RUNTIME_SHAPE_TEXT_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "hlo/shape.h"

namespace axle::runtime {

// A shape for messages: without layouts, and of a large tuple only how large it is.
inline std::string ShapeText(const hlo::Shape& shape) {
  constexpr int64_t kMostLeaves = 32;
  const int64_t leaves = shape.LeafCount();
  if (leaves > kMostLeaves) return absl::StrCat("a tuple of ", leaves, " leaves");
  return shape.ToString(false);
}

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_SHAPE_TEXT_H_
