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
  CallWalk(const Module& module, int64_t max_depth)
      : module_(module), max_depth_(max_depth), depth_(module.computations.size(), kNew) {}

  absl::Status From(ComputationIndex start) {
    if (depth_[start] != kNew) return absl::OkStatus();
    Open(start);
    while (!stack_.empty()) {
      Visit& visit = stack_.back();
      const auto& instructions = module_.computations[visit.computation].instructions;
      if (visit.instruction == instructions.size()) {
        AXLE_RETURN_IF_ERROR(Close());
      } else if (visit.callee == instructions[visit.instruction].called.size()) {
        ++visit.instruction;
        visit.callee = 0;
      } else {
        const Instruction& caller = instructions[visit.instruction];
        AXLE_RETURN_IF_ERROR(Follow(visit, caller, caller.called[visit.callee++]));
      }
    }
    return absl::OkStatus();
  }

 private:
  static constexpr int64_t kNew = -1;
  static constexpr int64_t kOpen = -2;
  struct Visit {
    ComputationIndex computation;
    size_t instruction = 0;
    size_t callee = 0;
    int64_t depth = 1;  // computations in the longest chain that starts here
  };

  void Open(ComputationIndex computation) {
    depth_[computation] = kOpen;
    stack_.push_back({computation});
  }

  absl::Status Follow(Visit& visit, const Instruction& caller, ComputationIndex callee) {
    if (depth_[callee] == kOpen) {
      return AtInstruction(
          module_.computations[visit.computation], caller,
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
  const int64_t max_depth_;
  std::vector<int64_t> depth_;  // or kNew, kOpen
  std::vector<Visit> stack_;
};

// `fusions`: how many fusions call each computation, so far.
absl::Status CheckCallee(const Module& module, const Instruction& caller, ComputationIndex callee,
                         std::vector<int>* fusions) {
  if (callee == module.entry) {
    return MakeError(
        verify_errors::kEntryCalled,
        absl::StrCat("it calls ", module.computations[callee].name, ", the entry computation"));
  }
  if (module.computations[callee].is_fusion && caller.opcode != Opcode::kFusion) {
    return MakeError(verify_errors::kFusionCaller,
                     absl::StrCat(Name(caller.opcode), " calls ", module.computations[callee].name,
                                  ", a fused computation; expected a fusion"));
  }
  if (caller.opcode == Opcode::kFusion && ++(*fusions)[callee] > 1) {
    return MakeError(verify_errors::kFusionCaller,
                     absl::StrCat("a second fusion of ", module.computations[callee].name,
                                  "; expected a computation of its own"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckCalls(const Module& module, const VerifyOptions& options) {
  CallWalk walk(module, options.max_call_depth);
  for (ComputationIndex i = 0; i < module.computations.size(); ++i) {
    AXLE_RETURN_IF_ERROR(walk.From(i));
  }
  std::vector<int> fusions(module.computations.size());
  return ForEachInstruction(module, [&](const Computation&, const Instruction& instruction) {
    for (const ComputationIndex callee : instruction.called) {
      AXLE_RETURN_IF_ERROR(CheckCallee(module, instruction, callee, &fusions));
    }
    return absl::OkStatus();
  });
}

}  // namespace axle::hlo::verify
