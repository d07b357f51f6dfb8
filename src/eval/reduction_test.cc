// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "eval/eval_testing.h"

namespace axle::eval {
namespace {

// A program with the combiner f on two scalars of `type`.
std::string WithCombiner(absl::string_view type, absl::string_view opcode,
                         absl::string_view entry) {
  return absl::StrCat("HloModule test\nf {\n a = ", type, "[] parameter(0)\n b = ", type,
                      "[] parameter(1)\n ROOT c = ", type, "[] ", opcode,
                      "(a, b)\n}\nENTRY main {\n", entry, "\n}\n");
}

TEST(ReduceTest, DimensionsAndInitialValue) {
  const std::string rows = WithCombiner("s32", "add",
                                        "p = s32[2,3] parameter(0)\n z = s32[] parameter(1)\n"
                                        "ROOT r = s32[2] reduce(p, z), dimensions={1}, to_apply=f");
  ExpectText(rows, {"s32[2,3] {{1,2,3},{4,5,6}}", "s32[] 100"}, "s32[2] {106, 115}");
  const std::string columns =
      WithCombiner("s32", "maximum",
                   "p = s32[2,3] parameter(0)\n z = s32[] parameter(1)\n"
                   "ROOT r = s32[3] reduce(p, z), dimensions={0}, to_apply=f");
  ExpectText(columns, {"s32[2,3] {{1,9,3},{4,5,6}}", "s32[] 5"}, "s32[3] {5, 9, 6}");
  const std::string all = WithCombiner("s32", "add",
                                       "p = s32[2,3] parameter(0)\n z = s32[] parameter(1)\n"
                                       "ROOT r = s32[] reduce(p, z), dimensions={1,0}, to_apply=f");
  ExpectText(all, {"s32[2,3] {{1,2,3},{4,5,6}}", "s32[] 0"}, "s32[] 21");
}

TEST(ReduceTest, NothingToReduceGivesInitialValue) {
  ExpectText(WithCombiner("s32", "add",
                          "p = s32[2,0] parameter(0)\n z = s32[] parameter(1)\n"
                          "ROOT r = s32[2] reduce(p, z), dimensions={1}, to_apply=f"),
             {"s32[2,0] {{},{}}", "s32[] 7"}, "s32[2] {7, 7}");
  ExpectText(WithCombiner("s32", "add",
                          "p = s32[0,2] parameter(0)\n z = s32[] parameter(1)\n"
                          "ROOT r = s32[0] reduce(p, z), dimensions={1}, to_apply=f"),
             {"s32[0,2] {}", "s32[] 7"}, "s32[0] {}");
}

// Composition of maps x -> a x + b is associative but not commutative, so the order must be kept:
// also in lanes, over 1 + 2 x 31 elements.
TEST(ReduceTest, KeepsTheOrderOfElements) {
  constexpr char kProgram[] = R"(HloModule test
f {
  a = u32[] parameter(0)
  b = u32[] parameter(1)
  c = u32[] parameter(2)
  d = u32[] parameter(3)
  e = u32[] multiply(a, c)
  g = u32[] multiply(b, c)
  h = u32[] add(g, d)
  ROOT t = (u32[], u32[]) tuple(e, h)
}
ENTRY main {
  i = u32[63] iota(), iota_dimension=0
  three = u32[] constant(3)
  threes = u32[63] broadcast(three), dimensions={}
  one = u32[] constant(1)
  zero = u32[] constant(0)
  ROOT r = (u32[], u32[]) reduce(threes, i, one, zero), dimensions={0}, to_apply=f
})";
  uint32_t factor = 1, sum = 0;
  for (uint32_t i = 0; i < 63; ++i) {
    factor *= 3;
    sum = sum * 3 + i;
  }
  ExpectText(kProgram, {}, absl::StrCat("(u32[] ", factor, ", u32[] ", sum, ")"));
}

TEST(ReduceTest, LongSumsStayAccurate) {
  // Added one by one, every step above 65536 would round 0.1 to 13/128 and the sum would drift by a
  // percent. The exact one is 2^20 * 0.100000001490116.
  const auto result = RunText(
      WithCombiner("f32", "add",
                   "t = f32[] constant(0.1)\n p = f32[1048576] broadcast(t), dimensions={}\n"
                   "z = f32[] constant(0)\n"
                   "ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=f"),
      {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_NEAR(result->data<float>()[0], 104857.6015625, 0.1);
}

TEST(ReduceTest, CombinerThatIsNoScalarProgram) {
  // A loop in the combiner: c = a, then b times c = c + 1.
  ExpectText(R"(HloModule test
cond {
  s = (s32[], s32[]) parameter(0)
  n = s32[] get-tuple-element(s), index=1
  z = s32[] constant(0)
  ROOT g = pred[] compare(n, z), direction=GT
}
body {
  s = (s32[], s32[]) parameter(0)
  x = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  y = s32[] add(x, one)
  m = s32[] subtract(n, one)
  ROOT t = (s32[], s32[]) tuple(y, m)
}
f {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  t = (s32[], s32[]) tuple(a, b)
  w = (s32[], s32[]) while(t), condition=cond, body=body
  ROOT c = s32[] get-tuple-element(w), index=0
}
ENTRY main {
  p = s32[2,2] parameter(0)
  z = s32[] constant(0)
  ROOT r = s32[2] reduce(p, z), dimensions={1}, to_apply=f
})",
             {"s32[2,2] {{1, 2}, {3, 4}}"}, "s32[2] {3, 7}");
}

TEST(MapTest, AppliesToEveryElement) {
  ExpectText(R"(HloModule test
f {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  t = s32[] constant(10)
  m = s32[] multiply(a, t)
  ROOT c = s32[] subtract(m, b)
}
ENTRY main {
  p = s32[3] parameter(0)
  q = s32[3] parameter(1)
  ROOT r = s32[3] map(p, q), dimensions={0}, to_apply=f
})",
             {"s32[3] {1, 2, 3}", "s32[3] {4, 5, 6}"}, "s32[3] {6, 15, 24}");
}

TEST(ReduceWindowTest, StridesAndPadding) {
  // Windows of 3, stride 2, one place of padding on each side of 1..5.
  ExpectText(WithCombiner("s32", "add",
                          "p = s32[5] parameter(0)\n z = s32[] constant(0)\n"
                          "ROOT r = s32[3] reduce-window(p, z), window={size=3 stride=2 pad=1_1}, "
                          "to_apply=f"),
             {"s32[5] {1, 2, 3, 4, 5}"}, "s32[3] {3, 9, 9}");
}

TEST(ReduceWindowTest, Dilations) {
  // Base dilation 2: 1 . 2 . 3; windows of 2 places, 2 apart: (1,2) (.,.) (2,3).
  ExpectText(WithCombiner("s32", "add",
                          "p = s32[3] parameter(0)\n z = s32[] constant(0)\n"
                          "ROOT r = s32[3] reduce-window(p, z), window={size=2 lhs_dilate=2 "
                          "rhs_dilate=2}, to_apply=f"),
             {"s32[3] {1, 2, 3}"}, "s32[3] {3, 0, 5}");
}

TEST(ReduceWindowTest, TwoDimensions) {
  ExpectText(WithCombiner("f32", "maximum",
                          "p = f32[3,4] parameter(0)\n z = f32[] constant(-inf)\n"
                          "ROOT r = f32[2,2] reduce-window(p, z), window={size=2x2 stride=1x2}, "
                          "to_apply=f"),
             {"f32[3,4] {{1,2,3,4},{8,7,6,5},{9,1,1,2}}"}, "f32[2,2] {{8,6},{9,6}}");
}

// A window of the whole dimension, which takes a way of its own, in both directions.
TEST(ReduceWindowTest, RunningTotals) {
  ExpectText(WithCombiner("s32", "add",
                          "p = s32[2,4] parameter(0)\n z = s32[] constant(0)\n"
                          "ROOT r = s32[2,4] reduce-window(p, z), window={size=1x4 pad=0_0x3_0}, "
                          "to_apply=f"),
             {"s32[2,4] {{1,2,3,4},{5,6,7,8}}"}, "s32[2,4] {{1,3,6,10},{5,11,18,26}}");
  ExpectText(WithCombiner("s32", "subtract",  // the order of operands shows
                          "p = s32[3,1] parameter(0)\n z = s32[] constant(0)\n"
                          "ROOT r = s32[3,1] reduce-window(p, z), window={size=3x1 pad=2_0x0_0}, "
                          "to_apply=f"),
             {"s32[3,1] {{1},{2},{3}}"}, "s32[3,1] {{-1},{-3},{-6}}");
  ExpectText(WithCombiner("s32", "multiply",
                          "p = s32[3,2] parameter(0)\n z = s32[] constant(1)\n"
                          "ROOT r = s32[3,2] reduce-window(p, z), window={size=3x1 pad=0_2x0_0}, "
                          "to_apply=f"),
             {"s32[3,2] {{1,2},{3,4},{5,6}}"}, "s32[3,2] {{15,48},{15,24},{5,6}}");
}

TEST(SelectAndScatterTest, PicksOneElementOfEachWindow) {
  // Windows of 3, stride 2, of 1 5 2 2 9: the maxima 5 and 9 get the sources; equal elements keep
  // the first, as GE says.
  constexpr char kProgram[] = R"(HloModule test
ge {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=GE
}
f {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] add(a, b)
}
ENTRY main {
  p = s32[5] parameter(0)
  s = s32[2] parameter(1)
  z = s32[] constant(100)
  ROOT r = s32[5] select-and-scatter(p, s, z), window={size=3 stride=2}, select=ge, scatter=f
})";
  ExpectText(kProgram, {"s32[5] {1, 5, 2, 2, 9}", "s32[2] {10, 20}"},
             "s32[5] {100, 110, 100, 100, 120}");
  ExpectText(kProgram, {"s32[5] {3, 3, 3, 3, 3}", "s32[2] {10, 20}"},
             "s32[5] {110, 100, 120, 100, 100}");
  ExpectText(kProgram, {"s32[5] {0, 0, 7, 0, 0}", "s32[2] {10, 20}"},
             "s32[5] {100, 100, 130, 100, 100}");
}

TEST(ScanTest, CarriesAlongADimension) {
  const auto program = [](absl::string_view attributes) {
    return absl::StrCat(R"(HloModule test
f {
  x = s32[2] parameter(0)
  c = s32[2] parameter(1)
  s = s32[2] add(x, c)
  d = s32[2] multiply(x, s)
  ROOT t = (s32[2], s32[2]) tuple(d, s)
}
ENTRY main {
  p = s32[3,2] parameter(0)
  c = s32[2] parameter(1)
  ROOT r = (s32[3,2], s32[2]) scan(p, c), dimensions={0}, num_carries=1, )",
                        attributes, "to_apply=f\n}");
  };
  ExpectText(program(""), {"s32[3,2] {{1,2},{3,4},{5,6}}", "s32[2] {0, 10}"},
             "(s32[3,2] {{1,24},{12,64},{45,132}}, s32[2] {9,22})");
  ExpectText(program("is_reverse=true, "), {"s32[3,2] {{1,2},{3,4},{5,6}}", "s32[2] {0, 10}"},
             "(s32[3,2] {{9,44},{24,80},{25,96}}, s32[2] {9,22})");
}

}  // namespace
}  // namespace axle::eval
