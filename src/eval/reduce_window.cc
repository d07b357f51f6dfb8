// SPDX-License-Identifier: Apache-2.0
// reduce-window: result = init, then result = combiner(result, element) for each element under the
// window, in row-major order; padding has no elements.
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"
#include "eval/scalar_function.h"
#include "eval/window.h"

namespace axle::eval {
namespace {

using WindowDims = std::vector<hlo::WindowDimension>;

constexpr int64_t kBlock = 1024;

enum class Order { kResultFirst, kOperandFirst };

// The operation's arrays, and the calls of its combiner on rows of them.
class RowCombiner {
 public:
  RowCombiner(StepContext& context, std::vector<hlo::Literal>& results)
      : results_(results),
        combine_(context.run, *context.step.called[0],
                 std::min(kBlock, results[0].element_count())),
        parameters_(2 * results.size()),
        combined_(results.size()) {
    for (size_t i = 0; i < results.size(); ++i) {
      operands_.push_back(&context.array(static_cast<int>(i)));
      gathered_.emplace_back(kBlock * WidthOf(*operands_[i]));
    }
  }

  // result[at + i] = combiner(result[at + i], operand[from + i * step]) for i < n.
  absl::Status Combine(int64_t at, int64_t from, int64_t step, int64_t n,
                       Order order = Order::kResultFirst) {
    const size_t count = results_.size();
    for (int64_t first = 0; first < n; first += kBlock) {
      const int64_t block = std::min(kBlock, n - first);
      for (size_t i = 0; i < count; ++i) {
        void* result = ElementAt(results_[i], at + first);
        const void* operand = OperandRow(i, from + first * step, step, block);
        parameters_[i] = order == Order::kResultFirst ? result : operand;
        parameters_[count + i] = order == Order::kResultFirst ? operand : result;
        combined_[i] = result;
      }
      AXLE_RETURN_IF_ERROR(combine_.Call(parameters_, absl::MakeSpan(combined_), block));
    }
    return absl::OkStatus();
  }

  void CopyResultRow(int64_t to, int64_t from, int64_t n) {
    for (hlo::Literal& result : results_) {
      std::memcpy(ElementAt(result, to), ElementAt(result, from), n * WidthOf(result));
    }
  }

 private:
  const std::byte* OperandRow(size_t i, int64_t from, int64_t step, int64_t n) {
    const std::byte* row = ElementAt(*operands_[i], from);
    if (step == 1) return row;
    CopyStrided(WidthOf(*operands_[i]), {n}, {row, {step}}, {gathered_[i].data(), {1}});
    return gathered_[i].data();
  }

