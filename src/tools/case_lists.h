// SPDX-License-Identifier: Apache-2.0
// Checked-in lists that `axle check` holds cases against.
#ifndef AXLE_TOOLS_CASE_LISTS_H_
#define AXLE_TOOLS_CASE_LISTS_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "check/run_case.h"

namespace axle::tools {

// Cases by name, for one backend or for all. A line is `CASE` or `CASE BACKEND`, in a list with
// reasons followed by `: REASON`; lines that are blank or begin with '#' are remarks.
class CaseList {
 public:
  enum class Reasons { kNone, kRequired };

  CaseList() = default;  // no list
  // Error AX0960; the file's.
  static absl::StatusOr<CaseList> ReadFile(const std::string& path, Reasons reasons);
  static absl::StatusOr<CaseList> Parse(absl::string_view text, const std::string& path,
                                        Reasons reasons);

  bool given() const { return !path_.empty(); }
  const std::string& path() const { return path_; }
  // The reason ("" without reasons), or null for a case that is not listed. The case counts as met.
  const std::string* Find(const std::string& name, absl::string_view backend);
  // Entries for one of the backends, or for all, that were never met, ascending.
  std::vector<std::string> Unmet(absl::Span<const std::string> backends) const;

 private:
  struct Entry {
    std::string reason;
    bool met = false;
  };
  std::string path_;
  absl::flat_hash_map<std::string, Entry> entries_;  // "CASE" or "CASE BACKEND"
};

struct CaseLists {
  CaseList passes;  // must pass
  CaseList skips;   // known not to pass, with the reason
};

// What a result counts as, and the lines to print for it ("FAIL …", "SKIP …", "NEW …").
//   in skips:       passed is a failure (the entry must go), anything else skipped
//   in passes:      anything but passed is a failure
//   passes given, case not in it:  passed is reported, failed counts as skipped
struct Verdict {
  check::Outcome outcome = check::Outcome::kPassed;
  std::vector<std::string> lines;
};
Verdict Judge(const std::string& name, absl::string_view backend, const check::CaseResult& result,
              CaseLists& lists);

}  // namespace axle::tools

#endif  // AXLE_TOOLS_CASE_LISTS_H_
