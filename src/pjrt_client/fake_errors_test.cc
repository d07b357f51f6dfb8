// SPDX-License-Identifier: Apache-2.0
// A made-up plugin that fails: each of its functions in turn, its events, and answers that do not
// fit the program.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hlo/text/parser.h"
#include "pjrt_client/backend.h"
#include "pjrt_client/fake_client_testing.h"
#include "pjrt_client/plugin_buffer.h"

namespace axle::pjrt_client {
namespace {

using ::testing::HasSubstr;

constexpr int kCode = 9;  // failed precondition

class FakeErrorsTest : public FakeClientTest {
 protected:
  FakeErrorsTest() {
    AddMemorySlots(table_);
    AddBufferSlots(table_);
    table_.PJRT_Executable_OutputElementTypes = [](PJRT_Executable_OutputElementTypes_Args* a) {
      a->output_types = result_types;
      a->num_output_types = 1;
      return kOk;
    };
  }

  static void AddMemorySlots(PJRT_Api& t) {
    t.PJRT_Device_AddressableMemories = [](PJRT_Device_AddressableMemories_Args* a) {
      static PJRT_Memory* const memories[] = {Object<PJRT_Memory>()};
      a->memories = memories;
      a->num_memories = 1;
      return kOk;
    };
    t.PJRT_Memory_Id = [](PJRT_Memory_Id_Args*) { return kOk; };
    t.PJRT_Memory_Kind = [](PJRT_Memory_Kind_Args*) { return kOk; };
    t.PJRT_Memory_ToString = [](PJRT_Memory_ToString_Args*) { return kOk; };
  }

  static void AddBufferSlots(PJRT_Api& t) {
    t.PJRT_Buffer_Dimensions = [](PJRT_Buffer_Dimensions_Args*) { return kOk; };
    t.PJRT_Buffer_UnpaddedDimensions = [](PJRT_Buffer_UnpaddedDimensions_Args* a) {
      static constexpr int64_t kSizes[] = {2};
      a->unpadded_dims = kSizes;
      a->num_dims = 1;
      return kOk;
    };
    t.PJRT_Buffer_Device = [](PJRT_Buffer_Device_Args* a) {
      a->device = kDevices[0];
      return kOk;
    };
    t.PJRT_Buffer_ToHostBuffer = [](PJRT_Buffer_ToHostBuffer_Args* a) {
      a->dst_size = host_bytes;
      a->event = Object<PJRT_Event>();
      return kOk;
    };
    t.PJRT_Buffer_ReadyEvent = [](PJRT_Buffer_ReadyEvent_Args* a) {
      a->event = Object<PJRT_Event>();
      return kOk;
    };
    t.PJRT_Event_Await = [](PJRT_Event_Await_Args*) { return kOk; };
  }

  absl::Status Start() { return NewClient().status(); }
  Client GoodClient() {
    absl::StatusOr<Client> client = NewClient();
    EXPECT_TRUE(client.ok()) << client.status();
    return *std::move(client);
  }
  absl::Status Compile() {
    return GoodClient().Compile(ProgramFormat::kHloProto, "x", {}).status();
  }
  LoadedExecutable Program() { return *GoodClient().Compile(ProgramFormat::kHloProto, "x", {}); }
  absl::StatusOr<pjrt_client::Upload> Upload() {
    const uint8_t byte = 1;
    const Client client = GoodClient();
    return client.BufferFromHost({PJRT_Buffer_Type_U8, {}, {&byte, 1}}, client.devices()[0],
                                 HostMemory::kDuringCall);
  }
  Buffer Value() { return std::move(Upload()->buffer); }
  Event AnEvent() { return Event(Api(&table_), Object<PJRT_Event>()); }

  // A result of program p, of the shape in HLO text.
  PluginBuffer Result(absl::string_view shape) {
    auto info = std::make_shared<ArrayInfo>();
    info->shape = *hlo::ParseShape(shape);
    info->host_bytes = *info->shape.ByteSize();
    info->program_name = "p";
    return PluginBuffer(std::move(info), Value());
  }

