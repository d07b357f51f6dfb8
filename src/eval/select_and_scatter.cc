// SPDX-License-Identifier: Apache-2.0
// select-and-scatter: for each place of a window over the operand, `select` picks one element, and
// `scatter` combines the source's element of that place into the result there.
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

// Linear index of the element under the window, or -1 on padding.
int64_t ElementUnder(const std::vector<hlo::WindowDimension>& window, DimsView place,
                     DimsView offset, DimsView dims, DimsView strides) {
  int64_t element = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t position = WindowPosition(window[d], place[d], offset[d], dims[d]);
    if (position < 0) return -1;
    element += position * strides[d];
  }
  return element;
}

}  // namespace

// called: select(kept, candidate) -> whether to keep, scatter(result, source).
absl::StatusOr<Value> RunSelectAndScatter(StepContext& context) {
  const hlo::Literal& operand = context.array(0);
  const hlo::Literal& source = context.array(1);
  const DimsView dims = operand.shape().dimensions();
  const Dims strides = RowMajorStrides(dims);
  const auto& window = context.instruction().As<hlo::WindowAttributes>().window.dimensions;
  Dims sizes;
  for (const hlo::WindowDimension& dimension : window) sizes.push_back(dimension.size);

  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, context.Zeros(context.result()));
  FillWith(context.array(2), result);
  ScalarFunction select(context.run, *context.step.called[0]);
  ScalarFunction scatter(context.run, *context.step.called[1]);
  if (source.element_count() == 0) return context.Array(std::move(result));
  Dims place(dims.size(), 0);
  int64_t source_element = 0;
  do {
    int64_t selected = -1;
    Dims offset(dims.size(), 0);
    do {
      const int64_t candidate = ElementUnder(window, place, offset, dims, strides);
      if (candidate < 0) continue;
      bool keep = false;
      if (selected >= 0) {
        void* answer = &keep;
        AXLE_RETURN_IF_ERROR(select.Call(
            {ElementAt(operand, selected), ElementAt(operand, candidate)}, {&answer, 1}));
      }
      if (!keep) selected = candidate;
    } while (NextIndex(sizes, absl::MakeSpan(offset)));
    if (selected >= 0) {
      void* target = ElementAt(result, selected);
      AXLE_RETURN_IF_ERROR(scatter.Call({target, ElementAt(source, source_element)}, {&target, 1}));
    }
    ++source_element;
  } while (NextIndex(source.shape().dimensions(), absl::MakeSpan(place)));
  return context.Array(std::move(result));
}

}  // namespace axle::eval
