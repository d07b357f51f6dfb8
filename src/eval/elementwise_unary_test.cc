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

Literal Unary(Opcode opcode, const Literal& x) { return *RunElementwise(&EvalUnary, opcode, {x}); }
Literal UnaryTo(Opcode opcode, ElementType result, const Literal& x) {
  return *RunElementwiseTo(&EvalUnary, opcode, result, {x});
}
template <typename T>
T UnaryOf(Opcode opcode, T x) {
  return Unary(opcode, VectorOf<T>({x})).template data<T>()[0];
}

struct RealCase {
  const char* operation;
  double x, expected;
};
struct ComplexCase {
  const char* operation;
  std::complex<double> z, expected;
};
constexpr RealCase kRealCases[] = {
#define AXLE_REAL(operation, x, expected) {operation, x, expected},
#define AXLE_COMPLEX(...)
#include "eval/unary_expected.inc"
#undef AXLE_REAL
#undef AXLE_COMPLEX
};
constexpr ComplexCase kComplexCases[] = {
#define AXLE_REAL(...)
#define AXLE_COMPLEX(operation, x, y, real, imag) {operation, {x, y}, {real, imag}},
#include "eval/unary_expected.inc"
#undef AXLE_REAL
#undef AXLE_COMPLEX
};

TEST(ElementwiseUnaryTest, ElementaryFunctionsOfF64AreWithinOneUnitInTheLastPlace) {
  for (const RealCase& c : kRealCases) {
    const double got = UnaryOf<double>(*hlo::OpcodeFromName(c.operation), c.x);
    EXPECT_GE(got, std::nextafter(c.expected, -kInf)) << c.operation << " of " << c.x;
    EXPECT_LE(got, std::nextafter(c.expected, kInf)) << c.operation << " of " << c.x;
  }
}

TEST(ElementwiseUnaryTest, ElementaryFunctionsOfSmallerFloatsAreRoundedRight) {
  for (const RealCase& c : kRealCases) {
    const Opcode opcode = *hlo::OpcodeFromName(c.operation);
    for (const ElementType type :
         {ElementType::kF32, ElementType::kF16, ElementType::kBF16, ElementType::kF8E5M2,
          ElementType::kF8E4M3FN, ElementType::kF8E3M4}) {
      // Only where the type has the argument itself.
      const Literal x = NumbersOf(type, {c.x});
      const Literal exact =
          *RunElementwiseTo(&EvalConvert, Opcode::kConvert, ElementType::kF64, {x});
      if (exact.data<double>()[0] != c.x) continue;
      EXPECT_EQ(Unary(opcode, x), NumbersOf(type, {c.expected}))
          << c.operation << " of " << hlo::Name(type) << " " << c.x;
    }
  }
}

TEST(ElementwiseUnaryTest, ElementaryFunctionsOfComplexNumbers) {
  for (const ComplexCase& c : kComplexCases) {
    const Opcode opcode = *hlo::OpcodeFromName(c.operation);
    const auto wide = UnaryOf<std::complex<double>>(opcode, c.z);
    EXPECT_LE(std::abs(wide - c.expected), 4e-16 * std::abs(c.expected))
        << c.operation << " of " << c.z << " is " << wide;
    const std::complex<double> narrow(
        UnaryOf<std::complex<float>>(opcode, std::complex<float>(c.z)));
    EXPECT_LE(std::abs(narrow - c.expected), 6e-8 * std::abs(c.expected))
        << c.operation << " of " << c.z << " is " << narrow;
  }
}

