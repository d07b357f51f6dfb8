// SPDX-License-Identifier: Apache-2.0
// Custom-call targets: functions that a program calls by name. A backend gets a Registry that says
// which it may be asked for and what each expects; there is no global one.
#ifndef AXLE_CUSTOM_CALLS_REGISTRY_H_
#define AXLE_CUSTOM_CALLS_REGISTRY_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/error.h"
#include "hlo/literal.h"
#include "hlo/module.h"

namespace axle::custom_calls {

struct Target {
  std::string name;
  // Whether a call has operands and a result that the function takes. Never null.
  std::function<absl::Status(const hlo::Instruction& call, absl::Span<const hlo::Shape> operands)>
      check;
  // Computes the result on the host; null where only the backend's compiler provides it.
  std::function<absl::StatusOr<hlo::Literal>(const hlo::Instruction& call,
                                             absl::Span<const hlo::Literal* const> operands)>
      compute;
};

// Immutable once handed to a backend.
class Registry {
 public:
  void Add(Target target);  // replaces one of the same name
  const Target* Find(absl::string_view name) const;

 private:
  absl::flat_hash_map<std::string, Target> targets_;
};

// Checks every custom call of a verified module: `missing`, naming target and instruction, for a
// target that the registry lacks; else what the target's own check says.
absl::Status CheckCustomCalls(const hlo::Module& module, const Registry& registry,
                              const ErrorDef& missing);

// Targets with a definition of their own, which any backend may offer: Sharding,
// SPMDFullToShardShape and SPMDShardToFullShape (one operand; on one device the same value).
void AddShardingTargets(Registry* registry);

// Targets that XLA's compilers expand by themselves: Qr, ProductOfElementaryHouseholderReflectors,
// Eigh, TopK with a (values, indices) result. Only checked here.
void AddXlaExpandedTargets(Registry* registry);

}  // namespace axle::custom_calls

#endif  // AXLE_CUSTOM_CALLS_REGISTRY_H_
