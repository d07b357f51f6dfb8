// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/wire_scan.h"

#include <limits>

#include "google/protobuf/io/coded_stream.h"

namespace axle::hlo::proto {
namespace {

using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;

// The low three bits of a tag.
enum WireType : uint32_t {
  kVarint = 0,
  kFixed64 = 1,
  kLengthDelimited = 2,
  kStartGroup = 3,
  kEndGroup = 4,
  kFixed32 = 5,
};
constexpr int kTypeBits = 3;
constexpr int kMaxGroupNesting = 100;  // as protobuf's own parser

bool SkipGroup(uint32_t field, int depth, CodedInputStream* in);

bool SkipValue(uint32_t tag, int depth, CodedInputStream* in) {
  uint64_t value;
  uint32_t length;
  switch (tag & ((1 << kTypeBits) - 1)) {
    case kVarint:
      return in->ReadVarint64(&value);
    case kFixed64:
      return in->Skip(8);
    case kLengthDelimited:
      return in->ReadVarint32(&length) && length <= std::numeric_limits<int32_t>::max() &&
             in->Skip(static_cast<int>(length));
    case kStartGroup:
      return SkipGroup(tag >> kTypeBits, depth + 1, in);
    case kFixed32:
      return in->Skip(4);
    default:
      return false;
  }
}

bool SkipGroup(uint32_t field, int depth, CodedInputStream* in) {
  if (depth > kMaxGroupNesting) return false;
  while (const uint32_t tag = in->ReadTag()) {
    if ((tag >> kTypeBits) == 0) return false;
    if (tag == (field << kTypeBits | kEndGroup)) return true;
    if (!SkipValue(tag, depth, in)) return false;
  }
  return false;
}

// Calls f(field number, wire type, start of the field, end of it) until f returns false. False if
// the bytes are no message.
template <typename F>
bool ForEachField(absl::string_view bytes, F&& f) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) return false;
  CodedInputStream in(reinterpret_cast<const uint8_t*>(bytes.data()),
                      static_cast<int>(bytes.size()));
  while (in.CurrentPosition() < static_cast<int>(bytes.size())) {
    const int start = in.CurrentPosition();
    const uint32_t tag = in.ReadTag();
    if ((tag >> kTypeBits) == 0 || !SkipValue(tag, 0, &in)) return false;
    const int end = in.CurrentPosition();
    if (!f(tag >> kTypeBits, tag & ((1 << kTypeBits) - 1), start, end)) return true;
  }
  return true;
}

// The payload of a length-delimited field.
absl::string_view PayloadOf(absl::string_view field) {
  CodedInputStream in(reinterpret_cast<const uint8_t*>(field.data()),
                      static_cast<int>(field.size()));
  uint32_t length = 0;
  in.ReadTag();
  in.ReadVarint32(&length);
  return field.substr(in.CurrentPosition(), length);
}

}  // namespace

bool SplitAtField(absl::string_view bytes, int field, SplitMessage* split) {
  return ForEachField(bytes, [&](uint32_t number, uint32_t type, int start, int end) {
    const absl::string_view whole = bytes.substr(start, end - start);
    if (number == static_cast<uint32_t>(field) && type == kLengthDelimited) {
      split->parts.push_back(PayloadOf(whole));
    } else {
      split->rest.append(whole.data(), whole.size());
    }
    return true;
  });
}

absl::string_view FirstPayload(absl::string_view bytes, int field) {
  absl::string_view payload;
  const bool ok = ForEachField(bytes, [&](uint32_t number, uint32_t type, int start, int end) {
    if (number != static_cast<uint32_t>(field) || type != kLengthDelimited) return true;
    payload = PayloadOf(bytes.substr(start, end - start));
    return false;
  });
  return ok ? payload : absl::string_view();
}

void AppendField(int field, absl::string_view payload, std::string* bytes) {
  uint8_t buffer[16];
  uint8_t* end = CodedOutputStream::WriteTagToArray(
      static_cast<uint32_t>(field) << kTypeBits | kLengthDelimited, buffer);
  end = CodedOutputStream::WriteVarint64ToArray(payload.size(), end);
  bytes->append(reinterpret_cast<const char*>(buffer), end - buffer);
  bytes->append(payload.data(), payload.size());
}

}  // namespace axle::hlo::proto
