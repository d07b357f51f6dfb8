// SPDX-License-Identifier: Apache-2.0
// Scripts of XRT operations. docs/xrt-scripts.md describes the language.
//
// text ── ParseScript ──► Script ── Runner (runner.h) ──► events
//
// A statement is an operation or steers the script. Operations come in one form for all of
// xrt::Ops(): what an operand may be follows from the OpDef, and for a message from its name, which
// is the first word of the input's documentation. What is known when the script is read is a
// xrt::Value by then; what holds handles stays text or names until it runs.
#ifndef AXLE_XRT_SCRIPT_SCRIPT_H_
#define AXLE_XRT_SCRIPT_SCRIPT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "hlo/literal.h"
#include "xrt/op_set.h"

namespace axle::xrt_script {

// A handle: `name`, `session.name`, or a number. Places are offsets in the script's text.
struct Reference {
  size_t place = 0;
  std::string session;  // empty: the current one
  std::string name;     // empty: a number
  int64_t number = 0;
};

// A message in protobuf's text format, in which $name and $session.name stand for handles.
struct MessageTemplate {
  size_t place = 0;
  const google::protobuf::Descriptor* type = nullptr;
  std::string text;
};

// A tensor to give to an operation. Several references are a vector.
using Operand = std::variant<xrt::Value, Reference, std::vector<Reference>, MessageTemplate>;

// A result: a value, or what ResultText makes of one, with and without layouts.
struct ExpectedValue {
  std::variant<hlo::Literal, std::string> value;
};

struct Statement {
  enum class Kind { kOperation, kRepeat, kSession, kEndSession, kDevice, kRestart };

  Kind kind = Kind::kOperation;
  size_t place = 0;
  std::string source;  // its first line

  // An operation. Of an unknown one, operands are read by their form.
  std::vector<std::string> names;  // for the handles that it makes
  std::string op;
  std::vector<Operand> operands;  // one an input tensor
  xrt::Attributes attributes;
  std::vector<ExpectedValue> expected;  // empty: results are shown
  std::string expected_error;           // an id or the name of a code; empty: none

  std::string session;  // kSession, kEndSession
  int64_t number = 0;   // times; a session's limit in bytes, -1 for none; a device
  std::vector<Statement> body;
};

struct Script {
  std::string path;
  std::string text;
  std::vector<Statement> statements;
};

// Reads a script; `path` stands in messages. Files of programs are in the folder `programs`, or
// beside the script if that is empty. Errors: AX0958, with its place in `text` (hlo::PlaceOf);
// those of the files it names.
absl::StatusOr<Script> ParseScript(std::string path, std::string text,
                                   absl::string_view programs = "");

// AX0958 "path:line:column: message", with the place as hlo::PlaceOf knows it.
absl::Status ScriptError(absl::string_view path, absl::string_view text, size_t place,
                         absl::string_view message);

// The line of an offset, from 1.
int64_t LineOf(absl::string_view text, size_t place);

}  // namespace axle::xrt_script

#endif  // AXLE_XRT_SCRIPT_SCRIPT_H_
