// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/gather_scatter.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/shape_checks.h"
#include "hlo/ops/structured_checks.h"
#include "hlo/ops/structured_errors.h"

namespace axle::hlo {
namespace {

using Dims = absl::Span<const int64_t>;
using ops_errors::kOperandShape;
using structured_errors::kDimensionNumbers;
using structured_errors::kSliceSizes;

// What the dimension numbers of gather and scatter share, under the names that the attributes of
// either have. A window of the operand is gathered into, or scattered from, the "blocks" array (the
// result of a gather, the updates of a scatter).
struct IndexedDims {
  const char* window_name;
  Dims window;  // dimensions of blocks that run over the window
  const char* dropped_name;
  Dims dropped;  // operand dimensions of window size 1 that blocks lack
  const char* map_name;
  Dims map;  // operand dimension of each entry of an index vector
  const char* operand_batching_name;
  Dims operand_batching;
  const char* indices_batching_name;
  Dims indices_batching;
  int64_t index_vector_dim;
};

IndexedDims DimsOf(const GatherAttributes& a) {
  return {"offset_dims",
          a.offset_dims,
          "collapsed_slice_dims",
          a.collapsed_slice_dims,
          "start_index_map",
          a.start_index_map,
          "operand_batching_dims",
          a.operand_batching_dims,
          "start_indices_batching_dims",
          a.start_indices_batching_dims,
          a.index_vector_dim};
}

IndexedDims DimsOf(const ScatterAttributes& a) {
  return {"update_window_dims",
          a.update_window_dims,
          "inserted_window_dims",
          a.inserted_window_dims,
          "scatter_dims_to_operand_dims",
          a.scatter_dims_to_operand_dims,
          "input_batching_dims",
          a.input_batching_dims,
          "scatter_indices_batching_dims",
          a.scatter_indices_batching_dims,
          a.index_vector_dim};
}

bool Contains(Dims dimensions, int64_t dimension) {
  return std::find(dimensions.begin(), dimensions.end(), dimension) != dimensions.end();
}

// Sizes of the indices but for the dimension of the index vectors.
std::vector<int64_t> IndexBatchSizes(const Shape& indices, int64_t index_vector_dim) {
  std::vector<int64_t> sizes;
  for (int i = 0; i < indices.rank(); ++i) {
    if (i != index_vector_dim) sizes.push_back(indices.dimension(i));
  }
  return sizes;
}

absl::Status CheckIndexMap(const IndexedDims& dims, const Shape& operand, const Shape& indices) {
  if (dims.index_vector_dim < 0 || dims.index_vector_dim > indices.rank()) {
    return MakeError(kDimensionNumbers,
                     absl::StrCat("index_vector_dim=", dims.index_vector_dim,
                                  "; expected 0 to the rank of the indices, ", indices.rank()));
  }
  const int64_t vector_size = dims.index_vector_dim == indices.rank()
                                  ? 1
                                  : indices.dimension(static_cast<int>(dims.index_vector_dim));
  if (!SizesAgree(static_cast<int64_t>(dims.map.size()), vector_size)) {
    return MakeError(
        kDimensionNumbers,
        absl::StrCat(dims.map_name, "=", DimensionsText(dims.map), " has ", dims.map.size(),
                     " entries; expected ", vector_size, ", the size of an index vector"));
  }
  uint64_t seen = 0;
  AXLE_RETURN_IF_ERROR(ClaimDimensions(dims.map_name, dims.map, operand.rank(), &seen));
  return ClaimDimensions(dims.operand_batching_name, dims.operand_batching, operand.rank(), &seen);
}

absl::Status CheckBatching(const IndexedDims& dims, const Shape& operand, const Shape& indices) {
  uint64_t seen = 0;
  if (dims.index_vector_dim < indices.rank()) seen = uint64_t{1} << dims.index_vector_dim;
  AXLE_RETURN_IF_ERROR(
      ClaimDimensions(dims.indices_batching_name, dims.indices_batching, indices.rank(), &seen));
  if (dims.operand_batching.size() != dims.indices_batching.size()) {
    return MakeError(kDimensionNumbers,
                     absl::StrCat(dims.operand_batching_name, " has ", dims.operand_batching.size(),
                                  " entries and ", dims.indices_batching_name, " ",
                                  dims.indices_batching.size(), "; expected as many"));
  }
  for (size_t i = 0; i < dims.operand_batching.size(); ++i) {
    const int64_t a = operand.dimension(static_cast<int>(dims.operand_batching[i]));
    const int64_t b = indices.dimension(static_cast<int>(dims.indices_batching[i]));
    if (!SizesAgree(a, b)) {
      return MakeError(
          kDimensionNumbers,
          absl::StrCat("batching dimension ", dims.operand_batching[i], " of the operand has size ",
                       a, ", dimension ", dims.indices_batching[i], " of the indices ", b));
    }
  }
  return absl::OkStatus();
}

// All checks of the dimension numbers but for sizes of windows.
absl::Status CheckIndexedDims(const IndexedDims& dims, const Shape& operand, const Shape& indices,
                              int64_t blocks_rank) {
  AXLE_RETURN_IF_ERROR(CheckIndexMap(dims, operand, indices));
  AXLE_RETURN_IF_ERROR(ExpectRising(dims.window_name, dims.window, blocks_rank));
  AXLE_RETURN_IF_ERROR(ExpectRising(dims.dropped_name, dims.dropped, operand.rank()));
  AXLE_RETURN_IF_ERROR(
      ExpectRising(dims.operand_batching_name, dims.operand_batching, operand.rank()));
  uint64_t seen = 0;
  AXLE_RETURN_IF_ERROR(ClaimDimensions(dims.dropped_name, dims.dropped, operand.rank(), &seen));
  AXLE_RETURN_IF_ERROR(
      ClaimDimensions(dims.operand_batching_name, dims.operand_batching, operand.rank(), &seen));
  const size_t named = dims.window.size() + dims.dropped.size() + dims.operand_batching.size();
  if (named != static_cast<size_t>(operand.rank())) {
    return MakeError(
        kDimensionNumbers,
        absl::StrCat(dims.window_name, ", ", dims.dropped_name, " and ", dims.operand_batching_name,
                     " have ", named, " entries together; expected the rank of the operand, ",
                     operand.rank()));
  }
  return CheckBatching(dims, operand, indices);
}

absl::Status CheckSliceSizes(const GatherAttributes& a, const Shape& operand) {
  AXLE_RETURN_IF_ERROR(
      ExpectEntryCount("slice sizes", a.slice_sizes.size(), static_cast<size_t>(operand.rank())));
  for (int i = 0; i < operand.rank(); ++i) {
    int64_t limit = operand.dimension(i);
    if (limit == Shape::kUnbounded) limit = std::numeric_limits<int64_t>::max();
    if (Contains(a.collapsed_slice_dims, i) || Contains(a.operand_batching_dims, i)) {
      limit = std::min<int64_t>(limit, 1);
    }
    if (a.slice_sizes[i] < 0 || a.slice_sizes[i] > limit) {
      return MakeError(kSliceSizes, absl::StrCat("slice_sizes=", DimensionsText(a.slice_sizes),
                                                 ": entry ", i, " is not between 0 and ", limit));
    }
  }
  return absl::OkStatus();
}

// The operand's dimensions that a window runs over.
std::vector<int> WindowDims(const IndexedDims& dims, const Shape& operand) {
  std::vector<int> result;
  for (int i = 0; i < operand.rank(); ++i) {
    if (!Contains(dims.dropped, i) && !Contains(dims.operand_batching, i)) result.push_back(i);
  }
  return result;
}

// Each window of an update fits into the operand, and the other dimensions are those of the
// indices.
absl::Status CheckUpdates(const IndexedDims& dims, const Shape& operand, const Shape& indices,
                          const Shape& updates) {
  const std::vector<int> window = WindowDims(dims, operand);
  const std::vector<int64_t> batch = IndexBatchSizes(indices, dims.index_vector_dim);
  size_t next_window = 0;
  size_t next_batch = 0;
  for (int i = 0; i < updates.rank(); ++i) {
    const int64_t size = updates.dimension(i);
    if (Contains(dims.window, i)) {
      const int64_t bound = operand.dimension(window[next_window++]);
      if (size > bound && bound != Shape::kUnbounded) {
        return MakeError(kSliceSizes, absl::StrCat("dimension ", i, " of the updates has size ",
                                                   size, "; expected at most ", bound));
      }
      continue;
    }
    if (!SizesAgree(size, batch[next_batch++])) {
      return MakeError(kOperandShape,
                       absl::StrCat("dimension ", i, " of the updates has size ", size,
                                    "; expected ", batch[next_batch - 1], " as the indices have"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> GatherRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const auto& a = context.instruction.As<GatherAttributes>();
  const Shape& operand = context.operand(0);
  const Shape& indices = context.operand(1);
  AXLE_RETURN_IF_ERROR(ExpectType(indices, "operand 1", IsIntegral, "integers"));
  const IndexedDims dims = DimsOf(a);
  const std::vector<int64_t> batch = IndexBatchSizes(indices, a.index_vector_dim);
  const size_t rank = batch.size() + a.offset_dims.size();
  if (rank > Shape::kMaxRank) {
    return MakeError(ops_errors::kResultShape,
                     absl::StrCat("the result would have ", rank, " dimensions; at most ",
                                  Shape::kMaxRank, " are possible"));
  }
  AXLE_RETURN_IF_ERROR(CheckIndexedDims(dims, operand, indices, static_cast<int64_t>(rank)));
  AXLE_RETURN_IF_ERROR(CheckSliceSizes(a, operand));

  const std::vector<int> window = WindowDims(dims, operand);
  size_t next_window = 0;
  size_t next_batch = 0;
  DimensionList sizes;
  for (size_t i = 0; i < rank; ++i) {
    if (Contains(a.offset_dims, static_cast<int64_t>(i))) {
      sizes.Add(a.slice_sizes[window[next_window++]], false);
    } else {
      sizes.Add(batch[next_batch++], false);
    }
  }
  return sizes.ToShape(operand.element_type());
}

absl::StatusOr<Shape> ScatterRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const int operand_count = static_cast<int>(context.operands.size());
  if (operand_count % 2 == 0) {
    return MakeError(ops_errors::kOperandCount,
                     absl::StrCat(operand_count,
                                  " operands; expected n arrays, indices and n "
                                  "updates, an odd number"));
  }
  const int count = operand_count / 2;
  const Shape& operand = context.operand(0);
  const Shape& indices = context.operand(count);
  const Shape& updates = context.operand(count + 1);
  AXLE_RETURN_IF_ERROR(ExpectType(indices, "indices", IsIntegral, "integers"));
  AXLE_RETURN_IF_ERROR(ExpectSameDimensions(context, 0, count));
  AXLE_RETURN_IF_ERROR(ExpectSameDimensions(context, count + 1, operand_count));

  const IndexedDims dims = DimsOf(context.instruction.As<ScatterAttributes>());
  AXLE_RETURN_IF_ERROR(CheckIndexedDims(dims, operand, indices, updates.rank()));
  const size_t rank = IndexBatchSizes(indices, dims.index_vector_dim).size() + dims.window.size();
  if (static_cast<size_t>(updates.rank()) != rank) {
    return MakeError(kOperandShape,
                     absl::StrCat("updates of rank ", updates.rank(), "; expected ", rank,
                                  ", index batches and window dimensions together"));
  }
  AXLE_RETURN_IF_ERROR(CheckUpdates(dims, operand, indices, updates));

  std::vector<ElementType> types;
  for (int i = 0; i < count; ++i) {
    types.push_back(context.operand(i).element_type());
    AXLE_RETURN_IF_ERROR(ExpectSameType(context.operand(count + 1 + i),
                                        absl::StrCat("operand ", count + 1 + i), context.operand(i),
                                        absl::StrCat("operand ", i)));
  }
  AXLE_RETURN_IF_ERROR(ExpectCombiner(*context.called[0], types));
  return OneOrTuple({context.operands.begin(), context.operands.begin() + count});
}

absl::StatusOr<Shape> SelectAndScatterRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const Shape& operand = context.operand(0);
  const ElementType type = operand.element_type();
  const Shape scalar = Shape::Scalar(type);
  AXLE_ASSIGN_OR_RETURN(
      const std::vector<int64_t> sizes,
      WindowedSizes(operand.dimensions(), context.instruction.As<WindowAttributes>().window));
  const Shape places = Shape::Array(type, sizes);
  if (!ShapesAgree(context.operand(1), places)) {
    return MakeError(kOperandShape, absl::StrCat("operand 1 must have one element a window, ",
                                                 places.ToString(false)));
  }
  if (!Compatible(context.operand(2), scalar)) {
    return MakeError(kOperandShape,
                     absl::StrCat("operand 2, the initial value, must be ", scalar.ToString()));
  }
  AXLE_RETURN_IF_ERROR(ExpectSignature(*context.called[0], {scalar, scalar},
                                       Shape::Scalar(ElementType::kPred), "select"));
  AXLE_RETURN_IF_ERROR(ExpectCombiner(*context.called[1], {type}));
  return operand;
}

}  // namespace axle::hlo
