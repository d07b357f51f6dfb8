// SPDX-License-Identifier: Apache-2.0
// Messages of XRT operations as scripts write and show them.
#ifndef AXLE_XRT_SCRIPT_MESSAGES_H_
#define AXLE_XRT_SCRIPT_MESSAGES_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "hlo/literal.h"
#include "hlo/module.h"
#include "hlo/shape.h"
#include "proto/xrt.pb.h"
#include "xrt/op_set.h"
#include "xrt_script/script.h"

namespace axle::xrt_script {

// ---- Into operations ----------------------------------------------------------------------------

// The message that a string input or output holds: its documentation begins with the name. Null for
// plain bytes and for what is no string.
const google::protobuf::Descriptor* MessageTypeOf(const xrt::ArgumentDef& argument);

xrt::Value BytesValue(std::string bytes);
xrt::Value MessageValue(const google::protobuf::MessageLite& message);

// A message of the type from protobuf's text format. On an error `*place` is its offset in `text`,
// and the status (without an id) says what is wrong.
absl::StatusOr<std::unique_ptr<google::protobuf::Message>> ParseMessageText(
    const google::protobuf::Descriptor& type, absl::string_view text, size_t* place);

// Puts `resolve(name, place)` for each $name and $session.name outside of strings.
absl::StatusOr<std::string> SubstituteHandles(
    absl::string_view text,
    const std::function<absl::StatusOr<std::string>(absl::string_view name, size_t place)>&
        resolve);

absl::StatusOr<wire::LiteralProto> LiteralMessage(const hlo::Literal& literal);
// A serialized HloSnapshot with layouts.
absl::StatusOr<std::string> SnapshotOf(const hlo::Module& module);

// ---- Out of operations --------------------------------------------------------------------------

// "f32[2] {1, 2}", without layouts.
std::string LiteralText(const hlo::Literal& literal);
std::string ProgramShapeText(const hlo::ProgramShape& shape, bool layouts);
std::string BytesText(absl::string_view bytes);  // "bytes{00 00 80 3f}"

// What an output is, if it is an array or a LiteralProto.
absl::StatusOr<std::optional<hlo::Literal>> ResultLiteral(const xrt::ArgumentDef& output,
                                                          const xrt::Value& value);
// Any output that is no handle, as scripts write it.
absl::StatusOr<std::string> ResultText(const xrt::ArgumentDef& output, const xrt::Value& value,
                                       bool layouts);

// Bit for bit but for layouts; every not-a-number equals every other.
bool SameLiteral(const hlo::Literal& a, const hlo::Literal& b);

}  // namespace axle::xrt_script

#endif  // AXLE_XRT_SCRIPT_MESSAGES_H_
