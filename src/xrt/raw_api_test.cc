// SPDX-License-Identifier: Apache-2.0
// What clients of XRT's first version did, message by message: the messages are built by hand and
// those that come back are compared whole.
#include "google/protobuf/util/message_differencer.h"
#include "xrt/xrt_testing.h"

namespace axle::xrt {
namespace {

class RawApiTest : public XrtTest {
 protected:
  static void SetShape(wire::PrimitiveType type, std::vector<int64_t> dimensions,
                       wire::ShapeProto* shape) {
    shape->set_element_type(type);
    for (const int64_t dimension : dimensions) {
      shape->add_dimensions(dimension);
      shape->add_is_dynamic_dimension(false);
    }
    wire::LayoutProto* const layout = shape->mutable_layout();
    for (size_t i = dimensions.size(); i-- > 0;) {
      layout->add_minor_to_major(static_cast<int64_t>(i));
    }
  }
  static wire::LiteralProto F32(std::vector<int64_t> dimensions, std::vector<float> values) {
    wire::LiteralProto literal;
    SetShape(wire::F32, std::move(dimensions), literal.mutable_shape());
    for (const float value : values) literal.add_f32s(value);
    return literal;
  }
  static wire::LiteralProto S32(std::vector<int64_t> dimensions, std::vector<int32_t> values) {
    wire::LiteralProto literal;
    SetShape(wire::S32, std::move(dimensions), literal.mutable_shape());
    for (const int32_t value : values) literal.add_s32s(value);
    return literal;
  }
  static wire::LiteralProto Tuple(std::vector<wire::LiteralProto> elements) {
    wire::LiteralProto literal;
    literal.mutable_shape()->set_element_type(wire::TUPLE);
    for (const wire::LiteralProto& element : elements) {
      *literal.mutable_shape()->add_tuple_shapes() = element.shape();
      *literal.add_tuple_literals() = element;
    }
    return literal;
  }

  int64_t Allocate(const wire::LiteralProto& literal) {
    wire::XLAAllocation allocation;
    allocation.set_device_ordinal(0);
    *allocation.mutable_value() = literal;
    return client().Make("XRTAllocate", {Message(allocation)});
  }
  void ExpectRead(absl::string_view op, int64_t handle, const wire::LiteralProto& expected) {
    wire::LiteralProto literal;
    ASSERT_TRUE(literal.ParseFromString(Client::BytesOf(client().Run(op, {Handle(handle)}))));
    // A shape without dynamic dimensions may say so or leave it out, as may a layout its defaults.
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(Plain(expected), Plain(literal)))
        << literal.ShortDebugString();
  }
  void ExpectUnknown(int64_t handle) {
    const auto read = client().Run("XRTReadLiteral", {Handle(handle)});
    EXPECT_EQ(read.status().code(), absl::StatusCode::kNotFound) << read.status();
  }

  static void MakePlain(wire::ShapeProto* shape) {
    shape->clear_is_dynamic_dimension();
    for (wire::ShapeProto& element : *shape->mutable_tuple_shapes()) MakePlain(&element);
    if (!shape->has_layout()) return;
    wire::LayoutProto layout;
    *layout.mutable_minor_to_major() = shape->layout().minor_to_major();
    *shape->mutable_layout() = layout;
  }
  static wire::LiteralProto Plain(wire::LiteralProto literal) {
    MakePlain(literal.mutable_shape());
    for (wire::LiteralProto& element : *literal.mutable_tuple_literals()) element = Plain(element);
    return literal;
  }

