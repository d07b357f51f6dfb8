// SPDX-License-Identifier: Apache-2.0
#include "tools/flags.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FlagsTest : public ::testing::Test {
 protected:
  absl::StatusOr<ParsedLine> Parse(std::vector<std::string> words) {
    return ParseLine("eat", operands_, flags_, words);
  }
  std::string ErrorOf(std::vector<std::string> words) {
    return std::string(Parse(std::move(words)).status().message());
  }

  bool fast_ = false;
  int64_t count_ = 7;
  double share_ = 0.5;
  std::string name_;
  std::vector<std::string> files_;
  std::vector<std::string> labels_;
  Operands operands_ = {"FOOD", 1, 2};
  std::vector<Flag> flags_ = {
      {"--fast", "", "Eats fast.", &fast_},
      {.name = "--count", .value = "N", .help = "Bites.", .target = &count_, .least = 1, .most = 9},
      {"--share", "X", "Part of it.", &share_},
      {"-o", "NAME", "Who eats.", &name_},
      {.name = "--file", .value = "F", .help = "Files.", .target = &files_, .takes_list = true},
      {"--label", "L", "Labels.", &labels_},
  };
};

TEST_F(FlagsTest, WithoutFlagsVariablesStay) {
  const auto line = Parse({"soup"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->operands, ElementsAre("soup"));
  EXPECT_FALSE(line->help);
  EXPECT_FALSE(fast_);
  EXPECT_EQ(count_, 7);
  EXPECT_EQ(share_, 0.5);
  EXPECT_THAT(files_, IsEmpty());
}

TEST_F(FlagsTest, EveryKindOfFlagAndOrder) {
  const auto line = Parse({"--fast", "soup", "--count", "3", "--share=0.25", "-o", "me", "bread"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->operands, ElementsAre("soup", "bread"));
  EXPECT_TRUE(fast_);
  EXPECT_EQ(count_, 3);
  EXPECT_EQ(share_, 0.25);
  EXPECT_EQ(name_, "me");
}

TEST_F(FlagsTest, ListsTakeWordsUpToTheNextFlagAndRepeat) {
  const auto line = Parse({"soup", "--file", "a", "b", "--fast", "--file", "c", "--file=d"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(files_, ElementsAre("a", "b", "c", "d"));
}

TEST_F(FlagsTest, RepeatedFlagsTakeOneValueEach) {
  const auto line = Parse({"--label", "x", "soup", "--label", "y"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(labels_, ElementsAre("x", "y"));
  EXPECT_THAT(line->operands, ElementsAre("soup"));
}

TEST_F(FlagsTest, TwoDashesEndFlagsAndOneIsAName) {
  const auto line = Parse({"-", "--", "--fast"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->operands, ElementsAre("-", "--fast"));
  EXPECT_FALSE(fast_);
}

TEST_F(FlagsTest, HelpNeedsNothingElse) {
  for (const char* word : {"--help", "-h"}) {
    const auto line = Parse({word});
    ASSERT_TRUE(line.ok()) << line.status();
    EXPECT_TRUE(line->help);
  }
}

TEST_F(FlagsTest, UnknownFlag) {
  EXPECT_EQ(ErrorOf({"soup", "--slow"}),
            "AX0951: axle eat has no flag --slow; see axle eat --help");
  EXPECT_EQ(ErrorIdOf(Parse({"soup", "-x"}).status()), "AX0951");
}

TEST_F(FlagsTest, ValuesMissingSuperfluousOrTwice) {
  EXPECT_EQ(ErrorOf({"soup", "--count"}), "AX0952: --count needs a value: N");
  EXPECT_EQ(ErrorOf({"soup", "--file", "--fast"}), "AX0952: --file needs a value: F");
  EXPECT_EQ(ErrorOf({"soup", "--fast=1"}), "AX0952: --fast takes no value, \"1\" was given");
  EXPECT_EQ(ErrorOf({"soup", "--count", "1", "--count", "2"}), "AX0952: --count was given twice");
}

TEST_F(FlagsTest, NumbersMustBeReadableAndInRange) {
  for (const char* word : {"x", "1x", "", "1.5", "0", "10", "-1", "99999999999999999999"}) {
    const std::string error = ErrorOf({"soup", "--count", word});
    EXPECT_THAT(error, HasSubstr("AX0953: --count takes an integer from 1 to 9, not"));
  }
  for (const char* word : {"x", "", "nan", "inf", "-0.5", "1e999"}) {
    const std::string error = ErrorOf({"soup", "--share", word});
    EXPECT_THAT(error, HasSubstr("AX0953: --share takes a number of at least 0, not"));
  }
  EXPECT_EQ(count_, 7);
  EXPECT_EQ(share_, 0.5);
}

TEST_F(FlagsTest, NumberOfOperands) {
  EXPECT_EQ(ErrorOf({}), "AX0954: axle eat takes FOOD, and 0 were given; see axle eat --help");
  EXPECT_EQ(ErrorIdOf(Parse({"a", "b", "c"}).status()), "AX0954");
}

TEST_F(FlagsTest, HelpTextListsEveryFlag) {
  EXPECT_EQ(HelpText("eat", operands_, "Eats food.", absl::MakeConstSpan(flags_).subspan(0, 2)),
            "usage: axle eat FOOD [flags]\n"
            "\n"
            "Eats food.\n"
            "\n"
            "  --fast                  Eats fast.\n"
            "  --count N               Bites.\n"
            "  --help                  Prints this.\n");
  const std::string long_help(120, 'x');
  const Flag wide[] = {{"--a-very-long-flag", "WITH-A-VALUE", "Short.", &name_}};
  EXPECT_THAT(HelpText("eat", {}, "Eats.", wide),
              HasSubstr("  --a-very-long-flag WITH-A-VALUE\n                          Short.\n"));
}

}  // namespace
}  // namespace axle::tools
