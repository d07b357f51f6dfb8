// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/module_fields.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/proto/errors.h"
#include "hlo/proto/metadata_codec.h"
#include "hlo/proto/sharding_codec.h"
#include "hlo/proto/unknown_fields.h"

namespace axle::hlo::proto {
namespace {

using M = wire::HloModuleProto;

absl::Status ReadAliases(const wire::HloInputOutputAliasProto& proto, ReadContext& context,
                         ModuleConfig* config) {
  context.Note(proto);
  for (const auto& entry : proto.entries()) {
    context.Note(entry);
    const int kind = entry.kind();
    if (kind < 0 || kind > static_cast<int>(AliasKind::kMust)) {
      return BadValue("input_output_alias.kind", absl::StrCat(kind));
    }
    config->aliases.push_back({ToVector(entry.output_shape_index()), entry.parameter_number(),
                               ToVector(entry.parameter_shape_index()),
                               static_cast<AliasKind>(kind)});
  }
  return absl::OkStatus();
}

void ReadDonors(const wire::HloBufferDonorProto& proto, ReadContext& context,
                ModuleConfig* config) {
  context.Note(proto);
  for (const auto& entry : proto.entries()) {
    context.Note(entry);
    config->donors.push_back({entry.parameter_number(), ToVector(entry.parameter_shape_index())});
  }
}

void ReadPrefetches(const M& proto, ReadContext& context, ModuleConfig* config) {
  for (const wire::CrossProgramPrefetch& prefetch : proto.cross_program_prefetches()) {
    context.Note(prefetch);
    CrossProgramPrefetch& out = config->cross_program_prefetches.emplace_back();
    out.parameter = prefetch.parameter();
    out.index = ToVector(prefetch.index());
    if (prefetch.offset() != 0) out.offset = prefetch.offset();
  }
}

absl::Status ReadShardings(const M& proto, ModuleConfig* config) {
  if (proto.has_spmd_output_sharding()) {
    AXLE_ASSIGN_OR_RETURN(config->spmd_output_sharding, ReadSharding(proto.spmd_output_sharding()));
  }
  for (const wire::OpSharding& sharding : proto.spmd_parameters_shardings()) {
    AXLE_ASSIGN_OR_RETURN(Sharding parameter, ReadSharding(sharding));
    config->spmd_parameter_shardings.push_back(std::move(parameter));
  }
  return absl::OkStatus();
}

absl::Status ReadStackFrames(const wire::StackFrameIndexProto& proto, ReadContext& context,
                             StackFrames* frames) {
  context.Note(proto);
  for (const std::string& name : proto.file_names()) {
    AXLE_RETURN_IF_ERROR(CheckText(name, "file name"));
    frames->file_names.push_back(name);
  }
  for (const std::string& name : proto.function_names()) {
    AXLE_RETURN_IF_ERROR(CheckText(name, "function name"));
    frames->function_names.push_back(name);
  }
  frames->file_locations.reserve(proto.file_locations_size());
  for (const wire::StackFrameIndexProto::FileLocation& in : proto.file_locations()) {
    context.Note(in);
    StackFrames::Location& out = frames->file_locations.emplace_back();
    out.file_name_id = in.file_name_id();
    out.function_name_id = in.function_name_id();
    out.line = in.line();
    out.end_line = in.end_line();
    out.column = in.column();
    out.end_column = in.end_column();
  }
  frames->stack_frames.reserve(proto.stack_frames_size());
  for (const wire::StackFrameIndexProto::StackFrame& in : proto.stack_frames()) {
    context.Note(in);
    frames->stack_frames.push_back({in.file_location_id(), in.parent_frame_id()});
  }
  return absl::OkStatus();
}

absl::Status WriteStackFrames(const StackFrames& frames, wire::StackFrameIndexProto* proto) {
  for (const std::string& name : frames.file_names) {
    AXLE_RETURN_IF_ERROR(CheckText(name, "file name"));
    proto->add_file_names(name);
  }
  for (const std::string& name : frames.function_names) {
    AXLE_RETURN_IF_ERROR(CheckText(name, "function name"));
    proto->add_function_names(name);
  }
  for (const StackFrames::Location& location : frames.file_locations) {
    wire::StackFrameIndexProto::FileLocation* out = proto->add_file_locations();
    out->set_file_name_id(location.file_name_id);
    out->set_function_name_id(location.function_name_id);
    out->set_line(location.line);
    out->set_end_line(location.end_line);
    out->set_column(location.column);
    out->set_end_column(location.end_column);
  }
  for (const StackFrames::Frame& frame : frames.stack_frames) {
    wire::StackFrameIndexProto::StackFrame* out = proto->add_stack_frames();
    out->set_file_location_id(frame.file_location_id);
    out->set_parent_frame_id(frame.parent_frame_id);
  }
  return absl::OkStatus();
}

// Fields that keep what is unknown inside them by themselves, and the others that are read.
constexpr int kSelfKeptFields[] = {M::kSpmdOutputShardingFieldNumber,
                                   M::kSpmdParametersShardingsFieldNumber};
constexpr int kReadFields[] = {
    M::kNameFieldNumber,
    M::kEntryComputationNameFieldNumber,
    M::kHostProgramShapeFieldNumber,
    M::kIdFieldNumber,
    M::kEntryComputationIdFieldNumber,
    M::kScheduleFieldNumber,
    M::kInputOutputAliasFieldNumber,
    M::kCrossProgramPrefetchesFieldNumber,
    M::kIsDynamicFieldNumber,
    M::kUseAutoSpmdPartitioningFieldNumber,
    M::kStackFrameIndexFieldNumber,
    M::kBufferDonorFieldNumber,
    M::kFrontendAttributesFieldNumber,
};

}  // namespace

absl::Status ReadModuleFields(M* proto, ReadContext& context, Module* module) {
  static const FieldList self_kept(*M::descriptor(), kSelfKeptFields);
  static const FieldList read(*M::descriptor(), kReadFields);
  AXLE_RETURN_IF_ERROR(CheckText(proto->name(), "module name"));
  module->name = proto->name();
  module->id = proto->id();
  ModuleConfig& config = module->config;
  if (!proto->has_host_program_shape()) return MissingField("host_program_shape");
  absl::StatusOr<ProgramShape> shape = context.shapes.Read(proto->host_program_shape());
  if (!shape.ok()) return AtPlace("host_program_shape", shape.status());
  config.entry_layout = *std::move(shape);
  AXLE_RETURN_IF_ERROR(ReadAliases(proto->input_output_alias(), context, &config));
  ReadDonors(proto->buffer_donor(), context, &config);
  ReadPrefetches(*proto, context, &config);
  config.is_dynamic = proto->is_dynamic();
  config.use_auto_spmd_partitioning = proto->use_auto_spmd_partitioning();
  AXLE_RETURN_IF_ERROR(ReadShardings(*proto, &config));
  AXLE_RETURN_IF_ERROR(ReadStackFrames(proto->stack_frame_index(), context, &config.stack_frames));
  AXLE_ASSIGN_OR_RETURN(config.frontend_attributes,
                        ReadFrontendAttributes(proto->frontend_attributes()));
  context.Note(proto->frontend_attributes());
  for (const auto& entry : proto->frontend_attributes().map()) context.Note(entry);
  AXLE_RETURN_IF_ERROR(ClearRead(self_kept, false, proto));
  AXLE_RETURN_IF_ERROR(ClearRead(read, context.TakeNestedUnknown(), proto));
  config.unknown_wire = proto->SerializeAsString();
  return absl::OkStatus();
}

absl::Status WriteModuleFields(const Module& module, M* proto) {
  const ModuleConfig& config = module.config;
  AXLE_RETURN_IF_ERROR(MergeKept(config.unknown_wire, proto));
  proto->set_id(module.id);
  if (config.entry_layout.has_value()) {
    WriteProgramShape(*config.entry_layout, proto->mutable_host_program_shape());
  }
  for (const InputOutputAlias& alias : config.aliases) {
    auto* entry = proto->mutable_input_output_alias()->add_entries();
    Assign(alias.output_index, entry->mutable_output_shape_index());
    entry->set_parameter_number(alias.parameter);
    Assign(alias.parameter_index, entry->mutable_parameter_shape_index());
    entry->set_kind(static_cast<wire::HloInputOutputAliasProto::Kind>(alias.kind));
  }
  for (const BufferDonor& donor : config.donors) {
    auto* entry = proto->mutable_buffer_donor()->add_entries();
    entry->set_parameter_number(donor.parameter);
    Assign(donor.parameter_index, entry->mutable_parameter_shape_index());
  }
  for (const CrossProgramPrefetch& prefetch : config.cross_program_prefetches) {
    wire::CrossProgramPrefetch* out = proto->add_cross_program_prefetches();
    out->set_parameter(prefetch.parameter);
    Assign(prefetch.index, out->mutable_index());
    out->set_offset(prefetch.offset.value_or(0));
  }
  proto->set_is_dynamic(config.is_dynamic);
  proto->set_use_auto_spmd_partitioning(config.use_auto_spmd_partitioning);
  if (config.spmd_output_sharding.has_value()) {
    AXLE_RETURN_IF_ERROR(
        WriteSharding(*config.spmd_output_sharding, proto->mutable_spmd_output_sharding()));
  }
  for (const Sharding& sharding : config.spmd_parameter_shardings) {
    AXLE_RETURN_IF_ERROR(WriteSharding(sharding, proto->add_spmd_parameters_shardings()));
  }
  if (!config.stack_frames.empty()) {
    AXLE_RETURN_IF_ERROR(WriteStackFrames(config.stack_frames, proto->mutable_stack_frame_index()));
  }
  if (config.frontend_attributes.empty()) return absl::OkStatus();
  return WriteFrontendAttributes(config.frontend_attributes, proto->mutable_frontend_attributes());
}

}  // namespace axle::hlo::proto
