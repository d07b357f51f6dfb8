// SPDX-License-Identifier: Apache-2.0
#include "check/npy_literal.h"

#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::check {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;
using ::testing::HasSubstr;

NpyArray MakeArray(NpyType type, std::vector<int64_t> shape, std::vector<uint8_t> bytes) {
  NpyArray array;
  array.type = type;
  array.shape = std::move(shape);
  array.data = AlignedBytes(static_cast<int64_t>(bytes.size()));
  if (!bytes.empty()) std::memcpy(array.data.data(), bytes.data(), bytes.size());
  return array;
}

std::vector<uint8_t> BytesOf(const Literal& literal) {
  std::vector<uint8_t> bytes(literal.bytes().size());
  if (!bytes.empty()) std::memcpy(bytes.data(), literal.bytes().data(), bytes.size());
  return bytes;
}

// The type of the file, and those that are read too.
TEST(NpyLiteralTest, StoredTypes) {
  const NpyType u1 = {NpyKind::kUnsigned, 1}, u2 = {NpyKind::kUnsigned, 2};
  EXPECT_EQ(NpyTypeOf(ElementType::kPred), (NpyType{NpyKind::kBool, 1}));
  EXPECT_EQ(NpyTypeOf(ElementType::kS64), (NpyType{NpyKind::kSigned, 8}));
  EXPECT_EQ(NpyTypeOf(ElementType::kU16), u2);
  EXPECT_EQ(NpyTypeOf(ElementType::kF16), (NpyType{NpyKind::kFloat, 2}));
  EXPECT_EQ(NpyTypeOf(ElementType::kF64), (NpyType{NpyKind::kFloat, 8}));
  EXPECT_EQ(NpyTypeOf(ElementType::kC128), (NpyType{NpyKind::kComplex, 16}));
  EXPECT_EQ(NpyTypeOf(ElementType::kBF16), u2);
  EXPECT_EQ(NpyTypeOf(ElementType::kF8E5M2), u1);
  EXPECT_EQ(NpyTypeOf(ElementType::kS4), u1);
  EXPECT_EQ(NpyTypeOf(ElementType::kF4E2M1FN), u1);
}

TEST(NpyLiteralTest, TakesTheOwnTypeAndRawBits) {
  const Shape bf16 = Shape::Array(ElementType::kBF16, {1});
  for (const NpyType type : {NpyType{NpyKind::kUnsigned, 2}, NpyType{NpyKind::kRaw, 2}}) {
    const auto literal = LiteralFromNpy(MakeArray(type, {1}, {0x80, 0x3f}), bf16);
    ASSERT_TRUE(literal.ok()) << literal.status();
    EXPECT_EQ(static_cast<float>(literal->data<hlo::BF16>()[0]), 1.0f);
  }
  const Shape f8 = Shape::Array(ElementType::kF8E4M3FN, {2});
  for (const NpyType type : {NpyType{NpyKind::kUnsigned, 1}, NpyType{NpyKind::kRaw, 1}}) {
    const auto literal = LiteralFromNpy(MakeArray(type, {2}, {0x38, 0xff}), f8);
    ASSERT_TRUE(literal.ok()) << literal.status();
    EXPECT_EQ(BytesOf(*literal), (std::vector<uint8_t>{0x38, 0xff}));
  }
}

TEST(NpyLiteralTest, RefusesOtherTypes) {
  const auto refused = [](NpyType type, ElementType element, int bytes) {
    const auto literal = LiteralFromNpy(MakeArray(type, {1}, std::vector<uint8_t>(bytes)),
                                        Shape::Array(element, {1}));
    return ErrorIdOf(literal.status());
  };
  EXPECT_EQ(refused({NpyKind::kFloat, 8}, ElementType::kF32, 8), "AX0910");
  EXPECT_EQ(refused({NpyKind::kSigned, 4}, ElementType::kU32, 4), "AX0910");
  EXPECT_EQ(refused({NpyKind::kFloat, 2}, ElementType::kBF16, 2), "AX0910");
  EXPECT_EQ(refused({NpyKind::kUnsigned, 1}, ElementType::kPred, 1), "AX0910");
  EXPECT_EQ(refused({NpyKind::kRaw, 1}, ElementType::kS8, 1), "AX0910");
}

TEST(NpyLiteralTest, RefusesOtherShapes) {
  const NpyType f4 = {NpyKind::kFloat, 4};
  const auto literal = LiteralFromNpy(MakeArray(f4, {3, 2}, std::vector<uint8_t>(24)),
                                      Shape::Array(ElementType::kF32, {2, 3}));
  EXPECT_EQ(literal.status().message(), "AX0911: holds [3,2], expected [2,3] for f32[2,3]");
  EXPECT_TRUE(
      LiteralFromNpy(MakeArray(f4, {}, std::vector<uint8_t>(4)), Shape::Scalar(ElementType::kF32))
          .ok());
  EXPECT_TRUE(
      LiteralFromNpy(MakeArray(f4, {0, 4}, {}), Shape::Array(ElementType::kF32, {0, 4})).ok());
}

TEST(NpyLiteralTest, TypesBelowEightBits) {
  const NpyType u1 = {NpyKind::kUnsigned, 1};
  // Upper bits may repeat the sign; a literal has them clear.
  const auto s4 = LiteralFromNpy(MakeArray(u1, {4}, {0x07, 0x08, 0xff, 0x0f}),
                                 Shape::Array(ElementType::kS4, {4}));
  ASSERT_TRUE(s4.ok()) << s4.status();
  EXPECT_EQ(BytesOf(*s4), (std::vector<uint8_t>{0x07, 0x08, 0x0f, 0x0f}));
  const auto refused = [&](uint8_t byte, ElementType type) {
    return ErrorIdOf(LiteralFromNpy(MakeArray(u1, {1}, {byte}), Shape::Array(type, {1})).status());
  };
  EXPECT_EQ(refused(0xf7, ElementType::kS4), "AX0912");  // the sign is not set
  EXPECT_EQ(refused(0x18, ElementType::kS4), "AX0912");
  EXPECT_EQ(refused(0xff, ElementType::kU4), "AX0912");
  EXPECT_EQ(refused(0x04, ElementType::kU2), "AX0912");
  EXPECT_EQ(refused(0x40, ElementType::kF6E3M2FN), "AX0912");
  EXPECT_EQ(refused(0x03, ElementType::kU2), "");
}

TEST(NpyLiteralTest, FilesGoThereAndBack) {
  const std::string path = ::testing::TempDir() + "/axle_npy_literal_test.npy";
  for (const ElementType type :
       {ElementType::kPred, ElementType::kS2, ElementType::kU64, ElementType::kBF16,
        ElementType::kF8E8M0FNU, ElementType::kF32, ElementType::kC64}) {
    Literal literal = *Literal::Zeros(Shape::Array(type, {2, 1}));
    literal.bytes()[0] = std::byte{1};
    ASSERT_TRUE(WriteLiteralAsNpy(path, literal).ok());
    const auto read = LiteralFromNpyFile(path, literal.shape());
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_TRUE(*read == literal) << hlo::Name(type);
  }
  const auto wrong = LiteralFromNpyFile(path, Shape::Array(ElementType::kF32, {2, 1}));
  EXPECT_THAT(std::string(wrong.status().message()), HasSubstr(path));
  EXPECT_EQ(
      ErrorIdOf(LiteralFromNpyFile(path + ".none", wrong.ok() ? wrong->shape() : Shape()).status()),
      "AX0001");
  std::remove(path.c_str());
}

}  // namespace
}  // namespace axle::check
