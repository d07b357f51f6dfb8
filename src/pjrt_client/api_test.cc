// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/api.h"

#include <stdexcept>
#include <string>

#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pjrt_client/fake_plugin_testing.h"

namespace axle::pjrt_client {
namespace {

using ::testing::HasSubstr;

constexpr auto kCompile = &PJRT_Api::PJRT_Client_Compile;

absl::Status CallCompile(const PJRT_Api& table) {
  Args<PJRT_Client_Compile_Args> args;
  return Api(&table).Call<kCompile>(args);
}

TEST(ArgsTest, ZeroWithTail) {
  Args<PJRT_Event_Await_Args> args;
  EXPECT_EQ(args->struct_size, 24u + 128u);
  const char* bytes = reinterpret_cast<const char*>(args.get());
  for (size_t i = sizeof(size_t); i < args->struct_size; ++i) ASSERT_EQ(bytes[i], 0) << i;
}

TEST(ApiTest, NullIsOk) {
  PJRT_Api table = FakeTable();
  table.PJRT_Client_Compile = [](PJRT_Client_Compile_Args*) -> PJRT_Error* { return nullptr; };
  EXPECT_TRUE(CallCompile(table).ok());
}

TEST(ApiTest, NullSlotIsUnimplemented) {
  const absl::Status status = CallCompile(FakeTable());
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(ErrorIdOf(status), "AX0706");
  EXPECT_THAT(status.message(), HasSubstr("PJRT_Client_Compile"));
  EXPECT_THAT(status.message(), HasSubstr("0.100"));
}

// The slot's memory is not the plugin's: it must not be read.
TEST(ApiTest, SlotBeyondTheTableIsUnimplemented) {
  PJRT_Api table = FakeTable();
  table.PJRT_Client_Compile = [](PJRT_Client_Compile_Args*) -> PJRT_Error* { std::abort(); };
  table.struct_size = offsetof(PJRT_Api, PJRT_Client_Compile);
  EXPECT_EQ(ErrorIdOf(CallCompile(table)), "AX0706");
  table.struct_size += sizeof(void*) - 1;
  EXPECT_EQ(ErrorIdOf(CallCompile(table)), "AX0706");
}

TEST(ApiTest, ErrorKeepsCodeAndWords) {
  PJRT_Api table = FakeTable();
  table.PJRT_Client_Compile = [](PJRT_Client_Compile_Args*) {
    return NewFakeError(8, "out of\nmemory");
  };
  const absl::Status status = CallCompile(table);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "AX0707: PJRT_Client_Compile: out of\nmemory");
  EXPECT_EQ(ErrorIdOf(status), "AX0707");
  EXPECT_EQ(FakeError::live, 0);
}

TEST(ApiTest, CodesOutOfRangeAreUnknown) {
  PJRT_Api table = FakeTable();
  table.PJRT_Client_Compile = [](PJRT_Client_Compile_Args*) { return NewFakeError(0, "fine?"); };
  EXPECT_EQ(CallCompile(table).code(), absl::StatusCode::kUnknown);
  table.PJRT_Client_Compile = [](PJRT_Client_Compile_Args*) { return NewFakeError(17, "new"); };
  EXPECT_EQ(CallCompile(table).code(), absl::StatusCode::kUnknown);
  table.PJRT_Client_Compile = [](PJRT_Client_Compile_Args*) { return NewFakeError(16, "last"); };
  EXPECT_EQ(CallCompile(table).code(), absl::StatusCode::kUnauthenticated);
}

TEST(ApiTest, ErrorAboutAnError) {
  PJRT_Api table = FakeTable();
  table.PJRT_Client_Compile = [](PJRT_Client_Compile_Args*) { return NewFakeError(3, "first"); };
  table.PJRT_Error_GetCode = [](PJRT_Error_GetCode_Args*) { return NewFakeError(3, "second"); };
  const absl::Status status = CallCompile(table);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnknown);
  EXPECT_THAT(status.message(), HasSubstr("first"));
  EXPECT_EQ(FakeError::live, 0);
}

TEST(ApiTest, ExceptionsBecomeInternal) {
  PJRT_Api table = FakeTable();
  table.PJRT_Client_Compile = [](PJRT_Client_Compile_Args*) -> PJRT_Error* {
    throw std::length_error("vector too long");
  };
  absl::Status status = CallCompile(table);
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(status.message(), "AX0708: PJRT_Client_Compile threw: vector too long");
  table.PJRT_Client_Compile = [](PJRT_Client_Compile_Args*) -> PJRT_Error* { throw 7; };
  status = CallCompile(table);
  EXPECT_EQ(status.message(), "AX0708: PJRT_Client_Compile threw: an object of unknown type");
}

}  // namespace
}  // namespace axle::pjrt_client
