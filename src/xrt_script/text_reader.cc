// SPDX-License-Identifier: Apache-2.0
#include "xrt_script/text_reader.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/element_type.h"
#include "hlo/text/parser.h"
#include "hlo/text/place.h"
#include "xrt_script/errors.h"

namespace axle::xrt_script {
namespace {

bool IsWordStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool IsWordPart(char c) { return absl::ascii_isalnum(c) || c == '_'; }

char MateOf(char bracket) {
  switch (bracket) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
  }
  return '\0';
}

}  // namespace

absl::Status ScriptError(absl::string_view path, absl::string_view text, size_t place,
                         absl::string_view message) {
  return hlo::text::MakePlacedError(errors::kScript, text, place, path, message);
}

int64_t LineOf(absl::string_view text, size_t place) {
  return std::count(text.begin(), text.begin() + std::min(place, text.size()), '\n') + 1;
}

bool TextReader::AtWord() const { return IsWordStart(Peek()); }

bool TextReader::AtNumber() const {
  return absl::ascii_isdigit(Peek()) || (Peek() == '-' && absl::ascii_isdigit(Peek(1)));
}

void TextReader::SkipBlanks() {
  while (Peek() == ' ' || Peek() == '\t' || Peek() == '\r') ++place_;
  if (Peek() != '#') return;
  while (!AtLineEnd()) ++place_;
}

void TextReader::SkipLines() {
  SkipBlanks();
  while (!at_end() && Peek() == '\n') {
    ++place_;
    SkipBlanks();
  }
}

bool TextReader::Skip(absl::string_view word) {
  if (!Ahead(word)) return false;
  place_ += word.size();
  return true;
}

absl::Status TextReader::FailAt(size_t place, absl::string_view message) const {
  return ScriptError(path_, text_, place, message);
}

absl::Status TextReader::Nested(size_t begin, const absl::Status& status) const {
  const std::optional<hlo::TextPlace> where = hlo::PlaceOf(status);
  const std::string id = ErrorIdOf(status);
  absl::string_view message = status.message();
  if (!id.empty()) absl::ConsumePrefix(&message, absl::StrCat(id, ": "));
  size_t place = begin;
  if (where.has_value()) {
    absl::ConsumePrefix(&message, absl::StrCat(where->line, ":", where->column, ": "));
    for (int64_t line = 1; line < where->line; ++line) place = text_.find('\n', place) + 1;
    place += where->column - 1;
  }
  return FailAt(place, id.empty() ? std::string(message) : absl::StrCat(message, " (", id, ")"));
}

absl::StatusOr<absl::string_view> TextReader::TakeWord(absl::string_view what) {
  if (!AtWord()) return Fail(absl::StrCat("expected ", what));
  const size_t begin = place_;
  while (IsWordPart(Peek())) ++place_;
  return text_.substr(begin, place_ - begin);
}

absl::StatusOr<int64_t> TextReader::TakeNumber(absl::string_view what) {
  const size_t begin = place_;
  if (Peek() == '-') ++place_;
  while (absl::ascii_isdigit(Peek())) ++place_;
  int64_t number;
  if (absl::SimpleAtoi(text_.substr(begin, place_ - begin), &number)) return number;
  return FailAt(begin, absl::StrCat("expected ", what, ", an integer of 64 bits"));
}

