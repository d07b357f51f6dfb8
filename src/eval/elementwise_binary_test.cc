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

constexpr ElementType kSignedTypes[] = {ElementType::kS4, ElementType::kS8, ElementType::kS16,
                                        ElementType::kS32, ElementType::kS64};
constexpr ElementType kUnsignedTypes[] = {ElementType::kU4, ElementType::kU8, ElementType::kU16,
                                          ElementType::kU32};
constexpr ElementType kFloatTypes[] = {ElementType::kF64, ElementType::kF32, ElementType::kF16,
                                       ElementType::kBF16, ElementType::kF8E5M2};

Literal Binary(Opcode opcode, const Literal& a, const Literal& b) {
  return *RunElementwise(&EvalBinary, opcode, {a, b});
}
template <typename T>
T BinaryOf(Opcode opcode, T a, T b) {
  return Binary(opcode, VectorOf<T>({a}), VectorOf<T>({b})).template data<T>()[0];
}
void ExpectBinary(Opcode opcode, ElementType type, const std::vector<double>& a,
                  const std::vector<double>& b, const std::vector<double>& expected) {
  EXPECT_EQ(Binary(opcode, NumbersOf(type, a), NumbersOf(type, b)), NumbersOf(type, expected))
      << hlo::Name(opcode) << " of " << hlo::Name(type);
}

TEST(ElementwiseBinaryTest, PredIsLogic) {
  const Literal a = BytesOf(ElementType::kPred, {0, 0, 1, 1});
  const Literal b = BytesOf(ElementType::kPred, {0, 1, 0, 1});
  for (const Opcode opcode : {Opcode::kAdd, Opcode::kMaximum, Opcode::kOr}) {
    EXPECT_THAT(StoredBytes(Binary(opcode, a, b)), ElementsAre(0, 1, 1, 1)) << hlo::Name(opcode);
  }
  for (const Opcode opcode : {Opcode::kMultiply, Opcode::kMinimum, Opcode::kAnd}) {
    EXPECT_THAT(StoredBytes(Binary(opcode, a, b)), ElementsAre(0, 0, 0, 1)) << hlo::Name(opcode);
  }
  EXPECT_THAT(StoredBytes(Binary(Opcode::kXor, a, b)), ElementsAre(0, 1, 1, 0));
}

TEST(ElementwiseBinaryTest, SignedArithmeticWraps) {
  for (const ElementType type : kSignedTypes) {
    const double least = -std::ldexp(1.0, hlo::BitWidth(type) - 1);
    ExpectBinary(Opcode::kAdd, type, {least, -3, 2}, {least, 5, 1}, {0, 2, 3});
    ExpectBinary(Opcode::kSubtract, type, {least, 0, 2}, {least, least, 5}, {0, least, -3});
    ExpectBinary(Opcode::kMultiply, type, {least, least, -3}, {-1, 3, 2}, {least, least, -6});
    ExpectBinary(Opcode::kMaximum, type, {least, -1, 3}, {0, -2, 3}, {0, -1, 3});
    ExpectBinary(Opcode::kMinimum, type, {least, -1, 3}, {0, -2, 3}, {least, -2, 3});
  }
}

TEST(ElementwiseBinaryTest, SignedDivisionTruncatesAndHasAnAnswerForEverything) {
  for (const ElementType type : kSignedTypes) {
    const double least = -std::ldexp(1.0, hlo::BitWidth(type) - 1);
    const std::vector<double> a = {7, -7, 7, -7, 5, 0, least, least};
    const std::vector<double> b = {2, 2, -2, -2, 0, 0, -1, 0};
    ExpectBinary(Opcode::kDivide, type, a, b, {3, -3, -3, 3, -1, -1, least, -1});
    ExpectBinary(Opcode::kRemainder, type, a, b, {1, -1, 1, -1, 5, 0, 0, least});
  }
}

