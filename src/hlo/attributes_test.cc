// SPDX-License-Identifier: Apache-2.0
#include "hlo/attributes.h"

#include <bit>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hlo/fields.h"

namespace axle::hlo {
namespace {

TEST(AttributesTest, BoxesHoldOneFamily) {
  const Attributes none;
  EXPECT_EQ(none.family(), AttributeFamily::kNone);
  EXPECT_EQ(none.TryAs<DotAttributes>(), nullptr);
  DotAttributes dot;
  dot.lhs_contracting_dims = {1};
  Attributes a(dot);
  EXPECT_EQ(a.family(), AttributeFamily::kDot);
  EXPECT_EQ(a.As<DotAttributes>().lhs_contracting_dims, (std::vector<int64_t>{1}));
  EXPECT_EQ(a.TryAs<SortAttributes>(), nullptr);
}

TEST(AttributesTest, CopiesAreDeep) {
  Attributes a = Attributes::Default(AttributeFamily::kTopK);
  const Attributes b = a;
  a.As<TopKAttributes>().k = 3;
  EXPECT_EQ(b.As<TopKAttributes>().k, 0);
  Attributes c;
  c = a;
  a.As<TopKAttributes>().k = 4;
  EXPECT_EQ(c.As<TopKAttributes>().k, 3);
}

TEST(AttributesTest, DefaultsAndVisitsMatchTheFamily) {
#define AXLE_FAMILY(name)                                                                    \
  {                                                                                          \
    const Attributes box = Attributes::Default(AttributeFamily::k##name);                    \
    EXPECT_EQ(box.family(), AttributeFamily::k##name);                                       \
    bool visited = false;                                                                    \
    box.Visit([&]<typename T>(const T&) { visited = std::is_same_v<T, name##Attributes>; }); \
    EXPECT_TRUE(visited) << #name;                                                           \
  }
  AXLE_ATTRIBUTE_FAMILIES(AXLE_FAMILY)
#undef AXLE_FAMILY
  bool none = false;
  Attributes().Visit([&]<typename T>(const T&) { none = std::is_same_v<T, NoneAttributes>; });
  EXPECT_TRUE(none);
}

TEST(FieldsTest, PairsAreTheSameFieldOfBoth) {
  CollectivePermuteAttributes a, b;
  a.channel_id = 1;
  b.channel_id = 2;
  b.slice_sizes = {{4}};
  std::vector<std::string> different;
  ForEachFieldPair(a, b, [&](const FieldInfo& info, const auto& x, const auto& y) {
    if (!FieldsEqual(x, y)) different.emplace_back(info.key);
  });
  EXPECT_EQ(different, (std::vector<std::string>{"channel_id", "slice_sizes"}));
}

TEST(FieldsTest, FloatsCompareBitForBit) {
  EXPECT_FALSE(FieldsEqual(0.0f, -0.0f));
  const float nan = std::bit_cast<float>(0x7fc00000);
  EXPECT_TRUE(FieldsEqual(nan, nan));
}

TEST(FieldsTest, LiteralsCompareByValueAndLayout) {
  using Shared = std::shared_ptr<const Literal>;
  const float numbers[] = {1, 2};
  const Shared a = std::make_shared<const Literal>(Literal::Vector<float>(numbers));
  const Shared b = std::make_shared<const Literal>(Literal::Vector<float>(numbers));
  const Shared laid_out = std::make_shared<const Literal>(Literal::Vector<float>(numbers).Reshaped(
      Shape::Array(ElementType::kF32, {2}).WithLayout(Layout::RowMajor(1))));
  EXPECT_TRUE(FieldsEqual(a, b));
  EXPECT_FALSE(FieldsEqual(a, laid_out));
  EXPECT_FALSE(FieldsEqual(a, Shared()));
  EXPECT_TRUE(FieldsEqual(Shared(), Shared()));
}

TEST(EnumNamesTest, NamesLeadBack) {
  EXPECT_EQ(EnumFromName<ComparisonDirection>("GT"), ComparisonDirection::kGt);
  EXPECT_EQ(EnumName(ComparisonDirection::kLe), "LE");
  EXPECT_EQ(EnumFromName<ComparisonDirection>("XX"), std::nullopt);
  EXPECT_EQ(EnumName(DotAlgorithm::kBf16Bf16F32X9), "dot_bf16_bf16_f32_x9");
  EXPECT_EQ(EnumFromName<CustomCallApiVersion>("API_VERSION_TYPED_FFI"),
            CustomCallApiVersion::kTypedFfi);
}

}  // namespace
}  // namespace axle::hlo
