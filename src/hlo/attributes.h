// SPDX-License-Identifier: Apache-2.0
// What an instruction knows beyond opcode, shape and operands: one struct a family, and a box that
// holds any of them.
//
// A struct describes its fields once, in Fields(); text, equality, hash and difference are visitors
// over that description (hlo/text, hlo/compare.h). A visitor is called as v(FieldInfo, field); the
// C++ type of the field picks its text form.
#ifndef AXLE_HLO_ATTRIBUTES_H_
#define AXLE_HLO_ATTRIBUTES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "hlo/attribute_families.h"
#include "hlo/attribute_values.h"
#include "hlo/literal.h"

namespace axle::hlo {

enum class FieldPrint : uint8_t {
  kUnlessDefault,  // printed when it differs from the struct's default
  kAlways,         // printed always, and required when read
  kPositional,     // stands between the parentheses, not among the attributes
};

struct FieldInfo {
  absl::string_view key;  // in text
  FieldPrint print = FieldPrint::kUnlessDefault;
  bool semantic = true;  // decides what the program computes, so counts for Equivalent
};

#define AXLE_FIELDS                    \
  template <typename Self, typename V> \
  static void Fields(Self& self, V&& v)

struct NoneAttributes {
  AXLE_FIELDS { (void)self, (void)v; }
};

struct DimensionsAttributes {
  std::vector<int64_t> dimensions;
  AXLE_FIELDS { v(FieldInfo{"dimensions", FieldPrint::kAlways}, self.dimensions); }
};

struct IotaAttributes {
  int64_t iota_dimension = 0;
  AXLE_FIELDS { v(FieldInfo{"iota_dimension", FieldPrint::kAlways}, self.iota_dimension); }
};

struct ParameterAttributes {
  int64_t number = 0;
  std::vector<bool> replication;  // one a leaf, or empty
  AXLE_FIELDS {
    v(FieldInfo{"", FieldPrint::kPositional}, self.number);
    v(FieldInfo{"parameter_replication"}, self.replication);
  }
};

struct ConstantAttributes {
  // Shared between copies of a module. Null only for constants printed without their value
  // ("constant({...})"), which no backend runs.
  std::shared_ptr<const Literal> literal;
  AXLE_FIELDS { v(FieldInfo{"", FieldPrint::kPositional}, self.literal); }
};

struct GetTupleElementAttributes {
  int64_t index = 0;
  AXLE_FIELDS { v(FieldInfo{"index", FieldPrint::kAlways}, self.index); }
};

struct CompareAttributes {
  ComparisonDirection direction = ComparisonDirection::kEq;
  ComparisonType type = ComparisonType::kUnset;
  AXLE_FIELDS {
    v(FieldInfo{"direction", FieldPrint::kAlways}, self.direction);
    v(FieldInfo{"type"}, self.type);
  }
};

struct SliceAttributes {
  SliceConfig slice;
  AXLE_FIELDS { v(FieldInfo{"slice", FieldPrint::kAlways}, self.slice); }
};

struct DynamicSliceAttributes {
  std::vector<int64_t> sizes;
  AXLE_FIELDS { v(FieldInfo{"dynamic_slice_sizes", FieldPrint::kAlways}, self.sizes); }
};

struct PadAttributes {
  PaddingConfig padding;
  AXLE_FIELDS { v(FieldInfo{"padding", FieldPrint::kAlways}, self.padding); }
};

struct ReducePrecisionAttributes {
  int64_t exponent_bits = 0;
  int64_t mantissa_bits = 0;
  AXLE_FIELDS {
    v(FieldInfo{"exponent_bits", FieldPrint::kAlways}, self.exponent_bits);
    v(FieldInfo{"mantissa_bits", FieldPrint::kAlways}, self.mantissa_bits);
  }
};

struct ResultAccuracyAttributes {
  ResultAccuracy result_accuracy;
  AXLE_FIELDS { v(FieldInfo{"result_accuracy"}, self.result_accuracy); }
};

struct CopyOpAttributes {
  std::optional<int64_t> cross_program_prefetch_index;
  AXLE_FIELDS { v(FieldInfo{"cross_program_prefetch_index"}, self.cross_program_prefetch_index); }
};

struct CopyStartAttributes {
  std::optional<int64_t> cross_program_prefetch_index;
  AXLE_FIELDS { v(FieldInfo{"cross_program_prefetch_index"}, self.cross_program_prefetch_index); }
};

struct GatherAttributes {
  std::vector<int64_t> offset_dims;
  std::vector<int64_t> collapsed_slice_dims;
  std::vector<int64_t> start_index_map;
  std::vector<int64_t> operand_batching_dims;
  std::vector<int64_t> start_indices_batching_dims;
  int64_t index_vector_dim = 0;
  std::vector<int64_t> slice_sizes;
  bool indices_are_sorted = false;
  AXLE_FIELDS {
    v(FieldInfo{"offset_dims", FieldPrint::kAlways}, self.offset_dims);
    v(FieldInfo{"collapsed_slice_dims", FieldPrint::kAlways}, self.collapsed_slice_dims);
    v(FieldInfo{"start_index_map", FieldPrint::kAlways}, self.start_index_map);
    v(FieldInfo{"operand_batching_dims"}, self.operand_batching_dims);
    v(FieldInfo{"start_indices_batching_dims"}, self.start_indices_batching_dims);
    v(FieldInfo{"index_vector_dim", FieldPrint::kAlways}, self.index_vector_dim);
    v(FieldInfo{"slice_sizes", FieldPrint::kAlways}, self.slice_sizes);
    v(FieldInfo{"indices_are_sorted"}, self.indices_are_sorted);
  }
};

struct ScatterAttributes {
  std::vector<int64_t> update_window_dims;
  std::vector<int64_t> inserted_window_dims;
  std::vector<int64_t> scatter_dims_to_operand_dims;
  std::vector<int64_t> input_batching_dims;
  std::vector<int64_t> scatter_indices_batching_dims;
  int64_t index_vector_dim = 0;
  bool indices_are_sorted = false;
  bool unique_indices = false;
  AXLE_FIELDS {
    v(FieldInfo{"update_window_dims", FieldPrint::kAlways}, self.update_window_dims);
    v(FieldInfo{"inserted_window_dims", FieldPrint::kAlways}, self.inserted_window_dims);
    v(FieldInfo{"scatter_dims_to_operand_dims", FieldPrint::kAlways},
      self.scatter_dims_to_operand_dims);
    v(FieldInfo{"input_batching_dims"}, self.input_batching_dims);
    v(FieldInfo{"scatter_indices_batching_dims"}, self.scatter_indices_batching_dims);
    v(FieldInfo{"index_vector_dim", FieldPrint::kAlways}, self.index_vector_dim);
    v(FieldInfo{"indices_are_sorted"}, self.indices_are_sorted);
    v(FieldInfo{"unique_indices"}, self.unique_indices);
  }
};

struct DotAttributes {
  std::vector<int64_t> lhs_batch_dims, lhs_contracting_dims;
  std::vector<int64_t> rhs_batch_dims, rhs_contracting_dims;
  OperandPrecision operand_precision;
  DotAlgorithm algorithm = DotAlgorithm::kUnset;
  std::string sparsity_config;  // kept as written, or serialized from the wire
  AXLE_FIELDS {
    v(FieldInfo{"lhs_batch_dims"}, self.lhs_batch_dims);
    v(FieldInfo{"lhs_contracting_dims", FieldPrint::kAlways}, self.lhs_contracting_dims);
    v(FieldInfo{"rhs_batch_dims"}, self.rhs_batch_dims);
    v(FieldInfo{"rhs_contracting_dims", FieldPrint::kAlways}, self.rhs_contracting_dims);
    v(FieldInfo{"operand_precision"}, self.operand_precision);
    v(FieldInfo{"algorithm"}, self.algorithm);
    v(FieldInfo{"sparsity_config"}, self.sparsity_config);
  }
};

struct RaggedDotAttributes {
  std::vector<int64_t> lhs_batch_dims, lhs_contracting_dims;
  std::vector<int64_t> rhs_batch_dims, rhs_contracting_dims;
  std::vector<int64_t> lhs_ragged_dims;
  std::vector<int64_t> rhs_group_dims;
  OperandPrecision operand_precision;
  DotAlgorithm algorithm = DotAlgorithm::kUnset;
  AXLE_FIELDS {
    v(FieldInfo{"lhs_batch_dims"}, self.lhs_batch_dims);
    v(FieldInfo{"lhs_contracting_dims"}, self.lhs_contracting_dims);
    v(FieldInfo{"rhs_batch_dims"}, self.rhs_batch_dims);
    v(FieldInfo{"rhs_contracting_dims"}, self.rhs_contracting_dims);
    v(FieldInfo{"lhs_ragged_dims", FieldPrint::kAlways}, self.lhs_ragged_dims);
    v(FieldInfo{"rhs_group_dims"}, self.rhs_group_dims);
    v(FieldInfo{"operand_precision"}, self.operand_precision);
    v(FieldInfo{"algorithm"}, self.algorithm);
  }
};

struct ConvolutionAttributes {
  WindowConfig window;
  ConvolutionDimensions dimensions;
  int64_t feature_group_count = 1;
  int64_t batch_group_count = 1;
  OperandPrecision operand_precision;
  AXLE_FIELDS {
    v(FieldInfo{"window"}, self.window);
    v(FieldInfo{"dim_labels", FieldPrint::kAlways}, self.dimensions);
    v(FieldInfo{"feature_group_count"}, self.feature_group_count);
    v(FieldInfo{"batch_group_count"}, self.batch_group_count);
    v(FieldInfo{"operand_precision"}, self.operand_precision);
  }
};

struct WindowAttributes {
  WindowConfig window;
  AXLE_FIELDS { v(FieldInfo{"window"}, self.window); }
};

struct FftAttributes {
  FftType type = FftType::kFft;
  std::vector<int64_t> length;
  AXLE_FIELDS {
    v(FieldInfo{"fft_type", FieldPrint::kAlways}, self.type);
    v(FieldInfo{"fft_length", FieldPrint::kAlways}, self.length);
  }
};

struct CholeskyAttributes {
  bool lower = false;
  AXLE_FIELDS { v(FieldInfo{"lower"}, self.lower); }
};

struct TriangularSolveAttributes {
  bool left_side = false;
  bool lower = false;
  bool unit_diagonal = false;
  TriangularTranspose transpose_a = TriangularTranspose::kInvalid;
  AXLE_FIELDS {
    v(FieldInfo{"left_side"}, self.left_side);
    v(FieldInfo{"lower"}, self.lower);
    v(FieldInfo{"unit_diagonal"}, self.unit_diagonal);
    v(FieldInfo{"transpose_a"}, self.transpose_a);
  }
};

struct BatchNormAttributes {
  float epsilon = 0;
  int64_t feature_index = 0;
  AXLE_FIELDS {
    v(FieldInfo{"epsilon", FieldPrint::kAlways}, self.epsilon);
    v(FieldInfo{"feature_index", FieldPrint::kAlways}, self.feature_index);
  }
};

struct SortAttributes {
  std::vector<int64_t> dimensions;
  bool is_stable = false;
  AXLE_FIELDS {
    v(FieldInfo{"dimensions"}, self.dimensions);
    v(FieldInfo{"is_stable"}, self.is_stable);
  }
};

struct TopKAttributes {
  int64_t k = 0;
  bool largest = false;
  AXLE_FIELDS {
    v(FieldInfo{"k", FieldPrint::kAlways}, self.k);
    v(FieldInfo{"largest", FieldPrint::kAlways}, self.largest);
  }
};

struct ScanAttributes {
  std::vector<int64_t> dimensions;
  bool is_reverse = false;
  int64_t num_carries = 0;
  TriState is_associative = TriState::kUnspecified;
  AXLE_FIELDS {
    v(FieldInfo{"dimensions", FieldPrint::kAlways}, self.dimensions);
    v(FieldInfo{"is_reverse"}, self.is_reverse);
    v(FieldInfo{"num_carries", FieldPrint::kAlways}, self.num_carries);
    v(FieldInfo{"is_associative"}, self.is_associative);
  }
};

struct RngAttributes {
  RandomDistribution distribution = RandomDistribution::kInvalid;
  AXLE_FIELDS { v(FieldInfo{"distribution", FieldPrint::kAlways}, self.distribution); }
};

struct RngBitGeneratorAttributes {
  RandomAlgorithm algorithm = RandomAlgorithm::kDefault;
  AXLE_FIELDS { v(FieldInfo{"algorithm", FieldPrint::kAlways}, self.algorithm); }
};

struct RngGetAndUpdateStateAttributes {
  int64_t delta = 0;
  AXLE_FIELDS { v(FieldInfo{"delta", FieldPrint::kAlways}, self.delta); }
};

struct FusionAttributes {
  FusionKind kind = FusionKind::kUnset;
  OutputOperandAliases output_to_operand_aliasing;
  AXLE_FIELDS {
    v(FieldInfo{"kind", FieldPrint::kAlways}, self.kind);
    v(FieldInfo{"output_to_operand_aliasing"}, self.output_to_operand_aliasing);
  }
};

struct CallAttributes {
  bool is_composite = false;
  OutputOperandAliases output_to_operand_aliasing;
  AXLE_FIELDS {
    v(FieldInfo{"is_composite"}, self.is_composite);
    v(FieldInfo{"output_to_operand_aliasing"}, self.output_to_operand_aliasing);
  }
};

struct CustomCallAttributes {
  std::string target;
  WindowConfig window;
  std::optional<ConvolutionDimensions> dim_labels;
  int64_t feature_group_count = 1;
  int64_t batch_group_count = 1;
  OperandPrecision operand_precision;
  std::optional<std::vector<Shape>> operand_layout_constraints;
  bool has_side_effect = false;
  OutputOperandAliases output_to_operand_aliasing;
  std::shared_ptr<const Literal> literal;
  PaddingType padding_type = PaddingType::kInvalid;
  CustomCallSchedule schedule = CustomCallSchedule::kNone;
  CustomCallApiVersion api_version = CustomCallApiVersion::kUnspecified;
  // One computation given as to_apply=f rather than called_computations={f}: text only.
  bool to_apply = false;
  AXLE_FIELDS {
    v(FieldInfo{"custom_call_target", FieldPrint::kAlways}, self.target);
    v(FieldInfo{"window"}, self.window);
    v(FieldInfo{"dim_labels"}, self.dim_labels);
    v(FieldInfo{"feature_group_count"}, self.feature_group_count);
    v(FieldInfo{"batch_group_count"}, self.batch_group_count);
    v(FieldInfo{"operand_precision"}, self.operand_precision);
    v(FieldInfo{"operand_layout_constraints"}, self.operand_layout_constraints);
    v(FieldInfo{"custom_call_has_side_effect"}, self.has_side_effect);
    v(FieldInfo{"output_to_operand_aliasing"}, self.output_to_operand_aliasing);
    v(FieldInfo{"literal"}, self.literal);
    v(FieldInfo{"padding_type"}, self.padding_type);
    v(FieldInfo{"schedule"}, self.schedule);
    v(FieldInfo{"api_version"}, self.api_version);
  }
};

struct DomainAttributes {
  DomainShardings domain;
  AXLE_FIELDS { v(FieldInfo{"domain"}, self.domain); }
};

struct AsyncAttributes {
  std::string execution_thread;  // "main" is left out in text
  AXLE_FIELDS { v(FieldInfo{"async_execution_thread"}, self.execution_thread); }
};

struct InfeedAttributes {
  std::string config;
  AXLE_FIELDS { v(FieldInfo{"infeed_config"}, self.config); }
};

struct OutfeedAttributes {
  Shape shape;
  std::string config;
  AXLE_FIELDS {
    v(FieldInfo{"outfeed_shape"}, self.shape);
    v(FieldInfo{"outfeed_config"}, self.config);
  }
};

struct SendRecvAttributes {
  std::optional<int64_t> channel_id;
  bool is_host_transfer = false;
  AXLE_FIELDS {
    v(FieldInfo{"channel_id"}, self.channel_id);
    v(FieldInfo{"is_host_transfer"}, self.is_host_transfer);
  }
};

struct CollectiveAttributes {
  std::optional<int64_t> channel_id;
  ReplicaGroups replica_groups;
  bool constrain_layout = false;
  bool use_global_device_ids = false;
  std::optional<std::vector<int64_t>> dimensions;  // gather, scatter or split dimension
  AXLE_FIELDS {
    v(FieldInfo{"channel_id"}, self.channel_id);
    v(FieldInfo{"replica_groups", FieldPrint::kAlways}, self.replica_groups);
    v(FieldInfo{"constrain_layout"}, self.constrain_layout);
    v(FieldInfo{"use_global_device_ids"}, self.use_global_device_ids);
    v(FieldInfo{"dimensions"}, self.dimensions);
  }
};

struct CollectivePermuteAttributes {
  std::optional<int64_t> channel_id;
  SourceTargetPairs source_target_pairs;
  std::vector<std::vector<int64_t>> slice_sizes;
  AXLE_FIELDS {
    v(FieldInfo{"channel_id"}, self.channel_id);
    v(FieldInfo{"source_target_pairs", FieldPrint::kAlways}, self.source_target_pairs);
    v(FieldInfo{"slice_sizes"}, self.slice_sizes);
  }
};

#undef AXLE_FIELDS

// Holds the struct of one family; copies are deep. Empty holds none (AttributeFamily::kNone).
class Attributes {
 public:
  Attributes() = default;
  template <typename T, typename = std::enable_if_t<FamilyOf<T> != AttributeFamily::kNone>>
  explicit Attributes(T value) : holder_(std::make_unique<HolderOf<T>>(std::move(value))) {}
  Attributes(const Attributes& other) : holder_(other.holder_ ? other.holder_->Clone() : nullptr) {}
  Attributes(Attributes&&) noexcept = default;
  Attributes& operator=(Attributes other) noexcept {
    holder_ = std::move(other.holder_);
    return *this;
  }