TEST(ElementwiseBinaryTest, UnsignedArithmetic) {
  for (const ElementType type : kUnsignedTypes) {
    const double most = std::ldexp(1.0, hlo::BitWidth(type)) - 1;
    ExpectBinary(Opcode::kAdd, type, {most, 3}, {1, 4}, {0, 7});
    ExpectBinary(Opcode::kSubtract, type, {0, 3}, {1, 2}, {most, 1});
    ExpectBinary(Opcode::kMultiply, type, {most, 3}, {most, 4}, {1, 12});
    ExpectBinary(Opcode::kDivide, type, {most, 7, 5}, {2, 2, 0}, {(most - 1) / 2, 3, most});
    ExpectBinary(Opcode::kRemainder, type, {most, 7, 5}, {2, 4, 0}, {1, 3, 5});
    ExpectBinary(Opcode::kMaximum, type, {most, 3}, {1, 4}, {most, 4});
    ExpectBinary(Opcode::kMinimum, type, {most, 3}, {1, 4}, {1, 3});
  }
  EXPECT_EQ(BinaryOf<uint64_t>(Opcode::kDivide, 3, 0), ~uint64_t{0});
}

TEST(ElementwiseBinaryTest, BitwiseLogic) {
  for (const ElementType type : kUnsignedTypes) {
    ExpectBinary(Opcode::kAnd, type, {12}, {10}, {8});
    ExpectBinary(Opcode::kOr, type, {12}, {10}, {14});
    ExpectBinary(Opcode::kXor, type, {12}, {10}, {6});
  }
  for (const ElementType type : kSignedTypes) {
    ExpectBinary(Opcode::kAnd, type, {-1, -4}, {5, -2}, {5, -4});
    ExpectBinary(Opcode::kXor, type, {-1, 5}, {5, 5}, {-6, 0});
  }
}

TEST(ElementwiseBinaryTest, ShiftsBeyondTheWidth) {
  for (const ElementType type : kSignedTypes) {
    const double bits = hlo::BitWidth(type);
    const double least = -std::ldexp(1.0, bits - 1);
    const std::vector<double> amounts = {1, bits - 1, -1};  // -1: a huge unsigned amount
    ExpectBinary(Opcode::kShiftLeft, type, {3, 3, 3}, amounts, {6, least, 0});
    ExpectBinary(Opcode::kShiftRightArithmetic, type, {-4, -4, -4}, amounts, {-2, -1, -1});
    ExpectBinary(Opcode::kShiftRightArithmetic, type, {5, 5, 5}, amounts, {2, 0, 0});
    ExpectBinary(Opcode::kShiftRightLogical, type, {-1, -1, -1}, {bits - 1, bits - 2, -1},
                 {1, 3, 0});
  }
  // Exactly the width, which s4 can't hold as an amount.
  ExpectBinary(Opcode::kShiftLeft, ElementType::kS32, {3}, {32}, {0});
  ExpectBinary(Opcode::kShiftRightArithmetic, ElementType::kS8, {-3}, {8}, {-1});
  ExpectBinary(Opcode::kShiftRightLogical, ElementType::kS64, {-3}, {64}, {0});
  // An unsigned number is filled with its top bit too.
  ExpectBinary(Opcode::kShiftRightArithmetic, ElementType::kU8, {128, 127, 128}, {3, 3, 30},
               {240, 15, 255});
}

TEST(ElementwiseBinaryTest, IntegerPower) {
  for (const ElementType type : kSignedTypes) {
    ExpectBinary(Opcode::kPower, type, {0, 2, -2, -1, 1, -1, -1, 2, 0},
                 {0, 2, 1, 3, -5, -3, -4, -1, -1}, {1, 4, -2, -1, 1, -1, 1, 0, 0});
  }
  EXPECT_EQ(BinaryOf<uint32_t>(Opcode::kPower, 3, 20), 3486784401u);
  EXPECT_EQ(BinaryOf<int32_t>(Opcode::kPower, 3, 21), 1870418611);  // 10460353203 mod 2^32
  EXPECT_EQ(BinaryOf<int64_t>(Opcode::kPower, 2, 64), 0);
  EXPECT_EQ(BinaryOf<uint8_t>(Opcode::kPower, 3, 255), 171);  // 3^64 is 1 mod 256, 3^63 is 171
}

