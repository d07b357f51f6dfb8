// SPDX-License-Identifier: Apache-2.0
// The flags by which subcommands choose a backend and one of its devices.
#ifndef AXLE_TOOLS_BACKEND_FLAGS_H_
#define AXLE_TOOLS_BACKEND_FLAGS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/session.h"
#include "tools/flags.h"

namespace axle::tools {

struct BackendFlags {
  std::string backend;
  std::string plugin;
  int64_t device = 0;
  int64_t device_count = 1;

  // --backend, --plugin and --device-count, which set this object.
  std::vector<Flag> Flags();
  // The same and --device, for subcommands that run on one device.
  std::vector<Flag> FlagsWithDevice();

  // The backend that was asked for; `reference` when none was. Errors: AX0955, assembly's.
  absl::StatusOr<std::shared_ptr<runtime::Backend>> Create() const;
  // A session on it, for one command.
  absl::StatusOr<std::shared_ptr<runtime::Session>> OpenSession() const;
};

}  // namespace axle::tools

#endif  // AXLE_TOOLS_BACKEND_FLAGS_H_
