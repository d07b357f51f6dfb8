// SPDX-License-Identifier: Apache-2.0
#include "tools/backend_flags.h"

#include "assembly/backends.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "tools/errors.h"

namespace axle::tools {

std::vector<Flag> BackendFlags::Flags() {
  return {
      {"--backend", "NAME", "Backend that runs it; axle devices lists them. Default: reference.",
       &backend},
      {"--plugin", "PATH", "A PJRT plugin (shared library) as backend.", &plugin},
      {.name = "--device-count",
       .value = "N",
       .help = "Devices that a backend on the host shows. Default: 1.",
       .target = &device_count,
       .least = 1},
  };
}

std::vector<Flag> BackendFlags::FlagsWithDevice() {
  std::vector<Flag> flags = Flags();
  flags.push_back({"--device", "N", "Number of the device. Default: 0.", &device});
  return flags;
}

absl::StatusOr<std::shared_ptr<runtime::Backend>> BackendFlags::Create() const {
  if (!backend.empty() && !plugin.empty()) {
    return MakeError(errors::kFlagConflict, "--backend and --plugin exclude each other");
  }
  const assembly::BackendOptions options{plugin, static_cast<int>(device_count)};
  if (!plugin.empty()) return assembly::CreateBackend("plugin", options);
  return assembly::CreateBackend(backend.empty() ? "reference" : backend, options);
}

absl::StatusOr<std::shared_ptr<runtime::Session>> BackendFlags::OpenSession() const {
  AXLE_ASSIGN_OR_RETURN(auto backend, Create());
  return runtime::Store::Create(std::move(backend), {})->OpenSession({.name = "axle"});
}

}  // namespace axle::tools
