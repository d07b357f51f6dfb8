// SPDX-License-Identifier: Apache-2.0
// Kernels of the evaluator that need nothing but operands: arrays in, one array out. Operands and
// declared shapes have passed the verifier, so kernels check only element types they lack, which
// they answer with errors::kUnimplemented naming opcode and type. Straight code to hold against the
// definition of the operation; no kernel keeps state.
#ifndef AXLE_EVAL_KERNELS_H_
#define AXLE_EVAL_KERNELS_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hlo/instruction.h"
#include "hlo/literal.h"

namespace axle::eval {

struct KernelArgs {
  const hlo::Instruction& instruction;  // opcode, attributes, result shape
  absl::Span<const hlo::Literal* const> operands;

  const hlo::Literal& operand(int i) const { return *operands[i]; }
  const hlo::Shape& result() const { return instruction.shape; }
};

using Kernel = absl::StatusOr<hlo::Literal> (*)(const KernelArgs&);

// elementwise_unary.cc: every OpCategory::kUnary but convert, copy and reduce-precision.
absl::StatusOr<hlo::Literal> EvalUnary(const KernelArgs& args);
// elementwise_binary.cc: every OpCategory::kBinary but compare, complex and stochastic-convert.
absl::StatusOr<hlo::Literal> EvalBinary(const KernelArgs& args);
absl::StatusOr<hlo::Literal> EvalCompare(const KernelArgs& args);          // compare.cc
absl::StatusOr<hlo::Literal> EvalComplex(const KernelArgs& args);          // elementwise_binary.cc
absl::StatusOr<hlo::Literal> EvalSelect(const KernelArgs& args);           // elementwise_ternary.cc
absl::StatusOr<hlo::Literal> EvalClamp(const KernelArgs& args);            // elementwise_ternary.cc
absl::StatusOr<hlo::Literal> EvalConvert(const KernelArgs& args);          // convert.cc
absl::StatusOr<hlo::Literal> EvalReducePrecision(const KernelArgs& args);  // reduce_precision.cc
absl::StatusOr<hlo::Literal> EvalStochasticConvert(const KernelArgs& args);  // convert.cc
absl::StatusOr<hlo::Literal> EvalBitcastConvert(const KernelArgs& args);     // bitcast_convert.cc

}  // namespace axle::eval

#endif  // AXLE_EVAL_KERNELS_H_
