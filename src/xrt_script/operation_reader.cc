// SPDX-License-Identifier: Apache-2.0
#include "xrt_script/operation_reader.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/element_type.h"
#include "hlo/proto/shape_codec.h"
#include "load/load.h"
#include "proto/xrt.pb.h"
#include "xrt_script/messages.h"

namespace axle::xrt_script {
namespace {

using google::protobuf::Descriptor;

const xrt::OpDef* FindOp(absl::string_view name) {
  for (const xrt::OpDef& op : xrt::Ops()) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

bool IsConfig(const xrt::ArgumentDef& input) {
  const Descriptor* const type = MessageTypeOf(input);
  return type != nullptr && absl::EndsWith(type->name(), "Config");
}

// Short words for fields of XRTExecutionConfig.
absl::string_view FieldOf(absl::string_view key) {
  if (key == "release_inputs") return "release_input_handles";
  if (key == "release_program") return "release_compilation_handle";
  if (key == "exploded") return "return_exploded_tuple";
  return key;
}

// "bytes{00 ff}", at its brace.
absl::StatusOr<xrt::Value> ReadBytes(TextReader& reader) {
  const size_t begin = reader.place();
  AXLE_ASSIGN_OR_RETURN(const absl::string_view group, reader.TakeGroup());
  std::string digits;
  for (const char c : group.substr(1, group.size() - 2)) {
    if (!absl::ascii_isspace(c)) digits.push_back(c);
  }
  if (digits.size() % 2 != 0 || !std::all_of(digits.begin(), digits.end(), absl::ascii_isxdigit)) {
    return reader.FailAt(begin, "expected bytes as pairs of hexadecimal digits");
  }
  return BytesValue(absl::HexStringToBytes(digits));
}

// "text{...}", at its brace. Checked with 1 for each handle.
absl::StatusOr<MessageTemplate> ReadMessageText(TextReader& reader, const Descriptor* type) {
  const size_t begin = reader.place() + 1;
  AXLE_ASSIGN_OR_RETURN(const absl::string_view group, reader.TakeGroup());
  if (type == nullptr) return reader.FailAt(begin, "text{...} is for messages alone");
  const absl::string_view text = group.substr(1, group.size() - 2);
  const auto one = [](absl::string_view name, size_t) -> absl::StatusOr<std::string> {
    return absl::StrCat("1", std::string(name.size(), ' '));  // places stay
  };
  AXLE_ASSIGN_OR_RETURN(const std::string sample, SubstituteHandles(text, one));
  size_t place = 0;
  const auto message = ParseMessageText(*type, sample, &place);
  if (!message.ok()) return reader.FailAt(begin + place, message.status().message());
  return MessageTemplate{begin, type, std::string(text)};
}

// Reads operands in the order of the inputs.
class OperandReader {
 public:
  OperandReader(TextReader& reader, const std::string& folder) : reader_(reader), folder_(folder) {}

  // `input` may be null, for one that the operation does not have.
  absl::StatusOr<Operand> Read(const xrt::ArgumentDef* input) {
    const Descriptor* const type = input == nullptr ? nullptr : MessageTypeOf(*input);
    if (reader_.Ahead("text{")) {
      reader_.Skip("text");
      return ReadMessageText(reader_, type);
    }
    if (reader_.Ahead("bytes{")) {
      reader_.Skip("bytes");
      return ReadBytes(reader_);
    }
    if (type != nullptr && AtMessage(*type)) return ReadMessage(*type);
    if (input != nullptr && input->type == xrt::ArgumentType::kInt32 && reader_.Peek() == '{') {
      return ReadIndex();
    }
    if (reader_.AtShape()) {
      AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, reader_.TakeLiteral());
      const bool as_bytes =
          type == nullptr && input != nullptr && input->type == xrt::ArgumentType::kString;
      if (as_bytes && literal.shape().IsArray()) return BytesOf(literal);
      return xrt::Value(std::move(literal));
    }
    if (reader_.Peek() == '[') return ReadReferences();
    if (reader_.AtWord() || reader_.AtNumber()) return reader_.TakeReference();
    return reader_.Fail("this is no operand");
  }

  // The program of XRTCompile: a file's name in quotes, or HLO text in braces.
  absl::StatusOr<std::string> ReadProgram() {
    if (reader_.Peek() == '"') {
      AXLE_ASSIGN_OR_RETURN(const absl::string_view name, reader_.TakeString());
      const std::string path =
          absl::StartsWith(name, "/") ? std::string(name) : absl::StrCat(folder_, name);
      AXLE_ASSIGN_OR_RETURN(const hlo::Module module, load::LoadModuleFile(path));
      return SnapshotOf(module);
    }
    AXLE_ASSIGN_OR_RETURN(const absl::string_view group, reader_.TakeGroup());
    const auto module = load::LoadModule(group.substr(1, group.size() - 2), "");
    if (!module.ok()) return reader_.Nested(reader_.PlaceOf(group) + 1, module.status());
    return SnapshotOf(*module);
  }

  static xrt::Value BytesOf(const hlo::Literal& literal) {
    return BytesValue(
        std::string(reinterpret_cast<const char*>(literal.bytes().data()), literal.bytes().size()));
  }

 private:
  // Whether a message in its own form begins here.
  bool AtMessage(const Descriptor& type) const {
    if (&type == wire::XLATupleNode::descriptor()) {
      return reader_.Peek() == '{' || reader_.AtNumber();
    }
    if (&type == wire::XRTChainedExecutePlan::descriptor()) return reader_.Peek() == '{';
    if (&type == wire::XLAAllocation::descriptor() || &type == wire::LiteralProto::descriptor()) {
      return reader_.AtShape();
    }
    return &type == wire::XRTMetricsCollect::descriptor() && reader_.Peek() == '"';
  }

  absl::StatusOr<Operand> ReadMessage(const Descriptor& type) {
    if (&type == wire::XLATupleNode::descriptor()) return ReadTuple(reader_);
    if (&type == wire::XRTChainedExecutePlan::descriptor()) return ReadPlan(reader_);
    if (&type == wire::XRTMetricsCollect::descriptor()) return ReadPatterns();
    AXLE_ASSIGN_OR_RETURN(const hlo::Literal literal, reader_.TakeLiteral());
    AXLE_ASSIGN_OR_RETURN(wire::LiteralProto proto, LiteralMessage(literal));
    if (&type == wire::LiteralProto::descriptor()) return MessageValue(proto);
    wire::XLAAllocation allocation;
    *allocation.mutable_value() = std::move(proto);
    return MessageValue(allocation);
  }

  absl::StatusOr<Operand> ReadPatterns() {
    wire::XRTMetricsCollect request;
    while (reader_.Peek() == '"') {
      AXLE_ASSIGN_OR_RETURN(const absl::string_view pattern, reader_.TakeString());
      request.add_metrics_regex(std::string(pattern));
      reader_.SkipBlanks();
    }
    return MessageValue(request);
  }

  // "{0, 1}"
  absl::StatusOr<Operand> ReadIndex() {
    std::vector<int32_t> index;
    reader_.Skip("{");
    reader_.SkipBlanks();
    while (!reader_.Skip("}")) {
      const size_t begin = reader_.place();
      AXLE_ASSIGN_OR_RETURN(const int64_t number, reader_.TakeNumber("the number of an element"));
      if (number != static_cast<int32_t>(number)) return reader_.FailAt(begin, "expected 32 bits");
      index.push_back(static_cast<int32_t>(number));
      reader_.SkipBlanks();
      if (reader_.Peek() != '}' && !reader_.Skip(",")) return reader_.Fail("expected ',' or '}'");
      reader_.SkipBlanks();
    }
    return xrt::Value(hlo::Literal::Vector<int32_t>(index));
  }

  // "[a, b]"
  absl::StatusOr<Operand> ReadReferences() {
    std::vector<Reference> references;
    reader_.Skip("[");
    reader_.SkipLines();
    while (!reader_.Skip("]")) {
      AXLE_ASSIGN_OR_RETURN(Reference reference, reader_.TakeReference());
      references.push_back(std::move(reference));
      reader_.SkipLines();
      if (reader_.Peek() != ']' && !reader_.Skip(",")) return reader_.Fail("expected ',' or ']'");
      reader_.SkipLines();
    }
    return references;
  }

  TextReader& reader_;
  const std::string& folder_;
};

// ---- Attributes ---------------------------------------------------------------------------------

absl::StatusOr<std::vector<int64_t>> ReadNumbers(TextReader& reader) {
  std::vector<int64_t> numbers;
  if (!reader.Skip("[")) return reader.Fail("expected '[' and numbers");
  reader.SkipBlanks();
  while (!reader.Skip("]")) {
    AXLE_ASSIGN_OR_RETURN(const int64_t number, reader.TakeNumber("a number"));
    numbers.push_back(number);
    reader.SkipBlanks();
    if (reader.Peek() != ']' && !reader.Skip(",")) return reader.Fail("expected ',' or ']'");
    reader.SkipBlanks();
  }
  return numbers;
}

// Dimensions; the element type does not count.
absl::StatusOr<hlo::Shape> ReadDimensions(TextReader& reader) {
  const size_t begin = reader.place();
  AXLE_ASSIGN_OR_RETURN(const std::vector<int64_t> dimensions, ReadNumbers(reader));
  if (dimensions.size() > hlo::Shape::kMaxRank ||
      std::any_of(dimensions.begin(), dimensions.end(), [](int64_t size) { return size < 0; })) {
    return reader.FailAt(begin, "expected up to 64 dimensions, none negative");
  }
  return hlo::Shape::Array(hlo::ElementType::kF32, dimensions);
}

absl::StatusOr<hlo::ElementType> ReadType(TextReader& reader) {
  const size_t begin = reader.place();
  AXLE_ASSIGN_OR_RETURN(const absl::string_view word, reader.TakeWord("an element type"));
  const auto type = hlo::ElementTypeFromName(word);
  if (!type.has_value()) return reader.FailAt(begin, "expected an element type, as in f32");
  return *type;
}

template <typename T>
absl::StatusOr<xrt::Attribute> ReadList(TextReader& reader,
                                        absl::StatusOr<T> (*read)(TextReader&)) {
  std::vector<T> list;
  if (!reader.Skip("[")) return reader.Fail("expected '[' and a list");
  reader.SkipBlanks();
  while (!reader.Skip("]")) {
    AXLE_ASSIGN_OR_RETURN(T element, read(reader));
    list.push_back(std::move(element));
    reader.SkipBlanks();
    if (reader.Peek() != ']' && !reader.Skip(",")) return reader.Fail("expected ',' or ']'");
    reader.SkipBlanks();
  }
  return xrt::Attribute(std::move(list));
}

// By its declared type where brackets leave that open, else by its form, so that a script can give
// one of the wrong type.
absl::StatusOr<xrt::Attribute> ReadAttribute(TextReader& reader, absl::string_view type) {
  if (reader.AtNumber()) return reader.TakeNumber("a number");
  if (reader.Peek() != '[') {
    const size_t begin = reader.place();
    AXLE_ASSIGN_OR_RETURN(const absl::string_view word, reader.TakeWord("a value"));
    if (word == "true" || word == "false") return xrt::Attribute(word == "true");
    reader.MoveTo(begin);
    return ReadType(reader);
  }
  if (type == "shape") return ReadDimensions(reader);
  if (type == "list(type)") return ReadList<hlo::ElementType>(reader, ReadType);
  if (type == "list(shape)") return ReadList<hlo::Shape>(reader, ReadDimensions);
  return ReadNumbers(reader);
}

// ---- Operations ---------------------------------------------------------------------------------

class OperationReader {
 public:
  OperationReader(TextReader& reader, const std::string& folder, Statement* statement)
      : reader_(reader), operands_(reader, folder), statement_(statement) {}

