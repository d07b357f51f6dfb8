// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/control.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/shape_checks.h"
#include "hlo/ops/structured_checks.h"

namespace axle::hlo {
namespace {

absl::Status BadCall(absl::string_view message) {
  return MakeError(ops_errors::kCalledComputation, message);
}

// The computation takes exactly `arguments`. `role` is what the caller calls it for: "the body".
absl::Status ExpectParameters(const ProgramShape& called, absl::string_view role,
                              absl::Span<const Shape> arguments) {
  if (called.parameters.size() != arguments.size()) {
    return BadCall(absl::StrCat(role, " takes ", called.parameters.size(), " parameters; expected ",
                                arguments.size()));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (ShapesAgree(called.parameters[i], arguments[i])) continue;
    return BadCall(absl::StrCat("parameter ", i, " of ", role, " is ",
                                ShapeText(called.parameters[i]), "; expected ",
                                ShapeText(arguments[i]), " as it is given"));
  }
  return absl::OkStatus();
}

absl::Status ExpectResult(const ProgramShape& called, absl::string_view role,
                          const Shape& expected) {
  if (ShapesAgree(called.result, expected)) return absl::OkStatus();
  return BadCall(absl::StrCat("the result of ", role, " is ", ShapeText(called.result),
                              "; expected ", ShapeText(expected)));
}

// What a buffer holds; any other shape is itself.
const Shape& Contents(const Shape& shape) {
  return shape.IsBuffer() ? shape.tuple_shape(0) : shape;
}

// Every alias joins a part of the result and a part of an operand, of one shape: a buffer may be
// made of the array that it holds.
absl::Status CheckAliases(const RuleContext& context, const OutputOperandAliases& aliases,
                          const Shape& result) {
  for (const OutputOperandAlias& alias : aliases) {
    const bool known =
        alias.operand >= 0 && alias.operand < static_cast<int64_t>(context.operands.size());
    const Shape* output = result.SubShape(alias.output_index);
    const Shape* operand =
        known ? context.operand(static_cast<int>(alias.operand)).SubShape(alias.operand_index)
              : nullptr;
    if (output && operand && ShapesAgree(Contents(*output), Contents(*operand))) continue;
    return MakeError(
        ops_errors::kAttribute,
        absl::StrCat("output_to_operand_aliasing joins result ", DimensionsText(alias.output_index),
                     " (", output ? ShapeText(*output) : "which does not exist", ") and operand ",
                     alias.operand, " ", DimensionsText(alias.operand_index), " (",
                     operand ? ShapeText(*operand) : "which does not exist",
                     "); expected two parts of one shape"));
  }
  return absl::OkStatus();
}

// ((arguments so far), result, …): what stands between async-start and async-done. What follows the
// result is the backend's own state.
absl::Status ExpectAsyncShape(const Shape& shape, absl::string_view what) {
  if (shape.IsTuple() && shape.tuple_shapes().size() >= 2 && shape.tuple_shape(0).IsTuple()) {
    return absl::OkStatus();
  }
  return MakeError(ops_errors::kOperandShape,
                   absl::StrCat(what, " is ", ShapeText(shape),
                                "; expected a tuple of at least two: the tuple of the arguments, "
                                "and the result"));
}

// Whether the first of the second's elements are the first's. Arguments and results may join an
// asynchronous computation after it has started.
bool IsPrefix(absl::Span<const Shape> part, absl::Span<const Shape> whole) {
  return part.size() <= whole.size() &&
         std::equal(part.begin(), part.end(), whole.begin(), ShapesAgree);
}

absl::Status ExpectAsyncFits(const Shape& shape, absl::string_view what,
                             const ProgramShape& called) {
  const Shape& result = shape.tuple_shape(1);
  const bool fits =
      IsPrefix(shape.tuple_shape(0).tuple_shapes(), called.parameters) &&
      (ShapesAgree(result, called.result) ||
       (result.IsTuple() && IsPrefix(result.tuple_shapes(), called.result.tuple_shapes())));
  if (fits) return absl::OkStatus();
  return BadCall(absl::StrCat(what, " is ", ShapeText(shape),
                              "; expected (arguments, result, ...) "
                              "of the computation, which is ",
                              SignatureText(called)));
}

// `shape` is ((arguments so far), result, …) with exactly these arguments.
absl::Status ExpectAsyncArguments(const Shape& shape, absl::Span<const Shape> arguments) {
  const auto given = shape.tuple_shape(0).tuple_shapes();
  if (given.size() == arguments.size() && IsPrefix(given, arguments)) return absl::OkStatus();
  return MakeError(ops_errors::kShapeMismatch,
                   absl::StrCat("the declared shape is ", ShapeText(shape), "; expected ",
                                ShapeText(Shape::Tuple({arguments.begin(), arguments.end()})),
                                " as its first element, the arguments so far"));
}

// Every array in it has a layout; that of a scalar may be left out.
bool HasLayouts(const Shape& shape) {
  const auto elements = shape.tuple_shapes();
  if (shape.IsTuple()) return std::all_of(elements.begin(), elements.end(), HasLayouts);
  return !shape.IsArray() || shape.IsScalar() || shape.layout() != nullptr;
}

absl::Status CheckLayoutConstraints(const RuleContext& context, absl::Span<const Shape> shapes) {
  AXLE_RETURN_IF_ERROR(
      ExpectEntryCount("operand_layout_constraints", shapes.size(), context.operands.size()));
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (ShapesAgree(shapes[i], context.operands[i]) && HasLayouts(shapes[i])) continue;
    return MakeError(
        ops_errors::kAttribute,
        absl::StrCat("operand_layout_constraints has ", shapes[i].ToString(), " for operand ", i,
                     "; expected ", ShapeText(context.operands[i]), " with a layout"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> AddDependencyRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectToken(context.operand(1), "operand 1"));
  return context.operand(0);
}

absl::StatusOr<Shape> AfterAllRule(const RuleContext&) {
  return Shape::Token();  // whatever it waits for
}

absl::StatusOr<Shape> AsyncStartRule(const RuleContext& context) {
  if (context.called.empty()) return BadCall("it calls no computation; expected one");
  const ProgramShape& called = *context.called[0];
  const Shape& declared = context.declared();
  if (!declared.valid()) {
    AXLE_RETURN_IF_ERROR(ExpectParameters(called, "the computation", context.operands));
    return Shape::Tuple({Shape::Tuple(called.parameters), called.result});
  }
  AXLE_RETURN_IF_ERROR(ExpectAsyncShape(declared, "the declared shape"));
  AXLE_RETURN_IF_ERROR(ExpectAsyncFits(declared, "the declared shape", called));
  AXLE_RETURN_IF_ERROR(ExpectAsyncArguments(declared, context.operands));
  return declared;
}

absl::StatusOr<Shape> AsyncUpdateRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectAsyncShape(operand, "operand 0"));
  const auto before = operand.tuple_shape(0).tuple_shapes();
  std::vector<Shape> arguments(before.begin(), before.end());
  arguments.insert(arguments.end(), context.operands.begin() + 1, context.operands.end());
  Shape shape = context.declared();
  if (shape.valid()) {
    AXLE_RETURN_IF_ERROR(ExpectAsyncShape(shape, "the declared shape"));
    AXLE_RETURN_IF_ERROR(ExpectAsyncArguments(shape, arguments));
  } else {
    std::vector<Shape> parts(operand.tuple_shapes().begin(), operand.tuple_shapes().end());
    parts[0] = Shape::Tuple(std::move(arguments));
    shape = Shape::Tuple(std::move(parts));
  }
  // The computation need not be named again after async-start.
  for (const ProgramShape* called : context.called) {
    AXLE_RETURN_IF_ERROR(ExpectAsyncFits(shape, "the result", *called));
  }
  return shape;
}

absl::StatusOr<Shape> AsyncDoneRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectAsyncShape(operand, "the operand"));
  if (context.called.empty()) return operand.tuple_shape(1);
  const ProgramShape& called = *context.called[0];
  AXLE_RETURN_IF_ERROR(ExpectAsyncFits(operand, "the operand", called));
  const size_t given = operand.tuple_shape(0).tuple_shapes().size();
  if (given != called.parameters.size()) {
    return BadCall(absl::StrCat("the computation has been given ", given, " arguments; expected ",
                                called.parameters.size(), " before it is done"));
  }
  return called.result;
}

