// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/metadata_codec.h"

#include <string>
#include <utility>

#include "absl/hash/hash.h"
#include "base/status_macros.h"
#include "hlo/proto/context.h"
#include "hlo/proto/unknown_fields.h"

namespace axle::hlo::proto {
namespace {

// What Metadata has no field for.
std::string UnknownPart(const wire::OpMetadata& proto) {
  const bool any =
      proto.has_profile_info() || !proto.metadata_payload().empty() || HasUnknownFields(proto);
  if (!any) return "";
  wire::OpMetadata part;
  if (proto.has_profile_info()) *part.mutable_profile_info() = proto.profile_info();
  part.set_metadata_payload(proto.metadata_payload());
  CopyUnknownFields(proto, &part);
  return part.SerializeAsString();
}

absl::Status CheckTexts(const wire::OpMetadata& proto) {
  AXLE_RETURN_IF_ERROR(CheckText(proto.op_name(), "op_name"));
  AXLE_RETURN_IF_ERROR(CheckText(proto.op_type(), "op_type"));
  AXLE_RETURN_IF_ERROR(CheckText(proto.source_file(), "source_file"));
  AXLE_RETURN_IF_ERROR(CheckText(proto.deduplicated_name(), "deduplicated_name"));
  return CheckText(proto.scheduling_name(), "scheduling_name");
}

bool HasRareFields(const wire::OpMetadata& proto) {
  return !proto.deduplicated_name().empty() || !proto.scheduling_name().empty() ||
         proto.size_of_generated_code_in_bytes() != 0 ||
         proto.size_of_memory_working_set_in_bytes() != 0 || !proto.profile_type().empty();
}

}  // namespace

size_t MetadataReader::Hash::operator()(const std::shared_ptr<const Metadata>& metadata) const {
  const RareMetadata& rare = metadata->rare();
  return absl::HashOf(metadata->op_name, metadata->op_type, metadata->source_file,
                      metadata->source_line, metadata->source_end_line, metadata->source_column,
                      metadata->source_end_column, metadata->stack_frame_id, rare.deduplicated_name,
                      rare.scheduling_name, rare.size_of_generated_code_in_bytes,
                      rare.size_of_memory_working_set_in_bytes, rare.profile_types,
                      metadata->unknown_wire);
}

absl::StatusOr<std::shared_ptr<const Metadata>> MetadataReader::Read(
    const wire::OpMetadata& proto) {
  if (proto.ByteSizeLong() == 0) return std::shared_ptr<const Metadata>();
  AXLE_RETURN_IF_ERROR(CheckTexts(proto));
  auto metadata = std::make_shared<Metadata>();
  metadata->op_name = proto.op_name();
  metadata->op_type = strings_.Intern(proto.op_type());
  metadata->source_file = strings_.Intern(proto.source_file());
  metadata->source_line = proto.source_line();
  metadata->source_end_line = proto.source_end_line();
  metadata->source_column = proto.source_column();
  metadata->source_end_column = proto.source_end_column();
  metadata->stack_frame_id = proto.stack_frame_id();
  metadata->unknown_wire = UnknownPart(proto);
  if (HasRareFields(proto)) {
    RareMetadata& rare = metadata->mutable_rare();
    rare.deduplicated_name = strings_.Intern(proto.deduplicated_name());
    rare.scheduling_name = strings_.Intern(proto.scheduling_name());
    rare.size_of_generated_code_in_bytes = proto.size_of_generated_code_in_bytes();
    rare.size_of_memory_working_set_in_bytes = proto.size_of_memory_working_set_in_bytes();
    rare.profile_types.assign(proto.profile_type().begin(), proto.profile_type().end());
  }
  if (seen_.size() == kMostSeen) seen_.clear();
  return *seen_.insert(std::move(metadata)).first;
}

absl::Status WriteMetadata(const Metadata& metadata, wire::OpMetadata* proto) {
  const RareMetadata& rare = metadata.rare();
  proto->Clear();
  AXLE_RETURN_IF_ERROR(MergeKept(std::string(metadata.unknown_wire.view()), proto));
  proto->set_op_type(std::string(metadata.op_type.view()));
  proto->set_op_name(std::string(metadata.op_name.view()));
  proto->set_source_file(std::string(metadata.source_file.view()));
  proto->set_source_line(metadata.source_line);
  proto->set_source_end_line(metadata.source_end_line);
  proto->set_source_column(metadata.source_column);
  proto->set_source_end_column(metadata.source_end_column);
  proto->set_stack_frame_id(metadata.stack_frame_id);
  proto->set_deduplicated_name(std::string(rare.deduplicated_name.view()));
  proto->set_scheduling_name(std::string(rare.scheduling_name.view()));
  proto->set_size_of_generated_code_in_bytes(rare.size_of_generated_code_in_bytes);
  proto->set_size_of_memory_working_set_in_bytes(rare.size_of_memory_working_set_in_bytes);
  Assign(rare.profile_types, proto->mutable_profile_type());
  return CheckTexts(*proto);
}

absl::StatusOr<FrontendAttributes> ReadFrontendAttributes(const wire::FrontendAttributes& proto) {
  FrontendAttributes attributes;
  for (const wire::FrontendAttributes::Entry& entry : proto.map()) {
    AXLE_RETURN_IF_ERROR(CheckText(entry.key(), "frontend attribute"));
    AXLE_RETURN_IF_ERROR(CheckText(entry.value(), "frontend attribute value"));
    attributes[entry.key()] = entry.value();  // of equal keys the last counts, as in any wire map
  }
  return attributes;
}

absl::Status WriteFrontendAttributes(const FrontendAttributes& attributes,
                                     wire::FrontendAttributes* proto) {
  proto->clear_map();
  for (const auto& [key, value] : attributes) {
    AXLE_RETURN_IF_ERROR(CheckText(key, "frontend attribute"));
    AXLE_RETURN_IF_ERROR(CheckText(value, "frontend attribute value"));
    wire::FrontendAttributes::Entry* entry = proto->add_map();
    entry->set_key(key);
    entry->set_value(value);
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::proto
