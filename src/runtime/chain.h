// SPDX-License-Identifier: Apache-2.0
// Chains: several programs run one after another on each other's results, in one request.
#ifndef AXLE_RUNTIME_CHAIN_H_
#define AXLE_RUNTIME_CHAIN_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/session.h"

namespace axle::runtime {

// A part of a step's result: 0 is the whole, k the element k-1 of the tuple.
struct ChainStep {
  struct Input {
    int64_t step = 0;  // one before
    int64_t part = 0;
  };
  struct Output {
    int64_t part = 0;
    int64_t place = 0;  // in the results of the chain
  };
  enum class Kind { kValue, kProgram };

  Kind kind = Kind::kValue;
  int64_t handle = 0;
  std::vector<Input> inputs;  // of a program, in the order of its parameters
  std::vector<Output> outputs;
};

// Runs the steps in order; new handles for what the outputs name, by place. Handles, indices,
// shapes, devices and places of the whole chain are checked before the first program runs. When a
// step fails, nothing has been made. Errors: AX0624; those of handles and of Session::Run.
absl::StatusOr<std::vector<int64_t>> ExecuteChain(Session& session,
                                                  absl::Span<const ChainStep> steps,
                                                  const LaunchOptions& options = {});

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_CHAIN_H_
