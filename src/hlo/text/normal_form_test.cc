// SPDX-License-Identifier: Apache-2.0
// Two ways of writing one thing are one module: what XLA's printer leaves out, the reader drops.
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hlo/compare.h"
#include "hlo/text/parser.h"
#include "hlo/text/printer.h"

namespace axle::hlo {
namespace {

Module Parse(absl::string_view text) {
  absl::StatusOr<Module> module = ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

Module Compare(absl::string_view type, absl::string_view attribute) {
  return Parse(absl::StrCat("HloModule m\nENTRY e {\n  a = ", type,
                            "[] parameter(0)\n  ROOT r = pred[] compare(a, a), direction=LT",
                            attribute, "\n}\n"));
}

// The types are those that XLA takes for each operand when none is given.
TEST(NormalFormTest, TheOrderOfAComparisonThatItsOperandsImply) {
  const struct {
    absl::string_view operand, implied, other;
  } kCases[] = {{"f32", "FLOAT", "TOTALORDER"}, {"bf16", "FLOAT", "TOTALORDER"},
                {"c64", "FLOAT", "TOTALORDER"}, {"s8", "SIGNED", "UNSIGNED"},
                {"u32", "UNSIGNED", "SIGNED"},  {"pred", "UNSIGNED", "SIGNED"}};
  for (const auto& one : kCases) {
    SCOPED_TRACE(one.operand);
    const Module plain = Compare(one.operand, "");
    EXPECT_TRUE(Identical(Compare(one.operand, absl::StrCat(", type=", one.implied)), plain));
    const Module other = Compare(one.operand, absl::StrCat(", type=", one.other));
    EXPECT_FALSE(Equivalent(other, plain));
    EXPECT_TRUE(absl::StrContains(PrintModule(other), absl::StrCat("type=", one.other)));
  }
}

TEST(NormalFormTest, DefaultPrecisionOfAllOperands) {
  const auto dot = [](absl::string_view attribute) {
    return Parse(absl::StrCat("HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n",
                              "  ROOT r = f32[] dot(a, a), lhs_contracting_dims={0}, ",
                              "rhs_contracting_dims={0}", attribute, "\n}\n"));
  };
  EXPECT_TRUE(Identical(dot(", operand_precision={default,default}"), dot("")));
  EXPECT_FALSE(Equivalent(dot(", operand_precision={default,high}"), dot("")));
}

TEST(NormalFormTest, TheFirstVersionOfCustomCalls) {
  const auto call = [](absl::string_view attribute) {
    return Parse(absl::StrCat(
        "HloModule m\nENTRY e {\n  ROOT r = f32[] custom-call(), custom_call_target=\"x\"",
        attribute, "\n}\n"));
  };
  EXPECT_TRUE(Identical(call(""), call(", api_version=API_VERSION_ORIGINAL")));
  EXPECT_FALSE(Equivalent(call(""), call(", api_version=API_VERSION_TYPED_FFI")));
}

TEST(NormalFormTest, TheShardingOfAWholeTuple) {
  const auto tuple = [](absl::string_view sharding) {
    return Parse(
        absl::StrCat("HloModule m\nENTRY e {\n  a = f32[4] parameter(0), sharding={replicated}\n",
                     "  b = (f32[4], f32[4]) tuple(a, a)\n  ROOT r = (f32[4], (f32[4], f32[4])) ",
                     "tuple(a, b), sharding=", sharding, "\n}\n"));
  };
  EXPECT_TRUE(Identical(tuple("{manual}"), tuple("{{manual}, {manual}, {manual}}")));
  EXPECT_TRUE(Identical(tuple("{devices=[2]0,1}"),
                        tuple("{{devices=[2]0,1}, {devices=[2]0,1}, {devices=[2]0,1}}")));
  EXPECT_EQ(tuple("{manual}").entry_computation().instructions[0].sharding()->type,
            Sharding::Type::kReplicated);
}

TEST(NormalFormTest, QuotesAroundJson) {
  const auto call = [](absl::string_view config) {
    return Parse(absl::StrCat("HloModule m\nENTRY e {\n  ROOT r = f32[] custom-call(), ",
                              "custom_call_target=\"x\", backend_config=", config, "\n}\n"));
  };
  const Module bare = call(R"({"a": {"b": "}"}})");
  EXPECT_TRUE(Identical(call(R"("{\"a\": {\"b\": \"}\"}}")"), bare));
  EXPECT_TRUE(absl::StrContains(PrintModule(bare), R"(backend_config={"a": {"b": "}"}})"));
  for (const char* other : {R"("{a")", R"("{a} b")", R"("a")"}) {
    EXPECT_TRUE(absl::StrContains(PrintModule(call(other)), absl::StrCat("backend_config=", other)))
        << other;
  }
}

// An asynchronous start in its short form wraps an operation, for which the same holds.
TEST(NormalFormTest, WrappedOperations) {
  const auto start = [](absl::string_view attribute) {
    return Parse(absl::StrCat(R"(HloModule m
ENTRY e {
  a = f32[2] parameter(0)
  s = ((f32[2], f32[2]), pred[2], u32[]) compare-start(a, a), direction=LT)",
                              attribute, "\n  ROOT d = pred[2] compare-done(s)\n}\n"));
  };
  EXPECT_TRUE(Identical(start(", type=FLOAT"), start("")));
  EXPECT_FALSE(Identical(start(", type=TOTALORDER"), start("")));
}

}  // namespace
}  // namespace axle::hlo
