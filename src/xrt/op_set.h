// SPDX-License-Identifier: Apache-2.0
// The XRT operations: programs and values by int64 handles, messages as serialized protos.
//
// Reading order: OpDef (what an operation is), Ops() (all of them, from one table), OpSet::Run (the
// one way to run them). A carrier (a TensorFlow op library, a server, a script) registers itself
// from Ops() and calls Run.
#ifndef AXLE_XRT_OP_SET_H_
#define AXLE_XRT_OP_SET_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/literal.h"
#include "hlo/shape.h"
#include "runtime/session.h"
#include "xrt/metrics.h"

namespace axle::xrt {

// A tensor of strings, row-major.
struct Strings {
  std::vector<int64_t> dimensions;  // empty: a scalar
  std::vector<std::string> values;
};
// What goes into operations and comes out of them, on the host.
using Value = std::variant<hlo::Literal, Strings>;

// Of a shape that stands for TensorFlow's `shape`, which has no element type, only the dimensions
// count.
using Attribute = std::variant<int64_t, bool, hlo::ElementType, hlo::Shape, std::vector<int64_t>,
                               std::vector<hlo::ElementType>, std::vector<hlo::Shape>>;
using Attributes = std::map<std::string, Attribute, std::less<>>;

// kHandle is int64, as kInt64; kAny an array of any type.
enum class ArgumentType { kHandle, kString, kInt32, kInt64, kAny };
enum class ArgumentRank { kScalar, kVector, kScalarOrVector, kAny };

// An input or output.
struct ArgumentDef {
  absl::string_view name;
  ArgumentType type;
  ArgumentRank rank;  // of each tensor
  // "": one tensor. Else the attribute that counts the tensors: "Ninputs", or the list of their
  // types: "dtypes".
  absl::string_view list;
  absl::string_view doc;
};

struct AttributeDef {
  absl::string_view name;
  absl::string_view type;           // "int", "bool", "type", "shape", "list(int)" …
  absl::string_view default_value;  // as written; "" where it must be given
  absl::string_view doc;
};

class OpSet;

struct OpDef {
  absl::string_view name;  // "XRTCompile"
  absl::Span<const ArgumentDef> inputs;
  absl::Span<const ArgumentDef> outputs;
  absl::Span<const AttributeDef> attributes;
  absl::string_view metric;  // "/tensorflow/xrt/ops/compile"; "" for none
  absl::string_view doc;     // what it does, one paragraph
  // Gets as many inputs as the signature says, of the right types and ranks; attributes complete,
  // with defaults.
  absl::StatusOr<std::vector<Value>> (*run)(OpSet& ops, const Attributes& attributes,
                                            absl::Span<const Value> inputs);
};

// Every operation, in the order of the documentation.
absl::Span<const OpDef> Ops();

// The operations on one device for one session. Thread-safe.
class OpSet {
 public:
  // `device`: Device::id() in the session's backend. Where it has no such device, what needs it
  // answers AX0603.
  OpSet(std::shared_ptr<runtime::Session> session, int device);

  // Attributes with a default may be left out, and so may one that counts the inputs or names their
  // types. Errors: AX10xx (xrt/errors.h) for inputs, attributes and messages at fault; those of
  // runtime::Session. A failed operation has changed nothing.
  absl::StatusOr<std::vector<Value>> Run(absl::string_view op, const Attributes& attributes,
                                         absl::Span<const Value> inputs);

  runtime::Session& session() const { return *session_; }
  int device() const { return device_; }
  const Metrics& metrics() const { return metrics_; }  // of the calls of Run

 private:
  const std::shared_ptr<runtime::Session> session_;
  const int device_;
  Metrics metrics_;
};

}  // namespace axle::xrt

#endif  // AXLE_XRT_OP_SET_H_
