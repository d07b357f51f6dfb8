// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "xrt_script/operation_reader.h"
#include "xrt_script/script.h"
#include "xrt_script/text_reader.h"

namespace axle::xrt_script {
namespace {

constexpr int kMostNesting = 20;
constexpr int64_t kMostRepeats = 1'000'000;

class ScriptParser {
 public:
  ScriptParser(absl::string_view path, absl::string_view programs) {
    const size_t slash = path.rfind('/');
    if (!programs.empty()) {
      folder_ = absl::StrCat(programs, "/");
    } else if (slash != absl::string_view::npos) {
      folder_ = std::string(path.substr(0, slash + 1));
    }
  }

  // Statements to the end or, inside of a repetition, to its brace.
  absl::StatusOr<std::vector<Statement>> Parse(TextReader& reader, int depth) {
    std::vector<Statement> statements;
    const auto at_end = [&] { return reader.at_end() || (depth > 0 && reader.Peek() == '}'); };
    for (reader.SkipLines(); !at_end(); reader.SkipLines()) {
      Statement statement;
      statement.place = reader.place();
      AXLE_RETURN_IF_ERROR(ParseStatement(reader, depth, &statement));
      reader.SkipBlanks();
      if (!reader.AtLineEnd() && !at_end()) return reader.Fail("expected the end of the line");
      absl::string_view source =
          reader.text().substr(statement.place, reader.place() - statement.place);
      statement.source =
          std::string(absl::StripAsciiWhitespace(source.substr(0, source.find('\n'))));
      statements.push_back(std::move(statement));
    }
    return statements;
  }

 private:
  absl::Status ParseStatement(TextReader& reader, int depth, Statement* statement) {
    AXLE_ASSIGN_OR_RETURN(const absl::string_view word, reader.TakeWord("a statement"));
    reader.SkipBlanks();
    if (reader.Peek() == '=' || reader.Peek() == ',') {
      AXLE_RETURN_IF_ERROR(ParseNames(reader, word, statement));
      return ReadOperation(reader, folder_, statement);
    }
    if (word == "repeat") return ParseRepeat(reader, depth, statement);
    if (word == "session") return ParseSession(reader, statement);
    if (word == "end") return ParseEnd(reader, statement);
    if (word == "restart") {
      statement->kind = Statement::Kind::kRestart;
      return absl::OkStatus();
    }
    if (word == "device") {
      statement->kind = Statement::Kind::kDevice;
      AXLE_ASSIGN_OR_RETURN(statement->number, reader.TakeNumber("the number of a device"));
      return absl::OkStatus();
    }
    if (!absl::ascii_isupper(word.front())) {
      return reader.FailAt(statement->place,
                           "expected an operation, NAME = OPERATION, session, "
                           "end session, device, repeat or restart");
    }
    reader.MoveTo(statement->place);
    return ReadOperation(reader, folder_, statement);
  }

  // "x, y = ", of which the first name is read.
  static absl::Status ParseNames(TextReader& reader, absl::string_view first,
                                 Statement* statement) {
    statement->names.emplace_back(first);
    while (reader.Skip(",")) {
      reader.SkipBlanks();
      AXLE_ASSIGN_OR_RETURN(const absl::string_view name, reader.TakeWord("a name"));
      statement->names.emplace_back(name);
      reader.SkipBlanks();
    }
    if (!reader.Skip("=")) return reader.Fail("expected ',' or '=' behind the name");
    reader.SkipBlanks();
    return absl::OkStatus();
  }

  absl::Status ParseRepeat(TextReader& reader, int depth, Statement* statement) {
    statement->kind = Statement::Kind::kRepeat;
    if (depth == kMostNesting) return reader.Fail("repetitions nest more than 20 deep");
    const size_t begin = reader.place();
    AXLE_ASSIGN_OR_RETURN(statement->number, reader.TakeNumber("how often"));
    if (statement->number < 0 || statement->number > kMostRepeats) {
      return reader.FailAt(begin, "expected 0 to 1000000 times");
    }
    reader.SkipBlanks();
    const size_t brace = reader.place();
    if (!reader.Skip("{")) return reader.Fail("expected '{' and what to repeat");
    AXLE_ASSIGN_OR_RETURN(statement->body, Parse(reader, depth + 1));
    if (!reader.Skip("}")) return reader.FailAt(brace, "'{' is never closed");
    return absl::OkStatus();
  }

  // "session b", "session b max_bytes=100"
  static absl::Status ParseSession(TextReader& reader, Statement* statement) {
    statement->kind = Statement::Kind::kSession;
    statement->number = -1;
    AXLE_ASSIGN_OR_RETURN(const absl::string_view name, reader.TakeWord("the name of a session"));
    statement->session = std::string(name);
    reader.SkipBlanks();
    if (!reader.Skip("max_bytes=")) return absl::OkStatus();
    const size_t begin = reader.place();
    AXLE_ASSIGN_OR_RETURN(statement->number, reader.TakeNumber("a number of bytes"));
    if (statement->number >= 0) return absl::OkStatus();
    return reader.FailAt(begin, "expected a number of bytes that is not negative");
  }

  static absl::Status ParseEnd(TextReader& reader, Statement* statement) {
    statement->kind = Statement::Kind::kEndSession;
    AXLE_ASSIGN_OR_RETURN(const absl::string_view word, reader.TakeWord("'session'"));
    if (word != "session") return reader.FailAt(reader.PlaceOf(word), "expected 'session'");
    reader.SkipBlanks();
    AXLE_ASSIGN_OR_RETURN(const absl::string_view name, reader.TakeWord("the name of a session"));
    statement->session = std::string(name);
    return absl::OkStatus();
  }

  std::string folder_;  // with a slash, or empty
};

}  // namespace

absl::StatusOr<Script> ParseScript(std::string path, std::string text, absl::string_view programs) {
  Script script = {.path = std::move(path), .text = std::move(text), .statements = {}};
  TextReader reader(script.path, script.text);
  AXLE_ASSIGN_OR_RETURN(script.statements, ScriptParser(script.path, programs).Parse(reader, 0));
  return script;
}

}  // namespace axle::xrt_script
