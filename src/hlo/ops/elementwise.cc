// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/elementwise.h"

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/shape_checks.h"

namespace axle::hlo {
namespace {

bool IsWideFloat(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kF64;
}

// An array of a type that the opcode's row allows.
absl::Status ExpectOperandType(const RuleContext& context, const Shape& shape,
                               absl::string_view what) {
  AXLE_RETURN_IF_ERROR(ExpectArray(shape, what));
  const OperandTypes types = Info(context.instruction.opcode).operand_types;
  if (Allows(types, shape.element_type())) return absl::OkStatus();
  return MakeError(ops_errors::kElementType,
                   absl::StrCat(what, " is ", ShapeText(shape), "; expected elements that are ",
                                TypesText(types)));
}

// The type of the real and imaginary parts of a complex type; a float type is its own.
ElementType RealType(ElementType type) {
  if (type == ElementType::kC64) return ElementType::kF32;
  if (type == ElementType::kC128) return ElementType::kF64;
  return type;
}

// Both operands are arrays of one element type and the same dimensions: the array that they agree
// on.
absl::StatusOr<Shape> CommonShape(const RuleContext& context, int first, int second) {
  const Shape& a = context.operand(first);
  const Shape& b = context.operand(second);
  const std::string what_a = OperandText(first);
  const std::string what_b = OperandText(second);
  AXLE_RETURN_IF_ERROR(ExpectArray(a, what_a));
  AXLE_RETURN_IF_ERROR(ExpectArray(b, what_b));
  AXLE_RETURN_IF_ERROR(ExpectSameType(a, what_a, b, what_b));
  AXLE_RETURN_IF_ERROR(ExpectSameDimensions(a, what_a, b, what_b));
  if (!a.has_dynamic_dimensions() && !b.has_dynamic_dimensions()) return a.WithoutLayouts();
  DimensionList dimensions(a);
  dimensions.Merge(b);
  return dimensions.ToShape(a.element_type());
}

// The real part of a complex or floating-point operand, in shape.
absl::StatusOr<Shape> PartRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectOperandType(context, operand, "the operand"));
  return operand.WithElementType(RealType(operand.element_type()));
}

}  // namespace

absl::StatusOr<Shape> UnaryRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectOperandType(context, context.operand(0), "the operand"));
  return context.operand(0);
}

absl::StatusOr<Shape> BinaryRule(const RuleContext& context) {
  AXLE_ASSIGN_OR_RETURN(Shape shape, CommonShape(context, 0, 1));
  AXLE_RETURN_IF_ERROR(ExpectOperandType(context, shape, "each operand"));
  return shape;
}

absl::StatusOr<Shape> AbsRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectOperandType(context, operand, "the operand"));
  return operand.WithElementType(RealType(operand.element_type()));
}

absl::StatusOr<Shape> ClampRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const Shape& operand = context.operand(1);
  for (const int bound : {0, 2}) {
    const Shape& shape = context.operand(bound);
    const std::string what = OperandText(bound);
    AXLE_RETURN_IF_ERROR(ExpectSameType(shape, what, operand, "operand 1"));
    if (shape.IsScalar()) continue;
    AXLE_RETURN_IF_ERROR(ExpectSameDimensions(shape, what, operand, "operand 1"));
  }
  return operand;
}

ComparisonType ImpliedComparison(ElementType operand) {
  if (IsFloat(operand) || IsComplex(operand)) return ComparisonType::kFloat;
  if (IsSigned(operand)) return ComparisonType::kSigned;
  if (IsUnsigned(operand) || IsPred(operand)) return ComparisonType::kUnsigned;
  return ComparisonType::kUnset;
}

absl::StatusOr<Shape> CompareRule(const RuleContext& context) {
  AXLE_ASSIGN_OR_RETURN(const Shape shape, CommonShape(context, 0, 1));
  const ComparisonType type = context.instruction.As<CompareAttributes>().type;
  if (type == ComparisonType::kFloat && IsIntegralOrPred(shape.element_type())) {
    return MakeError(ops_errors::kAttribute,
                     absl::StrCat("type is FLOAT for ", ShapeText(shape),
                                  "; expected SIGNED or UNSIGNED for integers and pred"));
  }
  return shape.WithElementType(ElementType::kPred);
}

absl::StatusOr<Shape> ComplexRule(const RuleContext& context) {
  AXLE_ASSIGN_OR_RETURN(const Shape shape, CommonShape(context, 0, 1));
  AXLE_RETURN_IF_ERROR(ExpectType(shape, "each operand", IsWideFloat, "f32 or f64"));
  return shape.WithElementType(shape.element_type() == ElementType::kF32 ? ElementType::kC64
                                                                         : ElementType::kC128);
}

