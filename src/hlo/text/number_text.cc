// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/number_text.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "absl/strings/charconv.h"
#include "absl/strings/str_cat.h"
#include "hlo/float_formats.h"

namespace axle::hlo::text {
namespace {

uint64_t MantissaMask(const FloatLayout& layout) {
  return (uint64_t{1} << layout.mantissa_bits) - 1;
}

uint64_t SignBit(const FloatLayout& layout) { return uint64_t{1} << (layout.bits - 1); }

double ToDouble(ElementType type, uint64_t bits) {
  if (type == ElementType::kF64) return std::bit_cast<double>(bits);
  if (type == ElementType::kF32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return DecodeFloat(FormatOf(type), static_cast<uint32_t>(bits));
}

template <typename T>
std::string Shortest(T value) {
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, result.ptr);
}

// For 16 bits and less: the fewest digits that read back.
std::string ShortestOfSmall(ElementType type, uint64_t bits, double value) {
  char buffer[64];
  absl::string_view text;
  for (int digits = 1; digits <= 17; ++digits) {
    const auto result =
        std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::general, digits);
    text = absl::string_view(buffer, result.ptr - buffer);
    uint64_t back = 0;
    if (ParseDecimal(type, text, &back) == DecimalResult::kOk && back == bits) break;
  }
  return std::string(text);
}

}  // namespace

FloatLayout FloatLayoutOf(ElementType type) {
  if (type == ElementType::kF64) return {64, 52, true, true, true, true};
  if (type == ElementType::kF32) return {32, 23, true, true, true, true};
  const FloatFormat& format = FormatOf(type);
  const bool ieee = format.specials == Specials::kIeee;
  const bool sign = format.specials != Specials::kScale;
  return {format.exponent_bits + format.mantissa_bits + (sign ? 1 : 0),
          format.mantissa_bits,
          sign,
          ieee,
          format.specials != Specials::kFinite,
          ieee};
}

uint64_t InfinityBits(ElementType type, bool negative) {
  const FloatLayout layout = FloatLayoutOf(type);
  const uint64_t exponent = (SignBit(layout) - 1) & ~MantissaMask(layout);
  return exponent | (negative ? SignBit(layout) : 0);
}

uint64_t NanBits(ElementType type, bool negative, uint64_t payload) {
  return InfinityBits(type, negative) | payload;
}

uint64_t DefaultNanBits(ElementType type, bool negative) {
  const FloatLayout layout = FloatLayoutOf(type);
  if (layout.has_nan_payload) {
    return NanBits(type, negative, uint64_t{1} << (layout.mantissa_bits - 1));
  }
  return EncodeFloat(FormatOf(type), negative ? -std::nan("") : std::nan(""));
}

std::string FloatText(ElementType type, uint64_t bits) {
  const FloatLayout layout = FloatLayoutOf(type);
  const double value = ToDouble(type, bits);
  if (std::isnan(value)) {
    const bool negative = layout.has_sign && (bits & SignBit(layout)) != 0 &&
                          DefaultNanBits(type, false) != DefaultNanBits(type, true);
    if (bits == DefaultNanBits(type, negative)) return negative ? "-nan" : "nan";
    return absl::StrCat(negative ? "-" : "", "nan(0x", absl::Hex(bits & MantissaMask(layout)), ")");
  }
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (type == ElementType::kF64) return Shortest(value);
  if (type == ElementType::kF32) return Shortest(static_cast<float>(value));
  return ShortestOfSmall(type, bits, value);
}

std::string FloatText(float value) {
  return FloatText(ElementType::kF32, std::bit_cast<uint32_t>(value));
}

std::string FloatText(double value) {
  return FloatText(ElementType::kF64, std::bit_cast<uint64_t>(value));
}

DecimalResult ParseDecimal(ElementType type, absl::string_view text, uint64_t* bits) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  // from_chars would also take hexadecimal numbers and words.
  if (text.find_first_not_of("+-.0123456789eE") != absl::string_view::npos) {
    return DecimalResult::kNotANumber;
  }
  const char* const end = text.data() + text.size();
  double wide = 0;
  float narrow = 0;
  const auto result = type == ElementType::kF32 ? absl::from_chars(text.data(), end, narrow)
                                                : absl::from_chars(text.data(), end, wide);
  if (result.ptr != end || result.ec == std::errc::invalid_argument) {
    return DecimalResult::kNotANumber;
  }
  // What is too small for the type became 0 or nearly so: that is the nearest.
  const bool large = std::fabs(wide) > 1 || std::fabs(narrow) > 1;
  if (result.ec == std::errc::result_out_of_range && large) return DecimalResult::kOutOfRange;
  if (type == ElementType::kF32) {
    *bits = std::bit_cast<uint32_t>(narrow);
  } else if (type == ElementType::kF64) {
    *bits = std::bit_cast<uint64_t>(wide);
  } else {
    *bits = EncodeFloat(FormatOf(type), wide);
    if (!std::isfinite(ToDouble(type, *bits))) return DecimalResult::kOutOfRange;
  }
  return DecimalResult::kOk;
}

}  // namespace axle::hlo::text
