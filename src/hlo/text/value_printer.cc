// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/value_printer.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "hlo/text/lexer.h"
#include "hlo/text/number_text.h"
#include "hlo/text/parser.h"
#include "hlo/text/printer.h"
#include "hlo/text/reader.h"

namespace axle::hlo::text {

bool IsBracedGroup(absl::string_view text) {
  if (text.empty() || text[0] != '{') return false;
  const ParseOptions options;
  Reader reader(text, options);
  const absl::StatusOr<absl::string_view> group = reader.TakeGroup("text");
  return group.ok() && group->size() == text.size();
}

void AppendQuoted(absl::string_view text, std::string& out) {
  absl::StrAppend(&out, "\"", absl::CEscape(text), "\"");
}

bool IsBareName(absl::string_view name) {
  return !name.empty() && name[0] != '-' && name[0] != '.' &&
         !absl::ascii_isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), IsNameCharacter);
}

void AppendName(absl::string_view name, std::string& out) {
  out.push_back('%');
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), IsNameCharacter);
  if (plain) {
    absl::StrAppend(&out, name);
  } else {
    AppendQuoted(name, out);
  }
}

void AppendInts(absl::Span<const int64_t> values, char open, char close, std::string& out) {
  out.push_back(open);
  absl::StrAppend(&out, absl::StrJoin(values, ","));
  out.push_back(close);
}

void AppendValue(absl::string_view, bool value, std::string& out) {
  absl::StrAppend(&out, value ? "true" : "false");
}

void AppendValue(absl::string_view, int64_t value, std::string& out) {
  absl::StrAppend(&out, value);
}

void AppendValue(absl::string_view, float value, std::string& out) {
  absl::StrAppend(&out, FloatText(value));
}

void AppendValue(absl::string_view key, const std::string& value, std::string& out) {
  if (key == "sparsity_config" && IsBracedGroup(value)) {
    absl::StrAppend(&out, value);
  } else {
    AppendQuoted(value, out);
  }
}

void AppendValue(absl::string_view, const std::vector<int64_t>& value, std::string& out) {
  AppendInts(value, '{', '}', out);
}

void AppendValue(absl::string_view, const std::vector<bool>& value, std::string& out) {
  out.push_back('{');
  for (size_t i = 0; i < value.size(); ++i) {
    absl::StrAppend(&out, i > 0 ? "," : "", value[i] ? "true" : "false");
  }
  out.push_back('}');
}

void AppendValue(absl::string_view, const std::vector<std::vector<int64_t>>& value,
                 std::string& out) {
  out.push_back('{');
  for (size_t i = 0; i < value.size(); ++i) {
    if (i > 0) out.push_back(',');
    AppendInts(value[i], '{', '}', out);
  }
  out.push_back('}');
}

void AppendValue(absl::string_view, const Shape& value, std::string& out) {
  absl::StrAppend(&out, value.ToString());
}

void AppendValue(absl::string_view, const std::vector<Shape>& value, std::string& out) {
  out.push_back('{');
  for (size_t i = 0; i < value.size(); ++i) {
    absl::StrAppend(&out, i > 0 ? ", " : "", value[i].ToString());
  }
  out.push_back('}');
}

void AppendValue(absl::string_view, const std::shared_ptr<const Literal>& value, std::string& out) {
  if (value != nullptr) absl::StrAppend(&out, PrintLiteral(*value));
}

void AppendValue(absl::string_view, const OperandPrecision& value, std::string& out) {
  out.push_back('{');
  for (size_t i = 0; i < value.values.size(); ++i) {
    absl::StrAppend(&out, i > 0 ? "," : "", EnumName(value.values[i]));
  }
  out.push_back('}');
}

void AppendValue(absl::string_view, const ResultAccuracy& value, std::string& out) {
  out.push_back('{');
  if (value.mode != ResultAccuracyMode::kDefault || !value.tolerance.has_value()) {
    absl::StrAppend(&out, "mode=", EnumName(value.mode), value.tolerance.has_value() ? "," : "");
  }
  if (value.tolerance.has_value()) {
    absl::StrAppend(&out, "tolerance={atol=", FloatText(value.tolerance->atol),
                    ",rtol=", FloatText(value.tolerance->rtol), ",ulps=", value.tolerance->ulps,
                    "}");
  }
  out.push_back('}');
}

