// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "base/status_macros.h"
#include "eval/elementwise_loop.h"
#include "eval/kernels.h"

namespace axle::eval {
namespace {

// The bits of an IEEE format: sign, exponent and mantissa.
template <typename Bits, int kExponentBits, int kMantissaBits>
struct IeeeBits {
  static constexpr Bits kSign = Bits{1} << (kExponentBits + kMantissaBits);
  static constexpr Bits kInfinity = ((Bits{1} << kExponentBits) - 1) << kMantissaBits;

  // Rounds the mantissa to nearest even, where a carry runs into the exponent as it should; then
  // what exceeds the narrower exponent becomes infinity, and what falls short of its normal numbers
  // a zero of the same sign. NaN stays. Widths beyond the format's change nothing.
  static Bits Reduce(Bits bits, int exponent_bits, int mantissa_bits) {
    if ((bits & (kSign - 1)) > kInfinity) return bits;
    if (mantissa_bits < kMantissaBits) {
      const int cut = kMantissaBits - mantissa_bits;
      const Bits half = Bits{1} << (cut - 1);
      const Bits odd = (bits >> cut) & 1;
      bits = static_cast<Bits>(bits + (half - 1) + odd);
      bits &= static_cast<Bits>(~((Bits{1} << cut) - 1));
    }
    if (exponent_bits < kExponentBits) {
      const int bias = (1 << (kExponentBits - 1)) - 1;
      const int reduced_bias = (1 << (exponent_bits - 1)) - 1;
      const int exponent = static_cast<int>((bits & kInfinity) >> kMantissaBits);
      if (exponent > bias + reduced_bias) return (bits & kSign) | kInfinity;
      if (exponent <= bias - reduced_bias) return bits & kSign;
    }
    return bits;
  }
};

template <typename E>
typename E::Stored ReduceOne(typename E::Stored x, int exponent_bits, int mantissa_bits) {
  using Stored = typename E::Stored;
  if constexpr (E::kType == ElementType::kF64) {
    return std::bit_cast<Stored>(IeeeBits<uint64_t, 11, 52>::Reduce(std::bit_cast<uint64_t>(x),
                                                                    exponent_bits, mantissa_bits));
  } else if constexpr (E::kType == ElementType::kF16) {
    return std::bit_cast<Stored>(IeeeBits<uint16_t, 5, 10>::Reduce(std::bit_cast<uint16_t>(x),
                                                                   exponent_bits, mantissa_bits));
  } else if constexpr (E::kType == ElementType::kBF16) {
    return std::bit_cast<Stored>(
        IeeeBits<uint16_t, 8, 7>::Reduce(std::bit_cast<uint16_t>(x), exponent_bits, mantissa_bits));
  } else if constexpr (E::kType == ElementType::kF32 || E::kType == ElementType::kF8E8M0FNU) {
    return E::Store(std::bit_cast<float>(IeeeBits<uint32_t, 8, 23>::Reduce(
        std::bit_cast<uint32_t>(E::Load(x)), exponent_bits, mantissa_bits)));
  } else {
    // The other formats of 8 bits and less fit into half precision.
    const hlo::F16 reduced =
        ReduceOne<Element<ElementType::kF16>>(hlo::F16(E::Load(x)), exponent_bits, mantissa_bits);
    return E::Store(static_cast<float>(reduced));
  }
}

template <typename E>
void RunReducePrecision(const void* a, void* out, int64_t n, int exponent_bits, int mantissa_bits) {
  const auto* from = static_cast<const typename E::Stored*>(a);
  auto* to = static_cast<typename E::Stored*>(out);
  for (int64_t i = 0; i < n; ++i) to[i] = ReduceOne<E>(from[i], exponent_bits, mantissa_bits);
}

}  // namespace

ReducePrecisionLoop FindReducePrecision(ElementType operand) {
  return DispatchElement(operand, []<typename E>() -> ReducePrecisionLoop {
    if constexpr (FloatElement<E>) {
      return &RunReducePrecision<E>;
    } else {
      return nullptr;
    }
  });
}

absl::StatusOr<hlo::Literal> EvalReducePrecision(const KernelArgs& args) {
  const hlo::Literal& x = args.operand(0);
  const ElementType type = x.shape().element_type();
  const ReducePrecisionLoop loop = FindReducePrecision(type);
  if (loop == nullptr) return NoLoopError(hlo::Opcode::kReducePrecision, type);
  const auto& attributes = args.instruction.As<hlo::ReducePrecisionAttributes>();
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  loop(x.bytes().data(), result.bytes().data(), x.element_count(),
       static_cast<int>(attributes.exponent_bits), static_cast<int>(attributes.mantissa_bits));
  return result;
}

}  // namespace axle::eval
