// SPDX-License-Identifier: Apache-2.0
// Calls of a computation on scalars: combiners, comparators, what map applies. A compiled scalar
// program where there is one, else the interpreter once a call.
#ifndef AXLE_EVAL_SCALAR_FUNCTION_H_
#define AXLE_EVAL_SCALAR_FUNCTION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "eval/plan.h"
#include "eval/run.h"
#include "eval/scalar_program.h"

namespace axle::eval {

class ScalarFunction {
 public:
  // Up to `capacity` calls at once. `run` and `plan` must outlive it.
  ScalarFunction(Run& run, const ComputationPlan& plan, int64_t capacity = 1);

  int64_t capacity() const { return capacity_; }

  // n <= capacity() independent calls: one dense row of n elements a parameter and a leaf of the
  // result. A result row may be a parameter row, from the same address.
  absl::Status Call(absl::Span<const void* const> parameters, absl::Span<void* const> results,
                    int64_t n = 1) {
    if (!state_) return Interpret(parameters, results, n);
    plan_.scalar_program->Run(*state_, parameters, results, n);
    return absl::OkStatus();
  }

 private:
  absl::Status Interpret(absl::Span<const void* const> parameters, absl::Span<void* const> results,
                         int64_t n);

  class Run& run_;
  const ComputationPlan& plan_;
  int64_t capacity_;
  std::optional<ScalarProgram::State> state_;
  std::vector<hlo::Shape> parameter_shapes_;  // where it interprets
};

}  // namespace axle::eval

#endif  // AXLE_EVAL_SCALAR_FUNCTION_H_