  static inline PJRT_Buffer_Type result_types[] = {PJRT_Buffer_Type_F32};
  static inline size_t host_bytes = 0;
};

// A function of the plugin, how to make it fail, and what calls it.
struct Slot {
  absl::string_view name;
  void (*break_it)(PJRT_Api& table);
};
#define AXLE_BROKEN(name)                                                                \
  Slot {                                                                                 \
    "PJRT_" #name, [](PJRT_Api& table) {                                                 \
      table.PJRT_##name = [](PJRT_##name##_Args*) { return NewFakeError(kCode, "no"); }; \
    }                                                                                    \
  }

TEST_F(FakeErrorsTest, EveryFunctionKeepsCodeAndWords) {
  const PJRT_Api good = table_;
  const auto expect = [&](const Slot& slot, auto&& call) {
    SCOPED_TRACE(slot.name);
    table_ = good;
    slot.break_it(table_);
    const absl::Status status = call();
    EXPECT_EQ(static_cast<int>(status.code()), kCode) << status;
    EXPECT_EQ(ErrorIdOf(status), "AX0707");
    EXPECT_THAT(status.message(), HasSubstr(absl::StrCat(slot.name, ": no")));
    EXPECT_EQ(FakeError::live, 0);
  };
  const auto status_of = [](const auto& value) { return value.status(); };
  expect(AXLE_BROKEN(Plugin_Initialize), [&] {
    // A table is initialised once, and others of these tests have lain where table_ lies.
    static PJRT_Api table;
    table = table_;
    return Plugin::FromTable(&table, "fake").status();
  });
  expect(AXLE_BROKEN(Plugin_Attributes), [&] { return Start(); });
  for (const Slot& slot :
       {AXLE_BROKEN(Client_Create), AXLE_BROKEN(Client_PlatformName),
        AXLE_BROKEN(Client_PlatformVersion), AXLE_BROKEN(Client_ProcessIndex),
        AXLE_BROKEN(Client_AddressableDevices), AXLE_BROKEN(Device_GetDescription),
        AXLE_BROKEN(Device_LocalHardwareId), AXLE_BROKEN(Device_AddressableMemories),
        AXLE_BROKEN(DeviceDescription_Id), AXLE_BROKEN(DeviceDescription_ProcessIndex),
        AXLE_BROKEN(DeviceDescription_Kind), AXLE_BROKEN(DeviceDescription_ToString),
        AXLE_BROKEN(DeviceDescription_DebugString), AXLE_BROKEN(Memory_Id),
        AXLE_BROKEN(Memory_Kind), AXLE_BROKEN(Memory_ToString)}) {
    expect(slot, [&] { return Start(); });
  }
  for (const Slot& slot :
       {AXLE_BROKEN(Client_Compile), AXLE_BROKEN(LoadedExecutable_GetExecutable),
        AXLE_BROKEN(Executable_NumOutputs), AXLE_BROKEN(LoadedExecutable_AddressableDevices)}) {
    expect(slot, [&] { return Compile(); });
  }
  expect(AXLE_BROKEN(Client_BufferFromHostBuffer), [&] { return Upload().status(); });
  expect(AXLE_BROKEN(Device_MemoryStats), [&] {
    const Client client = GoodClient();
    return client.GetDeviceMemory(client.devices()[0]).status();
  });

  expect(AXLE_BROKEN(Executable_Name), [&] { return Program().Name().status(); });
  expect(AXLE_BROKEN(Executable_OutputElementTypes),
         [&] { return status_of(Program().ResultTypes()); });
  expect(AXLE_BROKEN(Executable_OutputDimensions),
         [&] { return status_of(Program().ResultDimensions()); });
  expect(AXLE_BROKEN(Executable_SizeOfGeneratedCodeInBytes),
         [&] { return status_of(Program().GeneratedCodeBytes()); });
  expect(AXLE_BROKEN(Executable_GetCompiledMemoryStats),
         [&] { return status_of(Program().GetMemoryStats()); });
  expect(AXLE_BROKEN(Executable_Fingerprint), [&] { return status_of(Program().Fingerprint()); });
  expect(AXLE_BROKEN(LoadedExecutable_Delete), [&] { return Program().Delete(); });
  expect(AXLE_BROKEN(LoadedExecutable_IsDeleted), [&] { return status_of(Program().IsDeleted()); });
  expect(AXLE_BROKEN(LoadedExecutable_Execute), [&] {
    PJRT_Buffer* results[1];
    return Program().Execute({DeviceLaunch{{}, absl::MakeSpan(results)}});
  });

  expect(AXLE_BROKEN(Buffer_ElementType), [&] { return status_of(Value().Type()); });
  expect(AXLE_BROKEN(Buffer_Dimensions), [&] { return status_of(Value().Dimensions()); });
  expect(AXLE_BROKEN(Buffer_UnpaddedDimensions),
         [&] { return status_of(Value().ActualDimensions()); });
  expect(AXLE_BROKEN(Buffer_DynamicDimensionIndices),
         [&] { return status_of(Value().DynamicDimensions()); });
  expect(AXLE_BROKEN(Buffer_OnDeviceSizeInBytes),
         [&] { return status_of(Value().OnDeviceBytes()); });
  expect(AXLE_BROKEN(Buffer_Device), [&] { return status_of(Value().OnDevice()); });
  expect(AXLE_BROKEN(Buffer_Memory), [&] { return status_of(Value().InMemory()); });
  expect(AXLE_BROKEN(Buffer_Delete), [&] { return Value().Delete(); });
  expect(AXLE_BROKEN(Buffer_IsDeleted), [&] { return status_of(Value().IsDeleted()); });
  expect(AXLE_BROKEN(Buffer_CopyToDevice),
         [&] { return status_of(Value().CopyToDevice(GoodClient().devices()[0])); });
  expect(AXLE_BROKEN(Buffer_ToHostBuffer), [&] { return status_of(Value().HostBytes()); });
  expect(AXLE_BROKEN(Buffer_ToHostBuffer), [&] { return Value().Read({}); });
  expect(AXLE_BROKEN(Buffer_ReadyEvent), [&] { return status_of(Value().ReadyEvent()); });

  expect(AXLE_BROKEN(Event_IsReady), [&] { return status_of(AnEvent().IsReady()); });
  expect(AXLE_BROKEN(Event_Await), [&] { return AnEvent().Await(); });
  expect(AXLE_BROKEN(Event_Await), [&] { return Value().Read({}); });
  expect(AXLE_BROKEN(Event_OnReady), [&] {
    absl::Status outcome;
    AnEvent().OnReady([&](absl::Status status) { outcome = std::move(status); });
    return outcome;
  });
}

// Nobody can do anything about these; their errors must be freed all the same.
TEST_F(FakeErrorsTest, ErrorsOfDestroyingAreSwallowed) {
  for (const Slot& slot : {AXLE_BROKEN(Client_Destroy), AXLE_BROKEN(Executable_Destroy),
                           AXLE_BROKEN(LoadedExecutable_Destroy), AXLE_BROKEN(Buffer_Destroy),
                           AXLE_BROKEN(Event_Destroy), AXLE_BROKEN(Device_DefaultMemory)}) {
    slot.break_it(table_);
  }
  Program();
  AnEvent();
  EXPECT_TRUE(Value().Read({}).ok());
  EXPECT_EQ(FakeError::live, 0);
}
#undef AXLE_BROKEN

// ---- Backends -----------------------------------------------------------------------------------

class FakeBackendTest : public FakeErrorsTest {
 protected:
  FakeBackendTest() {
    creations = 0;
    code = 3;
    // As plugins for hardware may: refuses an option that it doesn't know.
    table_.PJRT_Client_Create = [](PJRT_Client_Create_Args* a) {
      ++creations;
      options.clear();
      for (size_t i = 0; i < a->num_options; ++i) {
        const PJRT_NamedValue& option = a->create_options[i];
        options.emplace_back(option.name, option.name_size);
        if (options.back() == "cpu_device_count") return NewFakeError(code, "unknown option");
      }
      a->client = Object<PJRT_Client>();
      return kOk;
    };
  }

