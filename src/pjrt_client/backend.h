// SPDX-License-Identifier: Apache-2.0
// A PJRT plugin as a backend of the runtime.
//
// What a program goes through on its way to the plugin is in prepare.h. Values are row-major in the
// plugin's default memory of a device. Runs are asynchronous as far as the plugin makes them so.
#ifndef AXLE_PJRT_CLIENT_BACKEND_H_
#define AXLE_PJRT_CLIENT_BACKEND_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "custom_calls/registry.h"
#include "pjrt_client/named_value.h"
#include "pjrt_client/plugin.h"
#include "runtime/backend.h"

namespace axle::pjrt_client {

struct BackendOptions {
  std::string name = "xla-cpu";
  std::string plugin_path;
  // How many devices XLA:CPU shall pretend to be, 1 to 1024. Plugins for hardware show what is
  // there; they refuse more than 1.
  int device_count = 1;
  // Anything else that the plugin takes.
  std::vector<NamedValue> client_options;
  // Custom calls that the plugin may be asked for; null: those that XLA's compilers expand by
  // themselves.
  std::shared_ptr<const custom_calls::Registry> custom_calls;
};

// Loads the plugin (once a process, see Plugin::Load) and makes a client. Errors: AX0700 to AX0711,
// and the plugin's own.
absl::StatusOr<std::shared_ptr<runtime::Backend>> CreateBackend(const BackendOptions& options);

// The same with a plugin that is loaded already; options.plugin_path is not used.
absl::StatusOr<std::shared_ptr<runtime::Backend>> CreateBackend(const Plugin& plugin,
                                                                const BackendOptions& options);

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_BACKEND_H_
