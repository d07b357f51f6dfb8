// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/lexer.h"

#include "absl/strings/ascii.h"

namespace axle::hlo::text {

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
}

bool Lexer::SkipSpaceAndComments() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++position_;
    } else if (c == '/' && At(position_ + 1) == '/') {
      const size_t newline = text_.find('\n', position_);
      position_ = newline == absl::string_view::npos ? text_.size() : newline;
    } else if (c == '/' && At(position_ + 1) == '*') {
      const size_t close = text_.find("*/", position_ + 2);
      if (close == absl::string_view::npos) return false;
      position_ = close + 2;
    } else {
      break;
    }
  }
  return true;
}

void Lexer::Finish(TokenKind kind, size_t begin, size_t end) {
  token_.kind = kind;
  token_.begin = begin;
  token_.text = text_.substr(begin, end - begin);
  position_ = end;
}

void Lexer::LexString(TokenKind kind, size_t begin, size_t quote) {
  size_t i = quote + 1;
  while (i < text_.size() && text_[i] != '"') i += text_[i] == '\\' ? 2 : 1;
  if (i >= text_.size()) {
    Finish(TokenKind::kInvalid, begin, text_.size());
    return;
  }
  token_.kind = kind;
  token_.begin = begin;
  token_.text = text_.substr(quote + 1, i - quote - 1);
  position_ = i + 1;
}

// Takes whatever may belong to a number, or to a list of numbers joined by 'x' and '_'. A sign
// belongs to it at the start and behind the 'e' of a decimal number.
void Lexer::LexNumber(size_t begin) {
  size_t i = begin;
  if (text_[i] == '-' || text_[i] == '+') ++i;
  bool decimal = true;
  for (; i < text_.size(); ++i) {
    const char c = text_[i];
    if (absl::ascii_isdigit(static_cast<unsigned char>(c))) continue;
    if (c == '.') {
      if (At(i + 1) == '.') break;
      continue;
    }
    const bool exponent = decimal && (c == 'e' || c == 'E');
    if (exponent && (At(i + 1) == '-' || At(i + 1) == '+')) {
      ++i;
    } else if (c == '_' || absl::ascii_isalpha(static_cast<unsigned char>(c))) {
      decimal &= exponent;
    } else {
      break;
    }
  }
  Finish(TokenKind::kNumber, begin, i);
}

void Lexer::LexWord(TokenKind kind, size_t begin, size_t from) {
  size_t i = from;
  while (i < text_.size() && IsNameCharacter(text_[i])) {
    if (text_[i] == '-' && At(i + 1) == '>') break;
    ++i;
  }
  Finish(kind, from, i);
  token_.begin = begin;
}

void Lexer::Next() {
  if (!SkipSpaceAndComments()) {
    Finish(TokenKind::kInvalid, position_, text_.size());
    return;
  }
  const size_t begin = position_;
  if (begin >= text_.size()) {
    Finish(TokenKind::kEnd, text_.size(), text_.size());
    return;
  }
  const char c = text_[begin];
  const char next = At(begin + 1);
  const auto is_digit = [](char d) { return absl::ascii_isdigit(static_cast<unsigned char>(d)); };
  const auto is_letter = [](char d) { return absl::ascii_isalpha(static_cast<unsigned char>(d)); };
  if (is_letter(c) || c == '_') {
    LexWord(TokenKind::kWord, begin, begin);
  } else if (c == '%' && next == '"') {
    LexString(TokenKind::kQuotedName, begin, begin + 1);
  } else if (c == '%' && IsNameCharacter(next)) {
    LexWord(TokenKind::kName, begin, begin + 1);
  } else if (c == '"') {
    LexString(TokenKind::kString, begin, begin);
  } else if (c == '-' && next == '>') {
    Finish(TokenKind::kArrow, begin, begin + 2);
  } else if (c == '-' && is_letter(next)) {
    LexWord(TokenKind::kWord, begin, begin);
  } else if (is_digit(c) || ((c == '-' || c == '+' || c == '.') && is_digit(next)) ||
             (c == '-' && next == '.' && is_digit(At(begin + 2)))) {
    LexNumber(begin);
  } else if (c == '<' && next == '=') {
    Finish(TokenKind::kLessEqual, begin, begin + 2);
  } else if (c == '.' && next == '.' && At(begin + 2) == '.') {
    Finish(TokenKind::kEllipsis, begin, begin + 3);
  } else {
    Finish(TokenKind::kPunctuation, begin, begin + 1);
  }
}

}  // namespace axle::hlo::text
