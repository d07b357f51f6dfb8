// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/dynamic_array.h"

#include <vector>

#include "absl/status/statusor.h"
#include "base/error.h"
#include "gtest/gtest.h"

namespace axle::pjrt_client {
namespace {

using Bytes = std::vector<uint8_t>;

absl::Span<const std::byte> Raw(const Bytes& bytes) {
  return {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()};
}

absl::StatusOr<Bytes> Spread(const Bytes& compact, std::vector<int64_t> sizes,
                             std::vector<int64_t> bounds, size_t element_bytes) {
  size_t bytes = element_bytes;
  for (const int64_t bound : bounds) bytes *= bound;
  Bytes spread(bytes, 0xee);
  const absl::Status status =
      SpreadDynamicArray(Raw(compact), sizes, bounds, element_bytes,
                         {reinterpret_cast<std::byte*>(spread.data()), spread.size()});
  if (!status.ok()) return status;
  return spread;
}

TEST(DynamicArrayTest, ElementsGoToTheirPlaces) {
  EXPECT_EQ(*Spread({1, 2, 3, 4}, {2, 2}, {2, 3}, 1), (Bytes{1, 2, 0, 3, 4, 0}));
  EXPECT_EQ(*Spread({1, 2, 3, 4}, {2}, {3}, 2), (Bytes{1, 2, 3, 4, 0, 0}));
  EXPECT_EQ(*Spread({1, 2, 3}, {1, 3}, {2, 3}, 1), (Bytes{1, 2, 3, 0, 0, 0}));
  // [2,1,2] of [2,2,3]: element (i, j, k) is at 6 i + 3 j + k.
  EXPECT_EQ(*Spread({1, 2, 3, 4}, {2, 1, 2}, {2, 2, 3}, 1),
            (Bytes{1, 2, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0}));
  EXPECT_EQ(*Spread({7}, {}, {}, 1), (Bytes{7}));
}

TEST(DynamicArrayTest, NoElements) {
  EXPECT_EQ(*Spread({}, {0, 2}, {1, 2}, 1), (Bytes{0, 0}));
  EXPECT_EQ(*Spread({}, {2, 0}, {2, 1}, 1), (Bytes{0, 0}));
  EXPECT_EQ(*Spread({}, {0}, {0}, 1), Bytes());
}

TEST(DynamicArrayTest, BytesBehindTheElementsAreIgnored) {
  EXPECT_EQ(*Spread({1, 9, 9}, {1}, {2}, 1), (Bytes{1, 0}));
}

TEST(DynamicArrayTest, WhatAPluginCannotMean) {
  const auto id = [](const absl::StatusOr<Bytes>& result) { return ErrorIdOf(result.status()); };
  EXPECT_EQ(id(Spread({1, 2, 3}, {3}, {2}, 1)), "AX0709");
  EXPECT_EQ(id(Spread({1}, {-1}, {2}, 1)), "AX0709");
  EXPECT_EQ(id(Spread({1}, {1, 1}, {2}, 1)), "AX0709");
  EXPECT_EQ(id(Spread({1, 2, 3}, {2}, {2}, 2)), "AX0709");
}

}  // namespace
}  // namespace axle::pjrt_client
