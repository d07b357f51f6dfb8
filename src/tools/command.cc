// SPDX-License-Identifier: Apache-2.0
#include "tools/command.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "tools/errors.h"
#include "tools/json.h"
#include "tools/program_file.h"

namespace axle::tools {
namespace {

constexpr Command kCommands[] = {
    {"run",
     {"PROGRAM", 1, 1},
     "Compiles a program, runs it on .npy files and shows the outputs.",
     RunCommand},
    {"compile",
     {"PROGRAM", 1, 1},
     "Compiles a program and shows its signature and memory.",
     CompileCommand},
    {"verify",
     {"PROGRAM...", 1},
     "Reads programs and tells whether they are well-formed.",
     VerifyCommand},
    {"convert",
     {"PROGRAM", 1, 1},
     "Writes a program as HLO text (.hlo, .txt) or proto (.pb).",
     ConvertCommand},
    {"check",
     {"PATH...", 1},
     "Runs cases (folders with case.json) and compares their outputs.",
     CheckCommand},
    {"xrt", {"SCRIPT...", 1}, "Runs scripts of XRT operations and compares results.", XrtCommand},
    {"stats",
     {"SCRIPT", 1, 1},
     "Runs a script of XRT operations; shows memory, program cache and times.",
     StatsCommand},
    {"devices", {"", 0, 0}, "Lists the backends of this build and their devices.", DevicesCommand},
    {"docs",
     {"PAGE [TABLE]", 1, 2},
     "Prints a reference page made from tables: errors, opcodes, xrt.",
     DocsCommand},
};

const Command* FindCommand(absl::string_view name) {
  const auto found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                  [&](const Command& command) { return command.name == name; });
  return found == std::end(kCommands) ? nullptr : found;
}

std::string GeneralHelp() {
  std::string help =
      "usage: axle SUBCOMMAND [arguments]\n\nReads, verifies, compiles and runs XLA programs.\n\n";
  for (const Command& command : kCommands) {
    absl::StrAppendFormat(&help, "  %-10s%s\n", command.name, command.summary);
  }
  absl::StrAppend(&help,
                  "\naxle SUBCOMMAND --help lists the flags of one; axle --version tells the "
                  "version.\nExit codes: 0 ok, 1 refused or failed, 2 wrong usage, 3 values "
                  "differ.\n");
  return help;
}

absl::StatusOr<ExitCode> Dispatch(absl::Span<const std::string> words, Console& console) {
  const bool asks_help =
      !words.empty() && (words[0] == "help" || words[0] == "--help" || words[0] == "-h");
  if (words.empty() || (asks_help && words.size() == 1)) {
    console.Print(GeneralHelp());
    return words.empty() ? ExitCode::kUsage : ExitCode::kOk;
  }
  if (words[0] == "--version") {
    console.Print(absl::StrCat("axle ", AXLE_VERSION, "\n"));
    return ExitCode::kOk;
  }
  const std::string& name = asks_help ? words[1] : words[0];
  const Command* command = FindCommand(name);
  if (command == nullptr) {
    return MakeError(errors::kUnknownCommand,
                     absl::StrCat("axle has no subcommand ", name, "; see axle help"));
  }
  const std::vector<std::string> help_words = {"--help"};
  const Invocation invocation{
      *command, asks_help ? absl::MakeConstSpan(help_words) : words.subspan(1), console};
  return command->run(invocation);
}

bool IsUsageError(const absl::Status& status) {
  const std::string id = ErrorIdOf(status);
  return id >= errors::kUnknownCommand.id && id < errors::kListFile.id;
}

}  // namespace

absl::StatusOr<std::optional<std::vector<std::string>>> Invocation::Parse(
    absl::Span<const Flag> flags) const {
  AXLE_ASSIGN_OR_RETURN(ParsedLine line, ParseLine(command.name, command.operands, flags, words));
  if (!line.help) return std::move(line.operands);
  console.Print(HelpText(command.name, command.operands, command.summary, flags));
  return std::nullopt;
}

void NoteError(const absl::Status& status, Console& console) {
  std::string text = absl::StrCat(status.message());
  const std::string excerpt = ExcerptOf(status);
  if (!excerpt.empty()) absl::StrAppend(&text, "\n", absl::StripSuffix(excerpt, "\n"));
  console.Note(text);
}

ExitCode RunAxle(absl::Span<const std::string> words, Console& console) {
  const absl::StatusOr<ExitCode> result = Dispatch(words, console);
  ExitCode code = ExitCode::kFailed;
  if (result.ok()) {
    code = *result;
  } else {
    if (IsUsageError(result.status())) code = ExitCode::kUsage;
    if (console.json) console.PrintJson({{"error", ErrorJson(result.status())}});
    NoteError(result.status(), console);
  }
  const absl::Status written = console.Finish();
  if (written.ok()) return code;
  NoteError(written, console);
  return code == ExitCode::kOk ? ExitCode::kFailed : code;
}

}  // namespace axle::tools
