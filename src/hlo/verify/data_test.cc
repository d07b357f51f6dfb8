// SPDX-License-Identifier: Apache-2.0
// Reads and verifies all programs of the full test data and compares with lists in tests/data,
// which say for each program what is expected of us, and why where XLA judges otherwise. With
// AXLE_UPDATE_TEST_LISTS set, writes the lists anew and keeps the reasons.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/error.h"
#include "base/file.h"
#include "gtest/gtest.h"
#include "hlo/proto/codec.h"
#include "hlo/text/parser.h"
#include "hlo/verify/verify.h"

namespace axle::hlo {
namespace {

namespace fs = std::filesystem;

std::string DataRoot() {
  const char* data = std::getenv("AXLE_TEST_DATA");
  return data != nullptr ? data : AXLE_SOURCE_DIR "/../shared/data";
}

bool Updating() { return std::getenv("AXLE_UPDATE_TEST_LISTS") != nullptr; }

std::string Contents(const std::string& path) { return ReadFile(path).value_or(""); }

// Files below a folder whose name ends so, sorted, as paths relative to it.
std::vector<std::string> FilesUnder(const std::string& folder, const std::string& ending) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = fs::relative(entry.path(), folder).string();
    if (entry.is_regular_file() && absl::EndsWith(path, ending)) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Pieces of a file with several modules, split at lines that begin with "// -----".
std::vector<std::string> Pieces(const std::string& text) {
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

// "computation/instruction", where an error message says so: the reader of protos writes
// "computation 'c': instruction 'i': …", the verifier "c/i: …".
std::string PlaceIn(const absl::Status& status) {
  std::smatch match;
  const std::string message(status.message());
  static const std::regex quoted("AX\\d+: computation '([^']*)': (instruction '([^']*)')?.*");
  if (std::regex_match(message, match, quoted)) {
    return match[3].matched ? absl::StrCat(match[1].str(), "/", match[3].str()) : match[1].str();
  }
  static const std::regex plain("AX\\d+: ([^ ]+): .*");
  return std::regex_match(message, match, plain) ? match[1].str() : "-";
}

// "ok", or "verify AX0410 main/call"; the place is left out for text, where it is a line.
std::string Verdict(const absl::StatusOr<Module>& module, bool with_place) {
  absl::Status status = module.status();
  const char* step = "read";
  if (module.ok()) {
    status = VerifyModule(*module);
    step = "verify";
  }
  if (status.ok()) return "ok";
  std::string verdict = absl::StrCat(step, " ", ErrorIdOf(status));
  if (with_place || module.ok()) absl::StrAppend(&verdict, " ", PlaceIn(status));
  return verdict;
}

struct Expectation {
  std::string verdict;
  std::string reason;  // why it differs from XLA's
};
using List = std::map<std::string, Expectation>;

// Lines "case | verdict | reason"; '#' begins a comment line.
class CheckedList {
 public:
  CheckedList(std::string name, std::string comment)
      : path_(absl::StrCat(AXLE_SOURCE_DIR "/tests/data/", name)), comment_(std::move(comment)) {
    for (const absl::string_view line : absl::StrSplit(Contents(path_), '\n')) {
      if (line.empty() || line[0] == '#') continue;
      const std::vector<std::string> cells = absl::StrSplit(line, absl::MaxSplits(" | ", 2));
      if (cells.size() >= 2) expected_[cells[0]] = {cells[1], cells.size() > 2 ? cells[2] : ""};
    }
  }

  // `xla_accepts`: what XLA thinks of the case. A different verdict of ours needs a reason.
  void Check(const std::string& name, const std::string& verdict, bool xla_accepts) {
    const Expectation expected = expected_[name];
    const bool agree = (verdict == "ok") == xla_accepts;
    got_[name] = {verdict, agree ? "" : expected.reason};
    if (Updating()) return;
    EXPECT_EQ(verdict, expected.verdict) << name;
    EXPECT_TRUE(agree || !expected.reason.empty())
        << name << ": " << verdict << ", but XLA " << (xla_accepts ? "accepts" : "refuses")
        << " it and the list has no reason";
    EXPECT_TRUE(!agree || expected.reason.empty())
        << name << " has a reason to differ from XLA, but does not";
  }

  // All cases of the list have come up.
  void Finish() {
    if (!Updating()) {
      EXPECT_EQ(got_.size(), expected_.size()) << path_;
      return;
    }
    std::ofstream out(path_);
    out << comment_;
    for (const auto& [name, entry] : got_) {
      out << name << " | " << entry.verdict;
      if (!entry.reason.empty()) out << " | " << entry.reason;
      out << "\n";
    }
  }

 private:
  const std::string path_;
  const std::string comment_;
  List expected_;
  List got_;
};

// XLA's verdict on a piece, from a row "file,piece,parse,compile,detail". A backend that lacks
// something, or that died, says nothing about the module.
bool XlaAccepts(const std::vector<std::string>& cells) {
  const bool refused_by_verifier =
      cells[3] == "error" && absl::StrContains(cells[4], "[hlo verifier]");
  return cells[2] == "ok" && !refused_by_verifier;
}

TEST(DataTest, HloTexts) {
  const std::string root = DataRoot() + "/hlo";
  const std::string outcomes = Contents(root + "/outcomes.csv");
  if (outcomes.empty()) GTEST_SKIP() << "no test data at " << root << ": set AXLE_TEST_DATA";
  std::map<std::string, bool> accepts;
  for (const absl::string_view line : absl::StrSplit(outcomes, '\n')) {
    const std::vector<std::string> cells = absl::StrSplit(line, absl::MaxSplits(',', 4));
    if (cells.size() == 5 && cells[0] != "file") {
      accepts[absl::StrCat(cells[0], "#", cells[1])] = XlaAccepts(cells);
    }
  }
  CheckedList list("hlo_outcomes.txt",
                   "# What reading and verifying each piece of the HLO texts gives.\n"
                   "# case | verdict | why it differs from XLA's, where it does\n");
  size_t pieces = 0;
  for (const std::string& file : FilesUnder(root, ".hlo")) {
    int piece = -1;
    for (const std::string& text : Pieces(Contents(absl::StrCat(root, "/", file)))) {
      const std::string name = absl::StrCat(file, "#", ++piece);
      if (!accepts.contains(name)) continue;  // nothing but comments
      ++pieces;
      list.Check(name, Verdict(ParseModule(text), /*with_place=*/false), accepts[name]);
    }
  }
  EXPECT_EQ(pieces, accepts.size());
  list.Finish();
}

// The rest of the line "// key: …" in a text; empty without one.
std::string Remark(const std::string& text, absl::string_view key) {
  const std::string begin = absl::StrCat("// ", key, ": ");
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, begin)) return std::string(line);
  }
  return "";
}