TEST(ElementwiseBinaryTest, UpperHalfOfTheProduct) {
  EXPECT_EQ(BinaryOf<int8_t>(Opcode::kMulhi, -128, -128), 64);  // 16384 / 256
  EXPECT_EQ(BinaryOf<int8_t>(Opcode::kMulhi, -1, 1), -1);
  EXPECT_EQ(BinaryOf<uint8_t>(Opcode::kMulhi, 255, 255), 254);  // 65025 / 256
  EXPECT_EQ(BinaryOf<uint32_t>(Opcode::kMulhi, 0x80000000u, 6), 3u);
  EXPECT_EQ(BinaryOf<uint64_t>(Opcode::kMulhi, ~uint64_t{0}, ~uint64_t{0}), ~uint64_t{1});
  EXPECT_EQ(BinaryOf<int64_t>(Opcode::kMulhi, INT64_MIN, INT64_MIN), int64_t{1} << 62);
  EXPECT_EQ(BinaryOf<int64_t>(Opcode::kMulhi, INT64_MIN, 3), -2);  // -3 * 2^63 / 2^64, down
  ExpectBinary(Opcode::kMulhi, ElementType::kS4, {-8, 7}, {-8, 7}, {4, 3});
}

TEST(ElementwiseBinaryTest, FloatArithmeticRoundsOnce) {
  for (const ElementType type : kFloatTypes) {
    ExpectBinary(Opcode::kAdd, type, {1.5, kInf}, {0.25, 1}, {1.75, kInf});
    ExpectBinary(Opcode::kSubtract, type, {1.5, 0}, {0.25, 0}, {1.25, 0});
    ExpectBinary(Opcode::kMultiply, type, {1.5, -2}, {0.5, 0}, {0.75, -0.0});
    ExpectBinary(Opcode::kDivide, type, {3, 1, -1}, {2, 0, 0}, {1.5, kInf, -kInf});
    ExpectBinary(Opcode::kRemainder, type, {5, -5, 5, 1}, {3, 3, -3, kInf}, {2, -2, 2, 1});
    ExpectBinary(Opcode::kPower, type, {2, 0, 4, -2, kNan, 1, -8}, {3, -1, 0.5, 3, 0, kNan, -1},
                 {8, kInf, 2, -8, 1, 1, -0.125});
  }
  // 1 / 3 rounded once: 0.0101010101… in binary.
  ExpectBinary(Opcode::kDivide, ElementType::kBF16, {1}, {3}, {0x1.56p-2});
  ExpectBinary(Opcode::kDivide, ElementType::kF16, {1}, {3}, {0x1.554p-2});
  ExpectBinary(Opcode::kDivide, ElementType::kF8E4M3FN, {1}, {3}, {0x1.6p-2});
  // Halfway goes to even: 9 is 1001 in binary, 4 significant bits; 17 is 10001.
  ExpectBinary(Opcode::kAdd, ElementType::kF8E4M3FN, {16, 16}, {1, 3}, {16, 20});
  ExpectBinary(Opcode::kAdd, ElementType::kF4E2M1FN, {6, 0.5, 3}, {6, 0.5, 2}, {6, 1, 4});
  ExpectBinary(Opcode::kMultiply, ElementType::kF8E8M0FNU, {4, 0.5}, {8, 0.25}, {32, 0.125});
  ExpectBinary(Opcode::kAdd, ElementType::kF8E4M3FN, {448}, {448}, {kNan});
}

TEST(ElementwiseBinaryTest, RemainderOfInfinityAndByZeroIsNan) {
  EXPECT_TRUE(std::isnan(BinaryOf<float>(Opcode::kRemainder, INFINITY, 2)));
  EXPECT_TRUE(std::isnan(BinaryOf<double>(Opcode::kRemainder, 2, 0)));
}

TEST(ElementwiseBinaryTest, MaximumAndMinimumKeepNanAndOrderZeros) {
  for (const ElementType type : kFloatTypes) {
    const std::vector<double> a = {1, kNan, 1, 0, -0.0, -kInf};
    const std::vector<double> b = {2, 1, kNan, -0.0, 0, kInf};
    ExpectBinary(Opcode::kMaximum, type, a, b, {2, kNan, kNan, 0, 0, kInf});
    ExpectBinary(Opcode::kMinimum, type, a, b, {1, kNan, kNan, -0.0, -0.0, -kInf});
  }
}

TEST(ElementwiseBinaryTest, Atan2KnowsAllQuadrants) {
  const double pi = std::acos(-1.0);
  for (const ElementType type : kFloatTypes) {
    ExpectBinary(Opcode::kAtan2, type, {1, 1, -1, -1, 0, -0.0, 0, kInf},
                 {1, -1, 1, -1, -1, -1, 1, -kInf},
                 {pi / 4, 3 * pi / 4, -pi / 4, -3 * pi / 4, pi, -pi, 0, 3 * pi / 4});
  }
}

