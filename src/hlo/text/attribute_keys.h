// SPDX-License-Identifier: Apache-2.0
// Which attributes there are beside the fields of the attribute families: those that any
// instruction may have, and those that name called computations.
#ifndef AXLE_HLO_TEXT_ATTRIBUTE_KEYS_H_
#define AXLE_HLO_TEXT_ATTRIBUTE_KEYS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/opcode.h"

namespace axle::hlo::text {

// A place in Instruction::called.
struct CallSlot {
  absl::string_view key;
  int position = 0;
  bool is_list = false;  // key={%a, %b}: all of them, instead of one position
};

// The keys by which an opcode's attributes name computations.
absl::Span<const CallSlot> CallSlots(Calls calls);

// How many positions of CallSlots must be given; -1 is any number.
int RequiredCalls(Calls calls);

// Whether some operation of HLO has an attribute of this name.
bool IsKnownKey(absl::string_view key);

// Whether the opcode can be read without a field that is printed always.
bool IsOptionalKey(Opcode opcode, absl::string_view key);
// Whether it cannot be read without a field that is not printed always.
bool IsRequiredKey(Opcode opcode, absl::string_view key);
// Attributes that XLA still reads but that say nothing: dropped.
bool IsIgnoredKey(Opcode opcode, absl::string_view key);

// Keys of the family's fields and of the called computations, for messages: "dimensions, to_apply".
std::string KeysOf(Opcode opcode);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_ATTRIBUTE_KEYS_H_
