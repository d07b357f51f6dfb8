// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/place.h"

#include <algorithm>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "hlo/text/parser.h"

namespace axle::hlo {
namespace text {
namespace {

constexpr absl::string_view kPlacePayload = "axle/text-place";

TextPlace PlaceAt(absl::string_view text, size_t offset) {
  const absl::string_view before = text.substr(0, offset);
  const size_t newline = before.rfind('\n');
  TextPlace place;
  place.line = std::count(before.begin(), before.end(), '\n') + 1;
  place.column = before.size() - (newline == absl::string_view::npos ? 0 : newline + 1) + 1;
  return place;
}

}  // namespace

absl::Status MakePlacedError(const ErrorDef& def, absl::string_view text, size_t offset,
                             absl::string_view file, absl::string_view message) {
  const TextPlace place = PlaceAt(text, std::min(offset, text.size()));
  absl::Status status = MakeError(def, absl::StrCat(file, file.empty() ? "" : ":", place.line, ":",
                                                    place.column, ": ", message));
  const std::string where = absl::StrCat(place.line, ":", place.column);
  status.SetPayload(kPlacePayload, absl::Cord(absl::string_view(where)));
  return status;
}

}  // namespace text

std::optional<TextPlace> PlaceOf(const absl::Status& status) {
  const auto payload = status.GetPayload(text::kPlacePayload);
  if (!payload.has_value()) return std::nullopt;
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(std::string(*payload), absl::MaxSplits(':', 1));
  TextPlace place;
  if (!absl::SimpleAtoi(parts.first, &place.line) ||
      !absl::SimpleAtoi(parts.second, &place.column)) {
    return std::nullopt;
  }
  return place;
}

std::string Excerpt(absl::string_view text, const TextPlace& place) {
  size_t begin = 0;
  for (int64_t line = 1; line < place.line; ++line) {
    const size_t newline = text.find('\n', begin);
    if (newline == absl::string_view::npos) return "";
    begin = newline + 1;
  }
  absl::string_view line = text.substr(begin, text.substr(begin).find('\n'));
  constexpr size_t kWidth = 100;
  size_t caret = static_cast<size_t>(std::max<int64_t>(place.column - 1, 0));
  caret = std::min(caret, line.size());
  absl::string_view left, right;
  if (line.size() > kWidth) {
    const size_t from = std::min(caret < kWidth / 2 ? 0 : caret - kWidth / 2, line.size() - kWidth);
    if (from + kWidth < line.size()) right = "…";
    line = line.substr(from, kWidth);
    caret -= from;
    if (from > 0) left = "…";
  }
  std::string shown(line);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  const std::string number = absl::StrCat(place.line);
  return absl::StrCat("  ", number, " | ", left, shown, right, "\n  ",
                      std::string(number.size(), ' '), " | ",
                      std::string(caret + (left.empty() ? 0 : 1), ' '), "^\n");
}

}  // namespace axle::hlo
