// SPDX-License-Identifier: Apache-2.0
#include "tools/text_losses.h"

#include "absl/strings/str_cat.h"

namespace axle::tools {
namespace {

constexpr size_t kMost = 100;

bool HasUnknownWire(const hlo::Sharding& sharding) {
  if (!sharding.unknown_wire.empty()) return true;
  for (const hlo::Sharding& element : sharding.elements) {
    if (HasUnknownWire(element)) return true;
  }
  return false;
}

bool HasUnknownWire(const hlo::Instruction& instruction) {
  if (instruction.metadata != nullptr && !instruction.metadata->unknown_wire.empty()) return true;
  if (instruction.extras == nullptr) return false;
  const hlo::Extras& extras = *instruction.extras;
  return !extras.unknown_wire.empty() || !extras.original_value_wire.empty() ||
         (extras.sharding != nullptr && HasUnknownWire(*extras.sharding));
}

void AddConfigLosses(const hlo::ModuleConfig& config, std::vector<std::string>* losses) {
  if (!config.cross_program_prefetches.empty()) {
    losses->push_back("the module's cross-program prefetches");
  }
  if (!config.spmd_parameter_shardings.empty() || config.spmd_output_sharding.has_value()) {
    losses->push_back("the module's shardings of parameters and output");
  }
  if (config.use_auto_spmd_partitioning) losses->push_back("the module's automatic partitioning");
  if (config.is_dynamic) losses->push_back("the module's mark that it is dynamic");
  if (!config.unknown_wire.empty()) losses->push_back("fields of the module without a text form");
}

}  // namespace

std::vector<std::string> TextLosses(const hlo::Module& module) {
  std::vector<std::string> losses;
  AddConfigLosses(module.config, &losses);
  for (const hlo::Computation& computation : module.computations) {
    if (!computation.unknown_wire.empty()) {
      losses.push_back(absl::StrCat(computation.name, ": fields without a text form"));
    }
    for (const hlo::Instruction& instruction : computation.instructions) {
      if (losses.size() >= kMost) return losses;
      if (!HasUnknownWire(instruction)) continue;
      losses.push_back(
          absl::StrCat(computation.name, "/", instruction.name, ": fields without a text form"));
    }
  }
  return losses;
}

}  // namespace axle::tools
