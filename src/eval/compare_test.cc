// SPDX-License-Identifier: Apache-2.0
#include <complex>
#include <limits>
#include <string>

#include "base/error.h"
#include "eval/kernel_testing.h"
#include "eval/scalar_ops.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::eval {
namespace {

using hlo::ComparisonDirection;
using hlo::ComparisonType;
using hlo::ElementType;
using hlo::Literal;
using hlo::Opcode;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

absl::StatusOr<Literal> Compare(ComparisonDirection direction, ComparisonType type,
                                const Literal& a, const Literal& b) {
  hlo::CompareAttributes attributes;
  attributes.direction = direction;
  attributes.type = type;
  return RunElementwiseTo(&EvalCompare, Opcode::kCompare, ElementType::kPred, {a, b},
                          hlo::Attributes(attributes));
}

// The six results of each pair as text: EQ NE GE GT LE LT, '1' where it holds.
std::vector<std::string> AllDirections(ComparisonType type, const Literal& a, const Literal& b) {
  std::vector<std::string> results(a.element_count());
  for (int d = 0; d < 6; ++d) {
    const Literal result = *Compare(static_cast<ComparisonDirection>(d), type, a, b);
    for (int64_t i = 0; i < a.element_count(); ++i) {
      results[i] += result.bytes()[i] == std::byte{1} ? '1' : '0';
    }
  }
  return results;
}

constexpr char kEqual[] = "101010";
constexpr char kLess[] = "010011";
constexpr char kGreater[] = "011100";
constexpr char kUnordered[] = "010000";

constexpr ElementType kFloatTypes[] = {ElementType::kF64,    ElementType::kF32,
                                       ElementType::kF16,    ElementType::kBF16,
                                       ElementType::kF8E5M2, ElementType::kF8E4M3};

TEST(CompareTest, SignedIntegers) {
  for (const ElementType type : {ElementType::kS2, ElementType::kS4, ElementType::kS8,
                                 ElementType::kS16, ElementType::kS32, ElementType::kS64}) {
    for (const ComparisonType order : {ComparisonType::kUnset, ComparisonType::kSigned}) {
      EXPECT_THAT(AllDirections(order, NumbersOf(type, {-2, 1, 0}), NumbersOf(type, {1, -1, 0})),
                  testing::ElementsAre(kLess, kGreater, kEqual))
          << hlo::Name(type);
    }
  }
  EXPECT_THAT(AllDirections(ComparisonType::kSigned, VectorOf<int64_t>({INT64_MAX}),
                            VectorOf<int64_t>({INT64_MAX - 1})),
              testing::ElementsAre(kGreater));
}

TEST(CompareTest, UnsignedIntegersAndPred) {
  for (const ElementType type :
       {ElementType::kU1, ElementType::kU2, ElementType::kU4, ElementType::kU8, ElementType::kU16,
        ElementType::kU32, ElementType::kPred}) {
    EXPECT_THAT(AllDirections(ComparisonType::kUnsigned, NumbersOf(type, {0, 1, 1}),
                              NumbersOf(type, {1, 0, 1})),
                testing::ElementsAre(kLess, kGreater, kEqual))
        << hlo::Name(type);
  }
  EXPECT_THAT(AllDirections(ComparisonType::kUnset, VectorOf<uint64_t>({~uint64_t{0}}),
                            VectorOf<uint64_t>({1})),
              testing::ElementsAre(kGreater));
}

TEST(CompareTest, FloatsByValue) {
  for (const ElementType type : kFloatTypes) {
    for (const ComparisonType order : {ComparisonType::kUnset, ComparisonType::kFloat}) {
      EXPECT_THAT(AllDirections(order, NumbersOf(type, {-1, kInf, -0.0, kNan, 1, kNan}),
                                NumbersOf(type, {0.5, -kInf, 0, kNan, kNan, 1})),
                  testing::ElementsAre(kLess, kGreater, kEqual, kUnordered, kUnordered, kUnordered))
          << hlo::Name(type);
    }
  }
}

TEST(CompareTest, TotalOrderHasAPlaceForEveryValue) {
  // Ascending; each is compared with itself and with the next.
  const std::vector<double> ascending = {-kNan, -kInf, -1, -0.5, -0.0, 0, 0.5, 1, kInf, kNan};
  const std::vector<double> next(ascending.begin() + 1, ascending.end());
  const std::vector<double> all_but_last(ascending.begin(), ascending.end() - 1);
  for (const ElementType type : kFloatTypes) {
    const Literal low = NumbersOf(type, all_but_last);
    const Literal high = NumbersOf(type, next);
    for (const std::string& result : AllDirections(ComparisonType::kTotalOrder, low, high)) {
      EXPECT_EQ(result, kLess) << hlo::Name(type);
    }
    for (const std::string& result : AllDirections(ComparisonType::kTotalOrder, high, low)) {
      EXPECT_EQ(result, kGreater) << hlo::Name(type);
    }
    for (const std::string& result : AllDirections(ComparisonType::kTotalOrder, low, low)) {
      EXPECT_EQ(result, kEqual) << hlo::Name(type);
    }
  }
}

TEST(CompareTest, TotalOrderOfFormatsWithFewerSigns) {
  // f4e2m1fn: the sign is bit 3; -6 < -0 < 0 < 6.
  EXPECT_THAT(
      AllDirections(ComparisonType::kTotalOrder, BytesOf(ElementType::kF4E2M1FN, {0xf, 0x8, 0x0}),
                    BytesOf(ElementType::kF4E2M1FN, {0x8, 0x0, 0x7})),
      testing::ElementsAre(kLess, kLess, kLess));
  // f8e8m0fnu has no sign: 2 above 1.
  EXPECT_THAT(AllDirections(ComparisonType::kTotalOrder, NumbersOf(ElementType::kF8E8M0FNU, {2}),
                            NumbersOf(ElementType::kF8E8M0FNU, {1})),
              testing::ElementsAre(kGreater));
}

TEST(CompareTest, ComplexNumbersAreEqualOrNot) {
  using C = std::complex<float>;
  const Literal a = VectorOf<C>({{1, 2}, {1, 2}, {1, 2}, {NAN, 0}});
  const Literal b = VectorOf<C>({{1, 2}, {1, 3}, {0, 2}, {NAN, 0}});
  EXPECT_EQ(*Compare(ComparisonDirection::kEq, ComparisonType::kFloat, a, b),
            BytesOf(ElementType::kPred, {1, 0, 0, 0}));
  EXPECT_EQ(*Compare(ComparisonDirection::kNe, ComparisonType::kUnset, a, b),
            BytesOf(ElementType::kPred, {0, 1, 1, 1}));
  const auto result = Compare(ComparisonDirection::kLt, ComparisonType::kFloat, a, b);
  EXPECT_EQ(ErrorIdOf(result.status()), "AX0800");
  EXPECT_THAT(std::string(result.status().message()), testing::HasSubstr("compare of c64"));
}

}  // namespace
}  // namespace axle::eval
