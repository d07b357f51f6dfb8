// SPDX-License-Identifier: Apache-2.0
// What the parts of one read share: interned values, and what must be kept of the message at hand.
#ifndef AXLE_HLO_PROTO_CONTEXT_H_
#define AXLE_HLO_PROTO_CONTEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/shared_string.h"
#include "google/protobuf/repeated_field.h"
#include "hlo/instruction.h"
#include "hlo/proto/metadata_codec.h"
#include "hlo/proto/shape_codec.h"
#include "hlo/proto/unknown_fields.h"
#include "proto/hlo.pb.h"

namespace axle::hlo::proto {

// Not thread-safe; lives as long as one read of a module.
struct ReadContext {
  ShapeReader shapes;
  MetadataReader metadata;

  // Of the instruction being read: parts of its fields that its attribute struct has no place for.
  // They join the unknown fields.
  wire::HloInstructionProto kept;
  bool has_kept = false;
  wire::HloInstructionProto& Keep() {
    has_kept = true;
    return kept;
  }

  // Set when a message nested in the instruction, computation or module being read has unknown
  // fields; then, and only then, they are searched for.
  bool nested_unknown = false;
  template <typename Message>
  void Note(const Message& message) {
    if (HasUnknownFields(message)) nested_unknown = true;
  }
  // Shapes note theirs apart; this joins both and begins anew.
  bool TakeNestedUnknown() {
    const bool result = nested_unknown || shapes.saw_unknown();
    nested_unknown = false;
    shapes.clear_saw_unknown();
    return result;
  }

  // Of the instruction being read: the instructions before it and which of them it uses.
  absl::Span<const Instruction> earlier;
  absl::Span<const InstructionIndex> operands;
  const Shape& operand_shape(size_t i) const { return earlier[operands[i]].shape; }
};

// An error unless `text` is UTF-8; `what` names it.
absl::Status CheckText(absl::string_view text, absl::string_view what);

absl::Status BadValue(absl::string_view field, absl::string_view value);
absl::Status MissingField(absl::string_view field);

// The enumerator with this number, or an error that names the field. For the enumerations of
// hlo/attribute_values.h, whose values are wire numbers.
template <typename E>
absl::Status ReadEnum(int number, absl::string_view field, E* value) {
  if (number < 0 || number >= static_cast<int>(EnumNames<E>::values.size())) {
    return BadValue(field, std::to_string(number));
  }
  *value = static_cast<E>(number);
  return absl::OkStatus();
}

// `value` for a 32-bit field of the wire form.
absl::StatusOr<int32_t> ToInt32(int64_t value, absl::string_view field);

template <typename T>
std::vector<int64_t> ToVector(const google::protobuf::RepeatedField<T>& field) {
  return std::vector<int64_t>(field.begin(), field.end());
}

// Replaces the field's content.
template <typename Values, typename T>
void Assign(const Values& values, google::protobuf::RepeatedField<T>* field) {
  field->Clear();
  field->Reserve(static_cast<int>(values.size()));
  for (const auto value : values) field->Add(static_cast<T>(value));
}

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_CONTEXT_H_
