// SPDX-License-Identifier: Apache-2.0
// One run of a plan: its state, and the interpreter.
#ifndef AXLE_EVAL_RUN_H_
#define AXLE_EVAL_RUN_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "eval/evaluator.h"
#include "eval/plan.h"
#include "eval/value.h"

namespace axle::eval {

class Run {
 public:
  Run(const EvaluatorOptions& options, const RunOptions& run_options)
      : meter_(options.max_bytes),
        options_(run_options),
        random_state_(static_cast<unsigned __int128>(run_options.rng_seed) << 64) {}

  // Runs a computation on its arguments, which are taken.
  absl::StatusOr<Value> Call(const ComputationPlan& plan, absl::Span<Value> arguments);

  absl::Status CheckCancelled() const {
    return options_.cancelled && options_.cancelled() ? Cancelled() : absl::OkStatus();
  }
  MemoryMeter& meter() { return meter_; }
  // Where rng and rng-get-and-update-state stand; they advance it. It starts with the seed as its
  // high word, so that no two seeds draw the same within 2^64 steps.
  unsigned __int128& random_state() { return random_state_; }

 private:
  static absl::Status Cancelled();
  absl::Status RunStep(const Step& step, absl::Span<Value> slots);
  absl::StatusOr<Value> RunKernel(const Step& step, absl::Span<Value> slots);
  absl::StatusOr<Value> RunFunction(const Step& step, absl::Span<Value> slots);

  MemoryMeter meter_;
  const RunOptions& options_;
  unsigned __int128 random_state_;
};

// What a StepFunction gets.
struct StepContext {
  Run& run;
  const Step& step;
  absl::Span<Value> operands;  // the function's own: an operand's last user is its only owner here

  const hlo::Instruction& instruction() const { return *step.instruction; }
  const hlo::Shape& result() const { return step.instruction->shape; }
  // As declared, with its layout; array(i).shape() agrees but for that.
  const hlo::Shape& operand_shape(int i) const {
    return step.computation->instructions[step.instruction->operands[i]].shape;
  }
  const hlo::Literal& array(int i) const { return operands[i].array(); }
  // Zeros for a result, within the memory limit.
  absl::StatusOr<hlo::Literal> Zeros(const hlo::Shape& shape) const;
  // Operand i, taken out where possible, else copied.
  absl::StatusOr<hlo::Literal> Take(int i) const;
  Value Array(hlo::Literal literal) const { return Value::Array(std::move(literal), run.meter()); }
  // One array, or a tuple of arrays where the result is one.
  Value ArrayOrTuple(std::vector<hlo::Literal> literals) const;
};

}  // namespace axle::eval

#endif  // AXLE_EVAL_RUN_H_
