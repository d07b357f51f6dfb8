// SPDX-License-Identifier: Apache-2.0
#include "passes/explicit_rng_state.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/builder.h"
#include "hlo/ops/control.h"
#include "hlo/ops/data_movement.h"
#include "passes/errors.h"
#include "passes/rng_numbers.h"

namespace axle::passes {
namespace {

using hlo::Computation;
using hlo::ComputationIndex;
using hlo::Instruction;
using hlo::InstructionIndex;
using hlo::Module;
using hlo::Opcode;
using hlo::Shape;
using hlo::Sharding;

const Shape& StateShape() {
  static const Shape* const shape = new Shape(Shape::Array(hlo::ElementType::kU64, {2}));
  return *shape;
}

bool DrawsItself(Opcode opcode) {
  return opcode == Opcode::kRng || opcode == Opcode::kRngGetAndUpdateState;
}

std::vector<bool> Reachable(const Module& module) {
  std::vector<bool> reachable(module.computations.size(), false);
  std::vector<ComputationIndex> open = {module.entry};
  reachable[module.entry] = true;
  while (!open.empty()) {
    const ComputationIndex computation = open.back();
    open.pop_back();
    for (const Instruction& instruction : module.computations[computation].instructions) {
      for (const ComputationIndex callee : instruction.called) {
        if (!reachable[callee]) open.push_back(callee);
        reachable[callee] = true;
      }
    }
  }
  return reachable;
}

bool CallsDrawing(const Instruction& instruction, const std::vector<bool>& draws) {
  return std::any_of(instruction.called.begin(), instruction.called.end(),
                     [&](ComputationIndex callee) { return draws[callee]; });
}

// By computation, whether the entry reaches it and it draws, itself or in what it calls.
std::vector<bool> FindDrawing(const Module& module, const std::vector<ComputationIndex>& order) {
  const std::vector<bool> reachable = Reachable(module);
  std::vector<bool> draws(module.computations.size(), false);
  for (const ComputationIndex i : order) {
    const auto& instructions = module.computations[i].instructions;
    draws[i] =
        reachable[i] &&
        std::any_of(instructions.begin(), instructions.end(), [&](const Instruction& instruction) {
          return DrawsItself(instruction.opcode) || CallsDrawing(instruction, draws);
        });
  }
  return draws;
}

int Nesting(const Shape& shape) {
  if (!shape.IsTuple()) return 0;
  int nesting = 0;
  for (const Shape& element : shape.tuple_shapes()) nesting = std::max(nesting, Nesting(element));
  return nesting + 1;
}

// Values of calls that draw become elements of tuples.
absl::Status CheckNesting(const Computation& computation, const Instruction& instruction) {
  int nesting = Nesting(instruction.shape);
  for (const InstructionIndex i : instruction.operands) {
    nesting = std::max(nesting, Nesting(computation.instructions[i].shape));
  }
  if (nesting < hlo::kMaxShapeNesting) return absl::OkStatus();
  return MakeError(errors::kRngState,
                   absl::StrCat("it calls what draws random numbers, and has tuples nested ",
                                nesting, " deep; expected less than ", hlo::kMaxShapeNesting));
}

absl::Status CheckRng(const Instruction& rng) {
  if (rng.shape.has_dynamic_dimensions()) {
    return MakeError(errors::kRngState,
                     absl::StrCat("rng of ", rng.shape.ToString(false), ", of dynamic size"));
  }
  return rng.shape.WithElementType(hlo::ElementType::kU64).ByteSize().status();
}

absl::Status CheckInstruction(const Module& module, const Computation& computation,
                              const Instruction& instruction, const std::vector<bool>& draws) {
  if (instruction.opcode == Opcode::kRng) return CheckRng(instruction);
  if (!CallsDrawing(instruction, draws)) return absl::OkStatus();
  const bool threads =
      instruction.opcode == Opcode::kCall || instruction.opcode == Opcode::kFusion ||
      instruction.opcode == Opcode::kWhile || instruction.opcode == Opcode::kConditional;
  if (threads) return CheckNesting(computation, instruction);
  const auto callee = std::find_if(instruction.called.begin(), instruction.called.end(),
                                   [&](ComputationIndex i) { return draws[i]; });
  return MakeError(errors::kRngState,
                   absl::StrCat(hlo::Name(instruction.opcode), " calls ",
                                module.computations[*callee].name, ", which draws random numbers"));
}

absl::Status Check(const Module& module, const std::vector<bool>& draws) {
  for (ComputationIndex i = 0; i < module.computations.size(); ++i) {
    if (!draws[i]) continue;
    const Computation& computation = module.computations[i];
    for (const Instruction& instruction : computation.instructions) {
      const absl::Status status = CheckInstruction(module, computation, instruction, draws);
      if (status.ok()) continue;
      return AtPlace(absl::StrCat(computation.name, "/", instruction.name), status);
    }
  }
  return absl::OkStatus();
}

// The sharding of a tuple that has what `value` shards, of `shape`, and behind it more arrays,
// which are replicated; nothing where it is written in a form that we only keep.
std::unique_ptr<Sharding> ShardingWith(const Sharding& value, const Shape& shape, int more) {
  if (!value.unparsed.empty()) return nullptr;
  auto sharding = std::make_unique<Sharding>();
  if (value.type == Sharding::Type::kTuple) {
    *sharding = value;
  } else {
    sharding->type = Sharding::Type::kTuple;
    sharding->elements.push_back(value);
  }
  sharding->elements.resize(shape.LeafCount());
  sharding->elements.resize(sharding->elements.size() + more);
  return sharding;
}

// What all computations of a module share while they are rewritten.
struct Rewrite {
  const std::vector<bool>& draws;
  hlo::ModuleBuilder builder;
  std::map<std::pair<hlo::RandomDistribution, std::string>, ComputationIndex> numbers;
  std::map<int64_t, ComputationIndex> advances;

