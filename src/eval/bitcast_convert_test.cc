// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "eval/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::eval {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;
using testing::ElementsAre;

absl::StatusOr<Literal> Bitcast(const Literal& x, ElementType to, std::vector<int64_t> dimensions) {
  return RunKernel(&EvalBitcastConvert, Opcode::kBitcastConvert, Shape::Array(to, dimensions), {x});
}

TEST(BitcastConvertTest, SameWidth) {
  EXPECT_THAT(ValuesOf<uint32_t>(*Bitcast(VectorOf<float>({1, -2}), ElementType::kU32, {2})),
              ElementsAre(0x3f800000, 0xc0000000));
  EXPECT_THAT(
      ValuesOf<double>(*Bitcast(VectorOf<int64_t>({0x3ff8000000000000}), ElementType::kF64, {1})),
      ElementsAre(1.5));
  EXPECT_EQ(*Bitcast(BytesOf(ElementType::kF8E5M2, {0x3c, 0xff}), ElementType::kU8, {2}),
            BytesOf(ElementType::kU8, {0x3c, 0xff}));
  EXPECT_EQ(*Bitcast(BytesOf(ElementType::kF4E2M1FN, {0xf, 1}), ElementType::kS4, {2}),
            BytesOf(ElementType::kS4, {0xf, 1}));
  EXPECT_THAT(
      ValuesOf<uint16_t>(*Bitcast(NumbersOf(ElementType::kF16, {1}), ElementType::kU16, {1})),
      ElementsAre(0x3c00));
}

TEST(BitcastConvertTest, ToNarrowerElementsLowestFirst) {
  EXPECT_EQ(*Bitcast(VectorOf<uint32_t>({0x04030201, 0xff000000}), ElementType::kU8, {2, 4}),
            BytesOf(ElementType::kU8, {1, 2, 3, 4, 0, 0, 0, 0xff})
                .Reshaped(Shape::Array(ElementType::kU8, {2, 4})));
  EXPECT_THAT(ValuesOf<uint16_t>(*Bitcast(VectorOf<double>({1.0}), ElementType::kU16, {1, 4})),
              ElementsAre(0, 0, 0, 0x3ff0));
}

TEST(BitcastConvertTest, ToWiderElements) {
  const Literal bytes = BytesOf(ElementType::kU8, {1, 2, 3, 4, 0, 0, 0, 0xff})
                            .Reshaped(Shape::Array(ElementType::kU8, {2, 4}));
  EXPECT_THAT(ValuesOf<uint32_t>(*Bitcast(bytes, ElementType::kU32, {2})),
              ElementsAre(0x04030201, 0xff000000));
}

TEST(BitcastConvertTest, BetweenBytesAndTypesUnderEightBits) {
  const Literal nibbles = BytesOf(ElementType::kU4, {0x1, 0x2, 0xf, 0x8})
                              .Reshaped(Shape::Array(ElementType::kU4, {2, 2}));
  EXPECT_THAT(StoredBytes(*Bitcast(nibbles, ElementType::kU8, {2})), ElementsAre(0x21, 0x8f));
  EXPECT_THAT(
      StoredBytes(*Bitcast(BytesOf(ElementType::kS8, {0x21, 0x8f}), ElementType::kS4, {2, 2})),
      ElementsAre(1, 2, 0xf, 8));
  EXPECT_THAT(StoredBytes(*Bitcast(BytesOf(ElementType::kU8, {0xe4}), ElementType::kS2, {1, 4})),
              ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(StoredBytes(*Bitcast(BytesOf(ElementType::kU8, {0x05}), ElementType::kU1, {1, 8})),
              ElementsAre(1, 0, 1, 0, 0, 0, 0, 0));
}

TEST(BitcastConvertTest, BetweenWiderTypesAndTypesUnderEightBits) {
  EXPECT_THAT(StoredBytes(*Bitcast(VectorOf<uint16_t>({0x4321}), ElementType::kU4, {1, 4})),
              ElementsAre(1, 2, 3, 4));
  const Literal nibbles =
      BytesOf(ElementType::kS4, {1, 2, 3, 0xc}).Reshaped(Shape::Array(ElementType::kS4, {1, 4}));
  EXPECT_THAT(ValuesOf<uint16_t>(*Bitcast(nibbles, ElementType::kU16, {1})), ElementsAre(0xc321));
}

TEST(BitcastConvertTest, BetweenTwoTypesUnderEightBits) {
  EXPECT_THAT(
      StoredBytes(*Bitcast(BytesOf(ElementType::kS4, {0x9, 0x6}), ElementType::kU2, {2, 2})),
      ElementsAre(1, 2, 2, 1));
  const Literal pairs =
      BytesOf(ElementType::kU2, {1, 2, 2, 1}).Reshaped(Shape::Array(ElementType::kU2, {2, 2}));
  EXPECT_THAT(StoredBytes(*Bitcast(pairs, ElementType::kS4, {2})), ElementsAre(0x9, 0x6));
}

TEST(BitcastConvertTest, PredStaysZeroOrOne) {
  EXPECT_THAT(StoredBytes(*Bitcast(BytesOf(ElementType::kU8, {0, 1, 2}), ElementType::kPred, {3})),
              ElementsAre(0, 1, 1));
}

TEST(BitcastConvertTest, WidthsMustDivideEachOther) {
  const auto result = Bitcast(BytesOf(ElementType::kF6E2M3FN, {1, 2, 3, 4}), ElementType::kU8, {3});
  EXPECT_EQ(ErrorIdOf(result.status()), "AX0800");
  EXPECT_THAT(std::string(result.status().message()), testing::HasSubstr("f6e2m3fn to u8"));
}

}  // namespace
}  // namespace axle::eval