using C64 = std::complex<float>;
using C128 = std::complex<double>;

struct ComplexCase {
  Opcode opcode;
  C128 a, b, expected;
};

// Computed by mpmath with 60 digits; principal values.
constexpr ComplexCase kComplexCases[] = {
    {Opcode::kPower, {0.5, 0.75}, {2.0, 0.0}, {-0x1.4p-2, 0x1.8p-1}},
    {Opcode::kDivide, {0.5, 0.75}, {2.0, 0.0}, {0x1p-2, 0x1.8p-2}},
    {Opcode::kAtan2, {0.5, 0.75}, {2.0, 0.0}, {0x1.1ee77d6298019p-2, 0x1.76054502cab5dp-2}},
    {Opcode::kPower, {-1.5, 0.125}, {0.5, -0.25}, {0x1.82c02a64928ecp-2, 0x1.4ddce77bc3e7fp+1}},
    {Opcode::kDivide, {-1.5, 0.125}, {0.5, -0.25}, {-0x1.4p+1, -0x1p+0}},
    {Opcode::kMultiply, {-1.5, 0.125}, {0.5, -0.25}, {-0x1.7p-1, 0x1.cp-2}},
    {Opcode::kAtan2, {-1.5, 0.125}, {0.5, -0.25}, {-0x1.3bc1cc0033274p+0, -0x1.fa91a6d08f8d2p-4}},
    {Opcode::kPower, {3.0, -2.0}, {-1.5, 0.75}, {-0x1.f58ba730fdfb0p-5, 0x1.bfb6bf77500b7p-3}},
    {Opcode::kDivide, {3.0, -2.0}, {-1.5, 0.75}, {-0x1.1111111111111p+1, 0x1.1111111111111p-2}},
    {Opcode::kMultiply, {3.0, -2.0}, {-1.5, 0.75}, {-0x1.8p+1, 0x1.5p+2}},
    {Opcode::kAtan2, {3.0, -2.0}, {-1.5, 0.75}, {0x1.008b43736adb6p+1, 0x1.85b9a6031490ap-5}},
    {Opcode::kPower, {-0.25, -0.875}, {3.0, 1.0}, {0x1.eb093d71e8648p+1, 0x1.6ed266d3c5d4fp+1}},
    {Opcode::kDivide, {-0.25, -0.875}, {3.0, 1.0}, {-0x1.4cccccccccccdp-3, -0x1.e666666666666p-3}},
    {Opcode::kAtan2, {-0.25, -0.875}, {3.0, 1.0}, {-0x1.5cb66a3799aa6p-3, -0x1.e1e138a0262a5p-3}},
    {Opcode::kPower, {-2.0, 0.0}, {0.5, 0.0}, {0, 0x1.6a09e667f3bcdp+0}},
    {Opcode::kPower, {0.0, 1.0}, {0.0, 1.0}, {0x1.a9bcc46f767dfp-3, 0.0}},
};

TEST(ElementwiseBinaryTest, ComplexArithmetic) {
  for (const ComplexCase& c : kComplexCases) {
    const C128 wide = BinaryOf<C128>(c.opcode, c.a, c.b);
    EXPECT_LE(std::abs(wide - c.expected), 8e-16 * std::abs(c.expected))
        << hlo::Name(c.opcode) << " of " << c.a << " and " << c.b << " is " << wide;
    const C128 narrow(BinaryOf<C64>(c.opcode, C64(c.a), C64(c.b)));
    EXPECT_LE(std::abs(narrow - c.expected), 1.2e-7 * std::abs(c.expected))
        << hlo::Name(c.opcode) << " of " << c.a << " and " << c.b << " is " << narrow;
  }
  EXPECT_EQ(BinaryOf<C64>(Opcode::kAdd, {1, 2}, {3, -4}), C64(4, -2));
  EXPECT_EQ(BinaryOf<C128>(Opcode::kSubtract, {1, 2}, {3, -4}), C128(-2, 6));
}