  absl::Status Read() {
    AXLE_ASSIGN_OR_RETURN(const absl::string_view name, reader_.TakeWord("an operation"));
    statement_->op = std::string(name);
    op_ = FindOp(name);
    FindConfig();
    for (reader_.SkipBlanks(); !AtOutcome(); reader_.SkipBlanks()) {
      AXLE_RETURN_IF_ERROR(AtKey() ? ReadKey() : ReadOperand());
    }
    AXLE_RETURN_IF_ERROR(Finish());
    if (reader_.Skip("->")) AXLE_RETURN_IF_ERROR(ReadExpected());
    if (reader_.Skip("!!")) AXLE_RETURN_IF_ERROR(ReadExpectedError());
    reader_.SkipBlanks();
    if (reader_.AtLineEnd() || AtClosingBrace()) return absl::OkStatus();
    return reader_.Fail("expected the end of the line");
  }

 private:
  bool AtClosingBrace() const { return reader_.Peek() == '}'; }
  // A brace ends a repetition.
  bool AtOutcome() const {
    return reader_.AtLineEnd() || AtClosingBrace() || reader_.Ahead("->") || reader_.Ahead("!!");
  }

  // The input that is made from keys, and the message that keys go to.
  void FindConfig() {
    if (op_ == nullptr) return;
    for (const xrt::ArgumentDef& input : op_->inputs) {
      if (IsConfig(input)) {
        config_input_ = &input;
        config_type_ = MessageTypeOf(input);
      } else if (MessageTypeOf(input) == wire::XLAComputation::descriptor()) {
        config_type_ = wire::XLAComputationConfig::descriptor();
      }
    }
  }

