// SPDX-License-Identifier: Apache-2.0
// Where elements lie: strides, steps through multi-dimensional indices, and the strided copy that
// most data movement is.
#ifndef AXLE_EVAL_INDEX_H_
#define AXLE_EVAL_INDEX_H_

#include <cstddef>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace axle::eval {

using Dims = absl::InlinedVector<int64_t, 6>;
using DimsView = absl::Span<const int64_t>;

// Strides in elements of a dense row-major array.
Dims RowMajorStrides(DimsView dims);
// Number of elements; the product is known to fit.
int64_t Product(DimsView dims);

// Steps `index` to the next one in row-major order; false, and all zeros again, after the last.
// dims must not contain 0.
inline bool NextIndex(DimsView dims, absl::Span<int64_t> index) {
  for (size_t i = dims.size(); i-- > 0;) {
    if (++index[i] < dims[i]) return true;
    index[i] = 0;
  }
  return false;
}

inline int64_t Offset(DimsView index, DimsView strides) {
  int64_t offset = 0;
  for (size_t i = 0; i < index.size(); ++i) offset += index[i] * strides[i];
  return offset;
}

// The dimensions of 0..rank-1 that `dims` does not name, ascending.
Dims OtherDims(int64_t rank, DimsView dims);
// values[dims[0]], values[dims[1]], …
Dims Select(DimsView values, DimsView dims);
// a, then b.
Dims Concat(DimsView a, DimsView b);

// f(offset of a, offset of b) for every index of dims in row-major order.
template <typename F>
void ForEachOffset(DimsView dims, DimsView a_strides, DimsView b_strides, F&& f) {
  if (Product(dims) == 0) return;
  Dims index(dims.size(), 0);
  do {
    f(Offset(index, a_strides), Offset(index, b_strides));
  } while (NextIndex(dims, absl::MakeSpan(index)));
}

// One side of a strided copy: the address of index 0…0 and the strides in elements, one a
// dimension. A stride may be 0 or negative.
struct StridedSource {
  const std::byte* data;
  DimsView strides;
};
struct StridedTarget {
  std::byte* data;
  DimsView strides;
};

// Copies elements of `width` (1, 2, 4, 8 or 16) bytes for every index of dims. No target element
// may be a source element of another index.
void CopyStrided(int width, DimsView dims, const StridedSource& from, const StridedTarget& to);

}  // namespace axle::eval

#endif  // AXLE_EVAL_INDEX_H_
