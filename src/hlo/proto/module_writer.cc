// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/proto/codec.h"
#include "hlo/proto/context.h"
#include "hlo/proto/errors.h"
#include "hlo/proto/export_order.h"
#include "hlo/proto/instruction_codec.h"
#include "hlo/proto/message_arena.h"
#include "hlo/proto/module_fields.h"
#include "hlo/proto/shape_codec.h"
#include "hlo/proto/unknown_fields.h"
#include "hlo/proto/wire_scan.h"

namespace axle::hlo {
namespace proto {
namespace {

// Ids of instructions: the computation's above, a number within it below.
constexpr int kLocalIdBits = 32;

absl::Status AppendMessage(int field, const google::protobuf::Message& message,
                           std::string* bytes) {
  std::string payload;
  if (message.ByteSizeLong() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return MakeError(errors::kTooLarge, "a message over 2 GiB");
  }
  message.SerializeToString(&payload);
  AppendField(field, payload, bytes);
  return absl::OkStatus();
}

// Parameters and root of a computation of a module that may not have been verified.
absl::StatusOr<ProgramShape> SignatureOf(const Computation& computation) {
  ProgramShape signature;
  for (const Instruction& instruction : computation.instructions) {
    if (instruction.opcode != Opcode::kParameter) continue;
    const int64_t number = instruction.As<ParameterAttributes>().number;
    const auto limit = static_cast<int64_t>(computation.instructions.size());
    if (number < 0 || number >= limit) {
      return MakeError(errors::kNotHeld, absl::StrCat("a parameter has the number ", number));
    }
    if (number >= static_cast<int64_t>(signature.parameters.size())) {
      signature.parameters.resize(number + 1);
      signature.parameter_names.resize(number + 1);
    }
    signature.parameters[number] = instruction.shape;
    signature.parameter_names[number] = instruction.name;
  }
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    if (!signature.parameters[i].valid()) {
      return MakeError(errors::kNotHeld, absl::StrCat("no parameter has the number ", i));
    }
  }
  signature.result = computation.root_instruction().shape;
  return signature;
}

ProgramShape WithDefaultLayouts(ProgramShape shape) {
  for (Shape& parameter : shape.parameters) parameter = parameter.WithDefaultLayouts();
  shape.result = shape.result.WithDefaultLayouts();
  return shape;
}

class ModuleWriter {
 public:
  ModuleWriter(const Module& module, const ProtoWriteOptions& options)
      : module_(module), options_(options) {}

  absl::StatusOr<std::string> Write();

 private:
  absl::Status WriteComputation(ComputationIndex index, std::string* bytes);
  absl::Status WriteInstructions(const Computation& computation,
                                 absl::Span<const InstructionIndex> order, std::string* bytes);
  absl::Status WriteComputationFields(const Computation& computation, int64_t id,
                                      std::string* bytes);
  void AddSchedule(ComputationIndex index, absl::Span<const InstructionIndex> order);
  std::string UniqueName(const std::string& name);

