// SPDX-License-Identifier: Apache-2.0
#include "tools/case_lists.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/error.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "tools/errors.h"

namespace axle::tools {

using check::CaseResult;
using check::Outcome;

absl::StatusOr<CaseList> CaseList::ReadFile(const std::string& path, Reasons reasons) {
  AXLE_ASSIGN_OR_RETURN(const std::string text, axle::ReadFile(path));
  return Parse(text, path, reasons);
}

absl::StatusOr<CaseList> CaseList::Parse(absl::string_view text, const std::string& path,
                                         Reasons reasons) {
  CaseList list;
  list.path_ = path;
  int64_t number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#') continue;
    const size_t colon = reasons == Reasons::kNone ? absl::string_view::npos : line.find(':');
    const std::vector<absl::string_view> words =
        absl::StrSplit(line.substr(0, colon), absl::ByAnyChar(" \t"), absl::SkipEmpty());
    Entry entry;
    if (colon != absl::string_view::npos) {
      entry.reason = std::string(absl::StripAsciiWhitespace(line.substr(colon + 1)));
    }
    const bool complete = reasons == Reasons::kNone || !entry.reason.empty();
    if (words.empty() || words.size() > 2 || !complete) {
      return MakeError(errors::kListFile,
                       absl::StrCat(path, ":", number, ": expected CASE or CASE BACKEND",
                                    reasons == Reasons::kNone ? "" : ", then : and a reason"));
    }
    const std::string key = absl::StrJoin(words, " ");
    if (!list.entries_.emplace(key, std::move(entry)).second) {
      return MakeError(errors::kListFile,
                       absl::StrCat(path, ":", number, ": ", key, " is listed twice"));
    }
  }
  return list;
}

const std::string* CaseList::Find(const std::string& name, absl::string_view backend) {
  const std::string* reason = nullptr;
  for (const std::string& key : {name, absl::StrCat(name, " ", backend)}) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) continue;
    found->second.met = true;
    reason = &found->second.reason;
  }
  return reason;
}

std::vector<std::string> CaseList::Unmet(absl::Span<const std::string> backends) const {
  std::vector<std::string> unmet;
  for (const auto& [key, entry] : entries_) {
    const size_t space = key.find(' ');
    const bool concerned =
        space == std::string::npos ||
        std::find(backends.begin(), backends.end(), key.substr(space + 1)) != backends.end();
    if (!entry.met && concerned) unmet.push_back(key);
  }
  std::sort(unmet.begin(), unmet.end());
  return unmet;
}

Verdict Judge(const std::string& name, absl::string_view backend, const CaseResult& result,
              CaseLists& lists) {
  const std::string which = absl::StrCat(" ", name, " [", backend, "] ");
  const bool passed = result.outcome == Outcome::kPassed;
  const std::string first = result.lines.empty() ? "" : result.lines.front();
  const std::string* skip_reason = lists.skips.Find(name, backend);
  const bool must_pass = lists.passes.Find(name, backend) != nullptr;
  const auto failed = [&](absl::string_view why) {
    return Verdict{Outcome::kFailed, {absl::StrCat("FAIL", which, why)}};
  };
  if (skip_reason != nullptr) {
    if (passed) return failed(absl::StrCat("passes, but is listed in ", lists.skips.path()));
    return {Outcome::kSkipped, {absl::StrCat("SKIP", which, *skip_reason)}};
  }
  if (passed) {
    if (!lists.passes.given() || must_pass) return {};
    return {Outcome::kPassed,
            {absl::StrCat("NEW", which, "passes, and may be added to ", lists.passes.path())}};
  }
  if (must_pass && result.outcome == Outcome::kSkipped) {
    return failed(absl::StrCat("is listed in ", lists.passes.path(), ", but skipped: ", first));
  }
  if (result.outcome == Outcome::kSkipped) {
    return {Outcome::kSkipped, {absl::StrCat("SKIP", which, first)}};
  }
  if (lists.passes.given() && !must_pass) {
    return {Outcome::kSkipped,
            {absl::StrCat("SKIP", which, "not in ", lists.passes.path(), ": ", first)}};
  }
  Verdict verdict{Outcome::kFailed, {}};
  for (const std::string& line : result.lines) {
    verdict.lines.push_back(absl::StrCat("FAIL", which, line));
  }
  return verdict;
}

}  // namespace axle::tools
