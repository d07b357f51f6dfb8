// SPDX-License-Identifier: Apache-2.0
// Families of linear algebra, reductions, sorting and random numbers.
#include <algorithm>
#include <string>

#include "base/status_macros.h"
#include "hlo/proto/family_codec.h"

namespace axle::hlo::proto {

using P = wire::HloInstructionProto;

// ---- Shared parts -------------------------------------------------------------------------------

WindowConfig ReadWindow(const wire::Window& proto, ReadContext& context) {
  context.Note(proto);
  WindowConfig window;
  window.dimensions.reserve(proto.dimensions_size());
  for (const wire::WindowDimension& in : proto.dimensions()) {
    context.Note(in);
    WindowDimension dimension;
    dimension.size = in.size();
    dimension.stride = in.stride();
    dimension.padding_low = in.padding_low();
    dimension.padding_high = in.padding_high();
    dimension.window_dilation = in.window_dilation();
    dimension.base_dilation = in.base_dilation();
    dimension.window_reversal = in.window_reversal();
    window.dimensions.push_back(dimension);
  }
  return window;
}

void WriteWindow(const WindowConfig& window, wire::Window* proto) {
  for (const WindowDimension& dimension : window.dimensions) {
    wire::WindowDimension* out = proto->add_dimensions();
    out->set_size(dimension.size);
    out->set_stride(dimension.stride);
    out->set_padding_low(dimension.padding_low);
    out->set_padding_high(dimension.padding_high);
    out->set_window_dilation(dimension.window_dilation);
    out->set_base_dilation(dimension.base_dilation);
    out->set_window_reversal(dimension.window_reversal);
  }
}

ConvolutionDimensions ReadConvolutionDimensions(const wire::ConvolutionDimensionNumbers& proto,
                                                ReadContext& context) {
  context.Note(proto);
  ConvolutionDimensions dimensions;
  dimensions.input_batch = proto.input_batch_dimension();
  dimensions.input_feature = proto.input_feature_dimension();
  dimensions.input_spatial = ToVector(proto.input_spatial_dimensions());
  dimensions.kernel_input_feature = proto.kernel_input_feature_dimension();
  dimensions.kernel_output_feature = proto.kernel_output_feature_dimension();
  dimensions.kernel_spatial = ToVector(proto.kernel_spatial_dimensions());
  dimensions.output_batch = proto.output_batch_dimension();
  dimensions.output_feature = proto.output_feature_dimension();
  dimensions.output_spatial = ToVector(proto.output_spatial_dimensions());
  return dimensions;
}

void WriteConvolutionDimensions(const ConvolutionDimensions& dimensions,
                                wire::ConvolutionDimensionNumbers* proto) {
  proto->set_input_batch_dimension(dimensions.input_batch);
  proto->set_input_feature_dimension(dimensions.input_feature);
  Assign(dimensions.input_spatial, proto->mutable_input_spatial_dimensions());
  proto->set_kernel_input_feature_dimension(dimensions.kernel_input_feature);
  proto->set_kernel_output_feature_dimension(dimensions.kernel_output_feature);
  Assign(dimensions.kernel_spatial, proto->mutable_kernel_spatial_dimensions());
  proto->set_output_batch_dimension(dimensions.output_batch);
  proto->set_output_feature_dimension(dimensions.output_feature);
  Assign(dimensions.output_spatial, proto->mutable_output_spatial_dimensions());
}

absl::Status ReadPrecision(const P& proto, ReadContext& context, OperandPrecision& precision,
                           DotAlgorithm* algorithm) {
  const wire::PrecisionConfig& config = proto.precision_config();
  context.Note(config);
  for (const int value : config.operand_precision()) {
    AXLE_RETURN_IF_ERROR(
        ReadEnum(value, "precision_config.operand_precision", &precision.values.emplace_back()));
  }
  const bool all_default = std::all_of(precision.values.begin(), precision.values.end(),
                                       [](Precision p) { return p == Precision::kDefault; });
  if (all_default) precision.values.clear();
  if (algorithm != nullptr) {
    return ReadEnum(config.algorithm(), "precision_config.algorithm", algorithm);
  }
  if (config.algorithm() != 0) {
    context.Keep().mutable_precision_config()->set_algorithm(config.algorithm());
  }
  return absl::OkStatus();
}

void WritePrecision(const OperandPrecision& precision, DotAlgorithm algorithm, P& proto) {
  wire::PrecisionConfig* config = proto.mutable_precision_config();
  for (const Precision value : precision.values) {
    config->add_operand_precision(static_cast<wire::PrecisionConfig::Precision>(value));
  }
  if (algorithm != DotAlgorithm::kUnset) {
    config->set_algorithm(static_cast<wire::PrecisionConfig::Algorithm>(algorithm));
  }
}

namespace {

// The four lists that dot and ragged-dot share.
template <typename Attributes>
void ReadDotDimensions(const wire::DotDimensionNumbers& proto, ReadContext& context,
                       Attributes& attributes) {
  context.Note(proto);
  attributes.lhs_batch_dims = ToVector(proto.lhs_batch_dimensions());
  attributes.lhs_contracting_dims = ToVector(proto.lhs_contracting_dimensions());
  attributes.rhs_batch_dims = ToVector(proto.rhs_batch_dimensions());
  attributes.rhs_contracting_dims = ToVector(proto.rhs_contracting_dimensions());
}

template <typename Attributes>
void WriteDotDimensions(const Attributes& attributes, wire::DotDimensionNumbers* proto) {
  Assign(attributes.lhs_batch_dims, proto->mutable_lhs_batch_dimensions());
  Assign(attributes.lhs_contracting_dims, proto->mutable_lhs_contracting_dimensions());
  Assign(attributes.rhs_batch_dims, proto->mutable_rhs_batch_dimensions());
  Assign(attributes.rhs_contracting_dims, proto->mutable_rhs_contracting_dimensions());
}

}  // namespace

// ---- Dot and convolution ------------------------------------------------------------------------

absl::Span<const int> WireFields(const DotAttributes&) {
  static constexpr int kFields[] = {P::kDotDimensionNumbersFieldNumber,
                                    P::kPrecisionConfigFieldNumber, P::kSparsityConfigFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, DotAttributes& attributes) {
  if (!proto.has_dot_dimension_numbers()) return MissingField("dot_dimension_numbers");
  ReadDotDimensions(proto.dot_dimension_numbers(), context, attributes);
  attributes.sparsity_config = proto.sparsity_config();
  return ReadPrecision(proto, context, attributes.operand_precision, &attributes.algorithm);
}
absl::Status WriteWire(const DotAttributes& attributes, P& proto) {
  WriteDotDimensions(attributes, proto.mutable_dot_dimension_numbers());
  if (IsWireForm(attributes.sparsity_config)) {
    proto.set_sparsity_config(attributes.sparsity_config);
  }
  WritePrecision(attributes.operand_precision, attributes.algorithm, proto);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const RaggedDotAttributes&) {
  static constexpr int kFields[] = {P::kRaggedDotDimensionNumbersFieldNumber,
                                    P::kPrecisionConfigFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, RaggedDotAttributes& attributes) {
  if (!proto.has_ragged_dot_dimension_numbers()) {
    return MissingField("ragged_dot_dimension_numbers");
  }
  const wire::RaggedDotDimensionNumbers& numbers = proto.ragged_dot_dimension_numbers();
  context.Note(numbers);
  ReadDotDimensions(numbers.dot_dimension_numbers(), context, attributes);
  attributes.lhs_ragged_dims = ToVector(numbers.lhs_ragged_dimensions());
  attributes.rhs_group_dims = ToVector(numbers.rhs_group_dimensions());
  return ReadPrecision(proto, context, attributes.operand_precision, &attributes.algorithm);
}
absl::Status WriteWire(const RaggedDotAttributes& attributes, P& proto) {
  wire::RaggedDotDimensionNumbers* numbers = proto.mutable_ragged_dot_dimension_numbers();
  WriteDotDimensions(attributes, numbers->mutable_dot_dimension_numbers());
  Assign(attributes.lhs_ragged_dims, numbers->mutable_lhs_ragged_dimensions());
  Assign(attributes.rhs_group_dims, numbers->mutable_rhs_group_dimensions());
  WritePrecision(attributes.operand_precision, attributes.algorithm, proto);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const ConvolutionAttributes&) {
  static constexpr int kFields[] = {P::kWindowFieldNumber,
                                    P::kConvolutionDimensionNumbersFieldNumber,
                                    P::kFeatureGroupCountFieldNumber,
                                    P::kBatchGroupCountFieldNumber, P::kPrecisionConfigFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, ConvolutionAttributes& attributes) {
  if (!proto.has_window()) return MissingField("window");
  if (!proto.has_convolution_dimension_numbers()) {
    return MissingField("convolution_dimension_numbers");
  }
  attributes.window = ReadWindow(proto.window(), context);
  attributes.dimensions = ReadConvolutionDimensions(proto.convolution_dimension_numbers(), context);
  attributes.feature_group_count = ReadGroupCount(proto.feature_group_count());
  attributes.batch_group_count = ReadGroupCount(proto.batch_group_count());
  return ReadPrecision(proto, context, attributes.operand_precision, nullptr);
}
absl::Status WriteWire(const ConvolutionAttributes& attributes, P& proto) {
  WriteWindow(attributes.window, proto.mutable_window());
  WriteConvolutionDimensions(attributes.dimensions, proto.mutable_convolution_dimension_numbers());
  proto.set_feature_group_count(attributes.feature_group_count);
  proto.set_batch_group_count(attributes.batch_group_count);
  WritePrecision(attributes.operand_precision, DotAlgorithm::kUnset, proto);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const WindowAttributes&) {
  static constexpr int kFields[] = {P::kWindowFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, WindowAttributes& attributes) {
  if (!proto.has_window()) return MissingField("window");
  attributes.window = ReadWindow(proto.window(), context);
  return absl::OkStatus();
}
absl::Status WriteWire(const WindowAttributes& attributes, P& proto) {
  WriteWindow(attributes.window, proto.mutable_window());
  return absl::OkStatus();
}

// ---- Solvers and transforms ---------------------------------------------------------------------

absl::Span<const int> WireFields(const FftAttributes&) {
  static constexpr int kFields[] = {P::kFftTypeFieldNumber, P::kFftLengthFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, FftAttributes& attributes) {
  attributes.length = ToVector(proto.fft_length());
  return ReadEnum(proto.fft_type(), "fft_type", &attributes.type);
}
absl::Status WriteWire(const FftAttributes& attributes, P& proto) {
  proto.set_fft_type(static_cast<wire::FftType>(attributes.type));
  Assign(attributes.length, proto.mutable_fft_length());
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const CholeskyAttributes&) {
  static constexpr int kFields[] = {P::kCholeskyOptionsFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, CholeskyAttributes& attributes) {
  context.Note(proto.cholesky_options());
  attributes.lower = proto.cholesky_options().lower();
  return absl::OkStatus();
}
absl::Status WriteWire(const CholeskyAttributes& attributes, P& proto) {
  proto.mutable_cholesky_options()->set_lower(attributes.lower);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const TriangularSolveAttributes&) {
  static constexpr int kFields[] = {P::kTriangularSolveOptionsFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext& context, TriangularSolveAttributes& attributes) {
  const wire::TriangularSolveOptions& options = proto.triangular_solve_options();
  context.Note(options);
  attributes.left_side = options.left_side();
  attributes.lower = options.lower();
  attributes.unit_diagonal = options.unit_diagonal();
  return ReadEnum(options.transpose_a(), "transpose_a", &attributes.transpose_a);
}
absl::Status WriteWire(const TriangularSolveAttributes& attributes, P& proto) {
  wire::TriangularSolveOptions* options = proto.mutable_triangular_solve_options();
  options->set_left_side(attributes.left_side);
  options->set_lower(attributes.lower);
  options->set_unit_diagonal(attributes.unit_diagonal);
  options->set_transpose_a(
      static_cast<wire::TriangularSolveOptions::Transpose>(attributes.transpose_a));
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const BatchNormAttributes&) {
  static constexpr int kFields[] = {P::kEpsilonFieldNumber, P::kFeatureIndexFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, BatchNormAttributes& attributes) {
  attributes.epsilon = proto.epsilon();
  attributes.feature_index = proto.feature_index();
  return absl::OkStatus();
}
absl::Status WriteWire(const BatchNormAttributes& attributes, P& proto) {
  proto.set_epsilon(attributes.epsilon);
  proto.set_feature_index(attributes.feature_index);
  return absl::OkStatus();
}

// ---- Sorting and scanning -----------------------------------------------------------------------

absl::Span<const int> WireFields(const SortAttributes&) {
  static constexpr int kFields[] = {P::kDimensionsFieldNumber, P::kIsStableFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, SortAttributes& attributes) {
  attributes.dimensions = ToVector(proto.dimensions());
  attributes.is_stable = proto.is_stable();
  return absl::OkStatus();
}
absl::Status WriteWire(const SortAttributes& attributes, P& proto) {
  Assign(attributes.dimensions, proto.mutable_dimensions());
  proto.set_is_stable(attributes.is_stable);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const TopKAttributes&) {
  static constexpr int kFields[] = {P::kKFieldNumber, P::kLargestFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, TopKAttributes& attributes) {
  attributes.k = proto.k();
  attributes.largest = proto.largest();
  return absl::OkStatus();
}
absl::Status WriteWire(const TopKAttributes& attributes, P& proto) {
  proto.set_k(attributes.k);
  proto.set_largest(attributes.largest);
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const ScanAttributes&) {
  static constexpr int kFields[] = {P::kDimensionsFieldNumber, P::kIsReverseFieldNumber,
                                    P::kNumCarriesFieldNumber, P::kIsAssociativeFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, ScanAttributes& attributes) {
  attributes.dimensions = ToVector(proto.dimensions());
  attributes.is_reverse = proto.is_reverse();
  attributes.num_carries = proto.num_carries();
  return ReadEnum(proto.is_associative(), "is_associative", &attributes.is_associative);
}
absl::Status WriteWire(const ScanAttributes& attributes, P& proto) {
  Assign(attributes.dimensions, proto.mutable_dimensions());
  proto.set_is_reverse(attributes.is_reverse);
  proto.set_num_carries(attributes.num_carries);
  proto.set_is_associative(static_cast<P::TriState>(attributes.is_associative));
  return absl::OkStatus();
}

// ---- Random numbers -----------------------------------------------------------------------------

absl::Span<const int> WireFields(const RngAttributes&) {
  static constexpr int kFields[] = {P::kDistributionFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, RngAttributes& attributes) {
  return ReadEnum(proto.distribution(), "distribution", &attributes.distribution);
}
absl::Status WriteWire(const RngAttributes& attributes, P& proto) {
  proto.set_distribution(static_cast<wire::RandomDistribution>(attributes.distribution));
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const RngBitGeneratorAttributes&) {
  static constexpr int kFields[] = {P::kRngAlgorithmFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, RngBitGeneratorAttributes& attributes) {
  return ReadEnum(proto.rng_algorithm(), "rng_algorithm", &attributes.algorithm);
}
absl::Status WriteWire(const RngBitGeneratorAttributes& attributes, P& proto) {
  proto.set_rng_algorithm(static_cast<wire::RandomAlgorithm>(attributes.algorithm));
  return absl::OkStatus();
}

absl::Span<const int> WireFields(const RngGetAndUpdateStateAttributes&) {
  static constexpr int kFields[] = {P::kDeltaFieldNumber};
  return kFields;
}
absl::Status ReadWire(const P& proto, ReadContext&, RngGetAndUpdateStateAttributes& attributes) {
  attributes.delta = proto.delta();
  return absl::OkStatus();
}
absl::Status WriteWire(const RngGetAndUpdateStateAttributes& attributes, P& proto) {
  proto.set_delta(attributes.delta);
  return absl::OkStatus();
}

}  // namespace axle::hlo::proto
