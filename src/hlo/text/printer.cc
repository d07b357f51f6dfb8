// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/printer.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hlo/fields.h"
#include "hlo/text/async_sugar.h"
#include "hlo/text/header_printer.h"
#include "hlo/text/value_printer.h"

namespace axle::hlo {
namespace {

using text::AppendName;
using text::AppendValue;

// Prints the instructions of one computation.
class InstructionPrinter {
 public:
  InstructionPrinter(const Module& module, const Computation& computation,
                     const PrintOptions& options, std::string& out)
      : module_(module), computation_(computation), options_(options), out_(out) {}

  // `wrapped` is what an asynchronous operation in short form wraps, or null.
  void Print(const Instruction& instruction, const Instruction* wrapped) {
    AppendName(instruction.name, out_);
    absl::StrAppend(&out_, " = ", instruction.shape.ToString(), " ");
    PrintOpcode(instruction, wrapped);
    out_.push_back('(');
    PrintParentheses(instruction);
    out_.push_back(')');
    PrintFields(instruction);
    const bool start = wrapped != nullptr && instruction.opcode == Opcode::kAsyncStart;
    if (start) {
      PrintFields(*wrapped);
      PrintCalls(*wrapped);
    } else {
      PrintCalls(instruction);
    }
    PrintCommon(instruction);
  }

 private:
  void PrintOpcode(const Instruction& instruction, const Instruction* wrapped) {
    if (wrapped == nullptr) {
      absl::StrAppend(&out_, Name(instruction.opcode));
      return;
    }
    absl::StrAppend(&out_, Name(wrapped->opcode),
                    instruction.opcode == Opcode::kAsyncStart    ? "-start"
                    : instruction.opcode == Opcode::kAsyncUpdate ? "-update"
                                                                 : "-done");
  }

  void PrintParentheses(const Instruction& instruction) {
    if (instruction.opcode == Opcode::kParameter) {
      absl::StrAppend(&out_, instruction.As<ParameterAttributes>().number);
    } else if (instruction.opcode == Opcode::kConstant) {
      PrintConstant(instruction);
    } else {
      PrintOperands(instruction);
    }
  }

  void PrintConstant(const Instruction& instruction) {
    const auto& literal = instruction.As<ConstantAttributes>().literal;
    if (literal == nullptr || literal->element_count() > options_.max_constant_elements) {
      absl::StrAppend(&out_, "{...}");
    } else {
      absl::StrAppend(&out_, PrintLiteral(*literal, /*with_shapes=*/false));
    }
  }

  void PrintOperands(const Instruction& instruction) {
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      if (i > 0) absl::StrAppend(&out_, ", ");
      if (i > 0 && i % 5 == 0) absl::StrAppend(&out_, "/*index=", i, "*/");
      const Instruction& operand = computation_.instructions[instruction.operands[i]];
      if (options_.operand_shapes) absl::StrAppend(&out_, operand.shape.ToString(), " ");
      AppendName(operand.name, out_);
    }
  }

  void PrintFields(const Instruction& instruction) {
    ForEachFieldWithDefault(
        instruction.attributes, [&](const FieldInfo& info, const auto& field, const auto& plain) {
          if (info.print == FieldPrint::kPositional) return;
          if (info.print == FieldPrint::kUnlessDefault && FieldsEqual(field, plain)) return;
          absl::StrAppend(&out_, ", ", info.key, "=");
          AppendValue(info.key, field, out_);
        });
  }

  void PrintCall(absl::string_view key, ComputationIndex callee) {
    absl::StrAppend(&out_, ", ", key, "=");
    AppendName(module_.computations[callee].name, out_);
  }

  void PrintCallList(absl::string_view key, const Instruction& instruction) {
    absl::StrAppend(&out_, ", ", key, "={");
    for (size_t i = 0; i < instruction.called.size(); ++i) {
      if (i > 0) absl::StrAppend(&out_, ", ");
      AppendName(module_.computations[instruction.called[i]].name, out_);
    }
    out_.push_back('}');
  }

  void PrintBranches(const Instruction& instruction) {
    const auto& called = instruction.called;
    const bool is_pred = !instruction.operands.empty() &&
                         computation_.instructions[instruction.operands[0]].shape.element_type() ==
                             ElementType::kPred;
    if (!is_pred || called.size() != 2) {
      PrintCallList("branch_computations", instruction);
      return;
    }
    PrintCall("true_computation", called[0]);
    PrintCall("false_computation", called[1]);
  }

  void PrintCalls(const Instruction& instruction) {
    const auto& called = instruction.called;
    if (called.empty()) return;
    switch (Info(instruction.opcode).calls) {
      case Calls::kNone:
        return;
      case Calls::kToApply:
      case Calls::kOptionalToApply:
        PrintCall("to_apply", called[0]);
        return;
      case Calls::kCalls:
      case Calls::kOptionalCalls:
        PrintCall("calls", called[0]);
        return;
      case Calls::kSelectScatter:
        PrintCall("select", called[0]);
        if (called.size() > 1) PrintCall("scatter", called[1]);
        return;
      case Calls::kBodyCondition:
        if (called.size() > 1) PrintCall("condition", called[1]);
        PrintCall("body", called[0]);
        return;
      case Calls::kBranches:
        PrintBranches(instruction);
        return;
      case Calls::kAnyNumber:
        if (called.size() == 1 && instruction.As<CustomCallAttributes>().to_apply) {
          PrintCall("to_apply", called[0]);
        } else {
          PrintCallList("called_computations", instruction);
        }
        return;
    }
  }

