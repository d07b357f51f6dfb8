// SPDX-License-Identifier: Apache-2.0
// The client on a made-up plugin: answers that real ones don't give on demand, and what a launch
// costs beside the plugin.
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>

#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pjrt_client/client.h"
#include "pjrt_client/fake_client_testing.h"

// Sanitizers have an operator new of their own, which must not be mixed with another.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define AXLE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define AXLE_SANITIZED 1
#endif
#endif

namespace {
thread_local int64_t allocations = 0;
}  // namespace

#ifndef AXLE_SANITIZED
// Counts, to show that launches allocate nothing. Inlined, g++ would take malloc and delete for a
// mismatch.
__attribute__((noinline)) void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, size_t) noexcept { std::free(memory); }
#endif

namespace axle::pjrt_client {
namespace {

using ::testing::HasSubstr;

TEST_F(FakeClientTest, SuccessWithoutObjects) {
  const auto client = NewClient();
  ASSERT_TRUE(client.ok()) << client.status();
  behaviour.gives_objects = false;
  EXPECT_EQ(ErrorIdOf(NewClient().status()), "AX0709");
  const uint8_t byte = 1;
  const HostArray array = {PJRT_Buffer_Type_U8, {}, {&byte, 1}};
  EXPECT_EQ(
      ErrorIdOf(client->BufferFromHost(array, client->devices()[0], HostMemory::kShared).status()),
      "AX0709");
  EXPECT_EQ(ErrorIdOf(client->Compile(ProgramFormat::kHloProto, "x", {}).status()), "AX0709");
}

TEST_F(FakeClientTest, NoDevices) {
  behaviour.devices = 0;
  const absl::Status status = NewClient().status();
  EXPECT_EQ(ErrorIdOf(status), "AX0711");
  EXPECT_THAT(status.message(), HasSubstr("'fake'"));
}

TEST_F(FakeClientTest, MemoriesAreOptional) {
  const auto client = NewClient();
  ASSERT_TRUE(client.ok()) << client.status();
  EXPECT_TRUE(client->devices()[0].memories.empty());
  EXPECT_EQ(client->devices()[0].default_memory, -1);
  EXPECT_TRUE(absl::IsUnimplemented(client->GetDeviceMemory(client->devices()[0]).status()));
}

TEST_F(FakeClientTest, DeviceMemory) {
  table_.PJRT_Device_MemoryStats = [](PJRT_Device_MemoryStats_Args* a) {
    a->bytes_in_use = 7;
    a->bytes_limit = 9;
    a->bytes_limit_is_set = a->device == kDevices[1];
    return kOk;
  };
  behaviour.devices = 2;
  const auto client = NewClient();
  ASSERT_TRUE(client.ok()) << client.status();
  Device device = client->devices()[0];
  EXPECT_EQ(client->GetDeviceMemory(device)->bytes_in_use, 7);
  EXPECT_EQ(client->GetDeviceMemory(device)->bytes_limit, std::nullopt);
  device.handle = kDevices[1];
  EXPECT_EQ(client->GetDeviceMemory(device)->bytes_limit, 9);
}

TEST_F(FakeClientTest, PortableProgramsNeedADevice) {
  behaviour.program_devices = 0;
  const auto client = NewClient();
  const auto program = client->Compile(ProgramFormat::kHloProto, "x", {});
  ASSERT_TRUE(program.ok()) << program.status();
  PJRT_Buffer* results[1];
  const absl::Status status = program->Execute({DeviceLaunch{{}, absl::MakeSpan(results)}});
  EXPECT_EQ(ErrorIdOf(status), "AX0716");
  EXPECT_THAT(status.message(), HasSubstr("needs a device"));
}

TEST_F(FakeClientTest, LaunchesHaveTheSameNumberOfArguments) {
  behaviour.devices = behaviour.program_devices = 2;
  const auto client = NewClient();
  const auto program = client->Compile(ProgramFormat::kHloProto, "x", {});
  ASSERT_TRUE(program.ok()) << program.status();
  PJRT_Buffer* arguments[] = {Object<PJRT_Buffer>()};
  PJRT_Buffer* results[2];
  const absl::Status status = program->Execute(
      {{arguments, absl::MakeSpan(&results[0], 1)}, {{}, absl::MakeSpan(&results[1], 1)}});
  EXPECT_EQ(ErrorIdOf(status), "AX0716");
  EXPECT_THAT(status.message(), HasSubstr("launch 1 has 0 arguments, launch 0 has 1"));
}

TEST_F(FakeClientTest, LaunchesAllocateNothing) {
  const auto client = NewClient();
  const auto program = client->Compile(ProgramFormat::kHloProto, "x", {});
  ASSERT_TRUE(program.ok()) << program.status();
  PJRT_Buffer* arguments[] = {Object<PJRT_Buffer>(), Object<PJRT_Buffer>()};
  PJRT_Buffer* results[1];
#ifdef AXLE_SANITIZED
  GTEST_SKIP() << "allocations are not counted under a sanitizer";
#endif
  const int64_t before = allocations;
  ASSERT_GT(before, 0);
  {
    Event done;
    const absl::Status status =
        program->Execute({DeviceLaunch{arguments, absl::MakeSpan(results), &done}});
    const Buffer result = program->Own(results[0]);
    EXPECT_TRUE(status.ok());
  }
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(behaviour.destroyed_buffers, 1);
  EXPECT_EQ(behaviour.destroyed_events, 1);
}

TEST_F(FakeClientTest, CallbackLaterWithTheEventAlive) {
  const Api api(&table_);
  absl::Status outcome = absl::UnknownError("not called");
  Event(api, Object<PJRT_Event>()).OnReady([&](absl::Status status) { outcome = status; });
  EXPECT_EQ(outcome.message(), "not called");
  EXPECT_EQ(behaviour.destroyed_events, 0);
  behaviour.waiting.callback(NewFakeError(13, "the run failed"), behaviour.waiting.user_arg);
  EXPECT_EQ(outcome.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(outcome.message(), HasSubstr("the run failed"));
  EXPECT_EQ(behaviour.destroyed_events, 1);
  EXPECT_EQ(FakeError::live, 0);
}

TEST_F(FakeClientTest, CallbackAtOnceWhenThePluginRefuses) {
  table_.PJRT_Event_OnReady = nullptr;
  absl::Status outcome;
  Event(Api(&table_), Object<PJRT_Event>()).OnReady([&](absl::Status status) { outcome = status; });
  EXPECT_EQ(ErrorIdOf(outcome), "AX0706");
  EXPECT_EQ(behaviour.destroyed_events, 1);
}

TEST_F(FakeClientTest, NoEventIsReady) {
  EXPECT_TRUE(Event().Await().ok());
  EXPECT_TRUE(*Event().IsReady());
  absl::Status outcome = absl::UnknownError("not called");
  Event().OnReady([&](absl::Status status) { outcome = status; });
  EXPECT_TRUE(outcome.ok());
}

}  // namespace
}  // namespace axle::pjrt_client
