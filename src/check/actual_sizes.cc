// SPDX-License-Identifier: Apache-2.0
#include "check/actual_sizes.h"

#include <cstring>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/status_macros.h"

namespace axle::check {
namespace {

// Copies the elements of the last `rank - dimension` dimensions, row by row.
void CopyRows(const hlo::Literal& from, const hlo::Shape& to, int dimension,
              const std::byte* source, int64_t source_bytes, std::byte** target) {
  const int64_t bound = from.shape().dimension(dimension);
  if (bound == 0) return;
  const int64_t stride = source_bytes / bound;
  if (dimension == to.rank() - 1) {
    const int64_t bytes = to.dimension(dimension) * stride;
    if (bytes > 0) std::memcpy(*target, source, bytes);
    *target += bytes;
    return;
  }
  for (int64_t i = 0; i < to.dimension(dimension); ++i) {
    CopyRows(from, to, dimension + 1, source + i * stride, stride, target);
  }
}

}  // namespace

absl::StatusOr<hlo::Literal> WithActualSizes(hlo::Literal literal) {
  const hlo::Shape bounds = literal.shape().WithoutLayouts().WithStaticDimensions();
  if (literal.dynamic_sizes().empty()) return std::move(literal).Reshaped(bounds);
  AXLE_ASSERT(static_cast<int>(literal.dynamic_sizes().size()) == bounds.rank());
  for (int i = 0; i < bounds.rank(); ++i) {
    AXLE_ASSERT(literal.dynamic_sizes()[i] >= 0);
    AXLE_ASSERT(literal.dynamic_sizes()[i] <= bounds.dimension(i));
  }
  const std::vector<int64_t> sizes(literal.dynamic_sizes().begin(), literal.dynamic_sizes().end());
  AXLE_ASSIGN_OR_RETURN(hlo::Literal actual,
                        hlo::Literal::Zeros(hlo::Shape::Array(bounds.element_type(), sizes)));
  if (actual.element_count() > 0) {
    std::byte* target = actual.bytes().data();
    CopyRows(literal, actual.shape(), 0, literal.bytes().data(),
             static_cast<int64_t>(literal.bytes().size()), &target);
  }
  return actual;
}

}  // namespace axle::check
