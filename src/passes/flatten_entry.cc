// SPDX-License-Identifier: Apache-2.0
#include "passes/flatten_entry.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/leaves.h"
#include "hlo/ops/builder.h"
#include "hlo/sharding_leaves.h"
#include "passes/errors.h"

namespace axle::passes {
namespace {

using hlo::Instruction;
using hlo::InstructionIndex;
using hlo::Module;
using hlo::Opcode;
using hlo::Shape;
using hlo::Sharding;

absl::Status CheckLeaves(const std::vector<Shape>& leaves, const std::string& what) {
  for (const Shape& leaf : leaves) {
    if (leaf.IsArray()) continue;
    return MakeError(errors::kEntryNotArrays,
                     absl::StrCat(what, " contains ", leaf.ToString(false)));
  }
  return absl::OkStatus();
}

bool IsFlatResult(const Shape& shape) {
  if (!shape.IsTuple()) return true;
  for (const Shape& element : shape.tuple_shapes()) {
    if (!element.IsArray()) return false;
  }
  return true;
}

// Leaves of `shape` that come before the one at `index`; none when `index` names no leaf.
std::optional<int64_t> LeafNumber(const Shape& shape, absl::Span<const int64_t> index) {
  const Shape* at = &shape;
  int64_t before = 0;
  for (const int64_t i : index) {
    if (!at->IsTuple() || i < 0 || i >= static_cast<int64_t>(at->tuple_shapes().size())) {
      return std::nullopt;
    }
    for (int64_t j = 0; j < i; ++j) before += at->tuple_shape(j).LeafCount();
    at = &at->tuple_shape(i);
  }
  if (at->IsTuple()) return std::nullopt;
  return before;
}

// One sharding a leaf of `shape`. Nothing checks the shardings of the whole program against its
// parameters; one that does not fit is dropped.
std::vector<Sharding> CopiedLeafShardings(const Sharding& sharding, const Shape& shape) {
  std::vector<Sharding> copies;
  const auto shardings = hlo::LeafShardings(shape, sharding);
  if (!shardings.has_value()) return std::vector<Sharding>(shape.LeafCount());
  for (const Sharding* const leaf : *shardings) copies.push_back(*leaf);
  return copies;
}

class Flattener {
 public:
  explicit Flattener(const Module& module)
      : module_(module),
        entry_(module.entry_computation()),
        signature_(hlo::ProgramShapeOf(entry_)) {
    int64_t first = 0;
    for (const Shape& parameter : signature_.parameters) {
      first_leaf_.push_back(first);
      first += parameter.LeafCount();
    }
    first_leaf_.push_back(first);
    for (const Instruction& instruction : entry_.instructions) {
      if (instruction.opcode != Opcode::kParameter) names_.Add(instruction.name);
    }
  }

  absl::Status Check() const {
    for (size_t i = 0; i < signature_.parameters.size(); ++i) {
      std::vector<Shape> leaves;
      hlo::AppendLeaves(signature_.parameters[i], &leaves);
      AXLE_RETURN_IF_ERROR(
          CheckLeaves(leaves, absl::StrCat("parameter ", i, " of module ", module_.name)));
    }
    std::vector<Shape> leaves;
    hlo::AppendLeaves(signature_.result, &leaves);
    return CheckLeaves(leaves, absl::StrCat("the result of module ", module_.name));
  }

  bool IsFlat() const {
    for (const Shape& parameter : signature_.parameters) {
      if (parameter.IsTuple()) return false;
    }
    return IsFlatResult(signature_.result);
  }

  Module Run() {
    Module out = module_;
    hlo::Computation& entry = out.entry_computation();
    entry.instructions.clear();
    entry.declared.reset();
    for (InstructionIndex i = 0; i < entry_.instructions.size(); ++i) {
      const Instruction& instruction = entry_.instructions[i];
      if (instruction.opcode == Opcode::kParameter) {
        mapped_.push_back(AddParameter(instruction, &entry));
      } else {
        mapped_.push_back(AddCopy(instruction, &entry));
      }
    }
    entry.root = IsFlatResult(signature_.result) ? mapped_[entry_.root]
                                                 : AddFlatRoot(mapped_[entry_.root], &entry);
    MapControlPredecessors(&entry);
    MapConfig(&out.config);
    return out;
  }

 private:
  // Adds an instruction of the pass's own; its name gives way to names that are taken.
  InstructionIndex AddNew(Instruction instruction, hlo::Computation* entry) {
    instruction.name = names_.Unique(instruction.name);
    return Add(std::move(instruction), entry);
  }

