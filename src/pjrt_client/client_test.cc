// SPDX-License-Identifier: Apache-2.0
// The client on real plugins: the newest and the oldest XLA:CPU that Axle is tested with.
#include "pjrt_client/client.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <latch>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pjrt_client/buffer_type.h"
#include "pjrt_client/fake_plugin_testing.h"

namespace axle::pjrt_client {
namespace {

using ::testing::HasSubstr;

std::string Main(absl::string_view body) {
  return absl::StrCat("module @m { func.func public @main", body, " }");
}

std::string BinaryF32(absl::string_view op) {
  return Main(absl::StrCat("(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> { %0 = stablehlo.",
                           op, " %a, %b : tensor<f32> return %0 : tensor<f32> }"));
}

template <typename T>
absl::Span<const uint8_t> BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)};
}

class ClientTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(GetParam())) {
      GTEST_SKIP() << "no plugin at " << GetParam() << ": run scripts/install-deps";
    }
    auto plugin = Plugin::Load(GetParam());
    ASSERT_TRUE(plugin.ok()) << plugin.status();
    plugin_.emplace(*std::move(plugin));
    MakeClient(1);
  }

  void MakeClient(int64_t devices) {
    ClientOptions options;
    options.cpu_device_count = devices;
    auto client = Client::Create(*plugin_, options);
    ASSERT_TRUE(client.ok()) << client.status();
    client_.emplace(*std::move(client));
  }

  const Device& device(int index = 0) const { return client_->devices()[index]; }

  template <typename T>
  Buffer Put(PJRT_Buffer_Type type, absl::Span<const int64_t> dims, const std::vector<T>& values,
             int device_index = 0) {
    auto upload = client_->BufferFromHost({type, dims, BytesOf(values)}, device(device_index),
                                          HostMemory::kDuringCall);
    EXPECT_TRUE(upload.ok()) << upload.status();
    return upload.ok() ? std::move(upload->buffer) : Buffer();
  }
  Buffer Scalar(float value, int device_index = 0) {
    return Put<float>(PJRT_Buffer_Type_F32, {}, {value}, device_index);
  }

  template <typename T>
  std::vector<T> Get(const Buffer& buffer) {
    const auto bytes = buffer.HostBytes();
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    std::vector<T> values(bytes.value_or(0) / sizeof(T));
    const absl::Status status =
        buffer.Read({reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(T)});
    EXPECT_TRUE(status.ok()) << status;
    return values;
  }

  absl::StatusOr<LoadedExecutable> Compile(const std::string& text,
                                           const CompileOptions& options = {}) {
    return client_->Compile(ProgramFormat::kStableHlo, text, options);
  }

  // Runs on one device.
  absl::StatusOr<std::vector<Buffer>> Run(const LoadedExecutable& program,
                                          const std::vector<const Buffer*>& arguments,
                                          ExecuteOptions options = {}) {
    std::vector<PJRT_Buffer*> raw_arguments, raw_results(program.num_results());
    for (const Buffer* argument : arguments) raw_arguments.push_back(argument->get());
    const absl::Status status =
        program.Execute({DeviceLaunch{raw_arguments, absl::MakeSpan(raw_results)}}, options);
    if (!status.ok()) return status;
    std::vector<Buffer> results;
    for (PJRT_Buffer* raw : raw_results) results.push_back(program.Own(raw));
    return results;
  }

  std::optional<Plugin> plugin_;
  std::optional<Client> client_;
};

TEST_P(ClientTest, PluginAttributes) {
  const NamedValue* minimum = plugin_->FindAttribute("stablehlo_minimum_version");
  ASSERT_NE(minimum, nullptr);
  EXPECT_EQ(std::get<std::vector<int64_t>>(minimum->value), (std::vector<int64_t>{0, 9, 0}));
  EXPECT_NE(plugin_->FindAttribute("stablehlo_current_version"), nullptr);
  // The FFI extension, in all of XLA's CPU plugins.
  EXPECT_THAT(plugin_->ExtensionTypes(), ::testing::Contains(5));
}

