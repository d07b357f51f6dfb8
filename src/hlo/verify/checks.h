// SPDX-License-Identifier: Apache-2.0
// The concerns of VerifyModule, one file each, in the order that they run in: each counts on what
// those before it have found to be right.
#ifndef AXLE_HLO_VERIFY_CHECKS_H_
#define AXLE_HLO_VERIFY_CHECKS_H_

#include "absl/status/status.h"
#include "base/error.h"
#include "hlo/module.h"
#include "hlo/ops/rules.h"
#include "hlo/verify/verify.h"

namespace axle::hlo::verify {

// References exist and point backwards, names, attribute families, parameter numbers.
absl::Status CheckStructure(const Module& module);
// Calls form no circle, nor a chain that is too long.
absl::Status CheckCalls(const Module& module, const VerifyOptions& options);
// Control edges exist and form no circle with data.
absl::Status CheckControlEdges(const Module& module);
// Nesting, layouts and sizes of all shapes.
absl::Status CheckShapes(const Module& module, const VerifyOptions& options);
// One shape that is no instruction's, such as a parameter's in a table.
absl::Status CheckShape(const Shape& shape, const VerifyOptions& options);
// Operands, attributes, called computations and the declared shape of every instruction.
absl::Status CheckInstructions(const Module& module, ProgramShapes& shapes);
// Entry layout and declared signatures.
absl::Status CheckInterfaces(const Module& module, const VerifyOptions& options,
                             ProgramShapes& shapes);
// Alias, donor and prefetch tables.
absl::Status CheckAliases(const Module& module, const ProgramShape& entry);
absl::Status CheckSchedule(const Module& module);
absl::Status CheckShardings(const Module& module);
// Replica groups, source-target pairs.
absl::Status CheckCollectives(const Module& module);
// Operations that start something asynchronous, and those that finish it.
absl::Status CheckAsyncPairs(const Module& module);

// The status with "computation/instruction: " in front.
absl::Status AtInstruction(const Computation& computation, const Instruction& instruction,
                           const absl::Status& status);

// check(computation, instruction) for all instructions; errors get their place.
template <typename F>
absl::Status ForEachInstruction(const Module& module, F&& check) {
  for (const Computation& computation : module.computations) {
    for (const Instruction& instruction : computation.instructions) {
      if (absl::Status status = check(computation, instruction); !status.ok()) {
        return AtInstruction(computation, instruction, status);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::verify

#endif  // AXLE_HLO_VERIFY_CHECKS_H_
