// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/name_index.h"
#include "hlo/proto/codec.h"
#include "hlo/proto/context.h"
#include "hlo/proto/errors.h"
#include "hlo/proto/instruction_codec.h"
#include "hlo/proto/message_arena.h"
#include "hlo/proto/module_fields.h"
#include "hlo/proto/unknown_fields.h"
#include "hlo/proto/wire_scan.h"

namespace axle::hlo {
namespace proto {
namespace {

absl::Status Malformed(absl::string_view what) {
  return MakeError(errors::kMalformed, absl::StrCat("the bytes are no ", what));
}

absl::Status Parse(absl::string_view bytes, absl::string_view what,
                   google::protobuf::Message* message) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return MakeError(errors::kTooLarge, absl::StrCat(what, " of ", bytes.size(), " bytes"));
  }
  if (message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::OkStatus();
  }
  return Malformed(what);
}

absl::Status Split(absl::string_view bytes, int field, absl::string_view what,
                   SplitMessage* split) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return MakeError(errors::kTooLarge, absl::StrCat(what, " of ", bytes.size(), " bytes"));
  }
  return SplitAtField(bytes, field, split) ? absl::OkStatus() : Malformed(what);
}

// The messages are many; a hostile file may have more of them than memory, so no more is reserved
// than their bytes justify.
size_t PlausibleCount(absl::Span<const absl::string_view> parts) {
  constexpr size_t kLeastBytes = 8;
  return std::count_if(parts.begin(), parts.end(),
                       [](absl::string_view part) { return part.size() >= kLeastBytes; });
}

class ModuleReader {
 public:
  absl::StatusOr<Module> Read(absl::string_view bytes);

 private:
  absl::Status ReadComputation(absl::string_view bytes);
  absl::Status ReadInstructions(absl::Span<const absl::string_view> parts, ReadScope* scope,
                                Computation* computation);
  absl::Status ReadOneInstruction(absl::string_view bytes, ReadScope* scope, NameIndex* names,
                                  Computation* computation);
  absl::Status ReadComputationFields(wire::HloComputationProto* proto, const ReadScope& scope,
                                     Computation* computation);
  absl::Status FindSchedules();
  absl::Status ReadSchedule(int64_t computation_id, const ReadScope& scope);

  ReadContext context_;
  wire::HloModuleProto proto_;  // without the computations
  absl::flat_hash_map<int64_t, ComputationIndex> computations_;
  absl::flat_hash_set<std::string> names_;
  // By computation id, those that have not been read yet.
  absl::flat_hash_map<int64_t, const wire::HloScheduleProto::InstructionSequence*> schedules_;
  bool module_unknown_ = false;  // unknown fields inside the schedule
  MessageArena arena_;
  Module module_;
};

absl::StatusOr<Module> ModuleReader::Read(absl::string_view bytes) {
  SplitMessage split;
  AXLE_RETURN_IF_ERROR(Split(bytes, wire::HloModuleProto::kComputationsFieldNumber,
                             "serialized HloModuleProto", &split));
  AXLE_RETURN_IF_ERROR(Parse(split.rest, "serialized HloModuleProto", &proto_));
  if (split.parts.empty()) {
    return MakeError(errors::kNoComputations, "the module has no computations");
  }
  AXLE_RETURN_IF_ERROR(FindSchedules());
  module_.computations.reserve(split.parts.size());
  for (const absl::string_view part : split.parts) {
    AXLE_RETURN_IF_ERROR(ReadComputation(part));
  }
  if (!schedules_.empty()) {
    return MakeError(errors::kSchedule,
                     absl::StrCat("schedule of computation ", schedules_.begin()->first,
                                  ", which does not exist"));
  }
  const auto entry = computations_.find(proto_.entry_computation_id());
  if (entry == computations_.end()) {
    return MakeError(errors::kNoEntry,
                     absl::StrCat("entry_computation_id is ", proto_.entry_computation_id(),
                                  ", which no computation has"));
  }
  module_.entry = entry->second;
  context_.nested_unknown |= module_unknown_;
  AXLE_RETURN_IF_ERROR(ReadModuleFields(&proto_, context_, &module_));
  return std::move(module_);
}

absl::Status ModuleReader::ReadComputation(absl::string_view bytes) {
  SplitMessage split;
  wire::HloComputationProto proto;
  const std::string place = absl::StrCat("computation number ", module_.computations.size());
  absl::Status status = Split(bytes, wire::HloComputationProto::kInstructionsFieldNumber,
                              "serialized HloComputationProto", &split);
  if (status.ok()) status = Parse(split.rest, "serialized HloComputationProto", &proto);
  if (!status.ok()) return AtPlace(place, status);
  if (proto.name().empty()) return AtPlace(place, MissingField("name"));
  AXLE_RETURN_IF_ERROR(AtPlace(place, CheckText(proto.name(), "name")));

  Computation computation;
  computation.name = proto.name();
  const size_t plausible = PlausibleCount(split.parts);
  computation.instructions.reserve(plausible);
  ReadScope scope{&computations_, InstructionIds(plausible), &proto_.payloads()};
  status = ReadInstructions(split.parts, &scope, &computation);
  const int64_t id = proto.id();
  if (status.ok()) status = ReadSchedule(id, scope);
  if (status.ok()) status = ReadComputationFields(&proto, scope, &computation);
  const auto index = static_cast<ComputationIndex>(module_.computations.size());
  if (status.ok() && !computations_.emplace(id, index).second) {
    status = MakeError(errors::kDuplicateComputation, absl::StrCat("another one has the id ", id));
  }
  if (status.ok() && !names_.insert(computation.name).second) {
    status = MakeError(errors::kDuplicateComputation, "another one has the same name");
  }
  if (!status.ok()) {
    return AtPlace(absl::StrCat("computation '", Shown(computation.name), "'"), status);
  }
  module_.computations.push_back(std::move(computation));
  return absl::OkStatus();
}

