// SPDX-License-Identifier: Apache-2.0
// The one definition of every elementwise operation, as loops over raw elements. The whole-array
// kernels and the scalar programs of called computations run the same loops; n = 1 is one scalar.
//
// Loops read and write elements as a Literal stores them (hlo/literal.h), dense and aligned to the
// element. `out` may be an operand of the same element size, from the same address. Loops never
// fail, keep no state and are thread-safe.
#ifndef AXLE_EVAL_SCALAR_OPS_H_
#define AXLE_EVAL_SCALAR_OPS_H_

#include <cstdint>

#include "hlo/attribute_values.h"
#include "hlo/element_type.h"
#include "hlo/opcode.h"

namespace axle::eval {

using UnaryLoop = void (*)(const void* a, void* out, int64_t n);
using BinaryLoop = void (*)(const void* a, const void* b, void* out, int64_t n);
using TernaryLoop = void (*)(const void* a, const void* b, const void* c, void* out, int64_t n);

// Each Find answers null where the operation is not defined for the element type.

// OpCategory::kUnary but convert, copy and reduce-precision. The result has the operand's type, but
// for is-finite (pred) and abs, real and imag of complex numbers (their parts' type).
UnaryLoop FindUnary(hlo::Opcode opcode, hlo::ElementType operand);

// OpCategory::kBinary but compare and stochastic-convert; both operands have type `operand`. The
// result does too, but for complex.
BinaryLoop FindBinary(hlo::Opcode opcode, hlo::ElementType operand);

// Result is pred. kUnset is the order of the type itself: for floats kFloat.
BinaryLoop FindCompare(hlo::ComparisonDirection direction, hlo::ComparisonType type,
                       hlo::ElementType operand);

// select: (pred, on true, on false), `operand` the type of the values. clamp: (low, x, high). No
// operand is a scalar for the rest: n elements each.
TernaryLoop FindTernary(hlo::Opcode opcode, hlo::ElementType operand);

// A conversion in two steps: to a wide element that holds every value of the source type, and from
// it, so that the pairs of types need no loop each. Both null or neither.
struct ConvertLoops {
  static constexpr int64_t kWideBytes = 16;  // room for one wide element, aligned to 8
  UnaryLoop widen = nullptr;
  UnaryLoop narrow = nullptr;
  explicit operator bool() const { return widen != nullptr; }
};
ConvertLoops FindConvert(hlo::ElementType from, hlo::ElementType to);
// n elements from a to out, through a buffer on the stack.
void RunConvert(const ConvertLoops& loops, hlo::ElementType from, hlo::ElementType to,
                const void* a, void* out, int64_t n);

// reduce-precision to the given widths, for the floating-point types.
using ReducePrecisionLoop = void (*)(const void* a, void* out, int64_t n, int exponent_bits,
                                     int mantissa_bits);
ReducePrecisionLoop FindReducePrecision(hlo::ElementType operand);

}  // namespace axle::eval

#endif  // AXLE_EVAL_SCALAR_OPS_H_
