// SPDX-License-Identifier: Apache-2.0
// Every HLO text of the test data: whether it can be read agrees with what XLA's parser recorded in
// hlo/outcomes.csv, and what can be read is printed so that it reads back the same.
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "gtest/gtest.h"
#include "hlo/compare.h"
#include "hlo/text/parser.h"
#include "hlo/text/printer.h"

namespace axle::hlo {
namespace {

std::string DataFolder() {
  const char* const folder = std::getenv("AXLE_TEST_DATA");
  return folder != nullptr ? folder : AXLE_SOURCE_DIR "/../shared/data";
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

void ExpectRoundTrip(absl::string_view name, const Module& module) {
  const std::string printed = PrintModule(module);
  const absl::StatusOr<Module> again = ParseModule(printed);
  ASSERT_TRUE(again.ok()) << name << ": " << again.status() << "\n" << printed.substr(0, 2000);
  EXPECT_EQ(FirstDifference(module, *again), "") << name;
  EXPECT_TRUE(Equivalent(module, *again)) << name;
  EXPECT_EQ(EquivalenceHash(module), EquivalenceHash(*again)) << name;
  EXPECT_EQ(PrintModule(*again), printed) << name;
}

TEST(CorpusTest, ReadsWhatXlaReadsAndPrintsItBack) {
  const std::string folder = DataFolder() + "/hlo";
  const absl::StatusOr<std::string> outcomes = ReadFile(folder + "/outcomes.csv");
  if (!outcomes.ok()) GTEST_SKIP() << "no test data in " << folder << "; set AXLE_TEST_DATA";
  std::map<std::string, std::vector<std::string>> files;
  int read = 0, refused = 0;
  for (const absl::string_view row : absl::StrSplit(*outcomes, '\n', absl::SkipEmpty())) {
    const std::vector<absl::string_view> fields = absl::StrSplit(row, absl::MaxSplits(',', 3));
    int piece = 0;
    if (fields.size() < 4 || !absl::SimpleAtoi(fields[1], &piece)) continue;  // the head
    const std::string file(fields[0]);
    if (!files.contains(file)) {
      const absl::StatusOr<std::string> text = ReadFile(folder + "/" + file);
      ASSERT_TRUE(text.ok()) << text.status();
      files[file] = Pieces(*text);
    }
    ASSERT_LT(piece, files[file].size()) << row;
    const std::string name = absl::StrCat(file, " piece ", piece);
    const absl::StatusOr<Module> module = ParseModule(files[file][piece]);
    EXPECT_EQ(module.ok(), fields[2] == "ok") << name << ": " << module.status();
    (module.ok() ? read : refused) += 1;
    if (module.ok()) ExpectRoundTrip(name, *module);
  }
  EXPECT_EQ(read, 504);
  EXPECT_EQ(refused, 20);
}

TEST(CorpusTest, ReadsJaxPrograms) {
  const std::string folder = DataFolder() + "/jax";
  const absl::StatusOr<std::vector<std::string>> cases = ListDirectory(folder);
  if (!cases.ok()) GTEST_SKIP() << "no test data in " << folder << "; set AXLE_TEST_DATA";
  int read = 0;
  for (const std::string& name : *cases) {
    const absl::StatusOr<std::string> text =
        ReadFile(absl::StrCat(folder, "/", name, "/program.hlo"));
    if (!text.ok()) continue;
    const absl::StatusOr<Module> module = ParseModule(*text);
    ASSERT_TRUE(module.ok()) << name << ": " << module.status();
    ExpectRoundTrip(name, *module);
    ++read;
  }
  EXPECT_EQ(read, 206);
}

}  // namespace
}  // namespace axle::hlo
