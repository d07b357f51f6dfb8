// SPDX-License-Identifier: Apache-2.0
// The types of attribute fields. Each has one text form (hlo/text) and one wire form (hlo/proto);
// enumerations list their text names in AXLE_ENUM_NAMES, in the order of their wire numbers.
#ifndef AXLE_HLO_ATTRIBUTE_VALUES_H_
#define AXLE_HLO_ATTRIBUTE_VALUES_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/shape.h"

namespace axle::hlo {

// Text names of the enumeration E, index = underlying value = wire number.
template <typename E>
struct EnumNames;

#define AXLE_ENUM_NAMES(E, ...)                                                     \
  template <>                                                                       \
  struct EnumNames<E> {                                                             \
    static constexpr auto values = std::to_array<absl::string_view>({__VA_ARGS__}); \
  }

template <typename E>
absl::string_view EnumName(E value) {
  return EnumNames<E>::values[static_cast<int>(value)];
}
template <typename E>
std::optional<E> EnumFromName(absl::string_view name) {
  const auto& names = EnumNames<E>::values;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

enum class ComparisonDirection : uint8_t { kEq, kNe, kGe, kGt, kLe, kLt };
AXLE_ENUM_NAMES(ComparisonDirection, "EQ", "NE", "GE", "GT", "LE", "LT");

// Unset means the order that the operands' type implies.
enum class ComparisonType : uint8_t { kUnset, kFloat, kTotalOrder, kSigned, kUnsigned };
AXLE_ENUM_NAMES(ComparisonType, "", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED");

enum class FusionKind : uint8_t { kUnset, kLoop, kInput, kOutput, kCustom };
AXLE_ENUM_NAMES(FusionKind, "", "kLoop", "kInput", "kOutput", "kCustom");

enum class FftType : uint8_t { kFft, kIfft, kRfft, kIrfft };
AXLE_ENUM_NAMES(FftType, "FFT", "IFFT", "RFFT", "IRFFT");

enum class TriangularTranspose : uint8_t { kInvalid, kNoTranspose, kTranspose, kAdjoint };
AXLE_ENUM_NAMES(TriangularTranspose, "TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT");

enum class RandomDistribution : uint8_t { kInvalid, kUniform, kNormal };
AXLE_ENUM_NAMES(RandomDistribution, "rng_invalid", "rng_uniform", "rng_normal");

enum class RandomAlgorithm : uint8_t { kDefault, kThreeFry, kPhilox };
AXLE_ENUM_NAMES(RandomAlgorithm, "rng_default", "rng_three_fry", "rng_philox");

enum class Precision : uint8_t { kDefault, kHigh, kHighest, kPackedNibble };
AXLE_ENUM_NAMES(Precision, "default", "high", "highest", "packed_nibble");

enum class DotAlgorithm : uint8_t {
  kUnset,
  kAnyF8AnyF8F32,
  kAnyF8AnyF8F32FastAccum,
  kF16F16F16,
  kF16F16F32,
  kBf16Bf16Bf16,
  kBf16Bf16F32,
  kBf16Bf16F32X3,
  kBf16Bf16F32X6,
  kTf32Tf32F32,
  kTf32Tf32F32X3,
  kF32F32F32,
  kF64F64F64,
  kBf16Bf16F32X9,
};
AXLE_ENUM_NAMES(DotAlgorithm, "unset", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum",
                "dot_f16_f16_f16", "dot_f16_f16_f32", "dot_bf16_bf16_bf16", "dot_bf16_bf16_f32",
                "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6", "dot_tf32_tf32_f32",
                "dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64",
                "dot_bf16_bf16_f32_x9");

enum class CustomCallSchedule : uint8_t { kNone, kLatest, kEarliest };
AXLE_ENUM_NAMES(CustomCallSchedule, "SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST");

enum class CustomCallApiVersion : uint8_t {
  kUnspecified,
  kOriginal,
  kStatusReturning,
  kStatusReturningUnified,
  kTypedFfi
};
AXLE_ENUM_NAMES(CustomCallApiVersion, "API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
                "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
                "API_VERSION_TYPED_FFI");

enum class PaddingType : uint8_t { kInvalid, kValid, kSame };
AXLE_ENUM_NAMES(PaddingType, "PADDING_INVALID", "PADDING_VALID", "PADDING_SAME");

enum class TriState : uint8_t { kUnspecified, kFalse, kTrue };
AXLE_ENUM_NAMES(TriState, "unspecified", "false", "true");

enum class ResultAccuracyMode : uint8_t { kDefault, kHighest };
AXLE_ENUM_NAMES(ResultAccuracyMode, "default", "highest");

struct ResultAccuracy {  // result_accuracy={mode=highest} or {tolerance={atol=…,rtol=…,ulps=…}}
  struct Tolerance {
    double atol = 0, rtol = 0;
    int64_t ulps = 0;
    bool operator==(const Tolerance&) const = default;
  };
  ResultAccuracyMode mode = ResultAccuracyMode::kDefault;
  std::optional<Tolerance> tolerance;
  bool operator==(const ResultAccuracy&) const = default;
};

struct WindowDimension {
  int64_t size = 1, stride = 1;
  int64_t padding_low = 0, padding_high = 0;
  int64_t window_dilation = 1, base_dilation = 1;
  bool window_reversal = false;
  bool operator==(const WindowDimension&) const = default;
};

// window={size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x2 rhs_dilate=2x1 rhs_reversal=0x1}
struct WindowConfig {
  std::vector<WindowDimension> dimensions;
  bool operator==(const WindowConfig&) const = default;
};

struct PaddingDimension {
  int64_t low = 0, high = 0, interior = 0;
  bool operator==(const PaddingDimension&) const = default;
};
struct PaddingConfig {  // padding=0_1_2x3_4
  std::vector<PaddingDimension> dimensions;
  bool operator==(const PaddingConfig&) const = default;
};

struct SliceDimension {
  int64_t start = 0, limit = 0, stride = 1;
  bool operator==(const SliceDimension&) const = default;
};
struct SliceConfig {  // slice={[0:2], [1:9:2]}
  std::vector<SliceDimension> dimensions;
  bool operator==(const SliceConfig&) const = default;
};

// dim_labels=b01f_01io->b01f; numbers are dimensions of the operands and the result.
struct ConvolutionDimensions {
  int64_t input_batch = 0, input_feature = 0;
  std::vector<int64_t> input_spatial;
  int64_t kernel_input_feature = 0, kernel_output_feature = 0;
  std::vector<int64_t> kernel_spatial;
  int64_t output_batch = 0, output_feature = 0;
  std::vector<int64_t> output_spatial;
  bool operator==(const ConvolutionDimensions&) const = default;
};

// operand_precision={highest,default}; empty means default for all.
struct OperandPrecision {
  std::vector<Precision> values;
  bool operator==(const OperandPrecision&) const = default;
};

// Who talks to whom: a list {{0,1},{2,3}}, an iota [2,2]<=[4]T(0), or (verbatim) mesh axes.
struct ReplicaGroups {
  enum class Kind : uint8_t { kList, kIota, kMesh };
  Kind kind = Kind::kList;
  std::vector<std::vector<int64_t>> groups;  // kList
  int64_t group_count = 0, group_size = 0;   // kIota
  std::vector<int64_t> reshape_dims;         // kIota
  std::vector<int64_t> transpose_perm;       // kIota; empty is the identity
  std::string mesh;                          // kMesh: text, or serialized wire message
  bool operator==(const ReplicaGroups&) const = default;
};

struct SourceTargetPairs {  // source_target_pairs={{0,1},{1,2}}
  std::vector<std::pair<int64_t, int64_t>> pairs;
  bool operator==(const SourceTargetPairs&) const = default;
};

struct OutputOperandAlias {  // {1}: (0, {}): result {1} shares operand 0
  std::vector<int64_t> output_index;
  int64_t operand = 0;
  std::vector<int64_t> operand_index;
  bool operator==(const OutputOperandAlias&) const = default;
};
using OutputOperandAliases = std::vector<OutputOperandAlias>;

// Key-value attributes of front ends. Values are kept as written, in text between quotes or, where
// they are MLIR attributes, between braces.
using FrontendAttributes = std::map<std::string, std::string>;

// Where and how a value or a tuple of values is placed on devices (OpSharding on the wire).
struct Sharding {
  enum class Type : uint8_t {
    kReplicated,
    kMaximal,
    kTuple,
    kTiled,
    kManual,
    kUnknown,
    kUnreduced
  };
  Type type = Type::kReplicated;
  std::vector<int64_t> tile_dimensions;
  std::vector<int64_t> devices;            // explicit list; kMaximal has one
  std::vector<int64_t> iota_reshape_dims;  // or an iota: [dims]<=[reshape]T(perm)
  std::vector<int64_t> iota_transpose_perm;
  bool replicate_on_last_tile_dim = false;
  std::vector<Type> last_tile_dims;  // subgroup types of the trailing tile dimensions
  std::vector<Sharding> elements;    // kTuple
  bool is_shard_group = false;
  int64_t shard_group_id = 0;
  enum class ShardGroupType : uint8_t { kAs, kLike };
  ShardGroupType shard_group_type = ShardGroupType::kAs;
  std::string metadata_text;  // metadata={…} as written, without the key
  std::string unparsed;       // a form kept verbatim (named shardings); excludes the rest
  std::string unknown_wire;   // wire fields without a text form, serialized
  bool operator==(const Sharding&) const = default;
};

// entry or exit of a domain: {} in text when absent.
struct DomainShardings {
  std::string kind = "sharding";
  std::optional<Sharding> entry, exit;
  bool operator==(const DomainShardings&) const = default;
};

}  // namespace axle::hlo

#endif  // AXLE_HLO_ATTRIBUTE_VALUES_H_
