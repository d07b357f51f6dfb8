// SPDX-License-Identifier: Apache-2.0
// Windows that slide over an array: what reduce-window, select-and-scatter and convolution share.
#ifndef AXLE_EVAL_WINDOW_H_
#define AXLE_EVAL_WINDOW_H_

#include <cstdint>

#include "hlo/attribute_values.h"

namespace axle::eval {

// Where in a dimension of `size` elements the window's element `offset` lies when the window is at
// place `place`; -1 where it lies on padding or between dilated elements.
inline int64_t WindowPosition(const hlo::WindowDimension& window, int64_t place, int64_t offset,
                              int64_t size) {
  const int64_t dilated =
      place * window.stride + offset * window.window_dilation - window.padding_low;
  if (dilated < 0 || dilated % window.base_dilation != 0) return -1;
  const int64_t position = dilated / window.base_dilation;
  return position < size ? position : -1;
}

}  // namespace axle::eval

#endif  // AXLE_EVAL_WINDOW_H_
