// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "eval/counter_rng.h"
#include "eval/eval_testing.h"

namespace axle::eval {
namespace {

using Words2 = std::array<uint32_t, 2>;
using Words4 = std::array<uint32_t, 4>;

uint64_t Word64(uint64_t low, uint64_t high) { return low | high << 32; }

// Known answers of the Random123 library (kat_vectors).
TEST(CounterRngTest, ThreeFryKnownAnswers) {
  EXPECT_EQ(ThreeFry2x32(0, 0), (Words2{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(ThreeFry2x32(~uint64_t{0}, ~uint64_t{0}), (Words2{0x1cb996fc, 0xbb002be7}));
  EXPECT_EQ(ThreeFry2x32(Word64(0x13198a2e, 0x03707344), Word64(0x243f6a88, 0x85a308d3)),
            (Words2{0xc4923a9c, 0x483df7a0}));
}

TEST(CounterRngTest, PhiloxKnownAnswers) {
  using uint128 = unsigned __int128;
  EXPECT_EQ(Philox4x32(0, 0), (Words4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox4x32(~uint64_t{0}, ~uint128{0}),
            (Words4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      Philox4x32(Word64(0xa4093822, 0x299f31d0),
                 uint128{Word64(0x13198a2e, 0x03707344)} << 64 | Word64(0x243f6a88, 0x85a308d3)),
      (Words4{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The words of the known answers for key 0 and counter 0, placed as rng-bit-generator does.
TEST(RngBitGeneratorTest, ThreeFryPlacesWords) {
  ExpectEntry(
      "s = u64[2] parameter(0)\n ROOT r = (u64[2], u32[2]) rng-bit-generator(s), "
      "algorithm=rng_three_fry",
      {"u64[2] {0, 0}"}, "(u64[2] {0, 1}, u32[2] {1797259609, 2579123966})");
  ExpectEntry(
      "s = u64[2] parameter(0)\n ROOT r = (u64[2], u64[1]) rng-bit-generator(s), "
      "algorithm=rng_three_fry",
      {"u64[2] {0, 0}"}, "(u64[2] {0, 1}, u64[1] {11077253088097075545})");
  // Bits beyond the type's width are dropped; a lone element takes the first word.
  ExpectEntry(
      "s = u64[2] parameter(0)\n ROOT r = (u64[2], u8[]) rng-bit-generator(s), "
      "algorithm=rng_three_fry",
      {"u64[2] {0, 0}"}, "(u64[2] {0, 1}, u8[] 89)");
}

TEST(RngBitGeneratorTest, PhiloxPlacesWordsAndCarries) {
  ExpectEntry(
      "s = u64[3] parameter(0)\n ROOT r = (u64[3], u32[4]) rng-bit-generator(s), "
      "algorithm=rng_philox",
      {"u64[3] {0, 0, 0}"},
      "(u64[3] {0, 1, 0}, u32[4] {1713891541, 3781805453, 3159862348, 2600524760})");
  ExpectEntry(
      "s = u64[3] parameter(0)\n b = (u64[3], u32[5]) rng-bit-generator(s), "
      "algorithm=rng_philox\n ROOT r = u64[3] get-tuple-element(b), index=0",
      {"u64[3] {7, 18446744073709551615, 4}"}, "u64[3] {7, 1, 5}");
}

TEST(RngTest, UniformStaysInItsRangeAndFollowsTheSeed) {
  constexpr char kProgram[] = R"(HloModule test
ENTRY main {
  a = f32[] constant(-1)
  b = f32[] constant(3)
  ROOT r = f32[1000] rng(a, b), distribution=rng_uniform
})";
  const auto first = RunText(kProgram, {}, {}, {.rng_seed = 5});
  ASSERT_TRUE(first.ok()) << first.status();
  double sum = 0;
  for (float x : first->data<float>()) {
    EXPECT_GE(x, -1);
    EXPECT_LT(x, 3);
    sum += x;
  }
  EXPECT_NEAR(sum / 1000, 1, 0.2);  // the mean's deviation is 4 / sqrt(12 * 1000) = 0.037
  EXPECT_EQ(*first, RunText(kProgram, {}, {}, {.rng_seed = 5}).value());
  EXPECT_FALSE(*first == RunText(kProgram, {}, {}, {.rng_seed = 5000}).value());
}

TEST(RngTest, IntegersAndNormal) {
  const auto integers = RunEntry(
      "a = s32[] constant(2)\n b = s32[] constant(4)\n"
      "ROOT r = s32[100] rng(a, b), distribution=rng_uniform",
      {});
  ASSERT_TRUE(integers.ok()) << integers.status();
  int threes = 0;
  for (int32_t x : integers->data<int32_t>()) {
    EXPECT_TRUE(x == 2 || x == 3) << x;
    threes += x == 3;
  }
  EXPECT_GT(threes, 20);
  EXPECT_LT(threes, 80);
  const auto normal = RunEntry(
      "m = f64[] constant(10)\n d = f64[] constant(2)\n"
      "ROOT r = f64[4000] rng(m, d), distribution=rng_normal",
      {});
  ASSERT_TRUE(normal.ok()) << normal.status();
  double sum = 0, squares = 0;
  for (double x : normal->data<double>()) {
    sum += x - 10;
    squares += (x - 10) * (x - 10);
  }
  EXPECT_NEAR(sum / 4000, 0, 0.2);
  EXPECT_NEAR(squares / 4000, 4, 0.5);
}

// From the words of Philox for key 0 and counter 0, which is where seed 0 begins: 6627e8d5 e169c58d
// bc57ac4c 9b00dbd8.
TEST(RngTest, NumbersOfKnownWords) {
  // The upper 24 bits, over 2^24; of bf16, whose significand has 8 bits, the upper 8 over 2^8.
  ExpectEntry(
      "a = f32[] constant(0)\n b = f32[] constant(1)\n"
      "ROOT r = f32[2,2] rng(a, b), distribution=rng_uniform",
      {},
      "f32[2,2] {{0.3990464210510254, 0.8805201649665833}, "
      "{0.7357127666473389, 0.6054818034172058}}");
  ExpectEntry(
      "a = bf16[] constant(2)\n b = bf16[] constant(4)\n"
      "ROOT r = bf16[2] rng(a, b), distribution=rng_uniform",
      {}, "bf16[2] {2.796875, 3.7578125}");  // 2 + 2 * 0x66 / 256, 2 + 2 * 0xe1 / 256
  // 0xe169c58d6627e8d5 >> 12 over 2^52.
  ExpectEntry(
      "a = f64[] constant(0)\n b = f64[] constant(1)\n"
      "ROOT r = f64[1] rng(a, b), distribution=rng_uniform",
      {}, "f64[1] {0.8805201978886141}");
  // -5 + 0xe169c58d6627e8d5 mod 11, -5 + 0x9b00dbd8bc57ac4c mod 11.
  ExpectEntry(
      "a = s8[] constant(-5)\n b = s8[] constant(6)\n"
      "ROOT r = s8[2] rng(a, b), distribution=rng_uniform",
      {}, "s8[2] {4, 3}");
}

// Two words a number; those of the second come from the next counter, though the first needs no
// more than half of one.
TEST(RngTest, NormalOfKnownWords) {
  const auto normal = RunText(R"(HloModule test
ENTRY main {
  m = f32[] constant(3)
  d = f32[] constant(2)
  r = f32[1] rng(m, d), distribution=rng_normal
  s = u64[2] rng-get-and-update-state(), delta=0
  ROOT t = (f32[1], u64[2]) tuple(r, s)
})",
                              {}, {}, {.rng_seed = 7});
  ASSERT_TRUE(normal.ok()) << normal.status();
  EXPECT_EQ(normal->elements()[1], Lit("u64[2] {2, 7}"));
  using uint128 = unsigned __int128;
  const double u = (Philox4x32(0, uint128{7} << 64)[0] >> 8) / 16777216.0;
  const double v = (Philox4x32(0, (uint128{7} << 64) + 1)[0] >> 8) / 16777216.0;
  EXPECT_NEAR(normal->elements()[0].data<float>()[0],
              3 + 2 * std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * M_PI * v), 1e-6);
}

// The numbers between are 1 and, with f32, none else: rounding must not make the upper bound.
TEST(RngTest, UpperBoundIsNeverReached) {
  const auto narrow = RunEntry(
      "a = bf16[] constant(1)\n b = bf16[] constant(1.015625)\n"
      "r = bf16[500] rng(a, b), distribution=rng_uniform\n"
      "ROOT f = f32[500] convert(r)",
      {});
  ASSERT_TRUE(narrow.ok()) << narrow.status();
  int upper = 0;
  for (const float x : narrow->data<float>()) {
    EXPECT_TRUE(x == 1 || x == 1.0078125f) << x;
    upper += x != 1;
  }
  EXPECT_GT(upper, 150);
  EXPECT_LT(upper, 350);
  ExpectEntry(
      "a = f32[] constant(1)\n b = f32[] constant(1.00000012)\n"
      "ROOT r = f32[4] rng(a, b), distribution=rng_uniform",
      {}, "f32[4] {1, 1, 1, 1}");
}

TEST(RngTest, EmptyRangesGiveTheirLowerBound) {
  ExpectEntry(
      "a = f32[] constant(3)\n b = f32[] constant(2)\n"
      "ROOT r = f32[2] rng(a, b), distribution=rng_uniform",
      {}, "f32[2] {3, 3}");
  ExpectEntry(
      "a = s32[] constant(3)\n b = s32[] constant(3)\n"
      "ROOT r = s32[2] rng(a, b), distribution=rng_uniform",
      {}, "s32[2] {3, 3}");
}

TEST(RngTest, RangesOfIntegersMayBeAllNumbers) {
  const auto integers = RunEntry(
      "a = s64[] constant(-9223372036854775808)\n b = s64[] constant(9223372036854775807)\n"
      "ROOT r = s64[1000] rng(a, b), distribution=rng_uniform",
      {});
  ASSERT_TRUE(integers.ok()) << integers.status();
  int negative = 0;
  for (const int64_t x : integers->data<int64_t>()) negative += x < 0;
  EXPECT_GT(negative, 420);  // 500, and five deviations of 16
  EXPECT_LT(negative, 580);
}

TEST(RngTest, GlobalStateAdvances) {
  ExpectText(R"(HloModule test
ENTRY main {
  a = u64[2] rng-get-and-update-state(), delta=3
  b = u64[2] rng-get-and-update-state(), delta=1
  ROOT r = u64[2] subtract(b, a)
})",
             {}, "u64[2] {3, 0}");
}

}  // namespace
}  // namespace axle::eval
