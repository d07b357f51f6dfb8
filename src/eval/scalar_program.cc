// SPDX-License-Identifier: Apache-2.0
#include "eval/scalar_program.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.h"

namespace axle::eval {
namespace {

using hlo::ElementType;
using hlo::Opcode;

// One scalar: where it is, and as what it counts (bitcast-convert changes only that).
struct Leaf {
  int index;  // of the register
  ElementType type;
};
using Leaves = std::vector<Leaf>;  // of a value, depth first

constexpr size_t kMaxOps = 4096;

bool AllScalar(const hlo::Shape& shape) {
  if (!shape.IsTuple()) return shape.IsScalar();
  return std::all_of(shape.tuple_shapes().begin(), shape.tuple_shapes().end(), AllScalar);
}

}  // namespace

class ScalarProgramBuilder {
 public:
  using Op = ScalarProgram::Op;
  using Kind = ScalarProgram::Kind;

  explicit ScalarProgramBuilder(const hlo::Module& module) : module_(module) {}

  std::unique_ptr<const ScalarProgram> Build(hlo::ComputationIndex index) {
    const hlo::Computation& computation = module_.computations[index];
    std::vector<Leaves> arguments;
    for (hlo::InstructionIndex parameter : hlo::ParameterIndices(computation)) {
      const hlo::Shape& shape = computation.instructions[parameter].shape;
      if (!shape.IsScalar()) return nullptr;
      arguments.push_back({NewRegister(shape.element_type())});
    }
    program_->parameter_count_ = static_cast<int>(arguments.size());
    Leaves results;
    if (!Inline(computation, arguments, results)) return nullptr;
    if (results.size() > 1) MoveParameters(results);
    for (const Leaf& leaf : results) program_->results_.push_back(leaf.index);
    program_->last_is_result_ = results.size() == 1 && !program_->ops_.empty() &&
                                program_->ops_.back().out == results[0].index;
    return std::move(program_);
  }

 private:
  // A computation that is being appended, and the values of its instructions so far.
  struct Frame {
    const hlo::Computation& computation;
    const std::vector<Leaves>& arguments;
    std::vector<Leaves> values;

    const Leaves& operand(const hlo::Instruction& instruction, int i) const {
      return values[instruction.operands[i]];
    }
  };

  Leaf NewRegister(ElementType type) {
    program_->registers_.push_back({hlo::ByteWidth(type), nullptr});
    return {static_cast<int>(program_->registers_.size()) - 1, type};
  }

  // Appends the computation's operations; false where one does not fit.
  bool Inline(const hlo::Computation& computation, const std::vector<Leaves>& arguments,
              Leaves& result) {
    Frame frame{computation, arguments, std::vector<Leaves>(computation.instructions.size())};
    for (size_t i = 0; i < computation.instructions.size(); ++i) {
      const hlo::Instruction& instruction = computation.instructions[i];
      if (!AllScalar(instruction.shape) || program_->ops_.size() > kMaxOps) return false;
      if (!Append(instruction, frame, frame.values[i])) return false;
    }
    result = std::move(frame.values[computation.root]);
    return true;
  }

  // A result row may be a parameter row, so what writes one result must not be read for the next.
  void MoveParameters(Leaves& results) {
    for (Leaf& leaf : results) {
      if (leaf.index >= program_->parameter_count_) continue;
      Op op{};
      op.kind = Kind::kMove;
      op.width = hlo::ByteWidth(leaf.type);
      op.a = leaf.index;
      leaf = NewRegister(leaf.type);
      op.out = leaf.index;
      program_->ops_.push_back(op);
    }
  }

  bool Append(const hlo::Instruction& instruction, const Frame& frame, Leaves& result) {
    const Opcode opcode = instruction.opcode;
    if (opcode == Opcode::kCopy || opcode == Opcode::kReshape || opcode == Opcode::kBroadcast ||
        opcode == Opcode::kOptBarrier) {
      result = frame.operand(instruction, 0);
      return true;
    }
    if (opcode == Opcode::kBitcastConvert) {  // of a scalar to a scalar: the same width
      result = {{frame.operand(instruction, 0)[0].index, instruction.shape.element_type()}};
      return true;
    }
    if (hlo::IsElementwise(opcode)) return AppendElementwise(instruction, frame, result);
    if (opcode == Opcode::kParameter) {
      result = frame.arguments[instruction.As<hlo::ParameterAttributes>().number];
      return true;
    }
    if (opcode == Opcode::kConstant) return AppendConstant(instruction, result);
    if (opcode == Opcode::kTuple) {
      for (hlo::InstructionIndex i : instruction.operands) {
        result.insert(result.end(), frame.values[i].begin(), frame.values[i].end());
      }
      return true;
    }
    if (opcode == Opcode::kGetTupleElement) {
      result = Element(instruction, frame);
      return true;
    }
    if (opcode == Opcode::kCall || opcode == Opcode::kFusion) {
      std::vector<Leaves> arguments;
      for (hlo::InstructionIndex i : instruction.operands) arguments.push_back(frame.values[i]);
      return Inline(module_.computations[instruction.called[0]], arguments, result);
    }
    return false;
  }

  bool AppendConstant(const hlo::Instruction& instruction, Leaves& result) {
    const hlo::Literal* literal = instruction.As<hlo::ConstantAttributes>().literal.get();
    if (literal == nullptr || !instruction.shape.IsScalar()) return false;
    result = {NewRegister(instruction.shape.element_type())};
    program_->registers_.back().constant = literal->bytes().data();
    return true;
  }

