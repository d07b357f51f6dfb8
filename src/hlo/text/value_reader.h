// SPDX-License-Identifier: Apache-2.0
// One ReadValue for each type that an attribute's field has (hlo/attribute_values.h); what it reads
// stands behind "key=". value_printer.h is its mirror.
#ifndef AXLE_HLO_TEXT_VALUE_READER_H_
#define AXLE_HLO_TEXT_VALUE_READER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hlo/attributes.h"
#include "hlo/instruction.h"
#include "hlo/module.h"
#include "hlo/text/reader.h"

namespace axle::hlo::text {

// `key` is the attribute's, for messages and for the few fields whose form their key decides.
absl::Status ReadValue(Reader& reader, absl::string_view key, bool& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, int64_t& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, float& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, std::string& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, std::vector<int64_t>& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, std::vector<bool>& value);
absl::Status ReadValue(Reader& reader, absl::string_view key,
                       std::vector<std::vector<int64_t>>& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, Shape& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, std::vector<Shape>& value);
absl::Status ReadValue(Reader& reader, absl::string_view key,
                       std::shared_ptr<const Literal>& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, OperandPrecision& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, ResultAccuracy& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, WindowConfig& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, PaddingConfig& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, SliceConfig& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, ConvolutionDimensions& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, ReplicaGroups& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, SourceTargetPairs& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, OutputOperandAliases& value);
absl::Status ReadValue(Reader& reader, absl::string_view key, DomainShardings& value);

template <typename E, typename = std::enable_if_t<std::is_enum_v<E>>, typename = void>
absl::Status ReadValue(Reader& reader, absl::string_view key, E& value) {
  const std::optional<E> read =
      reader.token().text.empty() ? std::nullopt : EnumFromName<E>(reader.token().text);
  if (!reader.AtKind(TokenKind::kWord) || !read.has_value()) {
    return reader.Expected(
        absl::StrCat("one of ", absl::StrJoin(EnumNames<E>::values, " "), " for ", key));
  }
  value = *read;
  reader.Next();
  return absl::OkStatus();
}

template <typename T>
absl::Status ReadValue(Reader& reader, absl::string_view key, std::optional<T>& value) {
  return ReadValue(reader, key, value.emplace());
}

// What any instruction may have, and headers.
absl::Status ReadFrontendAttributes(Reader& reader, FrontendAttributes& attributes);
absl::StatusOr<std::shared_ptr<const Metadata>> ReadMetadata(Reader& reader);
// "{0,1}", an index into nested tuples.
absl::StatusOr<std::vector<int64_t>> ReadShapeIndex(Reader& reader);
// true, or {true,false}.
absl::Status ReadBools(Reader& reader, absl::string_view key, std::vector<bool>& value);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_VALUE_READER_H_
