// SPDX-License-Identifier: Apache-2.0
#include "eval/index.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"

namespace axle::eval {
namespace {

struct CopyLoop {
  Dims dims, from_strides, to_strides;
};

// The same copy with as few dimensions as possible: none of size 1, and neighbours joined where
// both sides step through them evenly. At least one dimension is left.
CopyLoop Collapse(DimsView dims, DimsView from_strides, DimsView to_strides) {
  CopyLoop loop;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    if (!loop.dims.empty() && loop.from_strides.back() == from_strides[i] * dims[i] &&
        loop.to_strides.back() == to_strides[i] * dims[i]) {
      loop.dims.back() *= dims[i];
      loop.from_strides.back() = from_strides[i];
      loop.to_strides.back() = to_strides[i];
      continue;
    }
    loop.dims.push_back(dims[i]);
    loop.from_strides.push_back(from_strides[i]);
    loop.to_strides.push_back(to_strides[i]);
  }
  if (loop.dims.empty()) {
    loop.dims.push_back(1);
    loop.from_strides.push_back(1);
    loop.to_strides.push_back(1);
  }
  return loop;
}

template <int width>
void CopyRow(int64_t n, const std::byte* from, int64_t from_stride, std::byte* to,
             int64_t to_stride) {
  if (from_stride == 1 && to_stride == 1) {
    std::memcpy(to, from, n * width);
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    std::memcpy(to + i * to_stride * width, from + i * from_stride * width, width);
  }
}

template <int width>
void Copy(const CopyLoop& loop, const std::byte* from, std::byte* to) {
  const size_t outer = loop.dims.size() - 1;
  const DimsView outer_dims = DimsView(loop.dims).first(outer);
  ForEachOffset(outer_dims, DimsView(loop.from_strides).first(outer),
                DimsView(loop.to_strides).first(outer), [&](int64_t source, int64_t target) {
                  CopyRow<width>(loop.dims[outer], from + source * width, loop.from_strides[outer],
                                 to + target * width, loop.to_strides[outer]);
                });
}

}  // namespace

Dims RowMajorStrides(DimsView dims) {
  Dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

int64_t Product(DimsView dims) {
  int64_t product = 1;
  for (int64_t size : dims) product *= size;
  return product;
}

Dims OtherDims(int64_t rank, DimsView dims) {
  Dims others;
  for (int64_t i = 0; i < rank; ++i) {
    if (std::find(dims.begin(), dims.end(), i) == dims.end()) others.push_back(i);
  }
  return others;
}

Dims Select(DimsView values, DimsView dims) {
  Dims selected;
  for (int64_t dim : dims) selected.push_back(values[dim]);
  return selected;
}

Dims Concat(DimsView a, DimsView b) {
  Dims both(a.begin(), a.end());
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

void CopyStrided(int width, DimsView dims, const StridedSource& from, const StridedTarget& to) {
  if (Product(dims) == 0) return;
  const CopyLoop loop = Collapse(dims, from.strides, to.strides);
  switch (width) {
    case 1:
      return Copy<1>(loop, from.data, to.data);
    case 2:
      return Copy<2>(loop, from.data, to.data);
    case 4:
      return Copy<4>(loop, from.data, to.data);
    case 8:
      return Copy<8>(loop, from.data, to.data);
    case 16:
      return Copy<16>(loop, from.data, to.data);
  }
  AXLE_ASSERT(false);
}

}  // namespace axle::eval
