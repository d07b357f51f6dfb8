// SPDX-License-Identifier: Apache-2.0
// Calling operations in tests, on every backend.
#ifndef AXLE_XRT_XRT_TESTING_H_
#define AXLE_XRT_XRT_TESTING_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assembly/backends.h"
#include "base/error.h"
#include "gmock/gmock.h"
#include "google/protobuf/message_lite.h"
#include "gtest/gtest.h"
#include "hlo/literal.h"
#include "hlo/proto/codec.h"
#include "hlo/proto/literal_codec.h"
#include "load/load.h"
#include "proto/hlo.pb.h"
#include "proto/xrt.pb.h"
#include "runtime/session.h"
#include "runtime/store.h"
#include "xrt/op_set.h"

namespace axle::xrt {

// ---- Values -------------------------------------------------------------------------------------

inline hlo::Literal Floats(std::vector<float> values) {
  return hlo::Literal::Vector<float>(values);
}
inline hlo::Literal Ints(std::vector<int32_t> values) {
  return hlo::Literal::Vector<int32_t>(values);
}
inline Value Handle(int64_t handle) { return hlo::Literal::Scalar<int64_t>(handle); }
inline Value HandleList(std::vector<int64_t> handles) {
  return hlo::Literal::Vector<int64_t>(handles);
}
inline Value Number(int64_t number) { return hlo::Literal::Scalar<int64_t>(number); }
inline Value Bytes(std::string bytes) { return Strings{{}, {std::move(bytes)}}; }
inline Value Message(const google::protobuf::MessageLite& message) {
  return Bytes(message.SerializeAsString());
}
inline Value Index(std::vector<int32_t> index) { return Ints(std::move(index)); }

inline wire::LiteralProto Proto(const hlo::Literal& literal) {
  wire::LiteralProto proto;
  EXPECT_TRUE(hlo::proto::WriteLiteral(literal, &proto).ok());
  hlo::proto::FillLayouts(literal, &proto);
  return proto;
}

inline Value AllocationOf(const hlo::Literal& literal) {
  wire::XLAAllocation allocation;
  *allocation.mutable_value() = Proto(literal);
  return Message(allocation);
}

// ---- Programs -----------------------------------------------------------------------------------

// A serialized HloSnapshot of a program in HLO text.
inline std::string Snapshot(const std::string& text) {
  const auto module = load::LoadModule(text, "test");
  EXPECT_TRUE(module.ok()) << module.status();
  const auto bytes = hlo::ModuleToProtoBytes(*module, {.fill_layouts = true});
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  wire::HloSnapshot snapshot;
  EXPECT_TRUE(snapshot.mutable_hlo()->mutable_hlo_module()->ParseFromString(*bytes));
  return snapshot.SerializeAsString();
}

inline wire::XLAComputation ComputationOf(const std::string& text) {
  wire::XLAComputation computation;
  computation.mutable_config()->set_num_replicas(1);
  computation.mutable_config()->set_num_cores_per_replica(1);
  computation.set_hlo_snapshot(Snapshot(text));
  return computation;
}

// (x + y) * 3 on f32[2].
inline constexpr char kSumTimesThree[] = R"(
HloModule sum_times_three
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  sum = f32[2] add(x, y)
  three = f32[] constant(3)
  threes = f32[2] broadcast(three), dimensions={}
  ROOT r = f32[2] multiply(sum, threes)
})";

// (x + y,) on f32[2].
inline constexpr char kSumInTuple[] = R"(
HloModule sum_in_tuple
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  sum = f32[2] add(x, y)
  ROOT r = (f32[2]) tuple(sum)
})";

// (x, y) -> (x + y, x - y).
inline constexpr char kSumAndDifference[] = R"(
HloModule sum_and_difference
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  sum = f32[2] add(x, y)
  difference = f32[2] subtract(x, y)
  ROOT r = (f32[2], f32[2]) tuple(sum, difference)
})";

// ---- Calls --------------------------------------------------------------------------------------

constexpr int kDevices = 2;

// Slow to make, so tests share one of each kind.
inline absl::StatusOr<std::shared_ptr<runtime::Backend>> SharedBackend(const std::string& name) {
  using BackendOr = absl::StatusOr<std::shared_ptr<runtime::Backend>>;
  static auto* const backends = new std::map<std::string, BackendOr>();
  const auto found = backends->find(name);
  if (found != backends->end()) return found->second;
  return backends->emplace(name, assembly::CreateBackend(name, {.device_count = kDevices}))
      .first->second;
}

inline runtime::StoreOptions WithLoader(runtime::StoreOptions options = {}) {
  options.cache.loader = [](absl::string_view bytes) {
    return load::LoadModule(bytes, "computation");
  };
  return options;
}

// Calls operations of one op set, which is on device 0 of a session of its own.
class Client {
 public:
  explicit Client(const std::shared_ptr<runtime::Store>& store,
                  runtime::SessionOptions options = {.name = "test"})
      : session(store->OpenSession(std::move(options))), ops(session, 0), other(session, 1) {}