absl::StatusOr<Shape> CallRule(const RuleContext& context) {
  const ProgramShape& called = *context.called[0];
  AXLE_RETURN_IF_ERROR(ExpectParameters(called, "the computation", context.operands));
  AXLE_RETURN_IF_ERROR(CheckAliases(
      context, context.instruction.As<CallAttributes>().output_to_operand_aliasing, called.result));
  return called.result;
}

absl::StatusOr<Shape> ConditionalRule(const RuleContext& context) {
  const Shape& selector = context.operand(0);
  const size_t branches = context.called.size();
  AXLE_RETURN_IF_ERROR(ExpectScalar(selector, "operand 0"));
  AXLE_RETURN_IF_ERROR(ExpectType(
      selector, "operand 0",
      [](ElementType type) { return type == ElementType::kPred || type == ElementType::kS32; },
      "pred or s32"));
  if (IsPred(selector.element_type()) && branches != 2) {
    return BadCall(absl::StrCat("it has ", branches, " branches; expected 2, for true and false"));
  }
  if (context.operands.size() != branches + 1) {
    return MakeError(ops_errors::kOperandCount,
                     absl::StrCat("it has ", context.operands.size(), " operands; expected ",
                                  branches + 1, ": what picks a branch, and one for each"));
  }
  const Shape& result = context.called[0]->result;
  for (size_t i = 0; i < branches; ++i) {
    const std::string role = absl::StrCat("branch ", i);
    AXLE_RETURN_IF_ERROR(
        ExpectParameters(*context.called[i], role, context.operands.subspan(i + 1, 1)));
    AXLE_RETURN_IF_ERROR(ExpectResult(*context.called[i], role, result));
  }
  return result;
}

