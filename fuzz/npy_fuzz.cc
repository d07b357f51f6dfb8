// SPDX-License-Identifier: Apache-2.0
// Any bytes as a .npy file give an array or a status, and an array no larger than the bytes.
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "base/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto array = axle::ReadNpy({reinterpret_cast<const char*>(data), size});
  if (!array.ok()) return 0;
  AXLE_ASSERT(array->data.size() <= static_cast<int64_t>(size));
  const auto written = axle::WriteNpy(array->type, array->shape, array->data.span());
  AXLE_ASSERT(written.ok());
  AXLE_ASSERT(axle::ReadNpy(*written).ok());
  return 0;
}