TEST(ElementwiseBinaryTest, ComplexMaximumAndMinimumAreLexicographic) {
  // The cases of StableHLO's own interpreter tests.
  const Literal a = VectorOf<C64>({{1.5, 2.5}, {1.5, 7.5}, {0, 1.5}, {0, 1.5}});
  const Literal b = VectorOf<C64>({{7.5, 1.5}, {1.5, 2.5}, {-0.0f, 2.5}, {0, 1.5}});
  EXPECT_EQ(Binary(Opcode::kMaximum, a, b),
            VectorOf<C64>({{7.5, 1.5}, {1.5, 7.5}, {-0.0f, 2.5}, {0, 1.5}}));
  EXPECT_EQ(Binary(Opcode::kMinimum, a, b),
            VectorOf<C64>({{1.5, 2.5}, {1.5, 2.5}, {0, 1.5}, {0, 1.5}}));
}

TEST(ElementwiseBinaryTest, ComplexPowerAtTheEdges) {
  const C128 zero(0, 0);
  EXPECT_EQ(BinaryOf<C128>(Opcode::kPower, zero, zero), C128(1, 0));
  EXPECT_EQ(BinaryOf<C128>(Opcode::kPower, {kNan, 1}, zero), C128(1, 0));
  EXPECT_EQ(BinaryOf<C128>(Opcode::kPower, {1, 0}, {kInf, kNan}), C128(1, 0));
  EXPECT_EQ(BinaryOf<C128>(Opcode::kPower, zero, {2, 0}), zero);
  EXPECT_TRUE(std::isnan(BinaryOf<C128>(Opcode::kPower, zero, {-1, 0}).real()));
  EXPECT_TRUE(std::isnan(BinaryOf<C128>(Opcode::kPower, zero, {1, 1}).real()));
  EXPECT_EQ(BinaryOf<C128>(Opcode::kPower, {kInf, 0}, {-1, 0}), zero);
}

TEST(ElementwiseBinaryTest, ComplexDivisionNeitherOverflowsNorLosesInfinity) {
  const C128 large(3e300, 4e300);
  EXPECT_DOUBLE_EQ(BinaryOf<C128>(Opcode::kDivide, large, large).real(), 1);
  const C128 by_zero = BinaryOf<C128>(Opcode::kDivide, {1, 0}, {0, 0});
  EXPECT_TRUE(std::isinf(by_zero.real()));
  EXPECT_EQ(BinaryOf<C128>(Opcode::kDivide, {1, 1}, {kInf, kInf}), C128(0, 0));
}

TEST(ElementwiseBinaryTest, ComplexFromParts) {
  const Literal narrow = *RunElementwiseTo(&EvalComplex, Opcode::kComplex, ElementType::kC64,
                                           {VectorOf<float>({1, 2}), VectorOf<float>({3, -4})});
  EXPECT_THAT(ValuesOf<C64>(narrow), ElementsAre(C64(1, 3), C64(2, -4)));
  const Literal wide = *RunElementwiseTo(&EvalComplex, Opcode::kComplex, ElementType::kC128,
                                         {VectorOf<double>({1}), VectorOf<double>({0.1})});
  EXPECT_THAT(ValuesOf<C128>(wide), ElementsAre(C128(1, 0.1)));
}

TEST(ElementwiseBinaryTest, OneBitIntegers) {
  const Literal a = BytesOf(ElementType::kS1, {0, 0, 1, 1});  // 1 stands for -1
  const Literal b = BytesOf(ElementType::kS1, {0, 1, 0, 1});
  EXPECT_THAT(StoredBytes(Binary(Opcode::kAdd, a, b)), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(StoredBytes(Binary(Opcode::kMultiply, a, b)), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(StoredBytes(Binary(Opcode::kMaximum, a, b)), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(StoredBytes(Binary(Opcode::kDivide, a, b)), ElementsAre(1, 0, 1, 1));
}

TEST(ElementwiseBinaryTest, RefusesTypesThatAnOperationLacks) {
  const auto result =
      RunElementwise(&EvalBinary, Opcode::kAnd, {VectorOf<float>({1}), VectorOf<float>({1})});
  EXPECT_EQ(ErrorIdOf(result.status()), "AX0800");
  EXPECT_THAT(std::string(result.status().message()), testing::HasSubstr("and of f32"));
  EXPECT_EQ(FindBinary(Opcode::kRemainder, ElementType::kC64), nullptr);
  EXPECT_EQ(FindBinary(Opcode::kSubtract, ElementType::kPred), nullptr);
  EXPECT_EQ(FindBinary(Opcode::kComplex, ElementType::kF16), nullptr);
  EXPECT_EQ(FindBinary(Opcode::kMulhi, ElementType::kF32), nullptr);
}

}  // namespace
}  // namespace axle::eval
