// SPDX-License-Identifier: Apache-2.0
// What a module looks like when the plugin sees it; no plugin needed.
#include "pjrt_client/prepare.h"

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hlo/text/parser.h"
#include "hlo/text/printer.h"
#include "hlo/verify/verify.h"

namespace axle::pjrt_client {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kNewestMinorVersion = 115;

absl::StatusOr<hlo::Module> Prepare(absl::string_view text, bool is_xla_cpu = true,
                                    int minor_version = kNewestMinorVersion) {
  const absl::StatusOr<hlo::Module> module = hlo::ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status() << text;
  if (!module.ok()) return module.status();
  custom_calls::Registry registry;
  custom_calls::AddShardingTargets(&registry);
  return PrepareForPlugin(*module, {is_xla_cpu, minor_version, &registry});
}

std::string Prepared(absl::string_view text, bool is_xla_cpu = true) {
  const absl::StatusOr<hlo::Module> module = Prepare(text, is_xla_cpu);
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return "";
  const absl::Status status = hlo::VerifyModule(*module);
  EXPECT_TRUE(status.ok()) << status;
  return hlo::PrintModule(*module);
}

TEST(PrepareTest, WhatCompilersAddedGoes) {
  const std::string text = Prepared(R"(
HloModule m, is_scheduled=true
body {
  p = f32[2,3]{1,0} parameter(0)
  ROOT b = f32[6]{0} bitcast(p), backend_config="x"
}
ENTRY main {
  a = f32[2,3]{1,0} parameter(0)
  s = (f32[2,3]{1,0}, f32[2,3]{1,0}, u32[]) copy-start(a)
  d = f32[2,3]{1,0} copy-done(s)
  ROOT f = f32[6]{0} fusion(d), kind=kLoop, calls=body
})");
  for (const char* gone : {"fusion", "bitcast", "copy-start", "backend_config", "is_scheduled"}) {
    EXPECT_THAT(text, Not(HasSubstr(gone)));
  }
  EXPECT_THAT(text, HasSubstr("call("));
}

TEST(PrepareTest, RowMajorAtTheBorder) {
  const std::string text = Prepared(R"(
HloModule m, entry_computation_layout={(f32[2,3]{0,1})->(f32[2,3]{0,1}, f32[])}
ENTRY main {
  p = f32[2,3]{0,1} parameter(0)
  c = f32[] constant(1)
  ROOT t = (f32[2,3]{0,1}, f32[]) tuple(p, c)
})");
  EXPECT_THAT(text,
              HasSubstr("entry_computation_layout={(f32[2,3]{1,0})->(f32[2,3]{1,0}, f32[])}"));
}

TEST(PrepareTest, ComplexFunctionsThatXlaCpuLacks) {
  for (const char* name : {"acos", "acosh", "asin", "asinh", "atanh", "cosh", "sinh"}) {
    const std::string text = absl::StrCat(
        "ENTRY main {\n  x = c64[4] parameter(0)\n  ROOT y = c64[4] ", name, "(x)\n}\n");
    EXPECT_EQ(ErrorIdOf(Prepare(text).status()), "AX0721") << name;
    EXPECT_TRUE(Prepare(text, /*is_xla_cpu=*/false).ok()) << name;
  }
  EXPECT_TRUE(
      Prepare("ENTRY main {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] sinh(x)\n}").ok());
  EXPECT_TRUE(Prepare("ENTRY main {\n  x = c64[4] parameter(0)\n  ROOT y = c64[4] tan(x)\n}").ok());
}

TEST(PrepareTest, ElementTypesThatXlaCpuLacks) {
  for (const char* type : {"s1", "u1", "f6e2m3fn", "f6e3m2fn"}) {
    const std::string text = absl::StrCat("ENTRY main {\n  x = (f32[], ", type,
                                          "[4]) parameter(0)\n  ROOT y = f32[] "
                                          "get-tuple-element(x), index=0\n}\n");
    const absl::Status status = Prepare(text).status();
    EXPECT_EQ(ErrorIdOf(status), "AX0722") << type;
    EXPECT_THAT(status.message(), HasSubstr(absl::StrCat("main/x: parameter of ", type, "[4]")));
    EXPECT_TRUE(Prepare(text, /*is_xla_cpu=*/false).ok()) << type;
  }
}

// "c64 maximum(x, x)": refused for XLA:CPU only, and not with `other` for the type.
void ExpectRefused(absl::string_view id, absl::string_view type, absl::string_view other,
                   absl::string_view call) {
  const auto program = [call](absl::string_view of) {
    return absl::StrCat("less {\n  p = ", of, "[] parameter(0)\n  q = ", of,
                        "[] parameter(1)\n  ROOT r = pred[] compare(p, q), direction=EQ\n}\n",
                        "ENTRY main {\n  x = ", of, "[4,4] parameter(0)\n  ROOT y = ", of, call,
                        "\n}\n");
  };
  EXPECT_EQ(ErrorIdOf(Prepare(program(type)).status()), id) << type << call;
  EXPECT_TRUE(Prepare(program(type), /*is_xla_cpu=*/false).ok()) << type << call;
  EXPECT_TRUE(Prepare(program(other)).ok()) << other << call;
}

TEST(PrepareTest, OperationsThatCrashXlaCpu) {
  for (const char* type : {"s2", "u2"}) {
    ExpectRefused("AX0721", type, "s4", "[8,4] concatenate(x, x), dimensions={0}");
  }
}

TEST(PrepareTest, OperationsThatXlaCpuComputesWrongly) {
  for (const char* type : {"c64", "c128"}) {
    ExpectRefused("AX0723", type, "f64", "[4,4] maximum(x, x)");
    ExpectRefused("AX0723", type, "f64", "[4,4] minimum(x, x)");
    ExpectRefused("AX0723", type, "f64", "[4,4] clamp(x, x, x)");
  }
  for (const char* type : {"s4", "u4"}) {
    ExpectRefused("AX0723", type, "u2", "[4,4] mulhi(x, x)");
    ExpectRefused("AX0723", type, "s8", "[4,4] popcnt(x)");
  }
  ExpectRefused("AX0723", "s2", "s4", "[4,4] sort(x), dimensions={0}, to_apply=less");
  ExpectRefused("AX0723", "u2", "u4", "[4,4] sort(x), dimensions={0}, to_apply=less");
  ExpectRefused("AX0723", "f8e8m0fnu", "f8e5m2", "[4,4] cholesky(x)");
  ExpectRefused("AX0723", "f8e8m0fnu", "f8e5m2",
                "[4,4] triangular-solve(x, x), left_side=true, lower=true, "
                "transpose_a=NO_TRANSPOSE");
}

TEST(PrepareTest, EveryArrayHasALayout) {
  const auto module = Prepare(R"(
HloModule m
ENTRY main {
  p = f32[2,3] parameter(0)
  ROOT t = (f32[2,3], f32[2,3]) tuple(p, p)
})");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(module->entry_computation().root_instruction().shape.ToString(),
            "(f32[2,3]{1,0}, f32[2,3]{1,0})");
}

