// SPDX-License-Identifier: Apache-2.0
// A cursor over the text of a script. Everything it returns is a view of that text, so that places
// of errors are known wherever a part ends up.
#ifndef AXLE_XRT_SCRIPT_TEXT_READER_H_
#define AXLE_XRT_SCRIPT_TEXT_READER_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "hlo/literal.h"
#include "hlo/shape.h"
#include "xrt_script/script.h"

namespace axle::xrt_script {

class TextReader {
 public:
  TextReader(absl::string_view path, absl::string_view text) : path_(path), text_(text) {}

  absl::string_view path() const { return path_; }
  absl::string_view text() const { return text_; }
  size_t place() const { return place_; }
  void MoveTo(size_t place) { place_ = place; }
  bool at_end() const { return place_ >= text_.size(); }
  char Peek(size_t ahead = 0) const {
    return place_ + ahead < text_.size() ? text_[place_ + ahead] : '\0';
  }
  bool Ahead(absl::string_view word) const { return absl::StartsWith(text_.substr(place_), word); }
  bool AtLineEnd() const { return at_end() || Peek() == '\n'; }
  // At a letter or underscore.
  bool AtWord() const;
  // At a digit, or a minus and a digit.
  bool AtNumber() const;

  void SkipBlanks();  // and a comment; not the end of the line
  void SkipLines();   // and ends of lines
  bool Skip(absl::string_view word);

  absl::Status Fail(absl::string_view message) const { return FailAt(place_, message); }
  absl::Status FailAt(size_t place, absl::string_view message) const;
  // An error in a part that begins at `begin`, by a reader of that part alone.
  absl::Status Nested(size_t begin, const absl::Status& status) const;

  absl::StatusOr<absl::string_view> TakeWord(absl::string_view what);
  absl::StatusOr<int64_t> TakeNumber(absl::string_view what);
  // At a bracket: the text to its mate, both included. Brackets in double quotes do not count.
  absl::StatusOr<absl::string_view> TakeGroup();
  absl::StatusOr<absl::string_view> TakeString();  // without the quotes; no escapes
  // A group, or everything to a blank, a comma or a closing bracket.
  absl::StatusOr<absl::string_view> TakeToken();
  // `name`, `session.name` or a number.
  absl::StatusOr<Reference> TakeReference();

  // Whether a shape begins here: "f32[" or "(".
  bool AtShape() const;
  absl::StatusOr<hlo::Shape> TakeShape();
  // "f32[2] {1, 2}".
  absl::StatusOr<hlo::Literal> TakeLiteral();
  // "(f32[2], f32[]) -> f32[2]".
  absl::StatusOr<hlo::ProgramShape> TakeProgramShape();

  // Offset of a view that this reader returned.
  size_t PlaceOf(absl::string_view part) const { return part.data() - text_.data(); }

 private:
  absl::string_view path_;
  absl::string_view text_;
  size_t place_ = 0;
};

}  // namespace axle::xrt_script

#endif  // AXLE_XRT_SCRIPT_TEXT_READER_H_
