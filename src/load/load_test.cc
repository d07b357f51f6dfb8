// SPDX-License-Identifier: Apache-2.0
#include "load/load.h"

#include <string>

#include "base/error.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::load {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kData = AXLE_SOURCE_DIR "/tests/data";

constexpr absl::string_view kText = R"(HloModule twice

ENTRY main {
  x = f32[4] parameter(0)
  ROOT y = f32[4] add(x, x)
}
)";

TEST(FormOfTest, TextByItsBytes) {
  EXPECT_EQ(FormOf(kText), ProgramForm::kHloText);
  EXPECT_EQ(FormOf("\n// a remark\n\n  HloModule m"), ProgramForm::kHloText);
  EXPECT_EQ(FormOf("// module @m\nENTRY e { ROOT c = f32[] constant(1) }"), ProgramForm::kHloText);
  EXPECT_EQ(FormOf("some words"), ProgramForm::kHloText);  // the parser says what is wrong
}

TEST(FormOfTest, StableHloTextByItsFirstLine) {
  EXPECT_EQ(FormOf("module @jit_f {\n}"), ProgramForm::kStableHloText);
  EXPECT_EQ(FormOf("// RUN: nothing\n\nmodule {\n}"), ProgramForm::kStableHloText);
  EXPECT_EQ(FormOf("#loc = loc(unknown)\nmodule {\n}"), ProgramForm::kStableHloText);
  EXPECT_EQ(FormOf("func.func @main() {\n}"), ProgramForm::kStableHloText);
  EXPECT_EQ(FormOf("\"builtin.module\"() ({}) : () -> ()"), ProgramForm::kStableHloText);
}

TEST(FormOfTest, BinaryForms) {
  EXPECT_EQ(FormOf("ML\xefRStableHLO_v1.0.0"), ProgramForm::kStableHloBytecode);
  // Field 1 (name), two bytes long.
  EXPECT_EQ(FormOf(absl::string_view("\x0a\x02hi\x12\x00", 6)), ProgramForm::kHloProto);
  const auto proto = ReadFile(kData + "/jax/dot_basic/program.hlo.pb");
  ASSERT_TRUE(proto.ok()) << proto.status();
  EXPECT_EQ(FormOf(*proto), ProgramForm::kHloProto);
}

TEST(LoadModuleTest, TextAndProtoOfOneProgram) {
  const auto text = LoadModuleFile(kData + "/jax/dot_basic/program.hlo");
  const auto proto = LoadModuleFile(kData + "/jax/dot_basic/program.hlo.pb");
  ASSERT_TRUE(text.ok()) << text.status();
  ASSERT_TRUE(proto.ok()) << proto.status();
  EXPECT_EQ(text->name, proto->name);
  EXPECT_EQ(text->computations.size(), proto->computations.size());
  EXPECT_EQ(text->entry_computation().instructions.size(),
            proto->entry_computation().instructions.size());
}

TEST(LoadModuleTest, ReadsText) {
  const auto module = LoadModule(kText, "here");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(module->name, "twice");
}

TEST(LoadModuleTest, ErrorsNameThePlace) {
  const auto empty = LoadModule("", "here");
  EXPECT_EQ(empty.status().message(), "AX0900: here is empty");
  const auto text = LoadModule("HloModule m\n\nENTRY {", "here");
  EXPECT_THAT(std::string(text.status().message()), HasSubstr(": here:3:"));
  const auto proto = LoadModule(absl::string_view("\x0a\x05short\x12\x7f", 9), "here");
  EXPECT_THAT(ErrorIdOf(proto.status()), StartsWith("AX02"));
  EXPECT_THAT(std::string(proto.status().message()), HasSubstr(": here: "));
  EXPECT_EQ(ErrorIdOf(LoadModuleFile("/no/such/file").status()), "AX0001");
}

TEST(LoadModuleTest, FormsThatAreNotReadYet) {
  for (const absl::string_view bytes : {"module @m {}", "ML\xefR"}) {
    const auto module = LoadModule(bytes, "here");
    EXPECT_EQ(ErrorIdOf(module.status()), "AX0901");
    EXPECT_THAT(std::string(module.status().message()), HasSubstr("here is StableHLO"));
  }
}

}  // namespace
}  // namespace axle::load
