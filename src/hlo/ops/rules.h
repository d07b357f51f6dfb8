// SPDX-License-Identifier: Apache-2.0
// Shape rules: what shape an instruction must have, given its operands, attributes and called
// computations; and every constraint on them. One function an opcode or family, declared in the
// header of its family, listed in rules.cc.
#ifndef AXLE_HLO_OPS_RULES_H_
#define AXLE_HLO_OPS_RULES_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hlo/module.h"

namespace axle::hlo {

// What a rule may look at. Operand counts and the number of called computations have been checked
// against the opcode table before a rule runs; every operand shape is valid.
struct RuleContext {
  // The attributes; and, for operations whose result shape is an input of their own (reshape,
  // broadcast, iota, convert, custom-call, parameter …), the declared shape. It may be invalid when
  // a builder asks for any other operation.
  const Instruction& instruction;
  absl::Span<const Shape> operands;
  absl::Span<const ProgramShape* const> called;

  const Shape& operand(int i) const { return operands[i]; }
  const Shape& declared() const { return instruction.shape; }
};

using ShapeRule = absl::StatusOr<Shape> (*)(const RuleContext&);

// The rule of an opcode; never null.
ShapeRule RuleFor(Opcode opcode);

// Operand count, called-computation count, attribute family, then the opcode's rule. Layouts play
// no part: the result carries none, and shapes compare by Compatible().
absl::StatusOr<Shape> InferShape(const RuleContext& context);

// OK when the declared shape is invalid (none given) or agrees with `inferred`, in the way that XLA
// compares: layouts and dynamic flags play no part, an unbounded size agrees with any. Else AX0325.
absl::Status CheckDeclaredShape(const RuleContext& context, const Shape& inferred);

// Program shapes of a module's computations, each computed once or given. The module must outlive
// it and have dense parameter numbers.
class ProgramShapes {
 public:
  explicit ProgramShapes(const Module& module);
  const ProgramShape& Of(ComputationIndex computation);
  // Spares looking for the parameters of a computation that has not been asked for.
  void Give(ComputationIndex computation, ProgramShape shape);

 private:
  const Module& module_;
  std::vector<std::unique_ptr<ProgramShape>> shapes_;
};

// InferShape for an instruction in its place: looks up operand and callee shapes.
absl::StatusOr<Shape> InferShape(const Computation& computation, const Instruction& instruction,
                                 ProgramShapes& shapes);

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_RULES_H_
