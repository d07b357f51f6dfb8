// SPDX-License-Identifier: Apache-2.0
// custom-call: a function of the registry that the evaluator was given.
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "custom_calls/registry.h"
#include "eval/operations.h"

namespace axle::eval {

absl::StatusOr<Value> RunCustomCall(StepContext& context) {
  std::vector<hlo::Literal> literals;  // of what is no array
  std::vector<const hlo::Literal*> operands;
  literals.reserve(context.operands.size());
  for (size_t i = 0; i < context.operands.size(); ++i) {
    if (context.operands[i].is_array()) {
      operands.push_back(&context.operands[i].array());
      continue;
    }
    AXLE_ASSIGN_OR_RETURN(
        hlo::Literal literal,
        Value::ToLiteral(std::move(context.operands[i]), context.operand_shape(static_cast<int>(i)),
                         context.run.meter()));
    literals.push_back(std::move(literal));
    operands.push_back(&literals.back());
  }
  AXLE_ASSIGN_OR_RETURN(const int64_t bytes, context.result().ByteSize());
  AXLE_RETURN_IF_ERROR(context.run.meter().Check(bytes));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result,
                        context.step.target->compute(context.instruction(), operands));
  return Value::Of(std::move(result), context.run.meter());
}

}  // namespace axle::eval
