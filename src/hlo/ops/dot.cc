// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/linear_algebra.h"
#include "hlo/ops/shape_checks.h"
#include "hlo/ops/structured_checks.h"
#include "hlo/ops/structured_errors.h"

namespace axle::hlo {
namespace {

using Dims = absl::Span<const int64_t>;
using ops_errors::kOperandShape;
using structured_errors::kDimensionNumbers;

struct DotDims {
  Dims lhs_batch, lhs_contracting, rhs_batch, rhs_contracting;
};

template <typename Attributes>
DotDims DimsOf(const Attributes& a) {
  return {a.lhs_batch_dims, a.lhs_contracting_dims, a.rhs_batch_dims, a.rhs_contracting_dims};
}

bool Contains(Dims dimensions, int64_t dimension) {
  return std::find(dimensions.begin(), dimensions.end(), dimension) != dimensions.end();
}

// As many dimensions of either operand, of equal sizes.
absl::Status ExpectPairs(const RuleContext& context, const char* what, Dims lhs_dims,
                         Dims rhs_dims) {
  if (lhs_dims.size() != rhs_dims.size()) {
    return MakeError(kDimensionNumbers,
                     absl::StrCat(lhs_dims.size(), " ", what, " dimensions of operand 0 and ",
                                  rhs_dims.size(), " of operand 1; expected as many"));
  }
  for (size_t i = 0; i < lhs_dims.size(); ++i) {
    const int64_t a = context.operand(0).dimension(static_cast<int>(lhs_dims[i]));
    const int64_t b = context.operand(1).dimension(static_cast<int>(rhs_dims[i]));
    if (!SizesAgree(a, b)) {
      return MakeError(kOperandShape,
                       absl::StrCat(what, " dimension ", lhs_dims[i], " of operand 0 has size ", a,
                                    ", dimension ", rhs_dims[i], " of operand 1 ", b));
    }
  }
  return absl::OkStatus();
}

// Dimension numbers of operands 0 and 1.
absl::Status CheckDotDims(const RuleContext& context, const DotDims& dims) {
  const int lhs_rank = context.operand(0).rank();
  const int rhs_rank = context.operand(1).rank();
  uint64_t lhs = 0;
  uint64_t rhs = 0;
  AXLE_RETURN_IF_ERROR(ClaimDimensions("lhs_batch_dims", dims.lhs_batch, lhs_rank, &lhs));
  AXLE_RETURN_IF_ERROR(
      ClaimDimensions("lhs_contracting_dims", dims.lhs_contracting, lhs_rank, &lhs));
  AXLE_RETURN_IF_ERROR(ClaimDimensions("rhs_batch_dims", dims.rhs_batch, rhs_rank, &rhs));
  AXLE_RETURN_IF_ERROR(
      ClaimDimensions("rhs_contracting_dims", dims.rhs_contracting, rhs_rank, &rhs));
  AXLE_RETURN_IF_ERROR(ExpectPairs(context, "batch", dims.lhs_batch, dims.rhs_batch));
  return ExpectPairs(context, "contracting", dims.lhs_contracting, dims.rhs_contracting);
}

void AddFree(const Shape& shape, Dims batch, Dims contracting, Dims left_out, DimensionList* out) {
  for (int i = 0; i < shape.rank(); ++i) {
    if (!Contains(batch, i) && !Contains(contracting, i) && !Contains(left_out, i)) {
      AddFrom(out, shape, i);
    }
  }
}

// Batch dimensions, free ones of operand 0, free ones of operand 1 but for `rhs_left_out`.
void AddDotDims(const RuleContext& context, const DotDims& dims, Dims rhs_left_out,
                DimensionList* out) {
  for (const int64_t dimension : dims.lhs_batch) {
    AddFrom(out, context.operand(0), static_cast<int>(dimension));
  }
  AddFree(context.operand(0), dims.lhs_batch, dims.lhs_contracting, {}, out);
  AddFree(context.operand(1), dims.rhs_batch, dims.rhs_contracting, rhs_left_out, out);
}

absl::StatusOr<Shape> DotShape(const RuleContext& context, const DotDims& dims) {
  AXLE_RETURN_IF_ERROR(CheckDotDims(context, dims));
  AXLE_ASSIGN_OR_RETURN(const ElementType type,
                        AccumulationType(context, context.operand(0), context.operand(1)));
  DimensionList sizes;
  AddDotDims(context, dims, {}, &sizes);
  return sizes.ToShape(type);
}

// Sizes of the groups: one number a group in the last dimension; before it either nothing or the
// sizes of the dimensions of operand 0 that lie outside the ragged one.
absl::Status CheckGroupSizes(const RuleContext& context, Dims outer) {
  const Shape& groups = context.operand(2);
  AXLE_RETURN_IF_ERROR(ExpectType(groups, "operand 2", IsIntegral, "integers"));
  bool fits = groups.rank() == 1 || groups.rank() == static_cast<int>(outer.size()) + 1;
  for (int i = 0; fits && i < groups.rank() - 1; ++i) {
    fits = SizesAgree(groups.dimension(i), outer[i]);
  }
  if (fits) return absl::OkStatus();
  return MakeError(kOperandShape,
                   absl::StrCat("operand 2, the sizes of the groups, must have one dimension, or "
                                "the sizes ",
                                DimensionsText(outer), " before it"));
}

// Sizes of those of `dims` that are listed before the ragged dimension.
std::vector<int64_t> SizesBefore(const Shape& shape, Dims dims, int64_t ragged) {
  std::vector<int64_t> sizes;
  for (const int64_t dimension : dims) {
    if (dimension == ragged) break;
    sizes.push_back(shape.dimension(static_cast<int>(dimension)));
  }
  return sizes;
}

// What stands outside the ragged dimension, in the order of group sizes.
std::vector<int64_t> OuterSizes(const Shape& lhs, const DotDims& dims, int64_t ragged) {
  std::vector<int64_t> outer = SizesBefore(lhs, dims.lhs_batch, ragged);
  if (Contains(dims.lhs_batch, ragged)) return outer;
  std::vector<int64_t> rest;
  if (Contains(dims.lhs_contracting, ragged)) {
    rest = SizesBefore(lhs, dims.lhs_contracting, ragged);
  } else {
    for (int i = 0; i < ragged; ++i) {
      if (!Contains(dims.lhs_batch, i) && !Contains(dims.lhs_contracting, i)) {
        rest.push_back(lhs.dimension(i));
      }
    }
  }
  outer.insert(outer.end(), rest.begin(), rest.end());
  return outer;
}

// The group dimension of operand 1, needed where the ragged one is free and impossible elsewhere.
absl::Status CheckGroupDim(const RuleContext& context, const DotDims& dims, Dims group_dims,
                           bool ragged_is_free) {
  AXLE_RETURN_IF_ERROR(
      ExpectEntryCount("rhs_group_dims", group_dims.size(), ragged_is_free ? 1 : 0));
  if (!ragged_is_free) return absl::OkStatus();
  uint64_t seen = 0;
  const int rank = context.operand(1).rank();
  for (const Dims& used : {dims.rhs_batch, dims.rhs_contracting, group_dims}) {
    AXLE_RETURN_IF_ERROR(ClaimDimensions("rhs_group_dims", used, rank, &seen));
  }
  const Shape& groups = context.operand(2);
  const int64_t count = groups.dimension(groups.rank() - 1);
  const int64_t size = context.operand(1).dimension(static_cast<int>(group_dims[0]));
  if (SizesAgree(count, size)) return absl::OkStatus();
  return MakeError(kOperandShape,
                   absl::StrCat("operand 1 has ", size, " groups, operand 2 sizes of ", count));
}

}  // namespace

absl::StatusOr<Shape> DotRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const auto& a = context.instruction.As<DotAttributes>();
  // Operands beyond two describe which elements of a sparse operand are stored.
  if (context.operands.size() > 2 && a.sparsity_config.empty()) {
    return MakeError(
        ops_errors::kOperandCount,
        absl::StrCat(context.operands.size(), " operands; expected 2 without a sparsity_config"));
  }
  return DotShape(context, DimsOf(a));
}

