// SPDX-License-Identifier: Apache-2.0
// Instruction: one operation of a computation. Plain data; hlo/ops checks it against the rules.
#ifndef AXLE_HLO_INSTRUCTION_H_
#define AXLE_HLO_INSTRUCTION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "base/shared_string.h"
#include "hlo/attributes.h"
#include "hlo/opcode.h"
#include "hlo/shape.h"

namespace axle::hlo {

// Position of an instruction in its computation, and of a computation in its module.
using InstructionIndex = uint32_t;
using ComputationIndex = uint32_t;

// What few instructions' metadata have.
struct RareMetadata {
  SharedString deduplicated_name;
  SharedString scheduling_name;
  int64_t size_of_generated_code_in_bytes = 0;
  int64_t size_of_memory_working_set_in_bytes = 0;
  std::vector<int32_t> profile_types;
  bool operator==(const RareMetadata&) const = default;
};

// Where an instruction came from. Immutable once shared; never decides what a program computes.
// Nearly every instruction has its own, so it is kept small.
struct Metadata {
  SharedString op_name;
  SharedString op_type;
  SharedString source_file;
  int32_t source_line = 0;
  int32_t source_end_line = 0;
  int32_t source_column = 0;
  int32_t source_end_column = 0;
  int32_t stack_frame_id = 0;
  SharedString unknown_text;  // " key=value" pairs without a field, as written
  SharedString unknown_wire;  // wire fields without a field (profile_info among them), serialized

  Metadata() = default;
  Metadata(const Metadata& other);
  Metadata& operator=(const Metadata&) = delete;
  bool operator==(const Metadata& other) const;

  const RareMetadata& rare() const;  // a default one where there is none
  RareMetadata& mutable_rare() {
    if (!rare_) rare_ = std::make_unique<RareMetadata>();
    return *rare_;
  }

 private:
  std::unique_ptr<RareMetadata> rare_;
};

// What few instructions have.
struct Extras {
  std::unique_ptr<Sharding> sharding;
  FrontendAttributes frontend_attributes;
  std::string backend_config;           // text or JSON for most, opaque bytes for a custom call
  bool backend_config_is_json = false;  // written without quotes: backend_config={…}
  absl::InlinedVector<InstructionIndex, 2> control_predecessors;
  std::string original_value;       // text of origin={…}, braces included
  std::string original_value_wire;  // or its serialized wire message
  std::string statistics;           // text of statistics={…}, braces included
  // Attributes that no part of Axle knows: (key, value as written). Kept, printed back, never run.
  std::vector<std::pair<std::string, std::string>> unknown_text;
  std::string unknown_wire;  // unknown fields of the instruction's wire message, serialized

  Extras() = default;
  Extras(const Extras& other);
  Extras& operator=(const Extras&) = delete;
};

struct Instruction {
  Opcode opcode = Opcode::kTuple;
  Shape shape;
  std::string name;                                   // without '%'; unique in its computation
  absl::InlinedVector<InstructionIndex, 4> operands;  // all below the instruction's own index
  absl::InlinedVector<ComputationIndex, 2> called;    // in the order that hlo/opcode.h gives
  Attributes attributes;                              // of the family of the opcode
  std::shared_ptr<const Metadata> metadata;           // may be null
  std::unique_ptr<Extras> extras;                     // may be null

  Instruction() = default;
  Instruction(const Instruction& other);
  Instruction(Instruction&&) noexcept = default;
  Instruction& operator=(Instruction&&) noexcept = default;

  // The struct of the family, asserted: instruction.As<DotAttributes>().
  template <typename T>
  const T& As() const {
    return attributes.As<T>();
  }
  template <typename T>
  T& As() {
    return attributes.As<T>();
  }

  Extras& mutable_extras() {
    if (!extras) extras = std::make_unique<Extras>();
    return *extras;
  }
  const Sharding* sharding() const { return extras ? extras->sharding.get() : nullptr; }
  absl::Span<const InstructionIndex> control_predecessors() const {
    return extras ? absl::Span<const InstructionIndex>(extras->control_predecessors)
                  : absl::Span<const InstructionIndex>();
  }
};

}  // namespace axle::hlo

#endif  // AXLE_HLO_INSTRUCTION_H_