absl::StatusOr<absl::string_view> TextReader::TakeGroup() {
  const size_t begin = place_;
  std::string open;  // mates of the brackets that are open
  bool quoted = false;
  for (; !at_end(); ++place_) {
    const char c = Peek();
    if (quoted) {
      if (c == '\\' && place_ + 1 < text_.size()) ++place_;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (MateOf(c) != '\0') {
      open.push_back(MateOf(c));
    } else if (!open.empty() && c == open.back()) {
      open.pop_back();
      if (open.empty()) {
        ++place_;
        return text_.substr(begin, place_ - begin);
      }
    } else if (c == ')' || c == ']' || c == '}') {
      return Fail(absl::StrCat("expected '", open.substr(open.size() - 1), "' first, not '",
                               absl::string_view(&c, 1), "'"));
    }
  }
  return FailAt(begin, absl::StrCat("'", text_.substr(begin, 1), "' is never closed"));
}

absl::StatusOr<absl::string_view> TextReader::TakeString() {
  const size_t begin = place_;
  if (!Skip("\"")) return Fail("expected a string");
  while (!AtLineEnd() && Peek() != '"') ++place_;
  if (!Skip("\"")) return FailAt(begin, "the string does not end on its line");
  return text_.substr(begin + 1, place_ - begin - 2);
}

absl::StatusOr<absl::string_view> TextReader::TakeToken() {
  if (MateOf(Peek()) != '\0') return TakeGroup();
  const size_t begin = place_;
  if (Peek() == '"') {
    AXLE_RETURN_IF_ERROR(TakeString().status());
    return text_.substr(begin, place_ - begin);
  }
  while (!at_end() && !absl::StrContains(" \t\r\n,)]}#", Peek())) {
    if (MateOf(Peek()) != '\0') {
      AXLE_RETURN_IF_ERROR(TakeGroup().status());
    } else {
      ++place_;
    }
  }
  if (place_ == begin) return Fail("expected a value");
  return text_.substr(begin, place_ - begin);
}

absl::StatusOr<Reference> TextReader::TakeReference() {
  Reference reference = {.place = place_};
  if (AtNumber()) {
    AXLE_ASSIGN_OR_RETURN(reference.number, TakeNumber("a handle"));
    return reference;
  }
  AXLE_ASSIGN_OR_RETURN(const absl::string_view word, TakeWord("a handle"));
  reference.name = std::string(word);
  if (Peek() != '.' || !IsWordStart(Peek(1))) return reference;
  ++place_;
  AXLE_ASSIGN_OR_RETURN(const absl::string_view name, TakeWord("a handle of the session"));
  reference.session = std::move(reference.name);
  reference.name = std::string(name);
  return reference;
}

bool TextReader::AtShape() const {
  if (Peek() == '(') return true;
  size_t length = 0;
  while (IsWordPart(Peek(length))) ++length;
  return Peek(length) == '[' && hlo::ElementTypeFromName(text_.substr(place_, length)).has_value();
}

absl::StatusOr<hlo::Shape> TextReader::TakeShape() {
  const size_t begin = place_;
  if (!AtShape()) return Fail("expected a shape, as in f32[2,3] or (f32[2], s32[])");
  if (Peek() != '(') AXLE_RETURN_IF_ERROR(TakeWord("an element type").status());
  AXLE_RETURN_IF_ERROR(TakeGroup().status());
  if (Peek() == '{') AXLE_RETURN_IF_ERROR(TakeGroup().status());  // a layout
  absl::StatusOr<hlo::Shape> shape = hlo::ParseShape(text_.substr(begin, place_ - begin));
  if (!shape.ok()) return Nested(begin, shape.status());
  return shape;
}

absl::StatusOr<hlo::Literal> TextReader::TakeLiteral() {
  AXLE_ASSIGN_OR_RETURN(const hlo::Shape shape, TakeShape());
  SkipBlanks();
  const size_t begin = place_;
  if (AtLineEnd()) return Fail("expected the value of the shape");
  AXLE_ASSIGN_OR_RETURN(const absl::string_view value, TakeToken());
  absl::StatusOr<hlo::Literal> literal = hlo::ParseLiteralOfShape(value, shape);
  if (!literal.ok()) return Nested(begin, literal.status());
  return literal;
}

absl::StatusOr<hlo::ProgramShape> TextReader::TakeProgramShape() {
  if (Peek() != '(') return Fail("expected the shape of a program, as in (f32[2]) -> f32[]");
  AXLE_ASSIGN_OR_RETURN(const hlo::Shape parameters, TakeShape());
  SkipBlanks();
  if (!Skip("->")) return Fail("expected '->' and the shape of the result");
  SkipBlanks();
  hlo::ProgramShape shape;
  shape.parameters.assign(parameters.tuple_shapes().begin(), parameters.tuple_shapes().end());
  AXLE_ASSIGN_OR_RETURN(shape.result, TakeShape());
  return shape;
}

}  // namespace axle::xrt_script
