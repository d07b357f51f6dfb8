// SPDX-License-Identifier: Apache-2.0
// Sharding from and to its wire form, OpSharding.
#ifndef AXLE_HLO_PROTO_SHARDING_CODEC_H_
#define AXLE_HLO_PROTO_SHARDING_CODEC_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "google/protobuf/repeated_field.h"
#include "hlo/attribute_values.h"
#include "proto/xla_data.pb.h"

namespace axle::hlo::proto {

// Tile shape, metadata, named sharding and unknown fields go into unknown_wire. Errors: AX0214 for
// unknown types.
absl::StatusOr<Sharding> ReadSharding(const wire::OpSharding& proto);

// Overwrites the message. What only text holds (metadata_text, unparsed) is left out.
absl::Status WriteSharding(const Sharding& sharding, wire::OpSharding* proto);

// The transposition of an iota of devices: the wire form spells out the identity, which is empty
// here. `rank` is the number of reshape dimensions.
std::vector<int64_t> ReadPermutation(const google::protobuf::RepeatedField<int32_t>& field);
absl::Status WritePermutation(absl::Span<const int64_t> permutation, size_t rank,
                              google::protobuf::RepeatedField<int32_t>* field);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_SHARDING_CODEC_H_
