// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <complex>
#include <limits>

#include "base/error.h"
#include "eval/kernel_testing.h"
#include "eval/scalar_ops.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::eval {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Opcode;
using testing::ElementsAre;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr ElementType kFloatTypes[] = {
    ElementType::kF64,           ElementType::kF32,        ElementType::kF16,
    ElementType::kBF16,          ElementType::kF8E5M2,     ElementType::kF8E4M3,
    ElementType::kF8E4M3FN,      ElementType::kF8E3M4,     ElementType::kF8E4M3FNUZ,
    ElementType::kF8E4M3B11FNUZ, ElementType::kF8E5M2FNUZ, ElementType::kF6E2M3FN,
    ElementType::kF6E3M2FN,      ElementType::kF4E2M1FN};
constexpr ElementType kIntTypes[] = {
    ElementType::kS4, ElementType::kS8, ElementType::kS16, ElementType::kS32, ElementType::kS64,
    ElementType::kU4, ElementType::kU8, ElementType::kU16, ElementType::kU32, ElementType::kU64};

Literal Convert(const Literal& x, ElementType to) {
  return *RunElementwiseTo(&EvalConvert, Opcode::kConvert, to, {x});
}

TEST(ConvertTest, SmallWholeNumbersSurviveBetweenAllRealTypes) {
  std::vector<ElementType> types(std::begin(kFloatTypes), std::end(kFloatTypes));
  types.insert(types.end(), std::begin(kIntTypes), std::end(kIntTypes));
  for (const ElementType from : types) {
    for (const ElementType to : types) {
      EXPECT_EQ(Convert(NumbersOf(from, {0, 1, 2, 6}), to), NumbersOf(to, {0, 1, 2, 6}))
          << hlo::Name(from) << " to " << hlo::Name(to);
    }
    if (hlo::IsUnsigned(from)) continue;
    for (const ElementType to : types) {
      if (hlo::IsUnsigned(to)) continue;
      EXPECT_EQ(Convert(NumbersOf(from, {-1, -2, -6}), to), NumbersOf(to, {-1, -2, -6}))
          << hlo::Name(from) << " to " << hlo::Name(to);
    }
  }
}

TEST(ConvertTest, FloatToIntegerTruncatesAndSaturates) {
  for (const ElementType from : {ElementType::kF64, ElementType::kF32, ElementType::kF16,
                                 ElementType::kBF16, ElementType::kF8E5M2}) {
    const Literal x = NumbersOf(from, {1.75, -1.75, -0.5, kNan});
    for (const ElementType to : kIntTypes) {
      const bool has_sign = hlo::IsSigned(to);
      EXPECT_EQ(Convert(x, to), NumbersOf(to, {1, has_sign ? -1.0 : 0, 0, 0}))
          << hlo::Name(from) << " to " << hlo::Name(to);
    }
    const Literal ends = NumbersOf(from, {kInf, -kInf});
    EXPECT_EQ(Convert(ends, ElementType::kS4), NumbersOf(ElementType::kS4, {7, -8}));
    EXPECT_EQ(Convert(ends, ElementType::kS8), NumbersOf(ElementType::kS8, {127, -128}));
    EXPECT_EQ(Convert(ends, ElementType::kU4), NumbersOf(ElementType::kU4, {15, 0}));
    EXPECT_THAT(ValuesOf<uint16_t>(Convert(ends, ElementType::kU16)), ElementsAre(65535, 0));
    EXPECT_THAT(ValuesOf<int32_t>(Convert(ends, ElementType::kS32)),
                ElementsAre(INT32_MAX, INT32_MIN));
    EXPECT_THAT(ValuesOf<int64_t>(Convert(ends, ElementType::kS64)),
                ElementsAre(INT64_MAX, INT64_MIN));
    EXPECT_THAT(ValuesOf<uint64_t>(Convert(ends, ElementType::kU64)), ElementsAre(UINT64_MAX, 0));
  }
}

