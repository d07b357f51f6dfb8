// SPDX-License-Identifier: Apache-2.0
// reduce and map: a scalar computation over whole arrays.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"
#include "eval/scalar_function.h"

namespace axle::eval {
namespace {

constexpr int64_t kBlock = 1024;

// Combines rows of the operands' elements, one row an operand. Which elements are combined first is
// up to the implementation; this one keeps their order and, for long reductions, splits it into
// lanes, which bounds the growth of rounding errors:
//
//   elements 0 … steps - 1 of every result are laid out as steps = chunk * lanes + rest, with a
//   chunk of 32 or a few more;
//   lane l combines elements l * chunk … (l + 1) * chunk - 1 one by one; all lanes run at once;
//   neighbouring lanes combine in pairs until one is left; then init comes in front and the rest
//   behind.
class Reduction {
 public:
  Reduction(StepContext& context, int64_t steps, int64_t outputs)
      : context_(context),
        count_(context.operands.size() / 2),
        outputs_(outputs),
        lanes_(std::max<int64_t>(1, steps / kChunk)),
        chunk_(steps / lanes_),
        rest_(steps - lanes_ * chunk_),
        combine_(context.run, *context.step.called[0], std::min(lanes_ * outputs, kBlock)) {}

  absl::StatusOr<std::vector<hlo::Literal>> Run(const Dims& order) {
    std::vector<hlo::Literal> results;
    for (size_t i = 0; i < count_; ++i) {
      AXLE_RETURN_IF_ERROR(LayOut(context_.array(static_cast<int>(i)), order));
      AXLE_ASSIGN_OR_RETURN(hlo::Literal result, context_.Zeros(ShapeOf(i)));
      FillWith(context_.array(static_cast<int>(count_ + i)), result);
      results.push_back(std::move(result));
    }
    const Rows result = RowsOf(results, 0);
    if (chunk_ > 0) {
      const int64_t row = lanes_ * outputs_;
      for (int64_t k = 1; k < chunk_; ++k) {
        AXLE_RETURN_IF_ERROR(Combine(RowsOf(elements_, 0), RowsOf(elements_, k * row), row));
      }
      AXLE_RETURN_IF_ERROR(CombineLanes());
      AXLE_RETURN_IF_ERROR(Combine(result, RowsOf(elements_, 0), outputs_));
    }
    for (int64_t k = 0; k < rest_; ++k) {
      AXLE_RETURN_IF_ERROR(
          Combine(result, RowsOf(elements_, (lanes_ * chunk_ + k) * outputs_), outputs_));
    }
    return results;
  }

 private:
  using Rows = absl::InlinedVector<std::byte*, 4>;  // one an operand

  static constexpr int64_t kChunk = 32;

  const hlo::Shape& ShapeOf(size_t i) const {
    const hlo::Shape& shape = context_.result();
    return shape.IsTuple() ? shape.tuple_shape(static_cast<int>(i)) : shape;
  }

  static Rows RowsOf(std::vector<hlo::Literal>& arrays, int64_t element) {
    Rows rows;
    for (hlo::Literal& array : arrays) rows.push_back(ElementAt(array, element));
    return rows;
  }

  // Elements in the order (reduced dimensions, kept dimensions), then (chunk, lane, output).
  absl::Status LayOut(const hlo::Literal& operand, const Dims& order) {
    AXLE_ASSIGN_OR_RETURN(hlo::Literal ordered, context_.Zeros(operand.shape()));
    CopyPermuted(operand, order, ordered);
    if (lanes_ > 1) {
      AXLE_ASSIGN_OR_RETURN(hlo::Literal laid_out, context_.Zeros(operand.shape()));
      const int width = WidthOf(operand);
      CopyStrided(width, {chunk_, lanes_, outputs_},
                  {ordered.bytes().data(), {outputs_, chunk_ * outputs_, 1}},
                  {laid_out.bytes().data(), {lanes_ * outputs_, outputs_, 1}});
      const int64_t done = lanes_ * chunk_ * outputs_;
      std::memcpy(ElementAt(laid_out, done), ElementAt(ordered, done), rest_ * outputs_ * width);
      ordered = std::move(laid_out);
    }
    elements_.push_back(std::move(ordered));
    return absl::OkStatus();
  }

  // Lane 0 becomes the combination of all lanes.
  absl::Status CombineLanes() {
    for (int64_t distance = 1; distance < lanes_; distance *= 2) {
      for (int64_t lane = 0; lane + distance < lanes_; lane += 2 * distance) {
        AXLE_RETURN_IF_ERROR(Combine(RowsOf(elements_, lane * outputs_),
                                     RowsOf(elements_, (lane + distance) * outputs_), outputs_));
      }
    }
    return absl::OkStatus();
  }

  // left[i] = combiner(left[i], right[i]) for i < n.
  absl::Status Combine(const Rows& left, const Rows& right, int64_t n) {
    absl::InlinedVector<const void*, 8> parameters(2 * count_);
    absl::InlinedVector<void*, 4> combined(count_);
    for (int64_t first = 0; first < n; first += kBlock) {
      for (size_t i = 0; i < count_; ++i) {
        const int64_t offset = first * WidthOf(elements_[i]);
        parameters[i] = combined[i] = left[i] + offset;
        parameters[count_ + i] = right[i] + offset;
      }
      AXLE_RETURN_IF_ERROR(
          combine_.Call(parameters, absl::MakeSpan(combined), std::min(kBlock, n - first)));
    }
    return absl::OkStatus();
  }

  StepContext& context_;
  const size_t count_;
  const int64_t outputs_, lanes_, chunk_, rest_;
  ScalarFunction combine_;
  std::vector<hlo::Literal> elements_;
};

}  // namespace

// Operands, then an initial value each.
absl::StatusOr<Value> RunReduce(StepContext& context) {
  const DimsView dims = context.array(0).shape().dimensions();
  const int64_t rank = static_cast<int64_t>(dims.size());
  const auto& named = context.instruction().As<hlo::DimensionsAttributes>().dimensions;
  const Dims kept = OtherDims(rank, named);
  const Dims reduced = OtherDims(rank, kept);  // ascending
  const int64_t outputs = Product(Select(dims, kept));
  if (outputs == 0) {
    AXLE_ASSIGN_OR_RETURN(hlo::Literal empty, hlo::Literal::Zeros(context.result()));
    if (!empty.IsTuple()) return context.Array(std::move(empty));
    return context.ArrayOrTuple({empty.elements().begin(), empty.elements().end()});
  }
  Reduction reduction(context, Product(Select(dims, reduced)), outputs);
  AXLE_ASSIGN_OR_RETURN(std::vector<hlo::Literal> results, reduction.Run(Concat(reduced, kept)));
  return context.ArrayOrTuple(std::move(results));
}

absl::StatusOr<Value> RunMap(StepContext& context) {
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, context.Zeros(context.result()));
  const int64_t elements = result.element_count();
  ScalarFunction function(context.run, *context.step.called[0], std::min(elements, kBlock));
  std::vector<const void*> parameters(context.operands.size());
  for (int64_t first = 0; first < elements; first += kBlock) {
    for (size_t i = 0; i < parameters.size(); ++i) {
      parameters[i] = ElementAt(context.array(static_cast<int>(i)), first);
    }
    void* row = ElementAt(result, first);
    AXLE_RETURN_IF_ERROR(function.Call(parameters, {&row, 1}, std::min(kBlock, elements - first)));
  }
  return context.Array(std::move(result));
}

}  // namespace axle::eval