  // The computation in the place of an instruction that draws itself; equal ones share it.
  absl::StatusOr<ComputationIndex> Drawer(const Instruction& instruction) {
    if (instruction.opcode == Opcode::kRng) {
      const auto distribution = instruction.As<hlo::RngAttributes>().distribution;
      const auto [at, is_new] =
          numbers.try_emplace({distribution, instruction.shape.ToString(false)});
      if (is_new) {
        AXLE_ASSIGN_OR_RETURN(at->second, AddRngNumbers(&builder, distribution, instruction.shape));
      }
      return at->second;
    }
    const int64_t delta = instruction.As<hlo::RngGetAndUpdateStateAttributes>().delta;
    const auto [at, is_new] = advances.try_emplace(delta);
    if (is_new) {
      AXLE_ASSIGN_OR_RETURN(at->second, AddRngStateAdvance(&builder, delta));
    }
    return at->second;
  }

  const std::string& NameOf(ComputationIndex i) const {
    return builder.module().computations[i].name;
  }

  // (value, state) -> (branch(value), state)
  absl::StatusOr<ComputationIndex> AddUndrawingBranch(ComputationIndex branch) {
    const Shape value = builder.SignatureOf(branch).parameters[0];
    hlo::Builder b(&builder, absl::StrCat(NameOf(branch), ".with_state"));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex p,
                          hlo::Parameter(b, 0, Shape::Tuple({value, StateShape()}), "arguments"));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex argument, hlo::GetTupleElement(b, p, 0));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex state, hlo::GetTupleElement(b, p, 1));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex result, hlo::Call(b, branch, {argument}));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex root, hlo::Tuple(b, {result, state}));
    return b.Finish(root);
  }

  // (value, state) -> condition(value)
  absl::StatusOr<ComputationIndex> AddUndrawingCondition(ComputationIndex condition) {
    const Shape value = builder.SignatureOf(condition).parameters[0];
    hlo::Builder b(&builder, absl::StrCat(NameOf(condition), ".with_state"));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex p,
                          hlo::Parameter(b, 0, Shape::Tuple({value, StateShape()}), "arguments"));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex argument, hlo::GetTupleElement(b, p, 0));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex root, hlo::Call(b, condition, {argument}));
    return b.Finish(root);
  }

  // (value, state, go_on) -> go_on
  absl::StatusOr<ComputationIndex> AddGoOn(ComputationIndex condition, const Shape& loop) {
    hlo::Builder b(&builder, absl::StrCat(NameOf(condition), ".go_on"));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex p, hlo::Parameter(b, 0, loop, "arguments"));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex root, hlo::GetTupleElement(b, p, 2));
    return b.Finish(root);
  }

  // (value, state, go_on) -> the next ones: the body, then the condition, which draws.
  absl::StatusOr<ComputationIndex> AddBodyAndCondition(ComputationIndex body,
                                                       ComputationIndex condition,
                                                       const Shape& loop) {
    hlo::Builder b(&builder, absl::StrCat(NameOf(body), ".and_condition"));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex p, hlo::Parameter(b, 0, loop, "arguments"));
    AXLE_ASSIGN_OR_RETURN(InstructionIndex value, hlo::GetTupleElement(b, p, 0));
    AXLE_ASSIGN_OR_RETURN(InstructionIndex state, hlo::GetTupleElement(b, p, 1));
    if (draws[body]) {
      AXLE_ASSIGN_OR_RETURN(const InstructionIndex arguments, hlo::Tuple(b, {value, state}));
      AXLE_ASSIGN_OR_RETURN(const InstructionIndex next, hlo::Call(b, body, {arguments}));
      AXLE_ASSIGN_OR_RETURN(value, hlo::GetTupleElement(b, next, 0));
      AXLE_ASSIGN_OR_RETURN(state, hlo::GetTupleElement(b, next, 1));
    } else {
      AXLE_ASSIGN_OR_RETURN(value, hlo::Call(b, body, {value}));
    }
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex arguments, hlo::Tuple(b, {value, state}));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex judged, hlo::Call(b, condition, {arguments}));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex go_on, hlo::GetTupleElement(b, judged, 0));
    AXLE_ASSIGN_OR_RETURN(state, hlo::GetTupleElement(b, judged, 1));
    AXLE_ASSIGN_OR_RETURN(const InstructionIndex root, hlo::Tuple(b, {value, state, go_on}));
    return b.Finish(root);
  }
};

