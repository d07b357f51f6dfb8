// SPDX-License-Identifier: Apache-2.0
// Reader: the state of one read. A cursor over tokens with the small steps that all grammar
// functions share, and the pools that make equal parts of the result share memory.
//
// The grammar is spread over *_reader.h by subject; each function starts at the current token and,
// unless it fails, leaves the cursor behind what it read.
#ifndef AXLE_HLO_TEXT_READER_H_
#define AXLE_HLO_TEXT_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/error.h"
#include "base/shared_string.h"
#include "base/status_macros.h"
#include "hlo/instruction.h"
#include "hlo/text/lexer.h"
#include "hlo/text/parser.h"

namespace axle::hlo::text {

class Reader {
 public:
  Reader(absl::string_view text, const ParseOptions& options) : lexer_(text), options_(options) {}

  const Token& token() const { return lexer_.token(); }
  Lexer& lexer() { return lexer_; }
  absl::string_view text() const { return lexer_.text(); }
  const ParseOptions& options() const { return options_; }

  bool AtEnd() const { return token().kind == TokenKind::kEnd; }
  bool At(char punctuation) const {
    return token().kind == TokenKind::kPunctuation && token().text[0] == punctuation;
  }
  bool AtWord(absl::string_view word) const {
    return token().kind == TokenKind::kWord && token().text == word;
  }
  bool AtKind(TokenKind kind) const { return token().kind == kind; }
  // A name: %x, %"x", or a bare word.
  bool AtName() const {
    return AtKind(TokenKind::kName) || AtKind(TokenKind::kWord) || AtKind(TokenKind::kQuotedName);
  }
  // The token behind the current one.
  Token Ahead() const {
    Lexer copy = lexer_;
    copy.Next();
    return copy.token();
  }
  void Next() { lexer_.Next(); }

  // Steps over the token if it is there.
  bool Try(char punctuation);
  bool TryWord(absl::string_view word);
  bool TryKind(TokenKind kind);

  // Steps over the token or fails: "expected '(' before the operands, found …".
  absl::Status Take(char punctuation, absl::string_view where);
  absl::Status TakeKind(TokenKind kind, absl::string_view what);

  absl::StatusOr<int64_t> TakeInt64(absl::string_view what);
  absl::StatusOr<int32_t> TakeInt32(absl::string_view what);
  absl::StatusOr<int64_t> TakeSize(absl::string_view what);  // an int64 >= 0
  absl::StatusOr<bool> TakeBool(absl::string_view what);
  absl::StatusOr<double> TakeDouble(absl::string_view what);
  absl::StatusOr<std::string> TakeString(absl::string_view what);  // unescaped
  absl::StatusOr<absl::string_view> TakeWord(absl::string_view what);
  // A name without its percent sign. The view lives as long as the text or the reader.
  absl::StatusOr<absl::string_view> TakeName(absl::string_view what);
  // Characters from the start of the current token on: letters, digits and `more`.
  absl::StatusOr<absl::string_view> TakeCharacters(absl::string_view more, absl::string_view what);
  // "{…}" or "[…]" or "(…)" as written, brackets matched, strings respected.
  absl::StatusOr<absl::string_view> TakeGroup(absl::string_view what);
  // A value of unknown form: what has no space in it outside brackets and strings, up to a ',' or a
  // closing bracket; brackets and strings behind a space still belong to it.
  absl::StatusOr<absl::string_view> TakeRawValue(absl::string_view what);

  // open item , item … close; item() reads one.
  template <typename F>
  absl::Status TakeList(char open, char close, absl::string_view what, F item) {
    if (!Try(open)) return Expected(absl::StrCat("'", std::string(1, open), "' before ", what));
    if (Try(close)) return absl::OkStatus();
    do {
      AXLE_RETURN_IF_ERROR(item());
    } while (Try(','));
    if (Try(close)) return absl::OkStatus();
    return Expected(absl::StrCat("'", std::string(1, close), "' behind ", what));
  }
  absl::StatusOr<std::vector<int64_t>> TakeInt64List(char open, char close, absl::string_view what);

  // Errors with a place.
  absl::Status Error(const ErrorDef& def, size_t offset, absl::string_view message) const;
  absl::Status ErrorHere(const ErrorDef& def, absl::string_view message) const {
    return Error(def, token().begin, message);
  }
  absl::Status Expected(absl::string_view what) const;  // kSyntax: expected …, found …

  // One level of nesting for the lifetime of the object; check ok() first.
  class Level {
   public:
    explicit Level(Reader& reader) : reader_(reader) { ++reader_.depth_; }
    ~Level() { --reader_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    absl::Status status() const;

   private:
    Reader& reader_;
  };

  // Pools: equal slices of text give the same object.
  ShapeInterner shapes;
  StringInterner strings;
  absl::flat_hash_map<absl::string_view, Shape> shapes_by_text;
  // Bounded, because most metadata occurs once and what occurs again does so nearby: all is
  // forgotten when it is full.
  static constexpr size_t kMostMetadata = 1 << 12;
  absl::flat_hash_map<absl::string_view, std::shared_ptr<const Metadata>> metadata_by_text;

 private:
  absl::StatusOr<size_t> GroupEnd(size_t begin, absl::string_view what) const;
  absl::StatusOr<size_t> StringEnd(size_t begin) const;

  Lexer lexer_;
  const ParseOptions& options_;
  int depth_ = 0;
};

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_READER_H_
