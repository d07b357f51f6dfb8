// SPDX-License-Identifier: Apache-2.0
#include "hlo/compare.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hlo/fields.h"

namespace axle::hlo {
namespace {

std::string Quote(absl::string_view text) {
  constexpr size_t kMost = 200;
  return absl::StrCat("\"", text.substr(0, kMost), text.size() > kMost ? "…" : "", "\"");
}
std::string Describe(const std::string& value) { return Quote(value); }
std::string Describe(const Shape& value) { return value.ToString(); }
std::string Describe(bool value) { return value ? "true" : "false"; }
std::string Describe(int64_t value) { return absl::StrCat(value); }

// Compares pair by pair and remembers the first that differs. Every function returns whether all
// was the same so far.
class Differ {
 public:
  const std::string& difference() const { return difference_; }

  bool SameModules(const Module& a, const Module& b) {
    if (!Same("module name", a.name, b.name) || !Same("module id", a.id, b.id) ||
        !SameConfigs(a.config, b.config) ||
        !Same("number of computations", int64_t(a.computations.size()),
              int64_t(b.computations.size())) ||
        !Same("entry computation", int64_t{a.entry}, int64_t{b.entry})) {
      return false;
    }
    for (size_t i = 0; i < a.computations.size(); ++i) {
      if (!SameComputations(a.computations[i], b.computations[i])) {
        difference_ = absl::StrCat("computation ", a.computations[i].name, ", ", difference_);
        return false;
      }
    }
    return true;
  }

 private:
  bool Fail(absl::string_view what) {
    difference_ = std::string(what);
    return false;
  }

  // Two values that can be shown.
  template <typename T>
  bool Same(absl::string_view what, const T& a, const T& b) {
    return a == b || Fail(absl::StrCat(what, ": ", Describe(a), " and ", Describe(b)));
  }
  // Two that cannot, or need not.
  template <typename T>
  bool Equal(absl::string_view what, const T& a, const T& b) {
    return a == b || Fail(absl::StrCat(what, " differ"));
  }

  bool SameConfigs(const ModuleConfig& a, const ModuleConfig& b) {
    return Equal("entry layouts", a.entry_layout, b.entry_layout) &&
           Same("is_scheduled", a.is_scheduled, b.is_scheduled) &&
           Same("replica_count", a.replica_count, b.replica_count) &&
           Same("num_partitions", a.num_partitions, b.num_partitions) &&
           Equal("aliases", a.aliases, b.aliases) && Equal("donors", a.donors, b.donors) &&
           Equal("cross-program prefetches", a.cross_program_prefetches,
                 b.cross_program_prefetches) &&
           Equal("frontend attributes", a.frontend_attributes, b.frontend_attributes) &&
           Equal("sharding propagation to parameters",
                 a.allow_spmd_sharding_propagation_to_parameters,
                 b.allow_spmd_sharding_propagation_to_parameters) &&
           Equal("sharding propagation to output", a.allow_spmd_sharding_propagation_to_output,
                 b.allow_spmd_sharding_propagation_to_output) &&
           Equal("parameter shardings", a.spmd_parameter_shardings, b.spmd_parameter_shardings) &&
           Equal("output sharding", a.spmd_output_sharding, b.spmd_output_sharding) &&
           Same("use_auto_spmd_partitioning", a.use_auto_spmd_partitioning,
                b.use_auto_spmd_partitioning) &&
           Same("is_dynamic", a.is_dynamic, b.is_dynamic) &&
           Equal("stack frames", a.stack_frames, b.stack_frames) &&
           Equal("schedules", a.schedule, b.schedule) &&
           Equal("unknown attributes", a.unknown_text, b.unknown_text) &&
           Equal("unknown wire fields", a.unknown_wire, b.unknown_wire);
  }

  bool SameComputations(const Computation& a, const Computation& b) {
    if (!Same("name", a.name, b.name) ||
        !Same("number of instructions", int64_t(a.instructions.size()),
              int64_t(b.instructions.size())) ||
        !Same("root", int64_t{a.root}, int64_t{b.root}) ||
        !Same("is_fusion", a.is_fusion, b.is_fusion) ||
        !Same("execution thread", a.execution_thread, b.execution_thread) ||
        !Equal("declared shapes", a.declared, b.declared) ||
        !Equal("unknown wire fields", a.unknown_wire, b.unknown_wire)) {
      return false;
    }
    for (size_t i = 0; i < a.instructions.size(); ++i) {
      if (!SameInstructions(a.instructions[i], b.instructions[i])) {
        difference_ = absl::StrCat("instruction ", a.instructions[i].name, ": ", difference_);
        return false;
      }
    }
    return true;
  }

  bool SameInstructions(const Instruction& a, const Instruction& b) {
    return Same("name", a.name, b.name) &&
           Same("opcode", std::string(Name(a.opcode)), std::string(Name(b.opcode))) &&
           Same("shape", a.shape, b.shape) && Equal("operands", a.operands, b.operands) &&
           Equal("called computations", a.called, b.called) &&
           SameAttributes(a.attributes, b.attributes) && SameMetadata(a, b) && SameExtras(a, b);
  }

  bool SameAttributes(const Attributes& a, const Attributes& b) {
    if (!Equal("attribute families", a.family(), b.family())) return false;
    bool same = true;
    a.Visit([&]<typename T>(const T& x) {
      if constexpr (FamilyOf<T> != AttributeFamily::kNone) {
        ForEachFieldPair(x, b.As<T>(), [&](const FieldInfo& info, const auto& f, const auto& g) {
          if (!same || FieldsEqual(f, g)) return;
          same = Fail(info.key.empty() ? "values between the parentheses differ"
                                       : absl::StrCat("attributes ", info.key, " differ"));
        });
      }
      if constexpr (std::is_same_v<T, CustomCallAttributes>) {
        same = same && Same("to_apply", x.to_apply, b.As<T>().to_apply);
      }
    });
    return same;
  }

  bool SameMetadata(const Instruction& a, const Instruction& b) {
    if (a.metadata == b.metadata) return true;
    if (a.metadata && b.metadata && *a.metadata == *b.metadata) return true;
    return Fail("metadata differ");
  }

  bool SameExtras(const Instruction& a, const Instruction& b) {
    if (!a.extras && !b.extras) return true;
    const Extras none;
    const Extras& x = a.extras ? *a.extras : none;
    const Extras& y = b.extras ? *b.extras : none;
    const bool same_sharding =
        x.sharding && y.sharding ? *x.sharding == *y.sharding : x.sharding == y.sharding;
    if (!same_sharding) return Fail("shardings differ");
    return Equal("frontend attributes", x.frontend_attributes, y.frontend_attributes) &&
           Same("backend_config", x.backend_config, y.backend_config) &&
           Same("backend_config as JSON", x.backend_config_is_json, y.backend_config_is_json) &&
           Equal("control predecessors", x.control_predecessors, y.control_predecessors) &&
           Same("original value", x.original_value, y.original_value) &&
           Equal("original values on the wire", x.original_value_wire, y.original_value_wire) &&
           Same("statistics", x.statistics, y.statistics) &&
           Equal("unknown attributes", x.unknown_text, y.unknown_text) &&
           Equal("unknown wire fields", x.unknown_wire, y.unknown_wire);
  }

  std::string difference_;
};

}  // namespace

std::string FirstDifference(const Module& a, const Module& b) {
  Differ differ;
  differ.SameModules(a, b);
  return differ.difference();
}

bool Identical(const Module& a, const Module& b) { return Differ().SameModules(a, b); }

}  // namespace axle::hlo
