// SPDX-License-Identifier: Apache-2.0
#include "check/compare.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace axle::check {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

template <typename T>
Literal Array(std::initializer_list<T> values) {
  return Literal::Vector<T>(absl::MakeConstSpan(values.begin(), values.size()));
}

// Raw bits, for types that C++ lacks.
Literal Bits(ElementType type, std::vector<uint32_t> bits) {
  Literal literal = *Literal::Zeros(Shape::Array(type, {static_cast<int64_t>(bits.size())}));
  const int width = hlo::ByteWidth(type);
  for (size_t i = 0; i < bits.size(); ++i) {
    std::memcpy(literal.bytes().data() + i * width, &bits[i], width);
  }
  return literal;
}

template <typename T>
int64_t Wrong(std::initializer_list<T> expected, std::initializer_list<T> actual,
              const Tolerance& tolerance = {}) {
  const auto difference = Compare(Array<T>(expected), Array<T>(actual), tolerance);
  return difference.has_value() ? difference->wrong : 0;
}

int64_t WrongBits(ElementType type, uint32_t expected, uint32_t actual,
                  const Tolerance& tolerance = {}) {
  const auto difference = Compare(Bits(type, {expected}), Bits(type, {actual}), tolerance);
  return difference.has_value() ? difference->wrong : 0;
}

TEST(CompareTest, ToleranceIsRelativeToTheExpectedValue) {
  // |8 - 10| <= 0.2 * 10, but not <= 0.2 * 8: the expected value decides.
  EXPECT_EQ(Wrong<float>({10}, {8}, {.rtol = 0.2}), 0);
  EXPECT_EQ(Wrong<float>({8}, {10}, {.rtol = 0.2}), 1);
  EXPECT_EQ(Wrong<float>({1}, {1.5}, {.atol = 0.5}), 0);
  EXPECT_EQ(Wrong<float>({1}, {1.5}, {.atol = 0.25}), 1);
  EXPECT_EQ(Wrong<float>({4}, {5.5}, {.rtol = 0.25, .atol = 0.5}), 0);
  EXPECT_EQ(Wrong<double>({1}, {std::nextafter(1.0, 2.0)}), 1);
}

TEST(CompareTest, NanAndInfinity) {
  const Tolerance loose = {.rtol = 1, .atol = 1e30};
  EXPECT_EQ(Wrong<float>({kNan}, {kNan}), 0);
  EXPECT_EQ(Wrong<float>({kNan}, {-kNan}), 0);
  EXPECT_EQ(Wrong<float>({kNan}, {1}, loose), 1);
  EXPECT_EQ(Wrong<float>({1}, {kNan}, loose), 1);
  EXPECT_EQ(Wrong<float>({kInf, -kInf}, {kInf, -kInf}), 0);
  EXPECT_EQ(Wrong<float>({kInf, kInf, 1}, {-kInf, 1, kInf}, loose), 3);
  EXPECT_EQ(Wrong<float>({kInf}, {kNan}, loose), 1);
}

TEST(CompareTest, DenormalsCountAsZero) {
  const float denormal = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(Wrong<float>({denormal}, {0}), 0);
  EXPECT_EQ(Wrong<float>({0}, {-denormal}), 0);
  EXPECT_EQ(Wrong<float>({std::numeric_limits<float>::min()}, {0}), 1);
  EXPECT_EQ(Wrong<double>({std::numeric_limits<double>::denorm_min()}, {0}), 0);
  EXPECT_EQ(Wrong<double>({std::numeric_limits<float>::denorm_min()}, {0}), 1);
  EXPECT_EQ(WrongBits(ElementType::kBF16, 0x0001, 0), 0);
  // The smallest bf16 that is no denormal, and the smallest of f16, where denormals are kept.
  EXPECT_EQ(WrongBits(ElementType::kBF16, 0x0080, 0), 1);
  EXPECT_EQ(WrongBits(ElementType::kF16, 0x0001, 0), 1);
}

TEST(CompareTest, SignOfZeroOnlyWhenAsked) {
  EXPECT_EQ(Wrong<float>({0.0f}, {-0.0f}), 0);
  EXPECT_EQ(Wrong<float>({0.0f}, {-0.0f}, {.atol = 1, .signed_zero = true}), 1);
  EXPECT_EQ(Wrong<float>({-0.0f, 0.0f}, {-0.0f, 0.0f}, {.signed_zero = true}), 0);
  EXPECT_EQ(Wrong<float>({0.0f}, {-0.5f}, {.atol = 1, .signed_zero = true}), 0);
}

TEST(CompareTest, ComplexByMagnitudeOfTheDifference) {
  using C = std::complex<float>;
  // |(3,4) - 0| = 5, |(0.3,0.4)| = 0.5.
  EXPECT_EQ(Wrong<C>({C(3, 4)}, {C(3.3f, 4.4f)}, {.rtol = 0.125}), 0);
  EXPECT_EQ(Wrong<C>({C(3, 4)}, {C(3.3f, 4.4f)}, {.rtol = 0.0625}), 1);
  // A small part next to a large one need not be right by itself.
  EXPECT_EQ(Wrong<C>({C(1000, 0)}, {C(1000, 0.5f)}, {.rtol = 1e-3}), 0);
  EXPECT_EQ(Wrong<C>({C(kNan, 1)}, {C(kNan, 1)}), 0);
  EXPECT_EQ(Wrong<C>({C(kNan, 1)}, {C(1, kNan)}), 1);
  EXPECT_EQ(Wrong<C>({C(kInf, 1)}, {C(kInf, 2)}), 1);
  using D = std::complex<double>;
  EXPECT_EQ(Wrong<D>({D(1, 2)}, {D(1, std::nextafter(2.0, 3.0))}), 1);
}