absl::StatusOr<Shape> ConvertRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "the operand"));
  AXLE_RETURN_IF_ERROR(ExpectDeclaredArray(context));
  return operand.WithElementType(context.declared().element_type());
}

absl::StatusOr<Shape> CopyRule(const RuleContext& context) { return context.operand(0); }

absl::StatusOr<Shape> ImagRule(const RuleContext& context) { return PartRule(context); }

absl::StatusOr<Shape> IsFiniteRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectOperandType(context, operand, "the operand"));
  return operand.WithElementType(ElementType::kPred);
}

absl::StatusOr<Shape> RealRule(const RuleContext& context) { return PartRule(context); }

absl::StatusOr<Shape> ReducePrecisionRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectOperandType(context, context.operand(0), "the operand"));
  const auto& bits = context.instruction.As<ReducePrecisionAttributes>();
  if (bits.exponent_bits < 1 || bits.mantissa_bits < 0) {
    return MakeError(ops_errors::kAttribute, absl::StrCat("exponent_bits=", bits.exponent_bits,
                                                          ", mantissa_bits=", bits.mantissa_bits,
                                                          "; expected at least 1 and 0"));
  }
  return context.operand(0);
}

absl::StatusOr<Shape> SelectRule(const RuleContext& context) {
  const Shape& predicate = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectType(predicate, "the predicate", IsPred, "pred"));
  AXLE_ASSIGN_OR_RETURN(Shape shape, CommonShape(context, 1, 2));
  if (!predicate.IsScalar()) {
    AXLE_RETURN_IF_ERROR(ExpectSameDimensions(predicate, "the predicate", shape, "each value"));
  }
  return shape;
}

absl::StatusOr<Shape> StochasticConvertRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  const Shape& random = context.operand(1);
  AXLE_RETURN_IF_ERROR(ExpectType(operand, "operand 0", IsFloat, "floating-point numbers"));
  AXLE_RETURN_IF_ERROR(ExpectType(random, "operand 1", IsUnsigned, "unsigned integers"));
  AXLE_RETURN_IF_ERROR(ExpectSameDimensions(operand, "operand 0", random, "operand 1"));
  if (BitWidth(operand.element_type()) != BitWidth(random.element_type())) {
    return MakeError(
        ops_errors::kElementType,
        absl::StrCat("operand 0 is ", ShapeText(operand), " and operand 1 is ", ShapeText(random),
                     "; expected as many random bits as the value has"));
  }
  AXLE_RETURN_IF_ERROR(ExpectDeclaredArray(context));
  return operand.WithElementType(context.declared().element_type());
}

absl::StatusOr<InstructionIndex> Unary(Builder& builder, Opcode opcode, InstructionIndex operand) {
  return builder.Emit(opcode, {operand});
}

absl::StatusOr<InstructionIndex> Binary(Builder& builder, Opcode opcode, InstructionIndex lhs,
                                        InstructionIndex rhs) {
  return builder.Emit(opcode, {lhs, rhs});
}

absl::StatusOr<InstructionIndex> Clamp(Builder& builder, InstructionIndex low,
                                       InstructionIndex operand, InstructionIndex high) {
  return builder.Emit(Opcode::kClamp, {low, operand, high});
}

absl::StatusOr<InstructionIndex> Compare(Builder& builder, ComparisonDirection direction,
                                         InstructionIndex lhs, InstructionIndex rhs,
                                         ComparisonType type) {
  return builder.Emit(Opcode::kCompare, {lhs, rhs}, Attributes(CompareAttributes{direction, type}));
}

absl::StatusOr<InstructionIndex> Convert(Builder& builder, InstructionIndex operand,
                                         ElementType type) {
  return builder.Emit(Opcode::kConvert, {operand}, {},
                      {.declared = builder.ShapeLike(operand, type)});
}

absl::StatusOr<InstructionIndex> ReducePrecision(Builder& builder, InstructionIndex operand,
                                                 int exponent_bits, int mantissa_bits) {
  return builder.Emit(Opcode::kReducePrecision, {operand},
                      Attributes(ReducePrecisionAttributes{exponent_bits, mantissa_bits}));
}

absl::StatusOr<InstructionIndex> Select(Builder& builder, InstructionIndex predicate,
                                        InstructionIndex on_true, InstructionIndex on_false) {
  return builder.Emit(Opcode::kSelect, {predicate, on_true, on_false});
}

}  // namespace axle::hlo
