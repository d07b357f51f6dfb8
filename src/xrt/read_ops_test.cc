// SPDX-License-Identifier: Apache-2.0
#include "xrt/values.h"
#include "xrt/xrt_testing.h"

namespace axle::xrt {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

class ReadTest : public XrtTest {
 protected:
  static Attributes With(std::vector<ElementType> types, bool release = false) {
    Attributes attributes = {{"dtypes", std::move(types)}};
    if (release) attributes.emplace("release_handles", true);
    return attributes;
  }
};

TEST_P(ReadTest, TensorsOfATuple) {
  const Literal value =
      Literal::Tuple({Floats({1, 2}), Literal::Tuple({}), Literal::Tuple({Ints({3})})});
  const int64_t handle = client().Allocate(value);
  const auto tensors = client().Run("XRTReadToTensor", {Handle(handle)},
                                    With({ElementType::kF32, ElementType::kS32}));
  ASSERT_TRUE(tensors.ok()) << tensors.status();
  ASSERT_EQ(tensors->size(), 2);
  EXPECT_TRUE(std::get<Literal>((*tensors)[0]) == Floats({1, 2}));
  EXPECT_TRUE(std::get<Literal>((*tensors)[1]) == Ints({3}));
  EXPECT_TRUE(client().Knows(handle));
}

TEST_P(ReadTest, TensorsOfSeveralHandles) {
  const int64_t a = client().Allocate(Floats({1}));
  const int64_t b = client().Allocate(Ints({2}));
  const auto tensors =
      client().Run("XRTReadToTensor", {HandleList({b, a, b})},
                   With({ElementType::kS32, ElementType::kF32, ElementType::kS32}, true));
  ASSERT_TRUE(tensors.ok()) << tensors.status();
  ASSERT_EQ(tensors->size(), 3);
  EXPECT_TRUE(std::get<Literal>((*tensors)[2]) == Ints({2}));
  EXPECT_EQ(client().handle_count(), 0);
}

TEST_P(ReadTest, TypesMustBeThoseOfTheArrays) {
  const int64_t handle = client().Allocate(Literal::Tuple({Floats({1}), Ints({2})}));
  const std::vector<std::vector<ElementType>> bad = {
      {},
      {ElementType::kF32},
      {ElementType::kS32, ElementType::kF32},
      {ElementType::kF32, ElementType::kS32, ElementType::kS32}};
  for (const std::vector<ElementType>& types : bad) {
    EXPECT_EQ(client().Fail("XRTReadToTensor", {Handle(handle)}, With(types, true)), "AX1022");
  }
  EXPECT_TRUE(client().Knows(handle));
}

TEST_P(ReadTest, EmptyTuplesAndArrays) {
  const int64_t tuple = client().Allocate(Literal::Tuple({}));
  client().ExpectValue(tuple, Literal::Tuple({}));
  EXPECT_TRUE(client().Run("XRTReadToTensor", {Handle(tuple)}, With({}))->empty());
  const int64_t array = client().Allocate(Floats({}));
  client().ExpectValue(array, Floats({}));
}

TEST_P(ReadTest, EveryElementTypeSurvives) {
  for (int i = 0; i < hlo::kElementTypeCount; ++i) {
    const ElementType type = static_cast<ElementType>(i);
    if (!hlo::IsArrayType(type)) continue;
    Literal literal = *Literal::Zeros(Shape::Array(type, {4}));
    for (size_t k = 0; k < literal.bytes().size(); ++k) {
      literal.bytes()[k] = static_cast<std::byte>(k & 1);
    }
    const auto outputs = client().Run("XRTAllocate", {AllocationOf(literal)});
    if (!outputs.ok() && !computes()) ADD_FAILURE() << outputs.status();
    if (!outputs.ok()) continue;  // a plugin may lack types; it says so
    client().ExpectValue(Client::HandleOf(outputs), literal);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, ReadTest, AllBackends(), BackendTestName);

// ---- The limit of messages ----------------------------------------------------------------------

TEST(MessageSizeTest, LimitIsTwoGigabytes) {
  constexpr int64_t kLimit = std::numeric_limits<int32_t>::max();
  EXPECT_TRUE(CheckMessageSize(Shape::Array(ElementType::kU8, {kLimit})).ok());
  const absl::Status status = CheckMessageSize(Shape::Array(ElementType::kU8, {kLimit + 1}));
  EXPECT_EQ(ErrorIdOf(status), "AX1006");
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("2147483647"));
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("XRTReadToTensor"));
}

// Values that share one array many times are large without taking memory.
TEST(MessageSizeTest, LargeValuesAreRefusedBeforeTheyAreRead) {
  Client client(runtime::Store::Create(*SharedBackend("reference"), WithLoader()));
  const int64_t array =
      client.Allocate(*Literal::Zeros(Shape::Array(ElementType::kU8, {int64_t{1} << 20})));
  wire::XLATupleNode node;
  for (int i = 0; i < 2048; ++i) node.add_tuples();
  const int64_t tuple = client.Make("XRTMakeTuple", {Message(node), Handle(array)});
  EXPECT_EQ(client.Fail("XRTReadLiteralAndRelease", {Handle(tuple)}), "AX1006");
  EXPECT_TRUE(client.Knows(tuple));
}

// (h, h) over and over: each level of the message would repeat the shapes of all below.
TEST(MessageSizeTest, SharedPartsAreCountedAsOftenAsTheMessageRepeatsThem) {
  Shape shape = Shape::Array(ElementType::kF32, {});
  for (int i = 0; i < 15; ++i) shape = Shape::Tuple({shape, shape});
  EXPECT_TRUE(CheckMessageSize(shape).ok());
  shape = Shape::Tuple({shape, shape});  // 2^21 + 1 shapes
  const absl::Status status = CheckMessageSize(shape);
  EXPECT_EQ(ErrorIdOf(status), "AX1025");
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace axle::xrt
