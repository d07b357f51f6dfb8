// SPDX-License-Identifier: Apache-2.0
// An instruction while it is read: names stand where the IR has indices, because computations may
// come later in the text.
#ifndef AXLE_HLO_TEXT_DRAFT_H_
#define AXLE_HLO_TEXT_DRAFT_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "hlo/instruction.h"

namespace axle::hlo::text {

struct NameReference {
  absl::string_view name;
  size_t offset = 0;  // where the text has it
};

// A called computation: by name, or by index when it was written in place.
struct CallReference {
  NameReference name;
  std::optional<ComputationIndex> index;
  bool given = false;
};

struct InstructionDraft {
  Instruction instruction;
  size_t offset = 0;                             // of the opcode
  bool scalar_operand = false;                   // its first operand is a scalar
  absl::InlinedVector<CallReference, 2> called;  // in the order of Instruction::called
  std::vector<NameReference> control_predecessors;
  // The operation inside an asynchronous start in its short form; it takes the attributes that the
  // start does not have.
  std::unique_ptr<InstructionDraft> wrapped;
};

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_DRAFT_H_
