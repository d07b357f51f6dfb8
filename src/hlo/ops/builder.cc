// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/builder.h"

#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/shape_checks.h"

namespace axle::hlo {
namespace {

// Numbers 0, 1, 2 … once each, as signatures need them.
absl::Status CheckParameters(const Computation& computation) {
  std::vector<bool> seen;
  for (const Instruction& instruction : computation.instructions) {
    if (instruction.opcode == Opcode::kParameter) seen.push_back(false);
  }
  for (const Instruction& instruction : computation.instructions) {
    if (instruction.opcode != Opcode::kParameter) continue;
    const int64_t number = instruction.As<ParameterAttributes>().number;
    if (number >= static_cast<int64_t>(seen.size()) || seen[number]) {
      return MakeError(ops_errors::kBuilderReference,
                       absl::StrCat("computation %", computation.name, " has ", seen.size(),
                                    " parameters, of which %", instruction.name, " has number ",
                                    number, "; expected each number from 0 once"));
    }
    seen[number] = true;
  }
  return absl::OkStatus();
}

}  // namespace

std::string NameSet::Unique(absl::string_view wanted) {
  std::string name(wanted);
  while (!next_suffix_.try_emplace(name, 1).second) {
    name = absl::StrCat(wanted, ".", next_suffix_[std::string(wanted)]++);
  }
  return name;
}

ModuleBuilder::ModuleBuilder(Module* module) : module_(module), shapes_(*module) {
  for (const Computation& computation : module->computations) names_.Add(computation.name);
}

const ProgramShape& ModuleBuilder::SignatureOf(ComputationIndex computation) {
  return shapes_.Of(computation);
}

ComputationIndex ModuleBuilder::Add(Computation computation) {
  computation.name = names_.Unique(computation.name);
  module_->computations.push_back(std::move(computation));
  return static_cast<ComputationIndex>(module_->computations.size() - 1);
}

Builder::Builder(ModuleBuilder* module, absl::string_view name) : module_(module) {
  computation_.name = std::string(name);
}

Shape Builder::ShapeLike(InstructionIndex operand, ElementType type) const {
  if (operand >= computation_.instructions.size() || !shape(operand).IsArray()) {
    return Shape::Scalar(type);
  }
  return shape(operand).WithElementType(type);
}

absl::Status Builder::CheckReferences(Opcode opcode, absl::Span<const InstructionIndex> operands,
                                      absl::Span<const ComputationIndex> called) const {
  for (const InstructionIndex operand : operands) {
    if (operand < computation_.instructions.size()) continue;
    return MakeError(ops_errors::kBuilderReference,
                     absl::StrCat(Name(opcode), " in %", computation_.name, " uses instruction ",
                                  operand, " of ", computation_.instructions.size()));
  }
  const size_t computations = module_->module().computations.size();
  for (const ComputationIndex callee : called) {
    if (callee < computations) continue;
    return MakeError(ops_errors::kBuilderReference,
                     absl::StrCat(Name(opcode), " in %", computation_.name, " calls computation ",
                                  callee, " of ", computations));
  }
  return absl::OkStatus();
}

absl::StatusOr<InstructionIndex> Builder::Emit(Opcode opcode,
                                               absl::Span<const InstructionIndex> operands,
                                               Attributes attributes, const EmitOptions& options) {
  AXLE_RETURN_IF_ERROR(CheckReferences(opcode, operands, options.called));
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.shape = options.declared;
  instruction.name = std::string(options.name.empty() ? Name(opcode) : options.name);
  instruction.operands.assign(operands.begin(), operands.end());
  instruction.called.assign(options.called.begin(), options.called.end());
  instruction.attributes = attributes.family() == AttributeFamily::kNone
                               ? Attributes::Default(Info(opcode).attributes)
                               : std::move(attributes);
  absl::InlinedVector<Shape, 4> shapes;
  for (const InstructionIndex operand : operands) shapes.push_back(shape(operand));
  absl::InlinedVector<const ProgramShape*, 2> called;
  for (const ComputationIndex callee : options.called) {
    called.push_back(&module_->SignatureOf(callee));
  }
  const RuleContext context{instruction, shapes, called};
  AXLE_ASSIGN_OR_RETURN(Shape inferred, InferShape(context));
  AXLE_RETURN_IF_ERROR(CheckDeclaredShape(context, inferred));
  instruction.shape = std::move(inferred);
  instruction.name = names_.Unique(instruction.name);
  computation_.instructions.push_back(std::move(instruction));
  return static_cast<InstructionIndex>(computation_.instructions.size() - 1);
}

absl::StatusOr<ComputationIndex> Builder::Finish(InstructionIndex root) {
  if (root >= computation_.instructions.size()) {
    return MakeError(ops_errors::kBuilderReference,
                     absl::StrCat("root ", root, " of %", computation_.name, ", which has ",
                                  computation_.instructions.size(), " instructions"));
  }
  AXLE_RETURN_IF_ERROR(CheckParameters(computation_));
  computation_.root = root;
  names_ = NameSet();
  return module_->Add(std::exchange(computation_, Computation()));
}

}  // namespace axle::hlo
