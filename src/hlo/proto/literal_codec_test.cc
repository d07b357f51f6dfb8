// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/literal_codec.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "gtest/gtest.h"
#include "hlo/float_formats.h"

namespace axle::hlo::proto {
namespace {

Shape WithOrder(ElementType type, std::vector<int64_t> dimensions, std::vector<int64_t> order) {
  Layout layout;
  layout.minor_to_major.assign(order.begin(), order.end());
  return Shape::ArrayWithLayout(type, dimensions, {}, std::move(layout));
}

// A message of this shape, without data.
wire::LiteralProto Message(const Shape& shape) {
  wire::LiteralProto proto;
  WriteShape(shape, proto.mutable_shape());
  return proto;
}

absl::StatusOr<Literal> Read(const wire::LiteralProto& proto) {
  ShapeReader shapes;
  return ReadLiteral(proto, shapes);
}

std::string IdOf(const wire::LiteralProto& proto) { return ErrorIdOf(Read(proto).status()); }

TEST(LiteralCodecTest, EveryArrayTypeSurvives) {
  for (int number = 1; number <= 36; ++number) {
    const ElementType type = *ElementTypeFromWireNumber(number);
    if (!IsArrayType(type)) continue;
    Literal literal = *Literal::Zeros(Shape::Array(type, {2, 3}));
    for (size_t i = 0; i < literal.bytes().size(); ++i) {
      const int mask = IsPred(type) ? 1 : IsSubByte(type) ? (1 << BitWidth(type)) - 1 : 0xff;
      literal.bytes()[i] = static_cast<std::byte>((37 * i + 11) & mask);
    }
    wire::LiteralProto proto;
    ASSERT_TRUE(WriteLiteral(literal, &proto).ok());
    const absl::StatusOr<Literal> again = Read(proto);
    ASSERT_TRUE(again.ok()) << Name(type) << again.status();
    EXPECT_EQ(*again, literal) << Name(type);
    EXPECT_EQ(again->shape(), literal.shape());
  }
}

TEST(LiteralCodecTest, FieldsOfTheWire) {
  wire::LiteralProto proto;
  ASSERT_TRUE(WriteLiteral(Literal::Vector<float>({1.5f, -2.0f}), &proto).ok());
  EXPECT_EQ(std::vector<float>(proto.f32s().begin(), proto.f32s().end()),
            (std::vector<float>{1.5f, -2.0f}));

  ASSERT_TRUE(WriteLiteral(Literal::Vector<uint16_t>({0x1234}), &proto).ok());
  EXPECT_EQ(proto.u16s(), "\x34\x12");  // little endian

  ASSERT_TRUE(WriteLiteral(Literal::Scalar(std::complex<float>(3, 4)), &proto).ok());
  EXPECT_EQ(std::vector<float>(proto.c64s().begin(), proto.c64s().end()),
            (std::vector<float>{3, 4}));

  ASSERT_TRUE(WriteLiteral(Literal::Scalar(true), &proto).ok());
  ASSERT_EQ(proto.preds_size(), 1);
  EXPECT_TRUE(proto.preds(0));
}

TEST(LiteralCodecTest, SmallIntegersAreOneByteWithTheirSign) {
  Literal literal = *Literal::Zeros(Shape::Array(ElementType::kS4, {2}));
  literal.bytes()[0] = std::byte{0x0f};  // -1
  literal.bytes()[1] = std::byte{0x07};
  wire::LiteralProto proto;
  ASSERT_TRUE(WriteLiteral(literal, &proto).ok());
  EXPECT_EQ(proto.s4s(), "\xff\x07");
  EXPECT_EQ(*Read(proto), literal);

  // The bits above do not count when reading.
  wire::LiteralProto unsigned_proto = Message(Shape::Array(ElementType::kU2, {1}));
  unsigned_proto.set_u2s("\xfe");
  EXPECT_EQ(Read(unsigned_proto)->bytes()[0], std::byte{2});
}

TEST(LiteralCodecTest, ElementsFollowTheLayout) {
  // Column-major [[1, 2, 3], [4, 5, 6]]: first the columns.
  wire::LiteralProto proto = Message(WithOrder(ElementType::kS32, {2, 3}, {0, 1}));
  for (const int32_t value : {1, 4, 2, 5, 3, 6}) proto.add_s32s(value);
  const absl::StatusOr<Literal> literal = Read(proto);
  ASSERT_TRUE(literal.ok()) << literal.status();
  const absl::Span<const int32_t> data = literal->data<int32_t>();
  EXPECT_EQ(std::vector<int32_t>(data.begin(), data.end()),
            (std::vector<int32_t>{1, 2, 3, 4, 5, 6}));
  wire::LiteralProto again;
  ASSERT_TRUE(WriteLiteral(*literal, &again).ok());
  EXPECT_EQ(again.SerializeAsString(), proto.SerializeAsString());

  // Three dimensions of 2, 3 and 2 with order {1, 2, 0}: element (i, j, k) stands at j + 3 (k + 2
  // i).
  wire::LiteralProto cube = Message(WithOrder(ElementType::kS16, {2, 3, 2}, {1, 2, 0}));
  std::string bytes(24, '\0');
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k) bytes[2 * (j + 3 * (k + 2 * i))] = 100 * i + 10 * j + k;
    }
  }
  cube.set_s16s(bytes);
  const Literal read = *Read(cube);
  EXPECT_EQ(read.data<int16_t>()[(1 * 3 + 2) * 2 + 1], 121);
  EXPECT_EQ(read.data<int16_t>()[(0 * 3 + 1) * 2 + 0], 10);
}

