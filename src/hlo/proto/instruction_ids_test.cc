// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/instruction_ids.h"

#include <cstdint>
#include <limits>
#include <optional>

#include "gtest/gtest.h"

namespace axle::hlo::proto {
namespace {

// Ids next to each other, on both sides of the first, far away, and at both ends of the range.
TEST(InstructionIdsTest, FindsAnyId) {
  constexpr int64_t kIds[] = {int64_t{5} << 32,
                              (int64_t{5} << 32) + 1,
                              (int64_t{5} << 32) - 1,
                              0,
                              -7,
                              std::numeric_limits<int64_t>::min(),
                              std::numeric_limits<int64_t>::max()};
  for (const size_t reserved : {0, 1, 7}) {
    for (const int64_t first : kIds) {
      InstructionIds ids(reserved);
      EXPECT_EQ(ids.Find(first), std::nullopt);
      EXPECT_TRUE(ids.Insert(first, 100));
      EXPECT_EQ(ids.Find(first), 100);
      EXPECT_FALSE(ids.Insert(first, 101));
      for (InstructionIndex i = 0; i < std::size(kIds); ++i) {
        if (kIds[i] == first) continue;
        EXPECT_EQ(ids.Find(kIds[i]), std::nullopt);
        EXPECT_TRUE(ids.Insert(kIds[i], i));
        EXPECT_FALSE(ids.Insert(kIds[i], 50));
      }
      for (InstructionIndex i = 0; i < std::size(kIds); ++i) {
        EXPECT_EQ(ids.Find(kIds[i]), kIds[i] == first ? 100 : i);
      }
    }
  }
}

}  // namespace
}  // namespace axle::hlo::proto
