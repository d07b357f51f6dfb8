// SPDX-License-Identifier: Apache-2.0
#include "hlo/literal.h"

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "gtest/gtest.h"

namespace axle::hlo {
namespace {

TEST(LiteralTest, ZerosOfArraysAndTuples) {
  const Shape array = Shape::Array(ElementType::kF32, {2, 3});
  const Literal literal =
      Literal::Zeros(Shape::Tuple({array, Shape::Token(), Shape::Array(ElementType::kS4, {5})}))
          .value();
  ASSERT_EQ(literal.elements().size(), 3);
  EXPECT_EQ(literal.elements()[0].element_count(), 6);
  EXPECT_EQ(literal.elements()[0].data<float>(), std::vector<float>(6));
  EXPECT_EQ(literal.elements()[2].bytes().size(), 5);
}

TEST(LiteralTest, BlocksAreAligned) {
  for (const int64_t size : {0, 1, 63, 64, 65}) {
    const Literal literal = Literal::Zeros(Shape::Array(ElementType::kU8, {size})).value();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(literal.bytes().data()) % 64, 0);
    EXPECT_EQ(literal.bytes().size(), size);
  }
}

TEST(LiteralTest, ErrorsBeforeMemoryIsTaken) {
  EXPECT_EQ(ErrorIdOf(Literal::Zeros(Shape::Array(ElementType::kF32, {1 << 20}), 1024).status()),
            "AX0302");
  EXPECT_EQ(ErrorIdOf(Literal::Zeros(Shape::Array(ElementType::kF32, {int64_t{1} << 62})).status()),
            "AX0300");
  EXPECT_EQ(
      ErrorIdOf(Literal::Zeros(Shape::Array(ElementType::kF32, {Shape::kUnbounded})).status()),
      "AX0301");
  EXPECT_EQ(ErrorIdOf(Literal::Zeros(Shape::Opaque()).status()), "AX0303");
  EXPECT_EQ(ErrorIdOf(Literal::Zeros(Shape::Buffer(Shape::Scalar(ElementType::kF32))).status()),
            "AX0303");
}

TEST(LiteralTest, EqualityIsBitForBitWithoutLayouts) {
  const float numbers[] = {1, 0};
  const float other_zero[] = {1, -0.0f};
  const Literal a = Literal::Vector<float>(numbers);
  EXPECT_EQ(a, Literal::Vector<float>(numbers));
  EXPECT_FALSE(a == Literal::Vector<float>(other_zero));
  EXPECT_FALSE(a == Literal::Scalar<float>(1));
  const Literal laid_out = Literal::Vector<float>(numbers).Reshaped(
      Shape::Array(ElementType::kF32, {2}).WithLayout(Layout::RowMajor(1)));
  EXPECT_EQ(a, laid_out);
  std::vector<Literal> x, y;
  x.push_back(a);
  y.push_back(Literal::Vector<float>(other_zero));
  EXPECT_FALSE(Literal::Tuple(std::move(x)) == Literal::Tuple(std::move(y)));
}

TEST(LiteralTest, DynamicSizesCount) {
  Literal a = Literal::Zeros(Shape::Array(ElementType::kF32, {4}, {true})).value();
  Literal b = a;
  EXPECT_EQ(a, b);
  b.set_dynamic_sizes({2});
  EXPECT_FALSE(a == b);
}

TEST(LiteralTest, CopiesAreDeep) {
  Literal a = Literal::Scalar<int32_t>(1);
  const Literal b = a;
  a.data<int32_t>()[0] = 2;
  EXPECT_EQ(b.data<int32_t>()[0], 1);
}

}  // namespace
}  // namespace axle::hlo
