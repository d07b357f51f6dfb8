// SPDX-License-Identifier: Apache-2.0
// Runs a case in a session and compares what comes out.
#ifndef AXLE_CHECK_RUN_CASE_H_
#define AXLE_CHECK_RUN_CASE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "check/case.h"
#include "runtime/session.h"

namespace axle::check {

// One literal a parameter leaf, from .npy files. Errors: AX0600 for another number of files; those
// of npy_literal.h.
absl::StatusOr<std::vector<hlo::Literal>> ReadInputs(absl::Span<const std::string> files,
                                                     absl::Span<const hlo::Shape> leaves);

// One value a parameter, tuples included, from one literal a parameter leaf.
absl::StatusOr<std::vector<runtime::Allocation>> UploadInputs(
    runtime::Session& session, const runtime::Program& program,
    absl::Span<const hlo::Literal> leaves);

// One literal a leaf of what a run made; of dynamic dimensions, the actual sizes.
absl::StatusOr<std::vector<hlo::Literal>> DownloadOutputs(const runtime::Allocation& result);

// Runs once, and gives the program every input that it may take over.
absl::StatusOr<runtime::Allocation> RunGiving(runtime::Session& session,
                                              const runtime::OwnedProgram& program,
                                              absl::Span<const runtime::Allocation> inputs);

enum class Outcome { kPassed, kFailed, kSkipped };

struct CaseResult {
  Outcome outcome = Outcome::kPassed;
  // A line a failure, "program.hlo: output 0: worst at [1,2]: expected 1, got 2 (3 of 40 wrong)",
  // or what a skip lacks.
  std::vector<std::string> lines;
};

// Every program of the case must give every output. Skipped where the backend lacks a custom call
// (AX0609), which the line names.
CaseResult RunCase(const Case& the_case, runtime::Session& session);

}  // namespace axle::check

#endif  // AXLE_CHECK_RUN_CASE_H_