// Rewrites one computation, whose callees are rewritten.
class ComputationRewriter {
 public:
  ComputationRewriter(Rewrite* rewrite, Computation old, bool is_entry)
      : rewrite_(*rewrite), old_(std::move(old)), is_entry_(is_entry) {
    for (const Instruction& instruction : old_.instructions) names_.Add(instruction.name);
    new_.name = old_.name;
    new_.execution_thread = old_.execution_thread;
    new_.unknown_wire = old_.unknown_wire;
  }

  absl::StatusOr<Computation> Run() {
    AddStateParameter();
    for (const Instruction& instruction : old_.instructions) {
      AXLE_ASSIGN_OR_RETURN(const InstructionIndex mapped, Add(instruction));
      mapped_.push_back(mapped);
    }
    new_.root = is_entry_ ? AddEntryRoot() : AddTuple("result", {mapped_[old_.root], state_});
    return std::move(new_);
  }

 private:
  const Shape& ShapeAt(InstructionIndex i) const { return new_.instructions[i].shape; }

  // Takes the instruction, whose name gives way to those that are taken.
  InstructionIndex AddNew(Instruction instruction) {
    instruction.name = names_.Unique(instruction.name);
    new_.instructions.push_back(std::move(instruction));
    return static_cast<InstructionIndex>(new_.instructions.size() - 1);
  }

  InstructionIndex AddTuple(std::string name, const std::vector<InstructionIndex>& elements) {
    Instruction tuple;
    tuple.opcode = Opcode::kTuple;
    tuple.name = std::move(name);
    std::vector<Shape> shapes;
    for (const InstructionIndex i : elements) shapes.push_back(ShapeAt(i));
    tuple.shape = Shape::Tuple(std::move(shapes));
    tuple.operands.assign(elements.begin(), elements.end());
    return AddNew(std::move(tuple));
  }

  Instruction ElementOf(InstructionIndex tuple, int64_t index) const {
    Instruction element;
    element.opcode = Opcode::kGetTupleElement;
    element.shape = ShapeAt(tuple).tuple_shape(static_cast<int>(index));
    element.operands.push_back(tuple);
    element.attributes = hlo::Attributes(hlo::GetTupleElementAttributes{index});
    return element;
  }

  InstructionIndex AddElement(std::string name, InstructionIndex tuple, int64_t index) {
    Instruction element = ElementOf(tuple, index);
    element.name = std::move(name);
    return AddNew(std::move(element));
  }

  // An element in the place of an instruction, whose name and sharding it takes.
  InstructionIndex AddElementFor(const Instruction& old, InstructionIndex tuple, int64_t index) {
    Instruction element = ElementOf(tuple, index);
    element.name = old.name;
    element.shape = old.shape;
    element.metadata = old.metadata;
    if (old.sharding()) {
      element.mutable_extras().sharding = std::make_unique<Sharding>(*old.sharding());
    }
    new_.instructions.push_back(std::move(element));
    return static_cast<InstructionIndex>(new_.instructions.size() - 1);
  }