  // A default-constructed struct of the family.
  static Attributes Default(AttributeFamily family);

  AttributeFamily family() const { return holder_ ? holder_->family : AttributeFamily::kNone; }

  // The struct, which must be of that family (asserted).
  template <typename T>
  const T& As() const {
    AXLE_ASSERT(family() == FamilyOf<T>);
    return static_cast<const HolderOf<T>&>(*holder_).value;
  }
  template <typename T>
  T& As() {
    AXLE_ASSERT(family() == FamilyOf<T>);
    return static_cast<HolderOf<T>&>(*holder_).value;
  }
  template <typename T>
  const T* TryAs() const {
    return family() == FamilyOf<T> ? &As<T>() : nullptr;
  }

  // f(struct) with the concrete type; NoneAttributes when empty.
  template <typename F>
  void Visit(F&& f) const {
    VisitHolder(*this, f);
  }
  template <typename F>
  void Visit(F&& f) {
    VisitHolder(*this, f);
  }

 private:
  struct Holder {
    explicit Holder(AttributeFamily f) : family(f) {}
    virtual ~Holder() = default;
    virtual std::unique_ptr<Holder> Clone() const = 0;
    const AttributeFamily family;
  };
  template <typename T>
  struct HolderOf final : Holder {
    explicit HolderOf(T v) : Holder(FamilyOf<T>), value(std::move(v)) {}
    std::unique_ptr<Holder> Clone() const override { return std::make_unique<HolderOf>(value); }
    T value;
  };

  template <typename Self, typename F>
  static void VisitHolder(Self& self, F& f) {
    switch (self.family()) {
      case AttributeFamily::kNone: {
        NoneAttributes none;
        f(none);
        return;
      }
#define AXLE_FAMILY(name)                    \
  case AttributeFamily::k##name:             \
    f(self.template As<name##Attributes>()); \
    return;
        AXLE_ATTRIBUTE_FAMILIES(AXLE_FAMILY)
#undef AXLE_FAMILY
    }
  }

  std::unique_ptr<Holder> holder_;
};

}  // namespace axle::hlo

#endif  // AXLE_HLO_ATTRIBUTES_H_
