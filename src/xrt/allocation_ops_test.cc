// SPDX-License-Identifier: Apache-2.0
#include "xrt/xrt_testing.h"

namespace axle::xrt {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

class AllocationTest : public XrtTest {
 protected:
  absl::StatusOr<std::vector<Value>> FromTensors(std::vector<Value> tensors,
                                                 std::vector<Shape> shapes, Attributes more = {}) {
    more.emplace("shapes", std::move(shapes));
    return client().Run("XRTAllocateFromTensor", std::move(tensors), std::move(more));
  }
  int64_t AllocateThere(const Literal& literal) {
    const Value upload = AllocationOf(literal);
    return Client::HandleOf(client().other.Run("XRTAllocate", {}, absl::MakeConstSpan(&upload, 1)));
  }
};

Shape F32(std::vector<int64_t> dimensions) { return Shape::Array(ElementType::kF32, dimensions); }

TEST_P(AllocationTest, LiteralsOfOtherLayouts) {
  // Column-major {{1, 2}, {3, 4}}.
  wire::XLAAllocation allocation;
  wire::LiteralProto* const proto = allocation.mutable_value();
  *proto = Proto(*Literal::Zeros(F32({2, 2})));
  proto->mutable_shape()->mutable_layout()->set_minor_to_major(0, 0);
  proto->mutable_shape()->mutable_layout()->set_minor_to_major(1, 1);
  proto->clear_f32s();
  for (const float value : {1, 3, 2, 4}) proto->add_f32s(value);
  const Literal literal = client().Read(client().Make("XRTAllocate", {Message(allocation)}));
  const std::vector<float> expected = {1, 2, 3, 4};
  EXPECT_EQ(literal.data<float>(), absl::MakeConstSpan(expected));
}

// A small message that would be gigabytes once parsed is refused before that.
TEST_P(AllocationTest, RefusesLiteralsOfTooManyParts) {
  std::string parts;  // empty tuple_literals
  for (int i = 0; i < 3000000; ++i) parts += std::string("\x52\0", 2);
  wire::LiteralProto shape_only;
  shape_only.mutable_shape()->set_element_type(wire::TUPLE);
  const std::string literal = shape_only.SerializeAsString() + parts;
  const int64_t value = client().Allocate(Floats({1}));
  EXPECT_EQ(client().Fail("XRTWriteLiteral", {Handle(value), Bytes(literal)}), "AX0611");
  std::string allocation = "\x12";  // field 2, then its size as a varint
  for (size_t size = literal.size(); size > 0; size >>= 7) {
    allocation += static_cast<char>((size & 127) | (size > 127 ? 128 : 0));
  }
  EXPECT_EQ(client().Fail("XRTAllocate", {Bytes(allocation + literal)}), "AX0611");
}

// As many leaves as a value may have are fine.
TEST_P(AllocationTest, TakesWideTuples) {
  constexpr int kLeaves = 20000;
  const Literal wide = Literal::Tuple(std::vector<Literal>(kLeaves, Literal::Scalar<int8_t>(1)));
  const int64_t handle = client().Allocate(wide);
  EXPECT_EQ(client().session->account().used(), kLeaves);
  EXPECT_TRUE(client().Run("XRTReleaseAllocationHandle", {Handle(handle)}).ok());
}

TEST_P(AllocationTest, OrdinalsOfTheFirstVersion) {
  wire::XLAAllocation allocation;
  *allocation.mutable_value() = Proto(Floats({1}));
  allocation.set_device_ordinal(1);
  EXPECT_EQ(client().Fail("XRTAllocate", {Message(allocation)}), "AX1013");
  const Value input = Message(allocation);
  EXPECT_TRUE(client().other.Run("XRTAllocate", {}, absl::MakeConstSpan(&input, 1)).ok());
  allocation.set_device_ordinal(-1);
  EXPECT_EQ(client().Fail("XRTAllocate", {Message(allocation)}), "AX1010");
}

TEST_P(AllocationTest, RefusesBadLiterals) {
  wire::XLAAllocation allocation;
  EXPECT_EQ(client().Fail("XRTAllocate", {Message(allocation)}), "AX1016");
  // Forty bytes that ask for terabytes are refused before anything is allocated.
  wire::LiteralProto* const proto = allocation.mutable_value();
  proto->mutable_shape()->set_element_type(wire::F32);
  proto->mutable_shape()->add_dimensions(int64_t{1} << 42);
  EXPECT_EQ(client().Fail("XRTAllocate", {Message(allocation)}), "AX0212");
  proto->mutable_shape()->set_dimensions(0, 2);
  proto->add_f32s(1);
  EXPECT_EQ(client().Fail("XRTAllocate", {Message(allocation)}), "AX0212");
  proto->mutable_shape()->set_element_type(wire::OPAQUE_TYPE);
  EXPECT_EQ(client().Fail("XRTAllocate", {Message(allocation)}), "AX0211");
  *proto = wire::LiteralProto();
  proto->mutable_shape()->set_element_type(wire::TOKEN);
  EXPECT_EQ(client().Fail("XRTAllocate", {Message(allocation)}), "AX0618");
  *proto = Proto(Floats({1, 2}));
  proto->mutable_shape()->set_is_dynamic_dimension(0, true);
  proto->add_dynamic_sizes(1);
  const auto status = client().Run("XRTAllocate", {Message(allocation)}).status();
  EXPECT_EQ(ErrorIdOf(status), "AX1017");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(client().handle_count(), 0);
}

TEST_P(AllocationTest, Uninitialized) {
  const int64_t handle = client().Make("XRTAllocateUninitialized", {},
                                       {{"dtype", ElementType::kS32}, {"shape", F32({2, 3})}});
  EXPECT_EQ(client().Read(handle).shape().ToString(false), "s32[2,3]");
  const auto fail = [&](ElementType type, Shape shape) {
    return client().Fail("XRTAllocateUninitialized", {},
                         {{"dtype", type}, {"shape", std::move(shape)}});
  };
  EXPECT_EQ(fail(ElementType::kTuple, F32({2})), "AX1004");
  EXPECT_EQ(fail(ElementType::kF32, Shape()), "AX1004");
  EXPECT_EQ(fail(ElementType::kF32, Shape::Tuple({})), "AX1004");
  EXPECT_EQ(fail(ElementType::kF32, Shape::Array(ElementType::kF32, {2}, {true})), "AX1004");
}

TEST_P(AllocationTest, FromOneTensor) {
  client().ExpectValue(Client::HandleOf(FromTensors({Floats({1, 2})}, {F32({2})})), Floats({1, 2}));
  // Other dimensions, the same number of elements.
  const Literal square =
      client().Read(Client::HandleOf(FromTensors({Floats({1, 2, 3, 4})}, {F32({2, 2})})));
  EXPECT_EQ(square.shape().ToString(false), "f32[2,2]");
  EXPECT_EQ(square.data<float>()[3], 4);
  // The shape's element type says nothing.
  client().ExpectValue(Client::HandleOf(FromTensors({Ints({1, 2})}, {F32({2})})), Ints({1, 2}));
}

TEST_P(AllocationTest, FromTensorsToATuple) {
  const Literal one = Literal::Scalar<float>(1);
  client().ExpectValue(
      Client::HandleOf(FromTensors(
          {one, Ints({2, 3})}, {F32({}), F32({2})},
          {{"dtypes", std::vector<ElementType>{ElementType::kF32, ElementType::kS32}}})),
      Literal::Tuple({one, Ints({2, 3})}));
  client().ExpectValue(Client::HandleOf(FromTensors({one}, {F32({})}, {{"make_tuple", true}})),
                       Literal::Tuple({one}));
  client().ExpectValue(Client::HandleOf(FromTensors({}, {}, {{"make_tuple", true}})),
                       Literal::Tuple({}));
}

TEST_P(AllocationTest, TensorsThatDoNotFit) {
  const auto fail = [&](std::vector<Value> tensors, std::vector<Shape> shapes,
                        Attributes more = {}) {
    return ErrorIdOf(FromTensors(std::move(tensors), std::move(shapes), std::move(more)).status());
  };
  EXPECT_EQ(fail({}, {}), "AX1020");  // neither a tensor nor a tuple
  EXPECT_EQ(fail({Floats({1})}, {}), "AX1020");
  EXPECT_EQ(fail({Floats({1})}, {F32({1}), F32({1})}), "AX1020");
  EXPECT_EQ(fail({Floats({1, 2})}, {F32({3})}), "AX1020");
  EXPECT_EQ(fail({Floats({1})}, {Shape()}), "AX1020");
  EXPECT_EQ(fail({Floats({1})}, {Shape::Tuple({})}), "AX1020");
  EXPECT_EQ(fail({Floats({1})}, {Shape::Array(ElementType::kF32, {1}, {true})}), "AX1020");
  const int64_t huge = int64_t{1} << 40;
  EXPECT_EQ(fail({Floats({1})}, {F32({huge, huge})}), "AX1020");
  EXPECT_EQ(client().handle_count(), 0);
}

TEST_P(AllocationTest, Layouts) {
  const Value matrix = *Literal::Zeros(F32({2, 3}));
  const auto with = [&](std::vector<int64_t> layouts) {
    return ErrorIdOf(FromTensors({matrix, Floats({1})}, {F32({2, 3}), F32({1})},
                                 {{"layouts", std::move(layouts)}})
                         .status());
  };
  EXPECT_EQ(with({}), "");
  EXPECT_EQ(with({0, 1, 0}), "");
  EXPECT_EQ(with({1, 0, -1}), "");
  EXPECT_EQ(with({-1, -1, -1}), "");
  EXPECT_EQ(with({-1}), "AX1021");
  EXPECT_EQ(with({0, 1}), "AX1021");
  EXPECT_EQ(with({0, 1, 0, 0}), "AX1021");
  EXPECT_EQ(with({0, 0, 0}), "AX1021");
  EXPECT_EQ(with({0, -1, 0}), "AX1021");
  EXPECT_EQ(with({0, 2, 0}), "AX1021");
  EXPECT_EQ(with({0, -2, 0}), "AX1021");
}

TEST_P(AllocationTest, WritesShowInAliases) {
  const int64_t tuple = client().Allocate(Literal::Tuple({Floats({1, 2}), Ints({3})}));
  const int64_t part = client().Make("XRTSubTuple", {Handle(tuple), Index({0})});
  EXPECT_EQ(client().Make("XRTWriteLiteral", {Handle(part), Message(Proto(Floats({8, 9})))}), part);
  client().ExpectValue(tuple, Literal::Tuple({Floats({8, 9}), Ints({3})}));
  EXPECT_EQ(client().handle_count(), 2);
}

TEST_P(AllocationTest, WritesOfAnotherShape) {
  const int64_t value = client().Allocate(Floats({1, 2}));
  const auto fail = [&](const Literal& literal) {
    return client().Fail("XRTWriteLiteral", {Handle(value), Message(Proto(literal))});
  };
  EXPECT_EQ(fail(Floats({1, 2, 3})), "AX0625");
  EXPECT_EQ(fail(Ints({1, 2})), "AX0625");
  EXPECT_EQ(fail(Literal::Tuple({Floats({1, 2})})), "AX0625");
  client().ExpectValue(value, Floats({1, 2}));
}

TEST_P(AllocationTest, ReleasesAllOrNone) {
  const int64_t a = client().Allocate(Floats({1}));
  const int64_t b = client().Allocate(Floats({2}));
  EXPECT_EQ(client().Fail("XRTReleaseAllocationHandle", {HandleList({a, 5, b})}), "AX0620");
  EXPECT_TRUE(client().Knows(a) && client().Knows(b));
  Literal matrix = *Literal::Zeros(Shape::Array(ElementType::kS64, {2, 2}));
  const int64_t handles[] = {a, b, b, a};
  std::copy(std::begin(handles), std::end(handles), matrix.data<int64_t>().begin());
  EXPECT_TRUE(client().Run("XRTReleaseAllocationHandle", {matrix}).ok());
  EXPECT_EQ(client().handle_count(), 0);
  EXPECT_EQ(client().session->account().used(), 0);
}

TEST_P(AllocationTest, ReleasesAllOfTheSession) {
  Client neighbour(store_);
  const int64_t theirs = neighbour.Allocate(Floats({1}));
  const int64_t ours = client().Allocate(Floats({1}));
  const int64_t there = AllocateThere(Floats({1}));
  const int64_t program = client().Compile(kSumInTuple);
  EXPECT_TRUE(client().Run("XRTReleaseAllAllocations", {}).ok());
  EXPECT_FALSE(client().Knows(ours) || client().Knows(there));
  EXPECT_TRUE(client().KnowsProgram(program));
  EXPECT_TRUE(neighbour.Knows(theirs));
}

TEST_P(AllocationTest, HandlesOfOtherSessions) {
  Client neighbour(store_);
  const int64_t theirs = neighbour.Allocate(Floats({1}));
  EXPECT_EQ(client().Fail("XRTReadLiteral", {Handle(theirs)}), "AX0620");
  EXPECT_EQ(client().Fail("XRTReleaseAllocationHandle", {Handle(theirs)}), "AX0620");
  EXPECT_TRUE(neighbour.Knows(theirs));
}

TEST_P(AllocationTest, OtherDevices) {
  const int64_t there = AllocateThere(Floats({1}));
  EXPECT_EQ(client().Fail("XRTReadLiteral", {Handle(there)}), "AX1013");
  EXPECT_EQ(client().Fail("XRTReleaseAllocationHandle", {Handle(there)}), "AX1013");
  EXPECT_EQ(client().Fail("XRTSubTuple", {Handle(there), Index({})}), "AX1013");
  EXPECT_EQ(client().Fail("XRTMakeTuple", {Bytes(""), Handle(there)}), "AX1013");
  EXPECT_EQ(client().Fail("XRTWriteLiteral", {Handle(there), Message(Proto(Floats({2})))}),
            "AX1013");
  EXPECT_EQ(client().Fail("XRTReadToTensor", {Handle(there)},
                          {{"dtypes", std::vector<ElementType>{ElementType::kF32}}}),
            "AX1013");
  EXPECT_EQ(client().Fail("AxleBeginRead", {Handle(there)}), "AX1013");
}

TEST_P(AllocationTest, CompactionChangesNothing) {
  const int64_t value = client().Allocate(Floats({1, 2}));
  EXPECT_TRUE(client().Run("XRTCompactAllocations", {})->empty());
  client().ExpectValue(value, Floats({1, 2}));
}

TEST_P(AllocationTest, Quotas) {
  Client small(store_, {.name = "small", .max_bytes = 8});
  const int64_t value = small.Allocate(Floats({1, 2}));
  EXPECT_EQ(small.Fail("XRTAllocate", {AllocationOf(Floats({1}))}), "AX0610");
  EXPECT_EQ(small.Fail("XRTAllocateUninitialized", {},
                       {{"dtype", ElementType::kF32}, {"shape", F32({int64_t{1} << 50})}}),
            "AX0610");
  EXPECT_TRUE(small.Run("XRTReleaseAllocationHandle", {Handle(value)}).ok());
  small.Allocate(Floats({3, 4}));
}

INSTANTIATE_TEST_SUITE_P(Backends, AllocationTest, AllBackends(), BackendTestName);

}  // namespace
}  // namespace axle::xrt