  void AddStateParameter() {
    Instruction parameter;
    parameter.opcode = Opcode::kParameter;
    const hlo::ProgramShape signature = hlo::ProgramShapeOf(old_);
    const auto count = static_cast<int64_t>(signature.parameters.size());
    if (is_entry_) {
      parameter.name = "rng_state";
      parameter.shape = StateShape();
      parameter.attributes = hlo::Attributes(hlo::ParameterAttributes{count, {}});
      state_ = AddNew(std::move(parameter));
      return;
    }
    parameter.name = "arguments";
    std::vector<Shape> shapes = signature.parameters;
    shapes.push_back(StateShape());
    parameter.shape = Shape::Tuple(std::move(shapes));
    parameter.attributes = hlo::Attributes(hlo::ParameterAttributes());
    arguments_ = AddNew(std::move(parameter));
    state_ = AddElement("rng_state", arguments_, count);
  }

  absl::StatusOr<InstructionIndex> Add(const Instruction& old) {
    if (old.opcode == Opcode::kParameter && !is_entry_) {
      return AddElementFor(old, arguments_, old.As<hlo::ParameterAttributes>().number);
    }
    if (old.opcode == Opcode::kRng) return AddRng(old);
    if (old.opcode == Opcode::kRngGetAndUpdateState) return AddStateAdvance(old);
    if (CallsDrawing(old, rewrite_.draws)) {
      if (old.opcode == Opcode::kWhile) return AddWhile(old);
      if (old.opcode == Opcode::kConditional) return AddConditional(old);
      return AddCall(old);
    }
    new_.instructions.push_back(Copy(old));
    return static_cast<InstructionIndex>(new_.instructions.size() - 1);
  }

  // With operands and control edges of the new computation; edges backward are left out.
  Instruction Copy(const Instruction& old) const {
    Instruction copy = old;
    for (InstructionIndex& operand : copy.operands) operand = mapped_[operand];
    if (!copy.extras) return copy;
    auto& predecessors = copy.extras->control_predecessors;
    predecessors.clear();
    for (const InstructionIndex i : old.extras->control_predecessors) {
      if (i < mapped_.size()) predecessors.push_back(mapped_[i]);
    }
    return copy;
  }

  // The instruction as one whose result has the state, and maybe more, behind the old one.
  Instruction CopyWith(const Instruction& old, std::vector<Shape> more) const {
    Instruction copy = Copy(old);
    copy.name = absl::StrCat(old.name, ".drawn");
    if (copy.extras) {
      copy.extras->original_value.clear();
      copy.extras->original_value_wire.clear();
      if (copy.extras->sharding) {
        copy.extras->sharding =
            ShardingWith(*copy.extras->sharding, old.shape, static_cast<int>(more.size()));
      }
    }
    more.insert(more.begin(), old.shape);
    copy.shape = Shape::Tuple(std::move(more));
    return copy;
  }

  // The index of the old instruction's value; the state moves on.
  InstructionIndex AddDrawing(const Instruction& old, Instruction drawing) {
    const InstructionIndex drawn = AddNew(std::move(drawing));
    const InstructionIndex value = AddElementFor(old, drawn, 0);
    state_ = AddElement("rng_state", drawn, 1);
    return value;
  }

  void MakeCall(Instruction* instruction, ComputationIndex callee) const {
    instruction->opcode = Opcode::kCall;
    instruction->attributes = hlo::Attributes(hlo::CallAttributes());
    instruction->called.assign({callee});
    if (!instruction->extras) return;
    instruction->extras->backend_config.clear();
    instruction->extras->backend_config_is_json = false;
  }

  absl::StatusOr<InstructionIndex> AddRng(const Instruction& old) {
    AXLE_ASSIGN_OR_RETURN(const ComputationIndex drawer, rewrite_.Drawer(old));
    Instruction call = CopyWith(old, {StateShape()});
    MakeCall(&call, drawer);
    call.operands.push_back(state_);
    return AddDrawing(old, std::move(call));
  }

  absl::StatusOr<InstructionIndex> AddStateAdvance(const Instruction& old) {
    AXLE_ASSIGN_OR_RETURN(const ComputationIndex drawer, rewrite_.Drawer(old));
    const InstructionIndex value = state_;
    Instruction call = Copy(old);
    MakeCall(&call, drawer);
    call.operands.assign({state_});
    new_.instructions.push_back(std::move(call));
    state_ = static_cast<InstructionIndex>(new_.instructions.size() - 1);
    return value;
  }

