// SPDX-License-Identifier: Apache-2.0
// scatter: for each start vector, a window of updates combined into the operands there. A window
// that would stick out is skipped whole. Windows apply in row-major order of their start vectors.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"
#include "eval/scalar_function.h"
#include "eval/start_indices.h"

namespace axle::eval {
namespace {

constexpr int64_t kBlock = 256;

// Places of one window in the operand and the updates; the innermost dimension is a run of elements
// when it is dense on both sides.
struct Windows {
  Dims sizes;            // of the update's window dimensions
  Dims operand_strides;  // of the same dimensions
  Dims update_strides;
  Dims span;  // size of a window in every dimension of the operand

  bool dense() const {
    return !sizes.empty() && operand_strides.back() == 1 && update_strides.back() == 1;
  }
};

Windows WindowsOf(const hlo::ScatterAttributes& attributes, DimsView operand_dims,
                  DimsView update_dims) {
  const int64_t rank = static_cast<int64_t>(operand_dims.size());
  const Dims window =
      OtherDims(rank, Concat(attributes.inserted_window_dims, attributes.input_batching_dims));
  Windows windows;
  windows.sizes = Select(update_dims, attributes.update_window_dims);
  windows.operand_strides = Select(RowMajorStrides(operand_dims), window);
  windows.update_strides = Select(RowMajorStrides(update_dims), attributes.update_window_dims);
  windows.span.assign(rank, 1);
  for (size_t i = 0; i < window.size(); ++i) windows.span[window[i]] = windows.sizes[i];
  return windows;
}

// result[i] = combiner(results[i]…, updates[i]…) over runs of elements.
class Combiner {
 public:
  Combiner(StepContext& context, std::vector<hlo::Literal>& results)
      : context_(context),
        results_(results),
        combine_(context.run, *context.step.called[0], kBlock),
        parameters_(2 * results.size()),
        combined_(results.size()) {}

  absl::Status Combine(int64_t at, int64_t from, int64_t n) {
    const size_t count = results_.size();
    for (int64_t first = 0; first < n; first += kBlock) {
      for (size_t i = 0; i < count; ++i) {
        parameters_[i] = combined_[i] = ElementAt(results_[i], at + first);
        parameters_[count + i] =
            ElementAt(context_.array(static_cast<int>(count + 1 + i)), from + first);
      }
      AXLE_RETURN_IF_ERROR(
          combine_.Call(parameters_, absl::MakeSpan(combined_), std::min(kBlock, n - first)));
    }
    return absl::OkStatus();
  }

  absl::Status CombineWindow(const Windows& windows, int64_t at, int64_t from) {
    Dims outer = windows.sizes;
    int64_t run = 1;
    if (windows.dense()) {
      run = outer.back();
      outer.back() = 1;
    }
    Dims index(outer.size(), 0);
    do {
      AXLE_RETURN_IF_ERROR(Combine(at + Offset(index, windows.operand_strides),
                                   from + Offset(index, windows.update_strides), run));
    } while (NextIndex(outer, absl::MakeSpan(index)));
    return absl::OkStatus();
  }

 private:
  StepContext& context_;
  std::vector<hlo::Literal>& results_;
  ScalarFunction combine_;
  std::vector<const void*> parameters_;
  std::vector<void*> combined_;
};

}  // namespace

// Operands, indices, updates; changes the operands in place where this is their last use.
absl::StatusOr<Value> RunScatter(StepContext& context) {
  const auto& attributes = context.instruction().As<hlo::ScatterAttributes>();
  const int count = static_cast<int>(context.operands.size()) / 2;
  std::vector<hlo::Literal> results;
  for (int i = 0; i < count; ++i) {
    AXLE_ASSIGN_OR_RETURN(hlo::Literal result, context.Take(i));
    results.push_back(std::move(result));
  }
  const Dims dims(results[0].shape().dimensions().begin(), results[0].shape().dimensions().end());
  const hlo::Literal& updates = context.array(count + 1);
  if (updates.element_count() == 0) return context.ArrayOrTuple(std::move(results));
  const DimsView update_dims = updates.shape().dimensions();
  const StartIndices indices(
      context.array(count),
      {attributes.index_vector_dim, attributes.scatter_dims_to_operand_dims,
       attributes.input_batching_dims, attributes.scatter_indices_batching_dims,
       static_cast<int64_t>(dims.size())});
  const Windows windows = WindowsOf(attributes, dims, update_dims);
  const Dims to = RowMajorStrides(dims);
  const Dims batch_from =
      Select(RowMajorStrides(update_dims),
             OtherDims(static_cast<int64_t>(update_dims.size()), attributes.update_window_dims));
  Combiner combiner(context, results);
  Dims batch(indices.batch_dims().size(), 0);
  do {
    const Dims starts = indices.At(batch);
    bool fits = true;
    for (size_t d = 0; d < dims.size(); ++d) {
      fits = fits && starts[d] >= 0 && starts[d] <= dims[d] - windows.span[d];
    }
    if (!fits) continue;
    AXLE_RETURN_IF_ERROR(
        combiner.CombineWindow(windows, Offset(starts, to), Offset(batch, batch_from)));
  } while (NextIndex(indices.batch_dims(), absl::MakeSpan(batch)));
  return context.ArrayOrTuple(std::move(results));
}

}  // namespace axle::eval
