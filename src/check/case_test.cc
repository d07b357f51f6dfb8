// SPDX-License-Identifier: Apache-2.0
#include "check/case.h"

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::check {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A folder of cases that goes away with the test.
class CaseTest : public ::testing::Test {
 protected:
  CaseTest() {
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    root_ = ::testing::TempDir() + "/axle_case_test_" + test;
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  ~CaseTest() override { std::filesystem::remove_all(root_); }

  // A case with this description and these files beside it.
  std::string Make(const std::string& name, const std::string& json,
                   const std::vector<std::string>& files = {"program.hlo"}) {
    const std::string folder = root_ + "/" + name;
    std::filesystem::create_directories(folder);
    EXPECT_TRUE(WriteFileAtomically(folder + "/case.json", json).ok());
    for (const std::string& file : files) {
      EXPECT_TRUE(WriteFileAtomically(folder + "/" + file, "x").ok());
    }
    return folder;
  }
  std::string ErrorOf(const std::string& json) {
    const auto loaded = LoadCase(Make("bad", json));
    EXPECT_EQ(ErrorIdOf(loaded.status()), "AX0913") << json;
    return std::string(loaded.status().message());
  }

  std::string root_;
};

TEST_F(CaseTest, ReadsInputsOutputsAndPrograms) {
  const std::string folder = Make("good", R"({
    "inputs": [{"file": "b.npy"}, {"file": "a.npy", "dtype": "float32"}],
    "outputs": [{"file": "o.npy", "rtol": 0.5, "atol": 0, "signed_zero": true},
                {"file": "p.npy", "rtol": 0, "atol": 2}],
    "tags": ["ignored"]})",
                                  {"program.hlo", "program.hlo.pb", "program.mlir"});
  const auto loaded = LoadCase(folder);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->name, "good");
  EXPECT_THAT(loaded->programs, ElementsAre(folder + "/program.hlo", folder + "/program.hlo.pb"));
  EXPECT_THAT(loaded->inputs, ElementsAre(folder + "/b.npy", folder + "/a.npy"));
  ASSERT_EQ(loaded->outputs.size(), 2);
  EXPECT_EQ(loaded->outputs[0].file, folder + "/o.npy");
  EXPECT_EQ(loaded->outputs[0].tolerance.rtol, 0.5);
  EXPECT_EQ(loaded->outputs[0].tolerance.atol, 0);
  EXPECT_TRUE(loaded->outputs[0].tolerance.signed_zero);
  EXPECT_EQ(loaded->outputs[1].tolerance.atol, 2);
  EXPECT_FALSE(loaded->outputs[1].tolerance.signed_zero);
}

TEST_F(CaseTest, DescriptionsThatAreWrong) {
  EXPECT_THAT(ErrorOf("{"), HasSubstr("bad/case.json: no JSON object"));
  EXPECT_THAT(ErrorOf("[]"), HasSubstr("no JSON object"));
  EXPECT_THAT(ErrorOf(R"({"outputs": []})"), HasSubstr("\"inputs\" is not a list"));
  EXPECT_THAT(ErrorOf(R"({"inputs": [], "outputs": 3})"), HasSubstr("\"outputs\" is not a list"));
  EXPECT_THAT(ErrorOf(R"({"inputs": [3], "outputs": []})"),
              HasSubstr("an entry of \"inputs\" has no \"file\""));
  EXPECT_THAT(ErrorOf(R"({"inputs": [], "outputs": [{"file": "a", "atol": 0}]})"),
              HasSubstr("\"rtol\" is not a number"));
  EXPECT_THAT(ErrorOf(R"({"inputs": [], "outputs": [{"file": "a", "rtol": 0, "atol": "0"}]})"),
              HasSubstr("\"atol\" is not a number"));
}

TEST_F(CaseTest, NeedsAProgramThatIsRead) {
  const auto loaded =
      LoadCase(Make("none", R"({"inputs": [], "outputs": []})", {"program.unknown"}));
  EXPECT_EQ(ErrorIdOf(loaded.status()), "AX0913");
  EXPECT_THAT(std::string(loaded.status().message()), HasSubstr("no program"));
}

TEST_F(CaseTest, FindsCasesAtAndBelowPaths) {
  Make("b", "{}");
  Make("a", "{}");
  std::filesystem::create_directories(root_ + "/no_case/deeper");
  const std::vector<std::string> both = {root_};
  const auto found = FindCases(both);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_THAT(*found, ElementsAre(root_ + "/a", root_ + "/b"));
  const std::vector<std::string> one = {root_ + "/b/"};
  const auto single = FindCases(one);
  ASSERT_TRUE(single.ok()) << single.status();
  EXPECT_THAT(*single, ElementsAre(root_ + "/b"));
}

TEST_F(CaseTest, NothingFound) {
  const std::vector<std::string> empty = {root_};
  EXPECT_EQ(ErrorIdOf(FindCases(empty).status()), "AX0914");
  const std::vector<std::string> missing = {root_ + "/missing"};
  EXPECT_EQ(ErrorIdOf(FindCases(missing).status()), "AX0001");
}

}  // namespace
}  // namespace axle::check
