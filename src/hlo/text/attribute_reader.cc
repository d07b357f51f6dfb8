// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/attribute_reader.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "hlo/text/attribute_keys.h"
#include "hlo/text/errors.h"
#include "hlo/text/sharding_reader.h"
#include "hlo/text/value_reader.h"

namespace axle::hlo::text {
namespace {

// Bit i of a mask: field i of a family, in the order of Fields().
using FieldMask = uint32_t;

// Reads the field that has a key, if any does.
class FieldReader {
 public:
  FieldReader(Reader& reader, absl::string_view key, FieldMask& seen)
      : reader_(reader), key_(key), seen_(seen) {}

  template <typename T>
  void operator()(const FieldInfo& info, T& field) {
    const FieldMask bit = FieldMask{1} << index_++;
    if (found_ || info.key.empty() || info.key != key_) return;
    found_ = true;
    duplicate_ = (seen_ & bit) != 0;
    seen_ |= bit;
    if (!duplicate_) status_ = ReadValue(reader_, key_, field);
  }
  bool found() const { return found_; }
  bool duplicate() const { return duplicate_; }
  const absl::Status& status() const { return status_; }

 private:
  Reader& reader_;
  const absl::string_view key_;
  FieldMask& seen_;
  int index_ = 0;
  bool found_ = false;
  bool duplicate_ = false;
  absl::Status status_;
};

// Finds the first field that must be given and was not.
class MissingField {
 public:
  MissingField(Opcode opcode, FieldMask seen, bool scalar_operand)
      : opcode_(opcode), seen_(seen), scalar_operand_(scalar_operand) {}

  template <typename T>
  void operator()(const FieldInfo& info, const T&) {
    const FieldMask bit = FieldMask{1} << index_++;
    if ((seen_ & bit) != 0 || !key_.empty() || info.print == FieldPrint::kPositional) return;
    const bool required = info.print == FieldPrint::kAlways ? !IsOptionalKey(opcode_, info.key)
                                                            : IsRequiredKey(opcode_, info.key);
    // A scalar is broadcast along no dimension: nothing to say.
    const bool implied = opcode_ == Opcode::kBroadcast && scalar_operand_;
    if (required && !implied) key_ = info.key;
  }
  absl::string_view key() const { return key_; }

 private:
  const Opcode opcode_;
  const FieldMask seen_;
  const bool scalar_operand_;
  int index_ = 0;
  absl::string_view key_;
};

enum CommonKey : uint32_t {
  kSharding = 1,
  kFrontend = 2,
  kPredecessors = 4,
  kMetadata = 8,
  kBackendConfig = 16,
  kOrigin = 32,
  kStatistics = 64,
};

class AttributeReader {
 public:
  AttributeReader(Reader& reader, InstructionDraft& draft,
                  const InlineComputation& read_computation)
      : reader_(reader), draft_(draft), read_computation_(read_computation) {}

  absl::Status ReadOne() {
    begin_ = reader_.token().begin;
    AXLE_ASSIGN_OR_RETURN(key_, reader_.TakeWord("the name of an attribute"));
    AXLE_RETURN_IF_ERROR(reader_.Take('=', absl::StrCat("behind the attribute ", key_)));
    bool found = false;
    AXLE_RETURN_IF_ERROR(ReadCommon(found));
    if (!found) AXLE_RETURN_IF_ERROR(ReadOwn(draft_, seen_, found));
    if (!found && draft_.wrapped) {
      AXLE_RETURN_IF_ERROR(ReadOwn(*draft_.wrapped, wrapped_seen_, found));
    }
    return found ? absl::OkStatus() : ReadOther();
  }

  absl::Status CheckComplete() {
    AXLE_RETURN_IF_ERROR(CheckOwn(draft_, seen_));
    return draft_.wrapped ? CheckOwn(*draft_.wrapped, wrapped_seen_) : absl::OkStatus();
  }

