// SPDX-License-Identifier: Apache-2.0
// Whole-module verifier: everything that a backend would otherwise assert, as a status with a
// place. A verified module may be handed to any backend; what it may still lack is support there.
#ifndef AXLE_HLO_VERIFY_VERIFY_H_
#define AXLE_HLO_VERIFY_VERIFY_H_

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "hlo/module.h"

namespace axle::hlo {

struct VerifyOptions {
  // Most bytes that any one value may have (AX0470). Values that a device cannot hold are otherwise
  // found when memory is asked for.
  int64_t max_value_bytes = std::numeric_limits<int64_t>::max();
  // Most computations that call one another in a chain (AX0412).
  int64_t max_call_depth = 10'000;
  // Dimensions written "?", of no known bound (else AX0301).
  bool allow_unbounded_dimensions = false;
};

// OK, or the first thing found wrong, as "AXnnnn: computation/instruction: what, and what was
// expected". Takes time linear in the size of the module, and no recursion that the module's size
// decides. Unknown attributes are allowed. Thread-safe.
absl::Status VerifyModule(const Module& module, const VerifyOptions& options = {});

}  // namespace axle::hlo

#endif  // AXLE_HLO_VERIFY_VERIFY_H_