  InstructionIndex Add(Instruction instruction, hlo::Computation* entry) {
    entry->instructions.push_back(std::move(instruction));
    return static_cast<InstructionIndex>(entry->instructions.size() - 1);
  }

  InstructionIndex AddCopy(const Instruction& instruction, hlo::Computation* entry) {
    Instruction copy = instruction;
    for (InstructionIndex& operand : copy.operands) operand = mapped_[operand];
    return Add(std::move(copy), entry);
  }

  InstructionIndex AddTuple(std::vector<InstructionIndex> elements, const std::string& name,
                            hlo::Computation* entry) {
    Instruction tuple;
    tuple.opcode = Opcode::kTuple;
    tuple.name = name;
    std::vector<Shape> shapes;
    for (const InstructionIndex i : elements) shapes.push_back(entry->instructions[i].shape);
    tuple.shape = Shape::Tuple(std::move(shapes));
    tuple.operands.assign(elements.begin(), elements.end());
    return AddNew(std::move(tuple), entry);
  }

  // The parameter's leaves, put together again as tuples; the index of the whole.
  InstructionIndex AddParameter(const Instruction& parameter, hlo::Computation* entry) {
    const auto& attributes = parameter.As<hlo::ParameterAttributes>();
    std::vector<Sharding> shardings;
    if (const Sharding* const sharding = parameter.sharding()) {
      shardings = CopiedLeafShardings(*sharding, parameter.shape);
    }
    int64_t leaf = 0;
    return AddParameterPart(parameter, parameter.shape, parameter.name, attributes, shardings,
                            &leaf, entry);
  }

  InstructionIndex AddParameterPart(const Instruction& parameter, const Shape& shape,
                                    const std::string& name,
                                    const hlo::ParameterAttributes& attributes,
                                    const std::vector<Sharding>& shardings, int64_t* leaf,
                                    hlo::Computation* entry) {
    if (shape.IsTuple()) {
      std::vector<InstructionIndex> elements;
      for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
        elements.push_back(AddParameterPart(parameter, shape.tuple_shapes()[i],
                                            absl::StrCat(name, ".", i), attributes, shardings, leaf,
                                            entry));
      }
      return AddTuple(std::move(elements), name, entry);
    }
    Instruction array = parameter;
    array.name = name;
    array.shape = shape;
    auto& own = array.As<hlo::ParameterAttributes>();
    own.number = first_leaf_[attributes.number] + *leaf;
    own.replication.clear();
    if (*leaf < static_cast<int64_t>(attributes.replication.size())) {
      own.replication.push_back(attributes.replication[*leaf]);
    }
    if (!shardings.empty()) {
      array.extras->sharding = std::make_unique<Sharding>(shardings[*leaf]);
    }
    ++*leaf;
    return AddNew(std::move(array), entry);
  }

  void AppendResultLeaves(InstructionIndex value, std::vector<InstructionIndex>* leaves,
                          hlo::Computation* entry) {
    // By value: adding instructions moves the vector they live in.
    const Shape shape = entry->instructions[value].shape;
    if (!shape.IsTuple()) {
      leaves->push_back(value);
      return;
    }
    const bool made_here = entry->instructions[value].opcode == Opcode::kTuple;
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      if (made_here) {
        AppendResultLeaves(entry->instructions[value].operands[i], leaves, entry);
        continue;
      }
      Instruction element;
      element.opcode = Opcode::kGetTupleElement;
      element.name = absl::StrCat(entry->instructions[value].name, ".", i);
      element.shape = shape.tuple_shapes()[i];
      element.operands.push_back(value);
      element.attributes = hlo::Attributes(hlo::GetTupleElementAttributes{static_cast<int64_t>(i)});
      AppendResultLeaves(AddNew(std::move(element), entry), leaves, entry);
    }
  }

  InstructionIndex AddFlatRoot(InstructionIndex root, hlo::Computation* entry) {
    std::vector<InstructionIndex> leaves;
    AppendResultLeaves(root, &leaves, entry);
    const InstructionIndex flat =
        AddTuple(std::move(leaves), absl::StrCat(entry->instructions[root].name, ".flat"), entry);
    if (const Sharding* sharding = entry->instructions[root].sharding()) {
      Sharding tuple;
      tuple.type = Sharding::Type::kTuple;
      tuple.elements = CopiedLeafShardings(*sharding, signature_.result);
      entry->instructions[flat].mutable_extras().sharding =
          std::make_unique<Sharding>(std::move(tuple));
    }
    return flat;
  }