  absl::StatusOr<std::shared_ptr<runtime::Backend>> NewBackend(int devices = 1) {
    auto plugin = Plugin::FromTable(&table_, "fake");
    if (!plugin.ok()) return plugin.status();
    BackendOptions backend;
    backend.device_count = devices;
    backend.client_options = {{"speed", std::string("high")}};
    return CreateBackend(*plugin, backend);
  }

  absl::Status CompileOne(absl::string_view text) {
    auto backend = NewBackend();
    if (!backend.ok()) return backend.status();
    auto module = std::make_shared<const hlo::Module>(*hlo::ParseModule(text));
    return (*backend)->Compile(std::move(module), {}).status();
  }

  static inline int creations = 0;
  static inline int code = 3;
  static inline std::vector<std::string> options;  // of the last creation
};

TEST_F(FakeBackendTest, OneDeviceNeedsNoOption) {
  const auto backend = NewBackend();
  ASSERT_TRUE(backend.ok()) << backend.status();
  EXPECT_EQ(creations, 2);
  EXPECT_EQ(options, std::vector<std::string>{"speed"});
  EXPECT_EQ(FakeError::live, 0);
}

TEST_F(FakeBackendTest, SeveralDevicesDo) {
  const absl::Status status = NewBackend(2).status();
  EXPECT_EQ(creations, 1);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("unknown option"));
}

