// SPDX-License-Identifier: Apache-2.0
// One AppendValue for each type that an attribute's field has: the mirror of value_reader.h.
#ifndef AXLE_HLO_TEXT_VALUE_PRINTER_H_
#define AXLE_HLO_TEXT_VALUE_PRINTER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hlo/attributes.h"
#include "hlo/instruction.h"
#include "hlo/module.h"

namespace axle::hlo::text {

// Appends the text that stands behind "key=".
void AppendValue(absl::string_view key, bool value, std::string& out);
void AppendValue(absl::string_view key, int64_t value, std::string& out);
void AppendValue(absl::string_view key, float value, std::string& out);
void AppendValue(absl::string_view key, const std::string& value, std::string& out);
void AppendValue(absl::string_view key, const std::vector<int64_t>& value, std::string& out);
void AppendValue(absl::string_view key, const std::vector<bool>& value, std::string& out);
void AppendValue(absl::string_view key, const std::vector<std::vector<int64_t>>& value,
                 std::string& out);
void AppendValue(absl::string_view key, const Shape& value, std::string& out);
void AppendValue(absl::string_view key, const std::vector<Shape>& value, std::string& out);
void AppendValue(absl::string_view key, const std::shared_ptr<const Literal>& value,
                 std::string& out);
void AppendValue(absl::string_view key, const OperandPrecision& value, std::string& out);
void AppendValue(absl::string_view key, const ResultAccuracy& value, std::string& out);
void AppendValue(absl::string_view key, const WindowConfig& value, std::string& out);
void AppendValue(absl::string_view key, const PaddingConfig& value, std::string& out);
void AppendValue(absl::string_view key, const SliceConfig& value, std::string& out);
void AppendValue(absl::string_view key, const ConvolutionDimensions& value, std::string& out);
void AppendValue(absl::string_view key, const ReplicaGroups& value, std::string& out);
void AppendValue(absl::string_view key, const SourceTargetPairs& value, std::string& out);
void AppendValue(absl::string_view key, const OutputOperandAliases& value, std::string& out);
void AppendValue(absl::string_view key, const DomainShardings& value, std::string& out);

template <typename E, typename = std::enable_if_t<std::is_enum_v<E>>, typename = void>
void AppendValue(absl::string_view, E value, std::string& out) {
  absl::StrAppend(&out, EnumName(value));
}

template <typename T>
void AppendValue(absl::string_view key, const std::optional<T>& value, std::string& out) {
  if (value.has_value()) AppendValue(key, *value, out);
}

void AppendFrontendAttributes(const FrontendAttributes& attributes, std::string& out);
void AppendMetadata(const Metadata& metadata, std::string& out);
void AppendSharding(const Sharding& sharding, std::string& out);
// "%x", or %"…" when the name has characters that names cannot have.
void AppendName(absl::string_view name, std::string& out);
// Whether a name can stand without a percent sign.
bool IsBareName(absl::string_view name);
void AppendQuoted(absl::string_view text, std::string& out);
// "{1,2}" with any brackets.
void AppendInts(absl::Span<const int64_t> values, char open, char close, std::string& out);
// Whether the text can be read back without quotes, as one group in braces.
bool IsBracedGroup(absl::string_view text);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_VALUE_PRINTER_H_
