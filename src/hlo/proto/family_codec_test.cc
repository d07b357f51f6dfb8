// SPDX-License-Identifier: Apache-2.0
// Every field of every attribute family, through the descriptors of hlo/attributes.h: a field that
// the mapping forgets, swaps or leaves among the unknown ones fails here.
#include "hlo/proto/family_codec.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "base/error.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "hlo/proto/unknown_fields.h"

namespace axle::hlo::proto {
namespace {

using P = wire::HloInstructionProto;

constexpr int kVariants = 14;  // enough to meet every enumerator

// Gives a field a value that is not its default and differs from every other field's.
class Setter {
 public:
  explicit Setter(int variant) : variant_(variant) {}

  void Set(bool& value) { value = true; }
  void Set(int64_t& value) { value = Next(); }
  void Set(float& value) { value = static_cast<float>(Next()) + 0.5f; }
  void Set(std::string& value) { value = std::string("\x0a\x01", 2) + std::to_string(Next()); }
  void Set(Shape& value) {
    Layout layout;
    layout.minor_to_major = {0, 1};
    layout.memory_space = Next();
    value = Shape::ArrayWithLayout(ElementType::kS32, {Next(), 3}, {}, std::move(layout));
  }
  void Set(std::shared_ptr<const Literal>& value) {
    value = std::make_shared<const Literal>(Literal::Scalar<int32_t>(Next()));
  }
  template <typename E>
    requires std::is_enum_v<E>
  void Set(E& value) {
    const int others = static_cast<int>(EnumNames<E>::values.size()) - 1;
    value = static_cast<E>(1 + variant_ % others);
  }
  // kOriginal and kUnspecified are one on the wire.
  void Set(CustomCallApiVersion& version) {
    version = static_cast<CustomCallApiVersion>(2 + variant_ % 3);
  }
  template <typename T>
  void Set(std::optional<T>& value) {
    Set(value.emplace());
  }
  template <typename T>
  void Set(std::vector<T>& values) {
    values.resize(2);
    for (T& value : values) Set(value);
  }
  void Set(std::vector<bool>& values) { values = {true, variant_ % 2 == 0}; }
  void Set(WindowDimension& d) { d = {Next(), Next(), Next(), -Next(), Next(), Next(), true}; }
  void Set(WindowConfig& window) { Set(window.dimensions); }
  void Set(PaddingDimension& d) { d = {Next(), -Next(), Next()}; }
  void Set(PaddingConfig& padding) { Set(padding.dimensions); }
  void Set(SliceDimension& d) { d = {Next(), Next(), Next()}; }
  void Set(SliceConfig& slice) { Set(slice.dimensions); }
  void Set(ConvolutionDimensions& d) {
    for (int64_t* number : {&d.input_batch, &d.input_feature, &d.kernel_input_feature,
                            &d.kernel_output_feature, &d.output_batch, &d.output_feature}) {
      Set(*number);
    }
    for (auto* list : {&d.input_spatial, &d.kernel_spatial, &d.output_spatial}) Set(*list);
  }
  void Set(OperandPrecision& precision) { Set(precision.values); }
  void Set(std::pair<int64_t, int64_t>& pair) { pair = {Next(), Next()}; }
  void Set(SourceTargetPairs& pairs) { Set(pairs.pairs); }
  void Set(OutputOperandAlias& alias) {
    Set(alias.output_index);
    Set(alias.operand);
    Set(alias.operand_index);
  }
  void Set(ResultAccuracy& accuracy) {
    if (variant_ % 2 == 0) {
      accuracy.mode = ResultAccuracyMode::kHighest;
    } else {
      accuracy.tolerance = {Next() + 0.25, Next() + 0.75, Next()};
    }
  }
  void Set(ReplicaGroups& groups) {
    groups.kind = static_cast<ReplicaGroups::Kind>(variant_ % 3);
    switch (groups.kind) {
      case ReplicaGroups::Kind::kList:
        return Set(groups.groups);
      case ReplicaGroups::Kind::kIota:
        groups = {groups.kind, {}, Next(), Next(), {Next(), Next()}, {1, 0}, ""};
        return;
      case ReplicaGroups::Kind::kMesh:
        groups.mesh = "mesh['x'=2,'y'=8] {'y','x':(1)2}";
        return;
    }
  }
  void Set(Sharding& sharding) {
    sharding.type = static_cast<Sharding::Type>(variant_ % 7);
    if (sharding.type == Sharding::Type::kTuple) {
      sharding.elements.resize(2);
      sharding.elements[1].type = Sharding::Type::kManual;
    }
    Set(sharding.devices);
    Set(sharding.tile_dimensions);
    sharding.is_shard_group = true;
    Set(sharding.shard_group_id);
  }
  void Set(DomainShardings& domain) {
    Set(domain.entry);
    Set(domain.exit);
  }

