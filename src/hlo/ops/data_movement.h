// SPDX-License-Identifier: Apache-2.0
// Operations that make, move and rearrange data: shape rules (see rules.h for what a rule is) and
// builder calls.
#ifndef AXLE_HLO_OPS_DATA_MOVEMENT_H_
#define AXLE_HLO_OPS_DATA_MOVEMENT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/ops/builder.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

absl::StatusOr<Shape> BitcastConvertRule(const RuleContext& context);
absl::StatusOr<Shape> BitcastRule(const RuleContext& context);
absl::StatusOr<Shape> BroadcastRule(const RuleContext& context);
absl::StatusOr<Shape> ConcatenateRule(const RuleContext& context);
absl::StatusOr<Shape> ConstantRule(const RuleContext& context);
absl::StatusOr<Shape> DynamicReshapeRule(const RuleContext& context);
absl::StatusOr<Shape> DynamicSliceRule(const RuleContext& context);
absl::StatusOr<Shape> DynamicUpdateSliceRule(const RuleContext& context);
absl::StatusOr<Shape> GetDimensionSizeRule(const RuleContext& context);
absl::StatusOr<Shape> GetTupleElementRule(const RuleContext& context);
absl::StatusOr<Shape> IotaRule(const RuleContext& context);
absl::StatusOr<Shape> PadRule(const RuleContext& context);
absl::StatusOr<Shape> ParameterRule(const RuleContext& context);
absl::StatusOr<Shape> ReshapeRule(const RuleContext& context);
absl::StatusOr<Shape> ReverseRule(const RuleContext& context);
absl::StatusOr<Shape> SetDimensionSizeRule(const RuleContext& context);
absl::StatusOr<Shape> SliceRule(const RuleContext& context);
absl::StatusOr<Shape> TransposeRule(const RuleContext& context);
absl::StatusOr<Shape> TupleRule(const RuleContext& context);

// Builder calls; errors are those of the rules. `shape` is the result's, whole; dimension
// lists are as the attributes have them.
using Operands = absl::Span<const InstructionIndex>;
absl::StatusOr<InstructionIndex> BitcastConvert(Builder& builder, InstructionIndex operand,
                                                const Shape& shape);
absl::StatusOr<InstructionIndex> Broadcast(Builder& builder, InstructionIndex operand,
                                           const Shape& shape, std::vector<int64_t> dimensions);
absl::StatusOr<InstructionIndex> Concatenate(Builder& builder, Operands operands,
                                             int64_t dimension);
absl::StatusOr<InstructionIndex> Constant(Builder& builder, Literal literal);
absl::StatusOr<InstructionIndex> DynamicSlice(Builder& builder, InstructionIndex operand,
                                              Operands starts, std::vector<int64_t> sizes);
absl::StatusOr<InstructionIndex> DynamicUpdateSlice(Builder& builder, InstructionIndex operand,
                                                    InstructionIndex update, Operands starts);
absl::StatusOr<InstructionIndex> GetDimensionSize(Builder& builder, InstructionIndex operand,
                                                  int64_t dimension);
absl::StatusOr<InstructionIndex> GetTupleElement(Builder& builder, InstructionIndex tuple,
                                                 int64_t index);
absl::StatusOr<InstructionIndex> Iota(Builder& builder, const Shape& shape, int64_t dimension);
absl::StatusOr<InstructionIndex> Pad(Builder& builder, InstructionIndex operand,
                                     InstructionIndex value, PaddingConfig padding);
absl::StatusOr<InstructionIndex> Parameter(Builder& builder, int64_t number, const Shape& shape,
                                           absl::string_view name = {});
absl::StatusOr<InstructionIndex> Reshape(Builder& builder, InstructionIndex operand,
                                         const Shape& shape);
absl::StatusOr<InstructionIndex> Reverse(Builder& builder, InstructionIndex operand,
                                         std::vector<int64_t> dimensions);
absl::StatusOr<InstructionIndex> SetDimensionSize(Builder& builder, InstructionIndex operand,
                                                  InstructionIndex size, int64_t dimension);
absl::StatusOr<InstructionIndex> Slice(Builder& builder, InstructionIndex operand,
                                       SliceConfig slice);
absl::StatusOr<InstructionIndex> Transpose(Builder& builder, InstructionIndex operand,
                                           std::vector<int64_t> permutation);
absl::StatusOr<InstructionIndex> Tuple(Builder& builder, Operands operands);

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_DATA_MOVEMENT_H_
