// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/reader.h"

#include <bit>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hlo/text/errors.h"
#include "hlo/text/number_text.h"
#include "hlo/text/place.h"

namespace axle::hlo::text {
namespace {

std::string Describe(const Token& token) {
  constexpr size_t kMost = 40;
  const std::string text = absl::CHexEscape(token.text.substr(0, kMost));
  const absl::string_view dots = token.text.size() > kMost ? "…" : "";
  switch (token.kind) {
    case TokenKind::kEnd:
      return "the end of the text";
    case TokenKind::kInvalid:
      return absl::StrCat("a string or comment without end: ", text, dots);
    case TokenKind::kString:
      return absl::StrCat("the string \"", text, dots, "\"");
    case TokenKind::kName:
    case TokenKind::kQuotedName:
      return absl::StrCat("'%", text, dots, "'");
    case TokenKind::kWord:
    case TokenKind::kNumber:
    case TokenKind::kPunctuation:
    case TokenKind::kArrow:
    case TokenKind::kLessEqual:
    case TokenKind::kEllipsis:
      return absl::StrCat("'", text, dots, "'");
  }
  return "";
}

}  // namespace

bool Reader::Try(char punctuation) {
  if (!At(punctuation)) return false;
  Next();
  return true;
}

bool Reader::TryWord(absl::string_view word) {
  if (!AtWord(word)) return false;
  Next();
  return true;
}

bool Reader::TryKind(TokenKind kind) {
  if (!AtKind(kind)) return false;
  Next();
  return true;
}

absl::Status Reader::Error(const ErrorDef& def, size_t offset, absl::string_view message) const {
  return MakePlacedError(def, text(), offset, options_.file_name, message);
}

absl::Status Reader::Expected(absl::string_view what) const {
  return ErrorHere(errors::kSyntax, absl::StrCat("expected ", what, ", found ", Describe(token())));
}

absl::Status Reader::Level::status() const {
  if (reader_.depth_ <= reader_.options_.max_nesting) return absl::OkStatus();
  return reader_.ErrorHere(errors::kNesting,
                           absl::StrCat("nests more than ", reader_.options_.max_nesting, " deep"));
}

absl::Status Reader::Take(char punctuation, absl::string_view where) {
  if (Try(punctuation)) return absl::OkStatus();
  return Expected(absl::StrCat("'", absl::string_view(&punctuation, 1), "' ", where));
}

absl::Status Reader::TakeKind(TokenKind kind, absl::string_view what) {
  return TryKind(kind) ? absl::OkStatus() : Expected(what);
}

absl::StatusOr<int64_t> Reader::TakeInt64(absl::string_view what) {
  if (!AtKind(TokenKind::kNumber)) return Expected(what);
  int64_t value = 0;
  if (!absl::SimpleAtoi(token().text, &value)) {
    for (size_t i = 0; i < token().text.size(); ++i) {
      const char c = token().text[i];
      if (!absl::ascii_isdigit(static_cast<unsigned char>(c)) && !(i == 0 && c == '-')) {
        return Expected(what);
      }
    }
    return ErrorHere(errors::kNumberRange,
                     absl::StrCat(token().text, " does not fit into 64 bits: ", what));
  }
  Next();
  return value;
}

absl::StatusOr<int32_t> Reader::TakeInt32(absl::string_view what) {
  const size_t begin = token().begin;
  AXLE_ASSIGN_OR_RETURN(const int64_t value, TakeInt64(what));
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
    return Error(errors::kNumberRange, begin,
                 absl::StrCat(value, " does not fit into 32 bits: ", what));
  }
  return static_cast<int32_t>(value);
}

absl::StatusOr<int64_t> Reader::TakeSize(absl::string_view what) {
  const size_t begin = token().begin;
  AXLE_ASSIGN_OR_RETURN(const int64_t value, TakeInt64(what));
  if (value < 0) {
    return Error(errors::kNumberRange, begin, absl::StrCat(value, " is negative: ", what));
  }
  return value;
}

absl::StatusOr<bool> Reader::TakeBool(absl::string_view what) {
  if (TryWord("true")) return true;
  if (TryWord("false")) return false;
  return Expected(absl::StrCat("true or false for ", what));
}

absl::StatusOr<double> Reader::TakeDouble(absl::string_view what) {
  if (TryWord("inf")) return std::numeric_limits<double>::infinity();
  if (TryWord("-inf")) return -std::numeric_limits<double>::infinity();
  if (!AtKind(TokenKind::kNumber)) return Expected(what);
  uint64_t bits = 0;
  const DecimalResult result = ParseDecimal(ElementType::kF64, token().text, &bits);
  if (result == DecimalResult::kNotANumber) return Expected(what);
  if (result == DecimalResult::kOutOfRange) {
    return ErrorHere(errors::kNumberRange, absl::StrCat(token().text, " does not fit into f64"));
  }
  Next();
  return std::bit_cast<double>(bits);
}

