// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/instruction_codec.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/ops/elementwise.h"
#include "hlo/proto/errors.h"
#include "hlo/proto/family_codec.h"
#include "hlo/proto/literal_codec.h"
#include "hlo/proto/provenance.h"
#include "hlo/proto/sharding_codec.h"
#include "hlo/proto/unknown_fields.h"
#include "hlo/sharding_leaves.h"

namespace axle::hlo::proto {
namespace {

using P = wire::HloInstructionProto;

// ---- Opcodes ------------------------------------------------------------------------------------

// Names that XLA has changed since. Comparisons were an opcode each until 2019.
struct OldOpcode {
  absl::string_view name;
  Opcode opcode;
  absl::string_view direction;
};
constexpr OldOpcode kOldOpcodes[] = {
    {"cross-replica-sum", Opcode::kAllReduce, ""},
    {"equal-to", Opcode::kCompare, "EQ"},
    {"not-equal-to", Opcode::kCompare, "NE"},
    {"greater-than-or-equal-to", Opcode::kCompare, "GE"},
    {"greater-than", Opcode::kCompare, "GT"},
    {"less-than-or-equal-to", Opcode::kCompare, "LE"},
    {"less-than", Opcode::kCompare, "LT"},
};

absl::StatusOr<Opcode> ReadOpcode(P* proto) {
  const std::optional<Opcode> opcode = OpcodeFromName(proto->opcode());
  if (opcode.has_value()) return *opcode;
  for (const OldOpcode& old : kOldOpcodes) {
    if (proto->opcode() != old.name) continue;
    if (!old.direction.empty()) proto->set_comparison_direction(std::string(old.direction));
    return old.opcode;
  }
  return MakeError(errors::kUnknownOpcode,
                   absl::StrCat("no operation is called '", Shown(proto->opcode()), "'"));
}

// ---- References ---------------------------------------------------------------------------------

// In 2017 fields 4 to 6 named operands, control predecessors and called computations.
absl::Status RefuseOldNames(const P& proto) {
  const google::protobuf::UnknownFieldSet& unknown = UnknownFieldsOf(proto);
  for (int i = 0; i < unknown.field_count(); ++i) {
    const int number = unknown.field(i).number();
    if (number >= 4 && number <= 6) {
      return MakeError(errors::kOldNames, absl::StrCat("field ", number, " refers by name"));
    }
  }
  return absl::OkStatus();
}

absl::Status ReadReferences(const P& proto, const ReadScope& scope, Instruction* instruction) {
  for (const int64_t id : proto.operand_ids()) {
    const std::optional<InstructionIndex> found = scope.instructions.Find(id);
    if (!found.has_value()) {
      return MakeError(errors::kNoOperand,
                       absl::StrCat("operand ", instruction->operands.size(), " has the id ", id,
                                    ", which no earlier instruction of the computation has"));
    }
    instruction->operands.push_back(*found);
  }
  for (const int64_t id : proto.called_computation_ids()) {
    const auto found = scope.computations->find(id);
    if (found == scope.computations->end()) {
      return MakeError(errors::kNoCallee,
                       absl::StrCat("called computation ", instruction->called.size(),
                                    " has the id ", id, ", which no earlier computation has"));
    }
    instruction->called.push_back(found->second);
  }
  for (const int64_t id : proto.control_predecessor_ids()) {
    const std::optional<InstructionIndex> found = scope.instructions.Find(id);
    if (!found.has_value()) {
      return MakeError(errors::kNoControlPredecessor,
                       absl::StrCat("control predecessor ", id,
                                    " is no earlier instruction of the computation"));
    }
    instruction->mutable_extras().control_predecessors.push_back(*found);
  }
  return absl::OkStatus();
}

// ---- What any instruction may have --------------------------------------------------------------

absl::StatusOr<std::string> ReadBackendConfig(const P& proto, const ReadScope& scope) {
  if (!proto.backend_config().empty()) return proto.backend_config();
  const P::Payload& payload = proto.backend_config_payload();
  if (payload.payload_case() != P::Payload::kId) return payload.value();
  if (payload.id() < 0 || payload.id() >= scope.payloads->size()) {
    return BadValue("backend_config_payload",
                    absl::StrCat("payload ", payload.id(), " of ", scope.payloads->size()));
  }
  return scope.payloads->Get(static_cast<int>(payload.id()));
}

void ReadProvenance(const P& proto, ReadContext& context, Instruction* instruction) {
  const wire::OriginalValueProto& value = proto.original_value();
  if (!value.elements().empty() || value.is_synthetic_call() || HasUnknownFields(value)) {
    Extras& extras = instruction->mutable_extras();
    if (std::optional<std::string> text = OriginalValueText(value, instruction->shape)) {
      extras.original_value = *std::move(text);
    } else {
      extras.original_value_wire = value.SerializeAsString();
    }
  }
  const wire::StatisticsViz& statistics = proto.statistics_viz();
  if (!statistics.statistics().empty() || statistics.stat_index_to_visualize() != 0 ||
      HasUnknownFields(statistics)) {
    if (std::optional<std::string> text = StatisticsText(statistics)) {
      instruction->mutable_extras().statistics = *std::move(text);
    } else {
      *context.Keep().mutable_statistics_viz() = statistics;
    }
  }
}

absl::Status ReadExtras(const P& proto, const ReadScope& scope, ReadContext& context,
                        Instruction* instruction) {
  if (proto.has_sharding()) {
    AXLE_ASSIGN_OR_RETURN(Sharding sharding, ReadSharding(proto.sharding()));
    SpreadOverLeaves(instruction->shape, &sharding);
    instruction->mutable_extras().sharding = std::make_unique<Sharding>(std::move(sharding));
  }
  if (!proto.frontend_attributes().map().empty()) {
    AXLE_ASSIGN_OR_RETURN(instruction->mutable_extras().frontend_attributes,
                          ReadFrontendAttributes(proto.frontend_attributes()));
  }
  if (proto.has_frontend_attributes()) {
    context.Note(proto.frontend_attributes());
    for (const auto& entry : proto.frontend_attributes().map()) context.Note(entry);
  }
  if (!proto.backend_config().empty() || proto.has_backend_config_payload()) {
    AXLE_ASSIGN_OR_RETURN(std::string config, ReadBackendConfig(proto, scope));
    if (!config.empty()) {
      Extras& extras = instruction->mutable_extras();
      extras.backend_config_is_json = LooksLikeJson(config);
      extras.backend_config = std::move(config);
    }
    context.Note(proto.backend_config_payload());
  }
  ReadProvenance(proto, context, instruction);
  return absl::OkStatus();
}

// Fields that keep what is unknown inside them by themselves.
void ClearSelfKept(P* proto) {
  proto->clear_metadata();
  proto->clear_sharding();
  proto->clear_original_value();
  proto->clear_statistics_viz();
}

// The other fields that every instruction has.
void ClearCommon(P* proto) {
  proto->clear_name();
  proto->clear_opcode();
  proto->clear_shape();
  proto->clear_id();
  proto->clear_operand_ids();
  proto->clear_control_predecessor_ids();
  proto->clear_called_computation_ids();
  proto->clear_backend_config();
  proto->clear_backend_config_payload();
  proto->clear_frontend_attributes();
}
// Those of them that are messages.
constexpr int kCommonMessages[] = {P::kShapeFieldNumber, P::kBackendConfigPayloadFieldNumber,
                                   P::kFrontendAttributesFieldNumber};

// Moves what nobody has read to the instruction's unknown fields.
absl::Status KeepRest(const FieldList& family, ReadContext& context, P* proto,
                      Instruction* instruction) {
  const bool nested = context.TakeNestedUnknown();
  ClearSelfKept(proto);
  AXLE_RETURN_IF_ERROR(ClearRead(family, nested, proto));
  if (nested) {
    // What is unknown inside them stays, serialized before they are cleared.
    static const FieldList messages(*P::descriptor(), kCommonMessages);
    AXLE_RETURN_IF_ERROR(ClearRead(messages, true, proto));
    P& kept = context.Keep();
    if (proto->has_shape()) *kept.mutable_shape() = proto->shape();
    if (proto->has_backend_config_payload()) {
      *kept.mutable_backend_config_payload() = proto->backend_config_payload();
    }
    if (proto->has_frontend_attributes()) {
      *kept.mutable_frontend_attributes() = proto->frontend_attributes();
    }
  }
  ClearCommon(proto);
  // XLA gives an empty one to convolutions.
  if (proto->sparsity_config().empty()) proto->clear_sparsity_config();
  if (context.has_kept) {
    instruction->mutable_extras().unknown_wire = context.kept.SerializeAsString();
    context.kept.Clear();
    context.has_kept = false;
  }
  if (proto->ByteSizeLong() > 0) {
    instruction->mutable_extras().unknown_wire.append(proto->SerializeAsString());
  }
  return absl::OkStatus();
}

}  // namespace

std::string Shown(absl::string_view text) {
  constexpr size_t kLongest = 100;
  if (text.size() <= kLongest) return absl::Utf8SafeCEscape(text);
  return absl::StrCat(absl::CHexEscape(text.substr(0, kLongest)), "…");
}

bool LooksLikeJson(absl::string_view config) {
  if (config.empty() || config.front() != '{' || config.back() != '}') return false;
  int64_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < config.size(); ++i) {
    const char c = config[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1 == config.size();
    }
  }
  return false;
}

