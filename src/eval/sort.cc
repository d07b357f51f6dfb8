// SPDX-License-Identifier: Apache-2.0
// sort and topk. Both sort an order of positions by a merge sort, which is stable and safe for any
// comparator, and then place elements by it.
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/status_macros.h"
#include "eval/errors.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"
#include "eval/scalar_function.h"
#include "eval/scalar_ops.h"

namespace axle::eval {
namespace {

using Less = absl::FunctionRef<bool(int64_t, int64_t)>;

// Sorts `order` by `less` on its entries; equal ones keep their order.
void MergeSort(std::vector<int64_t>& order, Less less) {
  std::vector<int64_t> merged(order.size());
  const size_t size = order.size();
  for (size_t width = 1; width < size; width *= 2) {
    for (size_t low = 0; low < size; low += 2 * width) {
      const size_t middle = std::min(low + width, size), high = std::min(low + 2 * width, size);
      size_t left = low, right = middle;
      for (size_t k = low; k < high; ++k) {
        const bool take_right = right < high && (left >= middle || less(order[right], order[left]));
        merged[k] = take_right ? order[right++] : order[left++];
      }
    }
    order.swap(merged);
  }
}

// A dense line of elements along one dimension, and how to get there.
struct Lines {
  int64_t length, stride;
  Dims outer_dims, outer_strides;

  Lines(DimsView dims, int64_t dimension) {
    const Dims strides = RowMajorStrides(dims);
    const Dims outer = OtherDims(static_cast<int64_t>(dims.size()), {dimension});
    length = dims[dimension];
    stride = strides[dimension];
    outer_dims = Select(dims, outer);
    outer_strides = Select(strides, outer);
  }
};

class LineSorter {
 public:
  LineSorter(StepContext& context, const Lines& lines, std::vector<hlo::Literal>& results)
      : lines_(lines), results_(results), parameters_(2 * results.size()) {
    for (const hlo::Literal& result : results) {
      buffers_.emplace_back(lines.length * WidthOf(result));
    }
    if (context.step.called.empty()) {
      default_less_ = FindCompare(hlo::ComparisonDirection::kLt,
                                  hlo::IsFloat(results[0].shape().element_type())
                                      ? hlo::ComparisonType::kTotalOrder
                                      : hlo::ComparisonType::kUnset,
                                  results[0].shape().element_type());
    } else {
      comparator_.emplace(context.run, *context.step.called[0]);
    }
  }

  // Sorts the line that begins at element `start` of every result.
  absl::Status SortLine(int64_t start) {
    for (size_t i = 0; i < results_.size(); ++i) {
      CopyStrided(WidthOf(results_[i]), {lines_.length},
                  {ElementAt(results_[i], start), {lines_.stride}}, {buffers_[i].data(), {1}});
    }
    order_.resize(lines_.length);
    std::iota(order_.begin(), order_.end(), int64_t{0});
    MergeSort(order_, [this](int64_t a, int64_t b) { return IsLess(a, b); });
    AXLE_RETURN_IF_ERROR(status_);
    for (size_t i = 0; i < results_.size(); ++i) {
      const int width = WidthOf(results_[i]);
      std::byte* to = ElementAt(results_[i], start);
      for (int64_t k = 0; k < lines_.length; ++k) {
        std::memcpy(to + k * lines_.stride * width, buffers_[i].data() + order_[k] * width, width);
      }
    }
    return absl::OkStatus();
  }

 private:
  bool IsLess(int64_t a, int64_t b) {
    bool less = false;
    void* answer = &less;
    for (size_t i = 0; i < results_.size(); ++i) {
      const int width = WidthOf(results_[i]);
      parameters_[2 * i] = buffers_[i].data() + a * width;
      parameters_[2 * i + 1] = buffers_[i].data() + b * width;
    }
    if (!comparator_) {
      default_less_(parameters_[0], parameters_[1], &less, 1);
    } else if (status_.ok()) {
      status_ = comparator_->Call(parameters_, {&answer, 1});
    }
    return less;
  }

  const Lines& lines_;
  std::vector<hlo::Literal>& results_;
  std::vector<std::vector<std::byte>> buffers_;  // the line as it was
  std::vector<int64_t> order_;
  std::vector<const void*> parameters_;
  BinaryLoop default_less_ = nullptr;  // where there is no comparator: ascending by operand 0
  std::optional<ScalarFunction> comparator_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<Value> RunSort(StepContext& context) {
  const std::vector<int64_t>& dimensions =
      context.instruction().As<hlo::SortAttributes>().dimensions;
  std::vector<hlo::Literal> results;
  for (size_t i = 0; i < context.operands.size(); ++i) {
    AXLE_ASSIGN_OR_RETURN(hlo::Literal result, context.Take(static_cast<int>(i)));
    results.push_back(std::move(result));
  }
  const DimsView dims = results[0].shape().dimensions();
  if (results[0].element_count() == 0) return context.ArrayOrTuple(std::move(results));
  const Lines lines(dims, dimensions[0]);
  LineSorter sorter(context, lines, results);
  Dims index(lines.outer_dims.size(), 0);
  do {
    AXLE_RETURN_IF_ERROR(context.run.CheckCancelled());
    AXLE_RETURN_IF_ERROR(sorter.SortLine(Offset(index, lines.outer_strides)));
  } while (NextIndex(lines.outer_dims, absl::MakeSpan(index)));
  return context.ArrayOrTuple(std::move(results));
}

// The k first of each line of the last dimension, largest (or smallest) first, floats in the total
// order (NaN is the largest); equal ones by position.
absl::StatusOr<Value> RunTopK(StepContext& context) {
  const auto& attributes = context.instruction().As<hlo::TopKAttributes>();
  const hlo::Literal& operand = context.array(0);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal values, context.Zeros(context.result().tuple_shape(0)));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal positions, context.Zeros(context.result().tuple_shape(1)));
  const hlo::ElementType type = operand.shape().element_type();
  const BinaryLoop before = FindCompare(
      attributes.largest ? hlo::ComparisonDirection::kGt : hlo::ComparisonDirection::kLt,
      hlo::IsFloat(type) ? hlo::ComparisonType::kTotalOrder : hlo::ComparisonType::kUnset, type);
  const int64_t length = operand.shape().dimensions().back();
  const int width = WidthOf(operand);
  std::vector<int64_t> order(length);
  for (int64_t line = 0; length > 0 && line < operand.element_count() / length; ++line) {
    const std::byte* row = ElementAt(operand, line * length);
    std::iota(order.begin(), order.end(), int64_t{0});
    MergeSort(order, [&](int64_t a, int64_t b) {
      bool first = false;
      before(row + a * width, row + b * width, &first, 1);
      return first;
    });
    for (int64_t k = 0; k < attributes.k; ++k) {
      std::memcpy(ElementAt(values, line * attributes.k + k), row + order[k] * width, width);
      positions.data<int32_t>()[line * attributes.k + k] = static_cast<int32_t>(order[k]);
    }
  }
  std::vector<hlo::Literal> results;
  results.push_back(std::move(values));
  results.push_back(std::move(positions));
  return context.ArrayOrTuple(std::move(results));
}

}  // namespace axle::eval
