// SPDX-License-Identifier: Apache-2.0
// reduce and map: a scalar computation over whole arrays.
#include <algorithm>
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

}  // namespace

// Result = init; then for each position of the reduced dimensions, in row-major order, result =
// combiner(result, operand there). The operand is first brought into the order (reduced dimensions,
// kept dimensions), so that one position is a dense row that combines with all results at once.
absl::StatusOr<Value> RunReduce(StepContext& context) {
  const size_t count = context.operands.size() / 2;
  const DimsView dims = context.array(0).shape().dimensions();
  const auto& reduced = context.instruction().As<hlo::DimensionsAttributes>().dimensions;
  const Dims kept = OtherDims(static_cast<int64_t>(dims.size()), reduced);
  const Dims order = Concat(OtherDims(static_cast<int64_t>(dims.size()), kept), kept);
  const int64_t steps = Product(Select(dims, reduced));
  const int64_t outputs = Product(Select(dims, kept));

  std::vector<hlo::Literal> rows, results;
  for (size_t i = 0; i < count; ++i) {
    const hlo::Shape shape = context.result().IsTuple()
                                 ? context.result().tuple_shape(static_cast<int>(i))
                                 : context.result();
    AXLE_ASSIGN_OR_RETURN(hlo::Literal result, context.Zeros(shape));
    FillWith(context.array(static_cast<int>(count + i)), result);
    results.push_back(std::move(result));
    AXLE_ASSIGN_OR_RETURN(hlo::Literal ordered,
                          context.Zeros(context.array(static_cast<int>(i)).shape()));
    CopyPermuted(context.array(static_cast<int>(i)), order, ordered);
    rows.push_back(std::move(ordered));
  }

  ScalarFunction combine(context.run, *context.step.called[0], std::min(outputs, kBlock));
  std::vector<const void*> parameters(2 * count);
  std::vector<void*> combined(count);
  for (int64_t first = 0; first < outputs; first += kBlock) {
    const int64_t n = std::min(kBlock, outputs - first);
    for (size_t i = 0; i < count; ++i) parameters[i] = combined[i] = ElementAt(results[i], first);
    for (int64_t step = 0; step < steps; ++step) {
      for (size_t i = 0; i < count; ++i) {
        parameters[count + i] = ElementAt(rows[i], step * outputs + first);
      }
      AXLE_RETURN_IF_ERROR(combine.Call(parameters, absl::MakeSpan(combined), n));
    }
  }
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