  static Leaves Element(const hlo::Instruction& instruction, const Frame& frame) {
    const int64_t index = instruction.As<hlo::GetTupleElementAttributes>().index;
    const hlo::Shape& tuple = frame.computation.instructions[instruction.operands[0]].shape;
    int64_t first = 0;
    for (int64_t i = 0; i < index; ++i) first += tuple.tuple_shape(i).LeafCount();
    const Leaves& leaves = frame.operand(instruction, 0);
    return Leaves(leaves.begin() + first,
                  leaves.begin() + first + tuple.tuple_shape(index).LeafCount());
  }

  bool AppendElementwise(const hlo::Instruction& instruction, const Frame& frame, Leaves& result) {
    Op op{};
    const int values_at = instruction.opcode == Opcode::kSelect ? 1 : 0;
    if (!Resolve(instruction, frame.operand(instruction, values_at)[0].type, op)) return false;
    int* const inputs[] = {&op.a, &op.b, &op.c};
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      *inputs[i] = frame.operand(instruction, i)[0].index;
    }
    result = {NewRegister(instruction.shape.element_type())};
    op.out = result[0].index;
    program_->ops_.push_back(op);
    return true;
  }

  // Finds the loop for operands of `type`.
  static bool Resolve(const hlo::Instruction& instruction, ElementType type, Op& op) {
    const Opcode opcode = instruction.opcode;
    if (opcode == Opcode::kConvert) {
      op.kind = Kind::kConvert;
      op.from = type;
      op.to = instruction.shape.element_type();
      op.convert = FindConvert(op.from, op.to);
      return static_cast<bool>(op.convert);
    }
    if (opcode == Opcode::kReducePrecision) {
      const auto& attributes = instruction.As<hlo::ReducePrecisionAttributes>();
      op.kind = Kind::kReducePrecision;
      op.exponent_bits = static_cast<int>(attributes.exponent_bits);
      op.mantissa_bits = static_cast<int>(attributes.mantissa_bits);
      return (op.reduce_precision = FindReducePrecision(type)) != nullptr;
    }
    if (opcode == Opcode::kCompare) {
      const auto& attributes = instruction.As<hlo::CompareAttributes>();
      op.kind = Kind::kBinary;
      return (op.binary = FindCompare(attributes.direction, attributes.type, type)) != nullptr;
    }
    if (opcode == Opcode::kStochasticConvert) return false;
    switch (instruction.operands.size()) {
      case 1:
        op.kind = Kind::kUnary;
        return (op.unary = FindUnary(opcode, type)) != nullptr;
      case 2:
        op.kind = Kind::kBinary;
        return (op.binary = FindBinary(opcode, type)) != nullptr;
      default:
        op.kind = Kind::kTernary;
        return (op.ternary = FindTernary(opcode, type)) != nullptr;
    }
  }

  const hlo::Module& module_;
  std::unique_ptr<ScalarProgram> program_{new ScalarProgram};
};

std::unique_ptr<const ScalarProgram> ScalarProgram::Compile(const hlo::Module& module,
                                                            hlo::ComputationIndex computation) {
  return ScalarProgramBuilder(module).Build(computation);
}

ScalarProgram::State::State(const ScalarProgram& program, int64_t capacity)
    : capacity_(capacity), registers_(program.registers_.size(), nullptr) {
  constexpr int64_t kUnit = sizeof(std::max_align_t);
  int64_t units = 0;
  std::vector<int64_t> starts(registers_.size());
  for (size_t i = program.parameter_count_; i < registers_.size(); ++i) {
    starts[i] = units;
    units += (capacity * program.registers_[i].width + kUnit - 1) / kUnit;
  }
  storage_.resize(units);
  for (size_t i = program.parameter_count_; i < registers_.size(); ++i) {
    registers_[i] = reinterpret_cast<std::byte*>(storage_.data() + starts[i]);
    const Register& source = program.registers_[i];
    for (int64_t k = 0; source.constant != nullptr && k < capacity; ++k) {
      std::memcpy(registers_[i] + k * source.width, source.constant, source.width);
    }
  }
}

void ScalarProgram::RunOp(const Op& op, absl::Span<std::byte* const> registers, void* out,
                          int64_t n) {
  const std::byte* a = registers[op.a];
  switch (op.kind) {
    case Kind::kUnary:
      return op.unary(a, out, n);
    case Kind::kBinary:
      return op.binary(a, registers[op.b], out, n);
    case Kind::kTernary:
      return op.ternary(a, registers[op.b], registers[op.c], out, n);
    case Kind::kConvert:
      return RunConvert(op.convert, op.from, op.to, a, out, n);
    case Kind::kReducePrecision:
      return op.reduce_precision(a, out, n, op.exponent_bits, op.mantissa_bits);
    case Kind::kMove:
      std::memcpy(out, a, n * op.width);
      return;
  }
}

void ScalarProgram::Run(State& state, absl::Span<const void* const> parameters,
                        absl::Span<void* const> results, int64_t n) const {
  AXLE_ASSERT(n <= state.capacity_);
  for (int i = 0; i < parameter_count_; ++i) {
    state.registers_[i] = const_cast<std::byte*>(static_cast<const std::byte*>(parameters[i]));
  }
  for (const Op& op : ops_) {
    const bool direct = last_is_result_ && &op == &ops_.back();
    RunOp(op, state.registers_, direct ? results[0] : state.registers_[op.out], n);
  }
  if (last_is_result_) return;
  for (size_t i = 0; i < results_.size(); ++i) {
    const std::byte* source = state.registers_[results_[i]];
    if (source != results[i]) std::memcpy(results[i], source, n * registers_[results_[i]].width);
  }
}

}  // namespace axle::eval
