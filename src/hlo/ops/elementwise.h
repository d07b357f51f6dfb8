// SPDX-License-Identifier: Apache-2.0
// Elementwise operations: shape rules (see rules.h for what a rule is) and builder calls.
#ifndef AXLE_HLO_OPS_ELEMENTWISE_H_
#define AXLE_HLO_OPS_ELEMENTWISE_H_

#include "absl/status/statusor.h"
#include "hlo/ops/builder.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

// Operations whose result has the operand's shape; the types they take stand in elementwise.cc.
absl::StatusOr<Shape> UnaryRule(const RuleContext& context);
// Operations whose operands and result have one shape.
absl::StatusOr<Shape> BinaryRule(const RuleContext& context);

absl::StatusOr<Shape> AbsRule(const RuleContext& context);
absl::StatusOr<Shape> ClampRule(const RuleContext& context);
absl::StatusOr<Shape> CompareRule(const RuleContext& context);
absl::StatusOr<Shape> ComplexRule(const RuleContext& context);
absl::StatusOr<Shape> ConvertRule(const RuleContext& context);
absl::StatusOr<Shape> CopyRule(const RuleContext& context);
absl::StatusOr<Shape> ImagRule(const RuleContext& context);
absl::StatusOr<Shape> IsFiniteRule(const RuleContext& context);
absl::StatusOr<Shape> RealRule(const RuleContext& context);
absl::StatusOr<Shape> ReducePrecisionRule(const RuleContext& context);
absl::StatusOr<Shape> SelectRule(const RuleContext& context);
absl::StatusOr<Shape> StochasticConvertRule(const RuleContext& context);

// The order in which operands of this type are compared unless an instruction says otherwise. XLA
// spells it out on the wire, but not in text; modules hold kUnset for it. kUnset for types that
// cannot be compared.
ComparisonType ImpliedComparison(ElementType operand);

// Builder calls; errors are those of the rules. Unary and Binary take the opcodes of UnaryRule and
// BinaryRule, and abs, copy, real, imag, is-finite and complex too.
absl::StatusOr<InstructionIndex> Unary(Builder& builder, Opcode opcode, InstructionIndex operand);
absl::StatusOr<InstructionIndex> Binary(Builder& builder, Opcode opcode, InstructionIndex lhs,
                                        InstructionIndex rhs);
absl::StatusOr<InstructionIndex> Clamp(Builder& builder, InstructionIndex low,
                                       InstructionIndex operand, InstructionIndex high);
absl::StatusOr<InstructionIndex> Compare(Builder& builder, ComparisonDirection direction,
                                         InstructionIndex lhs, InstructionIndex rhs,
                                         ComparisonType type = ComparisonType::kUnset);
absl::StatusOr<InstructionIndex> Convert(Builder& builder, InstructionIndex operand,
                                         ElementType type);
absl::StatusOr<InstructionIndex> ReducePrecision(Builder& builder, InstructionIndex operand,
                                                 int exponent_bits, int mantissa_bits);
absl::StatusOr<InstructionIndex> Select(Builder& builder, InstructionIndex predicate,
                                        InstructionIndex on_true, InstructionIndex on_false);

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_ELEMENTWISE_H_
