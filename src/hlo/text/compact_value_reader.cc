// SPDX-License-Identifier: Apache-2.0
// Values made of numbers and letters without spaces: windows, paddings, slices, dimension labels.
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "hlo/text/errors.h"
#include "hlo/text/value_reader.h"

namespace axle::hlo::text {
namespace {

// "3x3x1" → 3 3 1; "0_1x2_3" → 0_1 2_3, each split further: entries of `parts` numbers or, where
// `least` is smaller, as few.
absl::StatusOr<std::vector<std::vector<int64_t>>> TakeProduct(Reader& reader, size_t least,
                                                              size_t most, absl::string_view what) {
  const size_t begin = reader.token().begin;
  AXLE_ASSIGN_OR_RETURN(const absl::string_view text, reader.TakeCharacters("_-", what));
  std::vector<std::vector<int64_t>> entries;
  for (const absl::string_view part : absl::StrSplit(text, 'x')) {
    std::vector<int64_t>& numbers = entries.emplace_back();
    for (const absl::string_view number : absl::StrSplit(part, '_')) {
      if (!absl::SimpleAtoi(number, &numbers.emplace_back())) {
        return reader.Error(errors::kSyntax, begin,
                            absl::StrCat("'", number, "' is no integer of 64 bits in ", what));
      }
    }
    if (numbers.size() < least || numbers.size() > most) {
      return reader.Error(errors::kSyntax, begin,
                          absl::StrCat("'", part, "' has the wrong number of '_' in ", what));
    }
  }
  return entries;
}

// One of size, stride, pad … of a window, behind its '='. The first one sets the number of
// dimensions.
absl::Status ReadWindowPart(Reader& reader, absl::string_view key, WindowConfig& window,
                            bool first) {
  const size_t begin = reader.token().begin;
  const size_t parts = key == "pad" ? 2 : 1;
  AXLE_ASSIGN_OR_RETURN(const auto entries, TakeProduct(reader, parts, parts, key));
  if (first) window.dimensions.resize(entries.size());
  if (window.dimensions.size() != entries.size()) {
    return reader.Error(errors::kSyntax, begin,
                        absl::StrCat(key, " has ", entries.size(), " dimensions, the window has ",
                                     window.dimensions.size()));
  }
  for (size_t i = 0; i < entries.size(); ++i) {
    WindowDimension& dimension = window.dimensions[i];
    const int64_t value = entries[i][0];
    if (key == "size") {
      dimension.size = value;
    } else if (key == "stride") {
      dimension.stride = value;
    } else if (key == "pad") {
      dimension.padding_low = value;
      dimension.padding_high = entries[i][1];
    } else if (key == "lhs_dilate") {
      dimension.base_dilation = value;
    } else if (key == "rhs_dilate") {
      dimension.window_dilation = value;
    } else if (key == "rhs_reversal") {
      dimension.window_reversal = value != 0;
    } else {
      return reader.Error(errors::kSyntax, begin,
                          absl::StrCat("'", key,
                                       "' is no part of a window: size, stride, pad, "
                                       "lhs_dilate, rhs_dilate, rhs_reversal"));
    }
  }
  return absl::OkStatus();
}

// Finds every label of one operand of a convolution: "b01f" → batch 0, feature 3, spatial 1 2.
// '?' is a dimension without a role.
absl::Status ReadLabels(Reader& reader, size_t begin, absl::string_view labels,
                        absl::string_view letters, int64_t& first, int64_t& second,
                        std::vector<int64_t>& spatial) {
  const auto fail = [&](absl::string_view problem) {
    return reader.Error(errors::kSyntax, begin,
                        absl::StrCat("dimension labels '", labels, "' ", problem));
  };
  if (labels.size() > Shape::kMaxRank) return fail("are more than an array has dimensions");
  first = second = -1;
  for (size_t i = 0; i < labels.size(); ++i) {
    const char c = labels[i];
    if (c == '?') continue;
    int64_t* place = nullptr;
    if (c == letters[0]) {
      place = &first;
    } else if (c == letters[1]) {
      place = &second;
    } else if (c >= '0' && c <= '9') {
      const size_t dimension = c - '0';
      if (dimension >= spatial.size()) spatial.resize(dimension + 1, -1);
      place = &spatial[dimension];
    } else {
      return fail(absl::StrCat("have a letter other than '", letters, "'"));
    }
    if (*place != -1) return fail("have the same label twice");
    *place = static_cast<int64_t>(i);
  }
  if (first == -1 || second == -1) return fail(absl::StrCat("lack one of '", letters, "'"));
  if (std::find(spatial.begin(), spatial.end(), -1) != spatial.end()) {
    return fail("skip a spatial dimension");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadValue(Reader& reader, absl::string_view, WindowConfig& value) {
  value.dimensions.clear();
  AXLE_RETURN_IF_ERROR(reader.Take('{', "before a window"));
  bool first = true, has_size = false;
  while (!reader.At('}')) {
    AXLE_ASSIGN_OR_RETURN(const absl::string_view key, reader.TakeWord("a part of a window"));
    AXLE_RETURN_IF_ERROR(reader.Take('=', "in a window"));
    AXLE_RETURN_IF_ERROR(ReadWindowPart(reader, key, value, first));
    first = false;
    has_size |= key == "size";
  }
  if (!first && !has_size) return reader.Expected("size= in a window");
  reader.Next();
  return absl::OkStatus();
}

absl::Status ReadValue(Reader& reader, absl::string_view key, PaddingConfig& value) {
  value.dimensions.clear();
  if (!reader.AtKind(TokenKind::kNumber)) return absl::OkStatus();  // of a scalar
  AXLE_ASSIGN_OR_RETURN(const auto entries, TakeProduct(reader, 2, 3, key));
  for (const std::vector<int64_t>& entry : entries) {
    value.dimensions.push_back({entry[0], entry[1], entry.size() == 3 ? entry[2] : 0});
  }
  return absl::OkStatus();
}

absl::Status ReadValue(Reader& reader, absl::string_view key, SliceConfig& value) {
  value.dimensions.clear();
  return reader.TakeList('{', '}', key, [&]() -> absl::Status {
    SliceDimension dimension;
    AXLE_RETURN_IF_ERROR(reader.Take('[', "before a range start:limit:stride"));
    AXLE_ASSIGN_OR_RETURN(dimension.start, reader.TakeInt64("the start of a slice"));
    AXLE_RETURN_IF_ERROR(reader.Take(':', "behind the start of a slice"));
    AXLE_ASSIGN_OR_RETURN(dimension.limit, reader.TakeInt64("the limit of a slice"));
    if (reader.Try(':')) {
      AXLE_ASSIGN_OR_RETURN(dimension.stride, reader.TakeInt64("the stride of a slice"));
    }
    value.dimensions.push_back(dimension);
    return reader.Take(']', "behind a range");
  });
}

absl::Status ReadValue(Reader& reader, absl::string_view key, ConvolutionDimensions& value) {
  value = ConvolutionDimensions();
  const size_t begin = reader.token().begin;
  AXLE_ASSIGN_OR_RETURN(const absl::string_view text, reader.TakeCharacters("_?->", key));
  const std::pair<absl::string_view, absl::string_view> sides =
      absl::StrSplit(text, absl::MaxSplits("->", 1));
  const std::pair<absl::string_view, absl::string_view> operands =
      absl::StrSplit(sides.first, absl::MaxSplits('_', 1));
  AXLE_RETURN_IF_ERROR(ReadLabels(reader, begin, operands.first, "bf", value.input_batch,
                                  value.input_feature, value.input_spatial));
  AXLE_RETURN_IF_ERROR(ReadLabels(reader, begin, operands.second, "io", value.kernel_input_feature,
                                  value.kernel_output_feature, value.kernel_spatial));
  AXLE_RETURN_IF_ERROR(ReadLabels(reader, begin, sides.second, "bf", value.output_batch,
                                  value.output_feature, value.output_spatial));
  const size_t spatial = value.input_spatial.size();
  if (value.kernel_spatial.size() != spatial || value.output_spatial.size() != spatial) {
    return reader.Error(errors::kSyntax, begin,
                        "input, kernel and output have different numbers of spatial dimensions");
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::text
