// SPDX-License-Identifier: Apache-2.0
// Modules and computations. A computation that is written in place of its name, or that an
// asynchronous operation in its short form implies, enters the module before its caller's.
#ifndef AXLE_HLO_TEXT_MODULE_READER_H_
#define AXLE_HLO_TEXT_MODULE_READER_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hlo/module.h"
#include "hlo/text/draft.h"
#include "hlo/text/reader.h"

namespace axle::hlo::text {

class ModuleReader {
 public:
  explicit ModuleReader(Reader& reader) : reader_(reader) {}

  // Reads the whole text. To be called once.
  absl::StatusOr<Module> Read();

  // For computations under construction: enters one; its callees by name are resolved in the end.
  // `base` names it when the text does not.
  struct PendingCall {
    InstructionIndex instruction = 0;
    uint32_t position = 0;  // in Instruction::called
    NameReference name;
  };
  ComputationIndex Add(Computation computation, std::vector<PendingCall> calls,
                       absl::string_view base_name_if_unnamed);
  // A computation in braces without a name.
  absl::StatusOr<ComputationIndex> ReadInline();
  // One that has been read already, or null.
  const Computation* Find(const CallReference& reference) const;

 private:
  absl::Status ReadComputations();
  absl::Status ReadComputation();
  size_t PlausibleInstructions();
  absl::Status ReadParameterList(ProgramShape& declared);
  absl::Status ReadSingleInstruction();
  absl::Status NameUnnamed();
  absl::Status ResolveCalls();
  void MarkFusions();
  void MakeSchedule();

  struct Call {
    ComputationIndex computation;
    PendingCall pending;
  };

  Reader& reader_;
  Module module_;
  absl::flat_hash_map<absl::string_view, ComputationIndex> by_name_;
  std::vector<Call> calls_;
  std::vector<std::pair<ComputationIndex, std::string>> unnamed_;  // and what to call them
  std::optional<ComputationIndex> entry_;
  size_t counted_ = 0;  // up to where PlausibleInstructions() has looked
};

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_MODULE_READER_H_
