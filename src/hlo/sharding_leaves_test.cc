// SPDX-License-Identifier: Apache-2.0
#include "hlo/sharding_leaves.h"

#include "gtest/gtest.h"

namespace axle::hlo {
namespace {

Sharding Manual() {
  Sharding sharding;
  sharding.type = Sharding::Type::kManual;
  return sharding;
}

Sharding List(int entries) {
  Sharding sharding;
  sharding.type = Sharding::Type::kTuple;
  sharding.elements.assign(entries, Manual());
  return sharding;
}

const Shape kArray = Shape::Array(ElementType::kF32, {2});
// Three leaves, a token among them.
const Shape kNested = Shape::Tuple({Shape::Tuple({kArray, Shape::Token()}), kArray});
const Shape kNoLeaves = Shape::Tuple({Shape::Tuple({}), Shape::Tuple({})});

Sharding Spread(const Shape& shape, Sharding sharding) {
  SpreadOverLeaves(shape, &sharding);
  return sharding;
}

TEST(ShardingLeavesTest, OneShardingSpreadsOverATuple) {
  EXPECT_EQ(Spread(kNested, Manual()), List(3));
  EXPECT_EQ(Spread(kNoLeaves, Manual()), List(1));
  EXPECT_EQ(Spread(kArray, Manual()), Manual());
}

TEST(ShardingLeavesTest, ListsAndUnreadTextStay) {
  EXPECT_EQ(Spread(kNested, List(2)), List(2));
  Sharding unread;
  unread.unparsed = "{mesh['a'=2], [{'a'}]}";
  EXPECT_EQ(Spread(kNested, unread), unread);
}

TEST(ShardingLeavesTest, SpreadingIsBounded) {
  const Shape shape = Shape::Tuple(std::vector<Shape>(2048, kArray));
  Sharding tiled;
  tiled.type = Sharding::Type::kTiled;
  tiled.devices.resize(511);  // and one for the entry itself
  EXPECT_EQ(Spread(shape, tiled).elements.size(), 2048);
  tiled.devices.resize(512);
  EXPECT_EQ(Spread(shape, tiled), tiled);
}

TEST(ShardingLeavesTest, EntriesOfAList) {
  Sharding list = List(3);
  list.elements[1] = Sharding();
  const auto shardings = LeafShardings(kNested, list);
  ASSERT_TRUE(shardings.has_value());
  ASSERT_EQ(shardings->size(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ((*shardings)[i], &list.elements[i]);
}

TEST(ShardingLeavesTest, OneShardingIsThatOfAllLeaves) {
  const Sharding one = Manual();
  EXPECT_EQ(LeafShardings(kNested, one), (std::vector<const Sharding*>{&one, &one, &one}));
  EXPECT_EQ(LeafShardings(kArray, one), (std::vector<const Sharding*>{&one}));
}

TEST(ShardingLeavesTest, ListsOfOtherLengths) {
  EXPECT_FALSE(LeafShardings(kNested, List(2)).has_value());
  EXPECT_FALSE(LeafShardings(kNested, List(4)).has_value());
  EXPECT_FALSE(LeafShardings(kNoLeaves, List(2)).has_value());
  EXPECT_FALSE(LeafShardings(kNested, List(0)).has_value());
  const auto none = LeafShardings(kNoLeaves, List(1));
  ASSERT_TRUE(none.has_value());
  EXPECT_TRUE(none->empty());
}

}  // namespace
}  // namespace axle::hlo
