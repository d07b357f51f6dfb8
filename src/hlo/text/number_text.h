// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers of every element type as text, exactly: the shortest decimal that reads
// back to the same bits. Not-a-numbers that are not the usual one carry their mantissa bits:
// nan(0x400001). The text form is XLA's.
#ifndef AXLE_HLO_TEXT_NUMBER_TEXT_H_
#define AXLE_HLO_TEXT_NUMBER_TEXT_H_

#include <cstdint>
#include <string>

#include "hlo/element_type.h"

namespace axle::hlo::text {

// `bits` of a float type as text: "1.5", "-inf", "nan", "-nan(0x1)".
std::string FloatText(ElementType type, uint64_t bits);
std::string FloatText(float value);
std::string FloatText(double value);

// Where the mantissa of a float type is, and what it can hold besides finite numbers.
struct FloatLayout {
  int bits;  // all
  int mantissa_bits;
  bool has_sign;
  bool has_infinity;
  bool has_nan;
  bool has_nan_payload;  // more than one not-a-number (a sign)
};
FloatLayout FloatLayoutOf(ElementType type);

// Bits of infinity; the type must have it. Of the not-a-number with these mantissa bits (non-zero);
// the type must have payloads. Of the usual not-a-number.
uint64_t InfinityBits(ElementType type, bool negative);
uint64_t NanBits(ElementType type, bool negative, uint64_t payload);
uint64_t DefaultNanBits(ElementType type, bool negative);

// The element nearest to a decimal number. False when it is no number, or when the type would turn
// it into infinity or not-a-number.
enum class DecimalResult : uint8_t { kOk, kNotANumber, kOutOfRange };
DecimalResult ParseDecimal(ElementType type, absl::string_view text, uint64_t* bits);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_NUMBER_TEXT_H_
