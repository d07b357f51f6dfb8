// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "eval/eval_testing.h"

namespace axle::eval {
namespace {

std::string WithLess(absl::string_view type, absl::string_view direction, absl::string_view entry) {
  return absl::StrCat("HloModule test\nless {\n a = ", type, "[] parameter(0)\n b = ", type,
                      "[] parameter(1)\n ROOT c = pred[] compare(a, b), direction=", direction,
                      "\n}\nENTRY main {\n", entry, "\n}\n");
}

TEST(SortTest, AlongEitherDimension) {
  ExpectText(WithLess("s32", "LT",
                      "p = s32[2,3] parameter(0)\n"
                      "ROOT r = s32[2,3] sort(p), dimensions={1}, to_apply=less"),
             {"s32[2,3] {{3,1,2},{9,-7,8}}"}, "s32[2,3] {{1,2,3},{-7,8,9}}");
  ExpectText(WithLess("s32", "GT",
                      "p = s32[3,2] parameter(0)\n"
                      "ROOT r = s32[3,2] sort(p), dimensions={0}, to_apply=less"),
             {"s32[3,2] {{1,5},{3,4},{2,6}}"}, "s32[3,2] {{3,6},{2,5},{1,4}}");
}

TEST(SortTest, OperandsMoveTogetherAndEqualKeysStayInOrder) {
  constexpr char kProgram[] = R"(HloModule test
less {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = u8[] parameter(2)
  d = u8[] parameter(3)
  ROOT e = pred[] compare(a, b), direction=LT
}
ENTRY main {
  p = s32[7] parameter(0)
  q = u8[7] parameter(1)
  ROOT r = (s32[7], u8[7]) sort(p, q), dimensions={0}, is_stable=true, to_apply=less
})";
  ExpectText(kProgram, {"s32[7] {2, 1, 2, 0, 1, 2, 0}", "u8[7] {0, 1, 2, 3, 4, 5, 6}"},
             "(s32[7] {0, 0, 1, 1, 2, 2, 2}, u8[7] {3, 6, 1, 4, 0, 2, 5})");
}

TEST(SortTest, AnyComparatorIsSafe) {
  // "Always less" is no order: whatever comes out must be the same elements.
  const auto result = RunText(R"(HloModule test
less {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = pred[] constant(true)
}
ENTRY main {
  p = s32[100] iota(), iota_dimension=0
  s = s32[100] sort(p), dimensions={0}, to_apply=less
  ROOT r = s32[100] sort(s), dimensions={0}, to_apply=less.1
}
less.1 {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT
})",
                              {});
  ASSERT_TRUE(result.ok()) << result.status();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(result->data<int32_t>()[i], i);
}

TEST(SortTest, WithoutComparatorAscends) {
  ExpectEntry("p = s32[3] parameter(0)\n ROOT r = s32[3] sort(p), dimensions={0}",
              {"s32[3] {2, -1, 0}"}, "s32[3] {-1, 0, 2}");
  EXPECT_EQ(ErrorIdOf(RunEntry("p = c64[2] parameter(0)\n ROOT r = c64[2] sort(p), dimensions={0}",
                               {"c64[2] {(1, 2), (0, 0)}"})
                          .status()),
            "AX0800");
}

TEST(SortTest, EmptyArrays) {
  ExpectText(WithLess("s32", "LT",
                      "p = s32[0,2] parameter(0)\n"
                      "ROOT r = s32[0,2] sort(p), dimensions={1}, to_apply=less"),
             {"s32[0,2] {}"}, "s32[0,2] {}");
}

TEST(TopKTest, LargestAndSmallestWithTiesByPosition) {
  ExpectEntry(
      "p = f32[2,4] parameter(0)\n ROOT r = (f32[2,2], s32[2,2]) topk(p), k=2, largest=true",
      {"f32[2,4] {{1, 3, 3, 2}, {0, nan, 5, 5}}"},
      "(f32[2,2] {{3, 3}, {nan, 5}}, s32[2,2] {{1, 2}, {1, 2}})");
  ExpectEntry("p = s32[4] parameter(0)\n ROOT r = (s32[3], s32[3]) topk(p), k=3, largest=false",
              {"s32[4] {4, -1, 4, 2}"}, "(s32[3] {-1, 2, 4}, s32[3] {1, 3, 0})");
}

}  // namespace
}  // namespace axle::eval
