// SPDX-License-Identifier: Apache-2.0
#include "tools/flags.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "tools/errors.h"

namespace axle::tools {
namespace {

constexpr size_t kHelpColumn = 26;
constexpr size_t kHelpWidth = 100;

// "-" alone is a file name by custom, "-1" a number.
bool LooksLikeFlag(absl::string_view word) {
  return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.';
}

class LineParser {
 public:
  LineParser(absl::string_view command, absl::Span<const Flag> flags,
             absl::Span<const std::string> words)
      : command_(command), flags_(flags), words_(words) {}

  absl::StatusOr<ParsedLine> Parse(const Operands& operands) {
    ParsedLine line;
    bool flags_ended = false;
    while (next_ < words_.size()) {
      const std::string& word = words_[next_++];
      if (flags_ended || !LooksLikeFlag(word)) {
        line.operands.push_back(word);
      } else if (word == "--") {
        flags_ended = true;
      } else if (word == "--help" || word == "-h") {
        line.help = true;
        return line;
      } else {
        AXLE_RETURN_IF_ERROR(ParseFlag(word));
      }
    }
    if (line.operands.size() < operands.least || line.operands.size() > operands.most) {
      return MakeError(
          errors::kOperands,
          absl::StrCat("axle ", command_, " takes ",
                       operands.names.empty() ? "no arguments" : operands.names, ", and ",
                       line.operands.size(), " were given; see axle ", command_, " --help"));
    }
    return line;
  }

 private:
  absl::Status ParseFlag(absl::string_view word) {
    const size_t equals = word.find('=');
    const absl::string_view name = word.substr(0, equals);
    const auto flag = std::find_if(flags_.begin(), flags_.end(),
                                   [&](const Flag& candidate) { return candidate.name == name; });
    if (flag == flags_.end()) {
      return MakeError(errors::kUnknownFlag, absl::StrCat("axle ", command_, " has no flag ", name,
                                                          "; see axle ", command_, " --help"));
    }
    const bool is_vector = std::holds_alternative<std::vector<std::string>*>(flag->target);
    if (!given_.insert(flag->name).second && !is_vector) {
      return MakeError(errors::kFlagValue, absl::StrCat(name, " was given twice"));
    }
    if (equals != absl::string_view::npos) return SetFromEquals(*flag, word.substr(equals + 1));
    if (const auto* target = std::get_if<bool*>(&flag->target)) {
      **target = true;
      return absl::OkStatus();
    }
    if (next_ == words_.size() || LooksLikeFlag(words_[next_])) {
      return MakeError(errors::kFlagValue, absl::StrCat(name, " needs a value: ", flag->value));
    }
    do {
      AXLE_RETURN_IF_ERROR(Set(*flag, words_[next_++]));
    } while (flag->takes_list && next_ < words_.size() && !LooksLikeFlag(words_[next_]));
    return absl::OkStatus();
  }

  static absl::Status SetFromEquals(const Flag& flag, absl::string_view value) {
    if (!std::holds_alternative<bool*>(flag.target)) return Set(flag, value);
    return MakeError(errors::kFlagValue,
                     absl::StrCat(flag.name, " takes no value, \"", value, "\" was given"));
  }

  static absl::Status Set(const Flag& flag, absl::string_view value) {
    if (const auto* text = std::get_if<std::string*>(&flag.target)) {
      **text = std::string(value);
    } else if (const auto* list = std::get_if<std::vector<std::string>*>(&flag.target)) {
      (*list)->emplace_back(value);
    } else if (const auto* number = std::get_if<int64_t*>(&flag.target)) {
      int64_t parsed = 0;
      if (!absl::SimpleAtoi(value, &parsed) || parsed < flag.least || parsed > flag.most) {
        return MakeError(errors::kFlagNumber,
                         absl::StrCat(flag.name, " takes an integer from ", flag.least, " to ",
                                      flag.most, ", not \"", value, "\""));
      }
      **number = parsed;
    } else if (const auto* real = std::get_if<double*>(&flag.target)) {
      double parsed = 0;
      if (!absl::SimpleAtod(value, &parsed) || !std::isfinite(parsed) || parsed < 0) {
        return MakeError(
            errors::kFlagNumber,
            absl::StrCat(flag.name, " takes a number of at least 0, not \"", value, "\""));
      }
      **real = parsed;
    }
    return absl::OkStatus();
  }

  const absl::string_view command_;
  const absl::Span<const Flag> flags_;
  const absl::Span<const std::string> words_;
  size_t next_ = 0;
  absl::flat_hash_set<absl::string_view> given_;
};

// Appends `text` from kHelpColumn on, broken between words at kHelpWidth.
void AppendWrapped(absl::string_view text, std::string* help) {
  size_t column = kHelpColumn;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (column > kHelpColumn && column + 1 + end > kHelpWidth) {
      absl::StrAppend(help, "\n", std::string(kHelpColumn, ' '));
      column = kHelpColumn;
    } else if (column > kHelpColumn) {
      help->push_back(' ');
      ++column;
    }
    absl::StrAppend(help, text.substr(0, end));
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  help->push_back('\n');
}

}  // namespace

absl::StatusOr<ParsedLine> ParseLine(absl::string_view command, const Operands& operands,
                                     absl::Span<const Flag> flags,
                                     absl::Span<const std::string> words) {
  return LineParser(command, flags, words).Parse(operands);
}

std::string HelpText(absl::string_view command, const Operands& operands, absl::string_view summary,
                     absl::Span<const Flag> flags) {
  std::string help = absl::StrCat("usage: axle ", command, operands.names.empty() ? "" : " ",
                                  operands.names, " [flags]\n\n", summary, "\n\n");
  const auto add = [&help](std::string left, absl::string_view text) {
    left = absl::StrCat("  ", left);
    // A long left side stands on a line of its own.
    const std::string gap = left.size() + 2 > kHelpColumn
                                ? absl::StrCat("\n", std::string(kHelpColumn, ' '))
                                : std::string(kHelpColumn - left.size(), ' ');
    absl::StrAppend(&help, left, gap);
    AppendWrapped(text, &help);
  };
  for (const Flag& flag : flags) {
    add(absl::StrCat(flag.name, flag.value.empty() ? "" : " ", flag.value,
                     flag.takes_list ? "..." : ""),
        flag.help);
  }
  add("--help", "Prints this.");
  return help;
}

}  // namespace axle::tools
