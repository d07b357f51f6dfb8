// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "base/error.h"
#include "eval/eval_testing.h"

namespace axle::eval {
namespace {

TEST(CollectiveTest, OneDeviceIsAGroupOfItsOwn) {
  ExpectText(R"(HloModule m
f {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] add(a, b)
}
ENTRY main {
  p = s32[2] parameter(0)
  r = s32[2] all-reduce(p), replica_groups={}, to_apply=f
  g = s32[2] all-gather(r), replica_groups={}, dimensions={0}
  s = s32[2] reduce-scatter(g), replica_groups={}, dimensions={0}, to_apply=f
  a = s32[2] all-to-all(s), replica_groups={}, dimensions={0}
  i = u32[] partition-id()
  j = u32[] replica-id()
  ROOT t = (s32[2], u32[], u32[]) tuple(a, i, j)
})",
             {"s32[2] {1, 2}"}, "(s32[2] {1, 2}, u32[] 0, u32[] 0)");
}

TEST(CollectiveTest, PermuteGivesZeroWhereNothingArrives) {
  ExpectEntry(
      "p = s32[2] parameter(0)\n a = s32[2] collective-permute(p), source_target_pairs={{0,0}}\n"
      "b = s32[2] collective-permute(p), source_target_pairs={}\n"
      "ROOT t = (s32[2], s32[2]) tuple(a, b)",
      {"s32[2] {1, 2}"}, "(s32[2] {1, 2}, s32[2] {0, 0})");
}

TEST(CollectiveTest, GroupsOfSeveralDevicesAreRefused) {
  const absl::Status status =
      RunEntry(
          "p = s32[2] parameter(0)\n ROOT g = s32[4] all-gather(p), replica_groups={{0,1}}, "
          "dimensions={0}",
          {"s32[2] {1, 2}"})
          .status();
  EXPECT_EQ(ErrorIdOf(status), "AX0800");
  EXPECT_TRUE(absl::StrContains(status.message(), "groups of several devices")) << status;
}

TEST(CollectiveTest, PermuteStartAndDone) {
  ExpectEntry(
      "p = s32[2] parameter(0)\n"
      "a = (s32[2], s32[2], u32[], u32[]) collective-permute-start(p), "
      "source_target_pairs={{0,0}}\n b = s32[2] collective-permute-done(a)\n"
      "c = (s32[2], s32[2]) collective-permute-start(p), source_target_pairs={{0,1}}\n"
      "d = s32[2] collective-permute-done(c)\n ROOT t = (s32[2], s32[2]) tuple(b, d)",
      {"s32[2] {1, 2}"}, "(s32[2] {1, 2}, s32[2] {0, 0})");
}

TEST(CollectiveTest, AsynchronousPairs) {
  ExpectText(R"(HloModule m
f {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] add(a, b)
}
g {
  x = s32[2] parameter(0)
  ROOT n = s32[2] negate(x)
}
ENTRY main {
  p = s32[2] parameter(0)
  rs = s32[2] all-reduce-start(p), replica_groups={}, to_apply=f
  r = s32[2] all-reduce-done(rs)
  gs = (s32[2], s32[2]) all-gather-start(r), replica_groups={}, dimensions={0}
  g = s32[2] all-gather-done(gs)
  cs = (s32[2], s32[2], u32[]) copy-start(g)
  c = s32[2] copy-done(cs)
  s = ((s32[2]), s32[2], u32[]) async-start(c), calls=g
  u = ((s32[2]), s32[2], u32[]) async-update(s)
  ROOT d = s32[2] async-done(u)
})",
             {"s32[2] {1, 2}"}, "s32[2] {-1, -2}");
}

}  // namespace
}  // namespace axle::eval
