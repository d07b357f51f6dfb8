// SPDX-License-Identifier: Apache-2.0
// The messages that hold a module besides other things.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/proto/codec.h"
#include "hlo/proto/errors.h"
#include "hlo/proto/literal_codec.h"
#include "hlo/proto/wire_scan.h"
#include "proto/hlo.pb.h"

namespace axle::hlo {
namespace proto {
namespace {

// Whether an opcode stands where a serialized HloModuleProto has its first.
bool HasOpcode(absl::string_view module) {
  const absl::string_view computation =
      FirstPayload(module, wire::HloModuleProto::kComputationsFieldNumber);
  const absl::string_view instruction =
      FirstPayload(computation, wire::HloComputationProto::kInstructionsFieldNumber);
  const absl::string_view opcode =
      FirstPayload(instruction, wire::HloInstructionProto::kOpcodeFieldNumber);
  for (const char c : opcode) {
    if (!absl::ascii_islower(c) && !absl::ascii_isdigit(c) && c != '-') return false;
  }
  return !opcode.empty();
}

absl::Status MissingModule(absl::string_view message) {
  return MakeError(errors::kMalformed,
                   absl::StrCat("the bytes are no serialized ", message, " with a module in it"));
}

// The payload of a singular message field; several occurrences are one message, by concatenation.
// Empty if absent.
std::string Payload(const SplitMessage& split) {
  std::string payload;
  for (const absl::string_view part : split.parts) payload.append(part.data(), part.size());
  return payload;
}

// As Payload without copying the usual single part. `storage` holds the bytes otherwise.
absl::StatusOr<absl::string_view> ModuleBytes(absl::string_view bytes, int field,
                                              absl::string_view message, std::string* storage) {
  SplitMessage split;
  if (!SplitAtField(bytes, field, &split) || split.parts.empty()) return MissingModule(message);
  if (split.parts.size() == 1) return split.parts[0];
  *storage = Payload(split);
  return absl::string_view(*storage);
}

absl::Status ReadConfig(const wire::HloModuleConfigProto& proto, ModuleConfig* config) {
  ShapeReader shapes;
  if (proto.has_entry_computation_layout()) {
    absl::StatusOr<ProgramShape> layout = shapes.Read(proto.entry_computation_layout());
    if (!layout.ok()) return AtPlace("config: entry_computation_layout", layout.status());
    config->entry_layout = *std::move(layout);
  }
  if (proto.replica_count() != 0) config->replica_count = proto.replica_count();
  if (proto.num_partitions() != 0) config->num_partitions = proto.num_partitions();
  config->use_auto_spmd_partitioning |= proto.use_auto_spmd_partitioning();
  const auto& to_parameters = proto.allow_spmd_sharding_propagation_to_parameters();
  config->allow_spmd_sharding_propagation_to_parameters.assign(to_parameters.begin(),
                                                               to_parameters.end());
  const auto& to_output = proto.allow_spmd_sharding_propagation_to_output();
  config->allow_spmd_sharding_propagation_to_output.assign(to_output.begin(), to_output.end());
  return absl::OkStatus();
}

}  // namespace
}  // namespace proto

using proto::errors::kMalformed;

ProtoKind GuessProtoKind(absl::string_view bytes) {
  const absl::string_view inner = proto::FirstPayload(bytes, 1);
  if (proto::HasOpcode(proto::FirstPayload(inner, wire::HloProto::kHloModuleFieldNumber))) {
    return ProtoKind::kSnapshot;
  }
  if (!proto::HasOpcode(inner)) return ProtoKind::kModule;
  const absl::string_view config =
      proto::FirstPayload(bytes, wire::HloModuleProtoWithConfig::kConfigFieldNumber);
  return config.empty() ? ProtoKind::kHloProto : ProtoKind::kModuleWithConfig;
}

absl::StatusOr<Module> ModuleFromHloProtoBytes(absl::string_view bytes) {
  std::string storage;
  AXLE_ASSIGN_OR_RETURN(
      const absl::string_view module,
      proto::ModuleBytes(bytes, wire::HloProto::kHloModuleFieldNumber, "HloProto", &storage));
  return ModuleFromProtoBytes(module);
}

absl::StatusOr<Snapshot> SnapshotFromProtoBytes(absl::string_view bytes) {
  std::string storage;
  AXLE_ASSIGN_OR_RETURN(
      const absl::string_view hlo,
      proto::ModuleBytes(bytes, wire::HloSnapshot::kHloFieldNumber, "HloSnapshot", &storage));
  Snapshot snapshot;
  AXLE_ASSIGN_OR_RETURN(snapshot.module, ModuleFromHloProtoBytes(hlo));
  proto::SplitMessage split;
  wire::HloSnapshot values;
  const bool ok = proto::SplitAtField(bytes, wire::HloSnapshot::kHloFieldNumber, &split) &&
                  values.ParseFromString(split.rest);
  if (!ok) return MakeError(kMalformed, "the bytes are no serialized HloSnapshot");
  proto::ShapeReader shapes;
  for (const wire::LiteralProto& argument : values.arguments()) {
    absl::StatusOr<Literal> literal = proto::ReadLiteral(argument, shapes);
    if (!literal.ok()) {
      return AtPlace(absl::StrCat("argument ", snapshot.arguments.size()), literal.status());
    }
    snapshot.arguments.push_back(*std::move(literal));
  }
  if (values.has_result()) {
    absl::StatusOr<Literal> literal = proto::ReadLiteral(values.result(), shapes);
    if (!literal.ok()) return AtPlace("result", literal.status());
    snapshot.result = *std::move(literal);
  }
  snapshot.platform = values.execution_platform();
  return snapshot;
}

absl::StatusOr<Module> ModuleFromConfiguredProtoBytes(absl::string_view bytes) {
  using WithConfig = wire::HloModuleProtoWithConfig;
  std::string storage;
  AXLE_ASSIGN_OR_RETURN(const absl::string_view module_bytes,
                        proto::ModuleBytes(bytes, WithConfig::kHloModuleFieldNumber,
                                           "HloModuleProtoWithConfig", &storage));
  AXLE_ASSIGN_OR_RETURN(Module module, ModuleFromProtoBytes(module_bytes));
  proto::SplitMessage split;
  wire::HloModuleConfigProto config;
  const bool ok = proto::SplitAtField(bytes, WithConfig::kConfigFieldNumber, &split) &&
                  config.ParseFromString(proto::Payload(split));
  if (!ok) return MakeError(kMalformed, "the bytes are no serialized HloModuleProtoWithConfig");
  AXLE_RETURN_IF_ERROR(proto::ReadConfig(config, &module.config));
  return module;
}

absl::StatusOr<Module> ModuleFromAnyProtoBytes(absl::string_view bytes) {
  switch (GuessProtoKind(bytes)) {
    case ProtoKind::kModule:
      return ModuleFromProtoBytes(bytes);
    case ProtoKind::kHloProto:
      return ModuleFromHloProtoBytes(bytes);
    case ProtoKind::kSnapshot: {
      AXLE_ASSIGN_OR_RETURN(Snapshot snapshot, SnapshotFromProtoBytes(bytes));
      return std::move(snapshot.module);
    }
    case ProtoKind::kModuleWithConfig:
      return ModuleFromConfiguredProtoBytes(bytes);
  }
  return ModuleFromProtoBytes(bytes);
}

}  // namespace axle::hlo
