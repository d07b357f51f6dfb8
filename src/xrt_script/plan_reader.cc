// SPDX-License-Identifier: Apache-2.0
// The two messages that describe how values go together: tuples and plans.
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "proto/xrt.pb.h"
#include "xrt_script/messages.h"
#include "xrt_script/operation_reader.h"

namespace axle::xrt_script {
namespace {

// More levels than a message may have when it is parsed again.
constexpr int kMostTupleLevels = 150;

absl::Status ReadNode(TextReader& reader, int depth, wire::XLATupleNode* node) {
  if (reader.Peek() != '{') {
    if (!reader.AtNumber()) return reader.Fail("expected '{' or the number of an input");
    const size_t begin = reader.place();
    AXLE_ASSIGN_OR_RETURN(const int64_t input, reader.TakeNumber("the number of an input"));
    if (input != static_cast<int32_t>(input)) return reader.FailAt(begin, "expected 32 bits");
    node->set_input_index(static_cast<int32_t>(input));
    // Two marks are the beginning of an expected error.
    if (!reader.Ahead("!!")) node->set_release_input_handle(reader.Skip("!"));
    return absl::OkStatus();
  }
  if (depth == kMostTupleLevels) return reader.Fail("tuples nest more than 150 deep");
  reader.Skip("{");
  do {
    reader.SkipLines();
    AXLE_RETURN_IF_ERROR(ReadNode(reader, depth + 1, node->add_tuples()));
    reader.SkipLines();
  } while (reader.Skip(","));
  if (!reader.Skip("}")) return reader.Fail("expected ',' or '}'");
  return absl::OkStatus();
}

class PlanReader {
 public:
  explicit PlanReader(TextReader& reader) : reader_(reader) {}

  absl::StatusOr<std::string> Read() {
    const size_t begin = reader_.place();
    reader_.Skip("{");
    bool returned = false;
    for (reader_.SkipLines(); !reader_.Skip("}"); reader_.SkipLines()) {
      if (reader_.at_end()) return reader_.FailAt(begin, "'{' is never closed");
      if (returned) return reader_.Fail("nothing may follow 'return'");
      AXLE_ASSIGN_OR_RETURN(const absl::string_view word, reader_.TakeWord("a step or 'return'"));
      reader_.SkipBlanks();
      returned = word == "return";
      AXLE_RETURN_IF_ERROR(returned ? ReadReturn() : ReadStep(word));
      reader_.SkipBlanks();
      if (!reader_.AtLineEnd() && reader_.Peek() != '}')
        return reader_.Fail("expected the end of the line");
    }
    std::string plan;
    for (const std::string& step : steps_) absl::StrAppend(&plan, "ops { ", step, "} ");
    return plan;
  }

 private:
  struct Part {
    size_t step = 0;
    int64_t index = 0;  // as messages count: 0 is the whole
  };

  // "sum = p(x, y)"; the name is read.
  absl::Status ReadStep(absl::string_view name) {
    if (!reader_.Skip("=")) return reader_.Fail("expected '=' behind the name of the step");
    reader_.SkipBlanks();
    AXLE_ASSIGN_OR_RETURN(const std::string program, ReadHandle());
    if (!reader_.Skip("(")) return reader_.Fail("expected '(' and the inputs of the program");
    std::string inputs;
    reader_.SkipLines();
    while (!reader_.Skip(")")) {
      AXLE_ASSIGN_OR_RETURN(const Part part, ReadPart());
      absl::StrAppend(&inputs, "inputs { op_index: ", part.step, " output_index: ", part.index,
                      " } ");
      reader_.SkipLines();
      if (reader_.Peek() != ')' && !reader_.Skip(",")) return reader_.Fail("expected ',' or ')'");
      reader_.SkipLines();
    }
    if (!named_.emplace(std::string(name), steps_.size()).second) {
      return reader_.FailAt(reader_.PlaceOf(name), "another step has this name");
    }
    steps_.push_back(absl::StrCat("computation_handle: ", program, " ", inputs));
    return absl::OkStatus();
  }

  // "return sum, twice.0"
  absl::Status ReadReturn() {
    int64_t place = 0;
    do {
      reader_.SkipBlanks();
      AXLE_ASSIGN_OR_RETURN(const Part part, ReadPart());
      absl::StrAppend(&steps_[part.step], "outputs { output_index: ", part.index,
                      " result_index: ", place++, " } ");
      reader_.SkipBlanks();
    } while (reader_.Skip(","));
    return absl::OkStatus();
  }

  // A step's name, or a handle, which becomes a step of its own; behind it ".2" for a part.
  absl::StatusOr<Part> ReadPart() {
    const size_t begin = reader_.place();
    AXLE_ASSIGN_OR_RETURN(const std::string handle, ReadHandle());
    const std::string text(reader_.text().substr(begin, reader_.place() - begin));
    const auto [found, added] = named_.emplace(text, steps_.size());
    if (added) steps_.push_back(absl::StrCat("data_handle: ", handle, " "));
    Part part = {.step = found->second};
    if (!reader_.Skip(".")) return part;
    AXLE_ASSIGN_OR_RETURN(const int64_t element, reader_.TakeNumber("the number of an element"));
    part.index = element + 1;
    return part;
  }

  // As message text has it.
  absl::StatusOr<std::string> ReadHandle() {
    AXLE_ASSIGN_OR_RETURN(const Reference handle, reader_.TakeReference());
    if (handle.name.empty()) return absl::StrCat(handle.number);
    return absl::StrCat("$", handle.session, handle.session.empty() ? "" : ".", handle.name);
  }

  TextReader& reader_;
  std::vector<std::string> steps_;                  // fields of each
  absl::flat_hash_map<std::string, size_t> named_;  // steps by name, values by handle
};

}  // namespace

absl::StatusOr<xrt::Value> ReadTuple(TextReader& reader) {
  wire::XLATupleNode node;
  AXLE_RETURN_IF_ERROR(ReadNode(reader, 0, &node));
  return MessageValue(node);
}

absl::StatusOr<MessageTemplate> ReadPlan(TextReader& reader) {
  const size_t begin = reader.place();
  AXLE_ASSIGN_OR_RETURN(std::string text, PlanReader(reader).Read());
  return MessageTemplate{begin, wire::XRTChainedExecutePlan::descriptor(), std::move(text)};
}

}  // namespace axle::xrt_script
