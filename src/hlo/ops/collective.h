// SPDX-License-Identifier: Apache-2.0
// Shape rules of what devices do with each other and with the host: collectives, send, recv,
// infeed, outfeed, asynchronous copies. See rules.h for what a rule is.
#ifndef AXLE_HLO_OPS_COLLECTIVE_H_
#define AXLE_HLO_OPS_COLLECTIVE_H_

#include "absl/status/statusor.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

absl::StatusOr<Shape> AllGatherRule(const RuleContext& context);
absl::StatusOr<Shape> AllGatherStartRule(const RuleContext& context);
absl::StatusOr<Shape> AllReduceRule(const RuleContext& context);
absl::StatusOr<Shape> AllReduceStartRule(const RuleContext& context);
absl::StatusOr<Shape> AllToAllRule(const RuleContext& context);
absl::StatusOr<Shape> CollectiveBroadcastRule(const RuleContext& context);
absl::StatusOr<Shape> CollectiveDoneRule(const RuleContext& context);
absl::StatusOr<Shape> CollectivePermuteRule(const RuleContext& context);
absl::StatusOr<Shape> CollectivePermuteStartRule(const RuleContext& context);
absl::StatusOr<Shape> CopyDoneRule(const RuleContext& context);
absl::StatusOr<Shape> CopyStartRule(const RuleContext& context);
absl::StatusOr<Shape> InfeedRule(const RuleContext& context);
absl::StatusOr<Shape> OutfeedRule(const RuleContext& context);
absl::StatusOr<Shape> PartitionIdRule(const RuleContext& context);
absl::StatusOr<Shape> RaggedAllToAllRule(const RuleContext& context);
absl::StatusOr<Shape> RecvRule(const RuleContext& context);
absl::StatusOr<Shape> RecvDoneRule(const RuleContext& context);
absl::StatusOr<Shape> ReduceScatterRule(const RuleContext& context);
absl::StatusOr<Shape> ReplicaIdRule(const RuleContext& context);
absl::StatusOr<Shape> SendRule(const RuleContext& context);
absl::StatusOr<Shape> SendDoneRule(const RuleContext& context);

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_COLLECTIVE_H_
