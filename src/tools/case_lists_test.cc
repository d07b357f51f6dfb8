// SPDX-License-Identifier: Apache-2.0
#include "tools/case_lists.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::tools {
namespace {

using check::CaseResult;
using check::Outcome;
using Reasons = CaseList::Reasons;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

CaseList List(absl::string_view text, Reasons reasons, const std::string& path) {
  absl::StatusOr<CaseList> list = CaseList::Parse(text, path, reasons);
  EXPECT_TRUE(list.ok()) << list.status();
  return list.ok() ? *std::move(list) : CaseList();
}

std::string ErrorOf(absl::string_view text, Reasons reasons) {
  return std::string(CaseList::Parse(text, "f", reasons).status().message());
}

const CaseResult kPassed = {};
const CaseResult kFailed = {Outcome::kFailed, {"program.hlo: one", "program.hlo: two"}};
const CaseResult kSkipped = {Outcome::kSkipped, {"AX0609: no call foo"}};

TEST(CaseListTest, LinesWithAndWithoutBackend) {
  CaseList list = List("# remark\n\n  a\nb xla-cpu\n", Reasons::kNone, "f");
  EXPECT_TRUE(list.given());
  EXPECT_NE(list.Find("a", "reference"), nullptr);
  EXPECT_NE(list.Find("b", "xla-cpu"), nullptr);
  EXPECT_EQ(list.Find("b", "reference"), nullptr);
  EXPECT_EQ(list.Find("c", "reference"), nullptr);
  EXPECT_FALSE(CaseList().given());
  EXPECT_EQ(CaseList().Find("a", "reference"), nullptr);
}

TEST(CaseListTest, Reasons) {
  CaseList list = List("a: not yet: really\nb null :why\n", Reasons::kRequired, "f");
  EXPECT_EQ(*list.Find("a", "x"), "not yet: really");
  EXPECT_EQ(*list.Find("b", "null"), "why");
}

TEST(CaseListTest, LinesThatAreWrong) {
  EXPECT_EQ(ErrorOf("a\nb c d\n", Reasons::kNone), "AX0960: f:2: expected CASE or CASE BACKEND");
  EXPECT_EQ(ErrorOf("a\n", Reasons::kRequired),
            "AX0960: f:1: expected CASE or CASE BACKEND, then : and a reason");
  EXPECT_EQ(ErrorOf("a: \n", Reasons::kRequired),
            "AX0960: f:1: expected CASE or CASE BACKEND, then : and a reason");
  EXPECT_EQ(ErrorOf(": reason\n", Reasons::kRequired),
            "AX0960: f:1: expected CASE or CASE BACKEND, then : and a reason");
  EXPECT_EQ(ErrorOf("a x\n\na   x\n", Reasons::kNone), "AX0960: f:3: a x is listed twice");
}

TEST(CaseListTest, UnmetEntries) {
  CaseList list = List("a\nb\nc null\nd null\ne other\n", Reasons::kNone, "f");
  list.Find("b", "null");
  list.Find("d", "null");
  const std::vector<std::string> backends = {"null"};
  EXPECT_THAT(list.Unmet(backends), ElementsAre("a", "c null"));
}

TEST(JudgeTest, WithoutLists) {
  CaseLists none;
  EXPECT_EQ(Judge("c", "b", kPassed, none).outcome, Outcome::kPassed);
  EXPECT_THAT(Judge("c", "b", kPassed, none).lines, IsEmpty());
  const Verdict failed = Judge("c", "b", kFailed, none);
  EXPECT_EQ(failed.outcome, Outcome::kFailed);
  EXPECT_THAT(failed.lines,
              ElementsAre("FAIL c [b] program.hlo: one", "FAIL c [b] program.hlo: two"));
  const Verdict skipped = Judge("c", "b", kSkipped, none);
  EXPECT_EQ(skipped.outcome, Outcome::kSkipped);
  EXPECT_THAT(skipped.lines, ElementsAre("SKIP c [b] AX0609: no call foo"));
}

TEST(JudgeTest, ListedPassesMustPass) {
  CaseLists lists{List("c\n", Reasons::kNone, "passes.txt"), {}};
  EXPECT_EQ(Judge("c", "b", kPassed, lists).outcome, Outcome::kPassed);
  EXPECT_THAT(Judge("c", "b", kPassed, lists).lines, IsEmpty());
  EXPECT_EQ(Judge("c", "b", kFailed, lists).outcome, Outcome::kFailed);
  const Verdict skipped = Judge("c", "b", kSkipped, lists);
  EXPECT_EQ(skipped.outcome, Outcome::kFailed);
  EXPECT_THAT(skipped.lines,
              ElementsAre("FAIL c [b] is listed in passes.txt, but skipped: AX0609: no call foo"));
}

TEST(JudgeTest, UnlistedCasesMayFailAndAreReportedWhenTheyPass) {
  CaseLists lists{List("other\n", Reasons::kNone, "passes.txt"), {}};
  const Verdict passed = Judge("c", "b", kPassed, lists);
  EXPECT_EQ(passed.outcome, Outcome::kPassed);
  EXPECT_THAT(passed.lines, ElementsAre("NEW c [b] passes, and may be added to passes.txt"));
  const Verdict failed = Judge("c", "b", kFailed, lists);
  EXPECT_EQ(failed.outcome, Outcome::kSkipped);
  EXPECT_THAT(failed.lines, ElementsAre("SKIP c [b] not in passes.txt: program.hlo: one"));
  EXPECT_EQ(Judge("c", "b", kSkipped, lists).outcome, Outcome::kSkipped);
}

TEST(JudgeTest, ListedSkipsMustNotPass) {
  CaseLists lists{{}, List("c: known\n", Reasons::kRequired, "skips.txt")};
  const Verdict passed = Judge("c", "b", kPassed, lists);
  EXPECT_EQ(passed.outcome, Outcome::kFailed);
  EXPECT_THAT(passed.lines, ElementsAre("FAIL c [b] passes, but is listed in skips.txt"));
  for (const CaseResult& result : {kFailed, kSkipped}) {
    const Verdict verdict = Judge("c", "b", result, lists);
    EXPECT_EQ(verdict.outcome, Outcome::kSkipped);
    EXPECT_THAT(verdict.lines, ElementsAre("SKIP c [b] known"));
  }
}

}  // namespace
}  // namespace axle::tools