absl::Status ReadInstruction(P* proto, const ReadScope& scope,
                             absl::Span<const Instruction> earlier, ReadContext& context,
                             Instruction* instruction) {
  if (proto->name().empty()) return MissingField("name");
  AXLE_RETURN_IF_ERROR(CheckText(proto->name(), "name"));
  instruction->name = proto->name();
  AXLE_ASSIGN_OR_RETURN(instruction->opcode, ReadOpcode(proto));
  if (!proto->has_shape()) return MissingField("shape");
  AXLE_ASSIGN_OR_RETURN(instruction->shape, context.shapes.Read(proto->shape()));
  if (HasUnknownFields(*proto)) AXLE_RETURN_IF_ERROR(RefuseOldNames(*proto));
  AXLE_RETURN_IF_ERROR(ReadReferences(*proto, scope, instruction));
  if (proto->has_metadata()) {
    AXLE_ASSIGN_OR_RETURN(instruction->metadata, context.metadata.Read(proto->metadata()));
  }
  AXLE_RETURN_IF_ERROR(ReadExtras(*proto, scope, context, instruction));

  context.earlier = earlier;
  context.operands = instruction->operands;
  instruction->attributes = Attributes::Default(Info(instruction->opcode).attributes);
  absl::Status status;
  instruction->attributes.Visit([&](auto& attributes) {
    static const FieldList fields(*P::descriptor(), WireFields(attributes));
    status = ReadWire(*proto, context, attributes);
    if (status.ok()) status = KeepRest(fields, context, proto, instruction);
  });
  return status;
}

