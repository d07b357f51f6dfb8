// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/async_sugar.h"

#include <algorithm>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "hlo/text/name_uniquer.h"

namespace axle::hlo::text {
namespace {

// The extras that the reader copies from a start to what it wraps, and no others.
bool ExtrasFollow(const Instruction& start, const Instruction& root) {
  if (start.metadata != root.metadata) return false;
  const Extras none;
  const Extras& a = start.extras ? *start.extras : none;
  const Extras& b = root.extras ? *root.extras : none;
  return (start.extras != nullptr) == (root.extras != nullptr) && !b.sharding &&
         b.control_predecessors.empty() && b.unknown_text.empty() && b.unknown_wire.empty() &&
         b.original_value_wire.empty() && a.frontend_attributes == b.frontend_attributes &&
         a.backend_config == b.backend_config &&
         a.backend_config_is_json == b.backend_config_is_json &&
         a.original_value == b.original_value && a.statistics == b.statistics;
}

// Whether "<name>-start" would be read as the start of this opcode.
bool HasShortForm(Opcode opcode) {
  for (const absl::string_view suffix : {"-start", "-update", "-done"}) {
    if (OpcodeFromName(absl::StrCat(Name(opcode), suffix)).has_value()) return false;
  }
  return opcode != Opcode::kParameter && opcode != Opcode::kConstant;
}

bool IsPlainParameter(const Instruction& parameter, int64_t number, const Shape& shape,
                      NameUniquer& names) {
  return parameter.opcode == Opcode::kParameter && parameter.shape == shape &&
         parameter.As<ParameterAttributes>().number == number &&
         parameter.As<ParameterAttributes>().replication.empty() && !parameter.metadata &&
         !parameter.extras &&
         parameter.name == names.Unique(kWrappedParameterName, [](auto) { return false; });
}

}  // namespace

AsyncSugar::AsyncSugar(const Module& module)
    : module_(module), implied_(module.computations.size()) {
  FindCandidates();
  if (!NamesComeBack()) std::fill(implied_.begin(), implied_.end(), false);
}

// The start calls one operation on parameters, all just as the reader would make them.
bool AsyncSugar::IsSimple(const Instruction& start, const Computation& outer) const {
  const Computation& inner = module_.computations[start.called[0]];
  const size_t count = start.operands.size();
  if (inner.instructions.size() != count + 1 || inner.root != count) return false;
  const Instruction& root = inner.root_instruction();
  if (!HasShortForm(root.opcode) || root.name != kWrappedRootName || !ExtrasFollow(start, root)) {
    return false;
  }
  if (start.shape.tuple_shapes().size() < 2 || start.shape.tuple_shape(1) != root.shape) {
    return false;
  }
  if (inner.declared.has_value() || inner.is_fusion || !inner.unknown_wire.empty() ||
      inner.execution_thread != start.As<AsyncAttributes>().execution_thread) {
    return false;
  }
  NameUniquer names;
  for (size_t i = 0; i < count; ++i) {
    const Shape& shape = outer.instructions[start.operands[i]].shape;
    if (root.operands.size() != count || root.operands[i] != i ||
        !IsPlainParameter(inner.instructions[i], i, shape, names)) {
      return false;
    }
  }
  return root.operands.size() == count;
}

// The reader puts implied computations right before the one that implies them, in order.
void AsyncSugar::FindCandidates() {
  std::vector<uint32_t> callers(module_.computations.size());
  for (const Computation& computation : module_.computations) {
    for (const Instruction& instruction : computation.instructions) {
      for (const ComputationIndex callee : instruction.called) ++callers[callee];
    }
  }
  for (ComputationIndex i = 0; i < module_.computations.size(); ++i) {
    const Computation& outer = module_.computations[i];
    std::vector<ComputationIndex> implied;
    for (const Instruction& start : outer.instructions) {
      if (start.opcode != Opcode::kAsyncStart || start.called.size() != 1) continue;
      const ComputationIndex inner = start.called[0];
      if (callers[inner] == 1 && inner != i && inner != module_.entry && IsSimple(start, outer)) {
        implied.push_back(inner);
      }
    }
    bool in_place = implied.size() <= i;
    for (size_t k = 0; in_place && k < implied.size(); ++k) {
      in_place = implied[k] == i - implied.size() + k;
    }
    for (const ComputationIndex inner : implied) implied_[inner] = in_place;
  }
}

// Names are given in order to what the text leaves without one.
bool AsyncSugar::NamesComeBack() const {
  absl::flat_hash_set<absl::string_view> printed;
  for (ComputationIndex i = 0; i < module_.computations.size(); ++i) {
    if (!implied_[i]) printed.insert(module_.computations[i].name);
  }
  NameUniquer names;
  const auto is_taken = [&](absl::string_view name) { return printed.contains(name); };
  for (ComputationIndex i = 0; i < module_.computations.size(); ++i) {
    if (!implied_[i]) continue;
    if (module_.computations[i].name != names.Unique(kWrappedComputationName, is_taken)) {
      return false;
    }
  }
  return true;
}

std::vector<const Instruction*> AsyncSugar::WrappedBy(const Computation& computation) const {
  std::vector<const Instruction*> wrapped;
  for (size_t i = 0; i < computation.instructions.size(); ++i) {
    const Instruction& instruction = computation.instructions[i];
    const Instruction* inner = nullptr;
    if (instruction.opcode == Opcode::kAsyncStart && instruction.called.size() == 1 &&
        implied_[instruction.called[0]]) {
      inner = &module_.computations[instruction.called[0]].root_instruction();
    } else if ((instruction.opcode == Opcode::kAsyncUpdate ||
                instruction.opcode == Opcode::kAsyncDone) &&
               instruction.called.empty() && instruction.operands.size() == 1 &&
               instruction.operands[0] < wrapped.size()) {
      inner = wrapped[instruction.operands[0]];
    }
    if (inner == nullptr && wrapped.empty()) continue;
    wrapped.resize(computation.instructions.size());
    wrapped[i] = inner;
  }
  return wrapped;
}

}  // namespace axle::hlo::text
