// SPDX-License-Identifier: Apache-2.0
// No program kills the process: all HLO of the test data goes through runtime::Program to a plugin,
// in one process. By itself the plugin dies of some of them. What XLA was seen to compile compiles
// here too, but for what tests/data/plugin_refusals.txt lists.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/error.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hlo/proto/codec.h"
#include "hlo/text/parser.h"
#include "pjrt_client/backend.h"
#include "pjrt_client/fake_plugin_testing.h"
#include "runtime/program.h"

namespace axle {
namespace {

std::string DataFolder() {
  const char* const folder = std::getenv("AXLE_TEST_DATA");
  return absl::StrCat(folder != nullptr ? folder : AXLE_SOURCE_DIR "/../shared/data", "/hlo");
}

// The modules of a file: it is split at lines that begin with "// -----".
std::vector<std::string> Pieces(absl::string_view text) {
  std::vector<std::string> pieces(1);
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StartsWith(line, "// -----")) {
      pieces.emplace_back();
    } else {
      absl::StrAppend(&pieces.back(), line, "\n");
    }
  }
  return pieces;
}

struct Case {
  std::string name;  // "syntax/x.hlo 3"
  std::string text;
  std::string compile;  // what XLA did
};

absl::StatusOr<std::vector<Case>> Cases() {
  absl::StatusOr<std::string> rows = ReadFile(DataFolder() + "/outcomes.csv");
  if (!rows.ok()) return rows.status();
  std::map<std::string, std::vector<std::string>> files;
  std::vector<Case> cases;
  for (const absl::string_view row : absl::StrSplit(*rows, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> fields = absl::StrSplit(row, absl::MaxSplits(',', 4));
    size_t piece = 0;
    if (fields.size() < 4 || !absl::SimpleAtoi(fields[1], &piece)) continue;  // the head
    auto& pieces = files[fields[0]];
    if (pieces.empty()) {
      const absl::StatusOr<std::string> text = ReadFile(DataFolder() + "/" + fields[0]);
      if (!text.ok()) return text.status();
      pieces = Pieces(*text);
    }
    if (piece >= pieces.size()) return absl::NotFoundError(row);
    cases.push_back({absl::StrCat(fields[0], " ", piece), pieces[piece], fields[3]});
  }
  return cases;
}

// "AX0609" by case, for programs that XLA compiles and we refuse; '#' begins a comment.
std::map<std::string, std::string> Refusals() {
  std::map<std::string, std::string> refusals;
  const auto text = ReadFile(AXLE_SOURCE_DIR "/tests/data/plugin_refusals.txt");
  for (const absl::string_view line : absl::StrSplit(text.value_or(""), '\n', absl::SkipEmpty())) {
    const std::vector<std::string> cells = absl::StrSplit(line, absl::MaxSplits(" | ", 2));
    if (line[0] != '#' && cells.size() >= 2) refusals[cells[0]] = cells[1];
  }
  return refusals;
}

// A plugin, and whether outcomes.csv tells of it.
struct PluginCase {
  std::string name;
  std::string path;
  bool recorded;
};

class PluginSurvivesTest : public ::testing::TestWithParam<PluginCase> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(GetParam().path)) {
      GTEST_SKIP() << "no plugin at " << GetParam().path << ": run scripts/install-deps";
    }
    auto backend = pjrt_client::CreateBackend({.plugin_path = GetParam().path});
    ASSERT_TRUE(backend.ok()) << backend.status();
    backend_ = *std::move(backend);
  }

  // With AXLE_TEST_VERBOSE set, says what is compiled: the last one is what killed the process.
  absl::Status Compile(const std::string& name, hlo::Module module) {
    const bool verbose = std::getenv("AXLE_TEST_VERBOSE") != nullptr;
    if (verbose) std::fprintf(stderr, "%s: ", name.c_str());
    const auto program =
        runtime::Program::Compile(backend_, std::make_shared<const hlo::Module>(std::move(module)));
    if (verbose) std::fprintf(stderr, "%s\n", program.status().ToString().c_str());
    return program.status();
  }

  std::shared_ptr<runtime::Backend> backend_;
};

TEST_P(PluginSurvivesTest, HloTexts) {
  const absl::StatusOr<std::vector<Case>> cases = Cases();
  if (!cases.ok()) GTEST_SKIP() << cases.status() << "; set AXLE_TEST_DATA";
  const std::map<std::string, std::string> refusals = Refusals();
  int compiled = 0;
  for (const Case& c : *cases) {
    const auto found = refusals.find(c.name);
    const std::string refusal = found == refusals.end() ? "" : found->second;
    absl::StatusOr<hlo::Module> module = hlo::ParseModule(c.text);
    if (!module.ok() || refusal == "slow") continue;
    // Big programs say nothing new about another plugin.
    if (!GetParam().recorded && absl::StrContains(c.name, "benchmarks/")) continue;
    const absl::Status status = Compile(c.name, *std::move(module));
    compiled += status.ok();
    if (!GetParam().recorded) continue;
    if (!refusal.empty()) {
      EXPECT_EQ(ErrorIdOf(status), refusal) << c.name << ": " << status;
    } else if (c.compile == "ok") {
      EXPECT_TRUE(status.ok()) << c.name << ": " << status;
    }
  }
  EXPECT_GT(compiled, GetParam().recorded ? 360 : 200);
}

TEST_P(PluginSurvivesTest, MalformedProtos) {
  const std::string folder = DataFolder() + "/malformed";
  const absl::StatusOr<std::vector<std::string>> files = ListDirectory(folder);
  if (!files.ok()) GTEST_SKIP() << files.status() << "; set AXLE_TEST_DATA";
  std::vector<std::string> compiled;
  for (const std::string& file : *files) {
    if (!absl::EndsWith(file, ".pb")) continue;
    const absl::StatusOr<std::string> bytes = ReadFile(folder + "/" + file);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    absl::StatusOr<hlo::Module> module = hlo::ModuleFromProtoBytes(*bytes);
    if (module.ok() && Compile(file, *std::move(module)).ok()) compiled.push_back(file);
  }
  // What is left out or wrong in the others that compile is not part of what they compute.
  EXPECT_THAT(compiled,
              ::testing::IsSupersetOf({"valid_base.pb", "valid_huge_const_fold.pb",
                                       "valid_infinite.pb", "valid_loop.pb", "valid_misc.pb"}));
  EXPECT_LT(compiled.size(), 15u) << ::testing::PrintToString(compiled);
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, PluginSurvivesTest,
    ::testing::Values(PluginCase{"newest", pjrt_client::NewestPluginPath(), true},
                      PluginCase{"oldest", pjrt_client::OldestPluginPath(), false}),
    [](const ::testing::TestParamInfo<PluginCase>& info) { return info.param.name; });

}  // namespace
}  // namespace axle
