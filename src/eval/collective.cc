// SPDX-License-Identifier: Apache-2.0
// Operations between devices, where the program runs on one (operations.cc refuses them for more):
// every group is this device alone. And asynchronous pairs, which run when they start.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/operations.h"

namespace axle::eval {
namespace {

// Zeros of a part of the result that carries nothing, such as the u32 context of a start.
absl::StatusOr<Value> ZeroValue(StepContext& context, const hlo::Shape& shape) {
  if (shape.IsTuple()) {
    std::vector<Value> elements;
    for (const hlo::Shape& element : shape.tuple_shapes()) {
      AXLE_ASSIGN_OR_RETURN(Value value, ZeroValue(context, element));
      elements.push_back(std::move(value));
    }
    return Value::Tuple(std::move(elements));
  }
  if (!shape.IsArray()) return Value();
  AXLE_ASSIGN_OR_RETURN(hlo::Literal zeros, context.Zeros(shape));
  return context.Array(std::move(zeros));
}

Value OneOrTuple(StepContext& context) {
  if (context.operands.size() == 1 && !context.result().IsTuple()) {
    return std::move(context.operands[0]);
  }
  return Value::Tuple({context.operands.begin(), context.operands.end()});
}

// A tuple of the first elements given and zeros for the rest of the result's elements.
absl::StatusOr<Value> StartTuple(StepContext& context, std::vector<Value> elements) {
  const auto shapes = context.result().tuple_shapes();
  for (size_t i = elements.size(); i < shapes.size(); ++i) {
    AXLE_ASSIGN_OR_RETURN(Value value, ZeroValue(context, shapes[i]));
    elements.push_back(std::move(value));
  }
  return Value::Tuple(std::move(elements));
}

// Of a collective-permute; what nobody sends to is zero.
bool ReceivesItsOwn(const StepContext& context) {
  const auto& pairs =
      context.instruction().As<hlo::CollectivePermuteAttributes>().source_target_pairs.pairs;
  return std::find(pairs.begin(), pairs.end(), std::pair<int64_t, int64_t>(0, 0)) != pairs.end();
}

}  // namespace

absl::StatusOr<Value> RunDeviceNumber(StepContext& context) {
  return ZeroValue(context, context.result());
}

absl::StatusOr<Value> RunLoneCollective(StepContext& context) { return OneOrTuple(context); }

absl::StatusOr<Value> RunCollectivePermute(StepContext& context) {
  if (ReceivesItsOwn(context)) return OneOrTuple(context);
  return ZeroValue(context, context.result());
}

// The result itself, or a tuple (operands, result, contexts…), as the declared shape says.
absl::StatusOr<Value> RunCollectiveStart(StepContext& context) {
  std::vector<hlo::Shape> shapes;
  for (size_t i = 0; i < context.operands.size(); ++i) {
    shapes.push_back(context.operand_shape(static_cast<int>(i)));
  }
  const hlo::Shape shape = shapes.size() == 1 ? shapes[0] : hlo::Shape::Tuple(std::move(shapes));
  Value operands = context.operands.size() == 1
                       ? context.operands[0]
                       : Value::Tuple({context.operands.begin(), context.operands.end()});
  Value result = operands;
  if (context.instruction().opcode == hlo::Opcode::kCollectivePermuteStart &&
      !ReceivesItsOwn(context)) {
    AXLE_ASSIGN_OR_RETURN(result, ZeroValue(context, shape));
  }
  if (hlo::Compatible(shape, context.result())) return result;
  return StartTuple(context, {std::move(operands), std::move(result)});
}

absl::StatusOr<Value> RunCollectiveDone(StepContext& context) {
  if (hlo::Compatible(context.operand_shape(0), context.result())) {
    return std::move(context.operands[0]);
  }
  return context.operands[0].elements()[1];
}

// copy-start: (target, source, context).
absl::StatusOr<Value> RunCopyStart(StepContext& context) {
  return StartTuple(context, {context.operands[0], context.operands[0]});
}

absl::StatusOr<Value> RunFirstElement(StepContext& context) {
  return context.operands[0].elements()[0];
}

absl::StatusOr<Value> RunSecondElement(StepContext& context) {
  return context.operands[0].elements()[1];
}

// async-start: (operands, results, contexts…).
absl::StatusOr<Value> RunAsyncStart(StepContext& context) {
  Value operands = Value::Tuple({context.operands.begin(), context.operands.end()});
  AXLE_ASSIGN_OR_RETURN(Value result, RunCall(context));
  return StartTuple(context, {std::move(operands), std::move(result)});
}

}  // namespace axle::eval