absl::StatusOr<std::string> Reader::TakeString(absl::string_view what) {
  if (!AtKind(TokenKind::kString)) return Expected(absl::StrCat(what, " in quotes"));
  std::string value, problem;
  if (!absl::CUnescape(token().text, &value, &problem)) {
    return ErrorHere(errors::kSyntax, absl::StrCat("bad escape in a string: ", problem));
  }
  Next();
  return value;
}

absl::StatusOr<absl::string_view> Reader::TakeWord(absl::string_view what) {
  if (!AtKind(TokenKind::kWord)) return Expected(what);
  const absl::string_view word = token().text;
  Next();
  return word;
}

absl::StatusOr<absl::string_view> Reader::TakeName(absl::string_view what) {
  if (!AtName()) return Expected(what);
  absl::string_view name = token().text;
  if (AtKind(TokenKind::kQuotedName)) {
    std::string value, problem;
    if (!absl::CUnescape(name, &value, &problem)) {
      return ErrorHere(errors::kSyntax, absl::StrCat("bad escape in a name: ", problem));
    }
    name = strings.Intern(value).view();
  }
  Next();
  return name;
}

absl::StatusOr<absl::string_view> Reader::TakeCharacters(absl::string_view more,
                                                         absl::string_view what) {
  const size_t begin = token().begin;
  size_t end = begin;
  while (end < text().size() && (absl::ascii_isalnum(static_cast<unsigned char>(text()[end])) ||
                                 more.find(text()[end]) != absl::string_view::npos)) {
    ++end;
  }
  if (end == begin) return Expected(what);
  lexer_.MoveTo(end);
  return text().substr(begin, end - begin);
}

// The offset behind the bracket that closes the one at `begin`.
absl::StatusOr<size_t> Reader::GroupEnd(size_t begin, absl::string_view what) const {
  std::string open;  // the closing brackets that are due
  for (size_t i = begin; i < text().size(); ++i) {
    const char c = text()[i];
    if (c == '"') {
      AXLE_ASSIGN_OR_RETURN(const size_t behind, StringEnd(i));
      i = behind - 1;
    } else if (c == '{' || c == '[' || c == '(') {
      open.push_back(c == '{' ? '}' : c == '[' ? ']' : ')');
      if (static_cast<int>(open.size()) > options_.max_nesting) {
        return Error(errors::kNesting, i,
                     absl::StrCat(what, " nests more than ", options_.max_nesting, " deep"));
      }
    } else if (c == '}' || c == ']' || c == ')') {
      if (c != open.back()) {
        return Error(errors::kSyntax, i,
                     absl::StrCat("expected '", open.substr(open.size() - 1), "' in ", what,
                                  ", found '", absl::string_view(&c, 1), "'"));
      }
      open.pop_back();
      if (open.empty()) return i + 1;
    }
  }
  return Error(errors::kSyntax, begin, absl::StrCat(what, " has no end"));
}

absl::StatusOr<absl::string_view> Reader::TakeGroup(absl::string_view what) {
  if (!At('{') && !At('[') && !At('(')) return Expected(absl::StrCat(what, " in brackets"));
  const size_t begin = token().begin;
  AXLE_ASSIGN_OR_RETURN(const size_t end, GroupEnd(begin, what));
  lexer_.MoveTo(end);
  return text().substr(begin, end - begin);
}

absl::StatusOr<size_t> Reader::StringEnd(size_t begin) const {
  size_t i = begin + 1;
  while (i < text().size() && text()[i] != '"') i += text()[i] == '\\' ? 2 : 1;
  if (i >= text().size()) return Error(errors::kSyntax, begin, "a string without end");
  return i + 1;
}

absl::StatusOr<absl::string_view> Reader::TakeRawValue(absl::string_view what) {
  const size_t begin = token().begin;
  const auto at = [&](size_t i) { return i < text().size() ? text()[i] : '\0'; };
  const auto is_one_of = [](char c, absl::string_view set) {
    return c != '\0' && absl::StrContains(set, c);
  };
  size_t end = begin;
  while (end < text().size()) {
    const char c = at(end);
    if (is_one_of(c, ",}])\n\r") || (c == '/' && is_one_of(at(end + 1), "/*"))) break;
    if (is_one_of(c, "{[(")) {
      AXLE_ASSIGN_OR_RETURN(end, GroupEnd(end, what));
    } else if (c == '"') {
      AXLE_ASSIGN_OR_RETURN(end, StringEnd(end));
    } else if (is_one_of(c, " \t")) {
      size_t behind = end;
      while (is_one_of(at(behind), " \t")) ++behind;
      if (!is_one_of(at(behind), "{[(\"")) break;
      end = behind;
    } else {
      ++end;
    }
  }
  if (end == begin) return Expected(what);
  lexer_.MoveTo(end);
  return text().substr(begin, end - begin);
}

absl::StatusOr<std::vector<int64_t>> Reader::TakeInt64List(char open, char close,
                                                           absl::string_view what) {
  std::vector<int64_t> values;
  AXLE_RETURN_IF_ERROR(TakeList(open, close, what, [&]() -> absl::Status {
    AXLE_ASSIGN_OR_RETURN(const int64_t value, TakeInt64(what));
    values.push_back(value);
    return absl::OkStatus();
  }));
  return values;
}

}  // namespace axle::hlo::text
