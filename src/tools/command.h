// SPDX-License-Identifier: Apache-2.0
// Subcommands of `axle`: one row in commands.cc and one function each.
#ifndef AXLE_TOOLS_COMMAND_H_
#define AXLE_TOOLS_COMMAND_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tools/console.h"
#include "tools/flags.h"

namespace axle::tools {

enum class ExitCode : int { kOk = 0, kFailed = 1, kUsage = 2, kDiffer = 3 };

struct Invocation;

struct Command {
  absl::string_view name;
  Operands operands;
  absl::string_view summary;  // one sentence
  absl::StatusOr<ExitCode> (*run)(const Invocation& invocation);
};

struct Invocation {
  const Command& command;
  absl::Span<const std::string> words;  // behind the subcommand's name
  Console& console;

  // Sets the flags' variables and returns the operands. Nothing when --help was given and printed.
  absl::StatusOr<std::optional<std::vector<std::string>>> Parse(absl::Span<const Flag> flags) const;
};

// Prints the error on standard error, with the lines of text that it is about.
void NoteError(const absl::Status& status, Console& console);

// Runs `axle WORDS...`: prints what the subcommand returns as an error, and flushes the console.
ExitCode RunAxle(absl::Span<const std::string> words, Console& console);

absl::StatusOr<ExitCode> CheckCommand(const Invocation& invocation);
absl::StatusOr<ExitCode> CompileCommand(const Invocation& invocation);
absl::StatusOr<ExitCode> ConvertCommand(const Invocation& invocation);
absl::StatusOr<ExitCode> DevicesCommand(const Invocation& invocation);
absl::StatusOr<ExitCode> DocsCommand(const Invocation& invocation);
absl::StatusOr<ExitCode> RunCommand(const Invocation& invocation);
absl::StatusOr<ExitCode> StatsCommand(const Invocation& invocation);
absl::StatusOr<ExitCode> VerifyCommand(const Invocation& invocation);
absl::StatusOr<ExitCode> XrtCommand(const Invocation& invocation);

}  // namespace axle::tools

#endif  // AXLE_TOOLS_COMMAND_H_
