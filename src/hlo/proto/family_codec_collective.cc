// SPDX-License-Identifier: Apache-2.0
// Families of collectives, channels, copies and host transfers.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/proto/family_codec.h"
#include "hlo/proto/replica_groups.h"

namespace axle::hlo::proto {

using P = wire::HloInstructionProto;

// ---- Collectives --------------------------------------------------------------------------------

absl::Span<const int> WireFields(const CollectiveAttributes&) {
  static constexpr int kFields[] = {
      P::kChannelIdFieldNumber,
      P::kAllReduceIdFieldNumber,
      P::kReplicaGroupsFieldNumber,
      P::kCollectiveDeviceListFieldNumber,
      P::kIotaCollectiveDeviceListFieldNumber,
      P::kMeshAxesReplicaGroupListFieldNumber,
      P::kConstrainLayoutFieldNumber,
      P::kUseGlobalDeviceIdsFieldNumber,
      P::kDimensionsFieldNumber,
  };
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, CollectiveAttributes& attributes) {
  attributes.channel_id = ReadChannel(proto.channel_id());
  // The name of that field before 2020.
  if (!attributes.channel_id.has_value())
    attributes.channel_id = ReadChannel(proto.all_reduce_id());
  AXLE_ASSIGN_OR_RETURN(attributes.replica_groups, ReadReplicaGroups(proto, context));
  attributes.constrain_layout = proto.constrain_layout();
  attributes.use_global_device_ids = proto.use_global_device_ids();
  if (!proto.dimensions().empty()) attributes.dimensions = ToVector(proto.dimensions());
  return absl::OkStatus();
}
absl::Status WriteWire(const CollectiveAttributes& attributes, P& proto) {
  proto.set_channel_id(attributes.channel_id.value_or(0));
  AXLE_RETURN_IF_ERROR(WriteReplicaGroups(attributes.replica_groups, proto));
  proto.set_constrain_layout(attributes.constrain_layout);
  proto.set_use_global_device_ids(attributes.use_global_device_ids);
  if (attributes.dimensions.has_value()) {
    Assign(*attributes.dimensions, proto.mutable_dimensions());
  }
  return absl::OkStatus();
}

namespace {

// How many pieces of operand 0 move, each as many as it has dimensions: one for an array, for a
// tuple one a start of operand 2 ((start of piece), …) or, with several pieces an element, one
// each.
absl::StatusOr<std::vector<int>> PieceRanks(const ReadContext& context) {
  const auto unclear = [] {
    return BadValue("dynamic_slice_sizes", "sizes that fit no input and start indices");
  };
  if (context.operands.size() < 3) return unclear();
  const Shape& input = context.operand_shape(0);
  const Shape& starts = context.operand_shape(2);
  const auto pieces = [](const Shape& start) -> size_t {
    const bool several =
        start.IsTuple() && !start.tuple_shapes().empty() && start.tuple_shape(0).IsTuple();
    return several ? start.tuple_shapes().size() : 1;
  };
  std::vector<int> ranks;
  if (!input.IsTuple()) {
    ranks.assign(pieces(starts), input.rank());
    return ranks;
  }
  if (!starts.IsTuple() || starts.tuple_shapes().size() < input.tuple_shapes().size()) {
    return unclear();
  }
  for (size_t i = 0; i < input.tuple_shapes().size(); ++i) {
    const Shape& element = input.tuple_shapes()[i];
    ranks.insert(ranks.end(), pieces(starts.tuple_shapes()[i]), element.rank());
  }
  return ranks;
}

}  // namespace

absl::Span<const int> WireFields(const CollectivePermuteAttributes&) {
  static constexpr int kFields[] = {P::kChannelIdFieldNumber, P::kSourceTargetPairsFieldNumber,
                                    P::kDynamicSliceSizesFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context,
                      CollectivePermuteAttributes& attributes) {
  attributes.channel_id = ReadChannel(proto.channel_id());
  for (const wire::SourceTarget& pair : proto.source_target_pairs()) {
    context.Note(pair);
    attributes.source_target_pairs.pairs.emplace_back(pair.source(), pair.target());
  }
  if (proto.dynamic_slice_sizes().empty()) return absl::OkStatus();
  AXLE_ASSIGN_OR_RETURN(const std::vector<int> ranks, PieceRanks(context));
  auto next = proto.dynamic_slice_sizes().begin();
  for (const int rank : ranks) {
    if (proto.dynamic_slice_sizes().end() - next < rank) {
      return BadValue("dynamic_slice_sizes", "fewer sizes than dimensions");
    }
    attributes.slice_sizes.emplace_back(next, next + rank);
    next += rank;
  }
  if (next != proto.dynamic_slice_sizes().end()) {
    return BadValue("dynamic_slice_sizes", "more sizes than dimensions");
  }
  return absl::OkStatus();
}
absl::Status WriteWire(const CollectivePermuteAttributes& attributes, P& proto) {
  proto.set_channel_id(attributes.channel_id.value_or(0));
  for (const auto& [source, target] : attributes.source_target_pairs.pairs) {
    wire::SourceTarget* pair = proto.add_source_target_pairs();
    pair->set_source(source);
    pair->set_target(target);
  }
  for (const std::vector<int64_t>& sizes : attributes.slice_sizes) {
    proto.mutable_dynamic_slice_sizes()->Add(sizes.begin(), sizes.end());
  }
  return absl::OkStatus();
}

// ---- Channels and host transfers ----------------------------------------------------------------

absl::Span<const int> WireFields(const SendRecvAttributes&) {
  static constexpr int kFields[] = {P::kChannelIdFieldNumber, P::kIsHostTransferFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, SendRecvAttributes& attributes) {
  attributes.channel_id = ReadChannel(proto.channel_id());
  attributes.is_host_transfer = proto.is_host_transfer();
  return absl::OkStatus();
}
absl::Status WriteWire(const SendRecvAttributes& attributes, P& proto) {
  proto.set_channel_id(attributes.channel_id.value_or(0));
  proto.set_is_host_transfer(attributes.is_host_transfer);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const InfeedAttributes&) {
  static constexpr int kFields[] = {P::kInfeedConfigFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, InfeedAttributes& attributes) {
  attributes.config = proto.infeed_config();
  return absl::OkStatus();
}
absl::Status WriteWire(const InfeedAttributes& attributes, P& proto) {
  proto.set_infeed_config(attributes.config);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const OutfeedAttributes&) {
  static constexpr int kFields[] = {P::kOutfeedShapeFieldNumber, P::kOutfeedConfigFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, OutfeedAttributes& attributes) {
  if (proto.has_outfeed_shape()) {
    AXLE_ASSIGN_OR_RETURN(attributes.shape, context.shapes.Read(proto.outfeed_shape()));
  }
  attributes.config = proto.outfeed_config();
  return absl::OkStatus();
}
absl::Status WriteWire(const OutfeedAttributes& attributes, P& proto) {
  if (attributes.shape.valid()) WriteShape(attributes.shape, proto.mutable_outfeed_shape());
  proto.set_outfeed_config(attributes.config);
  return absl::OkStatus();
}

// ---- Copies -------------------------------------------------------------------------------------

namespace {

constexpr int kPrefetchFields[] = {P::kCrossProgramPrefetchIndexFieldNumber,
                                   P::kIsCrossProgramPrefetchFieldNumber};

std::optional<int64_t> ReadPrefetchIndex(const P& proto) {
  if (proto.has_cross_program_prefetch_index()) return proto.cross_program_prefetch_index();
  // Before 2022 there was one prefetch at most, and a flag for it.
  return proto.is_cross_program_prefetch() ? std::optional<int64_t>(0) : std::nullopt;
}

absl::Status WritePrefetchIndex(std::optional<int64_t> index, P& proto) {
  if (!index.has_value()) return absl::OkStatus();
  AXLE_ASSIGN_OR_RETURN(const int32_t value, ToInt32(*index, "cross_program_prefetch_index"));
  proto.set_cross_program_prefetch_index(value);
  return absl::OkStatus();
}

}  // namespace

absl::Span<const int> WireFields(const CopyOpAttributes&) { return kPrefetchFields; }
absl::Status ReadWire(const P& proto, ReadContext&, CopyOpAttributes& attributes) {
  attributes.cross_program_prefetch_index = ReadPrefetchIndex(proto);
  return absl::OkStatus();
}
absl::Status WriteWire(const CopyOpAttributes& attributes, P& proto) {
  return WritePrefetchIndex(attributes.cross_program_prefetch_index, proto);
}

absl::Span<const int> WireFields(const CopyStartAttributes&) { return kPrefetchFields; }
absl::Status ReadWire(const P& proto, ReadContext&, CopyStartAttributes& attributes) {
  attributes.cross_program_prefetch_index = ReadPrefetchIndex(proto);
  return absl::OkStatus();
}
absl::Status WriteWire(const CopyStartAttributes& attributes, P& proto) {
  return WritePrefetchIndex(attributes.cross_program_prefetch_index, proto);
}

}  // namespace axle::hlo::proto
