// SPDX-License-Identifier: Apache-2.0
#include "eval/operations.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
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

// Whether bytes of a value can be told apart: what bitcast needs.
bool HasPlainLayout(const hlo::Shape& shape) {
  const hlo::Layout* layout = shape.layout();
  return layout == nullptr || (layout->tiles.empty() && layout->element_size_in_bits == 0);
}

absl::Status CheckBitcast(const hlo::Computation& computation,
                          const hlo::Instruction& instruction) {
  const hlo::Shape& operand = computation.instructions[instruction.operands[0]].shape;
  const hlo::Shape& result = instruction.shape;
  const bool same_type = operand.element_type() == result.element_type();
  const bool sub_byte =
      hlo::IsSubByte(operand.element_type()) || hlo::IsSubByte(result.element_type());
  if (HasPlainLayout(operand) && HasPlainLayout(result) && (same_type || !sub_byte) &&
      operand.ByteSize().value_or(-1) == result.ByteSize().value_or(-2)) {
    return absl::OkStatus();
  }
  return Unsupported(computation, instruction,
                     absl::StrCat("bitcast of ", operand.ToString(), " to ", result.ToString()));
}

absl::Status CheckDevices(const hlo::Module& module, const hlo::Computation& computation,
                          const hlo::Instruction& instruction) {
  const int64_t devices = module.config.replica_count * module.config.num_partitions;
  if (hlo::Info(instruction.opcode).category == hlo::OpCategory::kCollective && devices != 1) {
    return Unsupported(computation, instruction,
                       absl::StrCat(hlo::Name(instruction.opcode), " in a program for ", devices,
                                    " devices; the reference evaluator is one"));
  }
  return absl::OkStatus();
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
    case Opcode::kGather:
      return Runs(EvalGather);
    case Opcode::kScatter:
      return Runs(RunScatter);
    case Opcode::kSort:
      return Runs(RunSort);
    case Opcode::kTopK:
      return Runs(RunTopK);
    case Opcode::kReduce:
      return Runs(RunReduce);
    case Opcode::kMap:
      return Runs(RunMap);
    case Opcode::kReduceWindow:
      return Runs(RunReduceWindow);
    case Opcode::kSelectAndScatter:
      return Runs(RunSelectAndScatter);
    case Opcode::kDot:
      return Runs(EvalDot);
    case Opcode::kConvolution:
      return Runs(EvalConvolution);
    case Opcode::kCholesky:
      return Runs(EvalCholesky);
    case Opcode::kTriangularSolve:
      return Runs(EvalTriangularSolve);
    case Opcode::kFft:
      return Runs(EvalFft);
    case Opcode::kRngBitGenerator:
      return Runs(RunRngBitGenerator);
    case Opcode::kRng:
      return Runs(RunRng);
    case Opcode::kRngGetAndUpdateState:
      return Runs(RunRngGetAndUpdateState);
    case Opcode::kPartitionId:
      return Runs(RunDeviceNumber);
    case Opcode::kReplicaId:
      return Runs(RunDeviceNumber);
    case Opcode::kAllReduce:
      return Runs(RunLoneCollective);
    case Opcode::kAllGather:
      return Runs(RunLoneCollective);
    case Opcode::kAllToAll:
      return Runs(RunLoneCollective);
    case Opcode::kCollectiveBroadcast:
      return Runs(RunLoneCollective);
    case Opcode::kReduceScatter:
      return Runs(RunLoneCollective);
    case Opcode::kAllReduceStart:
      return Runs(RunLoneCollective);
    case Opcode::kAllReduceDone:
      return Runs(RunForward);
    case Opcode::kAllGatherStart:
      return Runs(RunCollectiveStart);
    case Opcode::kAllGatherDone:
      return Runs(RunSecondElement);
    case Opcode::kCollectivePermute:
      return Runs(RunCollectivePermute);
    case Opcode::kCollectivePermuteStart:
      return Runs(RunCollectiveStart);
    case Opcode::kCollectivePermuteDone:
      return Runs(RunSecondElement);
    case Opcode::kCopyStart:
      return Runs(RunCopyStart);
    case Opcode::kCopyDone:
      return Runs(RunFirstElement);
    case Opcode::kAsyncStart:
      return Runs(RunAsyncStart);
    case Opcode::kAsyncUpdate:
      return Runs(RunForward);
    case Opcode::kAsyncDone:
      return Runs(RunSecondElement);
    case Opcode::kCustomCall:
      return Runs(RunCustomCall);
    case Opcode::kBitcast:
      return Runs(RunBitcast);
    case Opcode::kScan:
      return Runs(RunScan);
    case Opcode::kBatchNormTraining:
      return Runs(RunBatchNormTraining);
    case Opcode::kBatchNormInference:
      return Runs(RunBatchNormInference);
    case Opcode::kBatchNormGrad:
      return Runs(RunBatchNormGrad);
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
    case Opcode::kConstant:
    case Opcode::kDynamicReshape:
    case Opcode::kParameter:
    case Opcode::kSetDimensionSize:
    case Opcode::kRaggedDot:
    case Opcode::kScaledDot:
    case Opcode::kInfeed:
    case Opcode::kOutfeed:
    case Opcode::kRaggedAllToAll:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
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

absl::Status CheckSupported(const hlo::Module& module, const hlo::Computation& computation,
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
  if (instruction.opcode == Opcode::kBitcast) return CheckBitcast(computation, instruction);
  return CheckDevices(module, computation, instruction);
}

absl::StatusOr<const custom_calls::Target*> FindTarget(const custom_calls::Registry& registry,
                                                       const hlo::Computation& computation,
                                                       const hlo::Instruction& instruction) {
  const std::string& name = instruction.As<hlo::CustomCallAttributes>().target;
  const custom_calls::Target* target = registry.Find(name);
  if (target == nullptr || target->compute == nullptr) {
    return Unsupported(computation, instruction, absl::StrCat("custom call to ", name));
  }
  std::vector<hlo::Shape> operands;
  for (hlo::InstructionIndex operand : instruction.operands) {
    operands.push_back(computation.instructions[operand].shape);
  }
  AXLE_RETURN_IF_ERROR(target->check(instruction, operands));
  return target;
}

}  // namespace axle::eval
