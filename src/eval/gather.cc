// SPDX-License-Identifier: Apache-2.0
// gather: for each start vector, the slice of the operand there, moved to where it fits.
#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"
#include "eval/start_indices.h"

namespace axle::eval {

absl::StatusOr<hlo::Literal> EvalGather(const KernelArgs& args) {
  const auto& attributes = args.instruction.As<hlo::GatherAttributes>();
  const hlo::Literal& operand = args.operand(0);
  const DimsView dims = operand.shape().dimensions();
  const int64_t rank = static_cast<int64_t>(dims.size());
  const StartIndices indices(
      args.operand(1),
      {attributes.index_vector_dim, attributes.start_index_map, attributes.operand_batching_dims,
       attributes.start_indices_batching_dims, rank});
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  if (result.element_count() == 0) return result;

  // Dimensions of a slice that stay, and where they and the batch lie in the result.
  const Dims window =
      OtherDims(rank, Concat(attributes.collapsed_slice_dims, attributes.operand_batching_dims));
  const Dims slice = Select(attributes.slice_sizes, window);
  const Dims from = RowMajorStrides(dims);
  const Dims slice_from = Select(from, window);
  const Dims to = RowMajorStrides(args.result().dimensions());
  const Dims slice_to = Select(to, attributes.offset_dims);
  const Dims batch_to = Select(to, OtherDims(args.result().rank(), attributes.offset_dims));

  Dims batch(indices.batch_dims().size(), 0);
  do {
    Dims starts = indices.At(batch);
    for (int64_t d = 0; d < rank; ++d) {
      starts[d] = std::clamp<int64_t>(starts[d], 0, dims[d] - attributes.slice_sizes[d]);
    }
    CopyStrided(WidthOf(result), slice, {ElementAt(operand, Offset(starts, from)), slice_from},
                {ElementAt(result, Offset(batch, batch_to)), slice_to});
  } while (NextIndex(indices.batch_dims(), absl::MakeSpan(batch)));
  return result;
}

}  // namespace axle::eval
