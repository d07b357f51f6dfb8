// SPDX-License-Identifier: Apache-2.0
// One struct an operation (see elementwise_loop.h), one row of kRows each.
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "base/status_macros.h"
#include "eval/complex_math.h"
#include "eval/elementwise_loop.h"
#include "eval/integer_bits.h"
#include "eval/kernels.h"
#include "eval/maximum_minimum.h"

namespace axle::eval {
namespace {

using hlo::Opcode;

struct Add {
  template <PredElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return a || b;
  }
  template <IntElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return WrapAdd<E>(a, b);
  }
  template <typename E>
    requires FloatElement<E> || ComplexElement<E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return a + b;
  }
};

struct Subtract {
  template <IntElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return WrapSubtract<E>(a, b);
  }
  template <typename E>
    requires FloatElement<E> || ComplexElement<E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return a - b;
  }
};

struct Multiply {
  template <PredElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return a && b;
  }
  template <IntElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return WrapMultiply<E>(a, b);
  }
  template <FloatElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return a * b;
  }
  // The formula as it stands, in the type itself: infinite operands may give NaN, as in XLA.
  template <ComplexElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
};

struct Divide {
  template <SignedElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    if (b == 0) return -1;
    if (b == -1) return WrapNegate<E>(a);  // the least integer stays itself
    return static_cast<typename E::Value>(a / b);
  }
  template <UnsignedElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    if (b == 0) return std::numeric_limits<typename E::Value>::max();
    return static_cast<typename E::Value>(a / b);
  }
  template <FloatElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return a / b;
  }
  // std::complex divides without overflow on the way, and recovers infinities, as C99 Annex G asks.
  template <ComplexElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return static_cast<typename E::Value>(Complex(a) / Complex(b));
  }
};

struct Remainder {
  template <SignedElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    if (b == 0) return a;
    if (b == -1) return 0;
    return static_cast<typename E::Value>(a % b);
  }
  template <UnsignedElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return b == 0 ? a : static_cast<typename E::Value>(a % b);
  }
  template <FloatElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return std::fmod(a, b);
  }
};

struct Power {
  // By squaring; x^0 is 1. A negative exponent leaves only the powers of 1 and -1 above 0.
  template <IntElement E>
  static typename E::Value Apply(typename E::Value base, typename E::Value exponent) {
    if (exponent < 0) {
      if (base == 1) return 1;
      if (SignExtended<E>(base) == -1) return exponent % 2 == 0 ? 1 : base;
      return 0;
    }
    typename E::Value result = 1;
    for (uint64_t left = BitsOf<E>(exponent); left != 0; left >>= 1) {
      if (left & 1) result = WrapMultiply<E>(result, base);
      base = WrapMultiply<E>(base, base);
    }
    return result;
  }
  template <FloatElement E>
  static typename E::Value Apply(typename E::Value base, typename E::Value exponent) {
    return static_cast<typename E::Value>(
        std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  template <ComplexElement E>
  static typename E::Value Apply(typename E::Value base, typename E::Value exponent) {
    return static_cast<typename E::Value>(ComplexPower(Complex(base), Complex(exponent)));
  }
};

struct Atan2 {
  template <FloatElement E>
  static typename E::Value Apply(typename E::Value y, typename E::Value x) {
    return static_cast<typename E::Value>(
        std::atan2(static_cast<double>(y), static_cast<double>(x)));
  }
  template <ComplexElement E>
  static typename E::Value Apply(typename E::Value y, typename E::Value x) {
    return static_cast<typename E::Value>(ComplexAtan2(Complex(y), Complex(x)));
  }
};

struct MakeComplex {
  template <typename E>
  using Result = std::conditional_t<E::kType == ElementType::kF32, C64, C128>;

  template <typename E>
    requires(E::kType == ElementType::kF32 || E::kType == ElementType::kF64)
  static typename Result<E>::Value Apply(typename E::Value real, typename E::Value imag) {
    return {real, imag};
  }
};

struct Mulhi {
  template <SignedElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return static_cast<typename E::Value>(static_cast<__int128>(a) * b >> E::kBits);
  }
  template <UnsignedElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return static_cast<typename E::Value>(static_cast<unsigned __int128>(a) * b >> E::kBits);
  }
};

