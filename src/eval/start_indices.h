// SPDX-License-Identifier: Apache-2.0
// The array of starts that gather and scatter take, read as vectors.
#ifndef AXLE_EVAL_START_INDICES_H_
#define AXLE_EVAL_START_INDICES_H_

#include <cstdint>
#include <vector>

#include "eval/index.h"
#include "hlo/literal.h"

namespace axle::eval {

class StartIndices {
 public:
  struct Layout {
    int64_t index_vector_dim;        // rank of the array: every element is a vector of one
    DimsView start_index_map;        // dimension of the operand that component i is for
    DimsView operand_batching_dims;  // dimensions that take their start from the batch index,
    DimsView indices_batching_dims;  // and the dimensions of the array that give it
    int64_t operand_rank;
  };
  // All that `layout` views must outlive it.
  StartIndices(const hlo::Literal& indices, const Layout& layout);

  // The array's dimensions without index_vector_dim: one start vector each index of these.
  DimsView batch_dims() const { return batch_dims_; }
  // The start of each operand dimension, as given; 0 where none is.
  Dims At(DimsView batch_index) const;

 private:
  Layout layout_;
  Dims batch_dims_, batch_strides_;
  int64_t vector_stride_;
  Dims batching_positions_;  // in batch_dims, of indices_batching_dims
  std::vector<int64_t> values_;
};

}  // namespace axle::eval

#endif  // AXLE_EVAL_START_INDICES_H_
