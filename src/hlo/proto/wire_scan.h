// SPDX-License-Identifier: Apache-2.0
// Taking a serialized message apart without parsing it. Modules are read and written one
// instruction at a time, so that they never stand in memory twice.
#ifndef AXLE_HLO_PROTO_WIRE_SCAN_H_
#define AXLE_HLO_PROTO_WIRE_SCAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace axle::hlo::proto {

struct SplitMessage {
  std::vector<absl::string_view> parts;  // payloads of the field, in order
  std::string rest;                      // all other fields
};

// Splits a message at a field of messages, strings or bytes. False if the bytes are no message.
bool SplitAtField(absl::string_view bytes, int field, SplitMessage* split);

// Payload of the first occurrence of that field, or "" if there is none or the bytes are no
// message.
absl::string_view FirstPayload(absl::string_view bytes, int field);

// Appends a field of messages, strings or bytes.
void AppendField(int field, absl::string_view payload, std::string* bytes);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_WIRE_SCAN_H_
