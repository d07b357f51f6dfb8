// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "runtime/fault_backend_testing.h"
#include "xrt/xrt_testing.h"

namespace axle::xrt {
namespace {

using Config = wire::XRTExecutionConfig;
using Plan = wire::XRTChainedExecutePlan;
using runtime::FaultPoint;

constexpr char kIncrement[] = R"(
HloModule increment
ENTRY main {
  x = f32[2] parameter(0)
  one = f32[] constant(1)
  ones = f32[2] broadcast(one), dimensions={}
  ROOT r = f32[2] add(x, ones)
})";

constexpr char kRandom[] = R"(
HloModule random
ENTRY main {
  zero = f32[] constant(0)
  one = f32[] constant(1)
  ROOT r = f32[64] rng(zero, one), distribution=rng_uniform
})";

class ExecuteTest : public XrtTest {
 protected:
  std::string FailExecute(int64_t program, const Config& config, std::vector<int64_t> handles) {
    return client().Fail("XRTExecute", {Handle(program), Message(config), HandleList(handles)});
  }
};

TEST_P(ExecuteTest, KeepsHandlesWithoutARelease) {
  const int64_t x = client().Allocate(Floats({1, 2}));
  const int64_t y = client().Allocate(Floats({8, 5}));
  const int64_t program = client().Compile(kSumTimesThree);
  for (int run = 0; run < 2; ++run) {
    const int64_t result =
        client().Make("XRTExecute", {Handle(program), Message(Config()), Handle(x), Handle(y)});
    ExpectResult(result, Floats({27, 21}));
  }
  client().ExpectValue(x, Floats({1, 2}));
  EXPECT_EQ(client().handle_count(), 5);
}

TEST_P(ExecuteTest, ConcatenatesScalarsAndVectors) {
  const int64_t x = client().Allocate(Floats({1, 2}));
  const int64_t y = client().Allocate(Floats({8, 5}));
  const int64_t program = client().Compile(kSumTimesThree);
  const std::vector<std::vector<Value>> forms = {{HandleList({x, y})},
                                                 {HandleList({}), Handle(x), HandleList({y})}};
  for (const std::vector<Value>& form : forms) {
    std::vector<Value> inputs = {Handle(program), Message(Config())};
    inputs.insert(inputs.end(), form.begin(), form.end());
    ExpectResult(client().Make("XRTExecute", inputs), Floats({27, 21}));
  }
}

TEST_P(ExecuteTest, ExplodesTuples) {
  const int64_t x = client().Allocate(Floats({1, 2}));
  const int64_t y = client().Allocate(Floats({8, 5}));
  Config config;
  config.set_return_exploded_tuple(true);
  const int64_t pair = client().Compile(kSumAndDifference);
  const std::vector<int64_t> handles = Client::HandlesOf(
      client().Run("XRTExecute", {Handle(pair), Message(config), HandleList({x, y})}));
  ASSERT_EQ(handles.size(), 2);
  ExpectResult(handles[0], Floats({9, 7}));
  ExpectResult(handles[1], Floats({-7, -3}));
  // An array is no tuple: one handle, a scalar.
  const int64_t array = client().Compile(kSumTimesThree);
  ExpectResult(client().Make("XRTExecute", {Handle(array), Message(config), HandleList({x, y})}),
               Floats({27, 21}));
}

TEST_P(ExecuteTest, AHandleInSeveralSlotsIsReleasedOnce) {
  const int64_t x = client().Allocate(Floats({1, 2}));
  const int64_t program = client().Compile(kSumTimesThree);
  Config config;
  config.set_release_input_handles(true);
  const int64_t result =
      client().Make("XRTExecute", {Handle(program), Message(config), HandleList({x, x})});
  ExpectResult(result, Floats({6, 12}));
  EXPECT_FALSE(client().Knows(x));
  EXPECT_TRUE(client().KnowsProgram(program));
}

TEST_P(ExecuteTest, ReleasesTheComputationOnce) {
  const int64_t x = client().Allocate(Floats({1, 2}));
  const int64_t program = client().Compile(kSumTimesThree);
  Config config;
  config.set_release_compilation_handle(true);
  EXPECT_TRUE(
      client().Run("XRTExecute", {Handle(program), Message(config), HandleList({x, x})}).ok());
  EXPECT_EQ(FailExecute(program, config, {x, x}), "AX0620");
}

