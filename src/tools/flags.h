// SPDX-License-Identifier: Apache-2.0
// Command lines by a table: a subcommand lists its flags with the variables they set; parsing and
// the help text derive from the list.
#ifndef AXLE_TOOLS_FLAGS_H_
#define AXLE_TOOLS_FLAGS_H_

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace axle::tools {

// What a flag sets. A bool is a switch without a value; a vector takes more with each mention.
using FlagTarget = std::variant<bool*, int64_t*, double*, std::string*, std::vector<std::string>*>;

struct Flag {
  absl::string_view name;   // "--input", or short: "-o"
  absl::string_view value;  // what help calls the value, "FILE"; empty for a switch
  absl::string_view help;   // one sentence
  FlagTarget target;        // not null; stays as it is when the flag is not given
  // One mention takes all words up to the next flag. Vectors only.
  bool takes_list = false;
  // Range of an int64_t; a double must be finite and not negative.
  int64_t least = 0;
  int64_t most = std::numeric_limits<int32_t>::max();
};

// The arguments that are no flags.
struct Operands {
  absl::string_view names;  // as help shows them: "PROGRAM", "PATH..."
  size_t least = 0;
  size_t most = std::numeric_limits<size_t>::max();
};

struct ParsedLine {
  bool help = false;  // --help or -h was given; then nothing was checked
  std::vector<std::string> operands;
};

// Reads the words behind the subcommand's name. Values follow their flag as the next word or after
// "="; "--" ends the flags. `command` stands in messages. Errors: AX0951 to AX0954.
absl::StatusOr<ParsedLine> ParseLine(absl::string_view command, const Operands& operands,
                                     absl::Span<const Flag> flags,
                                     absl::Span<const std::string> words);

// "usage: axle COMMAND OPERANDS [flags]", the summary, a line a flag.
std::string HelpText(absl::string_view command, const Operands& operands, absl::string_view summary,
                     absl::Span<const Flag> flags);

}  // namespace axle::tools

#endif  // AXLE_TOOLS_FLAGS_H_
