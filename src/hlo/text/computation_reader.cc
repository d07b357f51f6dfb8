// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/computation_reader.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "hlo/ops/elementwise.h"
#include "hlo/ops/rules.h"
#include "hlo/sharding_leaves.h"
#include "hlo/text/attribute_reader.h"
#include "hlo/text/errors.h"
#include "hlo/text/literal_reader.h"
#include "hlo/text/name_uniquer.h"
#include "hlo/text/shape_reader.h"
#include "hlo/text/value_printer.h"

namespace axle::hlo::text {

absl::Status ComputationReader::ReadBody() {
  AXLE_RETURN_IF_ERROR(reader_.Take('{', "before the instructions of a computation"));
  if (reader_.At('}')) {
    return reader_.ErrorHere(errors::kEmpty, "the computation has no instructions");
  }
  while (!reader_.At('}')) AXLE_RETURN_IF_ERROR(ReadInstruction());
  reader_.Next();
  computation_.root = root_.value_or(computation_.instructions.size() - 1);
  FreeSpareRoom();
  NameUnnamed();
  return ResolvePredecessors();
}

// Moving the instructions pays where much room is left.
void ComputationReader::FreeSpareRoom() {
  std::vector<Instruction>& instructions = computation_.instructions;
  if (instructions.capacity() - instructions.size() > instructions.size() / 16) {
    instructions.shrink_to_fit();
  }
}

absl::Status ComputationReader::ReadAlone() {
  alone_ = true;
  if (reader_.AtWord("ROOT") || (reader_.AtName() && reader_.Ahead().text == "=")) {
    AXLE_RETURN_IF_ERROR(ReadInstruction());
  } else {
    if (!reader_.AtName() && !reader_.At('(')) return reader_.Expected("HloModule or a name");
    if (reader_.AtKind(TokenKind::kName)) {
      reader_.Next();
      return reader_.Expected("'=' behind the instruction's name");
    }
    AXLE_RETURN_IF_ERROR(
        ReadRightSide("", reader_.token().begin, /*attributes_allowed=*/true).status());
  }
  computation_.root = computation_.instructions.size() - 1;
  NameUnnamed();
  return ResolvePredecessors();
}

ComputationIndex ComputationReader::Finish(absl::string_view base_name) {
  return module_.Add(std::move(computation_), std::move(calls_), base_name);
}

absl::Status ComputationReader::ReadInstruction() {
  const size_t begin = reader_.token().begin;
  // "ROOT = …" would be an instruction of that name, which XLA does not allow.
  const bool is_root = reader_.TryWord("ROOT");
  if (is_root && root_.has_value()) {
    return reader_.Error(errors::kDuplicateName, begin, "a second instruction is marked ROOT");
  }
  const size_t name_offset = reader_.token().begin;
  AXLE_ASSIGN_OR_RETURN(const absl::string_view name, reader_.TakeName("an instruction's name"));
  by_name_.Prefetch(name);
  AXLE_RETURN_IF_ERROR(reader_.Take('=', "behind the instruction's name"));
  AXLE_ASSIGN_OR_RETURN(const InstructionIndex index,
                        ReadRightSide(name, name_offset, /*attributes_allowed=*/true));
  if (is_root) root_ = index;
  return absl::OkStatus();
}

absl::StatusOr<InstructionIndex> ComputationReader::ReadRightSide(absl::string_view name,
                                                                  size_t name_offset,
                                                                  bool attributes_allowed) {
  Reader::Level level(reader_);
  AXLE_RETURN_IF_ERROR(level.status());
  InstructionDraft draft;
  if (AtShape(reader_)) {
    AXLE_ASSIGN_OR_RETURN(draft.instruction.shape, ReadShape(reader_));
  }
  AXLE_RETURN_IF_ERROR(ReadOpcode(draft));
  AXLE_RETURN_IF_ERROR(ReadParentheses(draft));
  AXLE_RETURN_IF_ERROR(
      ReadAttributes(reader_, draft, attributes_allowed, [&] { return module_.ReadInline(); }));
  if (draft.wrapped) AXLE_RETURN_IF_ERROR(FinishWrapped(draft));
  if (!draft.instruction.shape.valid()) AXLE_RETURN_IF_ERROR(InferShapeOf(draft));
  return Add(std::move(draft), name, name_offset);
}

namespace {

// custom-call-start → async-start of a custom-call.
struct AsyncName {
  absl::string_view suffix;
  Opcode opcode;
};
constexpr AsyncName kAsyncNames[] = {{"-start", Opcode::kAsyncStart},
                                     {"-update", Opcode::kAsyncUpdate},
                                     {"-done", Opcode::kAsyncDone}};

void SetOpcode(Opcode opcode, Instruction& instruction) {
  instruction.opcode = opcode;
  instruction.attributes = Attributes::Default(Info(opcode).attributes);
  // Unless the text says otherwise.
  if (opcode == Opcode::kTopK) instruction.As<TopKAttributes>().largest = true;
}

}  // namespace

namespace {

// Parameters and result of a computation that nothing has verified: none if the parameters' numbers
// are not 0, 1, 2 …
std::optional<ProgramShape> SafeProgramShape(const Computation& computation) {
  std::vector<Shape> by_number(computation.instructions.size());
  size_t count = 0;
  for (const Instruction& instruction : computation.instructions) {
    if (instruction.opcode != Opcode::kParameter) continue;
    const int64_t number = instruction.As<ParameterAttributes>().number;
    if (number >= static_cast<int64_t>(by_number.size()) || by_number[number].valid()) {
      return std::nullopt;
    }
    by_number[number] = instruction.shape;
    ++count;
  }
  ProgramShape shape;
  for (size_t i = 0; i < count; ++i) {
    if (!by_number[i].valid()) return std::nullopt;
    shape.parameters.push_back(by_number[i]);
  }
  shape.result = computation.root_instruction().shape;
  return shape;
}

}  // namespace

absl::Status ComputationReader::ReadOpcode(InstructionDraft& draft) {
  draft.offset = reader_.token().begin;
  AXLE_ASSIGN_OR_RETURN(const absl::string_view word, reader_.TakeWord("a shape or an opcode"));
  if (const std::optional<Opcode> opcode = OpcodeFromName(word)) {
    SetOpcode(*opcode, draft.instruction);
    return absl::OkStatus();
  }
  for (const AsyncName& async : kAsyncNames) {
    absl::string_view inner = word;
    if (!absl::ConsumeSuffix(&inner, async.suffix)) continue;
    const std::optional<Opcode> opcode = OpcodeFromName(inner);
    if (!opcode.has_value()) continue;
    SetOpcode(async.opcode, draft.instruction);
    // Updates and ends find the computation through their operand.
    if (async.opcode != Opcode::kAsyncStart) return absl::OkStatus();
    draft.wrapped = std::make_unique<InstructionDraft>();
    draft.wrapped->offset = draft.offset;
    SetOpcode(*opcode, draft.wrapped->instruction);
    return absl::OkStatus();
  }
  return reader_.Error(errors::kUnknownOpcode, draft.offset,
                       absl::StrCat("unknown opcode '", word, "'"));
}

absl::Status ComputationReader::ReadParentheses(InstructionDraft& draft) {
  Instruction& instruction = draft.instruction;
  if (instruction.opcode == Opcode::kParameter) {
    AXLE_RETURN_IF_ERROR(reader_.Take('(', "before a parameter number"));
    AXLE_ASSIGN_OR_RETURN(instruction.As<ParameterAttributes>().number,
                          reader_.TakeSize("a parameter number"));
    return reader_.Take(')', "behind a parameter number");
  }
  if (instruction.opcode == Opcode::kConstant) {
    if (!instruction.shape.valid()) {
      return reader_.Error(errors::kNoShape, draft.offset, "a constant needs its shape");
    }
    AXLE_RETURN_IF_ERROR(reader_.Take('(', "before a literal"));
    AXLE_ASSIGN_OR_RETURN(instruction.As<ConstantAttributes>().literal,
                          ReadLiteral(reader_, instruction.shape));
    return reader_.Take(')', "behind a literal");
  }
  AXLE_RETURN_IF_ERROR(reader_.TakeList('(', ')', "operands", [&] { return ReadOperand(draft); }));
  return CheckOperands(draft);
}

absl::Status ComputationReader::CheckOperands(const InstructionDraft& draft) {
  const Instruction& instruction = draft.instruction;
  const OpcodeInfo& info =
      Info(draft.wrapped ? draft.wrapped->instruction.opcode : instruction.opcode);
  const int count = static_cast<int>(instruction.operands.size());
  if (count >= info.min_operands &&
      (info.max_operands == kVariadic || count <= info.max_operands)) {
    return absl::OkStatus();
  }
  // XLA's reader lets rng have any number, a third for the shape among them; its verifier does not.
  if (info.name == Name(Opcode::kRng)) return absl::OkStatus();
  const std::string takes = info.max_operands == kVariadic
                                ? absl::StrCat("at least ", info.min_operands)
                            : info.min_operands == info.max_operands
                                ? absl::StrCat(info.min_operands)
                                : absl::StrCat(info.min_operands, " to ", info.max_operands);
  return reader_.Error(errors::kOperandCount, draft.offset,
                       absl::StrCat(info.name, " takes ", takes, " operands, not ", count));
}

absl::Status ComputationReader::ReadOperand(InstructionDraft& draft) {
  std::optional<Shape> shape;
  const Lexer begin = reader_.lexer();
  if (AtShape(reader_)) {
    AXLE_ASSIGN_OR_RETURN(shape, ReadShape(reader_));
  }
  InstructionIndex index = 0;
  if (reader_.AtKind(TokenKind::kWord) && reader_.Ahead().text == "(") {
    // An instruction in place of its name: read its shape again, with it.
    reader_.lexer() = begin;
    AXLE_ASSIGN_OR_RETURN(index,
                          ReadRightSide("", reader_.token().begin, /*attributes_allowed=*/false));
  } else if (alone_ && shape.has_value() && !reader_.AtName()) {
    index = AddParameter(*shape, "");
  } else {
    AXLE_ASSIGN_OR_RETURN(index, ReadNamedOperand(shape));
  }
  if (draft.instruction.operands.empty()) {
    draft.scalar_operand = computation_.instructions[index].shape.IsScalar();
  }
  draft.instruction.operands.push_back(index);
  return absl::OkStatus();
}

absl::StatusOr<InstructionIndex> ComputationReader::ReadNamedOperand(
    const std::optional<Shape>& shape) {
  const size_t begin = reader_.token().begin;
  AXLE_ASSIGN_OR_RETURN(const absl::string_view name, reader_.TakeName("an operand"));
  const std::optional<InstructionIndex> found = by_name_.Find(name);
  if (!found.has_value()) {
    if (alone_ && shape.has_value()) return AddParameter(*shape, name);
    return reader_.Error(
        errors::kUndefinedName, begin,
        absl::StrCat("operand ", name, " is not defined before this use in computation ",
                     computation_.name));
  }
  InstructionIndex index = *found;
  while (reader_.At('#')) {
    AXLE_ASSIGN_OR_RETURN(index, AddTupleElement(index));
  }
  const Shape& defined = computation_.instructions[index].shape;
  if (shape.has_value() && !Compatible(*shape, defined)) {
    return reader_.Error(
        errors::kShapeMismatch, begin,
        absl::StrCat("operand ", name, " is written with shape ", shape->ToString(),
                     ", but defined with ", defined.ToString()));
  }
  return index;
}

// %t#0: element 0 of the tuple t, read at '#'.
absl::StatusOr<InstructionIndex> ComputationReader::AddTupleElement(InstructionIndex tuple) {
  reader_.Next();
  const size_t begin = reader_.token().begin;
  AXLE_ASSIGN_OR_RETURN(const int64_t element, reader_.TakeSize("the number of a tuple element"));
  const Shape& shape = computation_.instructions[tuple].shape;
  if (element >= static_cast<int64_t>(shape.tuple_shapes().size()) || !shape.IsTuple()) {
    return reader_.Error(errors::kNumberRange, begin,
                         absl::StrCat("no element ", element, " in ", shape.ToString()));
  }
  InstructionDraft draft;
  SetOpcode(Opcode::kGetTupleElement, draft.instruction);
  draft.instruction.shape = shape.tuple_shape(static_cast<int>(element));
  draft.instruction.operands.push_back(tuple);
  draft.instruction.As<GetTupleElementAttributes>().index = element;
  return Add(std::move(draft), "", begin);
}

// The computation that an asynchronous start in its short form wraps: one parameter an operand, and
// the operation, which shares what any instruction may have with the start.
absl::Status ComputationReader::FinishWrapped(InstructionDraft& draft) {
  const Shape& shape = draft.instruction.shape;
  if (!shape.IsTuple() || shape.tuple_shapes().size() < 2) {
    return reader_.Error(errors::kShape, draft.offset,
                         "the shape of an asynchronous start is ((operands), result, …)");
  }
  Instruction& root = draft.wrapped->instruction;
  root.shape = shape.tuple_shape(1);
  root.name = std::string(kWrappedRootName);
  root.metadata = draft.instruction.metadata;
  if (const Extras* const extras = draft.instruction.extras.get()) {
    Extras& shared = root.mutable_extras();
    shared.frontend_attributes = extras->frontend_attributes;
    shared.backend_config = extras->backend_config;
    shared.backend_config_is_json = extras->backend_config_is_json;
    shared.original_value = extras->original_value;
    shared.statistics = extras->statistics;
  }
  ComputationReader body(reader_, module_, "");
  NameUniquer names;
  for (size_t i = 0; i < draft.instruction.operands.size(); ++i) {
    const Shape& operand = computation_.instructions[draft.instruction.operands[i]].shape;
    root.operands.push_back(body.AddParameter(
        operand,
        reader_.strings.Intern(names.Unique(kWrappedParameterName, [](auto) { return false; }))
            .view()));
  }
  const size_t offset = draft.wrapped->offset;
  AXLE_ASSIGN_OR_RETURN(body.computation_.root,
                        body.Add(std::move(*draft.wrapped), kWrappedRootName, offset));
  body.computation_.execution_thread = draft.instruction.As<AsyncAttributes>().execution_thread;
  CallReference called;
  called.given = true;
  called.index = body.Finish(kWrappedComputationName);
  draft.called.push_back(called);
  return absl::OkStatus();
}

namespace {

// Whether the result shape is an input of the operation, so that nothing can stand for it.
bool NeedsShape(Opcode opcode) {
  switch (Info(opcode).category) {
    case OpCategory::kUnary:
      return opcode == Opcode::kConvert;
    case OpCategory::kBinary:
      return opcode == Opcode::kStochasticConvert;
    case OpCategory::kData:
      return opcode == Opcode::kBitcast || opcode == Opcode::kBitcastConvert ||
             opcode == Opcode::kBroadcast || opcode == Opcode::kConstant ||
             opcode == Opcode::kDynamicReshape || opcode == Opcode::kIota ||
             opcode == Opcode::kParameter || opcode == Opcode::kReshape;
    case OpCategory::kControl:
      return opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate ||
             opcode == Opcode::kAsyncDone || opcode == Opcode::kCustomCall ||
             opcode == Opcode::kFusion;
    case OpCategory::kCollective:
      return opcode != Opcode::kPartitionId && opcode != Opcode::kReplicaId;
    case OpCategory::kRandom:
      return true;
    case OpCategory::kTernary:
    case OpCategory::kLinearAlgebra:
    case OpCategory::kReduction:
      return false;
  }
  return true;
}

}  // namespace

// A result shape that the text leaves out follows from the rules of the operation. Computations
// that it calls must stand before it, as XLA demands of all.
absl::Status ComputationReader::InferShapeOf(InstructionDraft& draft) {
  const Instruction& instruction = draft.instruction;
  const auto fail = [&](absl::string_view why) {
    return reader_.Error(errors::kNoShape, draft.offset,
                         absl::StrCat("the result shape of ", Name(instruction.opcode),
                                      " is left out and does not follow from its operands: ", why));
  };
  if (NeedsShape(instruction.opcode)) return fail("the operation takes it from the text");
  std::vector<Shape> operands;
  for (const InstructionIndex i : instruction.operands) {
    operands.push_back(computation_.instructions[i].shape);
  }
  std::vector<ProgramShape> called;
  for (const CallReference& reference : draft.called) {
    const Computation* const callee = module_.Find(reference);
    if (callee == nullptr) return fail("it calls a computation that comes later");
    std::optional<ProgramShape> shape = SafeProgramShape(*callee);
    if (!shape.has_value()) return fail("the parameters of a called computation have gaps");
    called.push_back(*std::move(shape));
  }
  std::vector<const ProgramShape*> called_pointers;
  for (const ProgramShape& shape : called) called_pointers.push_back(&shape);
  absl::StatusOr<Shape> shape = InferShape({instruction, operands, called_pointers});
  if (!shape.ok()) {
    absl::string_view message = shape.status().message();
    absl::ConsumePrefix(&message, absl::StrCat(ErrorIdOf(shape.status()), ": "));
    return fail(message);
  }
  draft.instruction.shape = reader_.shapes.Intern(*std::move(shape));
  return absl::OkStatus();
}

namespace {

// Leaves out what says no more than its absence, and quotes around JSON, as XLA's printer does;
// spreads a sharding over the leaves of a tuple, as its reader does.
void Normalize(absl::Span<const Instruction> earlier, Instruction& instruction) {
  if (instruction.opcode == Opcode::kCompare && !instruction.operands.empty()) {
    ComparisonType& type = instruction.As<CompareAttributes>().type;
    const Shape& operand = earlier[instruction.operands[0]].shape;
    if (type == ImpliedComparison(operand.element_type())) type = ComparisonType::kUnset;
  } else if (instruction.opcode == Opcode::kCustomCall) {
    CustomCallApiVersion& version = instruction.As<CustomCallAttributes>().api_version;
    if (version == CustomCallApiVersion::kOriginal) version = CustomCallApiVersion::kUnspecified;
  }
  instruction.attributes.Visit([](auto& attributes) {
    if constexpr (requires { attributes.operand_precision; }) {
      std::vector<Precision>& values = attributes.operand_precision.values;
      if (absl::c_count(values, Precision::kDefault) == values.size()) values.clear();
    }
  });
  if (!instruction.extras) return;
  Extras& extras = *instruction.extras;
  if (extras.sharding) SpreadOverLeaves(instruction.shape, extras.sharding.get());
  if (IsBracedGroup(extras.backend_config)) extras.backend_config_is_json = true;
}

}  // namespace

absl::StatusOr<InstructionIndex> ComputationReader::Add(InstructionDraft draft,
                                                        absl::string_view name,
                                                        size_t name_offset) {
  const InstructionIndex index = computation_.instructions.size();
  Normalize(computation_.instructions, draft.instruction);
  draft.instruction.name = std::string(name);
  draft.instruction.called.resize(draft.called.size());
  for (uint32_t i = 0; i < draft.called.size(); ++i) {
    const CallReference& reference = draft.called[i];
    if (reference.index.has_value()) {
      draft.instruction.called[i] = *reference.index;
    } else {
      calls_.push_back({index, i, reference.name});
    }
  }
  for (const NameReference& predecessor : draft.control_predecessors) {
    predecessors_.emplace_back(index, predecessor);
  }
  computation_.instructions.push_back(std::move(draft.instruction));
  if (name.empty()) {
    unnamed_.push_back(index);
  } else if (!by_name_.Insert(index)) {
    return reader_.Error(errors::kDuplicateName, name_offset,
                         absl::StrCat("a second instruction is named ", name));
  }
  return index;
}

InstructionIndex ComputationReader::AddParameter(const Shape& shape, absl::string_view name) {
  Instruction parameter;
  SetOpcode(Opcode::kParameter, parameter);
  parameter.shape = shape;
  parameter.name = std::string(name);
  parameter.As<ParameterAttributes>().number = next_parameter_++;
  const InstructionIndex index = computation_.instructions.size();
  computation_.instructions.push_back(std::move(parameter));
  if (name.empty()) {
    unnamed_.push_back(index);
  } else {
    by_name_.Insert(index);
  }
  return index;
}

absl::Status ComputationReader::ResolvePredecessors() {
  for (const auto& [index, reference] : predecessors_) {
    const std::optional<InstructionIndex> found = by_name_.Find(reference.name);
    if (!found.has_value()) {
      return reader_.Error(errors::kUndefinedName, reference.offset,
                           absl::StrCat("control predecessor ", reference.name,
                                        " is not defined in computation ", computation_.name));
    }
    computation_.instructions[index].mutable_extras().control_predecessors.push_back(*found);
  }
  return absl::OkStatus();
}

void ComputationReader::NameUnnamed() {
  NameUniquer uniquer;
  for (const InstructionIndex index : unnamed_) {
    Instruction& instruction = computation_.instructions[index];
    instruction.name =
        uniquer.Unique(absl::StrCat(Name(instruction.opcode), ".anon"),
                       [&](absl::string_view name) { return by_name_.Find(name).has_value(); });
    by_name_.Insert(index);
  }
}

}  // namespace axle::hlo::text
