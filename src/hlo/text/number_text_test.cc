// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/number_text.h"

#include <bit>
#include <cmath>

#include "gtest/gtest.h"
#include "hlo/float_formats.h"

namespace axle::hlo::text {
namespace {

constexpr ElementType kSmallTypes[] = {
    ElementType::kF16,        ElementType::kBF16,       ElementType::kF8E5M2,
    ElementType::kF8E4M3,     ElementType::kF8E3M4,     ElementType::kF8E4M3FN,
    ElementType::kF8E4M3FNUZ, ElementType::kF8E5M2FNUZ, ElementType::kF8E4M3B11FNUZ,
    ElementType::kF8E8M0FNU,  ElementType::kF4E2M1FN,   ElementType::kF6E2M3FN,
    ElementType::kF6E3M2FN};

TEST(NumberTextTest, ShortestDecimals) {
  EXPECT_EQ(FloatText(0.1f), "0.1");
  EXPECT_EQ(FloatText(1.0f), "1");
  EXPECT_EQ(FloatText(-0.0f), "-0");
  EXPECT_EQ(FloatText(16777216.0f), "16777216");
  EXPECT_EQ(FloatText(0.1), "0.1");
  EXPECT_EQ(FloatText(0.30000000000000004), "0.30000000000000004");  // 0.1 + 0.2
  EXPECT_EQ(FloatText(5e-324), "5e-324");                            // the least double
  // bfloat16 0x3dcd is 0.10009765625; one digit is enough to tell it from its neighbours, which are
  // 0.099609375 and 0.1005859375.
  EXPECT_EQ(FloatText(ElementType::kBF16, 0x3dcd), "0.1");
  // The greatest half is 65504; its neighbour below is 65472, so 65500 rounds to it and 7e+04 does
  // not: it is beyond 65520, where infinity begins.
  EXPECT_EQ(FloatText(ElementType::kF16, 0x7bff), "6.55e+04");
  EXPECT_EQ(FloatText(ElementType::kF8E8M0FNU, 0x7f), "1");
}

TEST(NumberTextTest, InfinityAndNan) {
  EXPECT_EQ(FloatText(ElementType::kF32, 0x7f800000), "inf");
  EXPECT_EQ(FloatText(ElementType::kF32, 0xff800000), "-inf");
  EXPECT_EQ(FloatText(ElementType::kF32, 0x7fc00000), "nan");
  EXPECT_EQ(FloatText(ElementType::kF32, 0xffc00000), "-nan");
  EXPECT_EQ(FloatText(ElementType::kF32, 0x7fc00001), "nan(0x400001)");
  EXPECT_EQ(FloatText(ElementType::kF32, 0xff800001), "-nan(0x1)");
  EXPECT_EQ(FloatText(ElementType::kF64, 0x7ff8000000000000), "nan");
  EXPECT_EQ(FloatText(ElementType::kF16, 0x7e00), "nan");
  EXPECT_EQ(FloatText(ElementType::kF16, 0x7c01), "nan(0x1)");
  EXPECT_EQ(FloatText(ElementType::kF8E4M3FN, 0x7f), "nan");
  EXPECT_EQ(FloatText(ElementType::kF8E4M3FN, 0xff), "-nan");
  EXPECT_EQ(FloatText(ElementType::kF8E4M3FNUZ, 0x80), "nan");  // the only one
  EXPECT_EQ(FloatText(ElementType::kF8E8M0FNU, 0xff), "nan");
}

TEST(NumberTextTest, EverySmallNumberReadsBack) {
  for (const ElementType type : kSmallTypes) {
    for (uint64_t bits = 0; bits < uint64_t{1} << BitWidth(type); ++bits) {
      const double value = DecodeFloat(FormatOf(type), bits);
      const std::string text = FloatText(type, bits);
      if (!std::isfinite(value)) continue;
      uint64_t back = ~bits;
      ASSERT_EQ(ParseDecimal(type, text, &back), DecimalResult::kOk) << Name(type) << " " << text;
      ASSERT_EQ(back, bits) << Name(type) << " " << text;
    }
  }
}

TEST(NumberTextTest, RangesOfDecimals) {
  uint64_t bits = 0;
  EXPECT_EQ(ParseDecimal(ElementType::kF32, "3.4028235e+38", &bits), DecimalResult::kOk);
  EXPECT_EQ(bits, 0x7f7fffff);
  EXPECT_EQ(ParseDecimal(ElementType::kF32, "3.5e+38", &bits), DecimalResult::kOutOfRange);
  EXPECT_EQ(ParseDecimal(ElementType::kF32, "1e-60", &bits), DecimalResult::kOk);
  EXPECT_EQ(bits, 0);
  EXPECT_EQ(ParseDecimal(ElementType::kF16, "65519", &bits), DecimalResult::kOk);
  EXPECT_EQ(bits, 0x7bff);
  EXPECT_EQ(ParseDecimal(ElementType::kF16, "65520", &bits), DecimalResult::kOutOfRange);
  EXPECT_EQ(ParseDecimal(ElementType::kF8E4M3FN, "464", &bits), DecimalResult::kOk);
  EXPECT_EQ(bits, 0x7e);
  EXPECT_EQ(ParseDecimal(ElementType::kF8E4M3FN, "465", &bits), DecimalResult::kOutOfRange);
  EXPECT_EQ(ParseDecimal(ElementType::kF8E8M0FNU, "0", &bits), DecimalResult::kOutOfRange);
  EXPECT_EQ(ParseDecimal(ElementType::kF8E8M0FNU, "-1", &bits), DecimalResult::kOutOfRange);
  EXPECT_EQ(ParseDecimal(ElementType::kF4E2M1FN, "100", &bits), DecimalResult::kOk);
  EXPECT_EQ(bits, 0x7);  // saturates at 6
  for (const char* text : {"", "x", "1x", "0x10", "1e", "--1", "1_0"}) {
    EXPECT_EQ(ParseDecimal(ElementType::kF32, text, &bits), DecimalResult::kNotANumber) << text;
  }
  EXPECT_EQ(ParseDecimal(ElementType::kF64, "+1.5", &bits), DecimalResult::kOk);
  EXPECT_EQ(std::bit_cast<double>(bits), 1.5);
}

}  // namespace
}  // namespace axle::hlo::text