namespace {

// Asks for a part of each dimension as text.
using WindowPart = std::string (*)(const WindowDimension&);

struct NamedWindowPart {
  absl::string_view key;
  WindowPart part;
};

constexpr NamedWindowPart kWindowParts[] = {
    {"size", [](const WindowDimension& d) { return absl::StrCat(d.size); }},
    {"stride", [](const WindowDimension& d) { return absl::StrCat(d.stride); }},
    {"pad",
     [](const WindowDimension& d) { return absl::StrCat(d.padding_low, "_", d.padding_high); }},
    {"lhs_dilate", [](const WindowDimension& d) { return absl::StrCat(d.base_dilation); }},
    {"rhs_dilate", [](const WindowDimension& d) { return absl::StrCat(d.window_dilation); }},
    {"rhs_reversal", [](const WindowDimension& d) { return absl::StrCat(int{d.window_reversal}); }},
};

}  // namespace

void AppendValue(absl::string_view, const WindowConfig& value, std::string& out) {
  out.push_back('{');
  for (const NamedWindowPart& named : kWindowParts) {
    const std::string plain = named.part(WindowDimension());
    bool print = named.key == "size" && !value.dimensions.empty();
    for (const WindowDimension& dimension : value.dimensions) {
      print |= named.part(dimension) != plain;
    }
    if (!print) continue;
    absl::StrAppend(&out, named.key == "size" ? "" : " ", named.key, "=");
    for (size_t i = 0; i < value.dimensions.size(); ++i) {
      absl::StrAppend(&out, i > 0 ? "x" : "", named.part(value.dimensions[i]));
    }
  }
  out.push_back('}');
}

void AppendValue(absl::string_view, const PaddingConfig& value, std::string& out) {
  const bool interior = std::any_of(value.dimensions.begin(), value.dimensions.end(),
                                    [](const PaddingDimension& d) { return d.interior != 0; });
  for (size_t i = 0; i < value.dimensions.size(); ++i) {
    const PaddingDimension& dimension = value.dimensions[i];
    absl::StrAppend(&out, i > 0 ? "x" : "", dimension.low, "_", dimension.high);
    if (interior) absl::StrAppend(&out, "_", dimension.interior);
  }
}

void AppendValue(absl::string_view, const SliceConfig& value, std::string& out) {
  const bool strides = std::any_of(value.dimensions.begin(), value.dimensions.end(),
                                   [](const SliceDimension& d) { return d.stride != 1; });
  out.push_back('{');
  for (size_t i = 0; i < value.dimensions.size(); ++i) {
    const SliceDimension& dimension = value.dimensions[i];
    absl::StrAppend(&out, i > 0 ? ", " : "", "[", dimension.start, ":", dimension.limit);
    if (strides) absl::StrAppend(&out, ":", dimension.stride);
    out.push_back(']');
  }
  out.push_back('}');
}

namespace {

// Labels of one operand; false when a number is no dimension that an array can have.
bool AppendLabels(absl::string_view letters, int64_t first, int64_t second,
                  const std::vector<int64_t>& spatial, std::string& out) {
  std::string labels;
  const auto put = [&](int64_t dimension, char label) {
    if (dimension < 0 || dimension >= Shape::kMaxRank) return false;
    if (static_cast<size_t>(dimension) >= labels.size()) labels.resize(dimension + 1, '?');
    labels[dimension] = label;
    return true;
  };
  if (spatial.size() > 10 || !put(first, letters[0]) || !put(second, letters[1])) return false;
  for (size_t i = 0; i < spatial.size(); ++i) {
    if (!put(spatial[i], static_cast<char>('0' + i))) return false;
  }
  absl::StrAppend(&out, labels);
  return true;
}

}  // namespace

void AppendValue(absl::string_view, const ConvolutionDimensions& value, std::string& out) {
  std::string text;
  bool valid =
      AppendLabels("bf", value.input_batch, value.input_feature, value.input_spatial, text);
  text.push_back('_');
  valid = valid && AppendLabels("io", value.kernel_input_feature, value.kernel_output_feature,
                                value.kernel_spatial, text);
  absl::StrAppend(&text, "->");
  valid = valid &&
          AppendLabels("bf", value.output_batch, value.output_feature, value.output_spatial, text);
  absl::StrAppend(&out, valid ? text : "invalid");
}

