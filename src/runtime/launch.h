// SPDX-License-Identifier: Apache-2.0
// Runs a program on allocations: the one place that decides about donation, charges and pins.
//
// A launch validates, then commits. Refused by validation, by a quota or by the backend, it has
// changed nothing. Once it is launched, the results exist and a later failure is theirs; the leaves
// it reads and makes stay charged until it ends, whoever lets go of them meanwhile. A run whose
// result has no arrays ends before the launch returns, with its error if it failed.
//
// Donation is per leaf. A leaf is taken over if the program may take the parameter, the caller
// gives the argument, exactly one allocation holds the leaf, no other argument of the launch has
// it, and it is not memory of the caller's. Otherwise the backend is told to leave it; where the
// program cannot run without, that is AX0616. What the backend took is gone, also when the run
// fails later; what it left is still there.
#ifndef AXLE_RUNTIME_LAUNCH_H_
#define AXLE_RUNTIME_LAUNCH_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/account.h"
#include "runtime/allocation.h"
#include "runtime/program.h"

namespace axle::runtime {

struct LaunchOptions {
  // Seed of the program's random numbers: the same seed, the same numbers. 0 takes one that no
  // other run of the process has.
  uint64_t rng_seed = 0;
  // For each argument whether the program may have it; empty: none.
  absl::Span<const bool> give;
};

// What a launch has to check: kFit is for arguments that have passed Program::CheckParameter.
enum class ArgumentChecks { kAll, kFit };

// One argument a parameter of program.signature(), tuples included. `origin` is that of the
// results. Errors: AX0600, AX0601, AX0602, AX0604, AX0610, AX0616; the backend's, AX0617 when it is
// out of memory.
absl::StatusOr<Allocation> Launch(Program& program, absl::Span<const Allocation* const> arguments,
                                  const std::shared_ptr<const Origin>& origin,
                                  const LaunchOptions& options = {},
                                  ArgumentChecks checks = ArgumentChecks::kAll);

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_LAUNCH_H_
