// SPDX-License-Identifier: Apache-2.0
// scan: a computation along one dimension. Turn i takes slice i of every input and the carries, and
// gives slice i of every output and the next carries; in reverse, the last slice comes first.
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"

namespace axle::eval {
namespace {

// Copies slice `i` along `dimension` between an array and a dense slice of it.
struct SliceCopy {
  Dims dims, array_strides, slice_strides;  // of the dimensions that a slice has
  int64_t step;                             // elements from one slice to the next

  SliceCopy(DimsView array_dims, int64_t dimension) {
    const Dims kept = OtherDims(static_cast<int64_t>(array_dims.size()), {dimension});
    const Dims strides = RowMajorStrides(array_dims);
    dims = Select(array_dims, kept);
    array_strides = Select(strides, kept);
    slice_strides = RowMajorStrides(dims);
    step = strides[dimension];
  }

  void Out(const hlo::Literal& array, int64_t i, hlo::Literal& slice) const {
    if (slice.element_count() == 0) return;
    CopyStrided(WidthOf(array), dims, {ElementAt(array, i * step), array_strides},
                {slice.bytes().data(), slice_strides});
  }
  void In(const hlo::Literal& slice, int64_t i, hlo::Literal& array) const {
    if (slice.element_count() == 0) return;
    CopyStrided(WidthOf(array), dims, {slice.bytes().data(), slice_strides},
                {ElementAt(array, i * step), array_strides});
  }
};

}  // namespace

absl::StatusOr<Value> RunScan(StepContext& context) {
  const auto& attributes = context.instruction().As<hlo::ScanAttributes>();
  const int64_t dimension = attributes.dimensions[0];
  const size_t carries = static_cast<size_t>(attributes.num_carries);
  const size_t inputs = context.operands.size() - carries;
  const int64_t length = context.array(0).shape().dimension(static_cast<int>(dimension));
  const bool tuple = context.result().IsTuple();
  const size_t outputs = (tuple ? context.result().tuple_shapes().size() : 1) - carries;

  std::vector<hlo::Literal> stacked;
  for (size_t i = 0; i < outputs; ++i) {
    AXLE_ASSIGN_OR_RETURN(hlo::Literal array,
                          context.Zeros(tuple ? context.result().tuple_shape(static_cast<int>(i))
                                              : context.result()));
    stacked.push_back(std::move(array));
  }
  std::vector<Value> state;
  for (size_t i = 0; i < carries; ++i) state.push_back(std::move(context.operands[inputs + i]));
  for (int64_t turn = 0; turn < length; ++turn) {
    const int64_t at = attributes.is_reverse ? length - 1 - turn : turn;
    std::vector<Value> arguments;
    for (size_t i = 0; i < inputs; ++i) {
      const hlo::Literal& input = context.array(static_cast<int>(i));
      const SliceCopy copy(input.shape().dimensions(), dimension);
      AXLE_ASSIGN_OR_RETURN(hlo::Literal slice, context.Zeros(hlo::Shape::Array(
                                                    input.shape().element_type(), copy.dims)));
      copy.Out(input, at, slice);
      arguments.push_back(context.Array(std::move(slice)));
    }
    for (Value& carry : state) arguments.push_back(std::move(carry));
    AXLE_ASSIGN_OR_RETURN(const Value returned,
                          context.run.Call(*context.step.called[0], absl::MakeSpan(arguments)));
    const absl::Span<const Value> results =
        returned.is_array() ? absl::MakeConstSpan(&returned, 1) : returned.elements();
    for (size_t i = 0; i < outputs; ++i) {
      SliceCopy(stacked[i].shape().dimensions(), dimension).In(results[i].array(), at, stacked[i]);
    }
    state.assign(results.begin() + outputs, results.end());
  }

  std::vector<Value> elements;
  for (hlo::Literal& array : stacked) elements.push_back(context.Array(std::move(array)));
  for (Value& carry : state) elements.push_back(std::move(carry));
  return tuple ? Value::Tuple(std::move(elements)) : std::move(elements[0]);
}

}  // namespace axle::eval
