// SPDX-License-Identifier: Apache-2.0
// A computation on scalars, such as the combiner of a reduce or the comparator of a sort, compiled
// to a list of elementwise loops over registers. One run computes up to `capacity` independent
// calls at once: every parameter, register and result is a dense row of n elements.
#ifndef AXLE_EVAL_SCALAR_PROGRAM_H_
#define AXLE_EVAL_SCALAR_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "eval/scalar_ops.h"
#include "hlo/module.h"

namespace axle::eval {

class ScalarProgram {
 public:
  // Null where the computation does anything but elementwise operations, tuples and calls of its
  // like on scalars. Inlines calls; gives up on programs of more than 4,096 operations.
  static std::unique_ptr<const ScalarProgram> Compile(const hlo::Module& module,
                                                      hlo::ComputationIndex computation);

  // Registers for runs of one thread. The program must outlive it.
  class State {
   public:
    State(const ScalarProgram& program, int64_t capacity);
    int64_t capacity() const { return capacity_; }

   private:
    friend class ScalarProgram;
    int64_t capacity_;
    std::vector<std::max_align_t> storage_;
    std::vector<std::byte*> registers_;  // parameters first; those are set by each run
  };

  // n <= capacity calls: one row a parameter, and one row a leaf of the result. A result row may be
  // a parameter row, from the same address.
  void Run(State& state, absl::Span<const void* const> parameters, absl::Span<void* const> results,
           int64_t n) const;

 private:
  friend class ScalarProgramBuilder;

  enum class Kind : uint8_t { kUnary, kBinary, kTernary, kConvert, kReducePrecision, kMove };
  struct Op {
    Kind kind;
    union {
      UnaryLoop unary;
      BinaryLoop binary;
      TernaryLoop ternary;
      ReducePrecisionLoop reduce_precision;
    };
    ConvertLoops convert;
    hlo::ElementType from, to;         // kConvert
    int exponent_bits, mantissa_bits;  // kReducePrecision
    int width;                         // kMove: bytes of an element
    int a, b, c, out;                  // registers
  };
  struct Register {
    int width;                  // bytes of an element
    const std::byte* constant;  // its value, or null
  };

  ScalarProgram() = default;
  static void RunOp(const Op& op, absl::Span<std::byte* const> registers, void* out, int64_t n);

  std::vector<Register> registers_;
  std::vector<Op> ops_;
  std::vector<int> results_;
  int parameter_count_ = 0;
  // The one result is what the last operation computes, so it can be written where it belongs.
  bool last_is_result_ = false;
};

}  // namespace axle::eval

#endif  // AXLE_EVAL_SCALAR_PROGRAM_H_