TEST(ElementwiseUnaryTest, SpecialValuesOfRealFunctions) {
  struct Case {
    Opcode opcode;
    double x, expected;
  };
  // Limits of the functions, NaN outside their domains.
  for (const Case& c : std::initializer_list<Case>{
           {Opcode::kExp, -kInf, 0},      {Opcode::kExp, kInf, kInf},   {Opcode::kExpm1, -kInf, -1},
           {Opcode::kLog, 0, -kInf},      {Opcode::kLog, -1, kNan},     {Opcode::kLog1p, -1, -kInf},
           {Opcode::kLogistic, -kInf, 0}, {Opcode::kLogistic, kInf, 1}, {Opcode::kLogistic, 0, 0.5},
           {Opcode::kRsqrt, 0, kInf},     {Opcode::kRsqrt, kInf, 0},    {Opcode::kRsqrt, -1, kNan},
           {Opcode::kSqrt, -1, kNan},     {Opcode::kTanh, kInf, 1},     {Opcode::kErf, -kInf, -1},
           {Opcode::kSin, kInf, kNan},    {Opcode::kAcosh, 0.5, kNan},  {Opcode::kAtanh, 1, kInf},
           {Opcode::kCbrt, -kInf, -kInf},
       }) {
    for (const ElementType type :
         {ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBF16}) {
      const Literal got = *RunElementwiseTo(&EvalConvert, Opcode::kConvert, ElementType::kF64,
                                            {Unary(c.opcode, NumbersOf(type, {c.x}))});
      const double value = got.data<double>()[0];
      if (std::isnan(c.expected)) {
        EXPECT_TRUE(std::isnan(value)) << hlo::Name(c.opcode) << " of " << c.x << " is " << value;
      } else {
        EXPECT_EQ(value, c.expected) << hlo::Name(c.opcode) << " of " << c.x;
      }
    }
  }
}

TEST(ElementwiseUnaryTest, LogisticUnderflowsGradually) {
  EXPECT_EQ(UnaryOf<double>(Opcode::kLogistic, -740), std::exp(-740.0));  // 1 + e^-740 is 1
}

TEST(ElementwiseUnaryTest, RoundingKeepsTheSignOfZero) {
  const std::vector<double> x = {-2.5, -1.5, -0.5, -0.0, 0.5, 1.5, 2.5, 0.75};
  for (const ElementType type :
       {ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBF16,
        ElementType::kF8E5M2, ElementType::kF8E4M3FN}) {
    const auto expect = [&](Opcode opcode, const std::vector<double>& expected) {
      EXPECT_EQ(Unary(opcode, NumbersOf(type, x)), NumbersOf(type, expected))
          << hlo::Name(opcode) << " of " << hlo::Name(type);
    };
    expect(Opcode::kCeil, {-2, -1, -0.0, -0.0, 1, 2, 3, 1});
    expect(Opcode::kFloor, {-3, -2, -1, -0.0, 0, 1, 2, 0});
    expect(Opcode::kRoundNearestAfz, {-3, -2, -1, -0.0, 1, 2, 3, 1});
    expect(Opcode::kRoundNearestEven, {-2, -2, -0.0, -0.0, 0, 2, 2, 1});
    expect(Opcode::kSign, {-1, -1, -1, -0.0, 1, 1, 1, 1});
    expect(Opcode::kAbs, {2.5, 1.5, 0.5, 0, 0.5, 1.5, 2.5, 0.75});
    expect(Opcode::kNegate, {2.5, 1.5, 0.5, 0, -0.5, -1.5, -2.5, -0.75});
    expect(Opcode::kReal, x);
    expect(Opcode::kImag, {0, 0, 0, 0, 0, 0, 0, 0});
  }
}

TEST(ElementwiseUnaryTest, SignKeepsNan) {
  EXPECT_TRUE(std::isnan(UnaryOf<float>(Opcode::kSign, NAN)));
  EXPECT_EQ(UnaryOf<float>(Opcode::kSign, -INFINITY), -1);
}

TEST(ElementwiseUnaryTest, IsFinite) {
  const std::vector<double> x = {0, -1, kInf, -kInf, kNan};
  for (const ElementType type :
       {ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBF16,
        ElementType::kF8E5M2, ElementType::kF8E4M3FNUZ}) {
    EXPECT_THAT(StoredBytes(UnaryTo(Opcode::kIsFinite, ElementType::kPred, NumbersOf(type, x))),
                ElementsAre(1, 1, 0, 0, 0))
        << hlo::Name(type);
  }
}

