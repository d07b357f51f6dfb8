// SPDX-License-Identifier: Apache-2.0
#include "eval/start_indices.h"

#include "eval/literal_values.h"

namespace axle::eval {

StartIndices::StartIndices(const hlo::Literal& indices, const Layout& layout) : layout_(layout) {
  const DimsView dims = indices.shape().dimensions();
  const int64_t rank = static_cast<int64_t>(dims.size());
  const Dims strides = RowMajorStrides(dims);
  const Dims batch = OtherDims(rank, {layout.index_vector_dim});
  batch_dims_ = Select(dims, batch);
  batch_strides_ = Select(strides, batch);
  vector_stride_ = layout.index_vector_dim < rank ? strides[layout.index_vector_dim] : 0;
  for (int64_t dim : layout.indices_batching_dims) {
    batching_positions_.push_back(dim < layout.index_vector_dim ? dim : dim - 1);
  }
  values_.resize(indices.element_count());
  for (size_t i = 0; i < values_.size(); ++i) {
    values_[i] = IntegerAt(indices, static_cast<int64_t>(i));
  }
}

Dims StartIndices::At(DimsView batch_index) const {
  Dims starts(layout_.operand_rank, 0);
  const int64_t vector = Offset(batch_index, batch_strides_);
  for (size_t i = 0; i < layout_.start_index_map.size(); ++i) {
    starts[layout_.start_index_map[i]] = values_[vector + static_cast<int64_t>(i) * vector_stride_];
  }
  for (size_t i = 0; i < layout_.operand_batching_dims.size(); ++i) {
    starts[layout_.operand_batching_dims[i]] = batch_index[batching_positions_[i]];
  }
  return starts;
}

}  // namespace axle::eval