  void MapControlPredecessors(hlo::Computation* entry) const {
    for (Instruction& instruction : entry->instructions) {
      if (!instruction.extras) continue;
      for (InstructionIndex& i : instruction.extras->control_predecessors) i = mapped_[i];
    }
  }

  // The flat number of a leaf of a parameter.
  std::optional<int64_t> FlatParameter(int64_t parameter, absl::Span<const int64_t> index) const {
    const auto leaf = LeafNumber(signature_.parameters[parameter], index);
    if (!leaf.has_value()) return std::nullopt;
    return first_leaf_[parameter] + *leaf;
  }

  void MapAliases(hlo::ModuleConfig* config) const {
    std::vector<hlo::InputOutputAlias> aliases;
    for (hlo::InputOutputAlias alias : config->aliases) {
      const auto parameter = FlatParameter(alias.parameter, alias.parameter_index);
      const auto result = LeafNumber(signature_.result, alias.output_index);
      if (!parameter.has_value() || !result.has_value()) continue;  // a tuple's own table of leaves
      alias.parameter = *parameter;
      alias.parameter_index.clear();
      if (signature_.result.IsTuple()) alias.output_index = {*result};
      aliases.push_back(std::move(alias));
    }
    config->aliases = std::move(aliases);
    std::vector<hlo::BufferDonor> donors;
    for (const hlo::BufferDonor& donor : config->donors) {
      const auto parameter = FlatParameter(donor.parameter, donor.parameter_index);
      if (parameter.has_value()) donors.push_back({*parameter, {}});
    }
    config->donors = std::move(donors);
    std::vector<hlo::CrossProgramPrefetch> prefetches;
    for (hlo::CrossProgramPrefetch prefetch : config->cross_program_prefetches) {
      const auto parameter = FlatParameter(prefetch.parameter, prefetch.index);
      if (!parameter.has_value()) continue;
      prefetch.parameter = *parameter;
      prefetch.index.clear();
      prefetches.push_back(std::move(prefetch));
    }
    config->cross_program_prefetches = std::move(prefetches);
  }

  // Repeats a flag a parameter for each of its leaves; a single flag speaks for all and stays.
  std::vector<bool> FlattenFlags(const std::vector<bool>& flags) const {
    if (flags.size() != signature_.parameters.size() || flags.size() == 1) return flags;
    std::vector<bool> flat;
    for (size_t i = 0; i < flags.size(); ++i) {
      flat.insert(flat.end(), first_leaf_[i + 1] - first_leaf_[i], flags[i]);
    }
    return flat;
  }

  void MapConfig(hlo::ModuleConfig* config) const {
    MapAliases(config);
    if (config->entry_layout.has_value()) {
      hlo::ProgramShape flat;
      for (const Shape& parameter : config->entry_layout->parameters) {
        hlo::AppendLeaves(parameter, &flat.parameters);
      }
      flat.result = config->entry_layout->result;
      if (!IsFlatResult(flat.result)) {
        std::vector<Shape> leaves;
        hlo::AppendLeaves(flat.result, &leaves);
        flat.result = Shape::Tuple(std::move(leaves));
      }
      config->entry_layout = std::move(flat);
    }
    if (config->spmd_parameter_shardings.size() == signature_.parameters.size()) {
      std::vector<Sharding> flat;
      for (size_t i = 0; i < signature_.parameters.size(); ++i) {
        for (Sharding& leaf :
             CopiedLeafShardings(config->spmd_parameter_shardings[i], signature_.parameters[i])) {
          flat.push_back(std::move(leaf));
        }
      }
      config->spmd_parameter_shardings = std::move(flat);
    }
    config->allow_spmd_sharding_propagation_to_parameters =
        FlattenFlags(config->allow_spmd_sharding_propagation_to_parameters);
    config->schedule.clear();
    config->is_scheduled = false;
  }

  const Module& module_;
  const hlo::Computation& entry_;
  const hlo::ProgramShape signature_;
  std::vector<int64_t> first_leaf_;  // flat number of a parameter's first leaf; one past the end
  std::vector<InstructionIndex> mapped_;  // by index in the old entry
  hlo::NameSet names_;                    // taken in the new entry
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Module>> FlattenEntry(std::shared_ptr<const Module> module) {
  Flattener flattener(*module);
  AXLE_RETURN_IF_ERROR(flattener.Check());
  if (flattener.IsFlat()) return module;
  return std::make_shared<const Module>(flattener.Run());
}

}  // namespace axle::passes
