// SPDX-License-Identifier: Apache-2.0
// Arrays whose dimensions have sizes at run time that are below their bounds.
#ifndef AXLE_PJRT_CLIENT_DYNAMIC_ARRAY_H_
#define AXLE_PJRT_CLIENT_DYNAMIC_ARRAY_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace axle::pjrt_client {

// Plugins hand out a dynamic array without gaps; hlo/literal.h keeps elements at the places that
// the bounds give them. Copies `compact`, the elements of a row-major array of dimensions `sizes`,
// to their places in `spread`, a row-major array of dimensions `bounds`, whose other elements
// become zero. For sizes [2,2] in bounds [2,3]: 1 2 3 4 -> 1 2 0 3 4 0.
//
// An element has `element_bytes`; `spread` has the bytes of its dimensions. Error AX0709 where
// sizes pass the bounds or `compact` has too few bytes: the plugin answered them.
absl::Status SpreadDynamicArray(absl::Span<const std::byte> compact,
                                absl::Span<const int64_t> sizes, absl::Span<const int64_t> bounds,
                                size_t element_bytes, absl::Span<std::byte> spread);

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_DYNAMIC_ARRAY_H_
