// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/module_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hlo/text/computation_reader.h"
#include "hlo/text/errors.h"
#include "hlo/text/header_reader.h"
#include "hlo/text/name_uniquer.h"
#include "hlo/text/shape_reader.h"

namespace axle::hlo::text {

absl::StatusOr<Module> ModuleReader::Read() {
  const bool has_header = reader_.AtWord("HloModule");
  const bool has_computations =
      has_header || reader_.AtWord("ENTRY") || (reader_.AtName() && reader_.Ahead().text == "{");
  if (has_header) AXLE_RETURN_IF_ERROR(ReadHeader(reader_, module_));
  if (has_computations) {
    AXLE_RETURN_IF_ERROR(ReadStackFrames(reader_, module_.config.stack_frames));
    AXLE_RETURN_IF_ERROR(ReadComputations());
  } else {
    AXLE_RETURN_IF_ERROR(ReadSingleInstruction());
  }
  AXLE_RETURN_IF_ERROR(NameUnnamed());
  AXLE_RETURN_IF_ERROR(ResolveCalls());
  module_.computations.shrink_to_fit();
  module_.entry = entry_.value_or(module_.computations.size() - 1);
  if (!has_header) module_.name = absl::StrCat("module_", module_.entry_computation().name);
  MarkFusions();
  if (module_.config.is_scheduled) MakeSchedule();
  return std::move(module_);
}

absl::Status ModuleReader::ReadComputations() {
  if (reader_.AtEnd()) return reader_.ErrorHere(errors::kEmpty, "the module has no computation");
  while (!reader_.AtEnd()) AXLE_RETURN_IF_ERROR(ReadComputation());
  return absl::OkStatus();
}

// (x: f32[2], y: s32[]) -> f32[2]
absl::Status ModuleReader::ReadParameterList(ProgramShape& declared) {
  AXLE_RETURN_IF_ERROR(reader_.TakeList('(', ')', "parameters", [&]() -> absl::Status {
    absl::string_view name;
    if (reader_.AtKind(TokenKind::kNumber)) {
      AXLE_ASSIGN_OR_RETURN(name, reader_.TakeCharacters("_.-", "a parameter's name"));
    } else {
      AXLE_ASSIGN_OR_RETURN(name, reader_.TakeName("a parameter's name"));
    }
    AXLE_RETURN_IF_ERROR(reader_.Take(':', "behind a parameter's name"));
    declared.parameter_names.emplace_back(name);
    AXLE_ASSIGN_OR_RETURN(Shape shape, ReadShape(reader_));
    declared.parameters.push_back(std::move(shape));
    return absl::OkStatus();
  }));
  AXLE_RETURN_IF_ERROR(reader_.TakeKind(TokenKind::kArrow, "'->' before the result's shape"));
  AXLE_ASSIGN_OR_RETURN(declared.result, ReadShape(reader_));
  return absl::OkStatus();
}

// How many instructions the computation at hand has, if it is written as XLA writes it: one a line,
// below its head, and the closing brace at the start of a line. Looks at no part of the text twice.
size_t ModuleReader::PlausibleInstructions() {
  // Of a line, so that no more is reserved than the text justifies.
  constexpr size_t kLeastBytes = 12;
  const absl::string_view text = reader_.text();
  if (reader_.token().begin < counted_) return 0;
  const auto line_end = [text](size_t begin) {
    return std::min(text.find('\n', begin), text.size());
  };
  size_t count = 0;
  counted_ = line_end(reader_.token().begin);
  while (counted_ + 1 < text.size() && text[counted_ + 1] != '}') {
    const size_t begin = counted_ + 1;
    counted_ = line_end(begin);
    count += counted_ - begin >= kLeastBytes;
  }
  return count;
}

absl::Status ModuleReader::ReadComputation() {
  const size_t begin = reader_.token().begin;
  const bool is_entry = reader_.TryWord("ENTRY");
  const size_t name_begin = reader_.token().begin;
  AXLE_ASSIGN_OR_RETURN(const absl::string_view name, reader_.TakeName("a computation's name"));
  if (is_entry && entry_.has_value()) {
    return reader_.Error(errors::kDuplicateName, begin, "a second computation is marked ENTRY");
  }
  ComputationReader body(reader_, *this, name);
  std::optional<ProgramShape>& declared = body.computation().declared;
  const size_t declared_begin = reader_.token().begin;
  if (reader_.At('(')) AXLE_RETURN_IF_ERROR(ReadParameterList(declared.emplace()));
  body.Reserve(PlausibleInstructions());
  AXLE_RETURN_IF_ERROR(body.ReadBody());
  const Shape& root_shape = body.computation().root_instruction().shape;
  if (declared.has_value() && !Compatible(declared->result, root_shape)) {
    return reader_.Error(
        errors::kShapeMismatch, declared_begin,
        absl::StrCat("computation ", name, " is declared to return ", declared->result.ToString(),
                     ", but its root has shape ", root_shape.ToString()));
  }
  if (reader_.Try(',')) {
    if (!reader_.TryWord("execution_thread")) return reader_.Expected("execution_thread");
    AXLE_RETURN_IF_ERROR(reader_.Take('=', "behind execution_thread"));
    AXLE_ASSIGN_OR_RETURN(std::string thread, reader_.TakeString("a thread's name"));
    if (thread != "main") body.computation().execution_thread = std::move(thread);
  }
  const auto [place, added] = by_name_.try_emplace(name, module_.computations.size());
  if (!added) {
    return reader_.Error(errors::kDuplicateName, name_begin,
                         absl::StrCat("a second computation is named ", name));
  }
  place->second = body.Finish("");
  if (is_entry) entry_ = place->second;
  return absl::OkStatus();
}

absl::StatusOr<ComputationIndex> ModuleReader::ReadInline() {
  Reader::Level level(reader_);
  AXLE_RETURN_IF_ERROR(level.status());
  ComputationReader body(reader_, *this, "");
  AXLE_RETURN_IF_ERROR(body.ReadBody());
  return body.Finish("computation");
}

absl::Status ModuleReader::ReadSingleInstruction() {
  ComputationReader body(reader_, *this, "entry");
  AXLE_RETURN_IF_ERROR(body.ReadAlone());
  if (!reader_.AtEnd()) return reader_.Expected("the end of the text behind a single instruction");
  entry_ = body.Finish("");
  return absl::OkStatus();
}

ComputationIndex ModuleReader::Add(Computation computation, std::vector<PendingCall> calls,
                                   absl::string_view base_name_if_unnamed) {
  const ComputationIndex index = module_.computations.size();
  for (PendingCall& call : calls) calls_.push_back({index, call});
  if (!base_name_if_unnamed.empty()) unnamed_.emplace_back(index, base_name_if_unnamed);
  module_.computations.push_back(std::move(computation));
  return index;
}

const Computation* ModuleReader::Find(const CallReference& reference) const {
  if (reference.index.has_value()) return &module_.computations[*reference.index];
  const auto found = by_name_.find(reference.name.name);
  if (found == by_name_.end()) return nullptr;
  // The computation being read has its place in the module only when it is complete.
  return found->second < module_.computations.size() ? &module_.computations[found->second]
                                                     : nullptr;
}

// Only once all names of the text are known.
absl::Status ModuleReader::NameUnnamed() {
  NameUniquer uniquer;
  for (const auto& [index, base] : unnamed_) {
    std::string name =
        uniquer.Unique(base, [&](absl::string_view n) { return by_name_.contains(n); });
    by_name_.emplace(reader_.strings.Intern(name).view(), index);
    module_.computations[index].name = std::move(name);
  }
  return absl::OkStatus();
}

absl::Status ModuleReader::ResolveCalls() {
  for (const Call& call : calls_) {
    const NameReference& name = call.pending.name;
    const auto found = by_name_.find(name.name);
    if (found == by_name_.end()) {
      return reader_.Error(errors::kUndefinedName, name.offset,
                           absl::StrCat("no computation is named ", name.name));
    }
    Instruction& instruction =
        module_.computations[call.computation].instructions[call.pending.instruction];
    instruction.called[call.pending.position] = found->second;
  }
  return absl::OkStatus();
}

void ModuleReader::MarkFusions() {
  for (const Computation& computation : module_.computations) {
    for (const Instruction& instruction : computation.instructions) {
      if (instruction.opcode != Opcode::kFusion) continue;
      module_.computations[instruction.called[0]].is_fusion = true;
    }
  }
}

// A scheduled module's text is in the order in which it runs.
void ModuleReader::MakeSchedule() {
  for (ComputationIndex i = 0; i < module_.computations.size(); ++i) {
    if (module_.computations[i].is_fusion) continue;
    std::vector<InstructionIndex> order(module_.computations[i].instructions.size());
    for (InstructionIndex k = 0; k < order.size(); ++k) order[k] = k;
    module_.config.schedule.emplace(i, std::move(order));
  }
}

}  // namespace axle::hlo::text
