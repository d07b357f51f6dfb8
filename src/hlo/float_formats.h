// SPDX-License-Identifier: Apache-2.0
// Floating-point formats that C++ lacks: 16, 8, 6 and 4 bits. A format is described by four
// numbers; values convert through double, which holds every one of them exactly, and round to
// nearest even. Source of the formats: IEEE 754-2019 (f16), the OCP 8-bit and Microscaling (MX)
// specifications, and the FNUZ variants as ml_dtypes documents them.
#ifndef AXLE_HLO_FLOAT_FORMATS_H_
#define AXLE_HLO_FLOAT_FORMATS_H_

#include <bit>
#include <cstdint>

#include "hlo/element_type.h"

namespace axle::hlo {

enum class Specials : uint8_t {
  kIeee,    // all-ones exponent: infinity and NaN
  kFn,      // no infinity; all bits but the sign set is NaN; too large becomes NaN
  kFnuz,    // no infinity, no -0; the bits of -0 are NaN; too large becomes NaN
  kFinite,  // neither; too large saturates, NaN becomes the bits of -0
  kScale,   // exponent only, no sign and no zero; all ones is NaN
};

struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

// Format of a float type of at most 16 bits; asserted.
const FloatFormat& FormatOf(ElementType type);

// `bits` as a number, and the nearest `bits` of a number.
double DecodeFloat(const FloatFormat& format, uint32_t bits);
uint32_t EncodeFloat(const FloatFormat& format, double value);

// bfloat16: the upper half of a float.
struct BF16 {
  uint16_t bits = 0;
  BF16() = default;
  explicit BF16(float value) : bits(Round(value)) {}
  explicit BF16(double value);
  explicit operator float() const { return std::bit_cast<float>(uint32_t{bits} << 16); }
  explicit operator double() const { return static_cast<float>(*this); }

 private:
  static uint16_t Round(float value) {
    const uint32_t word = std::bit_cast<uint32_t>(value);
    if (value != value) return static_cast<uint16_t>(word >> 16 | 0x40);  // keep NaN quiet
    return static_cast<uint16_t>((word + 0x7fff + (word >> 16 & 1)) >> 16);
  }
};

// IEEE half precision.
struct F16 {
  uint16_t bits = 0;
  F16() = default;
  explicit F16(float value) : bits(std::bit_cast<uint16_t>(static_cast<_Float16>(value))) {}
  explicit F16(double value) : bits(std::bit_cast<uint16_t>(static_cast<_Float16>(value))) {}
  explicit operator float() const { return static_cast<float>(std::bit_cast<_Float16>(bits)); }
  explicit operator double() const { return static_cast<double>(std::bit_cast<_Float16>(bits)); }
};

}  // namespace axle::hlo

#endif  // AXLE_HLO_FLOAT_FORMATS_H_
