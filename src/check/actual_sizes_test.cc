// SPDX-License-Identifier: Apache-2.0
#include "check/actual_sizes.h"

#include <numeric>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::check {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// s32 counting 0, 1, 2 … with all dimensions dynamic.
Literal Counting(std::vector<int64_t> bounds, std::vector<int32_t> sizes) {
  const bool dynamic[] = {true, true, true};
  Literal literal = *Literal::Zeros(Shape::Array(
      ElementType::kS32, bounds, absl::MakeConstSpan(dynamic).subspan(0, bounds.size())));
  std::iota(literal.data<int32_t>().begin(), literal.data<int32_t>().end(), 0);
  literal.set_dynamic_sizes(std::move(sizes));
  return literal;
}

TEST(WithActualSizesTest, KeepsWhatLiesWithinTheSizes) {
  const Literal vector = *WithActualSizes(Counting({5}, {3}));
  EXPECT_EQ(vector.shape(), Shape::Array(ElementType::kS32, {3}));
  EXPECT_THAT(vector.data<int32_t>(), ElementsAre(0, 1, 2));
  // Of [[[0,1,2],[3,4,5]],[[6,7,8],[9,10,11]]]: both blocks, first row of each, two elements.
  const Literal cube = *WithActualSizes(Counting({2, 2, 3}, {2, 1, 2}));
  EXPECT_EQ(cube.shape(), Shape::Array(ElementType::kS32, {2, 1, 2}));
  EXPECT_THAT(cube.data<int32_t>(), ElementsAre(0, 1, 6, 7));
}

TEST(WithActualSizesTest, SizesOfNothing) {
  EXPECT_THAT(WithActualSizes(Counting({2, 3}, {2, 0}))->data<int32_t>(), IsEmpty());
  EXPECT_THAT(WithActualSizes(Counting({2, 0}, {1, 0}))->data<int32_t>(), IsEmpty());
}

TEST(WithActualSizesTest, BoundsWhereThereAreNoSizes) {
  const Literal literal = *WithActualSizes(Counting({2}, {}));
  EXPECT_EQ(literal.shape(), Shape::Array(ElementType::kS32, {2}));
  EXPECT_THAT(literal.data<int32_t>(), ElementsAre(0, 1));
}

}  // namespace
}  // namespace axle::check