TEST_P(ExecuteTest, ARefusedCallReleasesNothing) {
  const int64_t x = client().Allocate(Floats({1, 2}));
  const int64_t wide = client().Allocate(Floats({1, 2, 3}));
  const int64_t program = client().Compile(kSumTimesThree);
  Config config;
  config.set_release_input_handles(true);
  config.set_release_compilation_handle(true);
  EXPECT_EQ(FailExecute(program, config, {x}), "AX0600");
  EXPECT_EQ(FailExecute(program, config, {x, x, x}), "AX0600");
  EXPECT_EQ(FailExecute(program, config, {x, wide}), "AX0601");
  EXPECT_EQ(FailExecute(program, config, {x, 123}), "AX0620");
  EXPECT_EQ(FailExecute(program, config, {x, program}), "AX0622");
  EXPECT_EQ(FailExecute(x, config, {x, x}), "AX0622");
  EXPECT_TRUE(client().Knows(x) && client().Knows(wide) && client().KnowsProgram(program));
  EXPECT_EQ(client().handle_count(), 3);
}

TEST_P(ExecuteTest, Configuration) {
  const int64_t x = client().Allocate(Floats({1, 2}));
  const int64_t program = client().Compile(kSumTimesThree);
  const auto fail = [&](auto change) {
    Config config;
    change(&config);
    return FailExecute(program, config, {x, x});
  };
  EXPECT_EQ(fail([](Config* c) { c->set_device_ordinal(1); }), "AX1013");
  EXPECT_EQ(fail([](Config* c) { c->set_device_ordinal(-1); }), "AX1010");
  EXPECT_EQ(fail([](Config* c) { c->set_core_index_in_replica(1); }), "AX1011");
  EXPECT_EQ(fail([](Config* c) { c->set_core_index_in_replica(-1); }), "AX1010");
  EXPECT_EQ(fail([](Config* c) { c->mutable_common_config()->set_replica_id(1); }), "AX1011");
  EXPECT_EQ(fail([](Config* c) { c->mutable_common_config()->set_replica_id(-1); }), "AX1010");
  const auto map = [](std::vector<int32_t> replicas) {
    return [replicas](Config* c) {
      for (const int32_t i : replicas) c->mutable_common_config()->add_local_replica_mapping(i);
    };
  };
  EXPECT_EQ(fail(map({0, 1})), "AX1011");
  EXPECT_EQ(fail(map({1})), "AX1011");
  Config config;  // all that may be said
  config.set_execution_instance_key("\xff key");
  config.mutable_common_config()->add_local_replica_mapping(0);
  config.mutable_common_config()->set_run_id(-5);
  ExpectResult(client().Make("XRTExecute", {Handle(program), Message(config), HandleList({x, x})}),
               Floats({6, 12}));
}

TEST_P(ExecuteTest, OtherDevices) {
  const Value upload = AllocationOf(Floats({1, 2}));
  const int64_t there =
      Client::HandleOf(client().other.Run("XRTAllocate", {}, absl::MakeConstSpan(&upload, 1)));
  const Value computation = Message(ComputationOf(kSumTimesThree));
  const int64_t program_there =
      Client::HandleOf(client().other.Run("XRTCompile", {}, absl::MakeConstSpan(&computation, 1)));
  const int64_t program = client().Compile(kSumTimesThree);
  const int64_t x = client().Allocate(Floats({1, 2}));
  EXPECT_EQ(FailExecute(program, Config(), {x, there}), "AX0602");
  EXPECT_EQ(FailExecute(program_there, Config(), {there, there}), "AX1013");
  EXPECT_EQ(client().Fail("XRTReleaseCompilationHandle", {Handle(program_there)}), "AX1013");
  Config config;
  config.set_device_ordinal(1);
  const std::vector<Value> inputs = {Handle(program_there), Message(config),
                                     HandleList({there, there})};
  EXPECT_TRUE(client().other.Run("XRTExecute", {}, inputs).ok());
}

TEST_P(ExecuteTest, SeedsMakeRandomNumbersRepeatable) {
  const int64_t program = client().Compile(kRandom);
  const auto run = [&](uint32_t seed) {
    Config config;
    config.set_rng_seed(seed);
    return client().Read(client().Make("XRTExecute", {Handle(program), Message(config)}));
  };
  EXPECT_TRUE(run(7) == run(7));
  if (!computes()) return;
  EXPECT_FALSE(run(7) == run(8));
  EXPECT_FALSE(run(0) == run(0));
}

// ---- Chains -------------------------------------------------------------------------------------

void AddInput(wire::XRTChainedExecuteOp* op, int64_t step, int64_t part) {
  op->add_inputs()->set_op_index(step);
  op->mutable_inputs()->rbegin()->set_output_index(part);
}
void AddOutput(wire::XRTChainedExecuteOp* op, int64_t part, int64_t place) {
  op->add_outputs()->set_output_index(part);
  op->mutable_outputs()->rbegin()->set_result_index(place);
}

