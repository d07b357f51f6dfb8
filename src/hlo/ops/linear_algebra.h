// SPDX-License-Identifier: Apache-2.0
// Shape rules of linear algebra, convolution, Fourier transforms and batch normalisation. See
// rules.h for what a rule is.
#ifndef AXLE_HLO_OPS_LINEAR_ALGEBRA_H_
#define AXLE_HLO_OPS_LINEAR_ALGEBRA_H_

#include "absl/status/statusor.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

absl::StatusOr<Shape> BatchNormGradRule(const RuleContext& context);
absl::StatusOr<Shape> BatchNormInferenceRule(const RuleContext& context);
absl::StatusOr<Shape> BatchNormTrainingRule(const RuleContext& context);
absl::StatusOr<Shape> CholeskyRule(const RuleContext& context);
absl::StatusOr<Shape> ConvolutionRule(const RuleContext& context);
absl::StatusOr<Shape> DotRule(const RuleContext& context);
absl::StatusOr<Shape> FftRule(const RuleContext& context);
absl::StatusOr<Shape> RaggedDotRule(const RuleContext& context);
absl::StatusOr<Shape> ScaledDotRule(const RuleContext& context);
absl::StatusOr<Shape> TriangularSolveRule(const RuleContext& context);

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_LINEAR_ALGEBRA_H_
