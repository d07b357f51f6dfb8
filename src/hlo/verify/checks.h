// SPDX-License-Identifier: Apache-2.0
// The concerns of VerifyModule, one file each. Modules are larger than caches, so what concerns an
// instruction is checked while it is at hand: CheckStructure goes over all instructions once, to
// find what everything else counts on, and CheckInstructions once more.
#ifndef AXLE_HLO_VERIFY_CHECKS_H_
#define AXLE_HLO_VERIFY_CHECKS_H_

#include <vector>

#include "absl/status/status.h"
#include "base/error.h"
#include "hlo/module.h"
#include "hlo/ops/rules.h"
#include "hlo/verify/verify.h"

namespace axle::hlo::verify {

struct Call {
  InstructionIndex caller;
  ComputationIndex callee;
  Opcode opcode;  // of the caller
};
// Of each computation, in the order of its instructions.
using CallLists = std::vector<std::vector<Call>>;

// ---- Of modules, in the order that they run in ------------------------------------------------

// References exist and point backwards, names, shapes by themselves, parameter numbers. Lists the
// calls, and gives the program shapes.
absl::Status CheckStructure(const Module& module, const VerifyOptions& options, CallLists* calls,
                            ProgramShapes* shapes);
// Calls form no circle, nor a chain that is too long.
absl::Status CheckCalls(const Module& module, const CallLists& calls, const VerifyOptions& options);
// Everything else about single instructions, and about single computations.
absl::Status CheckInstructions(const Module& module, ProgramShapes& shapes);
// Entry layout and declared signatures.
absl::Status CheckInterfaces(const Module& module, const VerifyOptions& options,
                             ProgramShapes& shapes);
// Alias, donor and prefetch tables.
absl::Status CheckAliases(const Module& module, const ProgramShape& entry);
absl::Status CheckSchedule(const Module& module);
// Shardings of the module's own parameters and result.
absl::Status CheckShardings(const ModuleConfig& config);

// ---- Of computations --------------------------------------------------------------------------

// Control edges, some of which point backwards, form no circle with data.
absl::Status CheckAcyclic(const Computation& computation);
// Operations that start something asynchronous, of which there are some, are finished.
absl::Status CheckAsyncStarts(const Computation& computation);

// Nesting, layouts and sizes of a shape, an instruction's or any other.
absl::Status CheckShape(const Shape& shape, const VerifyOptions& options);

// ---- Of instructions, without their place, in the order that they run in ------------------------

// The attributes are those of the opcode. CheckStructure does that for parameters.
absl::Status CheckFamily(const Instruction& instruction);
// Control edges to instruction `index` exist. Whether one points backwards goes to `backward`: it
// becomes true, or stays.
absl::Status CheckControlEdges(const Computation& computation, InstructionIndex index,
                               bool* backward);
absl::Status CheckSharding(const ModuleConfig& config, const Computation& computation,
                           const Instruction& instruction);
// Replica groups, source-target pairs.
absl::Status CheckCollective(const ModuleConfig& config, const Instruction& instruction);
// An operation that finishes something asynchronous has what started it as operand.
absl::Status CheckAsyncDone(const Computation& computation, const Instruction& instruction);
// Whether it starts something asynchronous.
bool IsAsyncStart(Opcode opcode);

// The status with "computation/instruction: " in front.
absl::Status AtInstruction(const Computation& computation, const Instruction& instruction,
                           const absl::Status& status);

}  // namespace axle::hlo::verify

#endif  // AXLE_HLO_VERIFY_CHECKS_H_
