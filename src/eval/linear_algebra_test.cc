// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "absl/strings/str_cat.h"
#include "eval/eval_testing.h"

namespace axle::eval {
namespace {

TEST(DotTest, ContractsTheNamedDimensions) {
  ExpectEntry(
      "a = s32[2,3] parameter(0)\n b = s32[3,2] parameter(1)\n"
      "ROOT r = s32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
      {"s32[2,3] {{1,2,3},{4,5,6}}", "s32[3,2] {{1,2},{3,4},{5,6}}"}, "s32[2,2] {{22,28},{49,64}}");
  ExpectEntry(
      "a = s32[3,2] parameter(0)\n b = s32[3,2] parameter(1)\n"
      "ROOT r = s32[2,2] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
      {"s32[3,2] {{1,2},{3,4},{5,6}}", "s32[3,2] {{1,0},{0,1},{1,1}}"}, "s32[2,2] {{6,8},{8,10}}");
  ExpectEntry(
      "a = s32[2] parameter(0)\n b = s32[2] parameter(1)\n"
      "ROOT r = s32[2,2] dot(a, b), lhs_contracting_dims={}, rhs_contracting_dims={}",
      {"s32[2] {1,2}", "s32[2] {3,4}"}, "s32[2,2] {{3,4},{6,8}}");
}

TEST(DotTest, BatchDimensionsComeFirst) {
  // a[i,b] . c[i,b] over i, for each b.
  ExpectEntry(
      "a = s32[2,3] parameter(0)\n b = s32[2,3] parameter(1)\n"
      "ROOT r = s32[3] dot(a, b), lhs_batch_dims={1}, lhs_contracting_dims={0}, "
      "rhs_batch_dims={1}, rhs_contracting_dims={0}",
      {"s32[2,3] {{1,2,3},{4,5,6}}", "s32[2,3] {{1,1,1},{1,2,3}}"}, "s32[3] {5, 12, 21}");
}

TEST(DotTest, ResultTypeDecidesWhatIsKept) {
  const auto program = [](absl::string_view type) {
    return absl::StrCat("a = s8[2] parameter(0)\n b = s8[2] parameter(1)\n ROOT r = ", type,
                        "[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}");
  };
  ExpectEntry(program("s32"), {"s8[2] {100,100}", "s8[2] {100,100}"}, "s32[] 20000");
  ExpectEntry(program("s8"), {"s8[2] {100,100}", "s8[2] {100,100}"}, "s8[] 32");  // 78 * 256 + 32
  ExpectEntry(program("s32"), {"s8[2] {-100,1}", "s8[2] {100,-1}"}, "s32[] -10001");
}

TEST(DotTest, NarrowFloatsRoundOnce) {
  // 259 lies between 258 and 260 of bf16; adding 1 three times to 256 in bf16 would stay there.
  ExpectEntry(
      "a = bf16[4] parameter(0)\n b = bf16[4] parameter(1)\n"
      "ROOT r = bf16[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
      {"bf16[4] {256, 1, 1, 1}", "bf16[4] {1, 1, 1, 1}"}, "bf16[] 260");
}

TEST(DotTest, ComplexAndPred) {
  ExpectEntry(
      "a = c64[2] parameter(0)\n b = c64[2] parameter(1)\n"
      "ROOT r = c64[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
      {"c64[2] {(0, 1), (1, 1)}", "c64[2] {(0, 1), (2, 0)}"}, "c64[] (1, 2)");
  ExpectEntry(
      "a = pred[2,2] parameter(0)\n b = pred[2] parameter(1)\n"
      "ROOT r = pred[2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
      {"pred[2,2] {{true,true},{false,false}}", "pred[2] {true, true}"}, "pred[2] {true, false}");
}

// x * k with x f32[1,1,3] and k f32[1,1,2], one batch and one feature.
void ExpectConvolution(absl::string_view window, absl::string_view expected, int size) {
  ExpectEntry(absl::StrCat("x = f32[1,1,3] parameter(0)\n k = f32[1,1,2] parameter(1)\n",
                           "ROOT r = f32[1,1,", size, "] convolution(x, k), window={size=2 ",
                           window, "}, dim_labels=bf0_oi0->bf0"),
              {"f32[1,1,3] {{{1,2,3}}}", "f32[1,1,2] {{{1,10}}}"},
              absl::StrCat("f32[1,1,", size, "] {{{", expected, "}}}"));
}

TEST(ConvolutionTest, Windows) {
  ExpectConvolution("", "21, 32", 2);
  ExpectConvolution("pad=1_1", "10, 21, 32, 3", 4);
  ExpectConvolution("stride=2", "21", 1);
  ExpectConvolution("rhs_reversal=1", "12, 23", 2);
  ExpectConvolution("lhs_dilate=2", "1, 20, 2, 30", 4);
  ExpectConvolution("rhs_dilate=2", "31", 1);
  ExpectConvolution("pad=-1_0", "32", 1);
}

TEST(ConvolutionTest, FeaturesAndDimensionLabels) {
  // Two input features, three output features, one place: a matrix product in every order of
  // dimensions.
  ExpectEntry(
      "x = f32[1,2,1] parameter(0)\n k = f32[3,2,1] parameter(1)\n"
      "ROOT r = f32[1,3,1] convolution(x, k), window={size=1}, dim_labels=bf0_oi0->bf0",
      {"f32[1,2,1] {{{1},{10}}}", "f32[3,2,1] {{{1},{2}},{{3},{4}},{{5},{6}}}"},
      "f32[1,3,1] {{{21},{43},{65}}}");
  ExpectEntry(
      "x = f32[1,2,1] parameter(0)\n k = f32[1,2,3] parameter(1)\n"
      "ROOT r = f32[3,1,1] convolution(x, k), window={size=1}, dim_labels=0fb_0io->fb0",
      {"f32[1,2,1] {{{1},{10}}}", "f32[1,2,3] {{{1,3,5},{2,4,6}}}"},
      "f32[3,1,1] {{{21}},{{43}},{{65}}}");
}

TEST(ConvolutionTest, Groups) {
  ExpectEntry(
      "x = f32[1,2,1] parameter(0)\n k = f32[2,1,1] parameter(1)\n"
      "ROOT r = f32[1,2,1] convolution(x, k), window={size=1}, dim_labels=bf0_oi0->bf0, "
      "feature_group_count=2",
      {"f32[1,2,1] {{{3},{5}}}", "f32[2,1,1] {{{2}},{{7}}}"}, "f32[1,2,1] {{{6},{35}}}");
  ExpectEntry(
      "x = f32[2,1,1] parameter(0)\n k = f32[2,1,1] parameter(1)\n"
      "ROOT r = f32[1,2,1] convolution(x, k), window={size=1}, dim_labels=bf0_oi0->bf0, "
      "batch_group_count=2",
      {"f32[2,1,1] {{{3}},{{5}}}", "f32[2,1,1] {{{2}},{{7}}}"}, "f32[1,2,1] {{{6},{35}}}");
}

TEST(ConvolutionTest, NoSpatialDimensionsAndIntegers) {
  ExpectEntry(
      "x = s8[1,2] parameter(0)\n k = s8[2,1] parameter(1)\n"
      "ROOT r = s32[1,1] convolution(x, k), dim_labels=bf_io->bf",
      {"s8[1,2] {{100, 100}}", "s8[2,1] {{100}, {-1}}"}, "s32[1,1] {{9900}}");
}

TEST(CholeskyTest, LowerAndUpper) {
  // {{2,0},{1,2}} times its transpose; the other triangle is not looked at.
  ExpectEntry("a = f32[2,2] parameter(0)\n ROOT r = f32[2,2] cholesky(a), lower=true",
              {"f32[2,2] {{4,99},{2,5}}"}, "f32[2,2] {{2,0},{1,2}}");
  ExpectEntry("a = f64[1,2,2] parameter(0)\n ROOT r = f64[1,2,2] cholesky(a), lower=false",
              {"f64[1,2,2] {{{4,2},{99,5}}}"}, "f64[1,2,2] {{{2,1},{0,2}}}");
  ExpectEntry("a = c64[2,2] parameter(0)\n ROOT r = c64[2,2] cholesky(a), lower=true",
              {"c64[2,2] {{(4,0),(0,2)},{(0,-2),(5,0)}}"},
              "c64[2,2] {{(2,0),(0,0)},{(0,-1),(2,0)}}");
}

TEST(CholeskyTest, NotPositiveDefiniteIsNan) {
  const auto result =
      RunEntry("a = f32[2,2] parameter(0)\n ROOT r = f32[2,2] cholesky(a), lower=true",
               {"f32[2,2] {{1,0},{0,0}}"});
  ASSERT_TRUE(result.ok()) << result.status();
  for (float x : result->data<float>()) EXPECT_TRUE(std::isnan(x)) << x;
}

void ExpectSolve(absl::string_view a, absl::string_view b, absl::string_view attributes,
                 absl::string_view x) {
  ExpectEntry(absl::StrCat("a = f32[2,2] parameter(0)\n b = ", b.substr(0, b.find(' ')),
                           " parameter(1)\n ROOT r = ", b.substr(0, b.find(' ')),
                           " triangular-solve(a, b), ", attributes),
              {a, b}, x);
}

TEST(TriangularSolveTest, SidesTrianglesAndTransposes) {
  ExpectSolve("f32[2,2] {{2,99},{1,4}}", "f32[2,1] {{2},{9}}",
              "left_side=true, lower=true, transpose_a=NO_TRANSPOSE", "f32[2,1] {{1},{2}}");
  ExpectSolve("f32[2,2] {{2,99},{1,4}}", "f32[2,1] {{4},{8}}",
              "left_side=true, lower=true, transpose_a=TRANSPOSE", "f32[2,1] {{1},{2}}");
  ExpectSolve("f32[2,2] {{2,1},{99,4}}", "f32[2,1] {{4},{8}}",
              "left_side=true, lower=false, transpose_a=NO_TRANSPOSE", "f32[2,1] {{1},{2}}");
  ExpectSolve("f32[2,2] {{2,99},{1,4}}", "f32[1,2] {{4,8}}",
              "left_side=false, lower=true, transpose_a=NO_TRANSPOSE", "f32[1,2] {{1,2}}");
  ExpectSolve("f32[2,2] {{2,99},{1,4}}", "f32[1,2] {{2,9}}",
              "left_side=false, lower=true, transpose_a=TRANSPOSE", "f32[1,2] {{1,2}}");
  ExpectSolve("f32[2,2] {{9,99},{3,9}}", "f32[2,1] {{1},{5}}",
              "left_side=true, lower=true, unit_diagonal=true, transpose_a=NO_TRANSPOSE",
              "f32[2,1] {{1},{2}}");
}

TEST(TriangularSolveTest, AdjointConjugates) {
  ExpectEntry(
      "a = c64[1,1] parameter(0)\n b = c64[1,1] parameter(1)\n ROOT r = c64[1,1] "
      "triangular-solve(a, b), left_side=true, lower=true, transpose_a=ADJOINT",
      {"c64[1,1] {{(1, 1)}}", "c64[1,1] {{(2, 0)}}"}, "c64[1,1] {{(1, 1)}}");
}

// Within rounding of the sums of roots of unity.
void ExpectFft(absl::string_view lines, absl::string_view argument, absl::string_view expected) {
  const auto result = RunEntry(lines, {argument});
  ASSERT_TRUE(result.ok()) << lines << "\n" << result.status();
  const hlo::Literal wanted = Lit(expected);
  ASSERT_TRUE(hlo::Compatible(result->shape(), wanted.shape()));
  const auto* got = reinterpret_cast<const float*>(result->bytes().data());
  const auto* want = reinterpret_cast<const float*>(wanted.bytes().data());
  for (size_t i = 0; i < wanted.bytes().size() / sizeof(float); ++i) {
    EXPECT_NEAR(got[i], want[i], 1e-6) << lines << " at " << i;
  }
}

TEST(FftTest, AllKinds) {
  ExpectFft("x = c64[4] parameter(0)\n ROOT r = c64[4] fft(x), fft_type=FFT, fft_length={4}",
            "c64[4] {(1,0),(2,0),(3,0),(4,0)}", "c64[4] {(10,0),(-2,2),(-2,0),(-2,-2)}");
  ExpectFft("x = c64[4] parameter(0)\n ROOT r = c64[4] fft(x), fft_type=IFFT, fft_length={4}",
            "c64[4] {(10,0),(-2,2),(-2,0),(-2,-2)}", "c64[4] {(1,0),(2,0),(3,0),(4,0)}");
  ExpectFft("x = f32[4] parameter(0)\n ROOT r = c64[3] fft(x), fft_type=RFFT, fft_length={4}",
            "f32[4] {1,2,3,4}", "c64[3] {(10,0),(-2,2),(-2,0)}");
  ExpectFft("x = c64[3] parameter(0)\n ROOT r = f32[4] fft(x), fft_type=IRFFT, fft_length={4}",
            "c64[3] {(10,0),(-2,2),(-2,0)}", "f32[4] {1,2,3,4}");
}

TEST(FftTest, OddSizesAndSeveralDimensions) {
  // 1 + 2 w + 4 w^2 with w = (-1 - i sqrt(3)) / 2.
  ExpectFft("x = f32[3] parameter(0)\n ROOT r = c64[2] fft(x), fft_type=RFFT, fft_length={3}",
            "f32[3] {1,2,4}", "c64[2] {(7,0),(-2,1.7320508)}");
  ExpectFft("x = c64[2] parameter(0)\n ROOT r = f32[3] fft(x), fft_type=IRFFT, fft_length={3}",
            "c64[2] {(7,0),(-2,1.7320508)}", "f32[3] {1,2,4}");
  ExpectFft("x = c64[2,2] parameter(0)\n ROOT r = c64[2,2] fft(x), fft_type=FFT, fft_length={2,2}",
            "c64[2,2] {{(0,0),(0,0)},{(1,0),(0,0)}}", "c64[2,2] {{(1,0),(1,0)},{(-1,0),(-1,0)}}");
}

TEST(BatchNormTest, TrainingInferenceAndGradient) {
  // Features along dimension 1. Feature 0 holds 1 and 3: mean 2, variance 1; epsilon 3 makes the
  // divisor 2. Feature 1 holds 5 and 5: mean 5, variance 0, divisor sqrt(3).
  ExpectEntry(
      "x = f32[2,2] parameter(0)\n s = f32[2] parameter(1)\n o = f32[2] parameter(2)\n"
      "ROOT r = (f32[2,2], f32[2], f32[2]) batch-norm-training(x, s, o), epsilon=3, "
      "feature_index=1",
      {"f32[2,2] {{1,5},{3,5}}", "f32[2] {4,1}", "f32[2] {10,7}"},
      "(f32[2,2] {{8,7},{12,7}}, f32[2] {2,5}, f32[2] {1,0})");
  ExpectEntry(
      "x = f32[2,1] parameter(0)\n s = f32[1] parameter(1)\n o = f32[1] parameter(2)\n"
      "m = f32[1] parameter(3)\n v = f32[1] parameter(4)\n"
      "ROOT r = f32[2,1] batch-norm-inference(x, s, o, m, v), epsilon=1, feature_index=1",
      {"f32[2,1] {{1},{3}}", "f32[1] {4}", "f32[1] {10}", "f32[1] {1}", "f32[1] {3}"},
      "f32[2,1] {{10},{14}}");
  // r = 1/2, h = (-1/2, 1/2), dy = (1, 3): doffset 4, dscale 1; dx = 4/2 (dy - (4 + h) / 2) =
  // 2 (1 - 1.75), 2 (3 - 2.25).
  ExpectEntry(
      "x = f32[2,1] parameter(0)\n s = f32[1] parameter(1)\n m = f32[1] parameter(2)\n"
      "v = f32[1] parameter(3)\n g = f32[2,1] parameter(4)\n"
      "ROOT r = (f32[2,1], f32[1], f32[1]) batch-norm-grad(x, s, m, v, g), epsilon=3, "
      "feature_index=1",
      {"f32[2,1] {{1},{3}}", "f32[1] {4}", "f32[1] {2}", "f32[1] {1}", "f32[2,1] {{1},{3}}"},
      "(f32[2,1] {{-1.5},{1.5}}, f32[1] {1}, f32[1] {4})");
}

}  // namespace
}  // namespace axle::eval