TEST(ConvertTest, FloatToIntegerAtTheEdgesOfTheRange) {
  EXPECT_THAT(
      ValuesOf<int8_t>(Convert(VectorOf<float>({127.9f, 128, -128.9f, -129}), ElementType::kS8)),
      ElementsAre(127, 127, -128, -128));
  EXPECT_THAT(ValuesOf<uint8_t>(Convert(VectorOf<float>({255.9f, 256, -1}), ElementType::kU8)),
              ElementsAre(255, 255, 0));
  // 2^31 - 128 and 2^31 are neighbours in f32; 2^63 and 2^64 in f64 as well as their predecessors.
  EXPECT_THAT(ValuesOf<int32_t>(
                  Convert(VectorOf<float>({0x1.fffffep30f, 0x1p31f, -0x1p31f}), ElementType::kS32)),
              ElementsAre(2147483520, INT32_MAX, INT32_MIN));
  EXPECT_THAT(ValuesOf<int64_t>(Convert(VectorOf<double>({0x1.fffffffffffffp62, 0x1p63, -0x1p63}),
                                        ElementType::kS64)),
              ElementsAre(9223372036854774784, INT64_MAX, INT64_MIN));
  EXPECT_THAT(ValuesOf<uint64_t>(
                  Convert(VectorOf<double>({0x1.fffffffffffffp63, 0x1p64, -1}), ElementType::kU64)),
              ElementsAre(18446744073709549568u, UINT64_MAX, 0));
  // One bit: -1 and 0, or 0 and 1.
  EXPECT_THAT(StoredBytes(Convert(VectorOf<float>({-5, -0.5f, 0.5f, 1, 5}), ElementType::kS1)),
              ElementsAre(1, 0, 0, 0, 0));
  EXPECT_THAT(StoredBytes(Convert(VectorOf<float>({-5, 0.5f, 1, 5}), ElementType::kU1)),
              ElementsAre(0, 0, 1, 1));
}

TEST(ConvertTest, IntegerToNarrowerIntegerWraps) {
  const Literal x = VectorOf<int32_t>({0x12345678, -1, -129, 200});
  EXPECT_THAT(ValuesOf<int8_t>(Convert(x, ElementType::kS8)), ElementsAre(0x78, -1, 127, -56));
  EXPECT_THAT(ValuesOf<uint16_t>(Convert(x, ElementType::kU16)),
              ElementsAre(0x5678, 0xffff, 0xff7f, 200));
  EXPECT_THAT(StoredBytes(Convert(x, ElementType::kS4)), ElementsAre(8, 15, 15, 8));
  EXPECT_THAT(StoredBytes(Convert(x, ElementType::kU2)), ElementsAre(0, 3, 3, 0));
  EXPECT_THAT(ValuesOf<int64_t>(Convert(x, ElementType::kS64)),
              ElementsAre(0x12345678, -1, -129, 200));
  EXPECT_THAT(ValuesOf<uint64_t>(Convert(x, ElementType::kU64)),
              ElementsAre(0x12345678, UINT64_MAX, UINT64_MAX - 128, 200));
  EXPECT_THAT(
      ValuesOf<int32_t>(Convert(VectorOf<uint64_t>({0xffffffff80000001u}), ElementType::kS32)),
      ElementsAre(INT32_MIN + 1));
}

TEST(ConvertTest, IntegerToFloatRoundsToNearestEvenOnce) {
  EXPECT_THAT(ValuesOf<float>(
                  Convert(VectorOf<int32_t>({16777217, 16777219, INT32_MAX}), ElementType::kF32)),
              ElementsAre(16777216.f, 16777220.f, 0x1p31f));
  EXPECT_THAT(ValuesOf<double>(
                  Convert(VectorOf<int64_t>({9007199254740993, INT64_MIN}), ElementType::kF64)),
              ElementsAre(9007199254740992.0, -0x1p63));
  EXPECT_THAT(ValuesOf<float>(Convert(VectorOf<uint64_t>({UINT64_MAX}), ElementType::kF32)),
              ElementsAre(0x1p64f));
  // 257 + 1/2^…: 8 significant bits put the tie between 256 and 258 at 257.
  EXPECT_EQ(Convert(VectorOf<int32_t>({257, 259, -257}), ElementType::kBF16),
            NumbersOf(ElementType::kBF16, {256, 260, -256}));
  EXPECT_EQ(Convert(VectorOf<int32_t>({2049, 65519, 65520, -70000}), ElementType::kF16),
            NumbersOf(ElementType::kF16, {2048, 65504, kInf, -kInf}));
  // Just above the tie between 2^62 and its bf16 successor, by less than a double can hold.
  const int64_t tie = (int64_t{1} << 62) + (int64_t{1} << 54);
  EXPECT_EQ(Convert(VectorOf<int64_t>({tie, tie + 1, -tie - 1}), ElementType::kBF16),
            NumbersOf(ElementType::kBF16, {0x1p62, 0x1.02p62, -0x1.02p62}));
  EXPECT_EQ(Convert(VectorOf<int32_t>({17, 19, 464, 465}), ElementType::kF8E4M3FN),
            NumbersOf(ElementType::kF8E4M3FN, {16, 20, 448, kNan}));
}

