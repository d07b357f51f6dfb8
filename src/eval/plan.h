// SPDX-License-Identifier: Apache-2.0
// A module made ready to run: for each computation the list of its live instructions in order, with
// everything resolved that does not depend on values. Immutable once built.
//
// A get-tuple-element runs right after what it takes apart, so that a tuple's elements lose that
// owner early; a step knows which of its operands it is the last to use. Together they let
// dynamic-update-slice and scatter change an array in place, in loops too.
#ifndef AXLE_EVAL_PLAN_H_
#define AXLE_EVAL_PLAN_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "custom_calls/registry.h"
#include "eval/kernels.h"
#include "eval/scalar_program.h"
#include "eval/value.h"
#include "hlo/module.h"

namespace axle::eval {

class Run;
struct ComputationPlan;
struct StepContext;

// For operations that a Kernel cannot express: tuples, calls, changes in place, state of the run.
using StepFunction = absl::StatusOr<Value> (*)(StepContext& context);

// How an instruction runs: one of the two.
struct Operation {
  Kernel kernel = nullptr;
  StepFunction function = nullptr;
  explicit operator bool() const { return kernel != nullptr || function != nullptr; }
};

struct Step {
  const hlo::Computation* computation = nullptr;
  const hlo::Instruction* instruction = nullptr;
  Operation operation;
  uint32_t slot = 0;                          // of the result
  absl::InlinedVector<uint32_t, 4> operands;  // slots
  absl::InlinedVector<uint8_t, 4> last_use;   // one an operand: nobody needs it after this step
  absl::InlinedVector<const ComputationPlan*, 2> called;
  const custom_calls::Target* target = nullptr;  // of a custom call
  int64_t result_bytes = 0;                      // of a kernel's result
};

struct ComputationPlan {
  static constexpr uint32_t kNoSlot = ~uint32_t{0};

  const hlo::Computation* computation = nullptr;
  uint32_t slot_count = 0;
  uint32_t root_slot = 0;
  std::vector<uint32_t> parameter_slots;              // by number; kNoSlot where never used
  std::vector<std::pair<uint32_t, Value>> constants;  // by slot; owned by the module
  std::vector<Step> steps;
  std::unique_ptr<const ScalarProgram> scalar_program;  // null where it does not compile to one
};

struct ModulePlan {
  std::vector<std::unique_ptr<ComputationPlan>> computations;  // as in the module; may be null
  const ComputationPlan* entry = nullptr;
};

// Plans for the computations that the entry reaches. `module` and `registry` must outlive the plan.
// Errors: see Evaluator::Create.
absl::StatusOr<std::unique_ptr<const ModulePlan>> BuildPlan(const hlo::Module& module,
                                                            const custom_calls::Registry& registry);

}  // namespace axle::eval

#endif  // AXLE_EVAL_PLAN_H_
