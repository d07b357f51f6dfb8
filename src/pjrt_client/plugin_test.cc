// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/plugin.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pjrt_client/fake_plugin_testing.h"

namespace axle::pjrt_client {
namespace {

using ::testing::HasSubstr;

// Any shared library of the system that is no plugin.
constexpr char kMathLibrary[] = "libm.so.6";

std::string SystemLibrary() {
  for (const char* folder : {"/lib/x86_64-linux-gnu/", "/lib/aarch64-linux-gnu/", "/lib64/"}) {
    const std::string path = absl::StrCat(folder, kMathLibrary);
    if (std::filesystem::exists(path)) return path;
  }
  return "";
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class LoadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / absl::StrCat("axle_plugin_test_", getpid());
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& bytes) {
    const std::string path = folder_ / "plugin.so";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  static void ExpectRefused(const std::string& path, absl::string_view id, const char* words) {
    const absl::Status status = Plugin::Load(path).status();
    EXPECT_EQ(ErrorIdOf(status), id) << status;
    EXPECT_THAT(status.message(), HasSubstr(words));
  }

  std::filesystem::path folder_;
};

TEST_F(LoadTest, MissingFileOrFolder) {
  ExpectRefused(folder_ / "none.so", "AX0700", "is not a file");
  ExpectRefused(folder_, "AX0700", "is not a file");
  ExpectRefused("", "AX0700", "is not a file");
}

TEST_F(LoadTest, NotElf) {
  ExpectRefused(Write(""), "AX0701", "is not an ELF file");
  ExpectRefused(Write("\x7f"
                      "ELF"),
                "AX0701", "is not an ELF file");
  ExpectRefused(Write(std::string(1000, 'x')), "AX0701", "is not an ELF file");
}

TEST_F(LoadTest, OtherMachineOrKind) {
  std::string bytes = ReadFile(SystemLibrary());
  ASSERT_GT(bytes.size(), 64u) << "no " << kMathLibrary << " on this system";
  std::string other_class = bytes;
  other_class[4] = 1;  // e_ident[EI_CLASS]: 32 bits
  ExpectRefused(Write(other_class), "AX0701", "another kind of machine");
  std::string other_machine = bytes;
  other_machine[18] = 40;  // e_machine: 32-bit ARM
  ExpectRefused(Write(other_machine), "AX0701", "another kind of machine");
  std::string object_file = bytes;
  object_file[16] = 1;  // e_type: relocatable
  ExpectRefused(Write(object_file), "AX0701", "no shared library");
}

TEST_F(LoadTest, CutOff) {
  const std::string bytes = ReadFile(SystemLibrary());
  ASSERT_GT(bytes.size(), 5000u) << "no " << kMathLibrary << " on this system";
  ExpectRefused(Write(bytes.substr(0, 64)), "AX0701", "program headers are missing");
  ExpectRefused(Write(bytes.substr(0, 5000)), "AX0701", "is cut off");
  std::string far_headers = bytes;
  far_headers[39] = 0x7f;  // top byte of e_phoff
  ExpectRefused(Write(far_headers), "AX0701", "program headers are missing");
}

// A header alone, of a library without segments: the dynamic linker's own refusal.
TEST_F(LoadTest, DynamicLinkerRefuses) {
  std::string bytes = ReadFile(SystemLibrary()).substr(0, 64);
  ASSERT_EQ(bytes.size(), 64u) << "no " << kMathLibrary << " on this system";
  bytes[56] = bytes[57] = 0;  // e_phnum
  ExpectRefused(Write(bytes), "AX0702", "plugin.so");
}

TEST_F(LoadTest, LibraryWithoutEntryPoint) {
  ASSERT_NE(SystemLibrary(), "") << "no " << kMathLibrary << " on this system";
  ExpectRefused(SystemLibrary(), "AX0703", "doesn't export GetPjrtApi");
}

TEST(FromTable, Null) {
  const absl::Status status = Plugin::FromTable(nullptr, "fake").status();
  EXPECT_EQ(ErrorIdOf(status), "AX0703");
  EXPECT_THAT(status.message(), HasSubstr("'fake'"));
}

TEST(FromTable, Versions) {
  PJRT_Api table = FakeTable();
  table.pjrt_api_version.major_version = 1;
  EXPECT_EQ(ErrorIdOf(Plugin::FromTable(&table, "fake").status()), "AX0704");
  table.pjrt_api_version.major_version = 0;
  table.pjrt_api_version.minor_version = 56;
  const absl::Status status = Plugin::FromTable(&table, "fake").status();
  EXPECT_EQ(ErrorIdOf(status), "AX0704");
  EXPECT_THAT(status.message(), HasSubstr("0.56"));
  table.pjrt_api_version.minor_version = 57;
  EXPECT_TRUE(Plugin::FromTable(&table, "fake").ok());
}

TEST(FromTable, UnusableTables) {
  PJRT_Api table = FakeTable();
  table.struct_size = 39;
  EXPECT_EQ(ErrorIdOf(Plugin::FromTable(&table, "fake").status()), "AX0705");
  table.struct_size = offsetof(PJRT_Api, PJRT_Error_GetCode);
  EXPECT_EQ(ErrorIdOf(Plugin::FromTable(&table, "fake").status()), "AX0705");
  table = FakeTable();
  table.PJRT_Error_Message = nullptr;
  EXPECT_EQ(ErrorIdOf(Plugin::FromTable(&table, "fake").status()), "AX0705");
}

TEST(FromTable, InitializesOnceAndAgainAfterFailure) {
  static int calls = 0;
  static PJRT_Api table = FakeTable();  // its address must be new
  table.PJRT_Plugin_Initialize = [](PJRT_Plugin_Initialize_Args*) -> PJRT_Error* {
    return ++calls == 1 ? NewFakeError(14, "not yet") : nullptr;
  };
  const absl::Status status = Plugin::FromTable(&table, "fake").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(), "AX0707: fake: PJRT_Plugin_Initialize: not yet");
  EXPECT_TRUE(Plugin::FromTable(&table, "fake").ok());
  EXPECT_TRUE(Plugin::FromTable(&table, "fake").ok());
  EXPECT_EQ(calls, 2);
}

TEST(FromTable, AttributesOfEveryKind) {
  PJRT_Api table = FakeTable();
  table.PJRT_Plugin_Attributes = [](PJRT_Plugin_Attributes_Args* args) -> PJRT_Error* {
    static const std::vector<NamedValue> values = {{"text", std::string("a\0b", 3)},
                                                   {"number", int64_t{-5}},
                                                   {"list", std::vector<int64_t>{1, 20, 0}},
                                                   {"real", 0.5f},
                                                   {"flag", true}};
    static std::vector<PJRT_NamedValue> pjrt_values = ToPjrt(values);
    // A kind of the future, in the midst.
    static PJRT_NamedValue future = pjrt_values[0];
    future.type = static_cast<PJRT_NamedValue_Type>(9);
    if (pjrt_values.size() == 5) pjrt_values.insert(pjrt_values.begin() + 1, future);
    args->attributes = pjrt_values.data();
    args->num_attributes = pjrt_values.size();
    return nullptr;
  };
  const auto plugin = Plugin::FromTable(&table, "fake");
  ASSERT_TRUE(plugin.ok()) << plugin.status();
  ASSERT_EQ(plugin->attributes().size(), 5u);
  EXPECT_EQ(std::get<std::string>(plugin->FindAttribute("text")->value), std::string("a\0b", 3));
  EXPECT_EQ(std::get<int64_t>(plugin->FindAttribute("number")->value), -5);
  EXPECT_EQ(std::get<std::vector<int64_t>>(plugin->FindAttribute("list")->value),
            (std::vector<int64_t>{1, 20, 0}));
  EXPECT_EQ(std::get<float>(plugin->FindAttribute("real")->value), 0.5f);
  EXPECT_EQ(std::get<bool>(plugin->FindAttribute("flag")->value), true);
  EXPECT_EQ(plugin->FindAttribute("none"), nullptr);
}

TEST(FromTable, ExtensionsAreBoundedInNumber) {
  PJRT_Extension_Base second = {sizeof(PJRT_Extension_Base), 5, nullptr};
  PJRT_Extension_Base first = {sizeof(PJRT_Extension_Base), 24, &second};
  PJRT_Api table = FakeTable();
  table.extension_start = &first;
  const auto plugin = Plugin::FromTable(&table, "fake");
  ASSERT_TRUE(plugin.ok()) << plugin.status();
  EXPECT_EQ(plugin->ExtensionTypes(), (std::vector<int>{24, 5}));
  second.next = &first;
  EXPECT_EQ(plugin->ExtensionTypes().size(), 1000u);
}

}  // namespace
}  // namespace axle::pjrt_client
