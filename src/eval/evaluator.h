// SPDX-License-Identifier: Apache-2.0
// The reference evaluator: runs a verified module on the host, instruction by instruction, with
// code to hold against the definition of each operation. It is the oracle for every other backend.
#ifndef AXLE_EVAL_EVALUATOR_H_
#define AXLE_EVAL_EVALUATOR_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "custom_calls/registry.h"
#include "hlo/literal.h"
#include "hlo/module.h"

namespace axle::eval {

struct ModulePlan;

struct EvaluatorOptions {
  // Arrays that one run may hold at once, in bytes; arguments and constants do not count, nor does
  // what one operation needs for itself while it computes.
  int64_t max_bytes = int64_t{1} << 36;
  // What custom calls may name. Null stands for the targets of AddShardingTargets.
  std::shared_ptr<const custom_calls::Registry> custom_calls;
};

struct RunOptions {
  // Seed of rng and of the global state of rng-get-and-update-state; same seed, same numbers.
  uint64_t rng_seed = 0;
  // Asked at every call and every turn of a loop; the run ends with kCancelled once it says true.
  // May be null.
  std::function<bool()> cancelled;
};

class Evaluator {
 public:
  // `module` has passed hlo/verify. Errors: kUnimplemented naming opcode, type and instruction for
  // the first thing in it that the evaluator does not run; kTooDeep.
  static absl::StatusOr<std::unique_ptr<Evaluator>> Create(
      std::shared_ptr<const hlo::Module> module, EvaluatorOptions options = {});
  ~Evaluator();

  // Runs the entry computation on one literal a parameter, all compatible with the entry's
  // parameters, which must stay unchanged during the call. The result has the shape of the entry's
  // root. Thread-safe: every call has a state of its own. Errors: kArgument, kMemoryLimit,
  // kCancelled, and kUnimplemented for what only values can tell.
  absl::StatusOr<hlo::Literal> Run(absl::Span<const hlo::Literal* const> arguments,
                                   const RunOptions& options = {}) const;

 private:
  Evaluator(std::shared_ptr<const hlo::Module> module, EvaluatorOptions options);

  std::shared_ptr<const hlo::Module> module_;
  EvaluatorOptions options_;
  std::unique_ptr<const ModulePlan> plan_;
};

}  // namespace axle::eval

#endif  // AXLE_EVAL_EVALUATOR_H_