TEST_P(ClientTest, Devices) {
  MakeClient(3);
  EXPECT_EQ(client_->platform_name(), "cpu");
  EXPECT_NE(client_->platform_version(), "");
  EXPECT_EQ(client_->process_index(), 0);
  ASSERT_EQ(client_->devices().size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(device(i).id, i);
    EXPECT_EQ(device(i).process_index, 0);
    EXPECT_EQ(device(i).kind, "cpu");
    EXPECT_NE(device(i).description, "");
    ASSERT_EQ(device(i).memories.size(), 3u);
    ASSERT_GE(device(i).default_memory, 0);
    EXPECT_EQ(device(i).memories[device(i).default_memory].kind, "device");
  }
}

TEST_P(ClientTest, ClientOptionsAreChecked) {
  const auto id = [&](const ClientOptions& options) {
    return ErrorIdOf(Client::Create(*plugin_, options).status());
  };
  EXPECT_EQ(id({.cpu_device_count = 0}), "AX0710");
  EXPECT_EQ(id({.cpu_device_count = -1}), "AX0710");
  EXPECT_EQ(id({.cpu_device_count = 1025}), "AX0710");
  EXPECT_EQ(id({.others = {{"cpu_device_count", std::string("2")}}}), "AX0710");
  EXPECT_EQ(id({.others = {{"cpu_device_count", int64_t{0}}}}), "AX0710");
  EXPECT_EQ(id({.others = {{"asynchronous", int64_t{1}}}}), "AX0710");
  EXPECT_EQ(id({.cpu_device_count = 1, .others = {{"asynchronous", false}}}), "");
}

TEST_P(ClientTest, ScalarAdd) {
  const auto program = Compile(BinaryF32("add"));
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->num_results(), 1u);
  ASSERT_EQ(program->devices().size(), 1u);
  EXPECT_EQ(program->devices()[0]->id, 0);
  EXPECT_THAT(*program->Name(), HasSubstr("m"));
  EXPECT_EQ(*program->ResultTypes(), std::vector<PJRT_Buffer_Type>{PJRT_Buffer_Type_F32});
  EXPECT_EQ(*program->ResultDimensions(), std::vector<std::vector<int64_t>>{{}});
  EXPECT_TRUE(program->GeneratedCodeBytes().ok());
  const auto stats = program->GetMemoryStats();
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(stats->arguments, 8);
  EXPECT_EQ(stats->results, 4);

  const Buffer a = Scalar(1.5f), b = Scalar(2.25f);
  auto results = Run(*program, {&a, &b});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(Get<float>((*results)[0]), std::vector<float>{3.75f});
  // The same buffer twice, and inputs that live on.
  results = Run(*program, {&a, &a});
  EXPECT_EQ(Get<float>((*results)[0]), std::vector<float>{3.0f});
}

TEST_P(ClientTest, BuffersOutliveClientAndProgram) {
  Buffer result;
  {
    const auto program = Compile(BinaryF32("multiply"));
    ASSERT_TRUE(program.ok()) << program.status();
    const Buffer a = Scalar(3), b = Scalar(5);
    result = std::move(Run(*program, {&a, &b})->front());
  }
  client_.reset();
  EXPECT_EQ(Get<float>(result), std::vector<float>{15});
}

TEST_P(ClientTest, MaximumKeepsNan) {
  const auto program = Compile(BinaryF32("maximum"));
  ASSERT_TRUE(program.ok()) << program.status();
  const Buffer nan = Scalar(std::numeric_limits<float>::quiet_NaN()), one = Scalar(1);
  EXPECT_TRUE(std::isnan(Get<float>(Run(*program, {&nan, &one})->front())[0]));
  EXPECT_TRUE(std::isnan(Get<float>(Run(*program, {&one, &nan})->front())[0]));
}

