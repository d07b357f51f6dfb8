// SPDX-License-Identifier: Apache-2.0
#include "assembly/backends.h"

#include <cstdlib>
#include <string>

#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::assembly {
namespace {

using ::testing::HasSubstr;

TEST(BackendsTest, BuiltInBackendsByName) {
  for (const char* name : {"reference", "null"}) {
    const auto backend = CreateBackend(name, {.device_count = 3});
    ASSERT_TRUE(backend.ok()) << backend.status();
    EXPECT_EQ((*backend)->name(), name);
    EXPECT_EQ((*backend)->devices().size(), 3);
  }
}

TEST(BackendsTest, EveryListedNameIsKnown) {
  for (const BackendInfo& info : BackendList()) {
    EXPECT_FALSE(info.doc.empty()) << info.name;
    EXPECT_NE(ErrorIdOf(CreateBackend(info.name, {.device_count = 0}).status()), "AX0940");
  }
}

TEST(BackendsTest, UnknownNameListsTheOthers) {
  const auto backend = CreateBackend("gpu");
  EXPECT_EQ(ErrorIdOf(backend.status()), "AX0940");
  EXPECT_THAT(std::string(backend.status().message()),
              HasSubstr("no backend gpu; there are reference, null, xla-cpu, plugin"));
}

TEST(BackendsTest, DeviceCounts) {
  for (const int count : {-1, 0, 1025}) {
    EXPECT_EQ(ErrorIdOf(CreateBackend("null", {.device_count = count}).status()), "AX0942");
  }
  EXPECT_TRUE(CreateBackend("null", {.device_count = 1024}).ok());
}

TEST(BackendsTest, PluginPathWhereItBelongs) {
  EXPECT_EQ(ErrorIdOf(CreateBackend("plugin").status()), "AX0943");
  EXPECT_EQ(ErrorIdOf(CreateBackend("reference", {.plugin_path = "x.so"}).status()), "AX0943");
  EXPECT_EQ(ErrorIdOf(CreateBackend("null", {.plugin_path = "x.so"}).status()), "AX0943");
  // The plugin's loader says what is wrong with the file.
  for (const char* name : {"plugin", "xla-cpu"}) {
    const auto backend = CreateBackend(name, {.plugin_path = "/no/such.so"});
    EXPECT_EQ(ErrorIdOf(backend.status()), "AX0700");
    EXPECT_THAT(std::string(backend.status().message()), HasSubstr("/no/such.so"));
  }
}

TEST(FindXlaCpuPluginTest, TheVariableComesFirst) {
  const char* const before = std::getenv("AXLE_XLA_CPU_PLUGIN");
  const std::string saved = before == nullptr ? "" : before;
  setenv("AXLE_XLA_CPU_PLUGIN", "/some/plugin.so", 1);
  EXPECT_EQ(*FindXlaCpuPlugin(), "/some/plugin.so");
  // Unset and empty are the same: then it is what install-deps fetched, or an error that helps.
  setenv("AXLE_XLA_CPU_PLUGIN", "", 1);
  const auto found = FindXlaCpuPlugin();
  if (found.ok()) {
    EXPECT_THAT(*found, HasSubstr("/.deps/"));
  } else {
    EXPECT_EQ(ErrorIdOf(found.status()), "AX0941");
    EXPECT_THAT(std::string(found.status().message()), HasSubstr("scripts/install-deps"));
  }
  setenv("AXLE_XLA_CPU_PLUGIN", saved.c_str(), 1);
}

}  // namespace
}  // namespace axle::assembly
