// SPDX-License-Identifier: Apache-2.0
#include "eval/operations.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "eval/errors.h"
#include "eval/evaluator.h"
#include "eval/scalar_ops.h"

namespace axle::eval {
namespace {

using hlo::ElementType;
using hlo::Opcode;

constexpr Operation Runs(Kernel kernel) { return {kernel, nullptr}; }
constexpr Operation Runs(StepFunction function) { return {nullptr, function}; }

Operation FindElementwise(Opcode opcode) {
  if (opcode == Opcode::kCopy) return Runs(RunForward);
  if (opcode == Opcode::kConvert) return Runs(EvalConvert);
  if (opcode == Opcode::kReducePrecision) return Runs(EvalReducePrecision);
  if (opcode == Opcode::kStochasticConvert) return Runs(EvalStochasticConvert);
  if (opcode == Opcode::kCompare) return Runs(EvalCompare);
  if (opcode == Opcode::kComplex) return Runs(EvalComplex);
  if (opcode == Opcode::kSelect) return Runs(EvalSelect);
  if (opcode == Opcode::kClamp) return Runs(EvalClamp);
  return hlo::Info(opcode).category == hlo::OpCategory::kUnary ? Runs(EvalUnary) : Runs(EvalBinary);
}

// Whether an elementwise operation has a loop for values of `type`.
bool ElementwiseSupports(Opcode opcode, ElementType type) {
  if (opcode == Opcode::kCopy) return true;
  if (opcode == Opcode::kConvert) return static_cast<bool>(FindConvert(type, ElementType::kF32));
  if (opcode == Opcode::kReducePrecision) return FindReducePrecision(type) != nullptr;
  if (opcode == Opcode::kStochasticConvert) return hlo::IsFloat(type);
  if (opcode == Opcode::kCompare) {
    return FindCompare(hlo::ComparisonDirection::kEq, hlo::ComparisonType::kUnset, type) != nullptr;
  }
  switch (hlo::Info(opcode).max_operands) {
    case 1:
      return FindUnary(opcode, type) != nullptr;
    case 2:
      return FindBinary(opcode, type) != nullptr;
    default:
      return FindTernary(opcode, type) != nullptr;
  }
}

// As ElementwiseSupports, but for one instruction: with its own attributes and result type.
bool ElementwiseSupports(const hlo::Instruction& instruction, ElementType type) {
  if (instruction.opcode == Opcode::kConvert) {
    const ElementType to = instruction.shape.element_type();
    return type == to || FindConvert(type, to);
  }
  if (instruction.opcode == Opcode::kCompare) {
    const auto& attributes = instruction.As<hlo::CompareAttributes>();
    return FindCompare(attributes.direction, attributes.type, type) != nullptr;
  }
  return ElementwiseSupports(instruction.opcode, type);
}

bool HasDynamicDimensions(const hlo::Shape& shape) {
  return shape.has_dynamic_dimensions() ||
         std::any_of(shape.tuple_shapes().begin(), shape.tuple_shapes().end(),
                     HasDynamicDimensions);
}

absl::Status Unsupported(const hlo::Computation& computation, const hlo::Instruction& instruction,
                         absl::string_view what) {
  return MakeError(errors::kUnimplemented,
                   absl::StrCat(computation.name, "/", instruction.name, ": ", what));
}

}  // namespace

Operation FindOperation(Opcode opcode) {
  switch (opcode) {
    case Opcode::kBitcastConvert:
      return Runs(EvalBitcastConvert);
    case Opcode::kBroadcast:
      return Runs(EvalBroadcast);
    case Opcode::kConcatenate:
      return Runs(EvalConcatenate);
    case Opcode::kDynamicSlice:
      return Runs(EvalDynamicSlice);
    case Opcode::kDynamicUpdateSlice:
      return Runs(RunDynamicUpdateSlice);
    case Opcode::kGetDimensionSize:
      return Runs(EvalGetDimensionSize);
    case Opcode::kGetTupleElement:
      return Runs(RunGetTupleElement);
    case Opcode::kIota:
      return Runs(EvalIota);
    case Opcode::kPad:
      return Runs(EvalPad);
    case Opcode::kReshape:
      return Runs(RunReshape);
    case Opcode::kReverse:
      return Runs(EvalReverse);
    case Opcode::kSlice:
      return Runs(EvalSlice);
    case Opcode::kTranspose:
      return Runs(EvalTranspose);
    case Opcode::kTuple:
      return Runs(RunTuple);
    case Opcode::kAddDependency:
      return Runs(RunForward);
    case Opcode::kAfterAll:
      return Runs(RunAfterAll);
    case Opcode::kCall:
      return Runs(RunCall);
    case Opcode::kConditional:
      return Runs(RunConditional);
    case Opcode::kDomain:
      return Runs(RunForward);
    case Opcode::kFusion:
      return Runs(RunCall);
    case Opcode::kOptBarrier:
      return Runs(RunForward);
    case Opcode::kWhile:
      return Runs(RunWhile);
    case Opcode::kAbs:
    case Opcode::kAcos:
    case Opcode::kAcosh:
    case Opcode::kAsin:
    case Opcode::kAsinh:
    case Opcode::kAtanh:
    case Opcode::kCbrt:
    case Opcode::kCeil:
    case Opcode::kClz:
    case Opcode::kConvert:
    case Opcode::kCopy:
    case Opcode::kCos:
    case Opcode::kCosh:
    case Opcode::kErf:
    case Opcode::kExp:
    case Opcode::kExpm1:
    case Opcode::kFloor:
    case Opcode::kImag:
    case Opcode::kIsFinite:
    case Opcode::kLog:
    case Opcode::kLog1p:
    case Opcode::kLogistic:
    case Opcode::kNegate:
    case Opcode::kNot:
    case Opcode::kPopcnt:
    case Opcode::kReal:
    case Opcode::kReducePrecision:
    case Opcode::kRoundNearestAfz:
    case Opcode::kRoundNearestEven:
    case Opcode::kRsqrt:
    case Opcode::kSign:
    case Opcode::kSin:
    case Opcode::kSinh:
    case Opcode::kSqrt:
    case Opcode::kTan:
    case Opcode::kTanh:
    case Opcode::kAdd:
    case Opcode::kAnd:
    case Opcode::kAtan2:
    case Opcode::kCompare:
    case Opcode::kComplex:
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
    case Opcode::kStochasticConvert:
    case Opcode::kSubtract:
    case Opcode::kXor:
    case Opcode::kClamp:
    case Opcode::kSelect:
      return FindElementwise(opcode);
    case Opcode::kBitcast:
    case Opcode::kConstant:
    case Opcode::kDynamicReshape:
    case Opcode::kGather:
    case Opcode::kParameter:
    case Opcode::kScatter:
    case Opcode::kSelectAndScatter:
    case Opcode::kSetDimensionSize:
    case Opcode::kSort:
    case Opcode::kTopK:
    case Opcode::kBatchNormGrad:
    case Opcode::kBatchNormInference:
    case Opcode::kBatchNormTraining:
    case Opcode::kCholesky:
    case Opcode::kConvolution:
    case Opcode::kDot:
    case Opcode::kFft:
    case Opcode::kRaggedDot:
    case Opcode::kScaledDot:
    case Opcode::kTriangularSolve:
    case Opcode::kMap:
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
    case Opcode::kScan:
    case Opcode::kAsyncDone:
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kCustomCall:
    case Opcode::kRng:
    case Opcode::kRngBitGenerator:
    case Opcode::kRngGetAndUpdateState:
    case Opcode::kAllGather:
    case Opcode::kAllGatherDone:
    case Opcode::kAllGatherStart:
    case Opcode::kAllReduce:
    case Opcode::kAllReduceDone:
    case Opcode::kAllReduceStart:
    case Opcode::kAllToAll:
    case Opcode::kCollectiveBroadcast:
    case Opcode::kCollectivePermute:
    case Opcode::kCollectivePermuteDone:
    case Opcode::kCollectivePermuteStart:
    case Opcode::kCopyDone:
    case Opcode::kCopyStart:
    case Opcode::kInfeed:
    case Opcode::kOutfeed:
    case Opcode::kPartitionId:
    case Opcode::kRaggedAllToAll:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
    case Opcode::kReduceScatter:
    case Opcode::kReplicaId:
    case Opcode::kSend:
    case Opcode::kSendDone:
      return {};
  }
  return {};
}

bool Supports(Opcode opcode, ElementType type) {
  if (opcode == Opcode::kParameter || opcode == Opcode::kConstant) return true;
  if (!FindOperation(opcode)) return false;
  return !hlo::IsElementwise(opcode) || ElementwiseSupports(opcode, type);
}

absl::Status CheckSupported(const hlo::Computation& computation,
                            const hlo::Instruction& instruction) {
  const absl::string_view name = hlo::Name(instruction.opcode);
  if (!FindOperation(instruction.opcode)) {
    return Unsupported(computation, instruction,
                       absl::StrCat(name, " of ", instruction.shape.ToString(false),
                                    " is not in the reference evaluator"));
  }
  if (HasDynamicDimensions(instruction.shape)) {
    return Unsupported(
        computation, instruction,
        absl::StrCat(name, " with dynamic dimensions, ", instruction.shape.ToString(false)));
  }
  if (instruction.extras != nullptr && !instruction.extras->unknown_text.empty()) {
    return Unsupported(computation, instruction,
                       absl::StrCat(name, " with the unknown attribute ",
                                    instruction.extras->unknown_text[0].first));
  }
  if (hlo::IsElementwise(instruction.opcode)) {
    const int values_at = instruction.opcode == Opcode::kSelect ? 1 : 0;
    const hlo::Shape& values = computation.instructions[instruction.operands[values_at]].shape;
    if (!ElementwiseSupports(instruction, values.element_type())) {
      return Unsupported(computation, instruction,
                         absl::StrCat(name, " of ", values.ToString(false), " to ",
                                      instruction.shape.ToString(false), " is not defined"));
    }
  }
  return absl::OkStatus();
}

}  // namespace axle::eval