TEST(CompareTest, IntegersAreExactOrWithinAtol) {
  EXPECT_EQ(Wrong<int32_t>({1, 2}, {1, 3}, {.rtol = 1}), 1);
  EXPECT_EQ(Wrong<int32_t>({1, 2}, {1, 3}, {.atol = 1}), 0);
  // The distance of the extremes of 64 bits does not overflow.
  const int64_t least = std::numeric_limits<int64_t>::min();
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(Wrong<int64_t>({least}, {most}, {.atol = 1}), 1);
  EXPECT_EQ(Wrong<int64_t>({most}, {most - 1}), 1);
  EXPECT_EQ(Wrong<uint64_t>({0}, {~uint64_t{0}}, {.atol = 1}), 1);
  EXPECT_EQ(Wrong<uint8_t>({0}, {255}, {.atol = 1}), 1);
  EXPECT_EQ(Wrong<int8_t>({-1}, {0}, {.atol = 1}), 0);
  EXPECT_EQ(Wrong<bool>({true, false}, {true, true}), 1);
}

TEST(CompareTest, TypesThatCppLacks) {
  // s4: 0xf is -1; u4: 15.
  EXPECT_EQ(WrongBits(ElementType::kS4, 0xf, 0x0, {.atol = 1}), 0);
  EXPECT_EQ(WrongBits(ElementType::kU4, 0xf, 0x0, {.atol = 1}), 1);
  // f8e4m3fn: 0x38 is 1, 0x39 is 1.125; 0x7f and 0xff are NaN.
  EXPECT_EQ(WrongBits(ElementType::kF8E4M3FN, 0x38, 0x39, {.atol = 0.125}), 0);
  EXPECT_EQ(WrongBits(ElementType::kF8E4M3FN, 0x38, 0x39, {.atol = 0.0625}), 1);
  EXPECT_EQ(WrongBits(ElementType::kF8E4M3FN, 0x7f, 0xff), 0);
  // bf16: 0x3f80 is 1, 0x4000 is 2. f16: 0x3c00 is 1.
  EXPECT_EQ(WrongBits(ElementType::kBF16, 0x3f80, 0x4000, {.atol = 1}), 0);
  EXPECT_EQ(WrongBits(ElementType::kBF16, 0x3f80, 0x4000, {.atol = 0.5}), 1);
  EXPECT_EQ(WrongBits(ElementType::kF16, 0x3c00, 0x3c01), 1);
}

TEST(CompareTest, ReportsTheWorstElement) {
  Literal expected = Array<float>({0, 1, 2, 3, 4, 5});
  Literal actual = Array<float>({0, 1.5f, 2, 3, 6, 5});
  const Shape matrix = Shape::Array(ElementType::kF32, {2, 3});
  expected = std::move(expected).Reshaped(matrix);
  actual = std::move(actual).Reshaped(matrix);
  const auto difference = Compare(expected, actual, {});
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->wrong, 2);
  EXPECT_EQ(difference->worst, 4);
  EXPECT_EQ(difference->worst_index, "[1,1]");
  EXPECT_EQ(difference->expected, "4");
  EXPECT_EQ(difference->actual, "6");
  EXPECT_EQ(DifferenceText(*difference, actual),
            "worst at [1,1]: expected 4, got 6 (2 of 6 wrong)");
}

TEST(CompareTest, InfiniteErrorIsTheWorst) {
  const auto difference = Compare(Array<float>({1, 2, 3}), Array<float>({1e30f, kNan, 4}), {});
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->wrong, 3);
  EXPECT_EQ(difference->worst_index, "[1]");
}

TEST(CompareTest, ScalarsAndEmptyArrays) {
  const auto scalar = Compare(Literal::Scalar<int32_t>(1), Literal::Scalar<int32_t>(2), {});
  ASSERT_TRUE(scalar.has_value());
  EXPECT_EQ(scalar->worst_index, "[]");
  EXPECT_EQ(Wrong<float>({}, {}), 0);
}

TEST(ElementTextTest, EveryClass) {
  EXPECT_EQ(ElementText(Array<bool>({true, false}), 1), "false");
  EXPECT_EQ(ElementText(Array<bool>({true, false}), 0), "true");
  EXPECT_EQ(ElementText(Array<int8_t>({-5}), 0), "-5");
  EXPECT_EQ(ElementText(Array<uint64_t>({~uint64_t{0}}), 0), "18446744073709551615");
  EXPECT_EQ(ElementText(Array<float>({0.1f}), 0), "0.100000001");
  EXPECT_EQ(ElementText(Array<double>({0.1}), 0), "0.10000000000000001");
  EXPECT_EQ(ElementText(Array<std::complex<float>>({{1, -2}}), 0), "(1, -2)");
  EXPECT_EQ(ElementText(Bits(ElementType::kS4, {0x8}), 0), "-8");
  EXPECT_EQ(ElementText(Bits(ElementType::kBF16, {0x3fc0}), 0), "1.5");
}

}  // namespace
}  // namespace axle::check
