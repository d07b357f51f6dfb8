// SPDX-License-Identifier: Apache-2.0
// Expected values: the tables of the OCP 8-bit Floating Point Specification (E4M3, E5M2), the OCP
// Microscaling Formats Specification (E8M0, E3M2, E2M3, E2M1) and IEEE 754 (binary16); for the
// others, sign * 2^(exponent - bias) * 1.mantissa worked out by hand.
#include "hlo/float_formats.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace axle::hlo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double Decode(ElementType type, uint32_t bits) { return DecodeFloat(FormatOf(type), bits); }
uint32_t Encode(ElementType type, double value) { return EncodeFloat(FormatOf(type), value); }

struct Landmarks {
  ElementType type;
  uint32_t max_bits;
  double max;
  uint32_t min_normal_bits;
  double min_normal;
  double min_subnormal;  // bits 1
};

const Landmarks kLandmarks[] = {
    {ElementType::kF16, 0x7bff, 65504, 0x0400, std::ldexp(1, -14), std::ldexp(1, -24)},
    {ElementType::kBF16, 0x7f7f, std::ldexp(255, 120), 0x0080, std::ldexp(1, -126),
     std::ldexp(1, -133)},
    {ElementType::kF8E5M2, 0x7b, 57344, 0x04, std::ldexp(1, -14), std::ldexp(1, -16)},
    {ElementType::kF8E4M3FN, 0x7e, 448, 0x08, std::ldexp(1, -6), std::ldexp(1, -9)},
    {ElementType::kF8E4M3, 0x77, 240, 0x08, std::ldexp(1, -6), std::ldexp(1, -9)},
    {ElementType::kF8E3M4, 0x6f, 15.5, 0x10, 0.25, std::ldexp(1, -6)},
    {ElementType::kF8E4M3FNUZ, 0x7f, 240, 0x08, std::ldexp(1, -7), std::ldexp(1, -10)},
    {ElementType::kF8E5M2FNUZ, 0x7f, 57344, 0x04, std::ldexp(1, -15), std::ldexp(1, -17)},
    {ElementType::kF8E4M3B11FNUZ, 0x7f, 30, 0x08, std::ldexp(1, -10), std::ldexp(1, -13)},
    {ElementType::kF6E3M2FN, 0x1f, 28, 0x04, 0.25, 0.0625},
    {ElementType::kF6E2M3FN, 0x1f, 7.5, 0x08, 1, 0.125},
    {ElementType::kF4E2M1FN, 0x7, 6, 0x2, 1, 0.5},
};

TEST(FloatFormatsTest, Landmarks) {
  for (const Landmarks& l : kLandmarks) {
    SCOPED_TRACE(Name(l.type));
    EXPECT_EQ(Decode(l.type, l.max_bits), l.max);
    EXPECT_EQ(Decode(l.type, l.min_normal_bits), l.min_normal);
    EXPECT_EQ(Decode(l.type, 1), l.min_subnormal);
    EXPECT_EQ(Decode(l.type, 0), 0);
    EXPECT_EQ(Encode(l.type, l.max), l.max_bits);
    EXPECT_EQ(Encode(l.type, l.min_normal), l.min_normal_bits);
    EXPECT_EQ(Encode(l.type, l.min_subnormal), 1);
    EXPECT_EQ(Encode(l.type, 0), 0);
    const uint32_t sign = 1u << (BitWidth(l.type) - 1);
    EXPECT_EQ(Decode(l.type, sign | l.max_bits), -l.max);
    EXPECT_EQ(Encode(l.type, -l.max), sign | l.max_bits);
    // Half the least subnormal is a tie with 0, which is even; anything more rounds up.
    EXPECT_EQ(Encode(l.type, l.min_subnormal / 2), 0);
    EXPECT_EQ(Encode(l.type, l.min_subnormal * 0.51), 1);
    EXPECT_EQ(Encode(l.type, l.min_subnormal * 1.5), 2);
  }
}

TEST(FloatFormatsTest, EveryNumberEncodesToItself) {
  for (const Landmarks& l : kLandmarks) {
    for (uint32_t bits = 0; bits < 1u << BitWidth(l.type); ++bits) {
      const double value = Decode(l.type, bits);
      if (std::isnan(value)) continue;
      ASSERT_EQ(Encode(l.type, value), bits) << Name(l.type);
    }
  }
}