 private:
  absl::Status Duplicate() {
    return reader_.Error(errors::kDuplicateAttribute, begin_,
                         absl::StrCat("the attribute ", key_, " is given twice"));
  }

  absl::Status Once(CommonKey bit) {
    if ((common_seen_ & bit) != 0) return Duplicate();
    common_seen_ |= bit;
    return absl::OkStatus();
  }

  Extras& extras() { return draft_.instruction.mutable_extras(); }

  // Attributes of any instruction.
  absl::Status ReadCommon(bool& found) {
    found = true;
    if (key_ == "metadata") {
      AXLE_RETURN_IF_ERROR(Once(kMetadata));
      AXLE_ASSIGN_OR_RETURN(draft_.instruction.metadata, ReadMetadata(reader_));
    } else if (key_ == "sharding") {
      AXLE_RETURN_IF_ERROR(Once(kSharding));
      AXLE_ASSIGN_OR_RETURN(Sharding sharding, ReadSharding(reader_));
      extras().sharding = std::make_unique<Sharding>(std::move(sharding));
    } else if (key_ == "frontend_attributes") {
      AXLE_RETURN_IF_ERROR(Once(kFrontend));
      return ReadFrontendAttributes(reader_, extras().frontend_attributes);
    } else if (key_ == "backend_config") {
      AXLE_RETURN_IF_ERROR(Once(kBackendConfig));
      extras().backend_config_is_json = reader_.At('{');
      return ReadValue(reader_, key_, extras().backend_config);
    } else if (key_ == "control-predecessors") {
      AXLE_RETURN_IF_ERROR(Once(kPredecessors));
      return ReadPredecessors();
    } else if (key_ == "origin") {
      AXLE_RETURN_IF_ERROR(Once(kOrigin));
      AXLE_ASSIGN_OR_RETURN(const absl::string_view text, reader_.TakeGroup("an origin"));
      extras().original_value = std::string(text);
    } else if (key_ == "statistics") {
      AXLE_RETURN_IF_ERROR(Once(kStatistics));
      AXLE_ASSIGN_OR_RETURN(const absl::string_view text, reader_.TakeGroup("statistics"));
      extras().statistics = std::string(text);
    } else {
      found = false;
    }
    return absl::OkStatus();
  }

  absl::Status ReadPredecessors() {
    return reader_.TakeList('{', '}', "control predecessors", [&]() -> absl::Status {
      const size_t offset = reader_.token().begin;
      AXLE_ASSIGN_OR_RETURN(const absl::string_view name,
                            reader_.TakeName("the name of an instruction"));
      draft_.control_predecessors.push_back({name, offset});
      return absl::OkStatus();
    });
  }

  // Fields of the opcode's family, and called computations.
  absl::Status ReadOwn(InstructionDraft& draft, FieldMask& seen, bool& found) {
    FieldReader fields(reader_, key_, seen);
    draft.instruction.attributes.Visit([&](auto& family) { family.Fields(family, fields); });
    if (fields.duplicate()) return Duplicate();
    found = fields.found();
    if (found) return fields.status();
    for (const CallSlot& slot : CallSlots(Info(draft.instruction.opcode).calls)) {
      if (slot.key != key_) continue;
      found = true;
      return slot.is_list ? ReadCallList(draft) : ReadCall(draft, slot);
    }
    return absl::OkStatus();
  }

  absl::Status ReadCallReference(CallReference& reference) {
    reference.given = true;
    if (reader_.At('{')) {
      AXLE_ASSIGN_OR_RETURN(reference.index, read_computation_());
      return absl::OkStatus();
    }
    reference.name.offset = reader_.token().begin;
    AXLE_ASSIGN_OR_RETURN(reference.name.name, reader_.TakeName("the name of a computation"));
    return absl::OkStatus();
  }

