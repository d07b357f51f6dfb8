// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "eval/eval_testing.h"

namespace axle::eval {
namespace {

constexpr char kMatrix[] = "s32[3,3] {{1,2,3},{4,5,6},{7,8,9}}";

TEST(GatherTest, RowsByIndex) {
  ExpectEntry(
      "p = s32[3,3] parameter(0)\n i = s32[2] parameter(1)\n"
      "ROOT r = s32[2,3] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, "
      "start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}",
      {kMatrix, "s32[2] {2, 0}"}, "s32[2,3] {{7,8,9},{1,2,3}}");
}

TEST(GatherTest, StartsClampSoThatSlicesFit) {
  // Windows of [2,2]: starts (5,-1) become (1,0).
  ExpectEntry(
      "p = s32[3,3] parameter(0)\n i = s32[1,2] parameter(1)\n"
      "ROOT r = s32[1,2,2] gather(p, i), offset_dims={1,2}, collapsed_slice_dims={}, "
      "start_index_map={0,1}, index_vector_dim=1, slice_sizes={2,2}",
      {kMatrix, "s32[1,2] {{5, -1}}"}, "s32[1,2,2] {{{4,5},{7,8}}}");
}

TEST(GatherTest, IndexVectorsAlongTheFirstDimensionInSwappedOrder) {
  // Columns of the index array are vectors (column, row): (2,0) and (0,1).
  ExpectEntry(
      "p = s32[3,3] parameter(0)\n i = s32[2,2] parameter(1)\n"
      "ROOT r = s32[2] gather(p, i), offset_dims={}, collapsed_slice_dims={0,1}, "
      "start_index_map={1,0}, index_vector_dim=0, slice_sizes={1,1}",
      {kMatrix, "s32[2,2] {{2, 0}, {0, 1}}"}, "s32[2] {3, 4}");
}

TEST(GatherTest, BatchingDimensions) {
  // One element of each row, at the row's own index.
  ExpectEntry(
      "p = s32[3,3] parameter(0)\n i = s32[3,1] parameter(1)\n"
      "ROOT r = s32[3] gather(p, i), offset_dims={}, collapsed_slice_dims={1}, "
      "start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, "
      "index_vector_dim=1, slice_sizes={1,1}",
      {kMatrix, "s32[3,1] {{2}, {0}, {1}}"}, "s32[3] {3, 4, 8}");
}

std::string ScatterProgram(absl::string_view combiner, absl::string_view entry) {
  return absl::StrCat("HloModule test\nf {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n",
                      combiner, "\n}\nENTRY main {\n", entry, "\n}\n");
}

constexpr char kAdd[] = "ROOT c = s32[] add(a, b)";
constexpr char kSet[] = "ROOT c = s32[] copy(b)";

TEST(ScatterTest, RepeatedIndicesCombine) {
  ExpectText(
      ScatterProgram(kAdd,
                     "p = s32[3] parameter(0)\n i = s32[4] parameter(1)\n u = s32[4] parameter(2)\n"
                     "ROOT r = s32[3] scatter(p, i, u), update_window_dims={}, "
                     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                     "index_vector_dim=1, to_apply=f"),
      {"s32[3] {10, 20, 30}", "s32[4] {1, 0, 1, 1}", "s32[4] {1, 2, 3, 4}"}, "s32[3] {12, 28, 30}");
}

TEST(ScatterTest, LaterUpdatesOverwriteEarlierOnes) {
  ExpectText(
      ScatterProgram(kSet,
                     "p = s32[2] parameter(0)\n i = s32[3] parameter(1)\n u = s32[3] parameter(2)\n"
                     "ROOT r = s32[2] scatter(p, i, u), update_window_dims={}, "
                     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                     "index_vector_dim=1, to_apply=f"),
      {"s32[2] {0, 0}", "s32[3] {1, 1, 0}", "s32[3] {5, 6, 7}"}, "s32[2] {7, 6}");
}

TEST(ScatterTest, WindowsThatDoNotFitAreSkippedWhole) {
  // Rows of two: starts 2 and -1 stick out of three columns, start 1 fits.
  ExpectText(
      ScatterProgram(
          kAdd,
          "p = s32[3] parameter(0)\n i = s32[3,1] parameter(1)\n u = s32[3,2] parameter(2)\n"
          "ROOT r = s32[3] scatter(p, i, u), update_window_dims={1}, inserted_window_dims={}, "
          "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f"),
      {"s32[3] {0, 0, 0}", "s32[3,1] {{2}, {-1}, {1}}", "s32[3,2] {{1, 2}, {3, 4}, {5, 6}}"},
      "s32[3] {0, 5, 6}");
}

TEST(ScatterTest, BatchingDimensions) {
  ExpectText(
      ScatterProgram(
          kAdd,
          "p = s32[2,3] parameter(0)\n i = s32[2,1] parameter(1)\n u = s32[2] parameter(2)\n"
          "ROOT r = s32[2,3] scatter(p, i, u), update_window_dims={}, inserted_window_dims={1}, "
          "scatter_dims_to_operand_dims={1}, input_batching_dims={0}, "
          "scatter_indices_batching_dims={0}, index_vector_dim=1, to_apply=f"),
      {"s32[2,3] {{0,0,0},{0,0,0}}", "s32[2,1] {{2}, {1}}", "s32[2] {5, 7}"},
      "s32[2,3] {{0,0,5},{0,7,0}}");
}

TEST(ScatterTest, SeveralOperandsShareIndices) {
  ExpectText(R"(HloModule test
f {
  a = s32[] parameter(0)
  b = f32[] parameter(1)
  c = s32[] parameter(2)
  d = f32[] parameter(3)
  x = s32[] add(a, c)
  y = f32[] multiply(b, d)
  ROOT t = (s32[], f32[]) tuple(x, y)
}
ENTRY main {
  p = s32[2] parameter(0)
  q = f32[2] parameter(1)
  i = s32[2] parameter(2)
  u = s32[2] parameter(3)
  v = f32[2] parameter(4)
  ROOT r = (s32[2], f32[2]) scatter(p, q, i, u, v), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f
})",
             {"s32[2] {1, 2}", "f32[2] {1, 2}", "s32[2] {1, 1}", "s32[2] {3, 4}", "f32[2] {3, 4}"},
             "(s32[2] {1, 9}, f32[2] {1, 24})");
}

TEST(ScatterTest, ArgumentsStayAsTheyAre) {
  const auto evaluator = EvaluatorOf(ScatterProgram(
      kAdd,
      "p = s32[1] parameter(0)\n i = s32[1] parameter(1)\n u = s32[1] parameter(2)\n"
      "ROOT r = s32[1] scatter(p, i, u), update_window_dims={}, inserted_window_dims={0}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f"));
  ASSERT_TRUE(evaluator.ok()) << evaluator.status();
  const hlo::Literal p = Lit("s32[1] {1}"), i = Lit("s32[1] {0}"), u = Lit("s32[1] {5}");
  ASSERT_EQ((*evaluator)->Run({&p, &i, &u}).value(), Lit("s32[1] {6}"));
  EXPECT_EQ(p, Lit("s32[1] {1}"));
}

}  // namespace
}  // namespace axle::eval
