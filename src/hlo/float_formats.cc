// SPDX-License-Identifier: Apache-2.0
#include "hlo/float_formats.h"

#include <cmath>
#include <limits>

#include "base/assert.h"

namespace axle::hlo {
namespace {

constexpr FloatFormat kF16Format{5, 10, 15, Specials::kIeee};
constexpr FloatFormat kBF16Format{8, 7, 127, Specials::kIeee};
constexpr FloatFormat kF8E5M2Format{5, 2, 15, Specials::kIeee};
constexpr FloatFormat kF8E4M3Format{4, 3, 7, Specials::kIeee};
constexpr FloatFormat kF8E3M4Format{3, 4, 3, Specials::kIeee};
constexpr FloatFormat kF8E4M3FNFormat{4, 3, 7, Specials::kFn};
constexpr FloatFormat kF8E4M3B11FNUZFormat{4, 3, 11, Specials::kFnuz};
constexpr FloatFormat kF8E4M3FNUZFormat{4, 3, 8, Specials::kFnuz};
constexpr FloatFormat kF8E5M2FNUZFormat{5, 2, 16, Specials::kFnuz};
constexpr FloatFormat kF8E8M0FNUFormat{8, 0, 127, Specials::kScale};
constexpr FloatFormat kF4E2M1FNFormat{2, 1, 1, Specials::kFinite};
constexpr FloatFormat kF6E2M3FNFormat{2, 3, 1, Specials::kFinite};
constexpr FloatFormat kF6E3M2FNFormat{3, 2, 3, Specials::kFinite};

uint32_t SignBit(const FloatFormat& format) {
  return 1u << (format.exponent_bits + format.mantissa_bits);
}

// Bits of the largest finite value, without sign.
uint32_t LargestFinite(const FloatFormat& format) {
  const uint32_t all = SignBit(format) - 1;
  switch (format.specials) {
    case Specials::kIeee:
      return all - (1u << format.mantissa_bits);  // exponent one below all ones, mantissa ones
    case Specials::kFn:
      return all - 1;
    case Specials::kFnuz:
    case Specials::kFinite:
      return all;
    case Specials::kScale:
      return all - 1;
  }
  return all;
}

uint32_t NanBits(const FloatFormat& format, bool negative) {
  const uint32_t sign = negative ? SignBit(format) : 0;
  const uint32_t all = SignBit(format) - 1;
  switch (format.specials) {
    case Specials::kIeee: {
      const uint32_t infinity = all ^ ((1u << format.mantissa_bits) - 1);
      return sign | infinity | 1u << (format.mantissa_bits - 1);
    }
    case Specials::kFn:
      return sign | all;
    case Specials::kFnuz:
    case Specials::kFinite:
      return SignBit(format);
    case Specials::kScale:
      return all;
  }
  return all;
}

uint32_t EncodeTooLarge(const FloatFormat& format, bool negative) {
  const uint32_t sign = negative ? SignBit(format) : 0;
  switch (format.specials) {
    case Specials::kIeee:
      return sign | (LargestFinite(format) + 1);
    case Specials::kFinite:
      return sign | LargestFinite(format);
    case Specials::kFn:
    case Specials::kFnuz:
    case Specials::kScale:
      return NanBits(format, negative);
  }
  return sign;
}

// Power-of-two scales round to the nearest power. The significand 1 of a power is odd, 10 in binary
// even, so a tie goes up.
uint32_t EncodeScale(const FloatFormat& format, double value) {
  if (!(value > 0)) return NanBits(format, false);
  if (std::isinf(value)) return NanBits(format, false);
  int exponent = std::ilogb(value);
  const double fraction = std::ldexp(value, -exponent);
  if (fraction >= 1.5) ++exponent;
  const int rounded = exponent + format.bias;
  if (rounded < 0) return 0;
  if (rounded > static_cast<int>(LargestFinite(format))) return NanBits(format, false);
  return static_cast<uint32_t>(rounded);
}

}  // namespace

const FloatFormat& FormatOf(ElementType type) {
  if (type == ElementType::kF16) return kF16Format;
  if (type == ElementType::kBF16) return kBF16Format;
  if (type == ElementType::kF8E5M2) return kF8E5M2Format;
  if (type == ElementType::kF8E4M3) return kF8E4M3Format;
  if (type == ElementType::kF8E3M4) return kF8E3M4Format;
  if (type == ElementType::kF8E4M3FN) return kF8E4M3FNFormat;
  if (type == ElementType::kF8E4M3B11FNUZ) return kF8E4M3B11FNUZFormat;
  if (type == ElementType::kF8E4M3FNUZ) return kF8E4M3FNUZFormat;
  if (type == ElementType::kF8E5M2FNUZ) return kF8E5M2FNUZFormat;
  if (type == ElementType::kF8E8M0FNU) return kF8E8M0FNUFormat;
  if (type == ElementType::kF4E2M1FN) return kF4E2M1FNFormat;
  if (type == ElementType::kF6E2M3FN) return kF6E2M3FNFormat;
  AXLE_ASSERT(type == ElementType::kF6E3M2FN);
  return kF6E3M2FNFormat;
}

double DecodeFloat(const FloatFormat& format, uint32_t bits) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const uint32_t magnitude = bits & (SignBit(format) - 1);
  if (format.specials == Specials::kScale) {
    return magnitude == SignBit(format) - 1
               ? kNan
               : std::ldexp(1.0, static_cast<int>(magnitude) - format.bias);
  }
  const bool negative = (bits & SignBit(format)) != 0;
  if (format.specials == Specials::kFnuz && negative && magnitude == 0) return kNan;
  const double sign = negative ? -1.0 : 1.0;
  if (magnitude > LargestFinite(format)) {
    const bool infinite =
        format.specials == Specials::kIeee && magnitude == LargestFinite(format) + 1;
    return infinite ? sign * std::numeric_limits<double>::infinity() : kNan;
  }
  const int field = static_cast<int>(magnitude >> format.mantissa_bits);
  const double mantissa = magnitude & ((1u << format.mantissa_bits) - 1);
  const double implicit = field == 0 ? 0.0 : 1u << format.mantissa_bits;
  const int exponent = (field == 0 ? 1 : field) - format.bias - format.mantissa_bits;
  return sign * std::ldexp(implicit + mantissa, exponent);
}

uint32_t EncodeFloat(const FloatFormat& format, double value) {
  if (format.specials == Specials::kScale) return EncodeScale(format, value);
  const bool negative = std::signbit(value);
  if (std::isnan(value)) return NanBits(format, negative);
  if (std::isinf(value)) return EncodeTooLarge(format, negative);
  const uint32_t zero = negative && format.specials != Specials::kFnuz ? SignBit(format) : 0;
  if (value == 0) return zero;
  const double magnitude = std::fabs(value);
  const int smallest = 1 - format.bias;
  int exponent = std::ilogb(magnitude);
  if (exponent < smallest) exponent = smallest;
  // Units in the last place; nearbyint rounds to nearest even.
  const double units = std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent));
  const double one = 1u << format.mantissa_bits;
  double field = exponent - smallest + (units >= one ? 1 : 0);
  const double encoded = field * one + units - (units >= one ? one : 0);
  if (encoded > LargestFinite(format)) return EncodeTooLarge(format, negative);
  const uint32_t bits = static_cast<uint32_t>(encoded);
  return bits == 0 ? zero : bits | (negative ? SignBit(format) : 0);
}

BF16::BF16(double value) : bits(static_cast<uint16_t>(EncodeFloat(kBF16Format, value))) {}

}  // namespace axle::hlo
