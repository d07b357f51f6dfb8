// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/rules.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/collective.h"
#include "hlo/ops/control.h"
#include "hlo/ops/data_movement.h"
#include "hlo/ops/elementwise.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/gather_scatter.h"
#include "hlo/ops/linear_algebra.h"
#include "hlo/ops/random.h"
#include "hlo/ops/reduction.h"
#include "hlo/ops/shape_checks.h"
#include "hlo/ops/sorting.h"

namespace axle::hlo {
namespace {

// "%sum = add(f32[2], s32[2])": where an error is.
std::string PlaceText(const RuleContext& context) {
  constexpr size_t kMaxOperands = 8;
  std::string text =
      context.instruction.name.empty() ? "" : absl::StrCat("%", context.instruction.name, " = ");
  absl::StrAppend(&text, Name(context.instruction.opcode), "(");
  for (size_t i = 0; i < context.operands.size(); ++i) {
    absl::StrAppend(&text, i > 0 ? ", " : "");
    if (i == kMaxOperands) {
      absl::StrAppend(&text, "and ", context.operands.size() - i, " more");
      break;
    }
    absl::StrAppend(&text, ShapeText(context.operands[i]));
  }
  return text + ")";
}

std::string CountText(int least, int most) {
  if (most == kVariadic) return absl::StrCat("at least ", least);
  return least == most ? absl::StrCat(least) : absl::StrCat(least, " to ", most);
}

absl::Status CheckOperands(const RuleContext& context) {
  const OpcodeInfo& info = Info(context.instruction.opcode);
  const int64_t count = static_cast<int64_t>(context.operands.size());
  if (count < info.min_operands || (info.max_operands != kVariadic && count > info.max_operands)) {
    return MakeError(ops_errors::kOperandCount,
                     absl::StrCat("it has ", count, " operands; expected ",
                                  CountText(info.min_operands, info.max_operands)));
  }
  for (int i = 0; i < count; ++i) {
    if (!context.operand(i).valid()) {
      return MakeError(ops_errors::kOperandShape, absl::StrCat(OperandText(i), " has no shape"));
    }
  }
  return absl::OkStatus();
}

struct CallCount {
  int least;
  int most;
};

CallCount CallCountOf(Calls calls) {
  switch (calls) {
    case Calls::kNone:
      return {0, 0};
    case Calls::kToApply:
    case Calls::kCalls:
      return {1, 1};
    case Calls::kOptionalToApply:
    case Calls::kOptionalCalls:
      return {0, 1};
    case Calls::kSelectScatter:
    case Calls::kBodyCondition:
      return {2, 2};
    case Calls::kBranches:
      return {1, kVariadic};
    case Calls::kAnyNumber:
      return {0, kVariadic};
  }
  return {0, 0};
}

absl::Status CheckCalled(const RuleContext& context) {
  const CallCount count = CallCountOf(Info(context.instruction.opcode).calls);
  const int64_t given = static_cast<int64_t>(context.called.size());
  if (given >= count.least && (count.most == kVariadic || given <= count.most)) {
    return absl::OkStatus();
  }
  return MakeError(ops_errors::kCalledComputation,
                   absl::StrCat("it calls ", given, " computations; expected ",
                                CountText(count.least, count.most)));
}

absl::StatusOr<Shape> CheckedShape(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(CheckOperands(context));
  AXLE_RETURN_IF_ERROR(CheckCalled(context));
  const Opcode opcode = context.instruction.opcode;
  if (context.instruction.attributes.family() != Info(opcode).attributes) {
    return MakeError(ops_errors::kAttribute,
                     "it has the attributes of another operation; expected its own");
  }
  return RuleFor(opcode)(context);
}

}  // namespace

ShapeRule RuleFor(Opcode opcode) {
  static constexpr ShapeRule kRules[] = {
#define AXLE_OPCODE(name, text, least, most, category, rule, ...) rule##Rule,
#include "hlo/opcode_table.inc"
#undef AXLE_OPCODE
  };
  return kRules[static_cast<int>(opcode)];
}

absl::StatusOr<Shape> InferShape(const RuleContext& context) {
  absl::StatusOr<Shape> shape = CheckedShape(context);
  if (!shape.ok()) return AtPlace(PlaceText(context), shape.status());
  return shape->WithoutLayouts();
}

absl::Status CheckDeclaredShape(const RuleContext& context, const Shape& inferred) {
  const Shape& declared = context.declared();
  if (!declared.valid() || ShapesAgree(declared, inferred)) return absl::OkStatus();
  return AtPlace(PlaceText(context),
                 MakeError(ops_errors::kShapeMismatch,
                           absl::StrCat("the declared shape is ", ShapeText(declared),
                                        "; expected ", ShapeText(inferred))));
}

ProgramShapes::ProgramShapes(const Module& module) : module_(module) {}

void ProgramShapes::Give(ComputationIndex computation, ProgramShape shape) {
  if (computation >= shapes_.size()) shapes_.resize(module_.computations.size());
  shapes_[computation] = std::make_unique<ProgramShape>(std::move(shape));
}

const ProgramShape& ProgramShapes::Of(ComputationIndex computation) {
  if (computation >= shapes_.size()) shapes_.resize(module_.computations.size());
  std::unique_ptr<ProgramShape>& shape = shapes_[computation];
  if (!shape) {
    shape = std::make_unique<ProgramShape>(ProgramShapeOf(module_.computations[computation]));
  }
  return *shape;
}

absl::StatusOr<Shape> InferShape(const Computation& computation, const Instruction& instruction,
                                 ProgramShapes& shapes) {
  absl::InlinedVector<Shape, 4> operands;
  for (const InstructionIndex operand : instruction.operands) {
    operands.push_back(computation.instructions[operand].shape);
  }
  absl::InlinedVector<const ProgramShape*, 2> called;
  for (const ComputationIndex callee : instruction.called) called.push_back(&shapes.Of(callee));
  return InferShape(RuleContext{instruction, operands, called});
}

}  // namespace axle::hlo