TEST(FloatFormatsTest, InfinityAndNan) {
  EXPECT_EQ(Decode(ElementType::kF8E5M2, 0x7c), kInfinity);
  EXPECT_EQ(Decode(ElementType::kF8E5M2, 0xfc), -kInfinity);
  for (const uint32_t bits : {0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff}) {
    EXPECT_TRUE(std::isnan(Decode(ElementType::kF8E5M2, bits)));
  }
  EXPECT_EQ(Decode(ElementType::kF8E4M3, 0x78), kInfinity);
  EXPECT_TRUE(std::isnan(Decode(ElementType::kF8E4M3, 0x79)));
  EXPECT_EQ(Decode(ElementType::kF8E3M4, 0x70), kInfinity);
  EXPECT_EQ(Decode(ElementType::kF16, 0x7c00), kInfinity);
  EXPECT_TRUE(std::isnan(Decode(ElementType::kF16, 0x7c01)));
  EXPECT_EQ(Encode(ElementType::kF16, std::nan("")), 0x7e00);
  // E4M3FN has two not-a-numbers and no infinity.
  EXPECT_TRUE(std::isnan(Decode(ElementType::kF8E4M3FN, 0x7f)));
  EXPECT_TRUE(std::isnan(Decode(ElementType::kF8E4M3FN, 0xff)));
  EXPECT_EQ(Encode(ElementType::kF8E4M3FN, std::nan("")), 0x7f);
  EXPECT_EQ(Encode(ElementType::kF8E4M3FN, kInfinity), 0x7f);
  EXPECT_EQ(Encode(ElementType::kF8E4M3FN, -kInfinity), 0xff);
  // The FNUZ formats have one, where others have -0.
  for (const ElementType type :
       {ElementType::kF8E4M3FNUZ, ElementType::kF8E5M2FNUZ, ElementType::kF8E4M3B11FNUZ}) {
    EXPECT_TRUE(std::isnan(Decode(type, 0x80)));
    EXPECT_EQ(Encode(type, -0.0), 0x00);
    EXPECT_EQ(Encode(type, -kInfinity), 0x80);
    EXPECT_EQ(Encode(type, std::nan("")), 0x80);
    EXPECT_EQ(Encode(type, -1e-30), 0x00);  // no -0 to round to
  }
  EXPECT_EQ(Encode(ElementType::kF8E5M2, -0.0), 0x80);
  EXPECT_TRUE(std::signbit(Decode(ElementType::kF8E5M2, 0x80)));
}

TEST(FloatFormatsTest, TooLarge) {
  // The midpoint between the greatest number and the one that would follow rounds to the even one.
  // E5M2: 57344 = 1.75 * 2^15, next would be 65536; midpoint 61440 ties to the even 65536.
  EXPECT_EQ(Encode(ElementType::kF8E5M2, 61439), 0x7b);
  EXPECT_EQ(Encode(ElementType::kF8E5M2, 61440), 0x7c);
  // E4M3FN: 448 = 1.75 * 2^8 is even, next would be 480; the midpoint 464 ties to 448.
  EXPECT_EQ(Encode(ElementType::kF8E4M3FN, 464), 0x7e);
  EXPECT_EQ(Encode(ElementType::kF8E4M3FN, 464.5), 0x7f);
  EXPECT_EQ(Encode(ElementType::kF8E4M3FNUZ, 247.9), 0x7f);  // 240 odd, next 256
  EXPECT_EQ(Encode(ElementType::kF8E4M3FNUZ, 248), 0x80);
  EXPECT_EQ(Encode(ElementType::kF16, 65519.9), 0x7bff);
  EXPECT_EQ(Encode(ElementType::kF16, 65520), 0x7c00);
  // The formats without infinity and not-a-number saturate.
  EXPECT_EQ(Encode(ElementType::kF4E2M1FN, 7), 0x7);
  EXPECT_EQ(Encode(ElementType::kF4E2M1FN, 1e30), 0x7);
  EXPECT_EQ(Encode(ElementType::kF4E2M1FN, -kInfinity), 0xf);
  EXPECT_EQ(Encode(ElementType::kF6E2M3FN, 100), 0x1f);
  EXPECT_EQ(Encode(ElementType::kF6E3M2FN, -100), 0x3f);
}