TEST_F(FakeBackendTest, OtherErrorsAreNotAboutTheOption) {
  code = 13;
  const absl::Status status = NewBackend().status();
  EXPECT_EQ(creations, 1);
  EXPECT_TRUE(absl::IsInternal(status)) << status;
}

constexpr absl::string_view kNegate =
    "HloModule n\nENTRY e {\n  a = f32[2] parameter(0)\n  ROOT r = f32[2] negate(a)\n}\n";

TEST_F(FakeBackendTest, ResultsMustBeThoseOfTheModule) {
  EXPECT_TRUE(CompileOne(kNegate).ok()) << CompileOne(kNegate);
  result_types[0] = PJRT_Buffer_Type_S32;
  absl::Status status = CompileOne(kNegate);
  result_types[0] = PJRT_Buffer_Type_F32;
  EXPECT_EQ(ErrorIdOf(status), "AX0709");
  EXPECT_THAT(status.message(), HasSubstr("result 0 of the compiled program is"));
  EXPECT_THAT(status.message(), HasSubstr("of the module f32[2]"));
  table_.PJRT_Executable_NumOutputs = [](PJRT_Executable_NumOutputs_Args* a) {
    a->num_outputs = 2;
    return kOk;
  };
  status = CompileOne(kNegate);
  EXPECT_EQ(ErrorIdOf(status), "AX0709");
  EXPECT_THAT(status.message(), HasSubstr("has 2 results, the module 1"));
}

// ---- Values -------------------------------------------------------------------------------------

class FakeValueTest : public FakeErrorsTest {
 protected:
  static void ExpectOfProgram(const absl::Status& status) {
    EXPECT_EQ(static_cast<int>(status.code()), kCode) << status;
    EXPECT_THAT(status.message(), HasSubstr("program p"));
    EXPECT_THAT(status.message(), HasSubstr("the run failed"));
  }
  static PJRT_Error* Failure() { return NewFakeError(kCode, "the run failed"); }
};

