// SPDX-License-Identifier: Apache-2.0
// Builds computations with inferred shapes. The families' headers (elementwise.h, data_movement.h,
// control.h …) have a call for each kind of operation; all of them end in Builder::Emit.
#ifndef AXLE_HLO_OPS_BUILDER_H_
#define AXLE_HLO_OPS_BUILDER_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/module.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

// Hands out names that differ from each other and from all that were added.
class NameSet {
 public:
  void Add(absl::string_view name) { next_suffix_.try_emplace(std::string(name), 1); }
  // `wanted`, or "wanted.N" when that is taken.
  std::string Unique(absl::string_view wanted);

 private:
  absl::flat_hash_map<std::string, int64_t> next_suffix_;  // by name in use
};

// What the builders of one module share: names and signatures of its computations. The module must
// outlive it, and computations come and go only through builders meanwhile. Not thread-safe.
class ModuleBuilder {
 public:
  explicit ModuleBuilder(Module* module);
  ModuleBuilder(const ModuleBuilder&) = delete;
  ModuleBuilder& operator=(const ModuleBuilder&) = delete;

  const Module& module() const { return *module_; }
  // Signature of a finished computation, which must exist.
  const ProgramShape& SignatureOf(ComputationIndex computation);
  ComputationIndex Add(Computation computation);  // renamed when its name is taken

 private:
  Module* module_;
  NameSet names_;
  ProgramShapes shapes_;
};

// What few instructions need when they are built.
struct EmitOptions {
  absl::Span<const ComputationIndex> called = {};
  // For operations whose shape is an input of their own (see RuleContext). Others may leave it
  // out. Given, it must agree with the inferred one (AX0325).
  Shape declared = {};
  absl::string_view name = {};  // else after the opcode
};

// Builds one computation, which joins the module when it is finished; several may be open at once.
// The ModuleBuilder must outlive it. An instruction that was refused leaves no trace.
class Builder {
 public:
  Builder(ModuleBuilder* module, absl::string_view name);
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  // Appends an instruction of the inferred shape. Errors: those of the opcode's rule; AX0327 for
  // operands or computations that do not exist.
  absl::StatusOr<InstructionIndex> Emit(Opcode opcode, absl::Span<const InstructionIndex> operands,
                                        Attributes attributes = {},
                                        const EmitOptions& options = {});

  ModuleBuilder& module() { return *module_; }
  const Computation& computation() const { return computation_; }
  const Shape& shape(InstructionIndex i) const { return computation_.instructions[i].shape; }
  // The operand's dimensions with another element type, or a scalar of that type when the operand
  // is no array or does not exist, which Emit then says.
  Shape ShapeLike(InstructionIndex operand, ElementType type) const;
  // For what Emit leaves empty: metadata, sharding, backend configuration.
  Instruction& mutable_instruction(InstructionIndex i) { return computation_.instructions[i]; }

  // Adds the computation, with `root` as its result, to the module. The builder is empty
  // thereafter. AX0327 when the root does not exist or the parameters' numbers are not 0, 1, 2 …
  absl::StatusOr<ComputationIndex> Finish(InstructionIndex root);

 private:
  absl::Status CheckReferences(Opcode opcode, absl::Span<const InstructionIndex> operands,
                               absl::Span<const ComputationIndex> called) const;

  ModuleBuilder* module_;
  Computation computation_;
  NameSet names_;
};

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_BUILDER_H_