namespace {

// "[4,2]T(1,0)": where XLA wants a permutation, the identity is spelled out.
void AppendIota(const std::vector<int64_t>& reshape_dims, const std::vector<int64_t>& permutation,
                std::string& out) {
  AppendInts(reshape_dims, '[', ']', out);
  if (permutation.empty() && reshape_dims.size() < 2) return;
  std::vector<int64_t> spelled = permutation;
  for (size_t i = 0; permutation.empty() && i < reshape_dims.size(); ++i) {
    spelled.push_back(static_cast<int64_t>(i));
  }
  out.push_back('T');
  AppendInts(spelled, '(', ')', out);
}

}  // namespace

void AppendValue(absl::string_view key, const ReplicaGroups& value, std::string& out) {
  switch (value.kind) {
    case ReplicaGroups::Kind::kList:
      AppendValue(key, value.groups, out);
      return;
    case ReplicaGroups::Kind::kIota:
      absl::StrAppend(&out, "[", value.group_count, ",", value.group_size, "]<=");
      AppendIota(value.reshape_dims, value.transpose_perm, out);
      return;
    case ReplicaGroups::Kind::kMesh:
      // As written, or bytes that only the wire form understands.
      if (absl::StartsWith(value.mesh, "mesh[") || absl::StartsWith(value.mesh, "@")) {
        absl::StrAppend(&out, value.mesh);
      } else {
        AppendQuoted(value.mesh, out);
      }
      return;
  }
}

void AppendValue(absl::string_view, const SourceTargetPairs& value, std::string& out) {
  out.push_back('{');
  for (size_t i = 0; i < value.pairs.size(); ++i) {
    absl::StrAppend(&out, i > 0 ? "," : "", "{", value.pairs[i].first, ",", value.pairs[i].second,
                    "}");
  }
  out.push_back('}');
}

void AppendValue(absl::string_view, const OutputOperandAliases& value, std::string& out) {
  out.push_back('{');
  for (size_t i = 0; i < value.size(); ++i) {
    if (i > 0) absl::StrAppend(&out, ", ");
    AppendInts(value[i].output_index, '{', '}', out);
    absl::StrAppend(&out, ": (", value[i].operand, ", ");
    AppendInts(value[i].operand_index, '{', '}', out);
    out.push_back(')');
  }
  out.push_back('}');
}

void AppendValue(absl::string_view, const DomainShardings& value, std::string& out) {
  absl::StrAppend(&out, "{kind=");
  AppendQuoted(value.kind, out);
  absl::StrAppend(&out, ", entry=");
  if (value.entry.has_value()) AppendSharding(*value.entry, out);
  if (!value.entry.has_value()) absl::StrAppend(&out, "{}");
  absl::StrAppend(&out, ", exit=");
  if (value.exit.has_value()) AppendSharding(*value.exit, out);
  if (!value.exit.has_value()) absl::StrAppend(&out, "{}");
  out.push_back('}');
}

void AppendFrontendAttributes(const FrontendAttributes& attributes, std::string& out) {
  out.push_back('{');
  bool first = true;
  for (const auto& [key, value] : attributes) {
    if (!first) out.push_back(',');
    first = false;
    if (IsBareName(key)) {
      absl::StrAppend(&out, key);
    } else {
      AppendQuoted(key, out);
    }
    out.push_back('=');
    if (IsBracedGroup(value)) {
      absl::StrAppend(&out, value);
    } else {
      AppendQuoted(value, out);
    }
  }
  out.push_back('}');
}

namespace {

const char* TypeName(Sharding::Type type) {
  switch (type) {
    case Sharding::Type::kReplicated:
      return "replicated";
    case Sharding::Type::kMaximal:
      return "maximal";
    case Sharding::Type::kManual:
      return "manual";
    case Sharding::Type::kUnknown:
      return "unknown";
    case Sharding::Type::kUnreduced:
      return "unreduced";
    case Sharding::Type::kTuple:
    case Sharding::Type::kTiled:
      break;
  }
  return "";
}

void AppendTuple(const std::vector<Sharding>& elements, std::string& out) {
  out.push_back('{');
  for (size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) absl::StrAppend(&out, ", ");
    if (i > 0 && i % 5 == 0) absl::StrAppend(&out, "/*index=", i, "*/");
    AppendSharding(elements[i], out);
  }
  out.push_back('}');
}

