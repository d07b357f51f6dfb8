// SPDX-License-Identifier: Apache-2.0
#include "tools/opcode_support.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/error.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::tools {
namespace {

using hlo::ElementType;
using hlo::Opcode;
using ::testing::HasSubstr;

constexpr char kTypes[] =
    "types: pred s1 s2 s4 s8 s16 s32 s64 u1 u2 u4 u8 u16 u32 u64 f4e2m1fn f6e2m3fn f6e3m2fn f8e3m4 "
    "f8e4m3 f8e4m3fn f8e4m3b11fnuz f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu f16 bf16 f32 f64 c64 "
    "c128\n";

std::string TheTable() {
  return ReadFile(AXLE_SOURCE_DIR "/tests/data/opcode_support.txt").value_or("");
}

absl::Status Check(const std::string& text) {
  const auto support = OpcodeSupport::Parse(text);
  return support.ok() ? support->CheckComplete() : support.status();
}

TEST(OpcodeSupportTest, ReadsRows) {
  const auto support = OpcodeSupport::Parse(
      absl::StrCat("# remark\n", kTypes,
                   "add | reference | ok: all but s1 complex | AX0800: complex | -: s1\n"
                   "after-all | null | ok: fixed\n"));
  ASSERT_TRUE(support.ok()) << support.status();
  const OpcodeOutcomes* add = support->Find(Opcode::kAdd, "reference");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add->size(), ArrayTypes().size());
  EXPECT_EQ(add->at(ElementType::kF32), "ok");
  EXPECT_EQ(add->at(ElementType::kC64), "AX0800");
  EXPECT_EQ(add->at(ElementType::kS1), "-");
  EXPECT_EQ(support->Find(Opcode::kAfterAll, "null")->at(ElementType::kInvalid), "ok");
  EXPECT_EQ(support->Find(Opcode::kAdd, "xla-cpu"), nullptr);
}

TEST(OpcodeSupportTest, WritesWhatItReads) {
  const std::string text =
      absl::StrCat(kTypes, "add | reference | ok: all but s1 complex | -: s1 | AX0800: complex\n",
                   "add | null | ok: f32 | -: all but f32\n", "after-all | null | ok: fixed\n");
  const auto support = OpcodeSupport::Parse(text);
  ASSERT_TRUE(support.ok()) << support.status();
  EXPECT_EQ(support->ToText(), text);
}

TEST(OpcodeSupportTest, RefusesWhatItCannotRead) {
  for (const char* row :
       {"ad | reference | ok: all", "add | reference", "add | reference | ok",
        "add | reference | ok: f31", "add | reference | ok: all | -: f32",
        "add | reference | ok: token", "add | null | ok: all\nadd | null | ok: all"}) {
    EXPECT_EQ(ErrorIdOf(Check(absl::StrCat(kTypes, row))), "AX0964") << row;
  }
}

TEST(OpcodeSupportTest, EmptyTables) {
  EXPECT_EQ(ErrorIdOf(Check("")), "AX0964");
  const absl::Status status = Check(kTypes);
  EXPECT_THAT(std::string(status.message()), HasSubstr("untested cells: abs on reference: all; "));
  EXPECT_THAT(std::string(status.message()), HasSubstr(" rows more"));
}

TEST(OpcodeSupportTest, TheTableIsComplete) { EXPECT_EQ(Check(TheTable()), absl::OkStatus()); }

// A row taken out stands for an opcode that was added without a test.
TEST(OpcodeSupportTest, UntestedOpcode) {
  std::string without;
  for (const absl::string_view line : absl::StrSplit(TheTable(), '\n')) {
    if (!absl::StartsWith(line, "add | xla-cpu")) absl::StrAppend(&without, line, "\n");
  }
  const absl::Status status = Check(without);
  EXPECT_EQ(ErrorIdOf(status), "AX0964");
  EXPECT_THAT(std::string(status.message()), HasSubstr("untested cells: add on xla-cpu: all"));
}

TEST(OpcodeSupportTest, UntestedCell) {
  const absl::Status status = Check(absl::StrReplaceAll(
      TheTable(),
      {{"parameter | reference | ok: all", "parameter | reference | ok: all but f16"},
       {"parameter | null | ok: all", "parameter | null | ok: all but f16"},
       {"parameter | xla-cpu | ok: all but", "parameter | xla-cpu | ok: all but f16"}}));
  EXPECT_EQ(ErrorIdOf(status), "AX0964");
  EXPECT_THAT(std::string(status.message()), HasSubstr("parameter on reference: f16"));
}

// A table of fewer types stands for an element type that was added without a test.
TEST(OpcodeSupportTest, UntestedType) {
  const absl::Status status = Check(absl::StrReplaceAll(TheTable(), {{" f8e8m0fnu f16", " f16"}}));
  EXPECT_EQ(ErrorIdOf(status), "AX0964");
  EXPECT_THAT(std::string(status.message()), HasSubstr("untested element types"));
}

TEST(OpcodeSupportTest, RowsAgreeOnTheVerifier) {
  const absl::Status status = Check(absl::StrReplaceAll(
      TheTable(), {{"parameter | null | ok: all", "parameter | null | ok: all but f16 | -: f16"}}));
  EXPECT_EQ(ErrorIdOf(status), "AX0964");
  EXPECT_THAT(std::string(status.message()), HasSubstr("parameter on null: other types"));
}

TEST(OpcodeSupportTest, ShortTexts) {
  const std::set<ElementType> all = ArrayTypes();
  const std::set<ElementType> three = {ElementType::kF16, ElementType::kF32, ElementType::kC64};
  EXPECT_EQ(TypesText(all, all), "all");
  EXPECT_EQ(TypesText({}, all), "none");
  EXPECT_EQ(TypesText({ElementType::kF32}, all), "f32");
  EXPECT_EQ(TypesText({ElementType::kF16, ElementType::kF32}, three), "floats");
  EXPECT_EQ(TypesText({ElementType::kC64, ElementType::kC128, ElementType::kPred}, all),
            "pred complex");
}

}  // namespace
}  // namespace axle::tools
