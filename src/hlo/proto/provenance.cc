// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/provenance.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "hlo/proto/unknown_fields.h"

namespace axle::hlo::proto {
namespace {

constexpr absl::string_view kSynthetic = "{[synthetic_call]}";
using Index = std::vector<int64_t>;

// Before mid-2025 an element had the name itself where it now has a message, and the index beside.
std::optional<wire::OriginalArrayProto> ArrayOf(const wire::OriginalValueElementProto& element) {
  wire::OriginalArrayProto array;
  const bool is_message = element.legacy_original_shape_index().empty() &&
                          array.ParseFromString(element.original_array()) &&
                          !HasUnknownFields(array) && !array.instruction_name().empty();
  if (is_message) return array;
  if (element.original_array().empty()) return std::nullopt;
  array.Clear();
  array.set_instruction_name(element.original_array());
  *array.mutable_shape_index() = element.legacy_original_shape_index();
  return array;
}

// Leaves of `shape` in text; takes those of `arrays` that it prints. Nesting of shapes is bounded.
void AppendTree(const Shape& shape, Index* index, std::map<Index, wire::OriginalArrayProto>* arrays,
                std::string* text) {
  if (shape.IsTuple()) {
    text->push_back('(');
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      if (i > 0) absl::StrAppend(text, ", ");
      index->push_back(static_cast<int64_t>(i));
      AppendTree(shape.tuple_shapes()[i], index, arrays, text);
      index->pop_back();
    }
    text->push_back(')');
    return;
  }
  text->push_back('{');
  const auto found = arrays->find(*index);
  if (found != arrays->end()) {
    absl::StrAppend(text, "\"", found->second.instruction_name(), "\"");
    if (!found->second.shape_index().empty()) {
      absl::StrAppend(text, " {", absl::StrJoin(found->second.shape_index(), ","), "}");
    }
    arrays->erase(found);
  }
  text->push_back('}');
}

class OriginParser {
 public:
  explicit OriginParser(absl::string_view text) : rest_(text) {}

  bool Parse(wire::OriginalValueProto* proto) {
    Index index;
    return Take('{') && Tree(&index, proto) && Take('}') &&
           absl::StripAsciiWhitespace(rest_).empty();
  }

 private:
  bool Take(char c) {
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool Tree(Index* index, wire::OriginalValueProto* proto) {
    if (index->size() > kMaxShapeNesting) return false;
    if (!Take('(')) return Leaf(*index, proto);
    for (int64_t i = 0; !Take(')'); ++i) {
      if (i > 0 && !Take(',')) return false;
      index->push_back(i);
      if (!Tree(index, proto)) return false;
      index->pop_back();
    }
    return true;
  }

  bool Leaf(const Index& index, wire::OriginalValueProto* proto) {
    if (!Take('{')) return false;
    if (Take('}')) return true;
    if (!Take('"')) return false;
    const size_t end = rest_.find('"');
    if (end == absl::string_view::npos) return false;
    wire::OriginalArrayProto array;
    array.set_instruction_name(std::string(rest_.substr(0, end)));
    rest_.remove_prefix(end + 1);
    if (Take('{') && !Numbers(&array)) return false;
    wire::OriginalValueElementProto* element = proto->add_elements();
    element->mutable_shape_index()->Add(index.begin(), index.end());
    element->set_original_array(array.SerializeAsString());
    return Take('}');
  }

  bool Numbers(wire::OriginalArrayProto* array) {
    for (int i = 0; !Take('}'); ++i) {
      if (i > 0 && !Take(',')) return false;
      rest_ = absl::StripLeadingAsciiWhitespace(rest_);
      const size_t end = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
      int64_t number;
      if (!absl::SimpleAtoi(rest_.substr(0, end), &number)) return false;
      array->add_shape_index(number);
      rest_.remove_prefix(end);
    }
    return true;
  }

  absl::string_view rest_;
};

// The shortest text that reads back as the same number.
std::string Number(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, result.ptr);
}

}  // namespace

std::optional<std::string> OriginalValueText(const wire::OriginalValueProto& proto,
                                             const Shape& shape) {
  if (HasUnknownFields(proto)) return std::nullopt;
  if (proto.is_synthetic_call()) {
    if (!proto.elements().empty()) return std::nullopt;
    return std::string(kSynthetic);
  }
  std::map<Index, wire::OriginalArrayProto> arrays;
  for (const wire::OriginalValueElementProto& element : proto.elements()) {
    std::optional<wire::OriginalArrayProto> array = ArrayOf(element);
    if (!array.has_value() || absl::StrContains(array->instruction_name(), "\"") ||
        HasUnknownFields(element)) {
      return std::nullopt;
    }
    Index index(element.shape_index().begin(), element.shape_index().end());
    if (!arrays.emplace(std::move(index), *std::move(array)).second) return std::nullopt;
  }
  std::string text = "{";
  Index index;
  AppendTree(shape, &index, &arrays, &text);
  text.push_back('}');
  if (!arrays.empty()) return std::nullopt;
  return text;
}

std::optional<wire::OriginalValueProto> OriginalValueFromText(absl::string_view text) {
  wire::OriginalValueProto proto;
  if (text == kSynthetic) {
    proto.set_is_synthetic_call(true);
    return proto;
  }
  if (!OriginParser(text).Parse(&proto)) return std::nullopt;
  return proto;
}

std::optional<std::string> StatisticsText(const wire::StatisticsViz& proto) {
  if (HasUnknownFields(proto)) return std::nullopt;
  std::string text = absl::StrCat("{visualizing_index=", proto.stat_index_to_visualize());
  for (const wire::Statistic& statistic : proto.statistics()) {
    if (HasUnknownFields(statistic) || statistic.stat_name().empty() ||
        statistic.stat_name().find_first_of(",={}\"") != std::string::npos) {
      return std::nullopt;
    }
    absl::StrAppend(&text, ",", statistic.stat_name(), "=", Number(statistic.stat_val()));
  }
  return absl::StrCat(text, "}");
}

std::optional<wire::StatisticsViz> StatisticsFromText(absl::string_view text) {
  wire::StatisticsViz proto;
  if (!absl::ConsumePrefix(&text, "{") || !absl::ConsumeSuffix(&text, "}")) return std::nullopt;
  bool first = true;
  for (absl::string_view entry : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(entry, absl::MaxSplits('=', 1));
    const absl::string_view name = absl::StripAsciiWhitespace(parts.first);
    if (first) {
      int64_t index;
      if (name != "visualizing_index" || !absl::SimpleAtoi(parts.second, &index)) {
        return std::nullopt;
      }
      proto.set_stat_index_to_visualize(index);
      first = false;
      continue;
    }
    double value;
    if (name.empty() || !absl::SimpleAtod(parts.second, &value)) return std::nullopt;
    wire::Statistic* statistic = proto.add_statistics();
    statistic->set_stat_name(std::string(name));
    statistic->set_stat_val(value);
  }
  return proto;
}

}  // namespace axle::hlo::proto
