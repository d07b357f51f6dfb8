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

// Whether an elementwise instruction has a loop for values of `type`.
bool ElementwiseSupports(const hlo::Instruction& instruction, ElementType type) {
  const Opcode opcode = instruction.opcode;
  if (opcode == Opcode::kCopy) return true;
  if (opcode == Opcode::kConvert) {
    const ElementType to = instruction.shape.element_type();
    return type == to || FindConvert(type, to);
  }
  if (opcode == Opcode::kReducePrecision) return FindReducePrecision(type) != nullptr;
  if (opcode == Opcode::kStochasticConvert) return hlo::IsFloat(type);
  if (opcode == Opcode::kCompare) {
    const auto& attributes = instruction.As<hlo::CompareAttributes>();
    return FindCompare(attributes.direction, attributes.type, type) != nullptr;
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

// Operations that order elements by themselves.
absl::Status CheckOrdered(const hlo::Computation& computation,
                          const hlo::Instruction& instruction) {
  const bool orders = instruction.opcode == Opcode::kTopK ||
                      (instruction.opcode == Opcode::kSort && instruction.called.empty());
  if (!orders) return absl::OkStatus();
  const hlo::Shape& keys = computation.instructions[instruction.operands[0]].shape;
  if (!hlo::IsComplex(keys.element_type())) return absl::OkStatus();
  return Unsupported(computation, instruction,
                     absl::StrCat(hlo::Name(instruction.opcode), " of ", keys.ToString(false),
                                  ", which have no order"));
}

// Devices that one group has at most; 0 where the text does not tell.
int64_t GroupSize(const hlo::ReplicaGroups& groups) {
  switch (groups.kind) {
    case hlo::ReplicaGroups::Kind::kList: {
      size_t size = 1;  // an empty list is one group of all devices
      for (const auto& group : groups.groups) size = std::max(size, group.size());
      return static_cast<int64_t>(size);
    }
    case hlo::ReplicaGroups::Kind::kIota:
      return groups.group_size;
    case hlo::ReplicaGroups::Kind::kMesh:
      return 0;
  }
  return 0;
}

// Operations between devices run where each group is one device.
absl::Status CheckDevices(const hlo::Module& module, const hlo::Computation& computation,
                          const hlo::Instruction& instruction) {
  if (hlo::Info(instruction.opcode).category != hlo::OpCategory::kCollective) {
    return absl::OkStatus();
  }
  const int64_t devices = module.config.replica_count * module.config.num_partitions;
  if (devices != 1) {
    return Unsupported(computation, instruction,
                       absl::StrCat(hlo::Name(instruction.opcode), " in a program for ", devices,
                                    " devices; the reference evaluator is one"));
  }
  const auto* attributes = instruction.attributes.TryAs<hlo::CollectiveAttributes>();
  if (attributes != nullptr && GroupSize(attributes->replica_groups) != 1) {
    return Unsupported(
        computation, instruction,
        absl::StrCat(hlo::Name(instruction.opcode),
                     " in groups of several devices; the reference evaluator is one"));
  }
  return absl::OkStatus();
}

}  // namespace

Operation FindOperation(Opcode opcode) {
  switch (opcode) {
#define AXLE_RUNS(name, function) \
  case Opcode::k##name:           \
    return Runs(function);
#define AXLE_LACKS(name) \
  case Opcode::k##name:  \
    return {};
#include "eval/operations.inc"
#undef AXLE_RUNS
#undef AXLE_LACKS
  }
  return {};
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
  AXLE_RETURN_IF_ERROR(CheckOrdered(computation, instruction));
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