TEST(FloatFormatsTest, TiesGoToEven) {
  // E2M1 counts 0 0.5 1 1.5 2 3 4 6: ties go to the one with an even code.
  const double ties[][2] = {{0.25, 0}, {0.75, 1}, {1.25, 1}, {1.75, 2}, {2.5, 2}, {3.5, 4}, {5, 4}};
  for (const auto& [tie, even] : ties) {
    EXPECT_EQ(Decode(ElementType::kF4E2M1FN, Encode(ElementType::kF4E2M1FN, tie)), even) << tie;
  }
  // E4M3FN from 16 on counts by 2.
  EXPECT_EQ(Decode(ElementType::kF8E4M3FN, Encode(ElementType::kF8E4M3FN, 17)), 16);
  EXPECT_EQ(Decode(ElementType::kF8E4M3FN, Encode(ElementType::kF8E4M3FN, 19)), 20);
  // Up to the next power of two: 1.9375 lies between 1.875 (odd) and 2.
  EXPECT_EQ(Decode(ElementType::kF8E4M3FN, Encode(ElementType::kF8E4M3FN, 1.9375)), 2);
}

TEST(FloatFormatsTest, ScaleIsAPowerOfTwo) {
  constexpr ElementType kScale = ElementType::kF8E8M0FNU;
  EXPECT_EQ(Decode(kScale, 0x00), std::ldexp(1, -127));
  EXPECT_EQ(Decode(kScale, 0x7f), 1);
  EXPECT_EQ(Decode(kScale, 0xfe), std::ldexp(1, 127));
  EXPECT_TRUE(std::isnan(Decode(kScale, 0xff)));
  for (uint32_t bits = 0; bits < 0xff; ++bits)
    ASSERT_EQ(Encode(kScale, Decode(kScale, bits)), bits);
  EXPECT_EQ(Encode(kScale, 1.4), 0x7f);
  EXPECT_EQ(Encode(kScale, 1.6), 0x80);
  // Halfway goes up, as XLA and ml_dtypes have it.
  EXPECT_EQ(Encode(kScale, 1.5), 0x80);
  EXPECT_EQ(Encode(kScale, 3), 0x81);
  EXPECT_EQ(Encode(kScale, -1), 0xff);
  EXPECT_EQ(Encode(kScale, 0), 0xff);
  EXPECT_EQ(Encode(kScale, kInfinity), 0xff);
  EXPECT_EQ(Encode(kScale, std::ldexp(1, 128)), 0xff);
}

TEST(FloatFormatsTest, BFloat16IsTheUpperHalfOfAFloat) {
  EXPECT_EQ(BF16(1.0f).bits, 0x3f80);
  EXPECT_EQ(BF16(1.00390625f).bits, 0x3f80);  // 1 + 2^-8, a tie: down to even
  EXPECT_EQ(BF16(1.01171875f).bits, 0x3f82);  // 1 + 3 * 2^-8, a tie: up to even
  EXPECT_EQ(BF16(1.00390637f).bits, 0x3f81);  // just above the tie
  EXPECT_EQ(BF16(-std::numeric_limits<float>::infinity()).bits, 0xff80);
  EXPECT_EQ(BF16(std::numeric_limits<float>::max()).bits, 0x7f80);  // rounds to infinity
  EXPECT_TRUE(std::isnan(static_cast<float>(BF16(std::nanf("")))));
  // A double is rounded once: to float first, this would become the tie 1 + 2^-8 and then 1.
  EXPECT_EQ(BF16(1.00390625 + std::ldexp(1, -40)).bits, 0x3f81);
  EXPECT_EQ(static_cast<double>(BF16(-2.5)), -2.5);
}

TEST(FloatFormatsTest, HalfAgreesWithItsFormat) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    F16 half;
    half.bits = bits;
    const double value = Decode(ElementType::kF16, bits);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(static_cast<double>(half)));
    } else {
      ASSERT_EQ(static_cast<double>(half), value);
      ASSERT_EQ(F16(value).bits, bits);
    }
  }
  EXPECT_EQ(F16(65519.9).bits, 0x7bff);
  EXPECT_EQ(F16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(F16(1e-10).bits, 0x0000);
}

}  // namespace
}  // namespace axle::hlo
