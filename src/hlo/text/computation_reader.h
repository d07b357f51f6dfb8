// SPDX-License-Identifier: Apache-2.0
// The instructions of one computation.
#ifndef AXLE_HLO_TEXT_COMPUTATION_READER_H_
#define AXLE_HLO_TEXT_COMPUTATION_READER_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hlo/module.h"
#include "hlo/name_index.h"
#include "hlo/text/draft.h"
#include "hlo/text/module_reader.h"
#include "hlo/text/reader.h"

namespace axle::hlo::text {

class ComputationReader {
 public:
  ComputationReader(Reader& reader, ModuleReader& module, absl::string_view name)
      : reader_(reader), module_(module) {
    computation_.name = std::string(name);
  }

  ComputationReader(const ComputationReader&) = delete;
  ComputationReader& operator=(const ComputationReader&) = delete;

  Computation& computation() { return computation_; }
  // Makes room for as many instructions.
  void Reserve(size_t instructions) {
    computation_.instructions.reserve(instructions);
    by_name_.Reserve(instructions);
  }

  // "{ name = shape opcode(…) … }".
  absl::Status ReadBody();
  // One instruction without braces, its name perhaps left out. Operands that have a shape become
  // parameters.
  absl::Status ReadAlone();
  // Enters the computation into the module; `base_name` names it when it has no name.
  ComputationIndex Finish(absl::string_view base_name);

 private:
  absl::Status ReadInstruction();
  // Behind "name =": shape, opcode, operands, attributes. Adds the instruction.
  absl::StatusOr<InstructionIndex> ReadRightSide(absl::string_view name, size_t name_offset,
                                                 bool attributes_allowed);
  absl::Status ReadOpcode(InstructionDraft& draft);
  absl::Status ReadParentheses(InstructionDraft& draft);
  absl::Status ReadOperand(InstructionDraft& draft);
  absl::StatusOr<InstructionIndex> ReadNamedOperand(const std::optional<Shape>& shape);
  absl::StatusOr<InstructionIndex> AddTupleElement(InstructionIndex tuple);
  absl::Status CheckOperands(const InstructionDraft& draft);
  absl::Status FinishWrapped(InstructionDraft& draft);
  absl::Status InferShapeOf(InstructionDraft& draft);
  absl::StatusOr<InstructionIndex> Add(InstructionDraft draft, absl::string_view name,
                                       size_t name_offset);
  InstructionIndex AddParameter(const Shape& shape, absl::string_view name);
  absl::Status ResolvePredecessors();
  void NameUnnamed();
  void FreeSpareRoom();

  Reader& reader_;
  ModuleReader& module_;
  Computation computation_;
  NameIndex by_name_{&computation_.instructions};
  std::vector<ModuleReader::PendingCall> calls_;
  std::vector<std::pair<InstructionIndex, NameReference>> predecessors_;
  std::vector<InstructionIndex> unnamed_;
  std::optional<InstructionIndex> root_;
  int64_t next_parameter_ = 0;  // of AddParameter
  bool alone_ = false;          // undefined operands with a shape are parameters
};

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_COMPUTATION_READER_H_
