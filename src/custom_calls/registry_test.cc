// SPDX-License-Identifier: Apache-2.0
#include "custom_calls/registry.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hlo/text/parser.h"

namespace axle::custom_calls {
namespace {

using ::testing::HasSubstr;

constexpr ErrorDef kMissing{"AX9999", absl::StatusCode::kUnimplemented, "Missing", "Missing."};

// An entry that calls `target` with parameters of the given shapes.
hlo::Module Calling(absl::string_view target, const std::vector<std::string>& operands,
                    absl::string_view result) {
  std::string text = "HloModule m\nENTRY main {\n", names;
  for (size_t i = 0; i < operands.size(); ++i) {
    absl::StrAppend(&text, "  p", i, " = ", operands[i], " parameter(", i, ")\n");
    absl::StrAppend(&names, i == 0 ? "" : ", ", "p", i);
  }
  absl::StrAppend(&text, "  ROOT call = ", result, " custom-call(", names,
                  "), custom_call_target=\"", target, "\"\n}\n");
  absl::StatusOr<hlo::Module> module = hlo::ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status() << text;
  return module.ok() ? *std::move(module) : hlo::Module();
}

Registry Everything() {
  Registry registry;
  AddShardingTargets(&registry);
  AddXlaExpandedTargets(&registry);
  return registry;
}

std::string IdOf(absl::string_view target, const std::vector<std::string>& operands,
                 absl::string_view result) {
  return ErrorIdOf(CheckCustomCalls(Calling(target, operands, result), Everything(), kMissing));
}

TEST(RegistryTest, TargetsByName) {
  Registry registry;
  EXPECT_EQ(registry.Find("f"), nullptr);
  const auto refuse = [](const hlo::Instruction&, absl::Span<const hlo::Shape>) {
    return absl::InvalidArgumentError("refused");
  };
  const auto take = [](const hlo::Instruction&, absl::Span<const hlo::Shape>) {
    return absl::OkStatus();
  };
  registry.Add({"f", refuse, nullptr});
  const hlo::Module module = Calling("f", {"f32[]"}, "f32[]");
  const absl::Status refused = CheckCustomCalls(module, registry, kMissing);
  EXPECT_THAT(refused.message(), HasSubstr("refused"));
  EXPECT_THAT(refused.message(), HasSubstr("main"));
  registry.Add({"f", take, nullptr});
  EXPECT_TRUE(CheckCustomCalls(module, registry, kMissing).ok());
}

TEST(RegistryTest, MissingTargetsAreNamed) {
  const absl::Status status = CheckCustomCalls(
      Calling("lapack_spotrf_ffi", {"f32[2,2]"}, "f32[2,2]"), Everything(), kMissing);
  EXPECT_EQ(ErrorIdOf(status), "AX9999");
  EXPECT_THAT(status.message(), HasSubstr("main/call"));
  EXPECT_THAT(status.message(), HasSubstr("\"lapack_spotrf_ffi\""));
}

TEST(RegistryTest, ShardingTakesOneValueOfItsShape) {
  for (const char* target : {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"}) {
    EXPECT_EQ(IdOf(target, {"f32[2,3]"}, "f32[2,3]"), "");
    EXPECT_EQ(IdOf(target, {"f32[2,3]{0,1}"}, "f32[2,3]"), "");
    EXPECT_EQ(IdOf(target, {}, "f32[2]"), "AX0870");
    EXPECT_EQ(IdOf(target, {"f32[2]", "f32[2]"}, "f32[2]"), "AX0870");
    EXPECT_EQ(IdOf(target, {"f32[2]"}, "f32[4]"), "AX0870");
  }
}

TEST(RegistryTest, ShardingIsTheSameValueOnOneDevice) {
  const Registry registry = Everything();
  const hlo::Module module = Calling("Sharding", {"f32[2]"}, "f32[2]");
  const hlo::Literal value = hlo::Literal::Vector<float>({1, 2});
  const auto result =
      registry.Find("Sharding")->compute(module.entry_computation().root_instruction(), {&value});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, value);
}

TEST(RegistryTest, Qr) {
  EXPECT_EQ(IdOf("Qr", {"f32[4,3]"}, "(f32[4,3], f32[3])"), "");
  EXPECT_EQ(IdOf("Qr", {"f64[2,4,3]"}, "(f64[2,4,3], f64[2,3])"), "");
  EXPECT_EQ(IdOf("Qr", {"f32[4]"}, "(f32[4], f32[])"), "AX0870");
  EXPECT_EQ(IdOf("Qr", {"s32[4,3]"}, "(s32[4,3], s32[3])"), "AX0870");
  EXPECT_EQ(IdOf("Qr", {"f32[4,3]"}, "f32[4,3]"), "AX0870");
  EXPECT_EQ(IdOf("Qr", {"f32[4,3]"}, "(f32[3,4], f32[3])"), "AX0870");
  EXPECT_EQ(IdOf("Qr", {"f32[4,3]"}, "(f32[4,3], f32[3,1])"), "AX0870");
  EXPECT_EQ(IdOf("Qr", {"f32[4,3]"}, "(f32[4,3])"), "AX0870");
}

TEST(RegistryTest, ProductOfElementaryHouseholderReflectors) {
  const char* name = "ProductOfElementaryHouseholderReflectors";
  EXPECT_EQ(IdOf(name, {"f32[4,3]", "f32[3]"}, "f32[4,4]"), "");
  EXPECT_EQ(IdOf(name, {"f32[4,3]"}, "f32[4,4]"), "AX0870");
  EXPECT_EQ(IdOf(name, {"f32[4,3]", "f32[3,1]"}, "f32[4,4]"), "AX0870");
  EXPECT_EQ(IdOf(name, {"f32[4,3]", "f32[3]"}, "f32[4]"), "AX0870");
}

TEST(RegistryTest, Eigh) {
  EXPECT_EQ(IdOf("Eigh", {"f32[3,3]"}, "(f32[3,3], f32[3])"), "");
  EXPECT_EQ(IdOf("Eigh", {"f32[4,3]"}, "(f32[4,3], f32[3])"), "AX0870");
  EXPECT_EQ(IdOf("Eigh", {"f32[3,3]"}, "f32[3,3]"), "AX0870");
  EXPECT_EQ(IdOf("Eigh", {}, "(f32[3,3], f32[3])"), "AX0870");
}

// An array result kills XLA:CPU.
TEST(RegistryTest, TopK) {
  EXPECT_EQ(IdOf("TopK", {"f32[4,8]"}, "(f32[4,2], s32[4,2])"), "");
  EXPECT_EQ(IdOf("TopK", {"f32[4,8]"}, "f32[4,2]"), "AX0870");
  EXPECT_EQ(IdOf("TopK", {"f32[4,8]"}, "(f32[4,2], f32[4,2])"), "AX0870");
  EXPECT_EQ(IdOf("TopK", {"f32[4,8]"}, "(f64[4,2], s32[4,2])"), "AX0870");
  EXPECT_EQ(IdOf("TopK", {"f32[]"}, "(f32[], s32[])"), "AX0870");
  EXPECT_EQ(IdOf("TopK", {"f32[4,8]"}, "(f32[8], s32[8])"), "AX0870");
}

}  // namespace
}  // namespace axle::custom_calls
