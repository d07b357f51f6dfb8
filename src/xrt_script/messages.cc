// SPDX-License-Identifier: Apache-2.0
#include "xrt_script/messages.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"
#include "hlo/proto/codec.h"
#include "hlo/proto/literal_codec.h"
#include "hlo/proto/shape_codec.h"
#include "hlo/text/number_text.h"
#include "hlo/text/printer.h"
#include "proto/hlo.pb.h"

namespace axle::xrt_script {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::Message;

constexpr absl::string_view kPackage = "axle.wire.";

// Keeps the first error.
class FirstError final : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!text_.empty()) return;
    line_ = line;
    column_ = column;
    text_ = message;
  }
  const std::string& text() const { return text_; }
  size_t PlaceIn(absl::string_view text) const {
    size_t place = 0;
    for (int line = 0; line < line_; ++line) place = text.find('\n', place) + 1;
    return std::min(place + static_cast<size_t>(std::max(column_, 0)), text.size());
  }

 private:
  int line_ = 0;
  int column_ = 0;
  std::string text_;
};

const std::string& StringOf(const xrt::Value& value) {
  return std::get<xrt::Strings>(value).values.front();
}

hlo::Literal WithoutLayouts(const hlo::Literal& literal) {
  if (literal.IsTuple()) {
    std::vector<hlo::Literal> elements;
    for (const hlo::Literal& element : literal.elements()) {
      elements.push_back(WithoutLayouts(element));
    }
    return hlo::Literal::Tuple(std::move(elements));
  }
  hlo::Literal copy = literal;
  return std::move(copy).Reshaped(literal.shape().WithoutLayouts());
}

// "/tensorflow/xrt/ops/execute: 3 calls, median 12.5 us, 95 % 20.1 us", a line a metric.
std::string MetricsText(const wire::MetricsReport& report) {
  std::vector<std::string> lines;
  for (const wire::MetricValues& metric : report.metrics()) {
    const wire::Percentiles& times = metric.percentiles_value();
    double median = 0, high = 0;
    for (const auto& point : times.points()) {
      if (point.percentile() == 50) median = point.value();
      if (point.percentile() == 95) high = point.value();
    }
    lines.push_back(absl::StrFormat("%s: %d calls, median %.1f us, 95 %% %.1f us", metric.name(),
                                    times.total_samples(), median / 1e3, high / 1e3));
  }
  return lines.empty() ? "no calls" : absl::StrJoin(lines, "\n  ");
}

absl::StatusOr<std::string> MessageText(const Descriptor& type, const std::string& bytes,
                                        bool layouts) {
  hlo::proto::ShapeReader shapes;
  if (&type == wire::ProgramShapeProto::descriptor()) {
    wire::ProgramShapeProto proto;
    proto.ParseFromString(bytes);
    AXLE_ASSIGN_OR_RETURN(const hlo::ProgramShape shape, shapes.Read(proto));
    return ProgramShapeText(shape, layouts);
  }
  if (&type == wire::ShapeProto::descriptor()) {
    wire::ShapeProto proto;
    proto.ParseFromString(bytes);
    AXLE_ASSIGN_OR_RETURN(const hlo::Shape shape, shapes.Read(proto));
    return shape.ToString(layouts);
  }
  if (&type == wire::MetricsReport::descriptor()) {
    wire::MetricsReport report;
    report.ParseFromString(bytes);
    return MetricsText(report);
  }
  const std::unique_ptr<Message> message(
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(&type)->New());
  message->ParseFromString(bytes);
  return absl::StrCat("text{", message->ShortDebugString(), "}");
}

bool IsNan(hlo::ElementType type, const std::byte* element, int bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, bytes);
  return absl::StrContains(hlo::text::FloatText(type, bits), "nan");
}

// Whether two parts of elements, of a float type, are equal.
bool SameNumber(hlo::ElementType type, const std::byte* a, const std::byte* b) {
  const int bytes = hlo::ByteWidth(type);
  return std::memcmp(a, b, bytes) == 0 || (IsNan(type, a, bytes) && IsNan(type, b, bytes));
}

}  // namespace

const Descriptor* MessageTypeOf(const xrt::ArgumentDef& argument) {
  if (argument.type != xrt::ArgumentType::kString) return nullptr;
  size_t length = 0;
  while (length < argument.doc.size() && absl::ascii_isalnum(argument.doc[length])) ++length;
  return google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(
      absl::StrCat(kPackage, argument.doc.substr(0, length)));
}

xrt::Value BytesValue(std::string bytes) { return xrt::Strings{{}, {std::move(bytes)}}; }

xrt::Value MessageValue(const google::protobuf::MessageLite& message) {
  return BytesValue(message.SerializeAsString());
}

absl::StatusOr<std::unique_ptr<Message>> ParseMessageText(const Descriptor& type,
                                                          absl::string_view text, size_t* place) {
  std::unique_ptr<Message> message(
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(&type)->New());
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  constexpr int kMostNesting = 200;  // more than the wire form may have, and no danger to the stack
  parser.SetRecursionLimit(kMostNesting);
  if (parser.ParseFromString(std::string(text), message.get())) return message;
  *place = error.PlaceIn(text);
  return absl::InvalidArgumentError(error.text());
}