TEST(LiteralCodecTest, TuplesAndTokens) {
  std::vector<Literal> elements;
  elements.push_back(Literal::Scalar<int64_t>(-7));
  elements.push_back(*Literal::Zeros(Shape::Token()));
  elements.push_back(Literal::Tuple({}));
  const Literal literal = Literal::Tuple(std::move(elements));
  wire::LiteralProto proto;
  ASSERT_TRUE(WriteLiteral(literal, &proto).ok());
  EXPECT_EQ(*Read(proto), literal);
}

TEST(LiteralCodecTest, DynamicSizes) {
  const std::unique_ptr<bool[]> flags(new bool[2]{true, false});
  const Shape shape =
      Shape::Array(ElementType::kS8, {4, 2}, absl::Span<const bool>(flags.get(), 2));
  wire::LiteralProto proto = Message(shape);
  proto.set_s8s("12345678");
  proto.add_dynamic_sizes(3);
  proto.add_dynamic_sizes(2);
  const Literal literal = *Read(proto);
  EXPECT_EQ(literal.dynamic_sizes(), (std::vector<int32_t>{3, 2}));
  wire::LiteralProto again;
  ASSERT_TRUE(WriteLiteral(literal, &again).ok());
  EXPECT_EQ(again.SerializeAsString(), proto.SerializeAsString());

  proto.set_dynamic_sizes(0, 5);
  EXPECT_EQ(IdOf(proto), "AX0212");
  proto.set_dynamic_sizes(0, 4);
  EXPECT_TRUE(Read(proto)->dynamic_sizes().empty()) << "all full";
  proto.add_dynamic_sizes(1);
  EXPECT_EQ(IdOf(proto), "AX0212");
}

TEST(LiteralCodecTest, DataMustFitTheShapeBeforeAnythingIsAllocated) {
  wire::LiteralProto proto = Message(Shape::Array(ElementType::kF32, {int64_t{1} << 50}));
  proto.add_f32s(1);
  EXPECT_EQ(IdOf(proto), "AX0212");
  proto = Message(Shape::Array(ElementType::kF32, {int64_t{1} << 50, int64_t{1} << 50}));
  EXPECT_EQ(IdOf(proto), "AX0300");
  proto = Message(Shape::Array(ElementType::kF32, {2}));
  proto.add_f32s(1);
  EXPECT_EQ(IdOf(proto), "AX0212");  // one too few
  proto.add_f32s(1);
  EXPECT_EQ(IdOf(proto), "");
  proto.add_f32s(1);
  EXPECT_EQ(IdOf(proto), "AX0212");  // one too many
  proto.clear_f32s();
  proto.set_f16s("1234");
  EXPECT_EQ(IdOf(proto), "AX0212");  // of another type
  proto = Message(Shape::Array(ElementType::kS16, {1}));
  proto.set_s16s("123");
  EXPECT_EQ(IdOf(proto), "AX0212");  // half an element
  proto.set_s16s("12");
  proto.add_s32s(1);
  EXPECT_EQ(IdOf(proto), "AX0212");  // other data besides
}

TEST(LiteralCodecTest, RefusesMalformedMessages) {
  EXPECT_EQ(IdOf(wire::LiteralProto()), "AX0212");  // no shape
  wire::LiteralProto proto = Message(Shape::Tuple({Shape::Scalar(ElementType::kS8)}));
  EXPECT_EQ(IdOf(proto), "AX0212");  // no part
  proto.add_tuple_literals()->set_s8s("1");
  EXPECT_EQ(IdOf(proto), "");
  WriteShape(Shape::Array(ElementType::kS8, {1}), proto.mutable_tuple_literals(0)->mutable_shape());
  EXPECT_EQ(IdOf(proto), "AX0212");  // part of another shape
  proto.mutable_tuple_literals(0)->clear_shape();
  WriteShape(Shape::Scalar(ElementType::kS8), proto.mutable_tuple_literals(0)->mutable_shape());
  EXPECT_EQ(IdOf(proto), "");
  proto.set_s8s("1");
  EXPECT_EQ(IdOf(proto), "AX0212");  // elements of a tuple itself
  proto = Message(Shape::Scalar(ElementType::kS8));
  proto.set_s8s("1");
  proto.add_tuple_literals();
  EXPECT_EQ(IdOf(proto), "AX0212");  // parts of an array
  proto.clear_tuple_literals();
  proto.add_sparse_indices(0);
  EXPECT_EQ(IdOf(proto), "AX0218");
  EXPECT_EQ(IdOf(Message(Shape::Opaque())), "AX0303");
}

TEST(LiteralCodecTest, LayoutsMustNameEveryDimensionOnce) {
  for (const std::vector<int64_t>& order :
       {std::vector<int64_t>{0}, std::vector<int64_t>{0, 0}, std::vector<int64_t>{0, 2},
        std::vector<int64_t>{-1, 0}, std::vector<int64_t>{0, 1, 2}}) {
    const Shape shape = WithOrder(ElementType::kS8, {2, 2}, order);
    wire::LiteralProto proto = Message(shape);
    proto.set_s8s("1234");
    EXPECT_EQ(IdOf(proto), "AX0212");
    const Literal literal = *Literal::Zeros(shape);
    EXPECT_EQ(ErrorIdOf(WriteLiteral(literal, &proto)), "AX0212");
  }
}

}  // namespace
}  // namespace axle::hlo::proto
