// SPDX-License-Identifier: Apache-2.0
// A case: a folder with a program in one or more forms, its inputs and its expected outputs, as
// case.json describes them. `inputs` and `outputs` of that file decide, in order; each entry has
// "file", and an output its own "rtol", "atol" and perhaps "signed_zero".
#ifndef AXLE_CHECK_CASE_H_
#define AXLE_CHECK_CASE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "check/compare.h"

namespace axle::check {

struct CaseOutput {
  std::string file;  // path
  Tolerance tolerance;
};

struct Case {
  std::string name;                   // of the folder
  std::vector<std::string> programs;  // paths, of forms that are read
  std::vector<std::string> inputs;    // paths of .npy files
  std::vector<CaseOutput> outputs;
};

// Error AX0913, or the file's.
absl::StatusOr<Case> LoadCase(const std::string& folder);

// Folders with a case.json at or right below the given paths, in their order, then by name. Error
// AX0914 when there are none.
absl::StatusOr<std::vector<std::string>> FindCases(absl::Span<const std::string> paths);

}  // namespace axle::check

#endif  // AXLE_CHECK_CASE_H_
