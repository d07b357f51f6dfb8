// SPDX-License-Identifier: Apache-2.0
// Tokens of HLO text. Whitespace and comments, both kinds, separate tokens and are skipped.
#ifndef AXLE_HLO_TEXT_LEXER_H_
#define AXLE_HLO_TEXT_LEXER_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace axle::hlo::text {

enum class TokenKind : uint8_t {
  kEnd,
  kWord,         // add, all-reduce, f32, ROOT, -inf
  kName,         // %add.1; `text` is without the percent sign
  kQuotedName,   // %"any bytes"; `text` is what stands between the quotes, still escaped
  kNumber,       // -1, 2.5e-3; also 3x3 and 0_1, which windows are made of
  kString,       // "…"; `text` is what stands between the quotes, still escaped
  kPunctuation,  // one character
  kArrow,        // ->
  kLessEqual,    // <=
  kEllipsis,     // ...
  kInvalid,      // a string or comment without end
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  absl::string_view text;
  size_t begin = 0;  // offset of the token, quotes and percent sign included
};

// A cursor over text that has read one token ahead. Small: copy it to look further ahead. The text
// must outlive it and every token.
class Lexer {
 public:
  explicit Lexer(absl::string_view text) : text_(text) { Next(); }

  const Token& token() const { return token_; }
  absl::string_view text() const { return text_; }
  size_t end() const { return position_; }  // offset behind the current token

  void Next();
  // Makes the token at or after `offset` the current one.
  void MoveTo(size_t offset) {
    position_ = offset;
    Next();
  }

 private:
  bool SkipSpaceAndComments();  // false at a comment without end
  char At(size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  void Finish(TokenKind kind, size_t begin, size_t end);
  void LexString(TokenKind kind, size_t begin, size_t quote);
  void LexNumber(size_t begin);
  void LexWord(TokenKind kind, size_t begin, size_t from);

  absl::string_view text_;
  size_t position_ = 0;
  Token token_;
};

// Letters, digits, '_', '.' and '-': what names are made of.
bool IsNameCharacter(char c);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_LEXER_H_
