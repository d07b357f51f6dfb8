// SPDX-License-Identifier: Apache-2.0
#include "runtime/handle.h"

#include <limits>
#include <set>

#include "gtest/gtest.h"

namespace axle::runtime {
namespace {

TEST(HandleTest, JoinsAndSplits) {
  for (const HandleKind kind : {HandleKind::kProgram, HandleKind::kAllocation}) {
    for (const uint32_t epoch : {0u, 1u, 4095u}) {
      for (const uint64_t number : {uint64_t{0}, uint64_t{1}, (uint64_t{1} << 49) - 1}) {
        const int64_t handle = JoinHandle({kind, epoch, number});
        EXPECT_GT(handle, 0);
        const HandleParts parts = SplitHandle(handle);
        EXPECT_EQ(parts.kind, kind);
        EXPECT_EQ(parts.epoch, epoch);
        EXPECT_EQ(parts.number, number);
      }
    }
  }
}

// 1 << 61 is kind 1, epoch 0, number 0.
TEST(HandleTest, PlacesOfTheParts) {
  EXPECT_EQ(JoinHandle({HandleKind::kProgram, 0, 0}), int64_t{1} << 61);
  EXPECT_EQ(JoinHandle({HandleKind::kAllocation, 3, 5}),
            (int64_t{2} << 61) + (int64_t{3} << 49) + 5);
}

TEST(HandleTest, OtherNumbersAreNoHandles) {
  for (const int64_t handle :
       std::initializer_list<int64_t>{0, -1, 1, 12345, std::numeric_limits<int64_t>::min()}) {
    EXPECT_EQ(SplitHandle(handle).kind, HandleKind::kNone) << handle;
  }
}

TEST(HandleNumbersTest, NeverTwice) {
  HandleNumbers numbers({1, 2});
  std::set<uint64_t> seen;
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t number = numbers.Next();
    EXPECT_LT(number, uint64_t{1} << 49);
    EXPECT_TRUE(seen.insert(number).second);
  }
}

TEST(HandleNumbersTest, OtherKeysGiveOtherNumbers) {
  HandleNumbers a({1, 2}), b({1, 3}), c({2, 2});
  int same = 0;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t number = a.Next();
    same += number == b.Next();
    same += number == c.Next();
  }
  EXPECT_EQ(same, 0);
}

// Neighbours differ in about half of their bits, so one tells nothing of the next.
TEST(HandleNumbersTest, NeighboursAreUnlike) {
  HandleNumbers numbers({0x1234, 0x5678});
  int64_t bits = 0;
  constexpr int kCount = 10'000;
  uint64_t last = numbers.Next();
  for (int i = 0; i < kCount; ++i) {
    const uint64_t next = numbers.Next();
    bits += __builtin_popcountll(last ^ next);
    last = next;
  }
  EXPECT_NEAR(static_cast<double>(bits) / kCount, 24.5, 0.5);
}

}  // namespace
}  // namespace axle::runtime
