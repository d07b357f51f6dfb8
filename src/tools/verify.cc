// SPDX-License-Identifier: Apache-2.0
// axle verify: reads programs and verifies them.
#include "hlo/verify/verify.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/module.h"
#include "tools/command.h"
#include "tools/json.h"
#include "tools/program_file.h"

namespace axle::tools {
namespace {

absl::Status VerifyFile(const std::string& path) {
  AXLE_ASSIGN_OR_RETURN(const hlo::Module module, LoadProgram(path));
  const absl::Status verified = hlo::VerifyModule(module);
  return verified.ok() ? verified : AtPlace(path, verified);
}

}  // namespace

absl::StatusOr<ExitCode> VerifyCommand(const Invocation& invocation) {
  Console& console = invocation.console;
  const Flag flags[] = {{"--json", "", "Prints one JSON object.", &console.json}};
  AXLE_ASSIGN_OR_RETURN(const auto paths, invocation.Parse(flags));
  if (!paths.has_value()) return ExitCode::kOk;

  ExitCode code = ExitCode::kOk;
  Json programs = Json::array();
  for (const std::string& path : *paths) {
    const absl::Status verified = VerifyFile(path);
    Json entry = {{"program", path}, {"ok", verified.ok()}};
    if (verified.ok()) {
      if (!console.json) console.Print(paths->size() == 1 ? "ok\n" : absl::StrCat(path, ": ok\n"));
    } else {
      code = ExitCode::kFailed;
      entry["error"] = ErrorJson(verified);
      NoteError(verified, console);
    }
    programs.push_back(std::move(entry));
  }
  if (console.json) console.PrintJson({{"programs", std::move(programs)}});
  return code;
}

}  // namespace axle::tools
