// SPDX-License-Identifier: Apache-2.0
// Checks that the rules of structured operations share, beyond those of shape_checks.h.
#ifndef AXLE_HLO_OPS_STRUCTURED_CHECKS_H_
#define AXLE_HLO_OPS_STRUCTURED_CHECKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/ops/rules.h"
#include "hlo/ops/shape_checks.h"

namespace axle::hlo {

// "{1,0}"; long lists are cut short.
std::string DimensionsText(absl::Span<const int64_t> dimensions);

// Each of `dimensions` lies in [0, rank) and is not yet in *seen, to which it is added (AX0350).
// rank <= 64.
absl::Status ClaimDimensions(absl::string_view attribute, absl::Span<const int64_t> dimensions,
                             int64_t rank, uint64_t* seen);
// Strictly rising and in [0, rank) (AX0350).
absl::Status ExpectRising(absl::string_view attribute, absl::Span<const int64_t> dimensions,
                          int64_t rank);

// Adds dimension i of `shape`.
inline void AddFrom(DimensionList* list, const Shape& shape, int i) {
  list->Add(shape.dimension(i), shape.is_dynamic(i));
}

// Operands first to last (exclusive) have the dimensions of operand `first`.
absl::Status ExpectSameDimensions(const RuleContext& context, int first, int last);

// At how many places a window fits along a dimension of size `base`, after base dilation and
// padding. AX0324 when its size, stride or a dilation is below 1, or padding takes away more than
// there is; AX0326 when 64 bits do not hold a size. An unbounded base stays so.
absl::StatusOr<int64_t> WindowedSize(int64_t base, const WindowDimension& window);
// The same along each dimension; AX0324 when the window has not one entry for each.
absl::StatusOr<std::vector<int64_t>> WindowedSizes(absl::Span<const int64_t> base,
                                                   const WindowConfig& window);

// One shape as it is, several as a tuple.
Shape OneOrTuple(std::vector<Shape> shapes);

// "(f32[2]) -> f32[2]".
std::string SignatureText(const ProgramShape& shape);
// A called computation has the given parameters and result; `role` names it, "comparator" (AX0323).
absl::Status ExpectSignature(const ProgramShape& called, absl::Span<const Shape> parameters,
                             const Shape& result, absl::string_view role);
// A computation that combines `types.size()` values: accumulators and values as parameters, all
// scalars of the given types, and as result one scalar or a tuple of several (AX0323).
absl::Status ExpectCombiner(const ProgramShape& combiner, absl::Span<const ElementType> types);

// Result type of a sum of products of the element types of `lhs` and `rhs`: that of the declared
// shape where it is an array, else the operands' own common type (AX0352).
absl::StatusOr<ElementType> AccumulationType(const RuleContext& context, const Shape& lhs,
                                             const Shape& rhs);

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_STRUCTURED_CHECKS_H_