  absl::Status ReadCall(InstructionDraft& draft, const CallSlot& slot) {
    // A branch for true without one for false is missing the other.
    const size_t least = draft.instruction.opcode == Opcode::kConditional ? 2 : slot.position + 1;
    if (draft.called.size() < least) draft.called.resize(least);
    if (draft.called[slot.position].given) return Duplicate();
    if (draft.instruction.opcode == Opcode::kCustomCall) {
      draft.instruction.As<CustomCallAttributes>().to_apply = true;
    }
    CallReference reference;  // not in place: reading it may grow the list
    AXLE_RETURN_IF_ERROR(ReadCallReference(reference));
    draft.called[slot.position] = reference;
    return absl::OkStatus();
  }

  absl::Status ReadCallList(InstructionDraft& draft) {
    if (!draft.called.empty()) return Duplicate();
    return reader_.TakeList('{', '}', key_, [&]() -> absl::Status {
      CallReference reference;
      AXLE_RETURN_IF_ERROR(ReadCallReference(reference));
      draft.called.push_back(reference);
      return absl::OkStatus();
    });
  }

  // What neither the opcode nor every instruction has.
  absl::Status ReadOther() {
    const Opcode opcode = draft_.instruction.opcode;
    const Opcode inner = draft_.wrapped ? draft_.wrapped->instruction.opcode : opcode;
    const size_t begin = begin_;
    const absl::string_view key = key_;
    // An asynchronous start may carry aliases of its own, for which the IR has no field.
    const bool kept = opcode == Opcode::kAsyncStart && key == "output_to_operand_aliasing";
    if (!kept && !IsIgnoredKey(inner, key) && IsKnownKey(key)) {
      return reader_.Error(errors::kMisplacedAttribute, begin,
                           absl::StrCat(Name(inner), " has no attribute ", key,
                                        "; its attributes: ", KeysOf(inner)));
    }
    AXLE_ASSIGN_OR_RETURN(const absl::string_view value,
                          reader_.TakeRawValue(absl::StrCat("a value for ", key)));
    if (!IsIgnoredKey(inner, key)) extras().unknown_text.emplace_back(key, value);
    return absl::OkStatus();
  }

  absl::Status Missing(const InstructionDraft& draft, absl::string_view key) {
    return reader_.Error(
        errors::kMissingAttribute, draft.offset,
        absl::StrCat(Name(draft.instruction.opcode), " lacks the attribute ", key));
  }

  absl::Status CheckOwn(const InstructionDraft& draft, FieldMask seen) {
    const Opcode opcode = draft.instruction.opcode;
    MissingField missing(opcode, seen, draft.scalar_operand);
    draft.instruction.attributes.Visit([&](auto& family) { family.Fields(family, missing); });
    if (!missing.key().empty()) return Missing(draft, missing.key());
    const absl::Span<const CallSlot> slots = CallSlots(Info(opcode).calls);
    const int required = RequiredCalls(Info(opcode).calls);
    for (int i = 0; i < required; ++i) {
      if (i >= draft.called.size() || !draft.called[i].given) return Missing(draft, slots[i].key);
    }
    for (size_t i = 0; i < draft.called.size(); ++i) {
      if (!draft.called[i].given) return Missing(draft, slots[i].key);
    }
    return absl::OkStatus();
  }

  Reader& reader_;
  InstructionDraft& draft_;
  const InlineComputation& read_computation_;
  FieldMask seen_ = 0;
  FieldMask wrapped_seen_ = 0;
  uint32_t common_seen_ = 0;
  absl::string_view key_;  // of the attribute being read, and where it begins
  size_t begin_ = 0;
};

}  // namespace

absl::Status ReadAttributes(Reader& reader, InstructionDraft& draft, bool allowed,
                            const InlineComputation& read_computation) {
  AttributeReader attributes(reader, draft, read_computation);
  while (allowed && reader.Try(',')) AXLE_RETURN_IF_ERROR(attributes.ReadOne());
  return attributes.CheckComplete();
}

}  // namespace axle::hlo::text