  absl::StatusOr<InstructionIndex> AddCall(const Instruction& old) {
    Instruction call = CopyWith(old, {StateShape()});
    std::vector<InstructionIndex> arguments(call.operands.begin(), call.operands.end());
    arguments.push_back(state_);
    hlo::OutputOperandAliases aliases;
    if (const auto* attributes = old.attributes.TryAs<hlo::CallAttributes>()) {
      aliases = attributes->output_to_operand_aliasing;
    }
    MakeCall(&call, old.called[0]);
    for (hlo::OutputOperandAlias& alias : aliases) {
      alias.output_index.insert(alias.output_index.begin(), 0);
      alias.operand_index.insert(alias.operand_index.begin(), alias.operand);
      alias.operand = 0;
    }
    call.As<hlo::CallAttributes>().output_to_operand_aliasing = std::move(aliases);
    call.operands.assign({AddTuple(absl::StrCat(old.name, ".arguments"), arguments)});
    return AddDrawing(old, std::move(call));
  }

  absl::StatusOr<InstructionIndex> AddConditional(const Instruction& old) {
    Instruction conditional = CopyWith(old, {StateShape()});
    for (size_t i = 0; i < conditional.called.size(); ++i) {
      InstructionIndex& argument = conditional.operands[i + 1];
      argument = AddTuple(absl::StrCat(old.name, ".arguments"), {argument, state_});
      ComputationIndex& branch = conditional.called[i];
      if (rewrite_.draws[branch]) continue;
      AXLE_ASSIGN_OR_RETURN(branch, rewrite_.AddUndrawingBranch(branch));
    }
    return AddDrawing(old, std::move(conditional));
  }

  // called: body, condition.
  absl::StatusOr<InstructionIndex> AddWhile(const Instruction& old) {
    const ComputationIndex body = old.called[0], condition = old.called[1];
    if (rewrite_.draws[condition]) return AddWhileThatDrawsToGoOn(old);
    Instruction loop = CopyWith(old, {StateShape()});
    loop.operands[0] = AddTuple(absl::StrCat(old.name, ".init"), {loop.operands[0], state_});
    AXLE_ASSIGN_OR_RETURN(loop.called[1], rewrite_.AddUndrawingCondition(condition));
    loop.called[0] = body;
    return AddDrawing(old, std::move(loop));
  }

  absl::StatusOr<InstructionIndex> AddWhileThatDrawsToGoOn(const Instruction& old) {
    const ComputationIndex body = old.called[0], condition = old.called[1];
    const Shape pred = Shape::Scalar(hlo::ElementType::kPred);
    Instruction first;
    first.name = absl::StrCat(old.name, ".first");
    first.metadata = old.metadata;
    first.shape = Shape::Tuple({pred, StateShape()});
    MakeCall(&first, condition);
    Instruction loop = CopyWith(old, {StateShape(), pred});
    const InstructionIndex init = loop.operands[0];
    first.operands.assign({AddTuple(absl::StrCat(old.name, ".arguments"), {init, state_})});
    const InstructionIndex judged = AddNew(std::move(first));
    const InstructionIndex go_on = AddElement(absl::StrCat(old.name, ".go_on"), judged, 0);
    state_ = AddElement("rng_state", judged, 1);
    loop.operands[0] = AddTuple(absl::StrCat(old.name, ".init"), {init, state_, go_on});
    const Shape carried = loop.shape.WithoutLayouts();
    AXLE_ASSIGN_OR_RETURN(loop.called[0], rewrite_.AddBodyAndCondition(body, condition, carried));
    AXLE_ASSIGN_OR_RETURN(loop.called[1], rewrite_.AddGoOn(condition, carried));
    return AddDrawing(old, std::move(loop));
  }

  // A flat tuple of what the result was and the state.
  InstructionIndex AddEntryRoot() {
    const Instruction& old = old_.root_instruction();
    const InstructionIndex root = mapped_[old_.root];
    std::vector<InstructionIndex> elements = {root};
    if (old.opcode == Opcode::kTuple) {
      elements.clear();
      for (const InstructionIndex i : old.operands) elements.push_back(mapped_[i]);
    } else if (old.shape.IsTuple()) {
      elements.clear();
      for (size_t i = 0; i < old.shape.tuple_shapes().size(); ++i) {
        elements.push_back(
            AddElement(absl::StrCat(old.name, ".", i), root, static_cast<int64_t>(i)));
      }
    }
    elements.push_back(state_);
    const InstructionIndex with_state = AddTuple(absl::StrCat(old.name, ".with_state"), elements);
    if (old.sharding()) {
      new_.instructions[with_state].mutable_extras().sharding =
          ShardingWith(*old.sharding(), old.shape, 1);
    }
    return with_state;
  }

