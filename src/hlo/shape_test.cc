// SPDX-License-Identifier: Apache-2.0
#include "hlo/shape.h"

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "base/error.h"
#include "gtest/gtest.h"

namespace axle::hlo {
namespace {

const Shape kMatrix = Shape::Array(ElementType::kF32, {2, 3});

TEST(ShapeTest, ArraysKnowTheirParts) {
  EXPECT_TRUE(kMatrix.IsArray());
  EXPECT_FALSE(kMatrix.IsScalar());
  EXPECT_EQ(kMatrix.rank(), 2);
  EXPECT_EQ(kMatrix.dimension(1), 3);
  EXPECT_EQ(kMatrix.layout(), nullptr);
  EXPECT_FALSE(kMatrix.has_dynamic_dimensions());
  EXPECT_EQ(kMatrix.ElementCount().value(), 6);
  EXPECT_EQ(kMatrix.ByteSize().value(), 24);
  EXPECT_FALSE(Shape().valid());
  EXPECT_EQ(Shape().ToString(), "invalid");
}

TEST(ShapeTest, DynamicDimensions) {
  const Shape shape =
      Shape::Array(ElementType::kS8, {4, Shape::kUnbounded, 5}, {true, false, false});
  EXPECT_TRUE(shape.is_dynamic(0));
  EXPECT_TRUE(shape.is_dynamic(1));  // unbounded is dynamic
  EXPECT_FALSE(shape.is_dynamic(2));
  EXPECT_TRUE(shape.is_unbounded());
  EXPECT_EQ(ErrorIdOf(shape.ElementCount().status()), "AX0301");
  EXPECT_EQ(shape.ToString(), "s8[<=4,?,5]");
  EXPECT_EQ(shape.dynamic_dimensions(), (std::vector<bool>{true, true, false}));
  EXPECT_FALSE(shape.WithStaticDimensions().has_dynamic_dimensions());
}

TEST(ShapeTest, SizesThatOverflow) {
  const int64_t big = int64_t{1} << 40;
  EXPECT_EQ(ErrorIdOf(Shape::Array(ElementType::kPred, {big, big}).ElementCount().status()),
            "AX0300");
  EXPECT_EQ(Shape::Array(ElementType::kPred, {big, big, 0}).ElementCount().value(), 0);
  // 2^61 elements of 8 bytes: the count fits, the bytes do not.
  const Shape wide = Shape::Array(ElementType::kF64, {int64_t{1} << 61});
  EXPECT_EQ(wide.ElementCount().value(), int64_t{1} << 61);
  EXPECT_EQ(ErrorIdOf(wide.ByteSize().status()), "AX0300");
  const Shape half = Shape::Array(ElementType::kF64, {int64_t{1} << 59});
  EXPECT_TRUE(half.ByteSize().ok());
  EXPECT_EQ(ErrorIdOf(Shape::Tuple({half, half}).ByteSize().status()), "AX0300");
}

TEST(ShapeTest, SubByteTypesTakeAByte) {
  EXPECT_EQ(Shape::Array(ElementType::kS4, {3}).ByteSize().value(), 3);
  EXPECT_EQ(Shape::Array(ElementType::kC128, {3}).ByteSize().value(), 48);
}

TEST(ShapeTest, TuplesAndTheirLeaves) {
  const Shape inner = Shape::Tuple({kMatrix, Shape::Token()});
  const Shape tuple = Shape::Tuple({Shape::Scalar(ElementType::kPred), inner, Shape::Tuple({})});
  EXPECT_EQ(tuple.LeafCount(), 3);
  EXPECT_EQ(tuple.ByteSize().value(), 25);
  EXPECT_EQ(*tuple.SubShape({1, 0}), kMatrix);
  EXPECT_EQ(*tuple.SubShape({}), tuple);
  EXPECT_EQ(tuple.SubShape({1, 2}), nullptr);
  EXPECT_EQ(tuple.SubShape({0, 0}), nullptr);
  EXPECT_EQ(tuple.SubShape({-1}), nullptr);
  EXPECT_EQ(tuple.ToString(), "(pred[], (f32[2,3], token[]), ())");
}

TEST(ShapeTest, EqualityCountsLayoutsAndCompatibilityDoesNot) {
  const Shape row_major = kMatrix.WithLayout(Layout::RowMajor(2));
  Layout column = Layout::RowMajor(2);
  std::swap(column.minor_to_major[0], column.minor_to_major[1]);
  const Shape column_major = kMatrix.WithLayout(column);
  EXPECT_NE(kMatrix, row_major);
  EXPECT_NE(row_major, column_major);
  EXPECT_TRUE(Compatible(row_major, column_major));
  EXPECT_TRUE(Compatible(kMatrix, Shape::Array(ElementType::kF32, {2, 3}, {true, false})));
  EXPECT_FALSE(Compatible(kMatrix, Shape::Array(ElementType::kF32, {3, 2})));
  EXPECT_FALSE(Compatible(kMatrix, kMatrix.WithElementType(ElementType::kS32)));
  EXPECT_TRUE(SameDimensions(kMatrix, kMatrix.WithElementType(ElementType::kS32)));
  EXPECT_TRUE(Compatible(Shape::Tuple({row_major}), Shape::Tuple({column_major})));
  EXPECT_FALSE(Compatible(Shape::Tuple({row_major}), Shape::Tuple({})));
  EXPECT_TRUE(HasDefaultLayout(kMatrix));
  EXPECT_TRUE(HasDefaultLayout(row_major));
  EXPECT_FALSE(HasDefaultLayout(Shape::Tuple({column_major})));
  EXPECT_EQ(row_major.WithoutLayouts(), kMatrix);
  EXPECT_EQ(Shape::Tuple({kMatrix}).WithDefaultLayouts(), Shape::Tuple({row_major}));
  EXPECT_EQ(column_major.ToString(), "f32[2,3]{0,1}");
  EXPECT_EQ(column_major.ToString(/*with_layout=*/false), "f32[2,3]");
}

TEST(ShapeTest, EqualShapesHashAlike) {
  absl::flat_hash_set<Shape> shapes = {kMatrix, Shape::Tuple({kMatrix}), Shape::Token()};
  EXPECT_TRUE(shapes.contains(Shape::Array(ElementType::kF32, {2, 3})));
  EXPECT_TRUE(shapes.contains(Shape::Tuple({Shape::Array(ElementType::kF32, {2, 3})})));
  EXPECT_FALSE(shapes.contains(Shape::Array(ElementType::kF32, {3, 2})));
}

// One array in many layouts must not meet in one place of a table.
TEST(ShapeTest, LayoutsCountForTheHash) {
  const auto hash = [](auto change) {
    Layout layout = Layout::RowMajor(2);
    change(layout);
    return absl::HashOf(kMatrix.WithLayout(layout));
  };
  const absl::flat_hash_set<size_t> hashes = {
      absl::HashOf(kMatrix),
      hash([](Layout&) {}),
      hash([](Layout& layout) { layout.minor_to_major = {0, 1}; }),
      hash([](Layout& layout) { layout.dim_level_types = {DimLevelType::kCompressed}; }),
      hash([](Layout& layout) { layout.dim_unique = {false}; }),
      hash([](Layout& layout) { layout.dim_ordered = {false, false}; }),
      hash([](Layout& layout) { layout.tiles = {Tile{{8}}}; }),
      hash([](Layout& layout) { layout.tail_padding_alignment_in_elements = 2; }),
      hash([](Layout& layout) { layout.index_type = ElementType::kU8; }),
      hash([](Layout& layout) { layout.pointer_type = ElementType::kU16; }),
      hash([](Layout& layout) { layout.element_size_in_bits = 4; }),
      hash([](Layout& layout) { layout.memory_space = 1; }),
      hash([](Layout& layout) { layout.split_configs = {SplitConfig{0, {1}}}; }),
      hash([](Layout& layout) { layout.physical_shape = std::make_shared<const Shape>(kMatrix); }),
      hash([](Layout& layout) { layout.dynamic_shape_metadata_prefix_bytes = 64; }),
      absl::HashOf(Shape::Array(ElementType::kF32, {2, 3}, {true, false})),
  };
  EXPECT_EQ(hashes.size(), 16);
  EXPECT_EQ(absl::HashOf(kMatrix.WithLayout(Layout::RowMajor(2))), hash([](Layout&) {}));
}

TEST(ShapeTest, InternedShapesShareData) {
  ShapeInterner interner;
  const Shape first = interner.Intern(Shape::Array(ElementType::kF32, {2}));
  const Shape second = interner.Intern(Shape::Array(ElementType::kF32, {2}));
  EXPECT_TRUE(first.SharesDataWith(second));
  EXPECT_FALSE(first.SharesDataWith(Shape::Array(ElementType::kF32, {2})));
}

TEST(ElementTypeTest, NamesAndWireNumbersLeadBack) {
  for (int i = 1; i < kElementTypeCount; ++i) {
    const ElementType type = static_cast<ElementType>(i);
    EXPECT_EQ(ElementTypeFromName(Name(type)), type);
    EXPECT_EQ(ElementTypeFromWireNumber(Info(type).wire_number), type);
  }
  EXPECT_EQ(ElementTypeFromName("f33"), std::nullopt);
  EXPECT_EQ(ElementTypeFromWireNumber(99), std::nullopt);
}

}  // namespace
}  // namespace axle::hlo
