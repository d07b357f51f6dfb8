// SPDX-License-Identifier: Apache-2.0
// Shape rules of sort and topk. See rules.h for what a rule is.
#ifndef AXLE_HLO_OPS_SORTING_H_
#define AXLE_HLO_OPS_SORTING_H_

#include "absl/status/statusor.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

absl::StatusOr<Shape> SortRule(const RuleContext& context);
absl::StatusOr<Shape> TopKRule(const RuleContext& context);

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_SORTING_H_
