// SPDX-License-Identifier: Apache-2.0
// Control flow, calls, and operations that only order or mark others: shape rules (see rules.h for
// what a rule is) and builder calls.
#ifndef AXLE_HLO_OPS_CONTROL_H_
#define AXLE_HLO_OPS_CONTROL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/ops/builder.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

absl::StatusOr<Shape> AddDependencyRule(const RuleContext& context);
absl::StatusOr<Shape> AfterAllRule(const RuleContext& context);
absl::StatusOr<Shape> AsyncDoneRule(const RuleContext& context);
absl::StatusOr<Shape> AsyncStartRule(const RuleContext& context);
absl::StatusOr<Shape> AsyncUpdateRule(const RuleContext& context);
absl::StatusOr<Shape> CallRule(const RuleContext& context);
absl::StatusOr<Shape> ConditionalRule(const RuleContext& context);
absl::StatusOr<Shape> CustomCallRule(const RuleContext& context);
absl::StatusOr<Shape> DomainRule(const RuleContext& context);
absl::StatusOr<Shape> FusionRule(const RuleContext& context);
absl::StatusOr<Shape> OptBarrierRule(const RuleContext& context);
absl::StatusOr<Shape> WhileRule(const RuleContext& context);

// Builder calls; errors are those of the rules.
absl::StatusOr<InstructionIndex> AfterAll(Builder& builder,
                                          absl::Span<const InstructionIndex> tokens);
absl::StatusOr<InstructionIndex> Call(Builder& builder, ComputationIndex callee,
                                      absl::Span<const InstructionIndex> arguments);
// `selector` is pred[] with two branches (true first) or s32[] with any number; one argument each.
absl::StatusOr<InstructionIndex> Conditional(Builder& builder, InstructionIndex selector,
                                             absl::Span<const ComputationIndex> branches,
                                             absl::Span<const InstructionIndex> arguments);
// The attributes are CustomCallAttributes with at least the target.
absl::StatusOr<InstructionIndex> CustomCall(Builder& builder, const Shape& shape,
                                            absl::Span<const InstructionIndex> operands,
                                            CustomCallAttributes attributes);
absl::StatusOr<InstructionIndex> OptBarrier(Builder& builder, InstructionIndex operand);
absl::StatusOr<InstructionIndex> While(Builder& builder, ComputationIndex body,
                                       ComputationIndex condition, InstructionIndex init);

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_CONTROL_H_
