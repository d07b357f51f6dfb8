// SPDX-License-Identifier: Apache-2.0
#include "tools/literal_text.h"

#include <vector>

#include "gtest/gtest.h"

namespace axle::tools {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

TEST(LiteralTextTest, ShortAndLongArrays) {
  EXPECT_EQ(LiteralText(Literal::Scalar<float>(0.5f)), "f32[] = 0.5");
  const std::vector<int32_t> values = {1, -2, 3};
  const Literal vector = Literal::Vector<int32_t>(values);
  EXPECT_EQ(LiteralText(vector), "s32[3] = 1 -2 3");
  EXPECT_EQ(LiteralText(vector, 3), "s32[3] = 1 -2 3");
  EXPECT_EQ(LiteralText(vector, 2), "s32[3] = 1 -2 ... (3 elements)");
}

TEST(LiteralTextTest, NoElements) {
  EXPECT_EQ(LiteralText(*Literal::Zeros(Shape::Array(ElementType::kF32, {0, 4}))),
            "f32[0,4] has no elements");
}

}  // namespace
}  // namespace axle::tools
