// SPDX-License-Identifier: Apache-2.0
// Which asynchronous operations can be printed in their short form, "custom-call-start(…)", so that
// reading it back makes the very same module.
#ifndef AXLE_HLO_TEXT_ASYNC_SUGAR_H_
#define AXLE_HLO_TEXT_ASYNC_SUGAR_H_

#include <optional>
#include <vector>

#include "hlo/module.h"

namespace axle::hlo::text {

class AsyncSugar {
 public:
  // Linear in the module, which must outlive it.
  explicit AsyncSugar(const Module& module);

  // Whether a computation is implied by the start that wraps it, and not printed.
  bool IsImplied(ComputationIndex computation) const { return implied_[computation]; }

  // For each instruction of a computation: the operation that an asynchronous start, update or done
  // in short form wraps, or null. Empty when there is none.
  std::vector<const Instruction*> WrappedBy(const Computation& computation) const;

 private:
  bool IsSimple(const Instruction& start, const Computation& outer) const;
  void FindCandidates();
  bool NamesComeBack() const;

  const Module& module_;
  std::vector<bool> implied_;
};

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_ASYNC_SUGAR_H_