 private:
  int64_t Next() { return ++last_; }
  const int variant_;
  int64_t last_ = 1;
};

template <typename T>
bool Same(const T& a, const T& b) {
  return a == b;
}
bool Same(const std::shared_ptr<const Literal>& a, const std::shared_ptr<const Literal>& b) {
  return (a == nullptr) == (b == nullptr) && (a == nullptr || *a == *b);
}

template <typename T>
void ExpectSame(const T& a, const T& b) {
  std::vector<const void*> fields;
  T::Fields(b, [&](const FieldInfo&, const auto& field) { fields.push_back(&field); });
  size_t i = 0;
  T::Fields(a, [&](const FieldInfo& info, const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    EXPECT_TRUE(Same(field, *static_cast<const Field*>(fields[i++])))
        << "field '" << info.key << "'";
  });
}

// Operands of a collective-permute that moves one piece of rank 2.
std::vector<Instruction> Operands() {
  std::vector<Instruction> operands(4);
  operands[0].shape = Shape::Array(ElementType::kF32, {4, 5});
  operands[1].shape = operands[0].shape;
  const Shape start =
      Shape::Tuple({Shape::Scalar(ElementType::kS32), Shape::Scalar(ElementType::kS32)});
  operands[2].shape = operands[3].shape = Shape::Tuple({start, start});
  return operands;
}

template <typename T>
void ExpectRoundTrip(const T& attributes) {
  P proto;
  ASSERT_TRUE(WriteWire(attributes, proto).ok());
  const std::string bytes = proto.SerializeAsString();

  const std::vector<Instruction> operands = Operands();
  const std::vector<InstructionIndex> indices = {0, 1, 2, 3};
  ReadContext context;
  if (std::is_same_v<T, CollectivePermuteAttributes>) {
    context.earlier = operands;
    context.operands = indices;
  }
  T again;
  const absl::Status status = ReadWire(proto, context, again);
  ASSERT_TRUE(status.ok()) << status << "\n" << proto.DebugString();
  ExpectSame(attributes, again);
  EXPECT_FALSE(context.has_kept) << context.kept.DebugString();

  P rewritten;
  ASSERT_TRUE(WriteWire(again, rewritten).ok());
  EXPECT_EQ(rewritten.SerializeAsString(), bytes);

  const FieldList fields(*P::descriptor(), WireFields(attributes));
  ASSERT_TRUE(ClearRead(fields, false, &proto).ok());
  EXPECT_EQ(proto.ShortDebugString(), "") << "written but not listed in WireFields";
}

// Fields whose absence is an error, so that they are set even when others are tried alone.
bool NeverAlone(const FieldInfo& info) { return info.print != FieldPrint::kUnlessDefault; }

template <typename T>
class FamilyCodecTest : public ::testing::Test {};

#define AXLE_FAMILY(name) , name##Attributes
using Families = ::testing::Types<NoneAttributes AXLE_ATTRIBUTE_FAMILIES(AXLE_FAMILY)>;
#undef AXLE_FAMILY
TYPED_TEST_SUITE(FamilyCodecTest, Families);

TYPED_TEST(FamilyCodecTest, AllFieldsSurviveBothWays) {
  for (int variant = 0; variant < kVariants; ++variant) {
    SCOPED_TRACE(variant);
    TypeParam attributes;
    Setter setter(variant);
    TypeParam::Fields(attributes, [&](const FieldInfo&, auto& field) { setter.Set(field); });
    ExpectRoundTrip(attributes);
  }
}

TYPED_TEST(FamilyCodecTest, EveryFieldSurvivesAlone) {
  int count = 0;
  const TypeParam defaults;
  TypeParam::Fields(defaults, [&](const FieldInfo&, const auto&) { ++count; });
  for (int alone = 0; alone < count; ++alone) {
    TypeParam attributes;
    Setter setter(0);
    int i = 0;
    TypeParam::Fields(attributes, [&](const FieldInfo& info, auto& field) {
      if (i++ == alone || NeverAlone(info)) setter.Set(field);
    });
    ExpectRoundTrip(attributes);
  }
}

TYPED_TEST(FamilyCodecTest, DefaultsSurvive) {
  TypeParam attributes;
  Setter setter(0);
  TypeParam::Fields(attributes, [&](const FieldInfo& info, auto& field) {
    if (NeverAlone(info)) setter.Set(field);
  });
  ExpectRoundTrip(attributes);
}

// ---- Forms of old and special files -------------------------------------------------------------

template <typename T>
T Read(const P& proto) {
  ReadContext context;
  T attributes;
  const absl::Status status = ReadWire(proto, context, attributes);
  EXPECT_TRUE(status.ok()) << status;
  return attributes;
}

template <typename T>
std::string ErrorId(const P& proto) {
  const std::vector<Instruction> operands = Operands();
  const std::vector<InstructionIndex> indices = {0, 1, 2, 3};
  ReadContext context;
  context.earlier = operands;
  context.operands = indices;
  T attributes;
  return ErrorIdOf(ReadWire(proto, context, attributes));
}

TEST(FamilyCodecFormsTest, GroupsOfFourGenerationsOfFiles) {
  P old;
  old.add_replica_groups()->add_replica_ids(3);
  old.set_all_reduce_id(7);
  const auto from_old = Read<CollectiveAttributes>(old);
  EXPECT_EQ(from_old.replica_groups.groups, (std::vector<std::vector<int64_t>>{{3}}));
  EXPECT_EQ(from_old.channel_id, 7);

  P nested;
  auto* iota = nested.mutable_collective_device_list()->mutable_iota_replica_group_list();
  iota->set_num_replica_groups(2);
  iota->set_num_devices_per_group(4);
  iota->add_iota_reshape_dims(8);
  iota->add_iota_transpose_perm(0);
  const auto from_nested = Read<CollectiveAttributes>(nested).replica_groups;
  EXPECT_EQ(from_nested.kind, ReplicaGroups::Kind::kIota);
  EXPECT_EQ(from_nested.group_count, 2);
  EXPECT_EQ(from_nested.group_size, 4);
  EXPECT_EQ(from_nested.reshape_dims, std::vector<int64_t>{8});
  EXPECT_TRUE(from_nested.transpose_perm.empty()) << "the identity is empty";

  P mesh;
  auto* list = mesh.mutable_mesh_axes_replica_group_list();
  list->mutable_mesh()->add_axes()->set_name("x");
  list->mutable_mesh()->mutable_axes(0)->set_size(8);
  list->add_axes()->mutable_sub_axis_info()->set_pre_size(2);
  list->mutable_axes(0)->mutable_sub_axis_info()->set_size(4);
  EXPECT_EQ(Read<CollectiveAttributes>(mesh).replica_groups.mesh, "mesh['x'=8] {'x':(2)4}");
}

TEST(FamilyCodecFormsTest, MeshesWithoutTextStaySerialized) {
  P proto;
  auto* list = proto.mutable_mesh_axes_replica_group_list();
  list->mutable_mesh()->add_axes()->set_name("x");
  list->mutable_mesh()->add_device_ids(5);
  const std::string bytes = list->SerializeAsString();
  const auto attributes = Read<CollectiveAttributes>(proto);
  EXPECT_EQ(attributes.replica_groups.mesh, bytes);
  P again;
  ASSERT_TRUE(WriteWire(attributes, again).ok());
  EXPECT_EQ(again.mesh_axes_replica_group_list().SerializeAsString(), bytes);
}

TEST(FamilyCodecFormsTest, UnknownMeshTextIsAnError) {
  for (const char* text : {"mesh", "mesh['x'=2]", "mesh['x'=2] {'y'}", "mesh['x'=] {'x'}",
                           "mesh['x'=2] {'x'} more", "mesh['x=2] {}", "mesh['x'=2] {'x':(1)}"}) {
    CollectiveAttributes attributes;
    attributes.replica_groups.kind = ReplicaGroups::Kind::kMesh;
    attributes.replica_groups.mesh = text;
    P proto;
    EXPECT_EQ(ErrorIdOf(WriteWire(attributes, proto)), "AX0232") << text;
  }
}

TEST(FamilyCodecFormsTest, ChannelsBelowOneAreNone) {
  P proto;
  proto.set_channel_id(-1);
  EXPECT_EQ(Read<SendRecvAttributes>(proto).channel_id, std::nullopt);
  proto.set_channel_id(5);
  EXPECT_EQ(Read<SendRecvAttributes>(proto).channel_id, 5);
}

TEST(FamilyCodecFormsTest, OldPrefetchFlag) {
  P proto;
  proto.set_is_cross_program_prefetch(true);
  EXPECT_EQ(Read<CopyStartAttributes>(proto).cross_program_prefetch_index, 0);
}

TEST(FamilyCodecFormsTest, AbsentGroupCountsAreOne) {
  P proto;
  proto.mutable_window();
  proto.mutable_convolution_dimension_numbers();
  const auto attributes = Read<ConvolutionAttributes>(proto);
  EXPECT_EQ(attributes.feature_group_count, 1);
  EXPECT_EQ(attributes.batch_group_count, 1);
}

TEST(FamilyCodecFormsTest, DefaultPrecisionOfAllOperandsIsEmpty) {
  P proto;
  proto.mutable_dot_dimension_numbers();
  for (int i = 0; i < 2; ++i) {
    proto.mutable_precision_config()->add_operand_precision(wire::PrecisionConfig::DEFAULT);
  }
  EXPECT_TRUE(Read<DotAttributes>(proto).operand_precision.values.empty());
}

TEST(FamilyCodecFormsTest, PrecisionAlgorithmOfAConvolutionIsKept) {
  P proto;
  proto.mutable_window();
  proto.mutable_convolution_dimension_numbers();
  proto.mutable_precision_config()->set_algorithm(wire::PrecisionConfig::ALG_DOT_F32_F32_F32);
  ReadContext context;
  ConvolutionAttributes attributes;
  ASSERT_TRUE(ReadWire(proto, context, attributes).ok());
  ASSERT_TRUE(context.has_kept);
  P again = context.kept;
  ASSERT_TRUE(WriteWire(attributes, again).ok());
  EXPECT_EQ(again.precision_config().algorithm(), wire::PrecisionConfig::ALG_DOT_F32_F32_F32);
}

TEST(FamilyCodecFormsTest, DefaultsThatXlaSpellsOut) {
  P proto;
  proto.set_custom_call_api_version(P::API_VERSION_ORIGINAL);
  const auto call = Read<CustomCallAttributes>(proto);
  EXPECT_EQ(call.api_version, CustomCallApiVersion::kUnspecified);
  P again;
  ASSERT_TRUE(WriteWire(call, again).ok());
  EXPECT_EQ(again.custom_call_api_version(), P::API_VERSION_ORIGINAL);
}

TEST(FamilyCodecFormsTest, MainThreadHasNoName) {
  P proto;
  proto.set_async_execution_thread("main");
  EXPECT_EQ(Read<AsyncAttributes>(proto).execution_thread, "");
}

TEST(FamilyCodecFormsTest, SliceSizesOfCollectivePermute) {
  // One input of rank 2: sizes come in pairs, one pair a start.
  P proto;
  for (const int64_t size : {1, 2, 3, 4}) proto.add_dynamic_slice_sizes(size);
  std::vector<Instruction> operands = Operands();
  const std::vector<InstructionIndex> indices = {0, 1, 2, 3};
  ReadContext context;
  context.earlier = operands;
  context.operands = indices;
  CollectivePermuteAttributes attributes;
  ASSERT_TRUE(ReadWire(proto, context, attributes).ok());
  EXPECT_EQ(attributes.slice_sizes, (std::vector<std::vector<int64_t>>{{1, 2}, {3, 4}}));

  // Two inputs of ranks 1 and 3, one start each.
  const Shape index = Shape::Scalar(ElementType::kS32);
  operands[0].shape = Shape::Tuple(
      {Shape::Array(ElementType::kF32, {9}), Shape::Array(ElementType::kF32, {9, 9, 9})});
  operands[2].shape = Shape::Tuple({Shape::Tuple({index}), Shape::Tuple({index, index, index})});
  CollectivePermuteAttributes several;
  ASSERT_TRUE(ReadWire(proto, context, several).ok());
  EXPECT_EQ(several.slice_sizes, (std::vector<std::vector<int64_t>>{{1}, {2, 3, 4}}));
}

TEST(FamilyCodecErrorsTest, SliceSizesThatDoNotFit) {
  P proto;
  proto.add_dynamic_slice_sizes(1);
  EXPECT_EQ(ErrorId<CollectivePermuteAttributes>(proto), "AX0214");  // too few
  for (int i = 0; i < 4; ++i) proto.add_dynamic_slice_sizes(1);
  EXPECT_EQ(ErrorId<CollectivePermuteAttributes>(proto), "AX0214");  // too many
  ReadContext context;
  CollectivePermuteAttributes attributes;
  EXPECT_EQ(ErrorIdOf(ReadWire(proto, context, attributes)), "AX0214");  // no operands
}

TEST(FamilyCodecErrorsTest, FieldsWithoutWhichThereIsNoMeaning) {
  const P empty;
  EXPECT_EQ(ErrorId<DotAttributes>(empty), "AX0213");
  EXPECT_EQ(ErrorId<RaggedDotAttributes>(empty), "AX0213");
  EXPECT_EQ(ErrorId<ConvolutionAttributes>(empty), "AX0213");
  EXPECT_EQ(ErrorId<WindowAttributes>(empty), "AX0213");
  EXPECT_EQ(ErrorId<PadAttributes>(empty), "AX0213");
  EXPECT_EQ(ErrorId<GatherAttributes>(empty), "AX0213");
  EXPECT_EQ(ErrorId<ScatterAttributes>(empty), "AX0213");
  EXPECT_EQ(ErrorId<FusionAttributes>(empty), "AX0213");
  P window;
  window.mutable_window();
  EXPECT_EQ(ErrorId<ConvolutionAttributes>(window), "AX0213");
}

TEST(FamilyCodecErrorsTest, ValuesThatDoNotExist) {
  P proto;
  EXPECT_EQ(ErrorId<CompareAttributes>(proto), "AX0214");  // no direction
  proto.set_comparison_direction("EQ");
  EXPECT_EQ(ErrorId<CompareAttributes>(proto), "");
  proto.set_comparison_type("SOME");
  EXPECT_EQ(ErrorId<CompareAttributes>(proto), "AX0214");
  EXPECT_EQ(ErrorId<IotaAttributes>(proto), "AX0214");  // no dimension
  proto.set_fusion_kind("kSome");
  EXPECT_EQ(ErrorId<FusionAttributes>(proto), "AX0214");
  proto.set_fft_type(static_cast<wire::FftType>(4));
  EXPECT_EQ(ErrorId<FftAttributes>(proto), "AX0214");
  proto.set_distribution(static_cast<wire::RandomDistribution>(-1));
  EXPECT_EQ(ErrorId<RngAttributes>(proto), "AX0214");
  proto.set_rng_algorithm(static_cast<wire::RandomAlgorithm>(9));
  EXPECT_EQ(ErrorId<RngBitGeneratorAttributes>(proto), "AX0214");
  proto.set_is_associative(static_cast<P::TriState>(3));
  EXPECT_EQ(ErrorId<ScanAttributes>(proto), "AX0214");
  proto.mutable_triangular_solve_options()->set_transpose_a(
      static_cast<wire::TriangularSolveOptions::Transpose>(4));
  EXPECT_EQ(ErrorId<TriangularSolveAttributes>(proto), "AX0214");
  proto.mutable_dot_dimension_numbers();
  proto.mutable_precision_config()->set_algorithm(
      static_cast<wire::PrecisionConfig::Algorithm>(14));
  EXPECT_EQ(ErrorId<DotAttributes>(proto), "AX0214");
  proto.mutable_precision_config()->add_operand_precision(
      static_cast<wire::PrecisionConfig::Precision>(17));
  EXPECT_EQ(ErrorId<CustomCallAttributes>(proto), "AX0214");
  proto.mutable_result_accuracy()->set_mode(static_cast<wire::ResultAccuracy::Mode>(2));
  EXPECT_EQ(ErrorId<ResultAccuracyAttributes>(proto), "AX0214");
}

TEST(FamilyCodecErrorsTest, NumbersTooLargeForTheWire) {
  const int64_t large = int64_t{1} << 31;
  P proto;
  ReducePrecisionAttributes bits;
  bits.exponent_bits = large;
  EXPECT_EQ(ErrorIdOf(WriteWire(bits, proto)), "AX0232");
  bits = {};
  bits.mantissa_bits = -large - 1;
  EXPECT_EQ(ErrorIdOf(WriteWire(bits, proto)), "AX0232");
  CopyStartAttributes copy;
  copy.cross_program_prefetch_index = large;
  EXPECT_EQ(ErrorIdOf(WriteWire(copy, proto)), "AX0232");
}

TEST(FamilyCodecErrorsTest, TextMustBeUtf8) {
  P proto;
  proto.set_custom_call_target("\xff");
  EXPECT_EQ(ErrorId<CustomCallAttributes>(proto), "AX0215");
  proto.set_async_execution_thread("\xff");
  EXPECT_EQ(ErrorId<AsyncAttributes>(proto), "AX0215");
  CustomCallAttributes call;
  call.target = "\xff";
  EXPECT_EQ(ErrorIdOf(WriteWire(call, proto)), "AX0215");
}

}  // namespace
}  // namespace axle::hlo::proto