  bool AtKey() const {
    if (!reader_.AtWord()) return false;
    size_t length = 1;
    while (absl::ascii_isalnum(reader_.Peek(length)) || reader_.Peek(length) == '_') ++length;
    return reader_.Peek(length) == '=';
  }

  absl::Status ReadKey() {
    const size_t begin = reader_.place();
    AXLE_ASSIGN_OR_RETURN(const absl::string_view key, reader_.TakeWord("a key"));
    reader_.Skip("=");
    const xrt::AttributeDef* def = nullptr;
    if (op_ != nullptr) {
      for (const xrt::AttributeDef& attribute : op_->attributes) {
        if (attribute.name == key) def = &attribute;
      }
    }
    if (config_input_ != nullptr && key == "config") {
      AXLE_ASSIGN_OR_RETURN(raw_config_, operands_.Read(config_input_));
      return absl::OkStatus();
    }
    if (def == nullptr && config_type_ != nullptr) return ReadField(begin, FieldOf(key));
    AXLE_ASSIGN_OR_RETURN(xrt::Attribute value,
                          ReadAttribute(reader_, def == nullptr ? "" : def->type));
    if (statement_->attributes.emplace(std::string(key), std::move(value)).second) {
      return absl::OkStatus();
    }
    return reader_.FailAt(begin, "the attribute stands there twice");
  }

