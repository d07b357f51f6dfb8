// SPDX-License-Identifier: Apache-2.0
#ifndef AXLE_HLO_LEAVES_H_
#define AXLE_HLO_LEAVES_H_

#include <vector>

#include "hlo/shape.h"

namespace axle::hlo {

// Appends what `shape` holds below its tuples, depth first, with layouts: itself if it is no tuple.
inline void AppendLeaves(const Shape& shape, std::vector<Shape>* leaves) {
  if (!shape.IsTuple()) {
    leaves->push_back(shape);
    return;
  }
  for (const Shape& element : shape.tuple_shapes()) AppendLeaves(element, leaves);
}

}  // namespace axle::hlo

#endif  // AXLE_HLO_LEAVES_H_
