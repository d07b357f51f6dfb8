// SPDX-License-Identifier: Apache-2.0
// One struct an operation (see elementwise_loop.h), one row of kRows each.
//
// Transcendental functions of the types under 64 bits are computed in double and rounded once, so
// that results are right to the last bit but for near-ties.
#include <bit>
#include <cmath>
#include <complex>

#include "base/status_macros.h"
#include "eval/complex_math.h"
#include "eval/elementwise_loop.h"
#include "eval/integer_bits.h"
#include "eval/kernels.h"

namespace axle::eval {
namespace {

using hlo::Opcode;

// A function of a real and, by another formula, of a complex number.
#define AXLE_REAL_FUNCTION(Name, real_expression)             \
  struct Name {                                               \
    template <FloatElement E>                                 \
    static typename E::Value Apply(typename E::Value value) { \
      const double x = value;                                 \
      return static_cast<typename E::Value>(real_expression); \
    }                                                         \
  }
#define AXLE_FUNCTION(Name, real_expression, complex_expression) \
  struct Name {                                                  \
    template <FloatElement E>                                    \
    static typename E::Value Apply(typename E::Value value) {    \
      const double x = value;                                    \
      return static_cast<typename E::Value>(real_expression);    \
    }                                                            \
    template <ComplexElement E>                                  \
    static typename E::Value Apply(typename E::Value value) {    \
      const Complex z(value);                                    \
      return static_cast<typename E::Value>(complex_expression); \
    }                                                            \
  }

// e^x first where e^-x would overflow.
double RealLogistic(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double power = std::exp(x);
  return power / (1 + power);
}

AXLE_FUNCTION(Acos, std::acos(x), std::acos(z));
AXLE_FUNCTION(Acosh, std::acosh(x), std::acosh(z));
AXLE_FUNCTION(Asin, std::asin(x), std::asin(z));
AXLE_FUNCTION(Asinh, std::asinh(x), std::asinh(z));
AXLE_FUNCTION(Atanh, std::atanh(x), std::atanh(z));
AXLE_FUNCTION(Cbrt, std::cbrt(x), ComplexCbrt(z));
AXLE_FUNCTION(Cos, std::cos(x), std::cos(z));
AXLE_FUNCTION(Cosh, std::cosh(x), std::cosh(z));
AXLE_FUNCTION(Exp, std::exp(x), std::exp(z));
AXLE_FUNCTION(Expm1, std::expm1(x), ComplexExpm1(z));
AXLE_FUNCTION(Log, std::log(x), std::log(z));
AXLE_FUNCTION(Log1p, std::log1p(x), ComplexLog1p(z));
AXLE_FUNCTION(Logistic, RealLogistic(x), ComplexLogistic(z));
AXLE_FUNCTION(Rsqrt, 1 / std::sqrt(x), ComplexRsqrt(z));
AXLE_FUNCTION(Sin, std::sin(x), std::sin(z));
AXLE_FUNCTION(Sinh, std::sinh(x), std::sinh(z));
AXLE_FUNCTION(Sqrt, std::sqrt(x), std::sqrt(z));
AXLE_FUNCTION(Tan, std::tan(x), std::tan(z));
AXLE_FUNCTION(Tanh, std::tanh(x), std::tanh(z));
AXLE_REAL_FUNCTION(Ceil, std::ceil(x));
AXLE_REAL_FUNCTION(Erf, std::erf(x));
AXLE_REAL_FUNCTION(Floor, std::floor(x));
AXLE_REAL_FUNCTION(RoundNearestAfz, std::round(x));
AXLE_REAL_FUNCTION(RoundNearestEven, std::nearbyint(x));  // rounding mode is always to nearest
#undef AXLE_FUNCTION
#undef AXLE_REAL_FUNCTION

// The type of a part of a complex number, or the real type itself.
template <typename E>
struct RealPart {
  using Type = E;
};
template <ComplexElement E>
struct RealPart<E> {
  using Type = PartElement<E>;
};

struct Abs {
  template <typename E>
  using Result = typename RealPart<E>::Type;

  template <SignedElement E>
  static typename E::Value Apply(typename E::Value x) {
    return x < 0 ? WrapNegate<E>(x) : x;
  }
  template <UnsignedElement E>
  static typename E::Value Apply(typename E::Value x) {
    return x;
  }
  template <FloatElement E>
  static typename E::Value Apply(typename E::Value x) {
    return std::fabs(x);
  }
  template <ComplexElement E>
  static typename Result<E>::Value Apply(typename E::Value x) {
    return static_cast<typename Result<E>::Value>(std::abs(Complex(x)));
  }
};

struct Clz {
  template <IntElement E>
  static typename E::Value Apply(typename E::Value x) {
    return static_cast<typename E::Value>(std::countl_zero(BitsOf<E>(x)) - (64 - E::kBits));
  }
};

struct Imag {
  template <typename E>
  using Result = typename RealPart<E>::Type;

  template <FloatElement E>
  static typename E::Value Apply(typename E::Value) {
    return 0;
  }
  template <ComplexElement E>
  static typename Result<E>::Value Apply(typename E::Value x) {
    return x.imag();
  }
};

struct IsFinite {
  template <typename E>
  using Result = Element<ElementType::kPred>;