  void PrintPredecessors(absl::Span<const InstructionIndex> predecessors) {
    if (predecessors.empty()) return;
    absl::StrAppend(&out_, ", control-predecessors={");
    for (size_t i = 0; i < predecessors.size(); ++i) {
      if (i > 0) absl::StrAppend(&out_, ", ");
      AppendName(computation_.instructions[predecessors[i]].name, out_);
    }
    out_.push_back('}');
  }

  void PrintBackendConfig(const Extras& extras) {
    if (extras.backend_config.empty()) return;
    absl::StrAppend(&out_, ", backend_config=");
    if (extras.backend_config_is_json && text::IsBracedGroup(extras.backend_config)) {
      absl::StrAppend(&out_, extras.backend_config);
    } else {
      text::AppendQuoted(extras.backend_config, out_);
    }
  }

  void PrintCommon(const Instruction& instruction) {
    const Extras none;
    const Extras& extras = instruction.extras ? *instruction.extras : none;
    if (extras.sharding) {
      absl::StrAppend(&out_, ", sharding=");
      text::AppendSharding(*extras.sharding, out_);
    }
    if (!extras.frontend_attributes.empty()) {
      absl::StrAppend(&out_, ", frontend_attributes=");
      text::AppendFrontendAttributes(extras.frontend_attributes, out_);
    }
    PrintPredecessors(extras.control_predecessors);
    if (options_.metadata) PrintMetadata(instruction, extras);
    PrintBackendConfig(extras);
    for (const auto& [key, value] : extras.unknown_text) {
      absl::StrAppend(&out_, ", ", key, "=", value);
    }
  }

  void PrintMetadata(const Instruction& instruction, const Extras& extras) {
    if (!extras.original_value.empty()) {
      absl::StrAppend(&out_, ", origin=", extras.original_value);
    }
    if (!extras.statistics.empty()) absl::StrAppend(&out_, ", statistics=", extras.statistics);
    if (instruction.metadata) {
      absl::StrAppend(&out_, ", metadata=");
      text::AppendMetadata(*instruction.metadata, out_);
    }
  }

  const Module& module_;
  const Computation& computation_;
  const PrintOptions& options_;
  std::string& out_;
};

// The schedule's order if it is one: every instruction once, operands first. Else file order.
std::vector<InstructionIndex> PrintOrder(const Module& module, ComputationIndex index) {
  const Computation& computation = module.computations[index];
  const size_t count = computation.instructions.size();
  std::vector<InstructionIndex> order(count);
  for (InstructionIndex i = 0; i < count; ++i) order[i] = i;
  const auto scheduled = module.config.schedule.find(index);
  if (!module.config.is_scheduled || scheduled == module.config.schedule.end() ||
      scheduled->second.size() != count) {
    return order;
  }
  std::vector<bool> done(count);
  for (const InstructionIndex i : scheduled->second) {
    if (i >= count || done[i]) return order;
    for (const InstructionIndex operand : computation.instructions[i].operands) {
      if (!done[operand]) return order;
    }
    done[i] = true;
  }
  return scheduled->second;
}

void PrintDeclared(const ProgramShape& declared, std::string& out) {
  absl::StrAppend(&out, "(");
  for (size_t i = 0; i < declared.parameters.size(); ++i) {
    if (i > 0) absl::StrAppend(&out, ", ");
    if (i > 0 && i % 5 == 0) absl::StrAppend(&out, "/*index=", i, "*/");
    const std::string name = i < declared.parameter_names.size() ? declared.parameter_names[i] : "";
    if (text::IsBareName(name)) {
      absl::StrAppend(&out, name);
    } else {
      AppendName(name, out);
    }
    absl::StrAppend(&out, ": ", declared.parameters[i].ToString());
  }
  absl::StrAppend(&out, ") -> ", declared.result.ToString(), " ");
}

void PrintComputation(const Module& module, ComputationIndex index, const text::AsyncSugar& sugar,
                      const PrintOptions& options, std::string& out) {
  const Computation& computation = module.computations[index];
  if (index == module.entry) absl::StrAppend(&out, "ENTRY ");
  AppendName(computation.name, out);
  out.push_back(' ');
  if (computation.declared.has_value()) PrintDeclared(*computation.declared, out);
  absl::StrAppend(&out, "{\n");
  const std::vector<const Instruction*> wrapped = sugar.WrappedBy(computation);
  InstructionPrinter printer(module, computation, options, out);
  for (const InstructionIndex i : PrintOrder(module, index)) {
    absl::StrAppend(&out, i == computation.root ? "  ROOT " : "  ");
    printer.Print(computation.instructions[i], wrapped.empty() ? nullptr : wrapped[i]);
    out.push_back('\n');
  }
  out.push_back('}');
  if (!computation.execution_thread.empty()) {
    absl::StrAppend(&out, ", execution_thread=");
    text::AppendQuoted(computation.execution_thread, out);
  }
  out.push_back('\n');
}

}  // namespace

std::string PrintModule(const Module& module, const PrintOptions& options) {
  std::string out;
  text::AppendHeader(module, options, out);
  const text::AsyncSugar sugar(module);
  for (ComputationIndex i = 0; i < module.computations.size(); ++i) {
    if (sugar.IsImplied(i)) continue;
    out.push_back('\n');
    PrintComputation(module, i, sugar, options, out);
  }
  return out;
}

std::string PrintInstruction(const Module& module, const Computation& computation,
                             const Instruction& instruction, const PrintOptions& options) {
  std::string out;
  InstructionPrinter(module, computation, options, out).Print(instruction, nullptr);
  return out;
}

std::string PrintSharding(const Sharding& sharding) {
  std::string out;
  text::AppendSharding(sharding, out);
  return out;
}

}  // namespace axle::hlo
