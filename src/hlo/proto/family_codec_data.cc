// SPDX-License-Identifier: Apache-2.0
// Families of shape and data operations and of elementwise ones.
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/ops/elementwise.h"
#include "hlo/proto/family_codec.h"
#include "hlo/proto/literal_codec.h"

namespace axle::hlo::proto {

using P = wire::HloInstructionProto;

absl::Span<const int> WireFields(const NoneAttributes&) { return {}; }
absl::Status ReadWire(const P&, ReadContext&, NoneAttributes&) { return absl::OkStatus(); }
absl::Status WriteWire(const NoneAttributes&, P&) { return absl::OkStatus(); }

// ---- Dimensions ---------------------------------------------------------------------------------

absl::Span<const int> WireFields(const DimensionsAttributes&) {
  static constexpr int kFields[] = {P::kDimensionsFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, DimensionsAttributes& attributes) {
  attributes.dimensions = ToVector(proto.dimensions());
  return absl::OkStatus();
}
absl::Status WriteWire(const DimensionsAttributes& attributes, P& proto) {
  Assign(attributes.dimensions, proto.mutable_dimensions());
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const IotaAttributes&) {
  static constexpr int kFields[] = {P::kDimensionsFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, IotaAttributes& attributes) {
  if (proto.dimensions_size() != 1) {
    return BadValue("dimensions", absl::StrCat(proto.dimensions_size(), " numbers, not 1"));
  }
  attributes.iota_dimension = proto.dimensions(0);
  return absl::OkStatus();
}
absl::Status WriteWire(const IotaAttributes& attributes, P& proto) {
  proto.add_dimensions(attributes.iota_dimension);
  return absl::OkStatus();
}

// ---- Parameters, constants, tuples --------------------------------------------------------------

absl::Span<const int> WireFields(const ParameterAttributes&) {
  static constexpr int kFields[] = {P::kParameterNumberFieldNumber,
                                    P::kParameterReplicationFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, ParameterAttributes& attributes) {
  attributes.number = proto.parameter_number();
  const auto& flags = proto.parameter_replication().replicated_at_leaf_buffers();
  attributes.replication.assign(flags.begin(), flags.end());
  context.Note(proto.parameter_replication());
  return absl::OkStatus();
}
absl::Status WriteWire(const ParameterAttributes& attributes, P& proto) {
  proto.set_parameter_number(attributes.number);
  if (attributes.replication.empty()) return absl::OkStatus();
  Assign(attributes.replication,
         proto.mutable_parameter_replication()->mutable_replicated_at_leaf_buffers());
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const ConstantAttributes&) {
  static constexpr int kFields[] = {P::kLiteralFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, ConstantAttributes& attributes) {
  if (!proto.has_literal()) return absl::OkStatus();
  AXLE_ASSIGN_OR_RETURN(Literal literal, ReadLiteral(proto.literal(), context.shapes));
  attributes.literal = std::make_shared<const Literal>(std::move(literal));
  return absl::OkStatus();
}
absl::Status WriteWire(const ConstantAttributes& attributes, P& proto) {
  if (attributes.literal == nullptr) return absl::OkStatus();
  return WriteLiteral(*attributes.literal, proto.mutable_literal());
}

absl::Span<const int> WireFields(const GetTupleElementAttributes&) {
  static constexpr int kFields[] = {P::kTupleIndexFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, GetTupleElementAttributes& attributes) {
  attributes.index = proto.tuple_index();
  return absl::OkStatus();
}
absl::Status WriteWire(const GetTupleElementAttributes& attributes, P& proto) {
  proto.set_tuple_index(attributes.index);
  return absl::OkStatus();
}

// ---- Slices and pads ----------------------------------------------------------------------------

absl::Span<const int> WireFields(const SliceAttributes&) {
  static constexpr int kFields[] = {P::kSliceDimensionsFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, SliceAttributes& attributes) {
  for (const P::SliceDimensions& dimension : proto.slice_dimensions()) {
    context.Note(dimension);
    attributes.slice.dimensions.push_back(
        {dimension.start(), dimension.limit(), dimension.stride()});
  }
  return absl::OkStatus();
}
absl::Status WriteWire(const SliceAttributes& attributes, P& proto) {
  for (const SliceDimension& dimension : attributes.slice.dimensions) {
    P::SliceDimensions* out = proto.add_slice_dimensions();
    out->set_start(dimension.start);
    out->set_limit(dimension.limit);
    out->set_stride(dimension.stride);
  }
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const DynamicSliceAttributes&) {
  static constexpr int kFields[] = {P::kDynamicSliceSizesFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, DynamicSliceAttributes& attributes) {
  attributes.sizes = ToVector(proto.dynamic_slice_sizes());
  return absl::OkStatus();
}
absl::Status WriteWire(const DynamicSliceAttributes& attributes, P& proto) {
  Assign(attributes.sizes, proto.mutable_dynamic_slice_sizes());
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const PadAttributes&) {
  static constexpr int kFields[] = {P::kPaddingConfigFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, PadAttributes& attributes) {
  if (!proto.has_padding_config()) return MissingField("padding_config");
  context.Note(proto.padding_config());
  for (const wire::PaddingConfig::Dimension& dimension : proto.padding_config().dimensions()) {
    context.Note(dimension);
    attributes.padding.dimensions.push_back({dimension.edge_padding_low(),
                                             dimension.edge_padding_high(),
                                             dimension.interior_padding()});
  }
  return absl::OkStatus();
}
absl::Status WriteWire(const PadAttributes& attributes, P& proto) {
  wire::PaddingConfig* config = proto.mutable_padding_config();
  for (const PaddingDimension& dimension : attributes.padding.dimensions) {
    wire::PaddingConfig::Dimension* out = config->add_dimensions();
    out->set_edge_padding_low(dimension.low);
    out->set_edge_padding_high(dimension.high);
    out->set_interior_padding(dimension.interior);
  }
  return absl::OkStatus();
}

// ---- Gather and scatter -------------------------------------------------------------------------

absl::Span<const int> WireFields(const GatherAttributes&) {
  static constexpr int kFields[] = {P::kGatherDimensionNumbersFieldNumber,
                                    P::kGatherSliceSizesFieldNumber,
                                    P::kIndicesAreSortedFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, GatherAttributes& attributes) {
  if (!proto.has_gather_dimension_numbers()) return MissingField("gather_dimension_numbers");
  const wire::GatherDimensionNumbers& numbers = proto.gather_dimension_numbers();
  context.Note(numbers);
  attributes.offset_dims = ToVector(numbers.offset_dims());
  attributes.collapsed_slice_dims = ToVector(numbers.collapsed_slice_dims());
  attributes.start_index_map = ToVector(numbers.start_index_map());
  attributes.operand_batching_dims = ToVector(numbers.operand_batching_dims());
  attributes.start_indices_batching_dims = ToVector(numbers.start_indices_batching_dims());
  attributes.index_vector_dim = numbers.index_vector_dim();
  attributes.slice_sizes = ToVector(proto.gather_slice_sizes());
  attributes.indices_are_sorted = proto.indices_are_sorted();
  return absl::OkStatus();
}
absl::Status WriteWire(const GatherAttributes& attributes, P& proto) {
  wire::GatherDimensionNumbers* numbers = proto.mutable_gather_dimension_numbers();
  Assign(attributes.offset_dims, numbers->mutable_offset_dims());
  Assign(attributes.collapsed_slice_dims, numbers->mutable_collapsed_slice_dims());
  Assign(attributes.start_index_map, numbers->mutable_start_index_map());
  Assign(attributes.operand_batching_dims, numbers->mutable_operand_batching_dims());
  Assign(attributes.start_indices_batching_dims, numbers->mutable_start_indices_batching_dims());
  numbers->set_index_vector_dim(attributes.index_vector_dim);
  Assign(attributes.slice_sizes, proto.mutable_gather_slice_sizes());
  proto.set_indices_are_sorted(attributes.indices_are_sorted);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const ScatterAttributes&) {
  static constexpr int kFields[] = {P::kScatterDimensionNumbersFieldNumber,
                                    P::kIndicesAreSortedFieldNumber, P::kUniqueIndicesFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, ScatterAttributes& attributes) {
  if (!proto.has_scatter_dimension_numbers()) return MissingField("scatter_dimension_numbers");
  const wire::ScatterDimensionNumbers& numbers = proto.scatter_dimension_numbers();
  context.Note(numbers);
  attributes.update_window_dims = ToVector(numbers.update_window_dims());
  attributes.inserted_window_dims = ToVector(numbers.inserted_window_dims());
  attributes.scatter_dims_to_operand_dims = ToVector(numbers.scatter_dims_to_operand_dims());
  attributes.input_batching_dims = ToVector(numbers.input_batching_dims());
  attributes.scatter_indices_batching_dims = ToVector(numbers.scatter_indices_batching_dims());
  attributes.index_vector_dim = numbers.index_vector_dim();
  attributes.indices_are_sorted = proto.indices_are_sorted();
  attributes.unique_indices = proto.unique_indices();
  return absl::OkStatus();
}
absl::Status WriteWire(const ScatterAttributes& attributes, P& proto) {
  wire::ScatterDimensionNumbers* numbers = proto.mutable_scatter_dimension_numbers();
  Assign(attributes.update_window_dims, numbers->mutable_update_window_dims());
  Assign(attributes.inserted_window_dims, numbers->mutable_inserted_window_dims());
  Assign(attributes.scatter_dims_to_operand_dims, numbers->mutable_scatter_dims_to_operand_dims());
  Assign(attributes.input_batching_dims, numbers->mutable_input_batching_dims());
  Assign(attributes.scatter_indices_batching_dims,
         numbers->mutable_scatter_indices_batching_dims());
  numbers->set_index_vector_dim(attributes.index_vector_dim);
  proto.set_indices_are_sorted(attributes.indices_are_sorted);
  proto.set_unique_indices(attributes.unique_indices);
  return absl::OkStatus();
}

// ---- Elementwise --------------------------------------------------------------------------------

absl::Span<const int> WireFields(const CompareAttributes&) {
  static constexpr int kFields[] = {P::kComparisonDirectionFieldNumber,
                                    P::kComparisonTypeFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, CompareAttributes& attributes) {
  const auto direction = EnumFromName<ComparisonDirection>(proto.comparison_direction());
  if (!direction.has_value()) {
    return BadValue("comparison_direction", proto.comparison_direction());
  }
  const auto type = EnumFromName<ComparisonType>(proto.comparison_type());
  if (!type.has_value()) return BadValue("comparison_type", proto.comparison_type());
  attributes.direction = *direction;
  const bool implied = !context.operands.empty() &&
                       *type == ImpliedComparison(context.operand_shape(0).element_type());
  if (!implied) attributes.type = *type;
  return absl::OkStatus();
}
absl::Status WriteWire(const CompareAttributes& attributes, P& proto) {
  proto.set_comparison_direction(std::string(EnumName(attributes.direction)));
  proto.set_comparison_type(std::string(EnumName(attributes.type)));
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const ReducePrecisionAttributes&) {
  static constexpr int kFields[] = {P::kExponentBitsFieldNumber, P::kMantissaBitsFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, ReducePrecisionAttributes& attributes) {
  attributes.exponent_bits = proto.exponent_bits();
  attributes.mantissa_bits = proto.mantissa_bits();
  return absl::OkStatus();
}
absl::Status WriteWire(const ReducePrecisionAttributes& attributes, P& proto) {
  AXLE_ASSIGN_OR_RETURN(const int32_t exponent, ToInt32(attributes.exponent_bits, "exponent_bits"));
  AXLE_ASSIGN_OR_RETURN(const int32_t mantissa, ToInt32(attributes.mantissa_bits, "mantissa_bits"));
  proto.set_exponent_bits(exponent);
  proto.set_mantissa_bits(mantissa);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const ResultAccuracyAttributes&) {
  static constexpr int kFields[] = {P::kResultAccuracyFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, ResultAccuracyAttributes& attributes) {
  if (!proto.has_result_accuracy()) return absl::OkStatus();
  const wire::ResultAccuracy& accuracy = proto.result_accuracy();
  context.Note(accuracy);
  if (accuracy.has_tolerance()) {
    context.Note(accuracy.tolerance());
    attributes.result_accuracy.tolerance = {
        accuracy.tolerance().atol(), accuracy.tolerance().rtol(), accuracy.tolerance().ulps()};
  }
  return ReadEnum(accuracy.mode(), "result_accuracy.mode", &attributes.result_accuracy.mode);
}
absl::Status WriteWire(const ResultAccuracyAttributes& attributes, P& proto) {
  const ResultAccuracy& accuracy = attributes.result_accuracy;
  if (accuracy.tolerance.has_value()) {
    wire::ResultAccuracy::Tolerance* tolerance =
        proto.mutable_result_accuracy()->mutable_tolerance();
    tolerance->set_atol(accuracy.tolerance->atol);
    tolerance->set_rtol(accuracy.tolerance->rtol);
    tolerance->set_ulps(accuracy.tolerance->ulps);
  } else if (accuracy.mode != ResultAccuracyMode::kDefault) {
    proto.mutable_result_accuracy()->set_mode(
        static_cast<wire::ResultAccuracy::Mode>(accuracy.mode));
  }
  return absl::OkStatus();
}

}  // namespace axle::hlo::proto
