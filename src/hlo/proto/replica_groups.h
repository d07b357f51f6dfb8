// SPDX-License-Identifier: Apache-2.0
// ReplicaGroups from and to the four wire forms that XLA has had for them.
#ifndef AXLE_HLO_PROTO_REPLICA_GROUPS_H_
#define AXLE_HLO_PROTO_REPLICA_GROUPS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hlo/attribute_values.h"
#include "hlo/proto/context.h"
#include "proto/hlo.pb.h"

namespace axle::hlo::proto {

// Lists of groups (replica_groups until 2024, then collective_device_list), iotas (within the list
// in 2025, then beside it) and mesh axes. A mesh whose text form Axle does not know stays
// serialized.
absl::StatusOr<ReplicaGroups> ReadReplicaGroups(const wire::HloInstructionProto& proto,
                                                ReadContext& context);

// Writes the newest form. Errors: AX0232 for mesh text that is not of the known form.
absl::Status WriteReplicaGroups(const ReplicaGroups& groups, wire::HloInstructionProto& proto);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_REPLICA_GROUPS_H_
