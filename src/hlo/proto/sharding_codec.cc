// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/sharding_codec.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/proto/context.h"
#include "hlo/proto/unknown_fields.h"

namespace axle::hlo::proto {
namespace {

absl::StatusOr<Sharding::Type> ReadType(int type) {
  if (type < 0 || type > static_cast<int>(Sharding::Type::kUnreduced)) {
    return BadValue("type of a sharding", absl::StrCat(type));
  }
  return static_cast<Sharding::Type>(type);
}

// What Sharding has no field for.
std::string UnknownPart(const wire::OpSharding& proto) {
  const bool any = proto.has_tile_shape() || !proto.metadata().empty() ||
                   proto.has_named_sharding() || HasUnknownFields(proto);
  if (!any) return "";
  wire::OpSharding part;
  if (proto.has_tile_shape()) *part.mutable_tile_shape() = proto.tile_shape();
  *part.mutable_metadata() = proto.metadata();
  if (proto.has_named_sharding()) *part.mutable_named_sharding() = proto.named_sharding();
  CopyUnknownFields(proto, &part);
  return part.SerializeAsString();
}

}  // namespace

std::vector<int64_t> ReadPermutation(const google::protobuf::RepeatedField<int32_t>& field) {
  for (int i = 0; i < field.size(); ++i) {
    if (field.Get(i) != i) return ToVector(field);
  }
  return {};
}

absl::Status WritePermutation(absl::Span<const int64_t> permutation, size_t rank,
                              google::protobuf::RepeatedField<int32_t>* field) {
  field->Clear();
  for (const int64_t dimension : permutation) {
    AXLE_ASSIGN_OR_RETURN(const int32_t value, ToInt32(dimension, "iota_transpose_perm"));
    field->Add(value);
  }
  for (size_t i = 0; permutation.empty() && i < rank; ++i) field->Add(static_cast<int32_t>(i));
  return absl::OkStatus();
}

// Tuples nest at most as deep as protobuf's parser allows, 100.
absl::StatusOr<Sharding> ReadSharding(const wire::OpSharding& proto) {
  Sharding sharding;
  AXLE_ASSIGN_OR_RETURN(sharding.type, ReadType(proto.type()));
  sharding.tile_dimensions = ToVector(proto.tile_assignment_dimensions());
  sharding.devices = ToVector(proto.tile_assignment_devices());
  // A maximal sharding is one device; its one tile goes without saying.
  if (sharding.type == Sharding::Type::kMaximal &&
      sharding.tile_dimensions == std::vector<int64_t>{1}) {
    sharding.tile_dimensions.clear();
  }
  sharding.iota_reshape_dims = ToVector(proto.iota_reshape_dims());
  sharding.iota_transpose_perm = ReadPermutation(proto.iota_transpose_perm());
  sharding.replicate_on_last_tile_dim = proto.replicate_on_last_tile_dim();
  for (const int type : proto.last_tile_dims()) {
    AXLE_ASSIGN_OR_RETURN(const Sharding::Type last, ReadType(type));
    sharding.last_tile_dims.push_back(last);
  }
  for (const wire::OpSharding& element : proto.tuple_shardings()) {
    AXLE_ASSIGN_OR_RETURN(Sharding part, ReadSharding(element));
    sharding.elements.push_back(std::move(part));
  }
  sharding.is_shard_group = proto.is_shard_group();
  sharding.shard_group_id = proto.shard_group_id();
  const int group_type = proto.shard_group_type();
  if (group_type < 0 || group_type > static_cast<int>(Sharding::ShardGroupType::kLike)) {
    return BadValue("shard_group_type", absl::StrCat(group_type));
  }
  sharding.shard_group_type = static_cast<Sharding::ShardGroupType>(group_type);
  sharding.unknown_wire = UnknownPart(proto);
  return sharding;
}

absl::Status WriteSharding(const Sharding& sharding, wire::OpSharding* proto) {
  proto->Clear();
  AXLE_RETURN_IF_ERROR(MergeKept(sharding.unknown_wire, proto));
  proto->set_type(static_cast<wire::OpSharding::Type>(sharding.type));
  Assign(sharding.tile_dimensions, proto->mutable_tile_assignment_dimensions());
  if (sharding.type == Sharding::Type::kMaximal && sharding.tile_dimensions.empty()) {
    proto->add_tile_assignment_dimensions(1);
  }
  Assign(sharding.devices, proto->mutable_tile_assignment_devices());
  Assign(sharding.iota_reshape_dims, proto->mutable_iota_reshape_dims());
  AXLE_RETURN_IF_ERROR(WritePermutation(sharding.iota_transpose_perm,
                                        sharding.iota_reshape_dims.size(),
                                        proto->mutable_iota_transpose_perm()));
  proto->set_replicate_on_last_tile_dim(sharding.replicate_on_last_tile_dim);
  for (const Sharding::Type type : sharding.last_tile_dims) {
    proto->add_last_tile_dims(static_cast<wire::OpSharding::Type>(type));
  }
  for (const Sharding& element : sharding.elements) {
    AXLE_RETURN_IF_ERROR(WriteSharding(element, proto->add_tuple_shardings()));
  }
  proto->set_is_shard_group(sharding.is_shard_group);
  proto->set_shard_group_id(sharding.shard_group_id);
  proto->set_shard_group_type(
      static_cast<wire::OpSharding::ShardGroupType>(sharding.shard_group_type));
  return absl::OkStatus();
}

}  // namespace axle::hlo::proto