// Small modules, one rule each, that say themselves what is expected.
TEST(DataTest, Rules) {
  const std::string root = AXLE_SOURCE_DIR "/tests/data/rules";
  int cases = 0;
  for (const std::string& file : FilesUnder(root, ".hlo")) {
    const std::vector<std::string> pieces = Pieces(Contents(absl::StrCat(root, "/", file)));
    for (size_t i = 1; i < pieces.size(); ++i) {  // the first says what the file is
      SCOPED_TRACE(absl::StrCat(file, ": ", Remark(pieces[i], "case")));
      const absl::StatusOr<Module> module = ParseModule(pieces[i]);
      ASSERT_TRUE(module.ok()) << module.status();
      const absl::Status status = VerifyModule(*module);
      EXPECT_EQ(status.ok() ? "ok" : ErrorIdOf(status), Remark(pieces[i], "verdict")) << status;
      const std::string xla = Remark(pieces[i], "xla");
      const bool agree = xla == "dies" || (xla == "accepts") == status.ok();
      EXPECT_EQ(Remark(pieces[i], "reason").empty(), agree) << "reasons are for disagreements";
      ++cases;
    }
  }
  EXPECT_GT(cases, 500);
}

TEST(DataTest, MalformedProtos) {
  const std::string root = DataRoot() + "/hlo/malformed";
  const std::string outcomes = Contents(root + "/outcomes.csv");
  if (outcomes.empty()) GTEST_SKIP() << "no test data at " << root << ": set AXLE_TEST_DATA";
  CheckedList list("malformed_outcomes.txt",
                   "# What reading and verifying each of the HLO protos gives, most of which are "
                   "broken.\n# case | verdict | why it differs from XLA's, where it does\n");
  for (const absl::string_view line : absl::StrSplit(outcomes, '\n')) {
    const std::vector<std::string> cells = absl::StrSplit(line, ',');
    if (cells.size() < 2 || cells[0] == "file") continue;
    // An endless program is a valid one.
    const bool accepted = cells[1] == "accepted" || cells[1] == "timeout";
    const std::string bytes = Contents(absl::StrCat(root, "/", cells[0]));
    list.Check(cells[0], Verdict(ModuleFromProtoBytes(bytes), /*with_place=*/true), accepted);
  }
  list.Finish();
}

TEST(DataTest, ProgramsOfJax) {
  const std::string root = DataRoot() + "/jax";
  if (!fs::exists(root)) GTEST_SKIP() << "no test data at " << root << ": set AXLE_TEST_DATA";
  int texts = 0;
  for (const std::string& file : FilesUnder(root, "/program.hlo")) {
    ++texts;
    EXPECT_EQ(Verdict(ParseModule(Contents(absl::StrCat(root, "/", file))), false), "ok") << file;
  }
  EXPECT_EQ(texts, 206);
  for (const std::string& file : FilesUnder(root, "/program.hlo.pb")) {
    const std::string bytes = Contents(absl::StrCat(root, "/", file));
    EXPECT_EQ(Verdict(ModuleFromProtoBytes(bytes), true), "ok") << file;
  }
}

}  // namespace
}  // namespace axle::hlo