class ChainTest : public XrtTest {
 protected:
  absl::StatusOr<std::vector<Value>> RunPlan(const Plan& plan) {
    return client().Run("XRTExecuteChained",
                        {Message(plan), Message(wire::XRTChainedExecuteConfig())});
  }
  // x -> (x + x, x - x) -> first + 1.
  Plan MakePlan() {
    const int64_t x = client().Allocate(Floats({1, 2}));
    const int64_t pair = client().Compile(kSumAndDifference);
    const int64_t increment = client().Compile(kIncrement);
    Plan plan;
    plan.add_ops()->set_data_handle(x);
    wire::XRTChainedExecuteOp* const second = plan.add_ops();
    second->set_computation_handle(pair);
    AddInput(second, 0, 0);
    AddInput(second, 0, 0);
    AddOutput(second, 2, 1);
    wire::XRTChainedExecuteOp* const third = plan.add_ops();
    third->set_computation_handle(increment);
    AddInput(third, 1, 1);
    AddOutput(third, 0, 0);
    return plan;
  }
};

TEST_P(ChainTest, RunsOnEarlierResults) {
  const Plan plan = MakePlan();
  const std::vector<int64_t> handles = Client::HandlesOf(RunPlan(plan));
  ASSERT_EQ(handles.size(), 2);
  ExpectResult(handles[0], Floats({3, 5}));
  ExpectResult(handles[1], Floats({0, 0}));
  EXPECT_EQ(client().handle_count(), 5);
}

TEST_P(ChainTest, AnEmptyPlanHasNoResults) {
  EXPECT_TRUE(Client::HandlesOf(RunPlan(Plan())).empty());
}

TEST_P(ChainTest, PlansThatDoNotFit) {
  const Plan good = MakePlan();
  const int64_t handles = client().handle_count();
  const auto fail = [&](auto change) {
    Plan plan = good;
    change(&plan);
    return ErrorIdOf(RunPlan(plan).status());
  };
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  for (const int64_t step : {int64_t{1}, int64_t{2}, int64_t{-1}, kHuge, -kHuge - 1}) {
    EXPECT_EQ(fail([&](Plan* p) { p->mutable_ops(1)->mutable_inputs(0)->set_op_index(step); }),
              "AX0624");
  }
  for (const int64_t part : {int64_t{3}, int64_t{-1}, kHuge}) {
    EXPECT_EQ(fail([&](Plan* p) { p->mutable_ops(2)->mutable_inputs(0)->set_output_index(part); }),
              "AX0624");
  }
  for (const int64_t place : {int64_t{1}, int64_t{2}, int64_t{-1}, kHuge}) {
    EXPECT_EQ(
        fail([&](Plan* p) { p->mutable_ops(2)->mutable_outputs(0)->set_result_index(place); }),
        "AX0624");
  }
  EXPECT_EQ(fail([](Plan* p) { p->mutable_ops(0)->clear_op_oneof(); }), "AX1023");
  EXPECT_EQ(fail([](Plan* p) { p->mutable_ops(0)->set_data_handle(1); }), "AX0620");
  EXPECT_EQ(
      fail([](Plan* p) { p->mutable_ops(0)->set_data_handle(p->ops(1).computation_handle()); }),
      "AX0622");
  EXPECT_EQ(fail([](Plan* p) { p->mutable_ops(1)->mutable_inputs()->RemoveLast(); }), "AX0600");
  EXPECT_EQ(fail([](Plan* p) { p->mutable_ops(2)->mutable_inputs(0)->set_output_index(0); }),
            "AX0601");
  EXPECT_EQ(client().handle_count(), handles);
}

TEST_P(ChainTest, Configuration) {
  wire::XRTChainedExecuteConfig config;
  config.set_core_index_in_replica(1);
  EXPECT_EQ(client().Fail("XRTExecuteChained", {Bytes(""), Message(config)}), "AX1011");
  config.set_core_index_in_replica(-1);
  EXPECT_EQ(client().Fail("XRTExecuteChained", {Bytes(""), Message(config)}), "AX1010");
}

TEST_P(ChainTest, OtherDevices) {
  const Value upload = AllocationOf(Floats({1, 2}));
  const int64_t there =
      Client::HandleOf(client().other.Run("XRTAllocate", {}, absl::MakeConstSpan(&upload, 1)));
  Plan plan;
  plan.add_ops()->set_data_handle(there);
  AddOutput(plan.mutable_ops(0), 0, 0);
  EXPECT_EQ(ErrorIdOf(RunPlan(plan).status()), "AX1013");
}

INSTANTIATE_TEST_SUITE_P(Backends, ExecuteTest, AllBackends(), BackendTestName);
INSTANTIATE_TEST_SUITE_P(Backends, ChainTest, AllBackends(), BackendTestName);

// ---- Failures after validation ------------------------------------------------------------------

class FaultTest : public ::testing::Test {
 protected:
  static constexpr int kNowhere = -1;

