// SPDX-License-Identifier: Apache-2.0
// Keeping what a reader does not understand.
#ifndef AXLE_HLO_PROTO_UNKNOWN_FIELDS_H_
#define AXLE_HLO_PROTO_UNKNOWN_FIELDS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/unknown_field_set.h"

namespace axle::hlo::proto {

// Fields that the message's declaration does not have.
inline const google::protobuf::UnknownFieldSet& UnknownFieldsOf(
    const google::protobuf::Message& message) {
  return message.GetReflection()->GetUnknownFields(message);
}
inline bool HasUnknownFields(const google::protobuf::Message& message) {
  return !UnknownFieldsOf(message).empty();
}
inline void CopyUnknownFields(const google::protobuf::Message& from,
                              google::protobuf::Message* to) {
  to->GetReflection()->MutableUnknownFields(to)->MergeFrom(UnknownFieldsOf(from));
}

// Fields of one message type by number.
class FieldList {
 public:
  FieldList(const google::protobuf::Descriptor& message, absl::Span<const int> numbers);
  absl::Span<const google::protobuf::FieldDescriptor* const> fields() const { return fields_; }

 private:
  std::vector<const google::protobuf::FieldDescriptor*> fields_;
};

// Clears the fields of `read`, which have been understood, so that what is left of `message` is
// what has not: its other fields and its unknown ones. With `nested_unknown` the read fields are
// searched too: what is unknown inside singular messages stays, wrapped as it was; inside repeated
// ones it could not be told which element it belongs to, so that is an error (AX0216).
absl::Status ClearRead(const FieldList& read, bool nested_unknown,
                       google::protobuf::Message* message);

// Merges what was left, serialized, into a message that is about to be written. The
// other fields must be set afterwards.
absl::Status MergeKept(const std::string& kept, google::protobuf::Message* message);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_UNKNOWN_FIELDS_H_
