// SPDX-License-Identifier: Apache-2.0
// What tests/data/rules cannot say of structured operations: shapes without a declared one,
// unbounded sizes, results that would be too large.
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hlo/ops/rule_testing.h"
#include "hlo/ops/structured_checks.h"

namespace axle::hlo {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Attributes Contracting() {
  DotAttributes dot;
  dot.lhs_contracting_dims = {1};
  dot.rhs_contracting_dims = {0};
  return Attributes(dot);
}

std::string Dot(const char* lhs, const char* rhs, const char* declared = "") {
  return Infer({Opcode::kDot, {lhs, rhs}, declared, Contracting()});
}

TEST(StructuredTest, DotWithoutDeclaredType) {
  EXPECT_EQ(Dot("f32[2,3]", "f32[3,4]"), "f32[2,4]");
  EXPECT_EQ(Dot("bf16[2,3]", "f32[3,4]"), "f32[2,4]");
  EXPECT_EQ(Dot("f32[2,3]", "pred[3,4]"), "f32[2,4]");
  EXPECT_EQ(Dot("bf16[2,3]", "f16[3,4]"), "AX0352");  // neither holds the other
  EXPECT_EQ(Dot("bf16[2,3]", "f16[3,4]", "f32[2,4]"), "f32[2,4]");
}

TEST(StructuredTest, DotOfUnboundedSizes) {
  EXPECT_EQ(Dot("f32[?,3]", "f32[3,<=4]"), "f32[?,<=4]");
  EXPECT_EQ(Dot("f32[2,?]", "f32[3,4]"), "f32[2,4]");
}

TEST(StructuredTest, ResultsOfTooManyDimensions) {
  std::string wide = "f32[1";
  for (int i = 1; i < 40; ++i) wide += ",1";
  wide += "]";
  EXPECT_EQ(Infer({Opcode::kDot, {wide, wide}, "", Attributes(DotAttributes())}), "AX0326");
  GatherAttributes gather;
  for (int i = 0; i < 40; ++i) {
    gather.offset_dims.push_back(i);
    gather.slice_sizes.push_back(1);
  }
  gather.start_index_map = {0};
  gather.index_vector_dim = 40;
  EXPECT_EQ(Infer({Opcode::kGather, {wide, "s32" + wide.substr(3)}, "", Attributes(gather)}),
            "AX0326");
}

std::string Windowed(int64_t base, WindowDimension window) {
  const absl::StatusOr<int64_t> size = WindowedSize(base, window);
  return size.ok() ? absl::StrCat(*size) : ErrorIdOf(size.status());
}

TEST(StructuredTest, WindowedSizes) {
  // (8 + 1 + 1 - 3) / 2 + 1, rounded down.
  EXPECT_EQ(Windowed(8, {.size = 3, .stride = 2, .padding_low = 1, .padding_high = 1}), "4");
  // 8 elements with two gaps between each: 7 * 3 + 1 = 22; window 2 with one gap: 3; 22 - 3 + 1.
  EXPECT_EQ(Windowed(8, {.size = 2, .window_dilation = 2, .base_dilation = 3}), "20");
  EXPECT_EQ(Windowed(0, {.size = 2, .padding_low = 2, .base_dilation = 9}), "1");
  EXPECT_EQ(Windowed(3, {.size = 4}), "0");
  EXPECT_EQ(Windowed(3, {.size = 1, .padding_low = -3}), "0");
  EXPECT_EQ(Windowed(3, {.size = 1, .padding_low = -4}), "AX0324");
  EXPECT_EQ(Windowed(3, {.size = 0}), "AX0324");
  EXPECT_EQ(Windowed(3, {.size = 1, .stride = 0}), "AX0324");
  EXPECT_EQ(Windowed(3, {.size = 1, .window_dilation = 0}), "AX0324");
  EXPECT_EQ(Windowed(3, {.size = 1, .base_dilation = -1}), "AX0324");
  EXPECT_EQ(Windowed(kMax, {.size = 1, .padding_low = 1}), "AX0326");
  EXPECT_EQ(Windowed(kMax, {.size = 1, .padding_high = 1}), "AX0326");
  EXPECT_EQ(Windowed(3, {.size = 1, .base_dilation = kMax}), "AX0326");
  EXPECT_EQ(Windowed(3, {.size = kMax, .window_dilation = kMax}), "AX0326");
  EXPECT_EQ(Windowed(Shape::kUnbounded, {.size = 2}), absl::StrCat(Shape::kUnbounded));
}

TEST(StructuredTest, ReducedDimensionsKeepTheirBounds) {
  EXPECT_EQ(Infer({Opcode::kReduce,
                   {"f32[<=2,3,?]", "f32[]"},
                   "",
                   Attributes(DimensionsAttributes{{1}}),
                   {"(f32[], f32[]) -> f32[]"}}),
            "f32[<=2,?]");
}

TEST(StructuredTest, SortsOfSeveralOperands) {
  SortAttributes sort;
  sort.dimensions = {0};
  EXPECT_EQ(Infer({Opcode::kSort,
                   {"f32[4]", "s32[4]"},
                   "",
                   Attributes(sort),
                   {"(f32[], f32[], s32[], s32[]) -> pred[]"}}),
            "(f32[4], s32[4])");
}

// Operations whose result only the declared shape tells.
TEST(StructuredTest, DeclaredShapesThatAreNeeded) {
  CollectiveAttributes gather;
  gather.dimensions = {0};
  EXPECT_EQ(Infer({Opcode::kAllGather, {"f32[4]"}, "", Attributes(gather)}), "AX0360");
  EXPECT_EQ(Infer({Opcode::kAllGather, {"f32[4]"}, "f32[8]", Attributes(gather)}), "f32[8]");
  RngAttributes rng;
  rng.distribution = RandomDistribution::kUniform;
  EXPECT_EQ(Infer({Opcode::kRng, {"f32[]", "f32[]"}, "", Attributes(rng)}), "AX0360");
  rng.distribution = RandomDistribution::kInvalid;
  EXPECT_EQ(Infer({Opcode::kRng, {"f32[]", "f32[]"}, "f32[4]", Attributes(rng)}), "AX0358");
  EXPECT_EQ(Infer({Opcode::kInfeed, {"token[]"}}), "AX0360");
  EXPECT_EQ(Infer({Opcode::kRecv, {"token[]"}}), "AX0359");
}

TEST(StructuredTest, LongListsAreCutInMessages) {
  EXPECT_EQ(DimensionsText({1, 0}), "{1,0}");
  const std::vector<int64_t> zeros(1000);
  EXPECT_EQ(DimensionsText(zeros), "{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,… (1000 entries)}");
}

}  // namespace
}  // namespace axle::hlo
