// SPDX-License-Identifier: Apache-2.0
// Shape rules of map, reduce, reduce-window and scan. See rules.h for what a rule is.
#ifndef AXLE_HLO_OPS_REDUCTION_H_
#define AXLE_HLO_OPS_REDUCTION_H_

#include "absl/status/statusor.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

absl::StatusOr<Shape> MapRule(const RuleContext& context);
absl::StatusOr<Shape> ReduceRule(const RuleContext& context);
absl::StatusOr<Shape> ReduceWindowRule(const RuleContext& context);
absl::StatusOr<Shape> ScanRule(const RuleContext& context);

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_REDUCTION_H_
