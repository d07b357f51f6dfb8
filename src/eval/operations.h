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
// Everything but custom calls.
absl::Status CheckSupported(const hlo::Module& module, const hlo::Computation& computation,
                            const hlo::Instruction& instruction);
// The target of a custom call in its place. Errors: kUnimplemented where the registry has none that
// computes; what the target's own check says.
absl::StatusOr<const custom_calls::Target*> FindTarget(const custom_calls::Registry& registry,
                                                       const hlo::Computation& computation,
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
absl::StatusOr<Value> RunBitcast(StepContext& context);
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

// gather.cc, scatter.cc
absl::StatusOr<hlo::Literal> EvalGather(const KernelArgs& args);
absl::StatusOr<Value> RunScatter(StepContext& context);
// sort.cc
absl::StatusOr<Value> RunSort(StepContext& context);
absl::StatusOr<Value> RunTopK(StepContext& context);

// reduce.cc, reduce_window.cc, select_and_scatter.cc
absl::StatusOr<Value> RunReduce(StepContext& context);
absl::StatusOr<Value> RunMap(StepContext& context);
absl::StatusOr<Value> RunReduceWindow(StepContext& context);
absl::StatusOr<Value> RunSelectAndScatter(StepContext& context);

// scan.cc
absl::StatusOr<Value> RunScan(StepContext& context);

// batch_norm.cc
absl::StatusOr<Value> RunBatchNormTraining(StepContext& context);
absl::StatusOr<Value> RunBatchNormInference(StepContext& context);
absl::StatusOr<Value> RunBatchNormGrad(StepContext& context);

// custom_call.cc
absl::StatusOr<Value> RunCustomCall(StepContext& context);

// dot.cc, convolution.cc, matrix.cc, fft.cc
absl::StatusOr<hlo::Literal> EvalDot(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalConvolution(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalCholesky(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalTriangularSolve(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalFft(const KernelArgs& args);

// random.cc
absl::StatusOr<Value> RunRngBitGenerator(StepContext& context);
absl::StatusOr<Value> RunRng(StepContext& context);
absl::StatusOr<Value> RunRngGetAndUpdateState(StepContext& context);

// collective.cc
absl::StatusOr<Value> RunDeviceNumber(StepContext& context);    // 0
absl::StatusOr<Value> RunLoneCollective(StepContext& context);  // the operands themselves
absl::StatusOr<Value> RunCollectivePermute(StepContext& context);
absl::StatusOr<Value> RunCollectiveStart(StepContext& context);
absl::StatusOr<Value> RunCollectiveDone(StepContext& context);
absl::StatusOr<Value> RunCopyStart(StepContext& context);
absl::StatusOr<Value> RunAsyncStart(StepContext& context);
absl::StatusOr<Value> RunFirstElement(StepContext& context);  // of the operand, a tuple
absl::StatusOr<Value> RunSecondElement(StepContext& context);

}  // namespace axle::eval

#endif  // AXLE_EVAL_OPERATIONS_H_
