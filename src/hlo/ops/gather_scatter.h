// SPDX-License-Identifier: Apache-2.0
// Shape rules of gather, scatter and select-and-scatter. See rules.h for what a rule is.
#ifndef AXLE_HLO_OPS_GATHER_SCATTER_H_
#define AXLE_HLO_OPS_GATHER_SCATTER_H_

#include "absl/status/statusor.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

absl::StatusOr<Shape> GatherRule(const RuleContext& context);
absl::StatusOr<Shape> ScatterRule(const RuleContext& context);
absl::StatusOr<Shape> SelectAndScatterRule(const RuleContext& context);

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_GATHER_SCATTER_H_