  template <FloatElement E>
  static bool Apply(typename E::Value x) {
    return std::isfinite(x);
  }
};

struct Negate {
  template <IntElement E>
  static typename E::Value Apply(typename E::Value x) {
    return WrapNegate<E>(x);
  }
  template <typename E>
    requires FloatElement<E> || ComplexElement<E>
  static typename E::Value Apply(typename E::Value x) {
    return -x;
  }
};

struct Not {
  template <PredElement E>
  static bool Apply(bool x) {
    return !x;
  }
  template <IntElement E>
  static typename E::Value Apply(typename E::Value x) {
    return static_cast<typename E::Value>(~x);
  }
};

struct Popcnt {
  template <IntElement E>
  static typename E::Value Apply(typename E::Value x) {
    return static_cast<typename E::Value>(std::popcount(BitsOf<E>(x)));
  }
};

struct Real {
  template <typename E>
  using Result = typename RealPart<E>::Type;

  template <FloatElement E>
  static typename E::Value Apply(typename E::Value x) {
    return x;
  }
  template <ComplexElement E>
  static typename Result<E>::Value Apply(typename E::Value x) {
    return x.real();
  }
};

struct Sign {
  template <IntElement E>
  static typename E::Value Apply(typename E::Value x) {
    return static_cast<typename E::Value>((x > 0) - (x < 0));
  }
  // Keeps NaN and the sign of zero.
  template <FloatElement E>
  static typename E::Value Apply(typename E::Value x) {
    return x > 0 ? 1 : x < 0 ? -1 : x;
  }
  template <ComplexElement E>
  static typename E::Value Apply(typename E::Value x) {
    return static_cast<typename E::Value>(ComplexSign(Complex(x)));
  }
};

struct Row {
  Opcode opcode;
  UnaryLoop (*loop_of)(ElementType);
};

constexpr Row kRows[] = {
    {Opcode::kAbs, &UnaryLoopOf<Abs>},
    {Opcode::kAcos, &UnaryLoopOf<Acos>},
    {Opcode::kAcosh, &UnaryLoopOf<Acosh>},
    {Opcode::kAsin, &UnaryLoopOf<Asin>},
    {Opcode::kAsinh, &UnaryLoopOf<Asinh>},
    {Opcode::kAtanh, &UnaryLoopOf<Atanh>},
    {Opcode::kCbrt, &UnaryLoopOf<Cbrt>},
    {Opcode::kCeil, &UnaryLoopOf<Ceil>},
    {Opcode::kClz, &UnaryLoopOf<Clz>},
    {Opcode::kCos, &UnaryLoopOf<Cos>},
    {Opcode::kCosh, &UnaryLoopOf<Cosh>},
    {Opcode::kErf, &UnaryLoopOf<Erf>},
    {Opcode::kExp, &UnaryLoopOf<Exp>},
    {Opcode::kExpm1, &UnaryLoopOf<Expm1>},
    {Opcode::kFloor, &UnaryLoopOf<Floor>},
    {Opcode::kImag, &UnaryLoopOf<Imag>},
    {Opcode::kIsFinite, &UnaryLoopOf<IsFinite>},
    {Opcode::kLog, &UnaryLoopOf<Log>},
    {Opcode::kLog1p, &UnaryLoopOf<Log1p>},
    {Opcode::kLogistic, &UnaryLoopOf<Logistic>},
    {Opcode::kNegate, &UnaryLoopOf<Negate>},
    {Opcode::kNot, &UnaryLoopOf<Not>},
    {Opcode::kPopcnt, &UnaryLoopOf<Popcnt>},
    {Opcode::kReal, &UnaryLoopOf<Real>},
    {Opcode::kRoundNearestAfz, &UnaryLoopOf<RoundNearestAfz>},
    {Opcode::kRoundNearestEven, &UnaryLoopOf<RoundNearestEven>},
    {Opcode::kRsqrt, &UnaryLoopOf<Rsqrt>},
    {Opcode::kSign, &UnaryLoopOf<Sign>},
    {Opcode::kSin, &UnaryLoopOf<Sin>},
    {Opcode::kSinh, &UnaryLoopOf<Sinh>},
    {Opcode::kSqrt, &UnaryLoopOf<Sqrt>},
    {Opcode::kTan, &UnaryLoopOf<Tan>},
    {Opcode::kTanh, &UnaryLoopOf<Tanh>},
};

}  // namespace

UnaryLoop FindUnary(Opcode opcode, ElementType operand) {
  for (const Row& row : kRows) {
    if (row.opcode == opcode) return row.loop_of(operand);
  }
  return nullptr;
}

absl::StatusOr<hlo::Literal> EvalUnary(const KernelArgs& args) {
  const hlo::Literal& x = args.operand(0);
  const Opcode opcode = args.instruction.opcode;
  const UnaryLoop loop = FindUnary(opcode, x.shape().element_type());
  if (loop == nullptr) return NoLoopError(opcode, x.shape().element_type());
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  loop(x.bytes().data(), result.bytes().data(), x.element_count());
  return result;
}

}  // namespace axle::eval