absl::StatusOr<Shape> CustomCallRule(const RuleContext& context) {
  if (!context.declared().valid()) {
    return MakeError(ops_errors::kShapeMismatch, "the custom call has no shape; expected one");
  }
  const auto& attributes = context.instruction.As<CustomCallAttributes>();
  if (attributes.operand_layout_constraints) {
    AXLE_RETURN_IF_ERROR(CheckLayoutConstraints(context, *attributes.operand_layout_constraints));
  }
  AXLE_RETURN_IF_ERROR(
      CheckAliases(context, attributes.output_to_operand_aliasing, context.declared()));
  return context.declared();
}

absl::StatusOr<Shape> DomainRule(const RuleContext& context) { return context.operand(0); }

absl::StatusOr<Shape> FusionRule(const RuleContext& context) {
  const auto& attributes = context.instruction.As<FusionAttributes>();
  const ProgramShape& called = *context.called[0];
  if (attributes.kind == FusionKind::kUnset) {
    return MakeError(ops_errors::kAttribute,
                     "kind is missing; expected kLoop, kInput, kOutput or kCustom");
  }
  AXLE_RETURN_IF_ERROR(ExpectParameters(called, "the fused computation", context.operands));
  AXLE_RETURN_IF_ERROR(CheckAliases(context, attributes.output_to_operand_aliasing, called.result));
  return called.result;
}

absl::StatusOr<Shape> OptBarrierRule(const RuleContext& context) { return context.operand(0); }

absl::StatusOr<Shape> WhileRule(const RuleContext& context) {
  const Shape& init = context.operand(0);
  const ProgramShape& body = *context.called[0];
  const ProgramShape& condition = *context.called[1];
  AXLE_RETURN_IF_ERROR(ExpectParameters(body, "the body", context.operands));
  AXLE_RETURN_IF_ERROR(ExpectResult(body, "the body", init));
  AXLE_RETURN_IF_ERROR(ExpectParameters(condition, "the condition", context.operands));
  AXLE_RETURN_IF_ERROR(ExpectResult(condition, "the condition", Shape::Scalar(ElementType::kPred)));
  return init;
}

absl::StatusOr<InstructionIndex> AfterAll(Builder& builder,
                                          absl::Span<const InstructionIndex> tokens) {
  return builder.Emit(Opcode::kAfterAll, tokens);
}

absl::StatusOr<InstructionIndex> Call(Builder& builder, ComputationIndex callee,
                                      absl::Span<const InstructionIndex> arguments) {
  return builder.Emit(Opcode::kCall, arguments, {}, {.called = {callee}});
}

absl::StatusOr<InstructionIndex> Conditional(Builder& builder, InstructionIndex selector,
                                             absl::Span<const ComputationIndex> branches,
                                             absl::Span<const InstructionIndex> arguments) {
  std::vector<InstructionIndex> operands = {selector};
  operands.insert(operands.end(), arguments.begin(), arguments.end());
  return builder.Emit(Opcode::kConditional, operands, {}, {.called = branches});
}

absl::StatusOr<InstructionIndex> CustomCall(Builder& builder, const Shape& shape,
                                            absl::Span<const InstructionIndex> operands,
                                            CustomCallAttributes attributes) {
  return builder.Emit(Opcode::kCustomCall, operands, Attributes(std::move(attributes)),
                      {.declared = shape});
}

absl::StatusOr<InstructionIndex> OptBarrier(Builder& builder, InstructionIndex operand) {
  return builder.Emit(Opcode::kOptBarrier, {operand});
}

absl::StatusOr<InstructionIndex> While(Builder& builder, ComputationIndex body,
                                       ComputationIndex condition, InstructionIndex init) {
  return builder.Emit(Opcode::kWhile, {init}, {}, {.called = {body, condition}});
}

}  // namespace axle::hlo