  int64_t Execute(int64_t computation, std::vector<Value> handles) {
    wire::XRTExecutionConfig config;
    config.set_release_input_handles(true);
    config.set_release_compilation_handle(true);
    std::vector<Value> inputs = {Handle(computation), Message(config)};
    for (Value& handle : handles) inputs.push_back(std::move(handle));
    return client().Make("XRTExecute", std::move(inputs));
  }
};

TEST_P(RawApiTest, AllocatesAndReleasesATuple) {
  const wire::LiteralProto tuple = Tuple({F32({2}, {1, 3}), S32({2, 2}, {4, 5, 6, 7})});
  const int64_t handle = Allocate(tuple);
  ExpectRead("XRTReadLiteral", handle, tuple);
  ExpectRead("XRTReadLiteral", handle, tuple);
  EXPECT_TRUE(client().Run("XRTReleaseAllocationHandle", {Handle(handle)}).ok());
  ExpectUnknown(handle);
}

TEST_P(RawApiTest, ReadsAndReleasesATuple) {
  const wire::LiteralProto tuple = Tuple({F32({2}, {1, 3}), S32({2, 2}, {4, 5, 6, 7})});
  const int64_t handle = Allocate(tuple);
  ExpectRead("XRTReadLiteralAndRelease", handle, tuple);
  ExpectUnknown(handle);
}

TEST_P(RawApiTest, SubTuplesOutliveTheirBase) {
  const wire::LiteralProto floats = F32({2}, {1, 3});
  const wire::LiteralProto ints = S32({2, 2}, {4, 5, 6, 7});
  const wire::LiteralProto twelve = F32({}, {12});
  const wire::LiteralProto inner = Tuple({floats, ints});
  const int64_t base = Allocate(Tuple({inner, twelve}));
  const int64_t first = client().Make("XRTSubTuple", {Handle(base), Index({0})});
  const int64_t second = client().Make("XRTSubTuple", {Handle(base), Index({1})});
  const int64_t leaf = client().Make("XRTSubTupleAndRelease", {Handle(base), Index({0, 0})});
  ExpectUnknown(base);
  ExpectRead("XRTReadLiteralAndRelease", first, inner);
  ExpectRead("XRTReadLiteralAndRelease", second, twelve);
  ExpectRead("XRTReadLiteralAndRelease", leaf, floats);
  EXPECT_EQ(client().handle_count(), 0);
}

TEST_P(RawApiTest, MakesTuples) {
  const wire::LiteralProto a = Tuple({F32({2}, {1, 3}), S32({2, 2}, {4, 5, 6, 7})});
  const wire::LiteralProto b = F32({}, {12});
  const int64_t first_a = Allocate(a);
  const int64_t handle_b = Allocate(b);

  wire::XLATupleNode forward;  // input 0, released
  forward.set_release_input_handle(true);
  const int64_t handle_a =
      client().Make("XRTMakeTuple", {Message(forward), Handle(first_a)}, {{"Ninputs", int64_t{1}}});
  ExpectUnknown(first_a);
  ExpectRead("XRTReadLiteral", handle_a, a);

  wire::XLATupleNode nested;  // (b, (b, a)) of the inputs (b, a)
  nested.add_tuples()->set_input_index(0);
  wire::XLATupleNode* const inner = nested.add_tuples();
  inner->add_tuples()->set_input_index(0);
  inner->add_tuples()->set_input_index(1);
  const int64_t aliases =
      client().Make("XRTMakeTuple", {Message(nested), Handle(handle_b), Handle(handle_a)});
  ExpectRead("XRTReadLiteral", aliases, Tuple({b, Tuple({b, a})}));

  wire::XLATupleNode pair;  // (a, b), both released
  for (const int input : {1, 0}) {
    wire::XLATupleNode* const leaf = pair.add_tuples();
    leaf->set_input_index(input);
    leaf->set_release_input_handle(true);
  }
  const int64_t released =
      client().Make("XRTMakeTuple", {Message(pair), Handle(handle_b), Handle(handle_a)});
  ExpectUnknown(handle_a);
  ExpectUnknown(handle_b);
  ExpectRead("XRTReadLiteralAndRelease", aliases, Tuple({b, Tuple({b, a})}));
  ExpectRead("XRTReadLiteralAndRelease", released, Tuple({a, b}));
}

TEST_P(RawApiTest, CompilesAndExecutes) {
  const int64_t x = Allocate(F32({2}, {1, 2}));
  const int64_t y = Allocate(F32({2}, {8, 5}));
  wire::XLAComputation computation = ComputationOf(kSumTimesThree);
  wire::ProgramShapeProto* const shape = computation.mutable_config()->mutable_program_shape();
  SetShape(wire::F32, {2}, shape->add_parameters());
  SetShape(wire::F32, {2}, shape->add_parameters());
  SetShape(wire::F32, {2}, shape->mutable_result());
  const auto compiled = client().Run("XRTCompile", {Message(computation)});
  const int64_t program = Client::HandleOf(compiled);
  const int64_t result = Execute(program, {Handle(x), Handle(y)});
  ExpectUnknown(x);
  ExpectUnknown(y);
  EXPECT_FALSE(client().KnowsProgram(program));
  const std::vector<float> expected = {27, 21};  // (1 + 8) * 3, (2 + 5) * 3
  ExpectRead("XRTReadLiteralAndRelease", result,
             computes() ? F32({2}, expected) : F32({2}, {0, 0}));
  EXPECT_EQ(client().handle_count(), 0);
}

TEST_P(RawApiTest, CompilesAndExecutesToATuple) {
  const int64_t x = Allocate(F32({2}, {1, 2}));
  const int64_t y = Allocate(F32({2}, {8, 5}));
  const int64_t program = client().Compile(kSumInTuple);
  const int64_t result = Execute(program, {Handle(x), Handle(y)});
  const std::vector<float> expected = {9, 7};
  ExpectRead("XRTReadLiteral", result, Tuple({computes() ? F32({2}, expected) : F32({2}, {0, 0})}));
  EXPECT_EQ(client().handle_count(), 1);
}

INSTANTIATE_TEST_SUITE_P(Backends, RawApiTest, AllBackends(), BackendTestName);

}  // namespace
}  // namespace axle::xrt
