// SPDX-License-Identifier: Apache-2.0
#include "passes/lower_bitcasts.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hlo/ops/builder.h"

namespace axle::passes {
namespace {

using hlo::Instruction;
using hlo::InstructionIndex;
using hlo::Opcode;
using hlo::Shape;

using Permutation = std::vector<int64_t>;

// Dimensions from the slowest in memory to the fastest.
Permutation MajorToMinor(const Shape& shape) {
  Permutation order(shape.rank());
  if (shape.layout() == nullptr) {
    std::iota(order.begin(), order.end(), 0);
  } else {
    const auto& minor_to_major = shape.layout()->minor_to_major;
    order.assign(minor_to_major.rbegin(), minor_to_major.rend());
  }
  return order;
}

bool IsIdentity(const Permutation& permutation) {
  return std::is_sorted(permutation.begin(), permutation.end());
}

Permutation Inverse(const Permutation& permutation) {
  Permutation inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) inverse[permutation[i]] = i;
  return inverse;
}

std::vector<int64_t> Permuted(absl::Span<const int64_t> dimensions, const Permutation& order) {
  std::vector<int64_t> permuted;
  for (const int64_t i : order) permuted.push_back(dimensions[i]);
  return permuted;
}

bool IsPlainArray(const Shape& shape) {
  return shape.IsArray() && !shape.has_dynamic_dimensions() &&
         (shape.layout() == nullptr || shape.layout()->tiles.empty());
}

bool CanLower(const Shape& from, const Shape& to) {
  return IsPlainArray(from) && IsPlainArray(to) &&
         hlo::BitWidth(from.element_type()) == hlo::BitWidth(to.element_type());
}

class Lowering {
 public:
  explicit Lowering(hlo::Computation* computation) : computation_(*computation) {
    for (const Instruction& instruction : computation_.instructions) names_.Add(instruction.name);
  }

  // Whether anything changed.
  bool Run() {
    std::vector<Instruction> old = std::move(computation_.instructions);
    computation_.instructions.clear();
    bool changed = false;
    for (Instruction& instruction : old) {
      for (InstructionIndex& operand : instruction.operands) operand = mapped_[operand];
      if (instruction.opcode == Opcode::kBitcast &&
          CanLower(ShapeOf(instruction.operands[0]), instruction.shape)) {
        Lower(&instruction);
        changed = true;
      }
      mapped_.push_back(Add(std::move(instruction)));
    }
    for (Instruction& instruction : computation_.instructions) {
      if (!instruction.extras) continue;
      for (InstructionIndex& i : instruction.extras->control_predecessors) i = mapped_[i];
    }
    computation_.root = mapped_[computation_.root];
    return changed;
  }

 private:
  struct Step {
    Opcode opcode = Opcode::kReshape;
    Shape shape;
    Permutation dimensions;  // of a transpose
  };

  const Shape& ShapeOf(InstructionIndex i) const { return computation_.instructions[i].shape; }

  InstructionIndex Add(Instruction instruction) {
    computation_.Add(std::move(instruction));
    return static_cast<InstructionIndex>(computation_.instructions.size() - 1);
  }

  static std::vector<Step> StepsOf(const Shape& from, const Shape& to) {
    std::vector<Step> steps;
    std::vector<int64_t> dimensions(from.dimensions().begin(), from.dimensions().end());
    const Permutation stored = MajorToMinor(from), wanted = MajorToMinor(to);
    if (!IsIdentity(stored)) {
      dimensions = Permuted(dimensions, stored);
      steps.push_back({Opcode::kTranspose, Shape::Array(from.element_type(), dimensions), stored});
    }
    if (from.element_type() != to.element_type()) {
      steps.push_back({Opcode::kBitcastConvert, Shape::Array(to.element_type(), dimensions), {}});
    }
    const std::vector<int64_t> physical = Permuted(to.dimensions(), wanted);
    if (physical != dimensions) {
      steps.push_back({Opcode::kReshape, Shape::Array(to.element_type(), physical), {}});
    }
    if (!IsIdentity(wanted)) steps.push_back({Opcode::kTranspose, to, Inverse(wanted)});
    if (steps.empty()) steps.push_back({Opcode::kReshape, to, {}});
    return steps;
  }

  static void SetStep(const Step& step, Instruction* instruction) {
    instruction->opcode = step.opcode;
    instruction->attributes = hlo::Attributes::Default(hlo::Info(step.opcode).attributes);
    if (step.opcode == Opcode::kTranspose) {
      instruction->As<hlo::DimensionsAttributes>().dimensions = step.dimensions;
    }
  }

  // Adds all steps but the last, which the bitcast becomes.
  void Lower(Instruction* bitcast) {
    const std::vector<Step> steps = StepsOf(ShapeOf(bitcast->operands[0]), bitcast->shape);
    for (size_t i = 0; i + 1 < steps.size(); ++i) {
      Instruction step;
      SetStep(steps[i], &step);
      step.shape = steps[i].shape;
      step.name = names_.Unique(absl::StrCat(bitcast->name, ".physical"));
      step.operands = bitcast->operands;
      bitcast->operands[0] = Add(std::move(step));
    }
    SetStep(steps.back(), bitcast);
  }

  hlo::Computation& computation_;
  hlo::NameSet names_;
  std::vector<InstructionIndex> mapped_;  // by index before
};

bool HasBitcast(const hlo::Computation& computation) {
  return std::any_of(computation.instructions.begin(), computation.instructions.end(),
                     [](const Instruction& i) { return i.opcode == Opcode::kBitcast; });
}

}  // namespace

void LowerBitcasts(hlo::Module* module) {
  for (hlo::Computation& computation : module->computations) {
    if (!HasBitcast(computation) || !Lowering(&computation).Run()) continue;
    module->config.schedule.clear();
    module->config.is_scheduled = false;
  }
}

}  // namespace axle::passes