absl::StatusOr<Shape> ScaledDotRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  for (int i = 0; i < 2; ++i) {
    const Shape& operand = context.operand(i);
    const Shape& scale = context.operand(i + 2);
    bool fits =
        IsFloat(scale.element_type()) && (scale.rank() == 0 || scale.rank() == operand.rank());
    for (int d = 0; fits && d < scale.rank(); ++d) {
      const int64_t blocks = scale.dimension(d);
      const int64_t size = operand.dimension(d);
      fits = SizesAgree(blocks, size) || (blocks > 0 && size % blocks == 0);
    }
    if (!fits) {
      return MakeError(kOperandShape, absl::StrCat("operand ", i + 2,
                                                   ", a scale, must be a float scalar or have "
                                                   "sizes that divide those of operand ",
                                                   i));
    }
  }
  return DotShape(context, DimsOf(context.instruction.As<DotAttributes>()));
}

absl::StatusOr<Shape> RaggedDotRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const auto& a = context.instruction.As<RaggedDotAttributes>();
  const DotDims dims = DimsOf(a);
  const Shape& lhs = context.operand(0);
  AXLE_RETURN_IF_ERROR(CheckDotDims(context, dims));
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("lhs_ragged_dims", a.lhs_ragged_dims.size(), 1));
  const int64_t ragged = a.lhs_ragged_dims[0];
  AXLE_RETURN_IF_ERROR(ExpectDimension("lhs_ragged_dims", ragged, lhs.rank()));
  AXLE_RETURN_IF_ERROR(CheckGroupSizes(context, OuterSizes(lhs, dims, ragged)));
  const bool contracting = Contains(dims.lhs_contracting, ragged);
  const bool is_free = !contracting && !Contains(dims.lhs_batch, ragged);
  AXLE_RETURN_IF_ERROR(CheckGroupDim(context, dims, a.rhs_group_dims, is_free));
  AXLE_ASSIGN_OR_RETURN(const ElementType type, AccumulationType(context, lhs, context.operand(1)));
  DimensionList sizes;
  // A ragged contraction gives one product a group.
  const Shape& groups = context.operand(2);
  if (contracting) AddFrom(&sizes, groups, groups.rank() - 1);
  AddDotDims(context, dims, a.rhs_group_dims, &sizes);
  return sizes.ToShape(type);
}

}  // namespace axle::hlo
