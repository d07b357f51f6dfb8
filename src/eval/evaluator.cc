// SPDX-License-Identifier: Apache-2.0
#include "eval/evaluator.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "eval/errors.h"
#include "eval/operations.h"
#include "eval/plan.h"
#include "eval/run.h"

namespace axle::eval {

Evaluator::Evaluator(std::shared_ptr<const hlo::Module> module, EvaluatorOptions options)
    : module_(std::move(module)), options_(std::move(options)) {}
Evaluator::~Evaluator() = default;

absl::StatusOr<std::unique_ptr<Evaluator>> Evaluator::Create(
    std::shared_ptr<const hlo::Module> module, EvaluatorOptions options) {
  if (options.custom_calls == nullptr) {
    auto registry = std::make_shared<custom_calls::Registry>();
    custom_calls::AddShardingTargets(registry.get());
    options.custom_calls = std::move(registry);
  }
  auto evaluator = absl::WrapUnique(new Evaluator(std::move(module), std::move(options)));
  AXLE_ASSIGN_OR_RETURN(evaluator->plan_,
                        BuildPlan(*evaluator->module_, *evaluator->options_.custom_calls));
  return evaluator;
}

absl::StatusOr<hlo::Literal> Evaluator::Run(absl::Span<const hlo::Literal* const> arguments,
                                            const RunOptions& options) const {
  const hlo::Computation& entry = module_->entry_computation();
  const std::vector<hlo::InstructionIndex> parameters = hlo::ParameterIndices(entry);
  if (arguments.size() != parameters.size()) {
    return MakeError(errors::kArgument,
                     absl::StrCat(entry.name, " takes ", parameters.size(), " arguments; ",
                                  arguments.size(), " were given"));
  }
  std::vector<Value> values;
  values.reserve(arguments.size());
  class Run run(options_, options);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const hlo::Shape& declared = entry.instructions[parameters[i]].shape;
    if (!hlo::Compatible(arguments[i]->shape(), declared)) {
      return MakeError(errors::kArgument,
                       absl::StrCat("argument ", i, " of ", entry.name, " has shape ",
                                    arguments[i]->shape().ToString(false), "; declared is ",
                                    declared.ToString(false)));
    }
    values.push_back(Value::Borrowed(*arguments[i]));
  }
  AXLE_ASSIGN_OR_RETURN(Value result, run.Call(*plan_->entry, absl::MakeSpan(values)));
  return Value::ToLiteral(std::move(result), entry.root_instruction().shape, run.meter());
}

}  // namespace axle::eval