  absl::StatusOr<std::vector<Value>> Run(absl::string_view op, std::vector<Value> inputs,
                                         Attributes attributes = {}) {
    return ops.Run(op, attributes, inputs);
  }
  // The handle that the operation gives; 0 where it fails.
  int64_t Make(absl::string_view op, std::vector<Value> inputs, Attributes attributes = {}) {
    return HandleOf(Run(op, std::move(inputs), std::move(attributes)));
  }
  // The id of the error; "" where there is none.
  std::string Fail(absl::string_view op, std::vector<Value> inputs, Attributes attributes = {}) {
    const auto outputs = Run(op, std::move(inputs), std::move(attributes));
    EXPECT_FALSE(outputs.ok()) << op;
    EXPECT_NE(outputs.status().code(), absl::StatusCode::kInternal) << outputs.status();
    return ErrorIdOf(outputs.status());
  }

  static int64_t HandleOf(const absl::StatusOr<std::vector<Value>>& outputs) {
    EXPECT_TRUE(outputs.ok()) << outputs.status();
    if (!outputs.ok() || outputs->empty()) return 0;
    const auto& handle = std::get<hlo::Literal>(outputs->front());
    EXPECT_TRUE(handle.shape().IsScalar()) << handle.shape().ToString();
    return handle.data<int64_t>().front();
  }
  static std::vector<int64_t> HandlesOf(const absl::StatusOr<std::vector<Value>>& outputs) {
    EXPECT_TRUE(outputs.ok()) << outputs.status();
    if (!outputs.ok() || outputs->empty()) return {};
    const auto& handles = std::get<hlo::Literal>(outputs->front());
    EXPECT_EQ(handles.shape().rank(), 1);
    return {handles.data<int64_t>().begin(), handles.data<int64_t>().end()};
  }
  static std::string BytesOf(const absl::StatusOr<std::vector<Value>>& outputs) {
    EXPECT_TRUE(outputs.ok()) << outputs.status();
    if (!outputs.ok() || outputs->empty()) return "";
    return std::get<Strings>(outputs->front()).values.front();
  }

  int64_t Allocate(const hlo::Literal& literal) {
    return Make("XRTAllocate", {AllocationOf(literal)});
  }
  int64_t Compile(const std::string& text) {
    const auto outputs = Run("XRTCompile", {Message(ComputationOf(text))});
    return HandleOf(outputs);
  }
  hlo::Literal Read(int64_t handle) {
    wire::LiteralProto proto;
    EXPECT_TRUE(proto.ParseFromString(BytesOf(Run("XRTReadLiteral", {Handle(handle)}))));
    hlo::proto::ShapeReader shapes;
    auto literal = hlo::proto::ReadLiteral(proto, shapes);
    EXPECT_TRUE(literal.ok()) << literal.status();
    return literal.ok() ? *std::move(literal) : hlo::Literal();
  }
  void ExpectValue(int64_t handle, const hlo::Literal& expected) {
    EXPECT_TRUE(Read(handle) == expected) << "of " << expected.shape().ToString();
  }
  bool Knows(int64_t handle) { return session->handles().FindAllocation(handle).ok(); }
  bool KnowsProgram(int64_t handle) { return session->handles().FindProgram(handle).ok(); }
  int64_t handle_count() {
    const runtime::HandleTable::Counts counts = session->handles().counts();
    return counts.allocations + counts.programs + counts.transfers;
  }

  const std::shared_ptr<runtime::Session> session;
  OpSet ops;
  OpSet other;  // on device 1
};

// ---- Fixture ------------------------------------------------------------------------------------

// The parameter names a backend. `null` answers zeros, so there only shapes of results matter.
class XrtTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto backend = SharedBackend(GetParam());
    if (!backend.ok() && GetParam() == "xla-cpu" && ErrorIdOf(backend.status()) == "AX0941") {
      GTEST_SKIP() << backend.status();
    }
    ASSERT_TRUE(backend.ok()) << backend.status();
    store_ = runtime::Store::Create(*std::move(backend), WithLoader());
    client_ = std::make_unique<Client>(store_);
  }
  bool computes() const { return GetParam() != "null"; }
  Client& client() { return *client_; }

  // Of the result of a program.
  void ExpectResult(int64_t handle, const hlo::Literal& expected) {
    const hlo::Literal actual = client().Read(handle);
    ASSERT_TRUE(hlo::Compatible(actual.shape(), expected.shape())) << actual.shape().ToString();
    EXPECT_TRUE(!computes() || actual == expected);
  }

  std::shared_ptr<runtime::Store> store_;
  std::unique_ptr<Client> client_;
};

inline auto AllBackends() {
  return ::testing::Values(std::string("reference"), std::string("null"), std::string("xla-cpu"));
}
inline std::string BackendTestName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

}  // namespace axle::xrt

#endif  // AXLE_XRT_XRT_TESTING_H_
