// SPDX-License-Identifier: Apache-2.0
#include "hlo/module.h"

#include "base/assert.h"

namespace axle::hlo {

Metadata::Metadata(const Metadata& other)
    : op_name(other.op_name),
      op_type(other.op_type),
      source_file(other.source_file),
      source_line(other.source_line),
      source_end_line(other.source_end_line),
      source_column(other.source_column),
      source_end_column(other.source_end_column),
      stack_frame_id(other.stack_frame_id),
      unknown_text(other.unknown_text),
      unknown_wire(other.unknown_wire),
      rare_(other.rare_ ? std::make_unique<RareMetadata>(*other.rare_) : nullptr) {}

bool Metadata::operator==(const Metadata& other) const {
  return op_name == other.op_name && op_type == other.op_type && source_file == other.source_file &&
         source_line == other.source_line && source_end_line == other.source_end_line &&
         source_column == other.source_column && source_end_column == other.source_end_column &&
         stack_frame_id == other.stack_frame_id && unknown_text == other.unknown_text &&
         unknown_wire == other.unknown_wire && rare() == other.rare();
}

const RareMetadata& Metadata::rare() const {
  static const RareMetadata kNone;
  return rare_ ? *rare_ : kNone;
}

Extras::Extras(const Extras& other)
    : sharding(other.sharding ? std::make_unique<Sharding>(*other.sharding) : nullptr),
      frontend_attributes(other.frontend_attributes),
      backend_config(other.backend_config),
      backend_config_is_json(other.backend_config_is_json),
      control_predecessors(other.control_predecessors),
      original_value(other.original_value),
      original_value_wire(other.original_value_wire),
      statistics(other.statistics),
      unknown_text(other.unknown_text),
      unknown_wire(other.unknown_wire) {}

Instruction::Instruction(const Instruction& other)
    : opcode(other.opcode),
      shape(other.shape),
      name(other.name),
      operands(other.operands),
      called(other.called),
      attributes(other.attributes),
      metadata(other.metadata),
      extras(other.extras ? std::make_unique<Extras>(*other.extras) : nullptr) {}

std::vector<InstructionIndex> ParameterIndices(const Computation& computation) {
  std::vector<InstructionIndex> indices;
  for (InstructionIndex i = 0; i < computation.instructions.size(); ++i) {
    const Instruction& instruction = computation.instructions[i];
    if (instruction.opcode != Opcode::kParameter) continue;
    const int64_t number = instruction.As<ParameterAttributes>().number;
    AXLE_ASSERT(number >= 0 && number < static_cast<int64_t>(computation.instructions.size()));
    if (number >= static_cast<int64_t>(indices.size())) indices.resize(number + 1);
    indices[number] = i;
  }
  return indices;
}

ProgramShape ProgramShapeOf(const Computation& computation) {
  ProgramShape shape;
  for (const InstructionIndex i : ParameterIndices(computation)) {
    shape.parameters.push_back(computation.instructions[i].shape);
    shape.parameter_names.push_back(computation.instructions[i].name);
  }
  shape.result = computation.root_instruction().shape;
  return shape;
}

std::vector<ComputationIndex> CalleesFirst(const Module& module) {
  enum State : uint8_t { kNew, kOpen, kDone };
  std::vector<State> states(module.computations.size(), kNew);
  std::vector<ComputationIndex> order;
  struct Visit {
    ComputationIndex computation;
    size_t instruction = 0;
    size_t callee = 0;
  };
  std::vector<Visit> stack;
  for (ComputationIndex start = 0; start < module.computations.size(); ++start) {
    if (states[start] != kNew) continue;
    states[start] = kOpen;
    stack.push_back({start});
    while (!stack.empty()) {
      Visit& visit = stack.back();
      const auto& instructions = module.computations[visit.computation].instructions;
      while (visit.instruction < instructions.size() &&
             visit.callee >= instructions[visit.instruction].called.size()) {
        ++visit.instruction;
        visit.callee = 0;
      }
      if (visit.instruction == instructions.size()) {
        states[visit.computation] = kDone;
        order.push_back(visit.computation);
        stack.pop_back();
        continue;
      }
      const ComputationIndex callee = instructions[visit.instruction].called[visit.callee++];
      AXLE_ASSERT(states[callee] != kOpen);
      if (states[callee] == kNew) {
        states[callee] = kOpen;
        stack.push_back({callee});
      }
    }
  }
  return order;
}

}  // namespace axle::hlo
