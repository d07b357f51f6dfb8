// SPDX-License-Identifier: Apache-2.0
#include "eval/run.h"

#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/errors.h"

namespace axle::eval {

absl::Status Run::Cancelled() { return MakeError(errors::kCancelled, "the run was asked to stop"); }

absl::StatusOr<Value> Run::Call(const ComputationPlan& plan, absl::Span<Value> arguments) {
  AXLE_RETURN_IF_ERROR(CheckCancelled());
  std::vector<Value> slots(plan.slot_count);
  for (const auto& [slot, value] : plan.constants) slots[slot] = value;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const uint32_t slot = plan.parameter_slots[i];
    Value argument = std::move(arguments[i]);
    if (slot != ComputationPlan::kNoSlot) slots[slot] = std::move(argument);
  }
  for (const Step& step : plan.steps) {
    AXLE_RETURN_IF_ERROR(RunStep(step, absl::MakeSpan(slots)));
  }
  return std::move(slots[plan.root_slot]);
}

absl::Status Run::RunStep(const Step& step, absl::Span<Value> slots) {
  AXLE_ASSIGN_OR_RETURN(slots[step.slot], step.operation.kernel != nullptr
                                              ? RunKernel(step, slots)
                                              : RunFunction(step, slots));
  return absl::OkStatus();
}

absl::StatusOr<Value> Run::RunKernel(const Step& step, absl::Span<Value> slots) {
  AXLE_RETURN_IF_ERROR(meter_.Check(step.result_bytes));
  absl::InlinedVector<const hlo::Literal*, 6> operands;
  for (uint32_t slot : step.operands) operands.push_back(&slots[slot].array());
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result,
                        step.operation.kernel(KernelArgs{*step.instruction, operands}));
  for (size_t i = 0; i < step.operands.size(); ++i) {
    if (step.last_use[i]) slots[step.operands[i]] = Value();
  }
  return Value::Array(std::move(result), meter_);
}

absl::StatusOr<Value> Run::RunFunction(const Step& step, absl::Span<Value> slots) {
  absl::InlinedVector<Value, 6> operands;
  for (size_t i = 0; i < step.operands.size(); ++i) {
    Value& operand = slots[step.operands[i]];
    operands.push_back(step.last_use[i] ? std::move(operand) : operand);
  }
  StepContext context{*this, step, absl::MakeSpan(operands)};
  return step.operation.function(context);
}

absl::StatusOr<hlo::Literal> StepContext::Zeros(const hlo::Shape& shape) const {
  AXLE_ASSIGN_OR_RETURN(const int64_t bytes, shape.ByteSize());
  AXLE_RETURN_IF_ERROR(run.meter().Check(bytes));
  return hlo::Literal::Zeros(shape);
}

absl::StatusOr<hlo::Literal> StepContext::Take(int i) const {
  return Value::TakeArray(std::move(operands[i]), run.meter());
}

Value StepContext::ArrayOrTuple(std::vector<hlo::Literal> literals) const {
  if (!result().IsTuple()) return Array(std::move(literals[0]));
  std::vector<Value> elements;
  elements.reserve(literals.size());
  for (hlo::Literal& literal : literals) elements.push_back(Array(std::move(literal)));
  return Value::Tuple(std::move(elements));
}

}  // namespace axle::eval
