// SPDX-License-Identifier: Apache-2.0
// Shape rules of random numbers. See rules.h for what a rule is.
#ifndef AXLE_HLO_OPS_RANDOM_H_
#define AXLE_HLO_OPS_RANDOM_H_

#include "absl/status/statusor.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

absl::StatusOr<Shape> RngRule(const RuleContext& context);
absl::StatusOr<Shape> RngBitGeneratorRule(const RuleContext& context);
absl::StatusOr<Shape> RngGetAndUpdateStateRule(const RuleContext& context);

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_RANDOM_H_