TEST(PrepareTest, Atan2OnXlaCpuOnly) {
  constexpr absl::string_view kText = R"(
HloModule m
ENTRY main { p = f32[64] parameter(0) ROOT a = f32[64] atan2(p, p) })";
  EXPECT_THAT(Prepared(kText), HasSubstr("opt-barrier"));
  EXPECT_THAT(Prepared(kText, /*is_xla_cpu=*/false), Not(HasSubstr("opt-barrier")));
}

TEST(PrepareTest, ElementTypesThatThePluginLacks) {
  constexpr absl::string_view kText = R"(
HloModule m
sub {
  p = s1[4] parameter(0)
  ROOT t = (s1[4]) tuple(p)
}
ENTRY main {
  p = s8[4] parameter(0)
  c = s1[4] convert(p)
  t = (s1[4]) call(c), to_apply=sub
  e = s1[4] get-tuple-element(t), index=0
  ROOT r = s8[4] convert(e)
})";
  EXPECT_TRUE(Prepare(kText, /*is_xla_cpu=*/false, 94).ok());
  const absl::Status status = Prepare(kText, /*is_xla_cpu=*/false, 93).status();
  EXPECT_EQ(ErrorIdOf(status), "AX0712");
  EXPECT_THAT(status.message(), HasSubstr("sub/p"));
  EXPECT_THAT(status.message(), HasSubstr("s1"));
}

TEST(PrepareTest, TypesInsideTuples) {
  EXPECT_EQ(ErrorIdOf(Prepare(R"(
HloModule m
ENTRY main {
  p = s32[] parameter(0)
  ROOT t = (s32[], (u1[])) custom-call(p), custom_call_target="Sharding"
})",
                              true, 93)
                          .status()),
            "AX0712");
}

TEST(PrepareTest, HostTransfers) {
  const absl::Status infeed = Prepare(R"(
HloModule m
ENTRY main {
  t = token[] after-all()
  ROOT i = (f32[4], token[]) infeed(t)
})")
                                  .status();
  EXPECT_EQ(ErrorIdOf(infeed), "AX0719");
  EXPECT_THAT(infeed.message(), HasSubstr("main/i: infeed"));
  EXPECT_EQ(ErrorIdOf(Prepare(R"(
HloModule m
ENTRY main {
  p = f32[4] parameter(0)
  t = token[] after-all()
  ROOT o = token[] outfeed(p, t), outfeed_shape=f32[4]
})")
                          .status()),
            "AX0719");
}

TEST(PrepareTest, CustomCalls) {
  EXPECT_EQ(ErrorIdOf(Prepare("HloModule m\nENTRY main { ROOT c = f32[] custom-call(), "
                              "custom_call_target=\"f\" }")
                          .status()),
            "AX0609");
}

}  // namespace
}  // namespace axle::pjrt_client
