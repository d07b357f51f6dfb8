// SPDX-License-Identifier: Apache-2.0
// axle check: runs cases on backends and compares their outputs.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "assembly/backends.h"
#include "base/status_macros.h"
#include "check/case.h"
#include "check/run_case.h"
#include "tools/case_lists.h"
#include "tools/command.h"
#include "tools/json.h"

namespace axle::tools {
namespace {

using check::Outcome;

struct CheckOptions {
  std::vector<std::string> backends;
  std::string plugin;
  std::string passes_list;
  std::string skips_list;
};

std::string OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPassed:
      return "passed";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kSkipped:
      return "skipped";
  }
  return "";
}

// Counts and prints verdicts as they come.
class Report {
 public:
  explicit Report(Console& console) : console_(console) {}

  void Add(const std::string& name, const std::string& backend, const Verdict& verdict) {
    ++counts_[static_cast<int>(verdict.outcome)];
    if (console_.json) {
      cases_.push_back({{"case", name},
                        {"backend", backend},
                        {"outcome", OutcomeName(verdict.outcome)},
                        {"lines", verdict.lines}});
      return;
    }
    for (const std::string& line : verdict.lines) console_.Print(absl::StrCat(line, "\n"));
    if (!verdict.lines.empty()) console_.Flush();
  }

  ExitCode Close() {
    const int64_t passed = count(Outcome::kPassed), failed = count(Outcome::kFailed),
                  skipped = count(Outcome::kSkipped);
    if (console_.json) {
      console_.PrintJson({{"passed", passed},
                          {"failed", failed},
                          {"skipped", skipped},
                          {"cases", std::move(cases_)}});
    } else {
      console_.Print(absl::StrCat(passed, " passed, ", failed, " failed, ", skipped, " skipped\n"));
    }
    return failed == 0 ? ExitCode::kOk : ExitCode::kFailed;
  }

 private:
  int64_t count(Outcome outcome) const { return counts_[static_cast<int>(outcome)]; }

  Console& console_;
  int64_t counts_[3] = {0, 0, 0};
  Json cases_ = Json::array();
};

check::CaseResult RunFolder(const std::string& folder, runtime::Session& session) {
  const absl::StatusOr<check::Case> the_case = check::LoadCase(folder);
  if (!the_case.ok()) return {Outcome::kFailed, {std::string(the_case.status().message())}};
  return check::RunCase(*the_case, session);
}

absl::StatusOr<std::vector<std::shared_ptr<runtime::Backend>>> CreateBackends(
    const CheckOptions& options) {
  std::vector<std::shared_ptr<runtime::Backend>> backends;
  const auto add = [&](absl::string_view name) -> absl::Status {
    AXLE_ASSIGN_OR_RETURN(auto backend,
                          assembly::CreateBackend(name, {.plugin_path = options.plugin}));
    backends.push_back(std::move(backend));
    return absl::OkStatus();
  };
  for (const std::string& name : options.backends) AXLE_RETURN_IF_ERROR(add(name));
  if (!options.plugin.empty()) AXLE_RETURN_IF_ERROR(add("plugin"));
  if (backends.empty()) AXLE_RETURN_IF_ERROR(add("reference"));
  return backends;
}

absl::StatusOr<CaseLists> ReadLists(const CheckOptions& options) {
  CaseLists lists;
  if (!options.passes_list.empty()) {
    AXLE_ASSIGN_OR_RETURN(lists.passes,
                          CaseList::ReadFile(options.passes_list, CaseList::Reasons::kNone));
  }
  if (!options.skips_list.empty()) {
    AXLE_ASSIGN_OR_RETURN(lists.skips,
                          CaseList::ReadFile(options.skips_list, CaseList::Reasons::kRequired));
  }
  return lists;
}

// A listed case that no path leads to: the list is out of date, or a case was lost.
void AddUnmet(const CaseList& list, absl::Span<const std::string> backends, Report* report) {
  for (const std::string& entry : list.Unmet(backends)) {
    report->Add(entry, "",
                {Outcome::kFailed,
                 {absl::StrCat("FAIL ", entry, ": listed in ", list.path(),
                               ", but not among the given cases")}});
  }
}

}  // namespace

absl::StatusOr<ExitCode> CheckCommand(const Invocation& invocation) {
  Console& console = invocation.console;
  CheckOptions options;
  const Flag flags[] = {
      {"--backend", "NAME", "Backend to check; may be given more than once. Default: reference.",
       &options.backends},
      {"--plugin", "PATH", "A PJRT plugin (shared library) to check.", &options.plugin},
      {"--passes-list", "FILE",
       "Cases that must pass, a line each: CASE or CASE BACKEND. Failures of others count as "
       "skipped.",
       &options.passes_list},
      {"--skips-list", "FILE",
       "Cases that are known not to pass, a line each: CASE: REASON or CASE BACKEND: REASON. One "
       "that passes counts as failed.",
       &options.skips_list},
      {"--json", "", "Prints one JSON object.", &console.json}};
  AXLE_ASSIGN_OR_RETURN(const auto paths, invocation.Parse(flags));
  if (!paths.has_value()) return ExitCode::kOk;

  AXLE_ASSIGN_OR_RETURN(CaseLists lists, ReadLists(options));
  AXLE_ASSIGN_OR_RETURN(const std::vector<std::string> folders, check::FindCases(*paths));
  AXLE_ASSIGN_OR_RETURN(const auto backends, CreateBackends(options));
  Report report(console);
  std::vector<std::string> names;
  for (const std::shared_ptr<runtime::Backend>& backend : backends) {
    names.push_back(backend->name());
    const auto session = runtime::Store::Create(backend, {})->OpenSession({.name = "check"});
    for (size_t i = 0; i < folders.size(); ++i) {
      const std::string name = folders[i].substr(folders[i].find_last_of('/') + 1);
      console.Progress(
          absl::StrCat("[", i + 1, "/", folders.size(), "] ", name, " on ", backend->name()));
      report.Add(name, backend->name(),
                 Judge(name, backend->name(), RunFolder(folders[i], *session), lists));
    }
  }
  AddUnmet(lists.passes, names, &report);
  AddUnmet(lists.skips, names, &report);
  return report.Close();
}

}  // namespace axle::tools
