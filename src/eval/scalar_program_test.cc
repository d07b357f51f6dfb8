// SPDX-License-Identifier: Apache-2.0
#include "eval/scalar_program.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "eval/eval_testing.h"

namespace axle::eval {
namespace {

struct Compiled {
  std::unique_ptr<hlo::Module> module;  // the constants are its own
  std::unique_ptr<const ScalarProgram> program;
};

// Of the entry.
Compiled Compile(absl::string_view text) {
  Compiled result;
  result.module = std::make_unique<hlo::Module>(hlo::ParseModule(text).value());
  result.program = ScalarProgram::Compile(*result.module, result.module->entry);
  return result;
}

Compiled CompileLines(absl::string_view lines) {
  return Compile(absl::StrCat("HloModule m\nENTRY main {\n", lines, "\n}\n"));
}

TEST(ScalarProgramTest, RunsRows) {
  const Compiled compiled = CompileLines(
      "a = s32[] parameter(0)\n b = s32[] parameter(1)\n c = s32[] constant(10)\n"
      "d = s32[] multiply(a, c)\n ROOT r = s32[] add(d, b)");
  ASSERT_NE(compiled.program, nullptr);
  ScalarProgram::State state(*compiled.program, 3);
  const std::vector<int32_t> a = {1, 2, 3}, b = {4, 5, 6};
  std::vector<int32_t> r(3);
  void* result = r.data();
  compiled.program->Run(state, {a.data(), b.data()}, {&result, 1}, 3);
  EXPECT_EQ(r, (std::vector<int32_t>{14, 25, 36}));
  compiled.program->Run(state, {b.data(), a.data()}, {&result, 1}, 1);
  EXPECT_EQ(r, (std::vector<int32_t>{41, 25, 36}));
}

TEST(ScalarProgramTest, ResultRowsMayBeParameterRows) {
  const Compiled compiled = CompileLines(
      "a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT t = (s32[], s32[]) tuple(b, a)");
  ASSERT_NE(compiled.program, nullptr);
  ScalarProgram::State state(*compiled.program, 2);
  std::vector<int32_t> a = {1, 2}, b = {3, 4};
  void* results[] = {a.data(), b.data()};
  compiled.program->Run(state, {a.data(), b.data()}, results, 2);
  EXPECT_EQ(a, (std::vector<int32_t>{3, 4}));
  EXPECT_EQ(b, (std::vector<int32_t>{1, 2}));
}

TEST(ScalarProgramTest, EveryKindOfOperation) {
  const Compiled compiled = Compile(R"(HloModule m
f {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  d = f32[] subtract(x, y)
  c = pred[] compare(x, y), direction=LT
  e = (pred[], f32[]) tuple(c, x)
  ROOT t = (f32[], (pred[], f32[])) tuple(d, e)
}
ENTRY main {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  t = (f32[], (pred[], f32[])) call(a, b), to_apply=f
  d = f32[] get-tuple-element(t), index=0
  e = (pred[], f32[]) get-tuple-element(t), index=1
  p = pred[] get-tuple-element(e), index=0
  x = f32[] get-tuple-element(e), index=1
  s = f32[] select(p, d, x)
  z = f32[] constant(0)
  h = f32[] constant(100)
  k = f32[] clamp(z, s, h)
  n = f32[] reduce-precision(k), exponent_bits=8, mantissa_bits=1
  m = f32[] negate(n)
  i = s32[] bitcast-convert(m)
  j = s64[] convert(i)
  q = f32[] reshape(m)
  ROOT r = (s64[], f32[]) tuple(j, q)
})");
  ASSERT_NE(compiled.program, nullptr);
  ScalarProgram::State state(*compiled.program, 2);
  // a < b: clamp(a - b) = 0. Else clamp(a), with 1 digit behind the point's: 7 = 1.75 * 4 is as
  // near to 6 = 1.5 * 4 as to 8, which is even.
  const std::vector<float> a = {1, 7}, b = {2, 3};
  std::vector<int64_t> bits(2);
  std::vector<float> values(2);
  void* results[] = {bits.data(), values.data()};
  compiled.program->Run(state, {a.data(), b.data()}, results, 2);
  EXPECT_EQ(values, (std::vector<float>{-0.0f, -8.0f}));
  EXPECT_EQ(bits, (std::vector<int64_t>{-2147483648, static_cast<int32_t>(0xc1000000)}));
}

TEST(ScalarProgramTest, WhatDoesNotCompile) {
  EXPECT_EQ(CompileLines("a = f32[2] parameter(0)\n ROOT r = f32[2] negate(a)").program, nullptr);
  EXPECT_EQ(CompileLines("a = s32[] parameter(0)\n b = s32[2] broadcast(a), dimensions={}\n"
                         "ROOT r = s32[1] slice(b), slice={[0:1]}")
                .program,
            nullptr);
  EXPECT_EQ(CompileLines("a = f32[] parameter(0)\n ROOT r = f32[] rng(a, a), "
                         "distribution=rng_uniform")
                .program,
            nullptr);
}

// Calls that double 2^20 times: more operations than a program may have.
TEST(ScalarProgramTest, DoesNotGrowWithoutBound) {
  std::string text = "HloModule m\nf0 {\n x = s32[] parameter(0)\n ROOT r = s32[] negate(x)\n}\n";
  for (int i = 1; i <= 20; ++i) {
    absl::StrAppend(&text, "f", i, " {\n x = s32[] parameter(0)\n y = s32[] call(x), to_apply=f",
                    i - 1, "\n ROOT r = s32[] call(y), to_apply=f", i - 1, "\n}\n");
  }
  absl::StrAppend(&text, "ENTRY main {\n x = s32[] parameter(0)\n",
                  "ROOT r = s32[] call(x), to_apply=f20\n}\n");
  EXPECT_EQ(Compile(text).program, nullptr);
}

}  // namespace
}  // namespace axle::eval