TEST_P(ClientTest, BufferMetadata) {
  const Buffer buffer = Put<int16_t>(PJRT_Buffer_Type_S16, {2, 3}, {1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(buffer);
  EXPECT_EQ(*buffer.Type(), PJRT_Buffer_Type_S16);
  EXPECT_THAT(*buffer.Dimensions(), ::testing::ElementsAre(2, 3));
  EXPECT_TRUE(buffer.DynamicDimensions()->empty());
  EXPECT_EQ(*buffer.OnDeviceBytes(), 12u);
  EXPECT_EQ(*buffer.HostBytes(), 12u);
  EXPECT_EQ(*buffer.OnDevice(), &device());
  EXPECT_EQ((*buffer.InMemory())->kind, "device");
  EXPECT_TRUE(buffer.ReadyEvent()->Await().ok());
  EXPECT_EQ(Get<int16_t>(buffer), (std::vector<int16_t>{1, 2, 3, 4, 5, 6}));
}

TEST_P(ClientTest, DeletedBuffers) {
  const auto program = Compile(BinaryF32("add"));
  ASSERT_TRUE(program.ok()) << program.status();
  const Buffer a = Scalar(1), b = Scalar(2);
  EXPECT_FALSE(*a.IsDeleted());
  EXPECT_TRUE(a.Delete().ok());
  EXPECT_TRUE(*a.IsDeleted());
  float value;
  EXPECT_FALSE(a.Read({reinterpret_cast<uint8_t*>(&value), 4}).ok());
  EXPECT_FALSE(Run(*program, {&a, &b}).ok());
  EXPECT_FALSE(*b.IsDeleted());
}

TEST_P(ClientTest, ArraysWithoutElements) {
  const Buffer buffer = Put<float>(PJRT_Buffer_Type_F32, {0, 5}, {});
  ASSERT_TRUE(buffer);
  EXPECT_EQ(*buffer.HostBytes(), 0u);
  EXPECT_TRUE(buffer.Read({}).ok());
}

TEST_P(ClientTest, FourBitElementsTakeAByte) {
  const Buffer buffer = Put<int8_t>(PJRT_Buffer_Type_S4, {3}, {-8, 0, 7});
  ASSERT_TRUE(buffer);
  EXPECT_EQ(*buffer.HostBytes(), 3u);
  std::vector<uint8_t> elements = Get<uint8_t>(buffer);
  ClearOpenBits(PJRT_Buffer_Type_S4, absl::MakeSpan(elements));
  EXPECT_EQ(elements, (std::vector<uint8_t>{8, 0, 7}));
}

TEST_P(ClientTest, HostArraysAreChecked) {
  const std::vector<float> values(4);
  const auto id = [&](PJRT_Buffer_Type type, std::vector<int64_t> dims) {
    return ErrorIdOf(
        client_->BufferFromHost({type, dims, BytesOf(values)}, device(), HostMemory::kDuringCall)
            .status());
  };
  EXPECT_EQ(id(PJRT_Buffer_Type_F32, {2, 2}), "");
  EXPECT_EQ(id(PJRT_Buffer_Type_F32, {5}), "AX0713");
  EXPECT_EQ(id(PJRT_Buffer_Type_F32, {3}), "AX0713");
  EXPECT_EQ(id(PJRT_Buffer_Type_F32, {-1, -4}), "AX0713");
  EXPECT_EQ(id(PJRT_Buffer_Type_TOKEN, {}), "AX0712");
  EXPECT_EQ(id(static_cast<PJRT_Buffer_Type>(77), {4}), "AX0712");
}

TEST_P(ClientTest, SharedMemoryIsFreedWithTheBuffer) {
  alignas(kSharedMemoryAlignment) float values[16] = {0, 1, 2};
  const absl::Span<const uint8_t> bytes(reinterpret_cast<uint8_t*>(values), sizeof(values));
  auto upload =
      client_->BufferFromHost({PJRT_Buffer_Type_F32, {16}, bytes}, device(), HostMemory::kShared);
  ASSERT_TRUE(upload.ok()) << upload.status();
  EXPECT_FALSE(*upload->host_memory_free.IsReady());
  EXPECT_EQ(Get<float>(upload->buffer)[2], 2.0f);
  std::latch free(1);
  std::move(upload->host_memory_free).OnReady([&](absl::Status status) {
    EXPECT_TRUE(status.ok()) << status;
    free.count_down();
  });
  EXPECT_FALSE(free.try_wait());
  upload->buffer = Buffer();
  free.wait();
}

TEST_P(ClientTest, HostMemoryOfACopyIsFreeAtOnce) {
  const std::vector<float> values = {1, 2};
  auto upload = client_->BufferFromHost({PJRT_Buffer_Type_F32, {2}, BytesOf(values)}, device(),
                                        HostMemory::kUntilTransferCompletes);
  ASSERT_TRUE(upload.ok()) << upload.status();
  EXPECT_TRUE(upload->host_memory_free.Await().ok());
}

TEST_P(ClientTest, DonationAndItsRefusal) {
  const auto program =
      Compile(Main("(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {"
                   " %0 = stablehlo.add %a, %a : tensor<4xf32> return %0 : tensor<4xf32> }"));
  ASSERT_TRUE(program.ok()) << program.status();
  const std::vector<float> values = {1, 2, 3, 4};
  const Buffer kept = Put(PJRT_Buffer_Type_F32, {4}, values);
  const std::vector<int64_t> keep = {0};
  auto results = Run(*program, {&kept}, {.non_donatable_inputs = keep});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_FALSE(*kept.IsDeleted());
  EXPECT_EQ(Get<float>(kept), values);
  results = Run(*program, {&kept});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE(*kept.IsDeleted());
  EXPECT_EQ(Get<float>(results->front()), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_FALSE(Run(*program, {&kept}).ok());
}

TEST_P(ClientTest, CompletionEvents) {
  const auto program = Compile(BinaryF32("add"));
  ASSERT_TRUE(program.ok()) << program.status();
  const Buffer a = Scalar(1);
  PJRT_Buffer* arguments[] = {a.get(), a.get()};
  PJRT_Buffer* results[1];
  Event done;
  ASSERT_TRUE(program->Execute({DeviceLaunch{arguments, absl::MakeSpan(results), &done}}).ok());
  const Buffer result = program->Own(results[0]);
  EXPECT_TRUE(done.Await().ok());
  EXPECT_TRUE(*done.IsReady());
}

TEST_P(ClientTest, LaunchesAreChecked) {
  const auto program = Compile(BinaryF32("add"));
  ASSERT_TRUE(program.ok()) << program.status();
  const Buffer a = Scalar(1);
  PJRT_Buffer* arguments[] = {a.get(), nullptr};
  PJRT_Buffer* results[2];
  const auto refused = [&](std::vector<DeviceLaunch> launches) {
    const absl::Status status = program->Execute(launches);
    EXPECT_EQ(ErrorIdOf(status), "AX0716") << status;
    return std::string(status.message());
  };
  EXPECT_THAT(refused({}), HasSubstr("0 launches for a program that needs 1"));
  EXPECT_THAT(refused({{arguments, absl::MakeSpan(results, 1)}}),
              HasSubstr("argument 1 of launch 0 is null"));
  arguments[1] = a.get();
  EXPECT_THAT(refused({{arguments, absl::MakeSpan(results, 2)}}),
              HasSubstr("room for 2 results, the program has 1"));
  // The number of arguments is the plugin's to check.
  EXPECT_FALSE(Run(*program, {&a}).ok());
}

TEST_P(ClientTest, ReplicasOnChosenDevices) {
  MakeClient(2);
  CompileOptions options;
  options.num_replicas = 2;
  options.device_ids = {1, 0};
  const auto program = Compile(Main("() -> tensor<ui32> { %0 = stablehlo.replica_id : tensor<ui32>"
                                    " return %0 : tensor<ui32> }"),
                               options);
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ(program->devices().size(), 2u);
  PJRT_Buffer* results[2];
  Event done[2];
  const absl::Status status = program->Execute({{{}, absl::MakeSpan(&results[0], 1), &done[0]},
                                                {{}, absl::MakeSpan(&results[1], 1), &done[1]}});
  ASSERT_TRUE(status.ok()) << status;
  for (int i = 0; i < 2; ++i) {
    const Buffer result = program->Own(results[i]);
    EXPECT_EQ(*result.OnDevice(), program->devices()[i]);
    // Replica 0 is on device 1 and the other way round.
    EXPECT_EQ(Get<uint32_t>(result)[0], 1u - program->devices()[i]->id);
    EXPECT_TRUE(done[i].Await().ok());
  }
}

TEST_P(ClientTest, PortableProgramsRunAnywhere) {
  MakeClient(2);
  CompileOptions options;
  options.portable = true;
  const auto program = Compile(BinaryF32("add"), options);
  ASSERT_TRUE(program.ok()) << program.status();
  for (int i = 0; i < 2; ++i) {
    const Buffer a = Scalar(1, i);
    const auto results = Run(*program, {&a, &a}, {.device = &device(i)});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(*results->front().OnDevice(), &device(i));
    EXPECT_EQ(Get<float>(results->front())[0], 2.0f);
  }
}

TEST_P(ClientTest, CopiesBetweenDevices) {
  MakeClient(2);
  const Buffer here = Scalar(7, 0);
  const auto there = here.CopyToDevice(device(1));
  ASSERT_TRUE(there.ok()) << there.status();
  EXPECT_EQ(*there->OnDevice(), &device(1));
  EXPECT_EQ(Get<float>(*there)[0], 7.0f);
}

TEST_P(ClientTest, CompileErrors) {
  EXPECT_EQ(ErrorIdOf(Compile("").status()), "AX0715");
  EXPECT_EQ(ErrorIdOf(Compile("not a module").status()), "AX0707");
  CompileOptions options;
  options.num_replicas = 0;
  EXPECT_EQ(ErrorIdOf(Compile(BinaryF32("add"), options).status()), "AX0714");
  options.num_replicas = 2;
  EXPECT_THAT(Compile(BinaryF32("add"), options).status().message(),
              HasSubstr("2 replicas x 1 partitions don't fit 1 devices"));
  options.num_replicas = 1;
  options.device_ids = {1};
  EXPECT_THAT(Compile(BinaryF32("add"), options).status().message(),
              HasSubstr("there is no device 1"));
  const absl::Status unknown =
      Compile(Main("(%a: tensor<f32>) -> tensor<f32> { %0 = stablehlo.custom_call @no_such_target"
                   "(%a) {api_version = 4 : i32} : (tensor<f32>) -> tensor<f32>"
                   " return %0 : tensor<f32> }"))
          .status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound) << unknown;
  EXPECT_EQ(ErrorIdOf(unknown), "AX0707");
  EXPECT_THAT(unknown.message(), HasSubstr("no_such_target"));
}

// valid_base.pb: with x = 1 and y = 0 in f32[4,8], each row of dot(x, transpose(x + y)) sums to 32;
// times 1, 2, 3, 4 that is q; q and its middle, as [2,3], padded by a zero all round and negated.
TEST_P(ClientTest, HloProto) {
  const char* data = std::getenv("AXLE_TEST_DATA");
  const std::string path = absl::StrCat(data == nullptr ? AXLE_SOURCE_DIR "/../shared/data" : data,
                                        "/hlo/malformed/valid_base.pb");
  std::ifstream file(path, std::ios::binary);
  if (!file) GTEST_SKIP() << "no test data at " << path << ": set AXLE_TEST_DATA";
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const auto program = client_->Compile(ProgramFormat::kHloProto, bytes, {});
  ASSERT_TRUE(program.ok()) << program.status();
  const Buffer x = Put(PJRT_Buffer_Type_F32, {4, 8}, std::vector<float>(32, 1));
  const Buffer y = Put(PJRT_Buffer_Type_F32, {4, 8}, std::vector<float>(32, 0));
  const auto results = Run(*program, {&x, &y});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT(*results->front().Dimensions(), ::testing::ElementsAre(4, 5));
  EXPECT_EQ(Get<float>(results->front()),
            (std::vector<float>{0, 0,    0,   0,   0, 0, -32, -64, -96, 0,  //
                                0, -128, -64, -96, 0, 0, 0,   0,   0,   0}));
}

TEST_P(ClientTest, ManyResultsWithTheirTypes) {
  const auto program = Compile(
      Main("(%a: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xi1>) {"
           " %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>"
           " %1 = stablehlo.compare EQ, %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>)"
           " -> tensor<2x3xi1> return %0, %1 : tensor<3x2xf32>, tensor<2x3xi1> }"));
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(*program->ResultTypes(),
            (std::vector<PJRT_Buffer_Type>{PJRT_Buffer_Type_F32, PJRT_Buffer_Type_PRED}));
  EXPECT_EQ(*program->ResultDimensions(), (std::vector<std::vector<int64_t>>{{3, 2}, {2, 3}}));
  const Buffer a = Put<float>(PJRT_Buffer_Type_F32, {2, 3}, {1, 2, 3, 4, 5, 6});
  const auto results = Run(*program, {&a});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(Get<float>((*results)[0]), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(Get<uint8_t>((*results)[1]), std::vector<uint8_t>(6, 1));
}

// The first 3 of 4 columns of [[1,2,3,4],[5,6,7,8]] come back without gaps.
TEST_P(ClientTest, DynamicDimensions) {
  const auto program = Compile(
      Main("(%a: tensor<2x4xf32>, %n: tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 4>> {"
           " %0 = \"stablehlo.set_dimension_size\"(%a, %n) {dimension = 1 : i64}"
           " : (tensor<2x4xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 4>>"
           " return %0 : tensor<2x?xf32, #stablehlo.bounds<?, 4>> }"));
  ASSERT_TRUE(program.ok()) << program.status();
  const Buffer a = Put<float>(PJRT_Buffer_Type_F32, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Buffer n = Put<int32_t>(PJRT_Buffer_Type_S32, {}, {3});
  const auto results = Run(*program, {&a, &n});
  ASSERT_TRUE(results.ok()) << results.status();
  const Buffer& result = results->front();
  EXPECT_THAT(*result.Dimensions(), ::testing::ElementsAre(2, 4));
  EXPECT_THAT(*result.DynamicDimensions(), ::testing::ElementsAre(1));
  EXPECT_THAT(*result.ActualDimensions(), ::testing::ElementsAre(2, 3));
  EXPECT_EQ(*result.HostBytes(), 24u);
  EXPECT_EQ(Get<float>(result), (std::vector<float>{1, 2, 3, 5, 6, 7}));
  EXPECT_THAT(*a.ActualDimensions(), ::testing::ElementsAre(2, 4));
}

TEST_P(ClientTest, ProgramsCanBeDeleted) {
  const auto program = Compile(BinaryF32("add"));
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_FALSE(*program->IsDeleted());
  EXPECT_TRUE(program->Delete().ok());
  // The oldest plugin goes on answering false.
  EXPECT_TRUE(program->IsDeleted().ok());
}

TEST_P(ClientTest, NoFingerprintIsAnError) {
  const auto program = Compile(BinaryF32("add"));
  ASSERT_TRUE(program.ok()) << program.status();
  const auto fingerprint = program->Fingerprint();
  if (!fingerprint.ok()) {
    EXPECT_EQ(fingerprint.status().code(), absl::StatusCode::kUnimplemented);
  }
}

INSTANTIATE_TEST_SUITE_P(Plugins, ClientTest,
                         ::testing::Values(NewestPluginPath(), OldestPluginPath()),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           return info.index == 0 ? "newest" : "oldest";
                         });

}  // namespace
}  // namespace axle::pjrt_client
