// SPDX-License-Identifier: Apache-2.0
// The backends of this build by name: the only place that knows them all.
#ifndef AXLE_ASSEMBLY_BACKENDS_H_
#define AXLE_ASSEMBLY_BACKENDS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/backend.h"

namespace axle::assembly {

struct BackendOptions {
  std::string
      plugin_path;       // a PJRT plugin; for "xla-cpu" and "plugin". Empty: see FindXlaCpuPlugin
  int device_count = 1;  // virtual devices, for backends that compute on the host
};

struct BackendInfo {
  absl::string_view name;
  absl::string_view doc;  // one line
};

// Every name CreateBackend takes.
absl::Span<const BackendInfo> BackendList();

// Makes a backend. Errors: AX0940 for an unknown name, AX0941 where no plugin is found for
// "xla-cpu", AX0942 for a device count below 1; the plugin's own.
absl::StatusOr<std::shared_ptr<runtime::Backend>> CreateBackend(absl::string_view name,
                                                                const BackendOptions& options = {});

// Where the XLA:CPU plugin lies: the variable AXLE_XLA_CPU_PLUGIN, else what scripts/install-deps
// wrote down when this build was configured. Error AX0941 says how to get it.
absl::StatusOr<std::string> FindXlaCpuPlugin();

}  // namespace axle::assembly

#endif  // AXLE_ASSEMBLY_BACKENDS_H_