TEST(ElementwiseUnaryTest, SignedIntegersWrapAtTheLeast) {
  for (const ElementType type : {ElementType::kS2, ElementType::kS4, ElementType::kS8,
                                 ElementType::kS16, ElementType::kS32, ElementType::kS64}) {
    const double least = -std::ldexp(1.0, hlo::BitWidth(type) - 1);
    const Literal x = NumbersOf(type, {least, -1, 0, 1});
    EXPECT_EQ(Unary(Opcode::kAbs, x), NumbersOf(type, {least, 1, 0, 1})) << hlo::Name(type);
    EXPECT_EQ(Unary(Opcode::kNegate, x), NumbersOf(type, {least, 1, 0, -1})) << hlo::Name(type);
    EXPECT_EQ(Unary(Opcode::kSign, x), NumbersOf(type, {-1, -1, 0, 1})) << hlo::Name(type);
    EXPECT_EQ(Unary(Opcode::kNot, NumbersOf(type, {-2, -1, 0, 1})), NumbersOf(type, {1, 0, -1, -2}))
        << hlo::Name(type);
  }
  // One bit holds -1 and 0: -(-1) is 1, which has the bits of -1.
  EXPECT_THAT(StoredBytes(Unary(Opcode::kNegate, BytesOf(ElementType::kS1, {0, 1}))),
              ElementsAre(0, 1));
}

TEST(ElementwiseUnaryTest, UnsignedIntegers) {
  for (const ElementType type : {ElementType::kU2, ElementType::kU4, ElementType::kU8,
                                 ElementType::kU16, ElementType::kU32}) {
    const double largest = std::ldexp(1.0, hlo::BitWidth(type)) - 1;
    const Literal x = NumbersOf(type, {0, 1, largest});
    EXPECT_EQ(Unary(Opcode::kAbs, x), x) << hlo::Name(type);
    EXPECT_EQ(Unary(Opcode::kNegate, x), NumbersOf(type, {0, largest, 1})) << hlo::Name(type);
    EXPECT_EQ(Unary(Opcode::kSign, x), NumbersOf(type, {0, 1, 1})) << hlo::Name(type);
    EXPECT_EQ(Unary(Opcode::kNot, x), NumbersOf(type, {largest, largest - 1, 0}))
        << hlo::Name(type);
  }
  EXPECT_EQ(UnaryOf<uint64_t>(Opcode::kNegate, 1), ~uint64_t{0});
}

TEST(ElementwiseUnaryTest, CountsOfBits) {
  for (const ElementType type :
       {ElementType::kS8, ElementType::kS16, ElementType::kS32, ElementType::kS64}) {
    const int bits = hlo::BitWidth(type);
    const Literal x = NumbersOf(type, {0, 1, 6, -1});
    EXPECT_EQ(Unary(Opcode::kClz, x), NumbersOf(type, {bits * 1.0, bits - 1.0, bits - 3.0, 0}));
    EXPECT_EQ(Unary(Opcode::kPopcnt, x), NumbersOf(type, {0, 1, 2, bits * 1.0}));
  }
  // Four bits: only they count.
  EXPECT_THAT(StoredBytes(Unary(Opcode::kClz, BytesOf(ElementType::kU4, {0, 1, 6, 15}))),
              ElementsAre(4, 3, 1, 0));
  EXPECT_THAT(StoredBytes(Unary(Opcode::kPopcnt, BytesOf(ElementType::kS4, {0, 1, 6, 15}))),
              ElementsAre(0, 1, 2, 4));
}

TEST(ElementwiseUnaryTest, NotOfPred) {
  EXPECT_THAT(StoredBytes(Unary(Opcode::kNot, BytesOf(ElementType::kPred, {0, 1}))),
              ElementsAre(1, 0));
}

TEST(ElementwiseUnaryTest, PartsOfComplexNumbers) {
  const Literal z = VectorOf<std::complex<float>>({{3, -4}, {-0.0f, 2}});
  EXPECT_THAT(ValuesOf<float>(UnaryTo(Opcode::kAbs, ElementType::kF32, z)), ElementsAre(5, 2));
  EXPECT_THAT(ValuesOf<float>(UnaryTo(Opcode::kReal, ElementType::kF32, z)), ElementsAre(3, 0));
  EXPECT_THAT(ValuesOf<float>(UnaryTo(Opcode::kImag, ElementType::kF32, z)), ElementsAre(-4, 2));
  EXPECT_THAT(ValuesOf<std::complex<float>>(Unary(Opcode::kNegate, z)),
              ElementsAre(std::complex<float>(-3, 4), std::complex<float>(0, -2)));
  const Literal wide = VectorOf<std::complex<double>>({{3e200, -4e200}});
  EXPECT_DOUBLE_EQ(ValuesOf<double>(UnaryTo(Opcode::kAbs, ElementType::kF64, wide))[0], 5e200);
}

