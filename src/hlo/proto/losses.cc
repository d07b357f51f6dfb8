// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "hlo/proto/codec.h"
#include "hlo/proto/family_codec.h"
#include "hlo/proto/instruction_codec.h"
#include "hlo/proto/provenance.h"

namespace axle::hlo {
namespace proto {
namespace {

constexpr size_t kMostLosses = 100;

class LossCollector {
 public:
  void Add(const std::string& what) {
    if (losses_.size() < kMostLosses) losses_.push_back(absl::StrCat(place_, what));
  }
  void At(const Computation* computation, const Instruction* instruction) {
    place_.clear();
    if (computation != nullptr) {
      absl::StrAppend(&place_, "computation '", Shown(computation->name), "': ");
    }
    if (instruction != nullptr) {
      absl::StrAppend(&place_, "instruction '", Shown(instruction->name), "': ");
    }
  }
  bool full() const { return losses_.size() >= kMostLosses; }
  std::vector<std::string> Take() { return std::move(losses_); }

 private:
  std::string place_;
  std::vector<std::string> losses_;
};

void AddUnknownText(const std::vector<std::pair<std::string, std::string>>& attributes,
                    LossCollector* losses) {
  for (const auto& [key, value] : attributes) {
    losses->Add(absl::StrCat("attribute ", Shown(key), "=", Shown(value), " has no wire form"));
  }
}

void CheckSharding(const Sharding& sharding, LossCollector* losses) {
  if (!sharding.unparsed.empty()) {
    losses->Add(absl::StrCat("sharding ", Shown(sharding.unparsed), " is known as text only"));
  }
  if (!sharding.metadata_text.empty()) losses->Add("metadata of a sharding is known as text only");
  for (const Sharding& element : sharding.elements) CheckSharding(element, losses);
}

void CheckExtras(const Extras& extras, LossCollector* losses) {
  AddUnknownText(extras.unknown_text, losses);
  if (extras.sharding != nullptr) CheckSharding(*extras.sharding, losses);
  if (!extras.original_value.empty() && extras.original_value_wire.empty() &&
      !OriginalValueFromText(extras.original_value).has_value()) {
    losses->Add(absl::StrCat("origin=", Shown(extras.original_value), " is not understood"));
  }
  if (!extras.statistics.empty() && !StatisticsFromText(extras.statistics).has_value()) {
    losses->Add(absl::StrCat("statistics=", Shown(extras.statistics), " is not understood"));
  }
}

template <typename Attributes>
void CheckFamily(const Attributes&, LossCollector*) {}

void CheckFamily(const ConstantAttributes& attributes, LossCollector* losses) {
  if (attributes.literal == nullptr) losses->Add("the constant has no value");
}

void CheckFamily(const DotAttributes& attributes, LossCollector* losses) {
  if (!attributes.sparsity_config.empty() && !IsWireForm(attributes.sparsity_config)) {
    losses->Add("sparsity_config is known as text only");
  }
}

void CheckFamily(const DomainAttributes& attributes, LossCollector* losses) {
  const DomainShardings& domain = attributes.domain;
  if (domain.kind != DomainShardings().kind) {
    losses->Add(absl::StrCat("domain of kind ", Shown(domain.kind), " has no wire form"));
  }
  if (domain.entry.has_value()) CheckSharding(*domain.entry, losses);
  if (domain.exit.has_value()) CheckSharding(*domain.exit, losses);
}

void CheckConfig(const ModuleConfig& config, LossCollector* losses) {
  const ModuleConfig none;
  if (config.replica_count != none.replica_count) losses->Add("replica_count has no wire form");
  if (config.num_partitions != none.num_partitions) losses->Add("num_partitions has no wire form");
  if (!config.allow_spmd_sharding_propagation_to_parameters.empty()) {
    losses->Add("allow_spmd_sharding_propagation_to_parameters has no wire form");
  }
  if (!config.allow_spmd_sharding_propagation_to_output.empty()) {
    losses->Add("allow_spmd_sharding_propagation_to_output has no wire form");
  }
  AddUnknownText(config.unknown_text, losses);
  for (const Sharding& sharding : config.spmd_parameter_shardings) CheckSharding(sharding, losses);
  if (config.spmd_output_sharding.has_value()) CheckSharding(*config.spmd_output_sharding, losses);
}

}  // namespace
}  // namespace proto

std::vector<std::string> ProtoLosses(const Module& module) {
  proto::LossCollector losses;
  proto::CheckConfig(module.config, &losses);
  absl::flat_hash_set<absl::string_view> names;
  for (const Computation& computation : module.computations) {
    for (const Instruction& instruction : computation.instructions) {
      losses.At(&computation, &instruction);
      if (!names.insert(instruction.name).second) {
        losses.Add("another computation has an instruction of this name, so it is renamed");
      }
      if (instruction.metadata != nullptr && !instruction.metadata->unknown_text.empty()) {
        losses.Add("part of the metadata is known as text only");
      }
      if (instruction.extras) proto::CheckExtras(*instruction.extras, &losses);
      instruction.attributes.Visit(
          [&](const auto& attributes) { proto::CheckFamily(attributes, &losses); });
      if (losses.full()) return losses.Take();
    }
  }
  return losses.Take();
}

}  // namespace axle::hlo
