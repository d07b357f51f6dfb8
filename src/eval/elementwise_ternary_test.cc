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
using hlo::Shape;
using testing::ElementsAre;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Literal ScalarOf(ElementType type, double value) {
  return NumbersOf(type, {value}).Reshaped(Shape::Scalar(type));
}
Literal Clamp(const Literal& low, const Literal& x, const Literal& high) {
  return *RunKernel(&EvalClamp, Opcode::kClamp, x.shape(), {low, x, high});
}
Literal Select(const Literal& pred, const Literal& on_true, const Literal& on_false) {
  return *RunKernel(&EvalSelect, Opcode::kSelect, on_true.shape(), {pred, on_true, on_false});
}

TEST(ElementwiseTernaryTest, SelectPicksElements) {
  const Literal pred = BytesOf(ElementType::kPred, {1, 0, 1});
  for (const ElementType type : {ElementType::kPred, ElementType::kS4, ElementType::kU16,
                                 ElementType::kF8E5M2, ElementType::kBF16, ElementType::kF32,
                                 ElementType::kS64, ElementType::kC64, ElementType::kC128}) {
    EXPECT_EQ(Select(pred, NumbersOf(type, {1, 1, 0}), NumbersOf(type, {0, 0, 1})),
              NumbersOf(type, {1, 0, 0}))
        << hlo::Name(type);
  }
  const std::complex<double> a(1, 2), b(3, 4);
  EXPECT_THAT(
      ValuesOf<std::complex<double>>(Select(pred, VectorOf({a, a, a}), VectorOf({b, b, b}))),
      ElementsAre(a, b, a));
}

TEST(ElementwiseTernaryTest, SelectByAScalarPicksAnArray) {
  const Literal a = VectorOf<float>({1, 2});
  const Literal b = VectorOf<float>({3, 4});
  EXPECT_EQ(Select(Literal::Scalar(true), a, b), a);
  EXPECT_EQ(Select(Literal::Scalar(false), a, b), b);
}

TEST(ElementwiseTernaryTest, SelectMovesNanPayloads) {
  Literal a = VectorOf<float>({0});
  const uint32_t bits = 0x7fa12345;  // a signalling NaN
  std::memcpy(a.bytes().data(), &bits, 4);
  EXPECT_EQ(Select(BytesOf(ElementType::kPred, {1}), a, VectorOf<float>({0})), a);
}

TEST(ElementwiseTernaryTest, ClampByArrays) {
  for (const ElementType type : {ElementType::kF64, ElementType::kF32, ElementType::kF16,
                                 ElementType::kBF16, ElementType::kF8E5M2}) {
    EXPECT_EQ(Clamp(NumbersOf(type, {-1, -1, -1, 2, kNan, 0, 0}),
                    NumbersOf(type, {-3, 0.5, 3, 0, 0, kNan, 0}),
                    NumbersOf(type, {1, 1, 1, 1, 1, 1, kNan})),
              NumbersOf(type, {-1, 0.5, 1, 1, kNan, kNan, kNan}))  // high wins over low
        << hlo::Name(type);
  }
}

TEST(ElementwiseTernaryTest, ClampByScalars) {
  for (const ElementType type : {ElementType::kS4, ElementType::kS8, ElementType::kS32,
                                 ElementType::kS64, ElementType::kF32, ElementType::kBF16}) {
    EXPECT_EQ(Clamp(ScalarOf(type, -3), NumbersOf(type, {-8, -3, 0, 4, 7}), ScalarOf(type, 4)),
              NumbersOf(type, {-3, -3, 0, 4, 4}))
        << hlo::Name(type);
  }
  EXPECT_EQ(Clamp(ScalarOf(ElementType::kU8, 3), NumbersOf(ElementType::kU8, {0, 200}),
                  ScalarOf(ElementType::kU8, 128)),
            NumbersOf(ElementType::kU8, {3, 128}));
  EXPECT_EQ(Clamp(ScalarOf(ElementType::kF32, -kInf), VectorOf<float>({5}),
                  ScalarOf(ElementType::kF32, kInf)),
            VectorOf<float>({5}));
}

TEST(ElementwiseTernaryTest, ClampOfOneScalarBoundAndOneArray) {
  EXPECT_EQ(Clamp(ScalarOf(ElementType::kF32, 0), VectorOf<float>({-1, 5, 5}),
                  VectorOf<float>({1, 2, 9})),
            VectorOf<float>({0, 2, 5}));
}

TEST(ElementwiseTernaryTest, ClampOfManyElements) {
  std::vector<double> x(1000), expected(1000);  // more than one block
  for (int i = 0; i < 1000; ++i) {
    x[i] = i;
    expected[i] = i < 10 ? 10 : i > 900 ? 900 : i;
  }
  EXPECT_EQ(Clamp(ScalarOf(ElementType::kF64, 10), NumbersOf(ElementType::kF64, x),
                  ScalarOf(ElementType::kF64, 900)),
            NumbersOf(ElementType::kF64, expected));
}

TEST(ElementwiseTernaryTest, ClampOfPred) {
  EXPECT_EQ(Clamp(ScalarOf(ElementType::kPred, 1), BytesOf(ElementType::kPred, {0, 1}),
                  ScalarOf(ElementType::kPred, 1)),
            BytesOf(ElementType::kPred, {1, 1}));
}

// In the order of (real, imaginary), which is that of maximum and minimum in StableHLO.
TEST(ElementwiseTernaryTest, ClampOfComplexNumbers) {
  const auto numbers = &VectorOf<std::complex<float>>;
  EXPECT_EQ(Clamp(numbers({{0, 0}, {1, 1}, {0, 0}}), numbers({{1, 2}, {1, 0}, {3, 0}}),
                  numbers({{1, 1}, {2, 0}, {2, 5}})),
            numbers({{1, 1}, {1, 1}, {2, 5}}));
}

TEST(ElementwiseTernaryTest, OtherOperationsHaveNoLoop) {
  EXPECT_EQ(FindTernary(Opcode::kAdd, ElementType::kF32), nullptr);
  EXPECT_EQ(FindTernary(Opcode::kSelect, ElementType::kToken), nullptr);
}

}  // namespace
}  // namespace axle::eval