  // A field of the configuration, in text format but for shapes of programs.
  absl::Status ReadField(size_t begin, absl::string_view field) {
    std::string text;
    if (field == "program_shape" && reader_.Peek() == '(') {
      AXLE_ASSIGN_OR_RETURN(const hlo::ProgramShape shape, reader_.TakeProgramShape());
      wire::ProgramShapeProto proto;
      hlo::proto::WriteProgramShape(shape, &proto);
      text = absl::StrCat("program_shape { ", proto.ShortDebugString(), " } ");
    } else {
      AXLE_ASSIGN_OR_RETURN(const absl::string_view value, reader_.TakeToken());
      text = absl::StrCat(field, ": ", value, " ");
    }
    config_.append(text);
    size_t place = 0;
    const auto message = ParseMessageText(*config_type_, config_, &place);
    if (message.ok()) return absl::OkStatus();
    return reader_.FailAt(begin, message.status().message());
  }

  // The input that the next operand is for; null beyond the last one.
  const xrt::ArgumentDef* NextInput() {
    if (op_ == nullptr) return nullptr;
    while (next_ < op_->inputs.size() && &op_->inputs[next_] == config_input_) ++next_;
    if (next_ == op_->inputs.size()) return nullptr;
    const xrt::ArgumentDef* const input = &op_->inputs[next_];
    if (input->list.empty()) ++next_;
    return input;
  }

  absl::Status ReadOperand() {
    const xrt::ArgumentDef* const input = NextInput();
    const bool is_program = input != nullptr &&
                            MessageTypeOf(*input) == wire::XLAComputation::descriptor() &&
                            (reader_.Peek() == '"' || reader_.Peek() == '{');
    if (is_program) {
      AXLE_ASSIGN_OR_RETURN(program_, operands_.ReadProgram());
      statement_->operands.emplace_back(xrt::Value());
      return absl::OkStatus();
    }
    AXLE_ASSIGN_OR_RETURN(Operand operand, operands_.Read(input));
    statement_->operands.push_back(std::move(operand));
    return absl::OkStatus();
  }

  // Puts in what keys say, and requests that were left out.
  absl::Status Finish() {
    size_t place = 0;
    if (program_.has_value()) {
      wire::XLAComputation computation;
      computation.set_hlo_snapshot(*std::move(program_));
      AXLE_ASSIGN_OR_RETURN(const auto config, ParseMessageText(*config_type_, config_, &place));
      if (!config_.empty()) computation.mutable_config()->CopyFrom(*config);
      statement_->operands.front() = MessageValue(computation);
    } else if (config_input_ != nullptr) {
      Operand operand = MessageTemplate{statement_->place, config_type_, config_};
      if (raw_config_.has_value()) operand = *std::move(raw_config_);
      const size_t at =
          std::min<size_t>(config_input_ - op_->inputs.data(), statement_->operands.size());
      statement_->operands.insert(statement_->operands.begin() + at, std::move(operand));
    } else if (!config_.empty()) {
      return reader_.FailAt(statement_->place, "a message given as it is takes no keys");
    }
    if (op_ != nullptr && statement_->operands.empty() && op_->inputs.size() == 1 &&
        MessageTypeOf(op_->inputs[0]) == wire::XRTMetricsCollect::descriptor()) {
      statement_->operands.emplace_back(BytesValue(""));
    }
    return absl::OkStatus();
  }

