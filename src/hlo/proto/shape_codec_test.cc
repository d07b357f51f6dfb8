// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/shape_codec.h"

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "gtest/gtest.h"

namespace axle::hlo::proto {
namespace {

Shape RoundTrip(const Shape& shape) {
  wire::ShapeProto proto;
  WriteShape(shape, &proto);
  ShapeReader reader;
  absl::StatusOr<Shape> again = reader.Read(proto);
  EXPECT_TRUE(again.ok()) << again.status();
  EXPECT_FALSE(reader.saw_unknown());
  return again.ok() ? *again : Shape();
}

std::string IdOf(const wire::ShapeProto& proto) {
  return ErrorIdOf(ShapeReader().Read(proto).status());
}

wire::ShapeProto ArrayProto(std::vector<int64_t> dimensions) {
  wire::ShapeProto proto;
  proto.set_element_type(wire::F32);
  proto.mutable_dimensions()->Add(dimensions.begin(), dimensions.end());
  return proto;
}

TEST(ShapeCodecTest, EveryElementTypeHasItsNumber) {
  // PrimitiveType's numbers, as XLA's files have them.
  EXPECT_EQ(wire::PRED, 1);
  EXPECT_EQ(wire::F32, 11);
  EXPECT_EQ(wire::BF16, 16);
  EXPECT_EQ(wire::F6E2M3FN, 36);
  for (int number = 1; number <= 36; ++number) {
    wire::ShapeProto proto;
    proto.set_element_type(static_cast<wire::PrimitiveType>(number));
    if (number == wire::BUFFER) *proto.add_tuple_shapes() = ArrayProto({});
    ShapeReader reader;
    const absl::StatusOr<Shape> shape = reader.Read(proto);
    ASSERT_TRUE(shape.ok()) << number << shape.status();
    wire::ShapeProto again;
    WriteShape(*shape, &again);
    again.clear_layout();
    if (number == wire::BUFFER) again.mutable_tuple_shapes(0)->clear_layout();
    EXPECT_EQ(again.SerializeAsString(), proto.SerializeAsString()) << number;
  }
}

TEST(ShapeCodecTest, DimensionsAndFlagsSurvive) {
  const std::vector<int64_t> dimensions = {2, 0, Shape::kUnbounded, 7};
  const std::unique_ptr<bool[]> flags(new bool[4]{false, false, true, true});
  const Shape shape =
      Shape::Array(ElementType::kBF16, dimensions, absl::Span<const bool>(flags.get(), 4));
  EXPECT_EQ(RoundTrip(shape), shape);
  EXPECT_EQ(RoundTrip(Shape::Scalar(ElementType::kC128)), Shape::Scalar(ElementType::kC128));
}

TEST(ShapeCodecTest, EveryFieldOfALayoutSurvives) {
  Layout layout;
  layout.minor_to_major = {1, 2, 0};
  layout.dim_level_types = {DimLevelType::kDense, DimLevelType::kCompressed,
                            DimLevelType::kLooseCompressed};
  layout.dim_unique = {true, false, true};
  layout.dim_ordered = {false, true, true};
  layout.tiles = {Tile{{8, 128}}, Tile{{Tile::kCombine, 2}}};
  layout.tail_padding_alignment_in_elements = 5;
  layout.index_type = ElementType::kU32;
  layout.pointer_type = ElementType::kU16;
  layout.element_size_in_bits = 4;
  layout.memory_space = 3;
  layout.split_configs = {SplitConfig{1, {16, 32}}, SplitConfig{0, {}}};
  layout.physical_shape =
      std::make_shared<const Shape>(Shape::Tuple({Shape::Scalar(ElementType::kU8)}));
  layout.dynamic_shape_metadata_prefix_bytes = 64;
  const Shape shape = Shape::ArrayWithLayout(ElementType::kS4, {4, 5, 6}, {}, layout);
  const Shape again = RoundTrip(shape);
  ASSERT_NE(again.layout(), nullptr);
  EXPECT_EQ(*again.layout(), layout);
  EXPECT_EQ(again, shape);
}

TEST(ShapeCodecTest, ListsThatSayTheDefaultAreEmpty) {
  wire::ShapeProto proto = ArrayProto({2});
  proto.mutable_layout()->add_minor_to_major(0);
  const Layout plain = *ShapeReader().Read(proto)->layout();
  proto.mutable_layout()->add_dim_level_types(wire::DIM_DENSE);
  proto.mutable_layout()->add_dim_unique(true);
  proto.mutable_layout()->add_dim_ordered(true);
  EXPECT_EQ(*ShapeReader().Read(proto)->layout(), plain);
  proto.mutable_layout()->set_dim_unique(0, false);
  EXPECT_EQ(ShapeReader().Read(proto)->layout()->dim_level_types.size(), 1);
}

TEST(ShapeCodecTest, ScalarsHaveOneLayout) {
  wire::ShapeProto without;
  without.set_element_type(wire::F32);
  wire::ShapeProto with = without;
  with.mutable_layout()->set_tail_padding_alignment_in_elements(1);
  EXPECT_EQ(*ShapeReader().Read(with), *ShapeReader().Read(without));
  wire::ShapeProto written;
  WriteShape(Shape::Scalar(ElementType::kF32), &written);
  EXPECT_EQ(written.SerializeAsString(), with.SerializeAsString());
  with.mutable_layout()->set_memory_space(1);
  EXPECT_NE(*ShapeReader().Read(with), *ShapeReader().Read(without));
}

TEST(ShapeCodecTest, AbsentTailPaddingIsOne) {
  wire::ShapeProto proto = ArrayProto({2});
  proto.mutable_layout()->add_minor_to_major(0);
  EXPECT_EQ(ShapeReader().Read(proto)->layout()->tail_padding_alignment_in_elements, 1);
}

TEST(ShapeCodecTest, TuplesTokensAndBuffersSurvive) {
  const Shape array = Shape::Array(ElementType::kF32, {3});
  for (const Shape& shape :
       {Shape::Tuple({}), Shape::Tuple({array, Shape::Tuple({Shape::Token(), Shape::Opaque()})}),
        Shape::Buffer(array), Shape::Token(), Shape::Opaque()}) {
    EXPECT_EQ(RoundTrip(shape), shape);
  }
}

TEST(ShapeCodecTest, EqualShapesShareTheirData) {
  ShapeReader reader;
  wire::ShapeProto tuple;
  tuple.set_element_type(wire::TUPLE);
  *tuple.add_tuple_shapes() = ArrayProto({2, 3});
  *tuple.add_tuple_shapes() = ArrayProto({2, 3});
  const Shape a = *reader.Read(tuple);
  const Shape b = *reader.Read(tuple);
  const Shape c = *reader.Read(ArrayProto({2, 3}));
  EXPECT_TRUE(a.SharesDataWith(b));
  EXPECT_TRUE(a.tuple_shape(0).SharesDataWith(a.tuple_shape(1)));
  EXPECT_TRUE(a.tuple_shape(0).SharesDataWith(c));
  EXPECT_FALSE(reader.Read(ArrayProto({3, 2}))->SharesDataWith(c));
}

TEST(ShapeCodecTest, OldFilesSayDense) {
  wire::ShapeProto proto = ArrayProto({2});
  proto.mutable_layout()->add_minor_to_major(0);
  proto.mutable_layout()->set_legacy_format(1);
  EXPECT_EQ(*ShapeReader().Read(proto)->layout(), Layout::RowMajor(1));
  proto.mutable_layout()->set_legacy_format(2);
  EXPECT_EQ(IdOf(proto), "AX0218");
}

TEST(ShapeCodecTest, EmptyLayoutsOfTokensAreDropped) {
  wire::ShapeProto proto;
  proto.set_element_type(wire::TOKEN);
  proto.mutable_layout()->set_tail_padding_alignment_in_elements(1);
  EXPECT_EQ(*ShapeReader().Read(proto), Shape::Token());
  proto.mutable_layout()->add_minor_to_major(0);
  EXPECT_EQ(IdOf(proto), "AX0211");
}

TEST(ShapeCodecTest, RefusesWhatIsNoShape) {
  wire::ShapeProto proto;
  EXPECT_EQ(IdOf(proto), "AX0211");  // no element type
  for (const int number : {-1, 37, 99, std::numeric_limits<int>::max()}) {
    proto.set_element_type(static_cast<wire::PrimitiveType>(number));
    EXPECT_EQ(IdOf(proto), "AX0211") << number;
  }
  EXPECT_EQ(IdOf(ArrayProto({2, -1})), "AX0211");
  EXPECT_EQ(IdOf(ArrayProto({Shape::kUnbounded})), "AX0211");  // not marked dynamic
  EXPECT_EQ(IdOf(ArrayProto(std::vector<int64_t>(65, 1))), "AX0211");

  proto = ArrayProto({2, 3});
  proto.add_is_dynamic_dimension(true);
  EXPECT_EQ(IdOf(proto), "AX0211");  // one flag for two dimensions

  proto = ArrayProto({});
  *proto.add_tuple_shapes() = ArrayProto({});
  EXPECT_EQ(IdOf(proto), "AX0211");  // an array with elements

  proto = ArrayProto({2});
  proto.set_element_type(wire::TUPLE);
  EXPECT_EQ(IdOf(proto), "AX0211");  // a tuple with dimensions

  proto.clear_dimensions();
  proto.mutable_layout()->add_minor_to_major(0);
  EXPECT_EQ(IdOf(proto), "AX0211");  // a tuple with a layout

  proto.clear_layout();
  proto.set_element_type(wire::BUFFER);
  EXPECT_EQ(IdOf(proto), "AX0211");  // a buffer of nothing

  proto = ArrayProto({2});
  proto.mutable_layout()->add_dim_level_types(static_cast<wire::DimLevelType>(4));
  EXPECT_EQ(IdOf(proto), "AX0211");
  proto.mutable_layout()->clear_dim_level_types();
  proto.mutable_layout()->set_index_primitive_type(static_cast<wire::PrimitiveType>(99));
  EXPECT_EQ(IdOf(proto), "AX0211");
}

TEST(ShapeCodecTest, NestingIsBounded) {
  const auto nested = [](int depth) {
    wire::ShapeProto proto = ArrayProto({});
    for (int i = 0; i < depth; ++i) {
      wire::ShapeProto outer;
      outer.set_element_type(wire::TUPLE);
      outer.add_tuple_shapes()->Swap(&proto);
      proto.Swap(&outer);
    }
    return proto;
  };
  EXPECT_EQ(IdOf(nested(kMaxShapeNesting)), "");
  EXPECT_EQ(IdOf(nested(kMaxShapeNesting + 1)), "AX0211");
}

TEST(ShapeCodecTest, ProgramShapes) {
  ProgramShape shape;
  shape.parameters = {Shape::Scalar(ElementType::kF32), Shape::Tuple({})};
  shape.parameter_names = {"a", "ü"};
  shape.result = Shape::Token();
  wire::ProgramShapeProto proto;
  WriteProgramShape(shape, &proto);
  EXPECT_EQ(*ShapeReader().Read(proto), shape);

  proto.set_parameter_names(0, "\xff");
  EXPECT_EQ(ErrorIdOf(ShapeReader().Read(proto).status()), "AX0215");
  proto.clear_parameter_names();
  proto.mutable_parameters(1)->clear_element_type();
  EXPECT_EQ(ErrorIdOf(ShapeReader().Read(proto).status()), "AX0211");
  proto.clear_parameters();
  proto.clear_result();
  EXPECT_EQ(ErrorIdOf(ShapeReader().Read(proto).status()), "AX0213");
}

TEST(ShapeCodecTest, NotesUnknownFieldsAlsoOfShapesItHasSeen) {
  wire::ShapeProto proto = ArrayProto({2});
  proto.mutable_layout()->add_tiles();
  ShapeReader reader;
  ASSERT_TRUE(reader.Read(proto).ok());
  EXPECT_FALSE(reader.saw_unknown());
  wire::TileProto* tile = proto.mutable_layout()->mutable_tiles(0);
  tile->GetReflection()->MutableUnknownFields(tile)->AddVarint(99, 1);
  ASSERT_TRUE(reader.Read(proto).ok());
  EXPECT_TRUE(reader.saw_unknown());
}

}  // namespace
}  // namespace axle::hlo::proto
