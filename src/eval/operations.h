// SPDX-License-Identifier: Apache-2.0
// How each opcode runs. The kernels of elementwise operations are in kernels.h; all others are
// declared here, by the file that defines them.
#ifndef AXLE_EVAL_OPERATIONS_H_
#define AXLE_EVAL_OPERATIONS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "eval/kernels.h"
#include "eval/plan.h"
#include "eval/run.h"
#include "hlo/module.h"

namespace axle::eval {

// Neither function where the evaluator does not run the opcode at all.
Operation FindOperation(hlo::Opcode opcode);

// Whether an instruction in its place can run: opcode, element types, attributes. Error:
// kUnimplemented that names all three.
absl::Status CheckSupported(const hlo::Computation& computation,
                            const hlo::Instruction& instruction);

// data_movement.cc
absl::StatusOr<hlo::Literal> EvalBroadcast(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalTranspose(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalReverse(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalSlice(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalPad(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalConcatenate(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalIota(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalGetDimensionSize(const KernelArgs& args);
absl::StatusOr<Value> RunReshape(StepContext& context);
// dynamic_slice.cc
absl::StatusOr<hlo::Literal> EvalDynamicSlice(const KernelArgs& args);
absl::StatusOr<Value> RunDynamicUpdateSlice(StepContext& context);

// control_flow.cc
absl::StatusOr<Value> RunForward(StepContext& context);  // the first operand itself
absl::StatusOr<Value> RunTuple(StepContext& context);
absl::StatusOr<Value> RunGetTupleElement(StepContext& context);
absl::StatusOr<Value> RunAfterAll(StepContext& context);
absl::StatusOr<Value> RunCall(StepContext& context);
absl::StatusOr<Value> RunConditional(StepContext& context);
absl::StatusOr<Value> RunWhile(StepContext& context);

}  // namespace axle::eval

#endif  // AXLE_EVAL_OPERATIONS_H_