  absl::Status ReadExpected() {
    const xrt::ArgumentDef* output = nullptr;
    if (op_ != nullptr) {
      for (const xrt::ArgumentDef& candidate : op_->outputs) {
        if (candidate.type != xrt::ArgumentType::kHandle) output = &candidate;
      }
    }
    if (output == nullptr) return reader_.Fail("the operation gives nothing but handles");
    do {
      reader_.SkipLines();
      AXLE_ASSIGN_OR_RETURN(ExpectedValue expected, ReadExpectedValue(*output));
      statement_->expected.push_back(std::move(expected));
      reader_.SkipBlanks();
    } while (reader_.Skip(","));
    return absl::OkStatus();
  }

  absl::StatusOr<ExpectedValue> ReadExpectedValue(const xrt::ArgumentDef& output) {
    const Descriptor* const type = MessageTypeOf(output);
    if (type == wire::ProgramShapeProto::descriptor()) {
      AXLE_ASSIGN_OR_RETURN(const hlo::ProgramShape shape, reader_.TakeProgramShape());
      return ExpectedValue{ProgramShapeText(shape, /*layouts=*/true)};
    }
    if (type == wire::ShapeProto::descriptor()) {
      AXLE_ASSIGN_OR_RETURN(const hlo::Shape shape, reader_.TakeShape());
      return ExpectedValue{shape.ToString()};
    }
    if (reader_.Ahead("text{") || reader_.Ahead("bytes{")) {
      AXLE_ASSIGN_OR_RETURN(const Operand operand, operands_.Read(&output));
      const auto* text = std::get_if<MessageTemplate>(&operand);
      if (text == nullptr) return ExpectedText(output, std::get<xrt::Value>(operand));
      size_t place = 0;
      AXLE_ASSIGN_OR_RETURN(const auto message, ParseMessageText(*type, text->text, &place));
      return ExpectedText(output, MessageValue(*message));
    }
    AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, reader_.TakeLiteral());
    const bool is_bytes = output.type == xrt::ArgumentType::kString && type == nullptr;
    if (is_bytes && literal.shape().IsArray()) {
      return ExpectedText(output, OperandReader::BytesOf(literal));
    }
    return ExpectedValue{std::move(literal)};
  }

  static absl::StatusOr<ExpectedValue> ExpectedText(const xrt::ArgumentDef& output,
                                                    const xrt::Value& value) {
    AXLE_ASSIGN_OR_RETURN(std::string text, ResultText(output, value, /*layouts=*/true));
    return ExpectedValue{std::move(text)};
  }

  absl::Status ReadExpectedError() {
    reader_.SkipBlanks();
    AXLE_ASSIGN_OR_RETURN(const absl::string_view word, reader_.TakeWord("an error"));
    const bool is_id =
        word.size() == 6 && absl::StartsWith(word, "AX") &&
        std::all_of(word.begin() + 2, word.end(), [](char c) { return absl::ascii_isdigit(c); });
    bool is_code = false;
    for (int code = 1; code <= 16; ++code) {
      is_code |= absl::StatusCodeToString(static_cast<absl::StatusCode>(code)) == word;
    }
    if (!is_id && !is_code) {
      return reader_.FailAt(reader_.PlaceOf(word), "expected an error, as in AX0620 or NOT_FOUND");
    }
    statement_->expected_error = std::string(word);
    return absl::OkStatus();
  }

  TextReader& reader_;
  OperandReader operands_;
  Statement* const statement_;
  const xrt::OpDef* op_ = nullptr;  // null: unknown
  size_t next_ = 0;                 // input
  const xrt::ArgumentDef* config_input_ = nullptr;
  const Descriptor* config_type_ = nullptr;
  std::string config_;  // text format
  std::optional<Operand> raw_config_;
  std::optional<std::string> program_;  // a snapshot
};

}  // namespace

absl::Status ReadOperation(TextReader& reader, const std::string& folder, Statement* statement) {
  return OperationReader(reader, folder, statement).Read();
}

}  // namespace axle::xrt_script
