// SPDX-License-Identifier: Apache-2.0
// What the operations share: taking inputs apart, messages, and handles with their device.
#ifndef AXLE_XRT_VALUES_H_
#define AXLE_XRT_VALUES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "google/protobuf/message_lite.h"
#include "hlo/literal.h"
#include "proto/xla_data.pb.h"
#include "runtime/allocation.h"
#include "xrt/op_set.h"

namespace axle::xrt {

// ---- Inputs, which OpSet::Run has checked, and outputs ------------------------------------------

using Outputs = std::vector<Value>;

template <typename T>
const T& Get(const Attributes& attributes, absl::string_view name) {
  return std::get<T>(attributes.find(name)->second);
}

inline const hlo::Literal& Array(const Value& value) { return std::get<hlo::Literal>(value); }
inline absl::Span<const int64_t> Int64s(const Value& value) { return Array(value).data<int64_t>(); }
inline int64_t Int64(const Value& value) { return Int64s(value).front(); }
inline const std::string& String(const Value& value) {
  return std::get<Strings>(value).values.front();
}
// Those of several tensors, one after another.
std::vector<int64_t> Concatenate(absl::Span<const Value> tensors);

inline Value ScalarHandle(int64_t handle) { return hlo::Literal::Scalar<int64_t>(handle); }
inline Value HandleVector(const std::vector<int64_t>& handles) {
  return hlo::Literal::Vector<int64_t>(handles);
}
inline Value ScalarString(std::string text) { return Strings{{}, {std::move(text)}}; }

template <typename... Values>
Outputs MakeOutputs(Values&&... values) {
  Outputs outputs;
  outputs.reserve(sizeof...(values));
  (outputs.push_back(std::forward<Values>(values)), ...);
  return outputs;
}

// ---- Messages -----------------------------------------------------------------------------------

// `name`: of the input, for messages. Errors: AX1005, AX1006.
absl::Status ParseInto(const Value& value, absl::string_view name,
                       google::protobuf::MessageLite* message);
// For ParseWithLiteral: `message` is LiteralProto or XLAAllocation.
absl::Status CheckParts(absl::string_view message, const Value& value);
template <typename Message>
absl::StatusOr<Message> Parse(const Value& value, absl::string_view name) {
  Message message;
  if (absl::Status status = ParseInto(value, name, &message); !status.ok()) return status;
  return message;
}
// Parse of a message that is a literal or holds one. An empty part of a literal takes two bytes in
// the message and hundreds once parsed, so the parts are counted before anything is made of them.
// Error AX0611 for more than any value may have.
template <typename Message>
absl::StatusOr<Message> ParseWithLiteral(const Value& value, absl::string_view name) {
  if (absl::Status status = CheckParts(Message::descriptor()->name(), value); !status.ok()) {
    return status;
  }
  return Parse<Message>(value, name);
}
// Error AX1006.
absl::StatusOr<std::string> Serialize(const google::protobuf::MessageLite& message);

// Errors: AX0211, AX0212, AX0218; AX1017.
absl::StatusOr<hlo::Literal> ParseLiteral(const wire::LiteralProto& proto);
// AX1006 for a literal of more bytes than a message may have.
absl::Status CheckMessageSize(const hlo::Shape& shape);
// Serialized, with layouts; without one it is row-major. Error AX1006: some integers take more
// bytes in a message than on the host.
absl::StatusOr<std::string> SerializeLiteral(const hlo::Literal& literal);

// ---- Handles ------------------------------------------------------------------------------------

// Errors: the table's; AX1013 for a value or program of another device than the op set's.
absl::StatusOr<std::shared_ptr<const runtime::Allocation>> FindAllocation(const OpSet& ops,
                                                                          int64_t handle);
absl::StatusOr<std::shared_ptr<const runtime::OwnedProgram>> FindProgram(const OpSet& ops,
                                                                         int64_t handle);
absl::StatusOr<std::shared_ptr<runtime::Transfer>> FindTransfer(const OpSet& ops, int64_t handle);
// AX1013 unless the ordinal is 0, which messages cannot tell from none, or the op set's device.
absl::Status CheckOrdinal(const OpSet& ops, int64_t ordinal);

// A new handle for `allocation`, with which `released`, of `kind`, end: all of it or nothing.
absl::StatusOr<int64_t> KeepAndRelease(const OpSet& ops, runtime::Allocation allocation,
                                       absl::Span<const int64_t> released,
                                       runtime::HandleKind kind = runtime::HandleKind::kAllocation);

// The static array of an attribute pair dtype and shape. Error AX1004.
absl::StatusOr<hlo::Shape> ArrayOf(const Attributes& attributes);

}  // namespace axle::xrt

#endif  // AXLE_XRT_VALUES_H_
