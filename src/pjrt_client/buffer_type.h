// SPDX-License-Identifier: Apache-2.0
// Element types at the plugin's border and the bytes of arrays on the host.
#ifndef AXLE_PJRT_CLIENT_BUFFER_TYPE_H_
#define AXLE_PJRT_CLIENT_BUFFER_TYPE_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/element_type.h"
#include "pjrt_client/c_api.h"

namespace axle::pjrt_client {

// INVALID for what is no array's element type.
PJRT_Buffer_Type BufferTypeOf(hlo::ElementType type);

// "f32", "pred" …; "token" and "invalid" for what has no elements, "type 99" is "unknown".
absl::string_view BufferTypeName(PJRT_Buffer_Type type);

// Bytes of one element on the host: types below 8 bits take a whole byte. 0 for tokens and what is
// no element type.
size_t HostBytesOf(PJRT_Buffer_Type type);

// Unimplemented when a plugin of minor version `minor` doesn't know the type or the type has no
// elements: plugins crash on it.
absl::Status CheckBufferType(PJRT_Buffer_Type type, int minor);

// Bytes of a dense array on the host. InvalidArgument when a dimension is negative or the size
// passes int64; a dimension of 0 makes it 0 but doesn't excuse the others.
absl::StatusOr<size_t> HostBytesOf(PJRT_Buffer_Type type, absl::Span<const int64_t> dims);

// Plugins leave the upper bits of elements below 8 bits open when they copy to the host. Sets them
// to zero, which is the form of hlo/literal.h; leaves elements of all other types as they are.
void ClearOpenBits(PJRT_Buffer_Type type, absl::Span<uint8_t> elements);

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_BUFFER_TYPE_H_