TEST_F(FakeValueTest, ReadyEventsFail) {
  PluginBuffer value = Result("f32[2]");
  table_.PJRT_Event_Await = [](PJRT_Event_Await_Args*) { return Failure(); };
  ExpectOfProgram(value.ready().Await());
  table_.PJRT_Event_IsReady = [](PJRT_Event_IsReady_Args*) { return Failure(); };
  EXPECT_TRUE(value.ready().IsReady()) << "so that somebody awaits it and learns why";
  table_.PJRT_Buffer_ReadyEvent = [](PJRT_Buffer_ReadyEvent_Args*) { return Failure(); };
  const runtime::Event never = value.ready();
  EXPECT_TRUE(never.IsReady());
  ExpectOfProgram(never.Await());
  absl::Status outcome;
  never.OnReady([&](absl::Status status) { outcome = std::move(status); });
  ExpectOfProgram(outcome);
  EXPECT_EQ(FakeError::live, 0);
}

TEST_F(FakeValueTest, ReadyEventsFailLater) {
  PluginBuffer value = Result("f32[2]");
  absl::Status outcome;
  value.ready().OnReady([&](absl::Status status) { outcome = std::move(status); });
  EXPECT_TRUE(outcome.ok());
  behaviour.waiting.callback(Failure(), behaviour.waiting.user_arg);
  ExpectOfProgram(outcome);
  EXPECT_EQ(FakeError::live, 0);
}

TEST_F(FakeValueTest, CopiesFail) {
  std::vector<std::byte> target(8);
  PluginBuffer value = Result("f32[2]");
  EXPECT_TRUE(value.CopyToHost(absl::MakeSpan(target)).ok());
  table_.PJRT_Event_Await = [](PJRT_Event_Await_Args*) { return Failure(); };
  ExpectOfProgram(value.CopyToHost(absl::MakeSpan(target)));
  table_.PJRT_Buffer_ToHostBuffer = [](PJRT_Buffer_ToHostBuffer_Args*) { return Failure(); };
  ExpectOfProgram(value.CopyToHost(absl::MakeSpan(target)));
  table_.PJRT_Buffer_UnpaddedDimensions = [](PJRT_Buffer_UnpaddedDimensions_Args*) {
    return Failure();
  };
  PluginBuffer dynamic = Result("f32[<=4]");
  ExpectOfProgram(dynamic.DynamicSizes().status());
  std::vector<std::byte> bounds(16);
  ExpectOfProgram(dynamic.CopyToHost(absl::MakeSpan(bounds)));
  EXPECT_EQ(FakeError::live, 0);
}

TEST_F(FakeValueTest, DynamicValuesLargerThanTheirBounds) {
  PluginBuffer value = Result("f32[<=4]");
  std::vector<std::byte> target(16);
  host_bytes = 20;
  const absl::Status status = value.CopyToHost(absl::MakeSpan(target));
  EXPECT_EQ(ErrorIdOf(status), "AX0709");
  EXPECT_THAT(status.message(), HasSubstr("f32[<=4] has 20 bytes on the host"));
  host_bytes = 4;  // and its sizes say two elements
  EXPECT_EQ(ErrorIdOf(value.CopyToHost(absl::MakeSpan(target))), "AX0709");
  host_bytes = 8;
  EXPECT_TRUE(value.CopyToHost(absl::MakeSpan(target)).ok());
  host_bytes = 0;
}

TEST_F(FakeValueTest, OutOfMemoryWhateverItsCode) {
  PluginBuffer value = Result("f32[2]");
  table_.PJRT_Event_Await = [](PJRT_Event_Await_Args*) {
    return NewFakeError(13, "Out of memory allocating 8 bytes");
  };
  const absl::Status status = value.ready().Await();
  EXPECT_EQ(ErrorIdOf(status), "AX0720");
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
}

}  // namespace
}  // namespace axle::pjrt_client