  Rewrite& rewrite_;
  const Computation old_;
  const bool is_entry_;
  Computation new_;
  hlo::NameSet names_;
  std::vector<InstructionIndex> mapped_;  // by index in the old computation
  InstructionIndex arguments_ = 0;        // the one parameter, where it is not the entry
  InstructionIndex state_ = 0;            // where the state stands
};

// A single flag speaks for all and stays.
void AppendFlag(size_t count, std::vector<bool>* flags) {
  if (flags->size() == count && count != 1) flags->push_back(false);
}

// `before`: the entry's signature before the pass.
void MapConfig(const hlo::ProgramShape& before, hlo::ModuleConfig* config) {
  const bool was_tuple = before.result.IsTuple();
  if (config->entry_layout) {
    const Shape state = StateShape().WithDefaultLayouts();
    config->entry_layout->parameters.push_back(state);
    if (!config->entry_layout->parameter_names.empty()) {
      config->entry_layout->parameter_names.push_back("rng_state");
    }
    Shape& result = config->entry_layout->result;
    std::vector<Shape> elements = {result};
    if (was_tuple) elements.assign(result.tuple_shapes().begin(), result.tuple_shapes().end());
    elements.push_back(state);
    result = Shape::Tuple(std::move(elements));
  }
  for (hlo::InputOutputAlias& alias : config->aliases) {
    if (!was_tuple) alias.output_index = {0};
  }
  const size_t parameters = before.parameters.size();
  if (parameters > 0)
    AppendFlag(parameters, &config->allow_spmd_sharding_propagation_to_parameters);
  if (was_tuple) {
    const size_t elements = before.result.tuple_shapes().size();
    if (elements > 0) AppendFlag(elements, &config->allow_spmd_sharding_propagation_to_output);
  }
  if (parameters > 0 && config->spmd_parameter_shardings.size() == parameters) {
    config->spmd_parameter_shardings.emplace_back();
  }
  if (config->spmd_output_sharding) {
    const std::unique_ptr<Sharding> sharding =
        ShardingWith(*config->spmd_output_sharding, before.result, 1);
    config->spmd_output_sharding.reset();
    if (sharding) config->spmd_output_sharding = *sharding;
  }
  config->schedule.clear();
  config->is_scheduled = false;
}

void DropUnreachable(Module* module) {
  const std::vector<bool> reachable = Reachable(*module);
  std::vector<ComputationIndex> mapped(reachable.size());
  std::vector<Computation> kept;
  for (ComputationIndex i = 0; i < reachable.size(); ++i) {
    if (!reachable[i]) continue;
    mapped[i] = static_cast<ComputationIndex>(kept.size());
    kept.push_back(std::move(module->computations[i]));
  }
  module->computations = std::move(kept);
  module->entry = mapped[module->entry];
  for (Computation& computation : module->computations) {
    for (Instruction& instruction : computation.instructions) {
      for (ComputationIndex& callee : instruction.called) callee = mapped[callee];
    }
  }
}

}  // namespace

absl::StatusOr<bool> MakeRngStateExplicit(Module* module) {
  const std::vector<ComputationIndex> order = hlo::CalleesFirst(*module);
  const std::vector<bool> draws = FindDrawing(*module, order);
  if (!draws[module->entry]) return false;
  AXLE_RETURN_IF_ERROR(Check(*module, draws));
  const hlo::ProgramShape before = hlo::ProgramShapeOf(module->entry_computation());
  Rewrite rewrite{draws, hlo::ModuleBuilder(module), {}, {}};
  for (const ComputationIndex i : order) {
    if (!draws[i]) continue;
    ComputationRewriter rewriter(&rewrite, std::move(module->computations[i]), i == module->entry);
    AXLE_ASSIGN_OR_RETURN(module->computations[i], rewriter.Run());
  }
  MapConfig(before, &module->config);
  DropUnreachable(module);
  return true;
}

}  // namespace axle::passes
