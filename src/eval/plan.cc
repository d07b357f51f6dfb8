// SPDX-License-Identifier: Apache-2.0
#include "eval/plan.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/status_macros.h"
#include "eval/errors.h"
#include "eval/operations.h"

namespace axle::eval {
namespace {

using hlo::ComputationIndex;
using hlo::InstructionIndex;
using hlo::Opcode;

// A call costs up to 2 KiB of the machine's stack.
constexpr int kMaxCallDepth = 500;

// Plans one computation whose callees are planned.
class ComputationPlanner {
 public:
  ComputationPlanner(const hlo::Module& module, const custom_calls::Registry& registry,
                     const hlo::Computation& computation, const ModulePlan& plans,
                     const std::vector<bool>& has_effects)
      : module_(module),
        registry_(registry),
        computation_(computation),
        plans_(plans),
        has_effects_(has_effects),
        live_(computation.instructions.size(), false),
        emitted_(computation.instructions.size(), false),
        slots_(computation.instructions.size(), ComputationPlan::kNoSlot),
        elements_(computation.instructions.size()) {}

  absl::StatusOr<std::unique_ptr<ComputationPlan>> Build() {
    plan_->computation = &computation_;
    FindLive();
    plan_->parameter_slots.assign(hlo::ParameterIndices(computation_).size(),
                                  ComputationPlan::kNoSlot);
    for (InstructionIndex i = 0; i < computation_.instructions.size(); ++i) {
      if (live_[i] && !emitted_[i]) AXLE_RETURN_IF_ERROR(Emit(i));
    }
    plan_->root_slot = slots_[computation_.root];
    MarkLastUses();
    return std::move(plan_);
  }

  bool has_effects() const { return computation_has_effects_; }

 private:
  const hlo::Instruction& At(InstructionIndex i) const { return computation_.instructions[i]; }

  bool HasEffects(const hlo::Instruction& instruction) const {
    if (const auto* call = instruction.attributes.TryAs<hlo::CustomCallAttributes>()) {
      return call->has_side_effect;
    }
    if (hlo::Info(instruction.opcode).flags & hlo::kSideEffect) return true;
    return std::any_of(instruction.called.begin(), instruction.called.end(),
                       [&](ComputationIndex called) { return has_effects_[called]; });
  }

  // What the root or an effect needs; and for each, the live get-tuple-elements of it.
  void FindLive() {
    live_[computation_.root] = true;
    for (size_t i = live_.size(); i-- > 0;) {
      const hlo::Instruction& instruction = At(i);
      if (HasEffects(instruction)) {
        live_[i] = true;
        computation_has_effects_ = true;
      }
      if (!live_[i]) continue;
      for (InstructionIndex operand : instruction.operands) live_[operand] = true;
      if (instruction.opcode == Opcode::kGetTupleElement) {
        elements_[instruction.operands[0]].push_back(static_cast<InstructionIndex>(i));
      }
    }
  }

  absl::Status Emit(InstructionIndex i) {
    emitted_[i] = true;
    slots_[i] = plan_->slot_count++;
    const hlo::Instruction& instruction = At(i);
    if (instruction.opcode == Opcode::kParameter) {
      plan_->parameter_slots[instruction.As<hlo::ParameterAttributes>().number] = slots_[i];
    } else if (instruction.opcode == Opcode::kConstant) {
      const hlo::Literal* literal = instruction.As<hlo::ConstantAttributes>().literal.get();
      AXLE_ASSERT(literal != nullptr);  // the verifier refuses constants without a value
      plan_->constants.emplace_back(slots_[i], Value::Borrowed(*literal));
    } else {
      AXLE_RETURN_IF_ERROR(EmitStep(instruction, slots_[i]));
    }
    for (InstructionIndex element : elements_[i]) AXLE_RETURN_IF_ERROR(Emit(element));
    return absl::OkStatus();
  }