TEST(ConvertTest, FloatToFloatRoundsToNearestEvenOnce) {
  // Just above the tie between 1 and its f32 successor.
  EXPECT_THAT(ValuesOf<float>(Convert(VectorOf<double>({0x1.000001p0, 0x1.0000010000001p0, 1e39}),
                                      ElementType::kF32)),
              ElementsAre(1.f, 0x1.000002p0f, INFINITY));
  // From f64 straight to bf16 and f16: by way of f32 these would become ties and go to even.
  EXPECT_EQ(Convert(VectorOf<double>({0x1.0100000001p0, 0x1.01p0}), ElementType::kBF16),
            NumbersOf(ElementType::kBF16, {0x1.02p0, 1}));
  EXPECT_EQ(Convert(VectorOf<double>({0x1.0020000001p0, 0x1.002p0}), ElementType::kF16),
            NumbersOf(ElementType::kF16, {0x1.004p0, 1}));
  EXPECT_EQ(Convert(VectorOf<float>({NAN, -INFINITY, 0x1p-24f, 0x1p-25f}), ElementType::kF16),
            NumbersOf(ElementType::kF16, {kNan, -kInf, 0x1p-24, 0}));
}

TEST(ConvertTest, EightBitFloatsOverflowAsTheirFormatSays) {
  const Literal x = VectorOf<float>({1e6f, -INFINITY, -0.0f});
  EXPECT_THAT(StoredBytes(Convert(x, ElementType::kF8E5M2)), ElementsAre(0x7c, 0xfc, 0x80));
  EXPECT_THAT(StoredBytes(Convert(x, ElementType::kF8E4M3)), ElementsAre(0x78, 0xf8, 0x80));
  EXPECT_THAT(StoredBytes(Convert(x, ElementType::kF8E4M3FN)), ElementsAre(0x7f, 0xff, 0x80));
  EXPECT_THAT(StoredBytes(Convert(x, ElementType::kF8E4M3FNUZ)), ElementsAre(0x80, 0x80, 0));
  EXPECT_THAT(StoredBytes(Convert(x, ElementType::kF4E2M1FN)), ElementsAre(7, 15, 8));
  EXPECT_THAT(StoredBytes(Convert(x, ElementType::kF6E3M2FN)), ElementsAre(31, 63, 32));
}

TEST(ConvertTest, ScalesRoundTiesUpAndHaveNoZero) {
  // 1.5 * 2^0 and 1.5 * 2^1 both go up, as ml_dtypes has it.
  EXPECT_EQ(Convert(VectorOf<float>({1.5f, 3, 1.25f, 0x1.8p-11f}), ElementType::kF8E8M0FNU),
            NumbersOf(ElementType::kF8E8M0FNU, {2, 4, 1, 0x1p-10}));
  EXPECT_THAT(
      StoredBytes(Convert(VectorOf<float>({0, -1, INFINITY, 1, 2.9e38f}), ElementType::kF8E8M0FNU)),
      ElementsAre(255, 255, 255, 127, 255));
}

