// SPDX-License-Identifier: Apache-2.0
// Equivalent and EquivalenceHash walk the same way: from the entry, computations in the order in
// which instructions first call them. What one ignores the other must ignore too.
#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "hlo/compare.h"
#include "hlo/fields.h"
#include "hlo/stable_hash.h"

namespace axle::hlo {
namespace {

constexpr ComputationIndex kNone = std::numeric_limits<ComputationIndex>::max();

// An empty permutation is the identity.
bool SamePermutations(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  if (a.size() == b.size()) return a == b;
  const std::vector<int64_t>& longer = a.empty() ? b : a;
  if (!a.empty() && !b.empty()) return false;
  for (size_t i = 0; i < longer.size(); ++i) {
    if (longer[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

bool SameShardings(const Sharding& a, const Sharding& b) {
  if (a.type != b.type || a.tile_dimensions != b.tile_dimensions || a.devices != b.devices ||
      a.iota_reshape_dims != b.iota_reshape_dims ||
      !SamePermutations(a.iota_transpose_perm, b.iota_transpose_perm) ||
      a.replicate_on_last_tile_dim != b.replicate_on_last_tile_dim ||
      a.last_tile_dims != b.last_tile_dims || a.is_shard_group != b.is_shard_group ||
      a.shard_group_id != b.shard_group_id || a.shard_group_type != b.shard_group_type ||
      a.unparsed != b.unparsed || a.unknown_wire != b.unknown_wire) {
    return false;
  }
  return std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(), b.elements.end(),
                    SameShardings);
}

template <typename T>
bool SameOptional(const T& a, const T& b) {
  return a && b ? SameShardings(*a, *b) : !a && !b;
}

// Parameters by number and the result, of the entry as declared or else as its instructions are, in
// row-major order where nothing says otherwise. Takes modules that nothing has verified.
std::vector<Shape> EntryLayout(const Module& module) {
  std::vector<Shape> shapes;
  if (const auto& declared = module.config.entry_layout) {
    shapes = declared->parameters;
    shapes.push_back(declared->result);
  } else {
    const Computation& entry = module.entry_computation();
    std::vector<std::pair<int64_t, Shape>> parameters;
    for (const Instruction& instruction : entry.instructions) {
      if (instruction.opcode != Opcode::kParameter) continue;
      parameters.emplace_back(instruction.As<ParameterAttributes>().number, instruction.shape);
    }
    std::stable_sort(parameters.begin(), parameters.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    for (auto& [number, shape] : parameters) shapes.push_back(std::move(shape));
    shapes.push_back(entry.root_instruction().shape);
  }
  for (Shape& shape : shapes) shape = shape.WithDefaultLayouts();
  return shapes;
}

bool SameEntryLayouts(const Module& a, const Module& b) {
  const auto& x = a.config.entry_layout;
  const auto& y = b.config.entry_layout;
  const bool same = x && y && x->parameters == y->parameters && x->result == y->result;
  return same || EntryLayout(a) == EntryLayout(b);
}

bool SameConfigs(const ModuleConfig& a, const ModuleConfig& b) {
  return a.is_scheduled == b.is_scheduled && a.replica_count == b.replica_count &&
         a.num_partitions == b.num_partitions && a.aliases == b.aliases && a.donors == b.donors &&
         a.cross_program_prefetches == b.cross_program_prefetches &&
         a.frontend_attributes == b.frontend_attributes &&
         a.allow_spmd_sharding_propagation_to_parameters ==
             b.allow_spmd_sharding_propagation_to_parameters &&
         a.allow_spmd_sharding_propagation_to_output ==
             b.allow_spmd_sharding_propagation_to_output &&
         std::equal(a.spmd_parameter_shardings.begin(), a.spmd_parameter_shardings.end(),
                    b.spmd_parameter_shardings.begin(), b.spmd_parameter_shardings.end(),
                    SameShardings) &&
         SameOptional(a.spmd_output_sharding, b.spmd_output_sharding) &&
         a.use_auto_spmd_partitioning == b.use_auto_spmd_partitioning &&
         a.is_dynamic == b.is_dynamic && a.unknown_text == b.unknown_text &&
         a.unknown_wire == b.unknown_wire;
}

bool SameAttributes(const Attributes& a, const Attributes& b) {
  if (a.family() != b.family()) return false;
  bool same = true;
  a.Visit([&]<typename T>(const T& x) {
    if constexpr (FamilyOf<T> != AttributeFamily::kNone) {
      ForEachFieldPair(x, b.As<T>(), [&](const FieldInfo& info, const auto& f, const auto& g) {
        if (info.semantic) same = same && FieldsEqual(f, g);
      });
    }
  });
  return same;
}

bool SameExtras(const Instruction& a, const Instruction& b) {
  if (!a.extras && !b.extras) return true;
  const Extras none;
  const Extras& x = a.extras ? *a.extras : none;
  const Extras& y = b.extras ? *b.extras : none;
  return SameOptional(x.sharding, y.sharding) && x.frontend_attributes == y.frontend_attributes &&
         x.backend_config == y.backend_config && x.control_predecessors == y.control_predecessors &&
         x.unknown_text == y.unknown_text && x.unknown_wire == y.unknown_wire;
}

// Pairs computations of two modules as calls meet them; a pair is compared once.
class Matcher {
 public:
  Matcher(const Module& a, const Module& b)
      : a_(a), b_(b), to_b_(a.computations.size(), kNone), to_a_(b.computations.size(), kNone) {}

  bool Match() {
    if (!SameConfigs(a_.config, b_.config) || !SameEntryLayouts(a_, b_) ||
        !Pair(a_.entry, b_.entry)) {
      return false;
    }
    for (size_t next = 0; next < found_.size(); ++next) {
      if (!SameComputations(found_[next], to_b_[found_[next]])) return false;
    }
    return true;
  }

 private:
  bool Pair(ComputationIndex a, ComputationIndex b) {
    if (to_b_[a] == b && to_a_[b] == a) return true;
    if (to_b_[a] != kNone || to_a_[b] != kNone) return false;
    to_b_[a] = b;
    to_a_[b] = a;
    found_.push_back(a);
    return true;
  }

  bool SameSchedules(ComputationIndex a, ComputationIndex b) const {
    const auto x = a_.config.schedule.find(a);
    const auto y = b_.config.schedule.find(b);
    const bool has_x = x != a_.config.schedule.end();
    const bool has_y = y != b_.config.schedule.end();
    return has_x && has_y ? x->second == y->second : has_x == has_y;
  }

  bool SameComputations(ComputationIndex a, ComputationIndex b) {
    const Computation& x = a_.computations[a];
    const Computation& y = b_.computations[b];
    if (x.instructions.size() != y.instructions.size() || x.root != y.root ||
        x.execution_thread != y.execution_thread || x.unknown_wire != y.unknown_wire ||
        !SameSchedules(a, b)) {
      return false;
    }
    for (size_t i = 0; i < x.instructions.size(); ++i) {
      if (!SameInstructions(x.instructions[i], y.instructions[i])) return false;
    }
    return true;
  }

  bool SameInstructions(const Instruction& x, const Instruction& y) {
    if (x.opcode != y.opcode || x.shape != y.shape || x.operands != y.operands ||
        x.called.size() != y.called.size() || !SameAttributes(x.attributes, y.attributes) ||
        !SameExtras(x, y)) {
      return false;
    }
    for (size_t i = 0; i < x.called.size(); ++i) {
      if (!Pair(x.called[i], y.called[i])) return false;
    }
    return true;
  }

  const Module& a_;
  const Module& b_;
  std::vector<ComputationIndex> to_b_, to_a_;
  std::vector<ComputationIndex> found_;  // of a, in the order in which they were met
};

// One overload a field type; each leaves out what compares equal in more than one way.
class FieldHasher {
 public:
  explicit FieldHasher(StableHash& hash) : hash_(hash) {}

  template <typename T>
    requires(std::is_enum_v<T> || std::is_integral_v<T>)
  void Add(T value) {
    hash_.Add(static_cast<uint64_t>(value));
  }
  // By wire number: the enumerators move when rows are added.
  void Add(ElementType type) { hash_.Add(Info(type).wire_number); }
  void Add(float value) { hash_.Add(std::bit_cast<uint32_t>(value)); }
  void Add(const std::string& value) { hash_.AddText(value); }
  void Add(const Shape& shape) {
    Add(shape.element_type());
    Add(shape.rank());
    for (int i = 0; i < shape.rank(); ++i) {
      Add(shape.dimension(i));
      Add(shape.is_dynamic(i));
    }
    if (const Layout* const layout = shape.layout()) {
      for (const int64_t dimension : layout->minor_to_major) Add(dimension);
      Add(layout->tiles.size());
      Add(layout->memory_space);
    }
    for (const Shape& element : shape.tuple_shapes()) Add(element);
  }
  void Add(const Literal& literal) {
    hash_.AddBytes(literal.bytes().data(), literal.bytes().size());
    for (const Literal& element : literal.elements()) Add(element);
  }
  void Add(const std::shared_ptr<const Literal>& literal) {
    if (literal) Add(*literal);
  }
  template <typename T>
  void Add(const std::vector<T>& values) {
    hash_.Add(values.size());
    for (const auto& value : values) Add(static_cast<const T&>(value));
  }
  template <typename T>
  void Add(const std::optional<T>& value) {
    Add(value.has_value());
    if (value.has_value()) Add(*value);
  }
  void Add(const OperandPrecision& value) { Add(value.values); }
  void Add(const ResultAccuracy& value) {
    Add(value.mode);
    if (value.tolerance.has_value()) Add(value.tolerance->ulps);
  }
  void Add(const WindowConfig& value) { Add(value.dimensions); }
  void Add(const WindowDimension& value) {
    for (const int64_t number : {value.size, value.stride, value.padding_low, value.padding_high,
                                 value.window_dilation, value.base_dilation}) {
      Add(number);
    }
    Add(value.window_reversal);
  }
  void Add(const PaddingConfig& value) { Add(value.dimensions); }
  void Add(const PaddingDimension& value) {
    for (const int64_t number : {value.low, value.high, value.interior}) Add(number);
  }
  void Add(const SliceConfig& value) { Add(value.dimensions); }
  void Add(const SliceDimension& value) {
    for (const int64_t number : {value.start, value.limit, value.stride}) Add(number);
  }
  void Add(const ConvolutionDimensions& value) {
    for (const int64_t number :
         {value.input_batch, value.input_feature, value.kernel_input_feature,
          value.kernel_output_feature, value.output_batch, value.output_feature}) {
      Add(number);
    }
    for (const auto* spatial :
         {&value.input_spatial, &value.kernel_spatial, &value.output_spatial}) {
      Add(*spatial);
    }
  }
  void Add(const ReplicaGroups& value) {
    Add(value.kind);
    Add(value.groups);
    Add(value.group_count);
    Add(value.group_size);
    Add(value.reshape_dims);
    Add(value.transpose_perm);
    Add(value.mesh);
  }
  void Add(const SourceTargetPairs& value) {
    for (const auto& [source, target] : value.pairs) {
      Add(source);
      Add(target);
    }
  }
  void Add(const OutputOperandAlias& value) {
    Add(value.output_index);
    Add(value.operand);
    Add(value.operand_index);
  }
  void Add(const Sharding& value) {  // without the permutation, which has two forms of identity
    Add(value.type);
    Add(value.tile_dimensions);
    Add(value.devices);
    Add(value.iota_reshape_dims);
    Add(value.last_tile_dims);
    Add(value.unparsed);
    Add(value.elements);
  }
  void Add(const DomainShardings& value) {
    Add(value.entry);
    Add(value.exit);
  }

 private:
  StableHash& hash_;
};

class ModuleHasher {
 public:
  explicit ModuleHasher(const Module& module)
      : module_(module), numbers_(module.computations.size(), kNone), fields_(hash_) {}

  uint64_t Hash() {
    AddConfig();
    Number(module_.entry);
    for (size_t next = 0; next < found_.size(); ++next) {
      const Computation& computation = module_.computations[found_[next]];
      hash_.Add(computation.instructions.size());
      hash_.Add(computation.root);
      for (const Instruction& instruction : computation.instructions) AddInstruction(instruction);
    }
    return hash_.value();
  }

 private:
  // The number of a computation in the order in which calls meet them.
  uint64_t Number(ComputationIndex computation) {
    if (numbers_[computation] == kNone) {
      numbers_[computation] = found_.size();
      found_.push_back(computation);
    }
    return numbers_[computation];
  }

  void AddConfig() {
    const ModuleConfig& config = module_.config;
    hash_.Add(config.replica_count);
    hash_.Add(config.num_partitions);
    hash_.Add(config.is_scheduled);
    hash_.Add(config.aliases.size());
    hash_.Add(config.donors.size());
    fields_.Add(EntryLayout(module_));
    AddFrontend(config.frontend_attributes);
  }

  void AddFrontend(const FrontendAttributes& attributes) {
    for (const auto& [key, value] : attributes) {
      hash_.AddText(key);
      hash_.AddText(value);
    }
  }

  void AddInstruction(const Instruction& instruction) {
    // By name: the numbers of opcodes move when rows are added.
    hash_.AddText(Name(instruction.opcode));
    fields_.Add(instruction.shape);
    hash_.Add(instruction.operands.size());
    for (const InstructionIndex operand : instruction.operands) hash_.Add(operand);
    for (const ComputationIndex callee : instruction.called) hash_.Add(Number(callee));
    instruction.attributes.Visit([&](const auto& family) {
      family.Fields(family, [&](const FieldInfo& info, const auto& field) {
        if (info.semantic) fields_.Add(field);
      });
    });
    if (!instruction.extras) return;
    const Extras& extras = *instruction.extras;
    AddFrontend(extras.frontend_attributes);
    if (!extras.backend_config.empty()) hash_.AddText(extras.backend_config);
    if (extras.sharding) fields_.Add(*extras.sharding);
    for (const InstructionIndex i : extras.control_predecessors) hash_.Add(i);
  }

  const Module& module_;
  std::vector<ComputationIndex> numbers_, found_;
  StableHash hash_;
  FieldHasher fields_;
};

}  // namespace

bool Equivalent(const Module& a, const Module& b) { return Matcher(a, b).Match(); }

uint64_t EquivalenceHash(const Module& module) { return ModuleHasher(module).Hash(); }

}  // namespace axle::hlo
