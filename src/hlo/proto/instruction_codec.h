// SPDX-License-Identifier: Apache-2.0
// One instruction from and to its wire message.
#ifndef AXLE_HLO_PROTO_INSTRUCTION_CODEC_H_
#define AXLE_HLO_PROTO_INSTRUCTION_CODEC_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "hlo/module.h"
#include "hlo/proto/codec.h"
#include "hlo/proto/context.h"
#include "hlo/proto/instruction_ids.h"
#include "proto/hlo.pb.h"

namespace axle::hlo::proto {

// What the references of an instruction mean while it is read.
struct ReadScope {
  // Ids of the computations before this one, and of the instructions of this one so far.
  const absl::flat_hash_map<int64_t, ComputationIndex>* computations;
  InstructionIds instructions;
  // HloModuleProto.payloads.
  const google::protobuf::RepeatedPtrField<std::string>* payloads;
};

// Fills `instruction`. Destroys `proto`. Errors: see codec.h; without the place.
absl::Status ReadInstruction(wire::HloInstructionProto* proto, const ReadScope& scope,
                             absl::Span<const Instruction> earlier, ReadContext& context,
                             Instruction* instruction);

// What the references of an instruction become when it is written.
struct WriteScope {
  absl::Span<const int64_t> computation_ids;  // by index in the module
  absl::Span<const int64_t> instruction_ids;  // by index in the computation at hand
  absl::Span<const Instruction> instructions;
};

// Fills an empty message, except for the name.
absl::Status WriteInstruction(const Instruction& instruction, int64_t id, const WriteScope& scope,
                              const ProtoWriteOptions& options, wire::HloInstructionProto* proto);

// Whether XLA prints this backend configuration without quotes: a dictionary in braces.
bool LooksLikeJson(absl::string_view config);

// `text` fit for a message: escaped and not too long.
std::string Shown(absl::string_view text);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_INSTRUCTION_CODEC_H_
