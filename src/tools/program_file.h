// SPDX-License-Identifier: Apache-2.0
// Programs from files, with errors that show the place in the text.
#ifndef AXLE_TOOLS_PROGRAM_FILE_H_
#define AXLE_TOOLS_PROGRAM_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hlo/module.h"
#include "runtime/session.h"

namespace axle::tools {

// Reads a program of any form. An error about a place in a text carries the line (ExcerptOf).
absl::StatusOr<hlo::Module> LoadProgram(const std::string& path);

// Reads and compiles a program. Errors: those of LoadProgram and runtime::Session.
absl::StatusOr<runtime::OwnedProgram> CompileProgram(const std::string& path,
                                                     runtime::Session& session, int64_t device);

// The status with the line of `text` that it is about, with a caret, where it is about one.
absl::Status WithExcerpt(absl::Status status, absl::string_view text);
// The lines of text that LoadProgram's error is about, with a caret; else "".
std::string ExcerptOf(const absl::Status& status);

}  // namespace axle::tools

#endif  // AXLE_TOOLS_PROGRAM_FILE_H_
