// SPDX-License-Identifier: Apache-2.0
// Conversions of values, in two steps through the narrowest wide type that holds every value of the
// source: uint64_t, int64_t, float, double or a complex number of doubles. A complex number
// converts to a real type by its real part, as in StableHLO.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "eval/complex_math.h"
#include "eval/elementwise_loop.h"
#include "eval/kernels.h"

namespace axle::eval {
namespace {

using hlo::Literal;
using hlo::Opcode;

template <typename E>
struct WideOf {
  using Type = uint64_t;  // pred and unsigned integers
};
template <SignedElement E>
struct WideOf<E> {
  using Type = int64_t;
};
template <FloatElement E>
struct WideOf<E> {
  using Type = typename E::Value;
};
template <ComplexElement E>
struct WideOf<E> {
  using Type = Complex;
};

// Nearest element of a number, ties to even; the only rounding of a conversion.
template <FloatElement E>
typename E::Stored RoundTo(double value) {
  if constexpr (E::kBits <= 8) {
    return static_cast<uint8_t>(hlo::EncodeFloat(hlo::FormatOf(E::kType), value));
  } else {
    return static_cast<typename E::Stored>(value);
  }
}

// A double that rounds to any type of at most 16 bits as `value` would. Doubles hold 53 bits, so
// the lowest 11 of a long number are folded into one that says whether any was set.
template <typename Int>
double SameRounding(Int value) {
  constexpr Int kLimit = Int{1} << 53;
  bool is_short = value <= kLimit;
  if constexpr (std::is_signed_v<Int>) is_short = is_short && value >= -kLimit;
  if (is_short) return static_cast<double>(value);
  constexpr Int kLowest = (1 << 11) - 1;
  const Int sticky = (value & kLowest) != 0 ? kLowest + 1 : 0;
  return static_cast<double>(static_cast<Int>((value & ~kLowest) | sticky));
}

// Toward zero; the nearest end of the range beyond it, and 0 of NaN.
template <IntElement E>
typename E::Stored Saturate(double value) {
  constexpr bool kSigned = SignedElement<E>;
  constexpr int kDigits = E::kBits - (kSigned ? 1 : 0);
  if (std::isnan(value)) return 0;
  const double end = std::ldexp(1.0, kDigits);  // one above the largest
  const uint64_t largest = kDigits == 0 ? 0 : ~uint64_t{0} >> (64 - std::max(kDigits, 1));
  if (value >= end) return E::Store(static_cast<typename E::Value>(largest));
  if constexpr (kSigned) {
    if (value <= -end) return E::Store(static_cast<typename E::Value>(~largest));
    return E::Store(static_cast<typename E::Value>(static_cast<int64_t>(value)));
  } else {
    return value <= 0 ? 0 : E::Store(static_cast<typename E::Value>(static_cast<uint64_t>(value)));
  }
}

template <typename E, typename W>
typename E::Stored NarrowOne(W wide) {
  if constexpr (ComplexElement<E>) {
    using Part = typename PartElement<E>::Value;
    if constexpr (std::is_same_v<W, Complex>) {
      return static_cast<typename E::Stored>(wide);
    } else {
      return {static_cast<Part>(wide), Part{0}};
    }
  } else if constexpr (std::is_same_v<W, Complex>) {
    return NarrowOne<E>(wide.real());
  } else if constexpr (PredElement<E>) {
    return wide != 0;
  } else if constexpr (IntElement<E>) {
    if constexpr (std::is_integral_v<W>)
      return E::Store(static_cast<typename E::Value>(wide));
    else
      return Saturate<E>(wide);
  } else if constexpr (std::is_same_v<W, float>) {
    return E::Store(wide);
  } else if constexpr (std::is_same_v<W, double> || E::kBits >= 32) {
    return RoundTo<E>(wide);
  } else {
    return RoundTo<E>(SameRounding(wide));
  }
}

template <typename E>
void RunWiden(const void* a, void* out, int64_t n) {
  using Wide = typename WideOf<E>::Type;
  const auto* from = static_cast<const typename E::Stored*>(a);
  auto* to = static_cast<Wide*>(out);
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<Wide>(E::Load(from[i]));
}

template <typename E, typename W>
void RunNarrow(const void* a, void* out, int64_t n) {
  const auto* from = static_cast<const W*>(a);
  auto* to = static_cast<typename E::Stored*>(out);
  for (int64_t i = 0; i < n; ++i) to[i] = NarrowOne<E>(from[i]);
}

template <typename W>
UnaryLoop NarrowLoopOf(ElementType to) {
  return DispatchElement(to, []<typename E>() -> UnaryLoop { return &RunNarrow<E, W>; });
}

// The result of stochastic-convert to an integer: up from the truncated magnitude where the random
// number, seen as a fraction, is below the part cut off.
template <IntElement E>
typename E::Stored StochasticOne(double value, uint64_t random, int random_bits) {
  const typename E::Stored end = Saturate<E>(value);
  const double truncated = std::trunc(value);
  const double fraction = std::fabs(value - truncated);
  if (!(fraction > 0)) return end;  // whole, infinite or NaN
  const double threshold = std::ldexp(fraction, random_bits);
  if (static_cast<double>(random) >= threshold) return end;
  return Saturate<E>(truncated + std::copysign(1.0, value));
}

// To a float of at most 16 bits: between the neighbours below and above the magnitude. Their bits
// are consecutive numbers. Beyond the largest finite value it is an ordinary conversion.
template <FloatElement E>
  requires(E::kBits <= 16)
typename E::Stored StochasticOne(double value, uint64_t random, int random_bits) {
  const hlo::FloatFormat& format = hlo::FormatOf(E::kType);
  uint32_t bits = hlo::EncodeFloat(format, value);
  const auto magnitude_of = [&](uint32_t b) { return std::fabs(hlo::DecodeFloat(format, b)); };
  const double magnitude = std::fabs(value);
  if (std::isfinite(magnitude) && magnitude_of(bits) > magnitude) --bits;
  const double low = magnitude_of(bits);
  const double step = magnitude_of(bits + 1) - low;
  if (magnitude > low && std::isfinite(step)) {
    const double threshold = std::ldexp((magnitude - low) / step, random_bits);
    if (static_cast<double>(random) < threshold) ++bits;
  }
  if constexpr (E::kBits == 16)
    return std::bit_cast<typename E::Stored>(static_cast<uint16_t>(bits));
  else
    return static_cast<uint8_t>(bits);
}

// To f32, in the same way.
template <FloatElement E>
  requires(E::kBits == 32)
float StochasticOne(double value, uint64_t random, int random_bits) {
  const float nearest = static_cast<float>(value);
  if (!std::isfinite(nearest)) return nearest;
  const double magnitude = std::fabs(value);
  float low = std::fabs(nearest);
  if (low > magnitude) low = std::nextafter(low, 0.0f);
  const float high = std::nextafter(low, std::numeric_limits<float>::infinity());
  const double step = static_cast<double>(high) - low;
  const double threshold = std::ldexp((magnitude - low) / step, random_bits);
  const bool up = magnitude > low && std::isfinite(step) && static_cast<double>(random) < threshold;
  return std::copysign(up ? high : low, nearest);
}

// (double, uint64_t random, width of random) to elements.
using StochasticLoop = void (*)(const double* values, const uint64_t* random, int random_bits,
                                void* out, int64_t n);

StochasticLoop StochasticLoopOf(ElementType to) {
  return DispatchElement(to, []<typename E>() -> StochasticLoop {
    if constexpr (requires { StochasticOne<E>(0.0, 0, 0); }) {
      return
          [](const double* values, const uint64_t* random, int random_bits, void* out, int64_t n) {
            auto* to = static_cast<typename E::Stored*>(out);
            for (int64_t i = 0; i < n; ++i)
              to[i] = StochasticOne<E>(values[i], random[i], random_bits);
          };
    } else {
      return nullptr;
    }
  });
}

absl::Status NoConversionError(Opcode opcode, ElementType from, ElementType to) {
  return MakeError(errors::kUnimplemented, absl::StrCat(hlo::Name(opcode), " of ", hlo::Name(from),
                                                        " to ", hlo::Name(to), " is not defined"));
}

}  // namespace

ConvertLoops FindConvert(ElementType from, ElementType to) {
  return DispatchElement(from, [to]<typename E>() -> ConvertLoops {
    const UnaryLoop narrow = NarrowLoopOf<typename WideOf<E>::Type>(to);
    return {narrow != nullptr ? &RunWiden<E> : nullptr, narrow};
  });
}

void RunConvert(const ConvertLoops& loops, ElementType from, ElementType to, const void* a,
                void* out, int64_t n) {
  constexpr int64_t kBlock = 256;
  alignas(16) std::byte wide[kBlock * ConvertLoops::kWideBytes];
  const int64_t from_width = hlo::ByteWidth(from);
  const int64_t to_width = hlo::ByteWidth(to);
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t count = std::min(kBlock, n - i);
    loops.widen(static_cast<const std::byte*>(a) + i * from_width, wide, count);
    loops.narrow(wide, static_cast<std::byte*>(out) + i * to_width, count);
  }
}

