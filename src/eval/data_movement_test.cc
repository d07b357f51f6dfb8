// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.h"
#include "eval/eval_testing.h"

namespace axle::eval {
namespace {

TEST(DataMovementTest, BroadcastPlacesOperandDimensions) {
  ExpectEntry("p = s32[2] parameter(0)\n ROOT r = s32[2,3] broadcast(p), dimensions={0}",
              {"s32[2] {5, 7}"}, "s32[2,3] {{5, 5, 5}, {7, 7, 7}}");
  ExpectEntry("p = s32[2] parameter(0)\n ROOT r = s32[3,2] broadcast(p), dimensions={1}",
              {"s32[2] {5, 7}"}, "s32[3,2] {{5, 7}, {5, 7}, {5, 7}}");
  ExpectEntry("p = s8[] parameter(0)\n ROOT r = s8[2,0] broadcast(p), dimensions={}", {"s8[] 1"},
              "s8[2,0] {{}, {}}");
}

TEST(DataMovementTest, TransposeTakesResultDimensionFromOperand) {
  // Result [i,j,k] is operand [j,k,i] for dimensions={2,0,1}: element 1 is [0,0,1] there.
  ExpectEntry("p = s16[1,2,3] parameter(0)\n ROOT r = s16[3,1,2] transpose(p), dimensions={2,0,1}",
              {"s16[1,2,3] {{{1, 2, 3}, {4, 5, 6}}}"}, "s16[3,1,2] {{{1, 4}}, {{2, 5}}, {{3, 6}}}");
}

TEST(DataMovementTest, ReshapeKeepsRowMajorOrder) {
  ExpectEntry("p = c64[2,3] parameter(0)\n ROOT r = c64[3,2] reshape(p)",
              {"c64[2,3] {{(1, 2), (3, 4), (5, 6)}, {(7, 8), (9, 0), (1, 1)}}"},
              "c64[3,2] {{(1, 2), (3, 4)}, {(5, 6), (7, 8)}, {(9, 0), (1, 1)}}");
}

TEST(DataMovementTest, ReverseOfSomeDimensions) {
  ExpectEntry("p = s32[2,3] parameter(0)\n ROOT r = s32[2,3] reverse(p), dimensions={1}",
              {"s32[2,3] {{1, 2, 3}, {4, 5, 6}}"}, "s32[2,3] {{3, 2, 1}, {6, 5, 4}}");
  ExpectEntry("p = s32[2,3] parameter(0)\n ROOT r = s32[2,3] reverse(p), dimensions={0,1}",
              {"s32[2,3] {{1, 2, 3}, {4, 5, 6}}"}, "s32[2,3] {{6, 5, 4}, {3, 2, 1}}");
}

TEST(DataMovementTest, SliceWithStrides) {
  ExpectEntry("p = s32[3,5] parameter(0)\n ROOT r = s32[2,2] slice(p), slice={[1:3], [0:4:3]}",
              {"s32[3,5] {{0,1,2,3,4}, {5,6,7,8,9}, {10,11,12,13,14}}"},
              "s32[2,2] {{5, 8}, {10, 13}}");
}

TEST(DataMovementTest, PadEdgesAndInterior) {
  ExpectEntry(
      "p = s32[3] parameter(0)\n z = s32[] constant(9)\n ROOT r = s32[8] pad(p, z), padding=1_2_1",
      {"s32[3] {1, 2, 3}"}, "s32[8] {9, 1, 9, 2, 9, 3, 9, 9}");
}

TEST(DataMovementTest, PadCropsWhereNegative) {
  // 1 . 2 . 3 . 4 without its first and its last two places.
  ExpectEntry(
      "p = s32[4] parameter(0)\n z = s32[] constant(0)\n ROOT r = s32[4] pad(p, z), "
      "padding=-1_-2_1",
      {"s32[4] {1, 2, 3, 4}"}, "s32[4] {0, 2, 0, 3}");
  // More is cropped than there is.
  ExpectEntry(
      "p = s32[2] parameter(0)\n z = s32[] constant(7)\n ROOT r = s32[2] pad(p, z), padding=3_-3",
      {"s32[2] {1, 2}"}, "s32[2] {7, 7}");
  ExpectEntry(
      "p = s32[2] parameter(0)\n z = s32[] constant(7)\n ROOT r = s32[3] pad(p, z), padding=-5_6",
      {"s32[2] {1, 2}"}, "s32[3] {7, 7, 7}");
}

TEST(DataMovementTest, Concatenate) {
  ExpectEntry(
      "a = s32[2,1] parameter(0)\n b = s32[2,0] parameter(1)\n c = s32[2,2] parameter(2)\n"
      "ROOT r = s32[2,3] concatenate(a, b, c), dimensions={1}",
      {"s32[2,1] {{1}, {2}}", "s32[2,0] {{}, {}}", "s32[2,2] {{3, 4}, {5, 6}}"},
      "s32[2,3] {{1, 3, 4}, {2, 5, 6}}");
}

TEST(DataMovementTest, IotaWrapsAndRounds) {
  ExpectEntry("ROOT r = s32[2,3] iota(), iota_dimension=1", {}, "s32[2,3] {{0,1,2}, {0,1,2}}");
  ExpectEntry("i = u8[258] iota(), iota_dimension=0\n ROOT r = u8[2] slice(i), slice={[256:258]}",
              {}, "u8[2] {0, 1}");
  // bf16 has 8 digits: 257 lies between 256 and 258, at the even one.
  ExpectEntry(
      "i = bf16[258] iota(), iota_dimension=0\n ROOT r = bf16[1] slice(i), slice={[257:258]}", {},
      "bf16[1] {256}");
}

TEST(DataMovementTest, GetDimensionSizeOfStaticShape) {
  ExpectEntry("p = f32[2,5] parameter(0)\n ROOT r = s32[] get-dimension-size(p), dimensions={1}",
              {"f32[2,5] {{0,0,0,0,0},{0,0,0,0,0}}"}, "s32[] 5");
}

TEST(DataMovementTest, DynamicSliceClampsStarts) {
  const char* program =
      "p = s32[4,3] parameter(0)\n i = s32[] parameter(1)\n j = s32[] parameter(2)\n"
      "ROOT r = s32[2,2] dynamic-slice(p, i, j), dynamic_slice_sizes={2,2}";
  const char* array = "s32[4,3] {{0,1,2},{3,4,5},{6,7,8},{9,10,11}}";
  ExpectEntry(program, {array, "s32[] 1", "s32[] 1"}, "s32[2,2] {{4,5},{7,8}}");
  ExpectEntry(program, {array, "s32[] 9", "s32[] -4"}, "s32[2,2] {{6,7},{9,10}}");
}

TEST(DataMovementTest, UnsignedStartsAboveTheSignedRangeAreLarge) {
  ExpectEntry(
      "p = s32[3] parameter(0)\n i = u64[] parameter(1)\n"
      "ROOT r = s32[1] dynamic-slice(p, i), dynamic_slice_sizes={1}",
      {"s32[3] {1, 2, 3}", "u64[] 18446744073709551615"}, "s32[1] {3}");
}

TEST(DataMovementTest, DynamicUpdateSliceClampsStarts) {
  const char* program =
      "p = s32[4] parameter(0)\n u = s32[2] parameter(1)\n i = s64[] parameter(2)\n"
      "ROOT r = s32[4] dynamic-update-slice(p, u, i)";
  ExpectEntry(program, {"s32[4] {1,2,3,4}", "s32[2] {8,9}", "s64[] 1"}, "s32[4] {1,8,9,4}");
  ExpectEntry(program, {"s32[4] {1,2,3,4}", "s32[2] {8,9}", "s64[] 3"}, "s32[4] {1,2,8,9}");
  ExpectEntry(program, {"s32[4] {1,2,3,4}", "s32[2] {8,9}", "s64[] -7"}, "s32[4] {8,9,3,4}");
}

TEST(DataMovementTest, UpdatedOperandKeepsItsValueForOthers) {
  ExpectEntry(
      "p = s32[2] parameter(0)\n n = s32[2] negate(p)\n u = s32[1] parameter(1)\n"
      "z = s32[] constant(0)\n d = s32[2] dynamic-update-slice(n, u, z)\n"
      "ROOT t = (s32[2], s32[2]) tuple(d, n)",
      {"s32[2] {1, 2}", "s32[1] {5}"}, "(s32[2] {5, -2}, s32[2] {-1, -2})");
}

TEST(DataMovementTest, BitcastFollowsLayouts) {
  // Column-major [2,3] holds 1 4 2 5 3 6; read as row-major [3,2].
  ExpectEntry("p = s32[2,3]{0,1} parameter(0)\n ROOT r = s32[3,2]{1,0} bitcast(p)",
              {"s32[2,3] {{1, 2, 3}, {4, 5, 6}}"}, "s32[3,2] {{1, 4}, {2, 5}, {3, 6}}");
  ExpectEntry("p = f32[2]{0} parameter(0)\n ROOT r = s32[2,1]{1,0} bitcast(p)", {"f32[2] {1, -2}"},
              "s32[2,1] {{1065353216}, {-1073741824}}");  // 0x3f800000, 0xc0000000
}

TEST(DataMovementTest, SubByteAndWideElementsMoveWhole) {
  ExpectEntry("p = s4[2,2] parameter(0)\n ROOT r = s4[2,2] transpose(p), dimensions={1,0}",
              {"s4[2,2] {{1, -2}, {3, -8}}"}, "s4[2,2] {{1, 3}, {-2, -8}}");
  ExpectEntry("p = c128[2] parameter(0)\n ROOT r = c128[2] reverse(p), dimensions={0}",
              {"c128[2] {(1, 2), (3, 4)}"}, "c128[2] {(3, 4), (1, 2)}");
}

}  // namespace
}  // namespace axle::eval
