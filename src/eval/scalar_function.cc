// SPDX-License-Identifier: Apache-2.0
#include "eval/scalar_function.h"

#include <cstddef>
#include <cstring>
#include <utility>

#include "base/status_macros.h"

namespace axle::eval {

ScalarFunction::ScalarFunction(class Run& run, const ComputationPlan& plan, int64_t capacity)
    : run_(run), plan_(plan), capacity_(capacity) {
  if (plan.scalar_program != nullptr) {
    state_.emplace(*plan.scalar_program, capacity);
    return;
  }
  for (hlo::InstructionIndex i : hlo::ParameterIndices(*plan.computation)) {
    parameter_shapes_.push_back(plan.computation->instructions[i].shape);
  }
}

absl::Status ScalarFunction::Interpret(absl::Span<const void* const> parameters,
                                       absl::Span<void* const> results, int64_t n) {
  // All calls read before any writes, since rows may be shared.
  std::vector<Value> outcomes;
  for (int64_t i = 0; i < n; ++i) {
    std::vector<Value> arguments;
    for (size_t p = 0; p < parameter_shapes_.size(); ++p) {
      AXLE_ASSIGN_OR_RETURN(hlo::Literal scalar, hlo::Literal::Zeros(parameter_shapes_[p]));
      const size_t width = scalar.bytes().size();
      std::memcpy(scalar.bytes().data(), static_cast<const std::byte*>(parameters[p]) + i * width,
                  width);
      arguments.push_back(Value::Array(std::move(scalar), run_.meter()));
    }
    AXLE_ASSIGN_OR_RETURN(Value outcome, run_.Call(plan_, absl::MakeSpan(arguments)));
    outcomes.push_back(std::move(outcome));
  }
  for (int64_t i = 0; i < n; ++i) {
    for (size_t r = 0; r < results.size(); ++r) {
      const Value& leaf = outcomes[i].is_array() ? outcomes[i] : outcomes[i].elements()[r];
      const absl::Span<const std::byte> bytes = leaf.array().bytes();
      std::memcpy(static_cast<std::byte*>(results[r]) + i * bytes.size(), bytes.data(),
                  bytes.size());
    }
  }
  return absl::OkStatus();
}

}  // namespace axle::eval