  FaultTest() {
    runtime::Faults faults;
    faults.fail = [this](FaultPoint point) {
      return static_cast<int>(point) == fail_at_.load() ? absl::AbortedError("made to fail")
                                                        : absl::OkStatus();
    };
    store_ = runtime::Store::Create(
        std::make_shared<runtime::FaultBackend>(*SharedBackend("reference"), std::move(faults)),
        WithLoader());
    client_ = std::make_unique<Client>(store_);
  }
  void FailAt(FaultPoint point) { fail_at_ = static_cast<int>(point); }

  std::atomic<int> fail_at_ = kNowhere;
  std::shared_ptr<runtime::Store> store_;
  std::unique_ptr<Client> client_;
};

TEST_F(FaultTest, ARunThatFailsReleasesNothing) {
  const int64_t x = client_->Allocate(Floats({1, 2}));
  const int64_t program = client_->Compile(kIncrement);
  Config config;
  config.set_release_input_handles(true);
  config.set_release_compilation_handle(true);
  for (const FaultPoint point : {FaultPoint::kLaunch, FaultPoint::kCompletion}) {
    FailAt(point);
    const auto result = client_->Run("XRTExecute", {Handle(program), Message(config), Handle(x)});
    EXPECT_EQ(result.status().code(), absl::StatusCode::kAborted) << result.status();
    fail_at_ = kNowhere;
    EXPECT_EQ(client_->handle_count(), 2);
    client_->ExpectValue(x, Floats({1, 2}));
  }
  EXPECT_TRUE(client_->Run("XRTExecute", {Handle(program), Message(config), Handle(x)}).ok());
  EXPECT_EQ(client_->handle_count(), 1);
}

TEST_F(FaultTest, WithoutAReleaseTheFailureIsTheResults) {
  const int64_t x = client_->Allocate(Floats({1, 2}));
  const int64_t program = client_->Compile(kIncrement);
  FailAt(FaultPoint::kCompletion);
  const int64_t result =
      client_->Make("XRTExecute", {Handle(program), Message(Config()), Handle(x)});
  fail_at_ = kNowhere;
  const auto read = client_->Run("XRTReadLiteralAndRelease", {Handle(result)});
  EXPECT_EQ(read.status().code(), absl::StatusCode::kAborted) << read.status();
  EXPECT_TRUE(client_->Knows(result));
  EXPECT_TRUE(client_->Run("XRTReleaseAllocationHandle", {Handle(result)}).ok());
}

TEST_F(FaultTest, AReadThatFailsReleasesNothing) {
  const int64_t x = client_->Allocate(Floats({1, 2}));
  FailAt(FaultPoint::kDownload);
  EXPECT_FALSE(client_->Run("XRTReadLiteralAndRelease", {Handle(x)}).ok());
  const Attributes attributes = {{"dtypes", std::vector<hlo::ElementType>{hlo::ElementType::kF32}},
                                 {"release_handles", true}};
  EXPECT_FALSE(client_->Run("XRTReadToTensor", {Handle(x)}, attributes).ok());
  fail_at_ = kNowhere;
  client_->ExpectValue(x, Floats({1, 2}));
}

TEST_F(FaultTest, AWriteThatFailsChangesNothing) {
  const int64_t x = client_->Allocate(Floats({1, 2}));
  FailAt(FaultPoint::kUpload);
  EXPECT_FALSE(client_->Run("XRTWriteLiteral", {Handle(x), Message(Proto(Floats({3, 4})))}).ok());
  EXPECT_FALSE(client_->Run("XRTAllocate", {AllocationOf(Floats({1}))}).ok());
  fail_at_ = kNowhere;
  client_->ExpectValue(x, Floats({1, 2}));
  EXPECT_EQ(client_->handle_count(), 1);
}

TEST_F(FaultTest, AnUploadOfPiecesThatFailsCanBeTriedAgain) {
  const int64_t transfer = client_->Make(
      "AxleBeginWrite", {},
      {{"dtype", hlo::ElementType::kU8}, {"shape", hlo::Shape::Array(hlo::ElementType::kU8, {3})}});
  EXPECT_TRUE(client_->Run("AxleWriteChunk", {Handle(transfer), Number(0), Bytes("abc")}).ok());
  FailAt(FaultPoint::kUpload);
  EXPECT_FALSE(client_->Run("AxleFinishWrite", {Handle(transfer)}).ok());
  EXPECT_EQ(client_->session->account().used(), 3);
  fail_at_ = kNowhere;
  const int64_t value = client_->Make("AxleFinishWrite", {Handle(transfer)});
  client_->ExpectValue(value, hlo::Literal::Vector<uint8_t>({'a', 'b', 'c'}));
}

}  // namespace
}  // namespace axle::xrt
