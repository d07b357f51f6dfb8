// SPDX-License-Identifier: Apache-2.0
// Families of calls, fusions, custom calls and asynchronous computations.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "hlo/proto/family_codec.h"
#include "hlo/proto/literal_codec.h"
#include "hlo/proto/sharding_codec.h"

namespace axle::hlo::proto {

using P = wire::HloInstructionProto;

// ---- Shared parts -------------------------------------------------------------------------------

OutputOperandAliases ReadAliases(const P& proto, ReadContext& context) {
  OutputOperandAliases aliases;
  for (const wire::OutputOperandAliasing& alias : proto.output_operand_aliasing()) {
    context.Note(alias);
    aliases.push_back({ToVector(alias.output_shape_index()), alias.operand_index(),
                       ToVector(alias.operand_shape_index())});
  }
  return aliases;
}

void WriteAliases(const OutputOperandAliases& aliases, P& proto) {
  for (const OutputOperandAlias& alias : aliases) {
    wire::OutputOperandAliasing* out = proto.add_output_operand_aliasing();
    Assign(alias.output_index, out->mutable_output_shape_index());
    out->set_operand_index(alias.operand);
    Assign(alias.operand_index, out->mutable_operand_shape_index());
  }
}

absl::StatusOr<std::string> ReadThread(const std::string& name) {
  AXLE_RETURN_IF_ERROR(CheckText(name, "execution thread"));
  return name == "main" ? std::string() : name;
}

// ---- Calls --------------------------------------------------------------------------------------

absl::Span<const int> WireFields(const CallAttributes&) {
  static constexpr int kFields[] = {P::kIsCompositeFieldNumber,
                                    P::kOutputOperandAliasingFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, CallAttributes& attributes) {
  attributes.is_composite = proto.is_composite();
  attributes.output_to_operand_aliasing = ReadAliases(proto, context);
  return absl::OkStatus();
}
absl::Status WriteWire(const CallAttributes& attributes, P& proto) {
  proto.set_is_composite(attributes.is_composite);
  WriteAliases(attributes.output_to_operand_aliasing, proto);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const FusionAttributes&) {
  static constexpr int kFields[] = {P::kFusionKindFieldNumber,
                                    P::kOutputOperandAliasingFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, FusionAttributes& attributes) {
  if (proto.fusion_kind().empty()) return MissingField("fusion_kind");
  const auto kind = EnumFromName<FusionKind>(proto.fusion_kind());
  if (!kind.has_value()) return BadValue("fusion_kind", proto.fusion_kind());
  attributes.kind = *kind;
  attributes.output_to_operand_aliasing = ReadAliases(proto, context);
  return absl::OkStatus();
}
absl::Status WriteWire(const FusionAttributes& attributes, P& proto) {
  proto.set_fusion_kind(std::string(EnumName(attributes.kind)));
  WriteAliases(attributes.output_to_operand_aliasing, proto);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const AsyncAttributes&) {
  static constexpr int kFields[] = {P::kAsyncExecutionThreadFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, AsyncAttributes& attributes) {
  AXLE_ASSIGN_OR_RETURN(attributes.execution_thread, ReadThread(proto.async_execution_thread()));
  return absl::OkStatus();
}
absl::Status WriteWire(const AsyncAttributes& attributes, P& proto) {
  AXLE_ASSIGN_OR_RETURN(*proto.mutable_async_execution_thread(),
                        ReadThread(attributes.execution_thread));
  return absl::OkStatus();
}

// ---- Custom calls -------------------------------------------------------------------------------

absl::Span<const int> WireFields(const CustomCallAttributes&) {
  static constexpr int kFields[] = {
      P::kCustomCallTargetFieldNumber,
      P::kWindowFieldNumber,
      P::kConvolutionDimensionNumbersFieldNumber,
      P::kFeatureGroupCountFieldNumber,
      P::kBatchGroupCountFieldNumber,
      P::kPrecisionConfigFieldNumber,
      P::kConstrainLayoutFieldNumber,
      P::kOperandShapesWithLayoutFieldNumber,
      P::kCustomCallHasSideEffectFieldNumber,
      P::kOutputOperandAliasingFieldNumber,
      P::kLiteralFieldNumber,
      P::kPaddingTypeFieldNumber,
      P::kCustomCallScheduleFieldNumber,
      P::kCustomCallApiVersionFieldNumber,
  };
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, CustomCallAttributes& attributes) {
  AXLE_RETURN_IF_ERROR(CheckText(proto.custom_call_target(), "custom_call_target"));
  attributes.target = proto.custom_call_target();
  if (proto.has_window()) attributes.window = ReadWindow(proto.window(), context);
  if (proto.has_convolution_dimension_numbers()) {
    attributes.dim_labels =
        ReadConvolutionDimensions(proto.convolution_dimension_numbers(), context);
  }
  attributes.feature_group_count = ReadGroupCount(proto.feature_group_count());
  attributes.batch_group_count = ReadGroupCount(proto.batch_group_count());
  AXLE_RETURN_IF_ERROR(ReadPrecision(proto, context, attributes.operand_precision, nullptr));
  if (proto.constrain_layout() || !proto.operand_shapes_with_layout().empty()) {
    auto& shapes = attributes.operand_layout_constraints.emplace();
    for (const wire::ShapeProto& shape : proto.operand_shapes_with_layout()) {
      AXLE_ASSIGN_OR_RETURN(shapes.emplace_back(), context.shapes.Read(shape));
    }
  }
  attributes.has_side_effect = proto.custom_call_has_side_effect();
  attributes.output_to_operand_aliasing = ReadAliases(proto, context);
  if (proto.has_literal()) {
    AXLE_ASSIGN_OR_RETURN(Literal literal, ReadLiteral(proto.literal(), context.shapes));
    attributes.literal = std::make_shared<const Literal>(std::move(literal));
  }
  AXLE_RETURN_IF_ERROR(ReadEnum(proto.padding_type(), "padding_type", &attributes.padding_type));
  AXLE_RETURN_IF_ERROR(
      ReadEnum(proto.custom_call_schedule(), "custom_call_schedule", &attributes.schedule));
  AXLE_RETURN_IF_ERROR(ReadEnum(proto.custom_call_api_version(), "custom_call_api_version",
                                &attributes.api_version));
  // The version that goes without saying. XLA spells it out on the wire, but not in text.
  if (attributes.api_version == CustomCallApiVersion::kOriginal) {
    attributes.api_version = CustomCallApiVersion::kUnspecified;
  }
  return absl::OkStatus();
}
absl::Status WriteWire(const CustomCallAttributes& attributes, P& proto) {
  AXLE_RETURN_IF_ERROR(CheckText(attributes.target, "custom_call_target"));
  proto.set_custom_call_target(attributes.target);
  if (!attributes.window.dimensions.empty()) {
    WriteWindow(attributes.window, proto.mutable_window());
  }
  if (attributes.dim_labels.has_value()) {
    WriteConvolutionDimensions(*attributes.dim_labels,
                               proto.mutable_convolution_dimension_numbers());
  }
  proto.set_feature_group_count(attributes.feature_group_count);
  proto.set_batch_group_count(attributes.batch_group_count);
  WritePrecision(attributes.operand_precision, DotAlgorithm::kUnset, proto);
  if (attributes.operand_layout_constraints.has_value()) {
    proto.set_constrain_layout(true);
    for (const Shape& shape : *attributes.operand_layout_constraints) {
      WriteShape(shape, proto.add_operand_shapes_with_layout());
    }
  }
  proto.set_custom_call_has_side_effect(attributes.has_side_effect);
  WriteAliases(attributes.output_to_operand_aliasing, proto);
  if (attributes.literal != nullptr) {
    AXLE_RETURN_IF_ERROR(WriteLiteral(*attributes.literal, proto.mutable_literal()));
  }
  proto.set_padding_type(static_cast<wire::PaddingType>(attributes.padding_type));
  proto.set_custom_call_schedule(static_cast<P::CustomCallSchedule>(attributes.schedule));
  proto.set_custom_call_api_version(
      attributes.api_version == CustomCallApiVersion::kUnspecified
          ? P::API_VERSION_ORIGINAL
          : static_cast<P::CustomCallApiVersion>(attributes.api_version));
  return absl::OkStatus();
}

// ---- Domains ------------------------------------------------------------------------------------

absl::Span<const int> WireFields(const DomainAttributes&) {
  static constexpr int kFields[] = {P::kDomainEntryShardingFieldNumber,
                                    P::kDomainExitShardingFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, DomainAttributes& attributes) {
  if (proto.has_domain_entry_sharding()) {
    AXLE_ASSIGN_OR_RETURN(attributes.domain.entry, ReadSharding(proto.domain_entry_sharding()));
  }
  if (proto.has_domain_exit_sharding()) {
    AXLE_ASSIGN_OR_RETURN(attributes.domain.exit, ReadSharding(proto.domain_exit_sharding()));
  }
  return absl::OkStatus();
}
absl::Status WriteWire(const DomainAttributes& attributes, P& proto) {
  if (attributes.domain.entry.has_value()) {
    AXLE_RETURN_IF_ERROR(
        WriteSharding(*attributes.domain.entry, proto.mutable_domain_entry_sharding()));
  }
  if (attributes.domain.exit.has_value()) {
    AXLE_RETURN_IF_ERROR(
        WriteSharding(*attributes.domain.exit, proto.mutable_domain_exit_sharding()));
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::proto
