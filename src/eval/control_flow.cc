// SPDX-License-Identifier: Apache-2.0
// Tuples, calls, branches and loops.
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/operations.h"

namespace axle::eval {

absl::StatusOr<Value> RunForward(StepContext& context) { return std::move(context.operands[0]); }

absl::StatusOr<Value> RunTuple(StepContext& context) {
  std::vector<Value> elements;
  elements.reserve(context.operands.size());
  for (Value& operand : context.operands) elements.push_back(std::move(operand));
  return Value::Tuple(std::move(elements));
}

absl::StatusOr<Value> RunGetTupleElement(StepContext& context) {
  const int64_t index = context.instruction().As<hlo::GetTupleElementAttributes>().index;
  return context.operands[0].elements()[index];
}

absl::StatusOr<Value> RunAfterAll(StepContext&) { return Value(); }

absl::StatusOr<Value> RunCall(StepContext& context) {
  return context.run.Call(*context.step.called[0], context.operands);
}

// Operand 0 picks the branch, operand 1 + i is the argument of branch i. A pred picks branch 0 when
// true; an index out of range picks the last branch.
absl::StatusOr<Value> RunConditional(StepContext& context) {
  const hlo::Literal& selector = context.array(0);
  const int64_t count = static_cast<int64_t>(context.step.called.size());
  int64_t branch;
  if (selector.shape().element_type() == hlo::ElementType::kPred) {
    branch = selector.data<bool>()[0] ? 0 : 1;
  } else {
    branch = selector.data<int32_t>()[0];
    if (branch < 0 || branch >= count) branch = count - 1;
  }
  return context.run.Call(*context.step.called[branch], context.operands.subspan(1 + branch, 1));
}

// called: body, condition.
absl::StatusOr<Value> RunWhile(StepContext& context) {
  Value state = std::move(context.operands[0]);
  while (true) {
    Value condition_argument = state;
    AXLE_ASSIGN_OR_RETURN(const Value go_on,
                          context.run.Call(*context.step.called[1], {&condition_argument, 1}));
    if (!go_on.array().data<bool>()[0]) return state;
    AXLE_ASSIGN_OR_RETURN(state, context.run.Call(*context.step.called[0], {&state, 1}));
  }
}

}  // namespace axle::eval