// pred or integers.
template <typename E>
concept BitsElement = PredElement<E> || IntElement<E>;

struct And {
  template <BitsElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return static_cast<typename E::Value>(a & b);
  }
};

struct Or {
  template <BitsElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return static_cast<typename E::Value>(a | b);
  }
};

struct Xor {
  template <BitsElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return static_cast<typename E::Value>(a ^ b);
  }
};

// Shift amounts are the bits of b as an unsigned number, so negative ones are beyond the width too.
struct ShiftLeft {
  template <IntElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    const uint64_t amount = BitsOf<E>(b);
    return amount >= E::kBits ? 0 : static_cast<typename E::Value>(BitsOf<E>(a) << amount);
  }
};

struct ShiftRightLogical {
  template <IntElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    const uint64_t amount = BitsOf<E>(b);
    return amount >= E::kBits ? 0 : static_cast<typename E::Value>(BitsOf<E>(a) >> amount);
  }
};

// Fills with the top bit, also where the type is unsigned.
struct ShiftRightArithmetic {
  template <IntElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    const uint64_t amount = BitsOf<E>(b);
    return static_cast<typename E::Value>(SignExtended<E>(a) >>
                                          (amount >= E::kBits ? E::kBits - 1 : amount));
  }
};

struct Row {
  Opcode opcode;
  BinaryLoop (*loop_of)(ElementType);
};

constexpr Row kRows[] = {
    {Opcode::kAdd, &BinaryLoopOf<Add>},
    {Opcode::kAnd, &BinaryLoopOf<And>},
    {Opcode::kAtan2, &BinaryLoopOf<Atan2>},
    {Opcode::kComplex, &BinaryLoopOf<MakeComplex>},
    {Opcode::kDivide, &BinaryLoopOf<Divide>},
    {Opcode::kMaximum, &BinaryLoopOf<Maximum>},
    {Opcode::kMinimum, &BinaryLoopOf<Minimum>},
    {Opcode::kMulhi, &BinaryLoopOf<Mulhi>},
    {Opcode::kMultiply, &BinaryLoopOf<Multiply>},
    {Opcode::kOr, &BinaryLoopOf<Or>},
    {Opcode::kPower, &BinaryLoopOf<Power>},
    {Opcode::kRemainder, &BinaryLoopOf<Remainder>},
    {Opcode::kShiftLeft, &BinaryLoopOf<ShiftLeft>},
    {Opcode::kShiftRightArithmetic, &BinaryLoopOf<ShiftRightArithmetic>},
    {Opcode::kShiftRightLogical, &BinaryLoopOf<ShiftRightLogical>},
    {Opcode::kSubtract, &BinaryLoopOf<Subtract>},
    {Opcode::kXor, &BinaryLoopOf<Xor>},
};

}  // namespace

BinaryLoop FindBinary(Opcode opcode, ElementType operand) {
  for (const Row& row : kRows) {
    if (row.opcode == opcode) return row.loop_of(operand);
  }
  return nullptr;
}

absl::StatusOr<hlo::Literal> EvalBinary(const KernelArgs& args) {
  const hlo::Literal& a = args.operand(0);
  const Opcode opcode = args.instruction.opcode;
  const BinaryLoop loop = FindBinary(opcode, a.shape().element_type());
  if (loop == nullptr) return NoLoopError(opcode, a.shape().element_type());
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  loop(a.bytes().data(), args.operand(1).bytes().data(), result.bytes().data(), a.element_count());
  return result;
}

absl::StatusOr<hlo::Literal> EvalComplex(const KernelArgs& args) { return EvalBinary(args); }

}  // namespace axle::eval