void AppendTiled(const Sharding& sharding, std::string& out) {
  absl::StrAppend(&out, "devices=");
  AppendInts(sharding.tile_dimensions, '[', ']', out);
  if (!sharding.iota_reshape_dims.empty()) {
    absl::StrAppend(&out, "<=");
    AppendIota(sharding.iota_reshape_dims, sharding.iota_transpose_perm, out);
  } else {
    absl::StrAppend(&out, absl::StrJoin(sharding.devices, ","));
  }
  if (sharding.replicate_on_last_tile_dim) absl::StrAppend(&out, " last_tile_dim_replicate");
  if (!sharding.last_tile_dims.empty()) {
    absl::StrAppend(&out, " last_tile_dims={",
                    absl::StrJoin(sharding.last_tile_dims, ", ",
                                  [](std::string* text, Sharding::Type type) {
                                    absl::StrAppend(text, TypeName(type));
                                  }),
                    "}");
  }
}

}  // namespace

void AppendSharding(const Sharding& sharding, std::string& out) {
  if (!sharding.unparsed.empty()) {
    absl::StrAppend(&out, sharding.unparsed);
    return;
  }
  if (sharding.type == Sharding::Type::kTuple) {
    AppendTuple(sharding.elements, out);
    return;
  }
  out.push_back('{');
  if (sharding.type == Sharding::Type::kTiled) {
    AppendTiled(sharding, out);
  } else {
    absl::StrAppend(&out, TypeName(sharding.type));
    if (!sharding.devices.empty()) absl::StrAppend(&out, " device=", sharding.devices[0]);
  }
  if (sharding.is_shard_group) {
    const bool as = sharding.shard_group_type == Sharding::ShardGroupType::kAs;
    absl::StrAppend(&out, as ? " shard_as " : " shard_like ", sharding.shard_group_id);
  }
  if (!sharding.metadata_text.empty()) {
    absl::StrAppend(&out, " metadata=", sharding.metadata_text);
  }
  out.push_back('}');
}

namespace {

void AppendMetadataText(absl::string_view key, absl::string_view value, std::string& out) {
  if (value.empty()) return;
  absl::StrAppend(&out, out.back() == '{' ? "" : " ", key, "=");
  AppendQuoted(value, out);
}

void AppendMetadataNumber(absl::string_view key, int64_t value, std::string& out) {
  if (value != 0) absl::StrAppend(&out, out.back() == '{' ? "" : " ", key, "=", value);
}

}  // namespace

void AppendMetadata(const Metadata& metadata, std::string& out) {
  const RareMetadata& rare = metadata.rare();
  out.push_back('{');
  AppendMetadataText("op_type", metadata.op_type.view(), out);
  AppendMetadataText("op_name", metadata.op_name.view(), out);
  AppendMetadataText("source_file", metadata.source_file.view(), out);
  AppendMetadataNumber("source_line", metadata.source_line, out);
  AppendMetadataNumber("source_end_line", metadata.source_end_line, out);
  AppendMetadataNumber("source_column", metadata.source_column, out);
  AppendMetadataNumber("source_end_column", metadata.source_end_column, out);
  if (!rare.profile_types.empty()) {
    absl::StrAppend(&out, out.back() == '{' ? "" : " ", "profile_type={",
                    absl::StrJoin(rare.profile_types, ","), "}");
  }
  AppendMetadataText("deduplicated_name", rare.deduplicated_name.view(), out);
  AppendMetadataText("scheduling_name", rare.scheduling_name.view(), out);
  AppendMetadataNumber("size_of_generated_code_in_bytes", rare.size_of_generated_code_in_bytes,
                       out);
  AppendMetadataNumber("size_of_memory_working_set_in_bytes",
                       rare.size_of_memory_working_set_in_bytes, out);
  AppendMetadataNumber("stack_frame_id", metadata.stack_frame_id, out);
  const absl::string_view unknown = metadata.unknown_text.view();
  absl::StrAppend(&out, out.back() == '{' && !unknown.empty() ? unknown.substr(1) : unknown);
  out.push_back('}');
}

}  // namespace axle::hlo::text