absl::StatusOr<std::string> SubstituteHandles(
    absl::string_view text,
    const std::function<absl::StatusOr<std::string>(absl::string_view name, size_t place)>&
        resolve) {
  std::string result;
  bool quoted = false;
  for (size_t i = 0; i < text.size();) {
    if (quoted && text[i] == '\\' && i + 1 < text.size()) {
      absl::StrAppend(&result, text.substr(i, 2));
      i += 2;
      continue;
    }
    if (text[i] == '"') quoted = !quoted;
    if (quoted || text[i] != '$') {
      result.push_back(text[i++]);
      continue;
    }
    size_t end = i + 1;
    while (end < text.size() &&
           (absl::ascii_isalnum(text[end]) || text[end] == '_' || text[end] == '.')) {
      ++end;
    }
    AXLE_ASSIGN_OR_RETURN(const std::string handle, resolve(text.substr(i + 1, end - i - 1), i));
    result.append(handle);
    i = end;
  }
  return result;
}

absl::StatusOr<wire::LiteralProto> LiteralMessage(const hlo::Literal& literal) {
  wire::LiteralProto proto;
  AXLE_RETURN_IF_ERROR(hlo::proto::WriteLiteral(literal, &proto));
  hlo::proto::FillLayouts(literal, &proto);
  return proto;
}

absl::StatusOr<std::string> SnapshotOf(const hlo::Module& module) {
  AXLE_ASSIGN_OR_RETURN(const std::string bytes,
                        hlo::ModuleToProtoBytes(module, {.fill_layouts = true}));
  wire::HloSnapshot snapshot;
  snapshot.mutable_hlo()->mutable_hlo_module()->ParseFromString(bytes);
  return snapshot.SerializeAsString();
}

std::string LiteralText(const hlo::Literal& literal) {
  return absl::StrCat(literal.shape().ToString(false), " ",
                      hlo::PrintLiteral(WithoutLayouts(literal), /*with_shapes=*/false));
}

std::string ProgramShapeText(const hlo::ProgramShape& shape, bool layouts) {
  const auto append = [layouts](std::string* out, const hlo::Shape& parameter) {
    out->append(parameter.ToString(layouts));
  };
  return absl::StrCat("(", absl::StrJoin(shape.parameters, ", ", append), ") -> ",
                      shape.result.ToString(layouts));
}

std::string BytesText(absl::string_view bytes) {
  std::vector<std::string> pairs;
  for (const char c : bytes) pairs.push_back(absl::BytesToHexString(absl::string_view(&c, 1)));
  return absl::StrCat("bytes{", absl::StrJoin(pairs, " "), "}");
}

absl::StatusOr<std::optional<hlo::Literal>> ResultLiteral(const xrt::ArgumentDef& output,
                                                          const xrt::Value& value) {
  if (const auto* array = std::get_if<hlo::Literal>(&value)) return std::optional(*array);
  if (MessageTypeOf(output) != wire::LiteralProto::descriptor()) return std::nullopt;
  wire::LiteralProto proto;
  proto.ParseFromString(StringOf(value));
  hlo::proto::ShapeReader shapes;
  AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, hlo::proto::ReadLiteral(proto, shapes));
  return std::optional(std::move(literal));
}

absl::StatusOr<std::string> ResultText(const xrt::ArgumentDef& output, const xrt::Value& value,
                                       bool layouts) {
  AXLE_ASSIGN_OR_RETURN(const std::optional<hlo::Literal> literal, ResultLiteral(output, value));
  if (literal.has_value()) return LiteralText(*literal);
  const Descriptor* const type = MessageTypeOf(output);
  if (type == nullptr) return BytesText(StringOf(value));
  return MessageText(*type, StringOf(value), layouts);
}

bool SameLiteral(const hlo::Literal& a, const hlo::Literal& b) {
  if (a == b) return true;
  if (!hlo::Compatible(a.shape(), b.shape())) return false;
  if (a.IsTuple()) {
    for (size_t i = 0; i < a.elements().size(); ++i) {
      if (!SameLiteral(a.elements()[i], b.elements()[i])) return false;
    }
    return true;
  }
  hlo::ElementType type = a.shape().element_type();
  if (hlo::IsComplex(type)) {
    type = type == hlo::ElementType::kC64 ? hlo::ElementType::kF32 : hlo::ElementType::kF64;
  }
  if (!hlo::IsFloat(type) || a.dynamic_sizes() != b.dynamic_sizes()) return false;
  for (size_t i = 0; i < a.bytes().size(); i += hlo::ByteWidth(type)) {
    if (!SameNumber(type, a.bytes().data() + i, b.bytes().data() + i)) return false;
  }
  return true;
}

}  // namespace axle::xrt_script