  const Module& module_;
  const ProtoWriteOptions& options_;
  std::vector<int64_t> computation_ids_;  // by index
  std::vector<int64_t> instruction_ids_;  // of the computation at hand, by index
  absl::flat_hash_set<std::string> names_;
  absl::flat_hash_map<std::string, int64_t> suffixes_;  // the last one tried, by name
  wire::HloScheduleProto schedule_;
  MessageArena arena_;
};

absl::StatusOr<std::string> ModuleWriter::Write() {
  AXLE_ASSIGN_OR_RETURN(const std::vector<ComputationIndex> order, ComputationOrder(module_));
  computation_ids_.resize(module_.computations.size());
  for (size_t i = 0; i < order.size(); ++i) {
    computation_ids_[order[i]] = static_cast<int64_t>(i) + 1;
  }
  if (options_.unique_instruction_names) {
    // All first names stay, so that a suffix never meets a name that comes later.
    for (const Computation& computation : module_.computations) {
      for (const Instruction& instruction : computation.instructions) {
        suffixes_.emplace(instruction.name, 0);
      }
    }
  }
  std::string bytes;
  AXLE_RETURN_IF_ERROR(CheckText(module_.name, "module name"));
  wire::HloModuleProto head;
  head.set_name(module_.name);
  head.set_entry_computation_name(module_.entry_computation().name);
  head.AppendToString(&bytes);
  for (const ComputationIndex index : order) {
    const absl::Status status = WriteComputation(index, &bytes);
    if (!status.ok()) {
      return AtPlace(absl::StrCat("computation '", Shown(module_.computations[index].name), "'"),
                     status);
    }
  }
  wire::HloModuleProto tail;
  AXLE_RETURN_IF_ERROR(WriteModuleFields(module_, &tail));
  tail.set_entry_computation_id(computation_ids_[module_.entry]);
  if (!module_.config.entry_layout.has_value()) {
    AXLE_ASSIGN_OR_RETURN(ProgramShape shape, SignatureOf(module_.entry_computation()));
    WriteProgramShape(WithDefaultLayouts(std::move(shape)), tail.mutable_host_program_shape());
  } else if (options_.fill_layouts) {
    tail.clear_host_program_shape();
    WriteProgramShape(WithDefaultLayouts(*module_.config.entry_layout),
                      tail.mutable_host_program_shape());
  }
  const bool scheduled = module_.config.is_scheduled || !module_.config.schedule.empty();
  if (scheduled) {
    tail.mutable_schedule()->MergeFrom(schedule_);
  }
  if (bytes.size() + tail.ByteSizeLong() >
      static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return MakeError(errors::kTooLarge, absl::StrCat("the module takes ", bytes.size(), " bytes"));
  }
  tail.AppendToString(&bytes);
  return bytes;
}

absl::Status ModuleWriter::WriteComputation(ComputationIndex index, std::string* bytes) {
  const Computation& computation = module_.computations[index];
  const int64_t id = computation_ids_[index];
  AXLE_ASSIGN_OR_RETURN(const std::vector<InstructionIndex> order, InstructionOrder(computation));
  instruction_ids_.resize(computation.instructions.size());
  for (size_t i = 0; i < order.size(); ++i) {
    instruction_ids_[order[i]] = (id << kLocalIdBits) + static_cast<int64_t>(i) + 1;
  }
  std::string payload;
  AXLE_RETURN_IF_ERROR(CheckText(computation.name, "name"));
  AppendField(wire::HloComputationProto::kNameFieldNumber, computation.name, &payload);
  AXLE_RETURN_IF_ERROR(WriteInstructions(computation, order, &payload));
  AXLE_RETURN_IF_ERROR(WriteComputationFields(computation, id, &payload));
  if (payload.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return MakeError(errors::kTooLarge, absl::StrCat("it takes ", payload.size(), " bytes"));
  }
  AppendField(wire::HloModuleProto::kComputationsFieldNumber, payload, bytes);
  AddSchedule(index, order);
  return absl::OkStatus();
}

absl::Status ModuleWriter::WriteInstructions(const Computation& computation,
                                             absl::Span<const InstructionIndex> order,
                                             std::string* bytes) {
  const WriteScope scope{computation_ids_, instruction_ids_, computation.instructions};
  for (const InstructionIndex index : order) {
    const Instruction& instruction = computation.instructions[index];
    wire::HloInstructionProto* proto = arena_.NewInstruction();
    absl::Status status = CheckText(instruction.name, "name");
    proto->set_name(UniqueName(instruction.name));
    if (status.ok()) {
      status = WriteInstruction(instruction, instruction_ids_[index], scope, options_, proto);
    }
    if (status.ok()) {
      status = AppendMessage(wire::HloComputationProto::kInstructionsFieldNumber, *proto, bytes);
    }
    if (!status.ok()) {
      return AtPlace(absl::StrCat("instruction '", Shown(instruction.name), "'"), status);
    }
  }
  return absl::OkStatus();
}

absl::Status ModuleWriter::WriteComputationFields(const Computation& computation, int64_t id,
                                                  std::string* bytes) {
  wire::HloComputationProto proto;
  AXLE_RETURN_IF_ERROR(MergeKept(computation.unknown_wire, &proto));
  ProgramShape signature;
  if (computation.declared.has_value()) {
    signature = *computation.declared;
  } else {
    AXLE_ASSIGN_OR_RETURN(signature, SignatureOf(computation));
  }
  if (options_.fill_layouts) signature = WithDefaultLayouts(std::move(signature));
  WriteProgramShape(signature, proto.mutable_program_shape());
  proto.set_id(id);
  proto.set_root_id(instruction_ids_[computation.root]);
  proto.set_is_fusion_computation(computation.is_fusion);
  AXLE_RETURN_IF_ERROR(CheckText(computation.execution_thread, "execution_thread"));
  proto.set_execution_thread(computation.execution_thread);
  proto.AppendToString(bytes);
  return absl::OkStatus();
}

// A scheduled module whose order is that of its text has no sequences of its own.
void ModuleWriter::AddSchedule(ComputationIndex index, absl::Span<const InstructionIndex> order) {
  const ModuleConfig& config = module_.config;
  const auto found = config.schedule.find(index);
  if (found != config.schedule.end()) {
    order = found->second;
  } else if (!config.is_scheduled || !config.schedule.empty() ||
             module_.computations[index].is_fusion) {
    return;
  }
  wire::HloScheduleProto::Entry* entry = schedule_.add_sequences();
  entry->set_key(computation_ids_[index]);
  for (const InstructionIndex instruction : order) {
    entry->mutable_value()->add_instruction_ids(instruction_ids_[instruction]);
  }
}

std::string ModuleWriter::UniqueName(const std::string& name) {
  if (!options_.unique_instruction_names || names_.insert(name).second) return name;
  int64_t& suffix = suffixes_[name];
  while (true) {
    std::string candidate = absl::StrCat(name, ".", ++suffix);
    if (!suffixes_.contains(candidate) && names_.insert(candidate).second) return candidate;
  }
}

}  // namespace
}  // namespace proto

absl::StatusOr<std::string> ModuleToProtoBytes(const Module& module,
                                               const ProtoWriteOptions& options) {
  return proto::ModuleWriter(module, options).Write();
}

}  // namespace axle::hlo
