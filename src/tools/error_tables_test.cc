// SPDX-License-Identifier: Apache-2.0
#include "tools/error_tables.h"

#include <filesystem>
#include <set>
#include <string>

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/docs_pages.h"

namespace axle::tools {
namespace {

const std::filesystem::path kRoot = AXLE_SOURCE_DIR;

// The ids of rows in the sources: "AX" and four digits between quotes.
void AddIds(const std::string& text, std::multiset<std::string>* ids) {
  for (size_t at = text.find("\"AX"); at != std::string::npos; at = text.find("\"AX", at + 1)) {
    if (text.size() > at + 7 && text[at + 7] == '"') ids->insert(text.substr(at + 1, 6));
  }
}

TEST(ErrorTablesTest, IdsAreUniqueAndWellFormed) {
  std::set<std::string> seen;
  for (const ErrorDef& error : AllErrors()) {
    EXPECT_THAT(std::string(error.id), ::testing::MatchesRegex("AX[0-9][0-9][0-9][0-9]"));
    EXPECT_TRUE(seen.insert(std::string(error.id)).second) << error.id << " is used twice";
    EXPECT_NE(error.code, absl::StatusCode::kOk) << error.id;
    EXPECT_FALSE(error.title.empty()) << error.id;
    EXPECT_FALSE(error.help.empty()) << error.id;
  }
}

TEST(ErrorTablesTest, EveryRowOfTheSourcesIsListed) {
  std::multiset<std::string> in_sources, listed;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "src")) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || !name.ends_with("errors.h")) continue;
    const auto text = ReadFile(entry.path().string());
    ASSERT_TRUE(text.ok()) << text.status();
    AddIds(*text, &in_sources);
  }
  for (const ErrorDef& error : AllErrors()) listed.insert(std::string(error.id));
  EXPECT_EQ(listed, in_sources);
}

TEST(DocsPagesTest, ErrorsPageIsUpToDate) {
  const auto page = ReadFile((kRoot / "docs/errors.md").string());
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_TRUE(*page == ErrorsPage()) << "run: axle docs errors > docs/errors.md";
}

TEST(DocsPagesTest, OpcodesPageIsUpToDate) {
  const auto page = ReadFile((kRoot / "docs/hlo-opcodes.md").string());
  ASSERT_TRUE(page.ok()) << page.status();
  const auto table = ReadFile((kRoot / "tests/data/opcode_support.txt").string());
  ASSERT_TRUE(table.ok()) << table.status();
  const auto support = OpcodeSupport::Parse(*table);
  ASSERT_TRUE(support.ok()) << support.status();
  const auto made = OpcodesPage(*support);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_TRUE(*page == *made)
      << "run: axle docs opcodes tests/data/opcode_support.txt > docs/hlo-opcodes.md";
}

TEST(DocsPagesTest, XrtOpsPageIsUpToDate) {
  const auto page = ReadFile((kRoot / "docs/xrt-ops.md").string());
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_TRUE(*page == XrtOpsPage()) << "run: axle docs xrt > docs/xrt-ops.md";
}

}  // namespace
}  // namespace axle::tools
