// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/dynamic_array.h"

#include <algorithm>
#include <cstring>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/error.h"
#include "pjrt_client/errors.h"

namespace axle::pjrt_client {
namespace {

absl::Status CheckSizes(size_t compact_bytes, absl::Span<const int64_t> sizes,
                        absl::Span<const int64_t> bounds, size_t element_bytes) {
  bool fits = sizes.size() == bounds.size();
  size_t wanted = element_bytes;
  for (size_t i = 0; fits && i < sizes.size(); ++i) {
    fits = sizes[i] >= 0 && sizes[i] <= bounds[i];
    wanted *= static_cast<size_t>(sizes[i]);
  }
  if (fits && compact_bytes >= wanted) return absl::OkStatus();
  return MakeError(
      errors::kPluginAnswer,
      absl::StrCat(compact_bytes, " bytes of run-time dimensions [", absl::StrJoin(sizes, ","),
                   "] for an array of [", absl::StrJoin(bounds, ","), "]"));
}

}  // namespace

absl::Status SpreadDynamicArray(absl::Span<const std::byte> compact,
                                absl::Span<const int64_t> sizes, absl::Span<const int64_t> bounds,
                                size_t element_bytes, absl::Span<std::byte> spread) {
  if (absl::Status status = CheckSizes(compact.size(), sizes, bounds, element_bytes);
      !status.ok()) {
    return status;
  }
  std::fill(spread.begin(), spread.end(), std::byte{0});
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return absl::OkStatus();
  // Rows along the last dimension are contiguous in both.
  const int rank = static_cast<int>(sizes.size());
  const size_t row = element_bytes * static_cast<size_t>(rank == 0 ? 1 : sizes[rank - 1]);
  absl::InlinedVector<int64_t, 8> index(rank, 0);
  const std::byte* from = compact.data();
  while (true) {
    size_t place = 0;
    for (int i = 0; i < rank; ++i) place = place * bounds[i] + index[i];
    std::memcpy(spread.data() + place * element_bytes, from, row);
    from += row;
    int i = rank - 2;
    for (; i >= 0 && ++index[i] == sizes[i]; --i) index[i] = 0;
    if (i < 0) return absl::OkStatus();
  }
}

}  // namespace axle::pjrt_client
