// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/unknown_fields.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/status_macros.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/unknown_field_set.h"
#include "hlo/proto/errors.h"

namespace axle::hlo::proto {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

bool IsMessage(const FieldDescriptor* field) {
  return field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
}

// Messages nest at most 100 deep: the parser of protobuf sees to it.
bool HasUnknown(const Message& message) {
  const Reflection& reflection = *message.GetReflection();
  if (!reflection.GetUnknownFields(message).empty()) return true;
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (!IsMessage(field)) continue;
    if (!field->is_repeated()) {
      if (HasUnknown(reflection.GetMessage(message, field))) return true;
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      if (HasUnknown(reflection.GetRepeatedMessage(message, field, i))) return true;
    }
  }
  return false;
}

// Clears the field but for what is unknown inside it.
absl::Status ClearKnown(const FieldDescriptor* field, Message* message) {
  const Reflection& reflection = *message->GetReflection();
  if (IsMessage(field) && field->is_repeated()) {
    for (int i = 0; i < reflection.FieldSize(*message, field); ++i) {
      if (HasUnknown(reflection.GetRepeatedMessage(*message, field, i))) {
        return MakeError(errors::kUnknownInside,
                         absl::StrCat("element ", i, " of field ", field->name()));
      }
    }
  } else if (IsMessage(field) && reflection.HasField(*message, field)) {
    if (HasUnknown(reflection.GetMessage(*message, field))) {
      Message* nested = reflection.MutableMessage(message, field);
      std::vector<const FieldDescriptor*> fields;
      nested->GetReflection()->ListFields(*nested, &fields);
      for (const FieldDescriptor* inner : fields) {
        AXLE_RETURN_IF_ERROR(ClearKnown(inner, nested));
      }
      return absl::OkStatus();
    }
  }
  reflection.ClearField(message, field);
  return absl::OkStatus();
}

}  // namespace

FieldList::FieldList(const google::protobuf::Descriptor& message, absl::Span<const int> numbers) {
  for (const int number : numbers) {
    fields_.push_back(message.FindFieldByNumber(number));
    AXLE_ASSERT(fields_.back() != nullptr);
  }
}

absl::Status ClearRead(const FieldList& read, bool nested_unknown, Message* message) {
  const Reflection& reflection = *message->GetReflection();
  for (const FieldDescriptor* field : read.fields()) {
    if (nested_unknown) {
      AXLE_RETURN_IF_ERROR(ClearKnown(field, message));
    } else {
      reflection.ClearField(message, field);
    }
  }
  return absl::OkStatus();
}

absl::Status MergeKept(const std::string& kept, Message* message) {
  if (kept.empty() || message->MergeFromString(kept)) return absl::OkStatus();
  return MakeError(errors::kMalformed, "unknown fields that were kept are no fields");
}

}  // namespace axle::hlo::proto