  absl::Status EmitStep(const hlo::Instruction& instruction, uint32_t slot) {
    AXLE_RETURN_IF_ERROR(CheckSupported(module_, computation_, instruction));
    Step step;
    step.computation = &computation_;
    step.instruction = &instruction;
    if (instruction.opcode == Opcode::kCustomCall) {
      AXLE_ASSIGN_OR_RETURN(step.target, FindTarget(registry_, computation_, instruction));
    }
    step.operation = FindOperation(instruction.opcode);
    step.slot = slot;
    for (InstructionIndex operand : instruction.operands) {
      step.operands.push_back(slots_[operand]);
    }
    for (ComputationIndex called : instruction.called) {
      step.called.push_back(plans_.computations[called].get());
    }
    if (step.operation.kernel != nullptr) {
      AXLE_ASSIGN_OR_RETURN(step.result_bytes, instruction.shape.ByteSize());
    }
    plan_->steps.push_back(std::move(step));
    return absl::OkStatus();
  }

  void MarkLastUses() {
    std::vector<bool> used_later(plan_->slot_count, false);
    used_later[plan_->root_slot] = true;
    for (size_t i = plan_->steps.size(); i-- > 0;) {
      Step& step = plan_->steps[i];
      step.last_use.assign(step.operands.size(), 0);
      for (size_t k = step.operands.size(); k-- > 0;) {
        step.last_use[k] = used_later[step.operands[k]] ? 0 : 1;
        used_later[step.operands[k]] = true;
      }
    }
  }

  const hlo::Module& module_;
  const custom_calls::Registry& registry_;
  const hlo::Computation& computation_;
  const ModulePlan& plans_;
  const std::vector<bool>& has_effects_;  // by computation
  std::vector<bool> live_, emitted_;      // by instruction
  std::vector<uint32_t> slots_;
  std::vector<std::vector<InstructionIndex>> elements_;
  bool computation_has_effects_ = false;
  std::unique_ptr<ComputationPlan> plan_ = std::make_unique<ComputationPlan>();
};

std::vector<bool> Reachable(const hlo::Module& module, const std::vector<ComputationIndex>& order) {
  std::vector<bool> reachable(module.computations.size(), false);
  reachable[module.entry] = true;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if (!reachable[*it]) continue;
    for (const hlo::Instruction& instruction : module.computations[*it].instructions) {
      for (ComputationIndex called : instruction.called) reachable[called] = true;
    }
  }
  return reachable;
}

// Levels of calls below a computation whose callees' depths are known.
int CallDepth(const hlo::Computation& computation, const std::vector<int>& depths) {
  int depth = 0;
  for (const hlo::Instruction& instruction : computation.instructions) {
    for (ComputationIndex called : instruction.called) depth = std::max(depth, depths[called] + 1);
  }
  return depth;
}

}  // namespace

absl::StatusOr<std::unique_ptr<const ModulePlan>> BuildPlan(
    const hlo::Module& module, const custom_calls::Registry& registry) {
  const std::vector<ComputationIndex> order = hlo::CalleesFirst(module);
  const std::vector<bool> reachable = Reachable(module, order);
  std::vector<bool> has_effects(module.computations.size(), false);
  std::vector<int> depths(module.computations.size(), 0);
  auto plan = std::make_unique<ModulePlan>();
  plan->computations.resize(module.computations.size());
  for (ComputationIndex index : order) {
    if (!reachable[index]) continue;
    const hlo::Computation& computation = module.computations[index];
    depths[index] = CallDepth(computation, depths);
    if (depths[index] > kMaxCallDepth) {
      return MakeError(errors::kTooDeep, absl::StrCat("calls below computation ", computation.name,
                                                      " nest deeper than ", kMaxCallDepth));
    }
    ComputationPlanner planner(module, registry, computation, *plan, has_effects);
    AXLE_ASSIGN_OR_RETURN(plan->computations[index], planner.Build());
    plan->computations[index]->scalar_program = ScalarProgram::Compile(module, index);
    has_effects[index] = planner.has_effects();
  }
  plan->entry = plan->computations[module.entry].get();
  return plan;
}

}  // namespace axle::eval
