// SPDX-License-Identifier: Apache-2.0
// A function table made by tests, for what real plugins don't do on demand, and where to find real
// plugins.
#ifndef AXLE_PJRT_CLIENT_FAKE_PLUGIN_TESTING_H_
#define AXLE_PJRT_CLIENT_FAKE_PLUGIN_TESTING_H_

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "absl/strings/string_view.h"
#include "pjrt_client/c_api.h"

namespace axle::pjrt_client {

struct FakeError {
  int code;
  std::string message;
  static inline int live = 0;
  FakeError(int code_in, std::string message_in) : code(code_in), message(std::move(message_in)) {
    ++live;
  }
  ~FakeError() { --live; }
};

inline PJRT_Error* NewFakeError(int code, const std::string& message) {
  return reinterpret_cast<PJRT_Error*>(new FakeError(code, message));
}

// A table of version 0.100 with the error functions and nothing else.
inline PJRT_Api FakeTable() {
  PJRT_Api table;
  std::memset(static_cast<void*>(&table), 0, sizeof(table));
  table.struct_size = sizeof(table);
  table.pjrt_api_version.struct_size = sizeof(table.pjrt_api_version);
  table.pjrt_api_version.minor_version = 100;
  table.PJRT_Error_Destroy = [](PJRT_Error_Destroy_Args* args) {
    delete reinterpret_cast<FakeError*>(args->error);
  };
  table.PJRT_Error_Message = [](PJRT_Error_Message_Args* args) {
    const auto* error = reinterpret_cast<const FakeError*>(args->error);
    args->message = error->message.data();
    args->message_size = error->message.size();
  };
  table.PJRT_Error_GetCode = [](PJRT_Error_GetCode_Args* args) -> PJRT_Error* {
    args->code = reinterpret_cast<const FakeError*>(args->error)->code;
    return nullptr;
  };
  return table;
}

// Paths of the plugins that scripts/install-deps unpacks. The first can be set in the environment.
inline std::string NewestPluginPath() {
  if (const char* path = std::getenv("AXLE_XLA_CPU_PLUGIN")) return path;
  return AXLE_SOURCE_DIR "/.deps/lammps-jax-pjrt-cpu/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so";
}
inline std::string OldestPluginPath() {
  return AXLE_SOURCE_DIR "/.deps/xla-cpu-pjrt/xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so";
}

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_FAKE_PLUGIN_TESTING_H_