absl::Status ModuleReader::ReadInstructions(absl::Span<const absl::string_view> parts,
                                            ReadScope* scope, Computation* computation) {
  NameIndex names(&computation->instructions);
  names.Reserve(computation->instructions.capacity());
  for (const absl::string_view part : parts) {
    AXLE_RETURN_IF_ERROR(ReadOneInstruction(part, scope, &names, computation));
  }
  return absl::OkStatus();
}

absl::Status ModuleReader::ReadOneInstruction(absl::string_view bytes, ReadScope* scope,
                                              NameIndex* names, Computation* computation) {
  const auto index = static_cast<InstructionIndex>(computation->instructions.size());
  wire::HloInstructionProto* proto = arena_.NewInstruction();
  absl::Status status = Parse(bytes, "serialized HloInstructionProto", proto);
  if (!status.ok()) return AtPlace(absl::StrCat("instruction number ", index), status);
  names->Prefetch(proto->name());
  const int64_t id = proto->id();
  Instruction instruction;
  status = ReadInstruction(proto, *scope, computation->instructions, context_, &instruction);
  if (status.ok() && !scope->instructions.Insert(id, index)) {
    status = MakeError(errors::kDuplicateInstruction, absl::StrCat("another one has the id ", id));
  }
  if (status.ok()) {
    computation->instructions.push_back(std::move(instruction));
    if (names->Insert(index)) return absl::OkStatus();
    instruction.name = computation->instructions.back().name;
    status = MakeError(errors::kDuplicateInstruction,
                       "another one of the computation has the same name");
  }
  if (instruction.name.empty()) {
    return AtPlace(absl::StrCat("instruction number ", index), status);
  }
  return AtPlace(absl::StrCat("instruction '", Shown(instruction.name), "'"), status);
}

absl::Status ModuleReader::ReadComputationFields(wire::HloComputationProto* proto,
                                                 const ReadScope& scope, Computation* computation) {
  using C = wire::HloComputationProto;
  static constexpr int kFields[] = {
      C::kNameFieldNumber,   C::kProgramShapeFieldNumber,        C::kIdFieldNumber,
      C::kRootIdFieldNumber, C::kIsFusionComputationFieldNumber, C::kExecutionThreadFieldNumber};
  static const FieldList fields(*C::descriptor(), kFields);
  const std::optional<InstructionIndex> root = scope.instructions.Find(proto->root_id());
  if (!root.has_value()) {
    return MakeError(errors::kNoRoot, computation->instructions.empty()
                                          ? "it has no instructions"
                                          : absl::StrCat("root_id is ", proto->root_id(),
                                                         ", which none of its instructions has"));
  }
  computation->root = *root;
  computation->is_fusion = proto->is_fusion_computation();
  AXLE_RETURN_IF_ERROR(CheckText(proto->execution_thread(), "execution_thread"));
  if (proto->execution_thread() != "main") {
    computation->execution_thread = proto->execution_thread();
  }
  if (proto->has_program_shape()) {
    absl::StatusOr<ProgramShape> shape = context_.shapes.Read(proto->program_shape());
    if (!shape.ok()) return AtPlace("program_shape", shape.status());
    computation->declared = *std::move(shape);
  }
  AXLE_RETURN_IF_ERROR(ClearRead(fields, context_.TakeNestedUnknown(), proto));
  computation->unknown_wire = proto->SerializeAsString();
  return absl::OkStatus();
}

absl::Status ModuleReader::FindSchedules() {
  module_.config.is_scheduled = proto_.has_schedule();
  context_.Note(proto_.schedule());
  for (const wire::HloScheduleProto::Entry& entry : proto_.schedule().sequences()) {
    context_.Note(entry);
    context_.Note(entry.value());
    if (!schedules_.emplace(entry.key(), &entry.value()).second) {
      return MakeError(errors::kSchedule,
                       absl::StrCat("two schedules of computation ", entry.key()));
    }
  }
  module_unknown_ = context_.TakeNestedUnknown();
  return absl::OkStatus();
}

absl::Status ModuleReader::ReadSchedule(int64_t computation_id, const ReadScope& scope) {
  const auto found = schedules_.find(computation_id);
  if (found == schedules_.end()) return absl::OkStatus();
  std::vector<InstructionIndex> order;
  order.reserve(found->second->instruction_ids_size());
  for (const int64_t id : found->second->instruction_ids()) {
    const std::optional<InstructionIndex> instruction = scope.instructions.Find(id);
    if (!instruction.has_value()) {
      return MakeError(errors::kSchedule, absl::StrCat("the schedule names instruction ", id,
                                                       ", which the computation does not have"));
    }
    order.push_back(*instruction);
  }
  module_.config.schedule.emplace(static_cast<ComputationIndex>(module_.computations.size()),
                                  std::move(order));
  schedules_.erase(found);
  return absl::OkStatus();
}

}  // namespace
}  // namespace proto

absl::StatusOr<Module> ModuleFromProtoBytes(absl::string_view bytes) {
  return proto::ModuleReader().Read(bytes);
}

}  // namespace axle::hlo