struct SpecialComplex {
  Opcode opcode;
  std::complex<double> z, expected;
};

void ExpectSamePart(double got, double expected, const SpecialComplex& c, const char* part) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(got)) << hlo::Name(c.opcode) << " of " << c.z << " " << part << got;
  } else {
    EXPECT_DOUBLE_EQ(got, expected) << hlo::Name(c.opcode) << " of " << c.z << " " << part;
    EXPECT_EQ(std::signbit(got), std::signbit(expected)) << hlo::Name(c.opcode) << " of " << c.z;
  }
}

// C99 Annex G where it has the function, else as the definitions in complex_math.h say.
TEST(ElementwiseUnaryTest, SpecialValuesOfComplexFunctions) {
  const double pi = std::acos(-1.0);
  for (const SpecialComplex& c : std::initializer_list<SpecialComplex>{
           {Opcode::kSqrt, {-1, 0.0}, {0, 1}},
           {Opcode::kSqrt, {-1, -0.0}, {0, -1}},
           {Opcode::kSqrt, {-kInf, 1}, {0, kInf}},
           {Opcode::kSqrt, {2, kInf}, {kInf, kInf}},
           {Opcode::kLog, {0, 0}, {-kInf, 0}},
           {Opcode::kLog, {-1, -0.0}, {0, -pi}},
           {Opcode::kLog, {-kInf, 0}, {kInf, pi}},
           {Opcode::kLog1p, {-1, 0}, {-kInf, 0}},
           {Opcode::kLog1p, {kInf, 1}, {kInf, 0}},
           {Opcode::kLog1p, {1e-20, 1e-30}, {1e-20, 1e-30}},
           {Opcode::kExp, {-kInf, 2}, {-0.0, 0}},
           {Opcode::kExpm1, {-kInf, 0}, {-1, 0}},
           {Opcode::kExpm1, {1e-20, -0.0}, {1e-20, -0.0}},
           {Opcode::kExpm1, {1e-20, 1e-30}, {1e-20, 1e-30}},
           {Opcode::kTanh, {kInf, 1}, {1, 0}},
           {Opcode::kTanh, {400, 1}, {1, 0}},
           {Opcode::kLogistic, {800, 1}, {1, 0}},
           {Opcode::kLogistic, {-kInf, 0}, {0, 0}},
           {Opcode::kRsqrt, {0, 0}, {kInf, kNan}},
           {Opcode::kRsqrt, {kInf, 1}, {0, -0.0}},
           {Opcode::kRsqrt, {4, 0}, {0.5, -0.0}},
           {Opcode::kSign, {0, -0.0}, {0, 0}},
           {Opcode::kSign, {-6e300, 8e300}, {-0.6, 0.8}},
           {Opcode::kSign, {kInf, 1}, {kNan, 0}},
           {Opcode::kCbrt, {0, 0}, {0, 0}},
           {Opcode::kCbrt, {8, -0.0}, {2, -0.0}},
       }) {
    const auto got = UnaryOf<std::complex<double>>(c.opcode, c.z);
    ExpectSamePart(got.real(), c.expected.real(), c, "real part ");
    ExpectSamePart(got.imag(), c.expected.imag(), c, "imaginary part ");
  }
}

TEST(ElementwiseUnaryTest, RefusesTypesThatAnOperationLacks) {
  const auto result = RunElementwise(&EvalUnary, Opcode::kSin, {VectorOf<int32_t>({1})});
  EXPECT_EQ(ErrorIdOf(result.status()), "AX0800");
  EXPECT_THAT(std::string(result.status().message()), testing::HasSubstr("sine of s32"));
  EXPECT_EQ(FindUnary(Opcode::kErf, ElementType::kC64), nullptr);
  EXPECT_EQ(FindUnary(Opcode::kNegate, ElementType::kPred), nullptr);
  EXPECT_EQ(FindUnary(Opcode::kPopcnt, ElementType::kF32), nullptr);
  EXPECT_EQ(FindUnary(Opcode::kAdd, ElementType::kF32), nullptr);
}

TEST(ElementwiseUnaryTest, EmptyArrays) {
  EXPECT_EQ(Unary(Opcode::kExp, VectorOf<float>({})).element_count(), 0);
}

}  // namespace
}  // namespace axle::eval