absl::Status WriteInstruction(const Instruction& instruction, int64_t id, const WriteScope& scope,
                              const ProtoWriteOptions& options, P* proto) {
  if (instruction.extras) {
    const Extras& extras = *instruction.extras;
    AXLE_RETURN_IF_ERROR(MergeKept(extras.unknown_wire, proto));
    if (extras.sharding != nullptr) {
      AXLE_RETURN_IF_ERROR(WriteSharding(*extras.sharding, proto->mutable_sharding()));
    }
    AXLE_RETURN_IF_ERROR(
        WriteFrontendAttributes(extras.frontend_attributes, proto->mutable_frontend_attributes()));
    proto->set_backend_config(extras.backend_config);
    for (const InstructionIndex predecessor : extras.control_predecessors) {
      proto->add_control_predecessor_ids(scope.instruction_ids[predecessor]);
    }
    std::optional<wire::OriginalValueProto> value;
    if (!extras.original_value_wire.empty()) {
      AXLE_RETURN_IF_ERROR(MergeKept(extras.original_value_wire, proto->mutable_original_value()));
    } else if ((value = OriginalValueFromText(extras.original_value)).has_value()) {
      *proto->mutable_original_value() = *std::move(value);
    }
    if (std::optional<wire::StatisticsViz> viz = StatisticsFromText(extras.statistics)) {
      *proto->mutable_statistics_viz() = *std::move(viz);
    }
  }
  proto->set_opcode(std::string(Name(instruction.opcode)));
  WriteShape(options.fill_layouts ? instruction.shape.WithDefaultLayouts() : instruction.shape,
             proto->mutable_shape());
  if (instruction.metadata != nullptr) {
    AXLE_RETURN_IF_ERROR(WriteMetadata(*instruction.metadata, proto->mutable_metadata()));
  }
  proto->set_id(id);
  for (const InstructionIndex operand : instruction.operands) {
    proto->add_operand_ids(scope.instruction_ids[operand]);
  }
  for (const ComputationIndex callee : instruction.called) {
    proto->add_called_computation_ids(scope.computation_ids[callee]);
  }
  absl::Status status;
  instruction.attributes.Visit([&](const auto& attributes) {
    status = WriteWire(attributes, *proto);
    if constexpr (requires { attributes.literal; }) {
      if (status.ok() && options.fill_layouts && attributes.literal != nullptr) {
        FillLayouts(*attributes.literal, proto->mutable_literal());
      }
    }
  });
  if (options.fill_layouts && instruction.opcode == Opcode::kOutfeed) {
    const Shape& data = instruction.As<OutfeedAttributes>().shape;
    proto->clear_outfeed_shape();
    if (data.valid()) WriteShape(data.WithDefaultLayouts(), proto->mutable_outfeed_shape());
  }
  if (instruction.opcode == Opcode::kCompare && !instruction.operands.empty() &&
      instruction.As<CompareAttributes>().type == ComparisonType::kUnset) {
    const Shape& operand = scope.instructions[instruction.operands[0]].shape;
    proto->set_comparison_type(std::string(EnumName(ImpliedComparison(operand.element_type()))));
  }
  return status;
}

}  // namespace axle::hlo::proto
