// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/rules.h"

#include <string>

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
  switch (opcode) {
    case Opcode::kAbs:
      return AbsRule;
    case Opcode::kAcos:
    case Opcode::kAcosh:
    case Opcode::kAsin:
    case Opcode::kAsinh:
    case Opcode::kAtanh:
    case Opcode::kCbrt:
    case Opcode::kCeil:
    case Opcode::kClz:
      return UnaryRule;
    case Opcode::kConvert:
      return ConvertRule;
    case Opcode::kCopy:
      return CopyRule;
    case Opcode::kCos:
    case Opcode::kCosh:
    case Opcode::kErf:
    case Opcode::kExp:
    case Opcode::kExpm1:
    case Opcode::kFloor:
      return UnaryRule;
    case Opcode::kImag:
      return ImagRule;
    case Opcode::kIsFinite:
      return IsFiniteRule;
    case Opcode::kLog:
    case Opcode::kLog1p:
    case Opcode::kLogistic:
    case Opcode::kNegate:
    case Opcode::kNot:
    case Opcode::kPopcnt:
      return UnaryRule;
    case Opcode::kReal:
      return RealRule;
    case Opcode::kReducePrecision:
      return ReducePrecisionRule;
    case Opcode::kRoundNearestAfz:
    case Opcode::kRoundNearestEven:
    case Opcode::kRsqrt:
    case Opcode::kSign:
    case Opcode::kSin:
    case Opcode::kSinh:
    case Opcode::kSqrt:
    case Opcode::kTan:
    case Opcode::kTanh:
      return UnaryRule;
    case Opcode::kAdd:
    case Opcode::kAnd:
    case Opcode::kAtan2:
      return BinaryRule;
    case Opcode::kCompare:
      return CompareRule;
    case Opcode::kComplex:
      return ComplexRule;
    case Opcode::kDivide:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kMulhi:
    case Opcode::kMultiply:
    case Opcode::kOr:
    case Opcode::kPower:
    case Opcode::kRemainder:
    case Opcode::kShiftLeft:
    case Opcode::kShiftRightArithmetic:
    case Opcode::kShiftRightLogical:
      return BinaryRule;
    case Opcode::kStochasticConvert:
      return StochasticConvertRule;
    case Opcode::kSubtract:
    case Opcode::kXor:
      return BinaryRule;
    case Opcode::kClamp:
      return ClampRule;
    case Opcode::kSelect:
      return SelectRule;
    case Opcode::kBitcast:
      return BitcastRule;
    case Opcode::kBitcastConvert:
      return BitcastConvertRule;
    case Opcode::kBroadcast:
      return BroadcastRule;
    case Opcode::kConcatenate:
      return ConcatenateRule;
    case Opcode::kConstant:
      return ConstantRule;
    case Opcode::kDynamicReshape:
      return DynamicReshapeRule;
    case Opcode::kDynamicSlice:
      return DynamicSliceRule;
    case Opcode::kDynamicUpdateSlice:
      return DynamicUpdateSliceRule;
    case Opcode::kGather:
      return GatherRule;
    case Opcode::kGetDimensionSize:
      return GetDimensionSizeRule;
    case Opcode::kGetTupleElement:
      return GetTupleElementRule;
    case Opcode::kIota:
      return IotaRule;
    case Opcode::kPad:
      return PadRule;
    case Opcode::kParameter:
      return ParameterRule;
    case Opcode::kReshape:
      return ReshapeRule;
    case Opcode::kReverse:
      return ReverseRule;
    case Opcode::kScatter:
      return ScatterRule;
    case Opcode::kSelectAndScatter:
      return SelectAndScatterRule;
    case Opcode::kSetDimensionSize:
      return SetDimensionSizeRule;
    case Opcode::kSlice:
      return SliceRule;
    case Opcode::kSort:
      return SortRule;
    case Opcode::kTopK:
      return TopKRule;
    case Opcode::kTranspose:
      return TransposeRule;
    case Opcode::kTuple:
      return TupleRule;
    case Opcode::kBatchNormGrad:
      return BatchNormGradRule;
    case Opcode::kBatchNormInference:
      return BatchNormInferenceRule;
    case Opcode::kBatchNormTraining:
      return BatchNormTrainingRule;
    case Opcode::kCholesky:
      return CholeskyRule;
    case Opcode::kConvolution:
      return ConvolutionRule;
    case Opcode::kDot:
      return DotRule;
    case Opcode::kFft:
      return FftRule;
    case Opcode::kRaggedDot:
      return RaggedDotRule;
    case Opcode::kScaledDot:
      return ScaledDotRule;
    case Opcode::kTriangularSolve:
      return TriangularSolveRule;
    case Opcode::kMap:
      return MapRule;
    case Opcode::kReduce:
      return ReduceRule;
    case Opcode::kReduceWindow:
      return ReduceWindowRule;
    case Opcode::kScan:
      return ScanRule;
    case Opcode::kAddDependency:
      return AddDependencyRule;
    case Opcode::kAfterAll:
      return AfterAllRule;
    case Opcode::kAsyncDone:
      return AsyncDoneRule;
    case Opcode::kAsyncStart:
      return AsyncStartRule;
    case Opcode::kAsyncUpdate:
      return AsyncUpdateRule;
    case Opcode::kCall:
      return CallRule;
    case Opcode::kConditional:
      return ConditionalRule;
    case Opcode::kCustomCall:
      return CustomCallRule;
    case Opcode::kDomain:
      return DomainRule;
    case Opcode::kFusion:
      return FusionRule;
    case Opcode::kOptBarrier:
      return OptBarrierRule;
    case Opcode::kWhile:
      return WhileRule;
    case Opcode::kRng:
      return RngRule;
    case Opcode::kRngBitGenerator:
      return RngBitGeneratorRule;
    case Opcode::kRngGetAndUpdateState:
      return RngGetAndUpdateStateRule;
    case Opcode::kAllGather:
      return AllGatherRule;
    case Opcode::kAllGatherDone:
      return CollectiveDoneRule;
    case Opcode::kAllGatherStart:
      return AllGatherStartRule;
    case Opcode::kAllReduce:
      return AllReduceRule;
    case Opcode::kAllReduceDone:
      return CollectiveDoneRule;
    case Opcode::kAllReduceStart:
      return AllReduceStartRule;
    case Opcode::kAllToAll:
      return AllToAllRule;
    case Opcode::kCollectiveBroadcast:
      return CollectiveBroadcastRule;
    case Opcode::kCollectivePermute:
      return CollectivePermuteRule;
    case Opcode::kCollectivePermuteDone:
      return CollectiveDoneRule;
    case Opcode::kCollectivePermuteStart:
      return CollectivePermuteStartRule;
    case Opcode::kCopyDone:
      return CopyDoneRule;
    case Opcode::kCopyStart:
      return CopyStartRule;
    case Opcode::kInfeed:
      return InfeedRule;
    case Opcode::kOutfeed:
      return OutfeedRule;
    case Opcode::kPartitionId:
      return PartitionIdRule;
    case Opcode::kRaggedAllToAll:
      return RaggedAllToAllRule;
    case Opcode::kRecv:
      return RecvRule;
    case Opcode::kRecvDone:
      return RecvDoneRule;
    case Opcode::kReduceScatter:
      return ReduceScatterRule;
    case Opcode::kReplicaId:
      return ReplicaIdRule;
    case Opcode::kSend:
      return SendRule;
    case Opcode::kSendDone:
      return SendDoneRule;
  }
  return nullptr;
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