absl::StatusOr<Literal> EvalConvert(const KernelArgs& args) {
  const Literal& x = args.operand(0);
  const ElementType from = x.shape().element_type();
  const ElementType to = args.result().element_type();
  AXLE_ASSIGN_OR_RETURN(Literal result, Literal::Zeros(args.result()));
  if (from == to) {
    std::copy(x.bytes().begin(), x.bytes().end(), result.bytes().begin());
    return result;
  }
  RunConvert(FindConvert(from, to), from, to, x.bytes().data(), result.bytes().data(),
             x.element_count());
  return result;
}

absl::StatusOr<Literal> EvalStochasticConvert(const KernelArgs& args) {
  const Literal& x = args.operand(0);
  const Literal& random = args.operand(1);
  const ElementType from = x.shape().element_type();
  const ElementType to = args.result().element_type();
  const StochasticLoop loop = StochasticLoopOf(to);
  const ConvertLoops to_double = FindConvert(from, ElementType::kF64);
  const ElementType random_type = random.shape().element_type();
  const ConvertLoops to_bits = FindConvert(random_type, ElementType::kU64);
  if (!hlo::IsFloat(from) || !hlo::IsUnsigned(random_type) || loop == nullptr) {
    return NoConversionError(Opcode::kStochasticConvert, from, to);
  }
  AXLE_ASSIGN_OR_RETURN(Literal result, Literal::Zeros(args.result()));
  const int64_t n = x.element_count();
  std::vector<double> values(n);
  std::vector<uint64_t> bits(n);
  RunConvert(to_double, from, ElementType::kF64, x.bytes().data(), values.data(), n);
  RunConvert(to_bits, random_type, ElementType::kU64, random.bytes().data(), bits.data(), n);
  loop(values.data(), bits.data(), hlo::BitWidth(random_type), result.bytes().data(), n);
  return result;
}

}  // namespace axle::eval