  std::vector<hlo::Literal>& results_;
  std::vector<const hlo::Literal*> operands_;
  ScalarFunction combine_;
  std::vector<const void*> parameters_;
  std::vector<void*> combined_;
  std::vector<std::vector<std::byte>> gathered_;
};

// A place of the window and the operand's element that it has there, in one dimension.
struct Hit {
  int64_t place, position;
};

std::vector<Hit> Hits(const hlo::WindowDimension& window, int64_t offset, int64_t places,
                      int64_t size) {
  std::vector<Hit> hits;
  for (int64_t place = 0; place < places; ++place) {
    const int64_t position = WindowPosition(window, place, offset, size);
    if (position >= 0) hits.push_back({place, position});
  }
  return hits;
}

// Combines a row of hits of the last dimension, in runs of equal steps.
absl::Status CombineHits(RowCombiner& rows, const std::vector<Hit>& hits, int64_t at,
                         int64_t from) {
  for (size_t begin = 0; begin < hits.size();) {
    size_t end = begin + 1;
    const int64_t step = end < hits.size() ? hits[end].position - hits[begin].position : int64_t{1};
    while (end < hits.size() && hits[end].place == hits[end - 1].place + 1 &&
           hits[end].position == hits[end - 1].position + step) {
      ++end;
    }
    AXLE_RETURN_IF_ERROR(rows.Combine(at + hits[begin].place, from + hits[begin].position, step,
                                      static_cast<int64_t>(end - begin)));
    begin = end;
  }
  return absl::OkStatus();
}

// One element of the window, for all places.
absl::Status CombineOffset(RowCombiner& rows, const std::vector<std::vector<Hit>>& hits,
                           DimsView operand_strides, DimsView result_strides) {
  Dims counts;
  for (const std::vector<Hit>& dimension : hits) {
    counts.push_back(static_cast<int64_t>(dimension.size()));
  }
  if (Product(counts) == 0) return absl::OkStatus();
  if (hits.empty()) return rows.Combine(0, 0, 1, 1);
  counts.pop_back();
  Dims index(counts.size(), 0);
  do {
    int64_t at = 0, from = 0;
    for (size_t d = 0; d < counts.size(); ++d) {
      at += hits[d][index[d]].place * result_strides[d];
      from += hits[d][index[d]].position * operand_strides[d];
    }
    AXLE_RETURN_IF_ERROR(CombineHits(rows, hits.back(), at, from));
  } while (NextIndex(counts, absl::MakeSpan(index)));
  return absl::OkStatus();
}

absl::Status CombineAll(RowCombiner& rows, const WindowDims& window, DimsView operand_dims,
                        DimsView result_dims, const Run& run) {
  Dims sizes;
  for (const hlo::WindowDimension& dimension : window) sizes.push_back(dimension.size);
  Dims offset(sizes.size(), 0);
  do {
    AXLE_RETURN_IF_ERROR(run.CheckCancelled());
    std::vector<std::vector<Hit>> hits;
    for (size_t d = 0; d < sizes.size(); ++d) {
      hits.push_back(Hits(window[d], offset[d], result_dims[d], operand_dims[d]));
    }
    AXLE_RETURN_IF_ERROR(
        CombineOffset(rows, hits, RowMajorStrides(operand_dims), RowMajorStrides(result_dims)));
  } while (NextIndex(sizes, absl::MakeSpan(offset)));
  return absl::OkStatus();
}

// A running total along one dimension, which front ends write as a window of the whole dimension:
// element i combines elements 0..i, or i..end in reverse.
struct RunningTotal {
  size_t dimension;
  bool reverse;
};

bool IsTrivial(const hlo::WindowDimension& window) {
  return window.size == 1 && window.stride == 1 && window.padding_low == 0 &&
         window.padding_high == 0 && window.base_dilation == 1;
}

std::optional<RunningTotal> FindRunningTotal(const WindowDims& window, DimsView dims) {
  std::optional<RunningTotal> found;
  for (size_t d = 0; d < window.size(); ++d) {
    const hlo::WindowDimension& w = window[d];
    if (IsTrivial(w)) continue;
    const bool whole = w.size == dims[d] && w.stride == 1 && w.window_dilation == 1 &&
                       w.base_dilation == 1 && w.padding_low + w.padding_high == dims[d] - 1 &&
                       (w.padding_low == 0 || w.padding_high == 0);
    if (!whole || found) return std::nullopt;
    found = RunningTotal{d, w.padding_low == 0};
  }
  return found;
}

// Each row from the one before, so that the time is linear: element i = combiner(element i - 1,
// operand i) is the definition; in reverse it regroups what the combiner, being associative, lets
// be regrouped.
absl::Status CombineRunningTotal(RowCombiner& rows, const RunningTotal& total, DimsView dims) {
  const int64_t size = dims[total.dimension];
  const int64_t row = Product(dims.subspan(total.dimension + 1));
  const int64_t slabs = Product(dims.first(total.dimension));
  for (int64_t slab = 0; slab < slabs; ++slab) {
    for (int64_t i = 0; i < size; ++i) {
      const int64_t at = (slab * size + (total.reverse ? size - 1 - i : i)) * row;
      if (i > 0) rows.CopyResultRow(at, total.reverse ? at + row : at - row, row);
      AXLE_RETURN_IF_ERROR(rows.Combine(
          at, at, 1, row, total.reverse && i > 0 ? Order::kOperandFirst : Order::kResultFirst));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Value> RunReduceWindow(StepContext& context) {
  const int count = static_cast<int>(context.operands.size()) / 2;
  const WindowDims& window = context.instruction().As<hlo::WindowAttributes>().window.dimensions;
  std::vector<hlo::Literal> results;
  for (int i = 0; i < count; ++i) {
    AXLE_ASSIGN_OR_RETURN(hlo::Literal result,
                          context.Zeros(context.result().IsTuple() ? context.result().tuple_shape(i)
                                                                   : context.result()));
    FillWith(context.array(count + i), result);
    results.push_back(std::move(result));
  }
  if (results[0].element_count() == 0) return context.ArrayOrTuple(std::move(results));
  RowCombiner rows(context, results);
  const DimsView operand_dims = context.array(0).shape().dimensions();
  if (const auto total = FindRunningTotal(window, operand_dims)) {
    AXLE_RETURN_IF_ERROR(CombineRunningTotal(rows, *total, operand_dims));
  } else {
    AXLE_RETURN_IF_ERROR(
        CombineAll(rows, window, operand_dims, results[0].shape().dimensions(), context.run));
  }
  return context.ArrayOrTuple(std::move(results));
}

}  // namespace axle::eval
