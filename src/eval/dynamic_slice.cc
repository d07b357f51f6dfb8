// SPDX-License-Identifier: Apache-2.0
// Slices whose starts are operands. A start that would let the slice stick out is moved to the
// nearest place where it fits.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/status_macros.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"

namespace axle::eval {
namespace {

// Clamped starts from scalars, or from one array of all starts (an older form).
template <typename Operand>
Dims Starts(int count, Operand operand, DimsView dims, DimsView sizes) {
  Dims starts(dims.size(), 0);
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool one_array = count == 1 && operand(0).shape().rank() == 1;
    const int64_t start = one_array ? IntegerAt(operand(0), i) : IntegerAt(operand(i), 0);
    starts[i] = std::clamp<int64_t>(start, 0, dims[i] - sizes[i]);
  }
  return starts;
}

}  // namespace

absl::StatusOr<hlo::Literal> EvalDynamicSlice(const KernelArgs& args) {
  const hlo::Literal& operand = args.operand(0);
  const DimsView dims = operand.shape().dimensions();
  const DimsView sizes = args.result().dimensions();
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  if (result.element_count() == 0) return result;
  const Dims starts = Starts(
      static_cast<int>(args.operands.size()) - 1,
      [&](int i) -> const hlo::Literal& { return args.operand(1 + i); }, dims, sizes);
  const Dims from = RowMajorStrides(dims);
  const int width = hlo::ByteWidth(args.result().element_type());
  CopyStrided(width, sizes, {operand.bytes().data() + Offset(starts, from) * width, from},
              {result.bytes().data(), RowMajorStrides(sizes)});
  return result;
}

// Changes operand 0 in place where this is its last use.
absl::StatusOr<Value> RunDynamicUpdateSlice(StepContext& context) {
  const hlo::Literal& update = context.array(1);
  const DimsView sizes = update.shape().dimensions();
  const Dims starts = Starts(
      static_cast<int>(context.operands.size()) - 2,
      [&](int i) -> const hlo::Literal& { return context.array(2 + i); },
      context.result().dimensions(), sizes);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal array, context.Take(0));
  if (update.element_count() > 0) {
    const Dims to = RowMajorStrides(context.result().dimensions());
    const int width = hlo::ByteWidth(context.result().element_type());
    CopyStrided(width, sizes, {update.bytes().data(), RowMajorStrides(sizes)},
                {array.bytes().data() + Offset(starts, to) * width, to});
  }
  return context.Array(std::move(array));
}

}  // namespace axle::eval
