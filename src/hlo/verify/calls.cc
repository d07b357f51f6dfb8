// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {
namespace {

// Depth-first walk over calls with a stack of its own, so that long chains cannot exhaust ours.
class CallWalk {
 public:
  CallWalk(const Module& module, const CallLists& calls, int64_t max_depth)
      : module_(module),
        calls_(calls),
        max_depth_(max_depth),
        depth_(module.computations.size(), kNew) {}

  absl::Status From(ComputationIndex start) {
    if (depth_[start] != kNew) return absl::OkStatus();
    Open(start);
    while (!stack_.empty()) {
      Visit& visit = stack_.back();
      const std::vector<Call>& calls = calls_[visit.computation];
      if (visit.next == calls.size()) {
        AXLE_RETURN_IF_ERROR(Close());
      } else {
        AXLE_RETURN_IF_ERROR(Follow(visit, calls[visit.next++]));
      }
    }
    return absl::OkStatus();
  }

 private:
  static constexpr int64_t kNew = -1;
  static constexpr int64_t kOpen = -2;
  struct Visit {
    ComputationIndex computation;
    size_t next = 0;    // in its list of calls
    int64_t depth = 1;  // computations in the longest chain that starts here
  };

  void Open(ComputationIndex computation) {
    depth_[computation] = kOpen;
    stack_.push_back({computation});
  }

  absl::Status Follow(Visit& visit, const Call& call) {
    const ComputationIndex callee = call.callee;
    if (depth_[callee] == kOpen) {
      const Computation& computation = module_.computations[visit.computation];
      return AtInstruction(
          computation, computation.instructions[call.caller],
          MakeError(verify_errors::kRecursion,
                    absl::StrCat("it calls ", module_.computations[callee].name,
                                 ", which leads to this call; expected no circle")));
    }
    if (depth_[callee] == kNew) {
      Open(callee);
    } else {
      visit.depth = std::max(visit.depth, depth_[callee] + 1);
    }
    return absl::OkStatus();
  }

  absl::Status Close() {
    const Visit done = stack_.back();
    stack_.pop_back();
    if (done.depth > max_depth_) {
      return AtPlace(
          module_.computations[done.computation].name,
          MakeError(verify_errors::kCallDepth,
                    absl::StrCat("a chain of ", done.depth,
                                 " computations starts here; expected at most ", max_depth_)));
    }
    depth_[done.computation] = done.depth;
    if (!stack_.empty()) stack_.back().depth = std::max(stack_.back().depth, done.depth + 1);
    return absl::OkStatus();
  }

  const Module& module_;
  const CallLists& calls_;
  const int64_t max_depth_;
  std::vector<int64_t> depth_;  // or kNew, kOpen
  std::vector<Visit> stack_;
};

// `fusions`: how many fusions call each computation, so far.
absl::Status CheckCallee(const Module& module, const Call& call, std::vector<int>* fusions) {
  const ComputationIndex callee = call.callee;
  if (callee == module.entry) {
    return MakeError(
        verify_errors::kEntryCalled,
        absl::StrCat("it calls ", module.computations[callee].name, ", the entry computation"));
  }
  if (module.computations[callee].is_fusion && call.opcode != Opcode::kFusion) {
    return MakeError(verify_errors::kFusionCaller,
                     absl::StrCat(Name(call.opcode), " calls ", module.computations[callee].name,
                                  ", a fused computation; expected a fusion"));
  }
  if (call.opcode == Opcode::kFusion && ++(*fusions)[callee] > 1) {
    return MakeError(verify_errors::kFusionCaller,
                     absl::StrCat("a second fusion of ", module.computations[callee].name,
                                  "; expected a computation of its own"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckCalls(const Module& module, const CallLists& calls,
                        const VerifyOptions& options) {
  CallWalk walk(module, calls, options.max_call_depth);
  for (ComputationIndex i = 0; i < module.computations.size(); ++i) {
    AXLE_RETURN_IF_ERROR(walk.From(i));
  }
  std::vector<int> fusions(module.computations.size());
  for (ComputationIndex i = 0; i < module.computations.size(); ++i) {
    const Computation& computation = module.computations[i];
    for (const Call& call : calls[i]) {
      const absl::Status status = CheckCallee(module, call, &fusions);
      if (status.ok()) continue;
      return AtInstruction(computation, computation.instructions[call.caller], status);
    }
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::verify