TEST(ConvertTest, PredIsOneOrZero) {
  const Literal pred = BytesOf(ElementType::kPred, {0, 1});
  for (const ElementType to : {ElementType::kF64, ElementType::kBF16, ElementType::kF8E4M3FN,
                               ElementType::kS32, ElementType::kU4, ElementType::kC64}) {
    EXPECT_EQ(Convert(pred, to), NumbersOf(to, {0, 1})) << hlo::Name(to);
  }
  EXPECT_THAT(StoredBytes(Convert(VectorOf<float>({0, -0.0f, 0.25f, NAN}), ElementType::kPred)),
              ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(StoredBytes(Convert(VectorOf<int32_t>({0, 256, -1}), ElementType::kPred)),
              ElementsAre(0, 1, 1));
}

TEST(ConvertTest, ComplexNumbers) {
  using C64 = std::complex<float>;
  using C128 = std::complex<double>;
  EXPECT_THAT(ValuesOf<C128>(Convert(VectorOf<C64>({{1, -2}}), ElementType::kC128)),
              ElementsAre(C128(1, -2)));
  EXPECT_THAT(ValuesOf<C64>(Convert(VectorOf<C128>({{0.1, 1e40}}), ElementType::kC64)),
              ElementsAre(C64(0.1f, INFINITY)));
  EXPECT_THAT(ValuesOf<C64>(Convert(VectorOf<double>({0.1}), ElementType::kC64)),
              ElementsAre(C64(0.1f, 0)));
  EXPECT_THAT(ValuesOf<C128>(Convert(VectorOf<int64_t>({-3}), ElementType::kC128)),
              ElementsAre(C128(-3, 0)));
  // The real part.
  EXPECT_THAT(ValuesOf<float>(Convert(VectorOf<C128>({{0.1, 5}}), ElementType::kF32)),
              ElementsAre(0.1f));
  EXPECT_THAT(ValuesOf<int8_t>(Convert(VectorOf<C64>({{-1.5f, 5}}), ElementType::kS8)),
              ElementsAre(-1));
  EXPECT_THAT(StoredBytes(Convert(VectorOf<C64>({{0, 5}, {2, 0}}), ElementType::kPred)),
              ElementsAre(0, 1));
}

TEST(ConvertTest, SameTypeKeepsEveryBit) {
  Literal x = VectorOf<float>({0});
  const uint32_t bits = 0x7fa12345;  // a signalling NaN
  std::memcpy(x.bytes().data(), &bits, 4);
  EXPECT_EQ(Convert(x, ElementType::kF32), x);
}

TEST(ConvertTest, ManyElements) {
  std::vector<double> numbers(1000);  // more than one block
  for (int i = 0; i < 1000; ++i) numbers[i] = i % 100;
  EXPECT_EQ(Convert(NumbersOf(ElementType::kF64, numbers), ElementType::kS8),
            NumbersOf(ElementType::kS8, numbers));
}

absl::StatusOr<Literal> StochasticConvert(const Literal& x, const Literal& random, ElementType to) {
  return RunElementwiseTo(&EvalStochasticConvert, Opcode::kStochasticConvert, to, {x, random});
}

TEST(StochasticConvertTest, RandomBelowTheFractionRoundsAwayFromZero) {
  // 2.25: the fraction is 2^30 of 2^32.
  const Literal x = VectorOf<float>({2.25f, 2.25f, -2.25f, -2.25f, 3, 0.5f, -0.5f});
  const Literal random =
      VectorOf<uint32_t>({(1u << 30) - 1, 1u << 30, 0, 1u << 31, 0, 0x7fffffff, 0});
  EXPECT_THAT(ValuesOf<int32_t>(*StochasticConvert(x, random, ElementType::kS32)),
              ElementsAre(3, 2, -3, -2, 3, 1, -1));
}

TEST(StochasticConvertTest, SaturatesAndMakesNanZero) {
  const Literal x = VectorOf<float>({1000, -1000, INFINITY, -INFINITY, NAN, 127.5f});
  const Literal random = VectorOf<uint32_t>({0, 0, 0, 0, 0, 0});
  EXPECT_THAT(ValuesOf<int8_t>(*StochasticConvert(x, random, ElementType::kS8)),
              ElementsAre(127, -128, 127, -128, 0, 127));
}

TEST(StochasticConvertTest, ToANarrowerFloat) {
  // bf16 neighbours of 1 + 2^-9 are 1 and 1 + 2^-7: a quarter of the way.
  const Literal x = VectorOf<float>({0x1.008p0f, 0x1.008p0f, -0x1.008p0f, 1, INFINITY});
  const Literal random = VectorOf<uint32_t>({(1u << 30) - 1, 1u << 30, 0, 0, 0});
  EXPECT_EQ(*StochasticConvert(x, random, ElementType::kBF16),
            NumbersOf(ElementType::kBF16, {0x1.02p0, 1, -0x1.02p0, 1, kInf}));
  EXPECT_EQ(*StochasticConvert(VectorOf<float>({17, 17, 1e6f}), VectorOf<uint32_t>({0, ~0u, 0}),
                               ElementType::kF8E4M3FN),
            NumbersOf(ElementType::kF8E4M3FN, {18, 16, kNan}));
}

TEST(StochasticConvertTest, FromF64ToF32) {
  // f32 neighbours of 1 + 2^-25 are 1 and 1 + 2^-23: a quarter of the way.
  const double x = 1 + 0x1p-25;
  const auto result = StochasticConvert(
      VectorOf<double>({x, x, -x, 1, 1e300, kInf, 0x1.fffffefp127}),
      VectorOf<uint64_t>({(uint64_t{1} << 62) - 1024, uint64_t{1} << 62, 0, 0, 0, 0, ~uint64_t{0}}),
      ElementType::kF32);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(ValuesOf<float>(*result),
              ElementsAre(0x1.000002p0f, 1, -0x1.000002p0f, 1, kInf, kInf, 0x1.fffffep127f));
}

TEST(StochasticConvertTest, OtherTypesAreRefused) {
  const auto result =
      StochasticConvert(VectorOf<double>({1}), VectorOf<uint64_t>({0}), ElementType::kF64);
  EXPECT_EQ(ErrorIdOf(result.status()), "AX0800");
  EXPECT_THAT(std::string(result.status().message()),
              testing::HasSubstr("stochastic-convert of f64 to f64"));
}

}  // namespace
}  // namespace axle::eval
