// SPDX-License-Identifier: Apache-2.0
// Module and Computation: a whole XLA program as data.
//
// Invariants that every reader establishes, so that the rest may count on them: operands come
// before their users in a computation; every computation has a root; the module has an entry;
// called computations exist. All else is for hlo/verify. A module is immutable once verified, and
// then may be read from any thread.
#ifndef AXLE_HLO_MODULE_H_
#define AXLE_HLO_MODULE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hlo/instruction.h"

namespace axle::hlo {

struct Computation {
  std::string name;  // without '%'; unique in the module
  std::vector<Instruction> instructions;
  InstructionIndex root = 0;
  bool is_fusion = false;
  std::string execution_thread;  // empty is "main"
  // What the source declared, "(x: f32[]) -> f32[]" or the wire's program_shape, where it did.
  std::optional<ProgramShape> declared;
  std::string unknown_wire;

  const Instruction& root_instruction() const { return instructions[root]; }
  Instruction& Add(Instruction instruction) {
    instructions.push_back(std::move(instruction));
    return instructions.back();
  }
};

// Parameter instructions by number; verified computations have exactly 0..n-1. Entries are the
// instruction's index. Errors of unverified ones: see hlo/verify.
std::vector<InstructionIndex> ParameterIndices(const Computation& computation);
// Shapes of parameters and root of a verified computation.
ProgramShape ProgramShapeOf(const Computation& computation);

enum class AliasKind : uint8_t { kUndefined, kMay, kMust };

struct InputOutputAlias {  // {1}: (0, {2}, may-alias)
  std::vector<int64_t> output_index;
  int64_t parameter = 0;
  std::vector<int64_t> parameter_index;
  AliasKind kind = AliasKind::kMay;
  bool operator==(const InputOutputAlias&) const = default;
};

struct BufferDonor {  // (0, {2})
  int64_t parameter = 0;
  std::vector<int64_t> parameter_index;
  bool operator==(const BufferDonor&) const = default;
};

struct CrossProgramPrefetch {
  int64_t parameter = 0;
  std::vector<int64_t> index;
  std::optional<int64_t> offset;
  bool operator==(const CrossProgramPrefetch&) const = default;
};

// Tables that metadata's stack_frame_id points into; ids count from 1, 0 is none.
struct StackFrames {
  struct Location {
    int32_t file_name_id = 0, function_name_id = 0;
    int32_t line = 0, end_line = 0, column = 0, end_column = 0;
    bool operator==(const Location&) const = default;
  };
  struct Frame {
    int32_t file_location_id = 0, parent_frame_id = 0;
    bool operator==(const Frame&) const = default;
  };
  std::vector<std::string> file_names;
  std::vector<std::string> function_names;
  std::vector<Location> file_locations;
  std::vector<Frame> stack_frames;
  bool empty() const {
    return file_names.empty() && function_names.empty() && file_locations.empty() &&
           stack_frames.empty();
  }
  bool operator==(const StackFrames&) const = default;
};

// What a module says about itself besides its computations.
struct ModuleConfig {
  // Parameters and result with layouts, as the header or host_program_shape declares them.
  std::optional<ProgramShape> entry_layout;
  bool is_scheduled = false;
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
  std::vector<InputOutputAlias> aliases;
  std::vector<BufferDonor> donors;
  std::vector<CrossProgramPrefetch> cross_program_prefetches;
  FrontendAttributes frontend_attributes;
  std::vector<bool> allow_spmd_sharding_propagation_to_parameters;
  std::vector<bool> allow_spmd_sharding_propagation_to_output;
  std::vector<Sharding> spmd_parameter_shardings;
  std::optional<Sharding> spmd_output_sharding;
  bool use_auto_spmd_partitioning = false;
  bool is_dynamic = false;
  StackFrames stack_frames;
  // By computation: the order in which a scheduled module runs its instructions.
  std::map<ComputationIndex, std::vector<InstructionIndex>> schedule;
  std::vector<std::pair<std::string, std::string>> unknown_text;  // header attributes, as written
  std::string unknown_wire;  // wire fields without a field here (profile, device assignment …)
};

struct Module {
  std::string name;
  std::vector<Computation> computations;  // in the order of the source
  ComputationIndex entry = 0;
  ModuleConfig config;
  int64_t id = 0;  // of the wire form; 0 is none

  const Computation& entry_computation() const { return computations[entry]; }
  Computation& entry_computation() { return computations[entry]; }
};

// Computations ordered so that callees precede callers, stably; only those that exist. Asserts that
// calls are acyclic (hlo/verify).
std::vector<ComputationIndex> CalleesFirst(const Module& module);

}  // namespace axle::hlo

#endif  // AXLE_HLO_MODULE_H_
