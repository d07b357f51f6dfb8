// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "base/error.h"
#include "eval/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::eval {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Opcode;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

absl::StatusOr<Literal> Reduce(const Literal& x, int exponent_bits, int mantissa_bits) {
  hlo::ReducePrecisionAttributes attributes;
  attributes.exponent_bits = exponent_bits;
  attributes.mantissa_bits = mantissa_bits;
  return RunKernel(&EvalReducePrecision, Opcode::kReducePrecision, x.shape(), {x},
                   hlo::Attributes(attributes));
}

void ExpectReduced(ElementType type, int exponent_bits, int mantissa_bits,
                   const std::vector<double>& x, const std::vector<double>& expected) {
  EXPECT_EQ(*Reduce(NumbersOf(type, x), exponent_bits, mantissa_bits), NumbersOf(type, expected))
      << hlo::Name(type) << " e" << exponent_bits << "m" << mantissa_bits;
}

TEST(ReducePrecisionTest, MantissaRoundsToNearestEven) {
  // Four significant bits: steps of 1/8 between 1 and 2.
  const std::vector<double> x = {1.0625, 1.1875, 1.1, -1.0625, 1.96875, 0, -0.0, kInf, kNan};
  const std::vector<double> expected = {1, 1.25, 1.125, -1, 2, 0, -0.0, kInf, kNan};
  for (const ElementType type :
       {ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBF16}) {
    ExpectReduced(type, 5, 3, x, expected);
  }
}

TEST(ReducePrecisionTest, NarrowExponentOverflowsAndFlushesDenormals) {
  // Four exponent bits: 1.875 * 2^7 is the largest number, 2^-6 the smallest normal one.
  const std::vector<double> x = {240, 248, -256, 0x1p-6, 0x1.8p-7, -0x1p-7, kNan};
  const std::vector<double> expected = {240, kInf, -kInf, 0x1p-6, 0, -0.0, kNan};
  for (const ElementType type :
       {ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBF16}) {
    ExpectReduced(type, 4, 3, x, expected);
  }
  // One exponent bit leaves no normal number.
  ExpectReduced(ElementType::kF32, 1, 2, {1, 2, 0.5, -4}, {0, kInf, 0, -kInf});
}

TEST(ReducePrecisionTest, RoundingUpMayReachInfinity) {
  // With no mantissa bit left, the last bit of the exponent decides a tie, as XLA:CPU has it.
  ExpectReduced(ElementType::kF32, 8, 0, {3e38, 1.5, 3, 6, 12, 0.75}, {kInf, 2, 2, 8, 8, 0.5});
  ExpectReduced(ElementType::kF32, 5, 10, {65519, 65520}, {65504, kInf});
  ExpectReduced(ElementType::kF16, 5, 0, {60000}, {kInf});
}

TEST(ReducePrecisionTest, OwnOrWiderBitsChangeNothing) {
  ExpectReduced(ElementType::kF64, 11, 52, {0.1, 5e-324}, {0.1, 5e-324});
  ExpectReduced(ElementType::kF32, 8, 23, {0.1, 1e-45}, {0.1, 1e-45});
  ExpectReduced(ElementType::kF32, 11, 52, {0.1, 1e-45}, {0.1, 1e-45});
  ExpectReduced(ElementType::kF16, 5, 10, {0x1p-24}, {0x1p-24});
  ExpectReduced(ElementType::kBF16, 8, 7, {1.0078125}, {1.0078125});
}

TEST(ReducePrecisionTest, F64ToTheBitsOfF32) {
  ExpectReduced(ElementType::kF64, 8, 23, {0x1.000001p0, 0x1.0000010000001p0, 1e39, 1e-40},
                {1, 0x1.000002p0, kInf, 0});
}

TEST(ReducePrecisionTest, EightBitFloats) {
  ExpectReduced(ElementType::kF8E5M2, 5, 1, {1.25, 1.75, 3}, {1, 2, 3});
  ExpectReduced(ElementType::kF8E4M3FN, 5, 2, {1.125, 1.375, 448}, {1, 1.5, 448});
  ExpectReduced(ElementType::kF8E4M3FN, 4, 3, {240, 288}, {240, kNan});  // it has no infinity
  ExpectReduced(ElementType::kF8E8M0FNU, 8, 0, {4, 0.25}, {4, 0.25});
}

TEST(ReducePrecisionTest, IntegersHaveNoPrecisionToReduce) {
  const auto result = Reduce(VectorOf<int32_t>({1}), 5, 3);
  EXPECT_EQ(ErrorIdOf(result.status()), "AX0800");
  EXPECT_THAT(std::string(result.status().message()),
              testing::HasSubstr("reduce-precision of s32"));
}

}  // namespace
}  // namespace axle::eval
