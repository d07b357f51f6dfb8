// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/shape_codec.h"
#include "xrt/xrt_testing.h"

namespace axle::xrt {
namespace {

using hlo::ElementType;
using hlo::Shape;

class CompileTest : public XrtTest {
 protected:
  std::string FailCompile(const wire::XLAComputation& computation) {
    return client().Fail("XRTCompile", {Message(computation)});
  }
};

TEST_P(CompileTest, AnswersTheProgramShape) {
  const auto outputs = client().Run("XRTCompile", {Message(ComputationOf(kSumAndDifference))});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  ASSERT_EQ(outputs->size(), 2);
  const auto& shapes = std::get<Strings>(outputs->back());
  EXPECT_EQ(shapes.dimensions, std::vector<int64_t>{1});
  wire::ProgramShapeProto proto;
  ASSERT_TRUE(proto.ParseFromString(shapes.values.at(0)));
  ASSERT_EQ(proto.parameters_size(), 2);
  EXPECT_EQ(proto.parameters(0).element_type(), wire::F32);
  EXPECT_EQ(proto.parameters(0).layout().minor_to_major_size(), 1);
  EXPECT_EQ(proto.result().tuple_shapes_size(), 2);
}

TEST_P(CompileTest, EachCallOwnsAHandleOfOneProgram) {
  const int64_t first = client().Compile(kSumInTuple);
  const int64_t second = client().Compile(kSumInTuple);
  EXPECT_NE(first, second);
  EXPECT_EQ(store_->cache()->stats().compiles, 1);
  EXPECT_TRUE(client().Run("XRTReleaseCompilationHandle", {Handle(first)}).ok());
  // A second release is refused and does not touch the other owner's reference.
  EXPECT_EQ(client().Fail("XRTReleaseCompilationHandle", {Handle(first)}), "AX0620");
  EXPECT_TRUE(client().KnowsProgram(second));
}

TEST_P(CompileTest, ReleasesAllOrNone) {
  const int64_t a = client().Compile(kSumInTuple);
  const int64_t b = client().Compile(kSumTimesThree);
  EXPECT_EQ(client().Fail("XRTReleaseCompilationHandle", {HandleList({a, b, 77})}), "AX0620");
  EXPECT_TRUE(client().KnowsProgram(a) && client().KnowsProgram(b));
  EXPECT_TRUE(client().Run("XRTReleaseCompilationHandle", {HandleList({a, b, a})}).ok());
  EXPECT_EQ(client().handle_count(), 0);
  EXPECT_TRUE(client().Run("XRTReleaseCompilationHandle", {HandleList({})}).ok());
}

TEST_P(CompileTest, SeveralCoresAreUnimplemented) {
  const auto fail = [&](auto change) {
    wire::XLAComputation computation = ComputationOf(kSumInTuple);
    change(computation.mutable_config());
    return client().Run("XRTCompile", {Message(computation)}).status();
  };
  const auto replicas = fail([](auto* config) { config->set_num_replicas(2); });
  EXPECT_EQ(ErrorIdOf(replicas), "AX1011");
  EXPECT_EQ(replicas.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(replicas.message()), ::testing::HasSubstr("num_replicas is 2"));
  const auto cores = fail([](auto* config) { config->set_num_cores_per_replica(2); });
  EXPECT_THAT(std::string(cores.message()), ::testing::HasSubstr("num_cores_per_replica is 2"));
  EXPECT_EQ(ErrorIdOf(fail([](auto* config) { config->add_per_core_program_shape(); })), "AX1011");
  const auto two = [](auto* config) {
    config->mutable_device_assignment()->add_computation_devices()->add_replica_devices();
    config->mutable_device_assignment()->add_computation_devices();
  };
  EXPECT_EQ(ErrorIdOf(fail(two)), "AX1011");

  EXPECT_EQ(ErrorIdOf(fail([](auto* config) { config->set_num_replicas(-1); })), "AX1010");
  EXPECT_EQ(ErrorIdOf(fail([](auto* config) { config->set_num_cores_per_replica(-1); })), "AX1010");
  const auto host = fail([](auto* config) { config->set_host_compute_metadata("x"); });
  EXPECT_EQ(ErrorIdOf(host), "AX1012");
  EXPECT_EQ(host.code(), absl::StatusCode::kUnimplemented);
}

TEST_P(CompileTest, ZeroReplicasAndCoresAreOne) {
  wire::XLAComputation computation = ComputationOf(kSumInTuple);
  computation.clear_config();
  EXPECT_TRUE(client().Run("XRTCompile", {Message(computation)}).ok());
}

TEST_P(CompileTest, DeviceAssignment) {
  const auto status = [&](OpSet& ops, std::vector<int32_t> coordinates) {
    wire::XLAComputation computation = ComputationOf(kSumInTuple);
    auto* device = computation.mutable_config()
                       ->mutable_device_assignment()
                       ->add_computation_devices()
                       ->add_replica_devices();
    for (const int32_t value : coordinates) device->add_value(value);
    const Value input = Message(computation);
    return ops.Run("XRTCompile", {}, absl::MakeConstSpan(&input, 1)).status();
  };
  EXPECT_TRUE(status(client().ops, {0, 0, 0, 0}).ok());
  EXPECT_TRUE(status(client().ops, {0, 0, 0}).ok());
  EXPECT_TRUE(status(client().other, {0, 0, 0, 1}).ok());
  EXPECT_EQ(ErrorIdOf(status(client().ops, {0, 0, 0, 1})), "AX1013");
  EXPECT_EQ(ErrorIdOf(status(client().other, {0, 0, 0, 0})), "AX1013");
  EXPECT_EQ(ErrorIdOf(status(client().ops, {1, 0, 0, 0})), "AX1014");
  EXPECT_EQ(ErrorIdOf(status(client().ops, {0, 0})), "AX1014");
  EXPECT_EQ(ErrorIdOf(status(client().ops, {})), "AX1014");
  EXPECT_EQ(ErrorIdOf(status(client().ops, {0, 0, 0, -1})), "AX1014");
  EXPECT_EQ(ErrorIdOf(status(client().ops, {0, 0, 0, 0, 0})), "AX1014");
}

TEST_P(CompileTest, ProgramShapeMustFit) {
  wire::XLAComputation computation = ComputationOf(kSumInTuple);
  hlo::ProgramShape shape;
  shape.parameters = {Shape::Array(ElementType::kF32, {2}), Shape::Array(ElementType::kF32, {2})};
  shape.result = Shape::Array(ElementType::kF32, {2});  // the program has a tuple of that
  hlo::proto::WriteProgramShape(shape, computation.mutable_config()->mutable_program_shape());
  EXPECT_EQ(FailCompile(computation), "AX0613");
  computation.mutable_config()->mutable_program_shape()->mutable_result()->set_element_type(
      static_cast<wire::PrimitiveType>(99));
  EXPECT_EQ(FailCompile(computation), "AX0211");
}

TEST_P(CompileTest, RefusesWhatIsNoProgram) {
  wire::XLAComputation computation;
  EXPECT_EQ(FailCompile(computation), "AX1015");
  computation.set_hlo_snapshot("\xff\x01");
  EXPECT_THAT(FailCompile(computation), ::testing::StartsWith("AX0"));
  EXPECT_EQ(client().handle_count(), 0);
}

// A failed compile leaves nothing: the same request is tried again, and fails again.
TEST_P(CompileTest, FailsTwiceAlike) {
  wire::XLAComputation computation = ComputationOf(kSumInTuple);
  wire::HloSnapshot snapshot;
  ASSERT_TRUE(snapshot.ParseFromString(computation.hlo_snapshot()));
  snapshot.mutable_hlo()->mutable_hlo_module()->set_entry_computation_id(12345);
  computation.set_hlo_snapshot(snapshot.SerializeAsString());
  EXPECT_EQ(FailCompile(computation), "AX0202");
  EXPECT_EQ(FailCompile(computation), "AX0202");
  EXPECT_EQ(store_->cache()->stats().known, 0);
}

INSTANTIATE_TEST_SUITE_P(Backends, CompileTest, AllBackends(), BackendTestName);

}  // namespace
}  // namespace axle::xrt
