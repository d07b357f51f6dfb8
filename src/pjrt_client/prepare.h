// SPDX-License-Identifier: Apache-2.0
// What a verified module goes through before a plugin sees it: refusals of what would kill or hang
// XLA, then the passes that keep it on the paths it is tested on. One short function lists them.
#ifndef AXLE_PJRT_CLIENT_PREPARE_H_
#define AXLE_PJRT_CLIENT_PREPARE_H_

#include "absl/status/statusor.h"
#include "custom_calls/registry.h"
#include "hlo/module.h"

namespace axle::pjrt_client {

struct PrepareOptions {
  bool is_xla_cpu = true;  // the plugin's platform is "cpu"
  int minor_version = 0;   // of the plugin's C API; decides which element types it knows
  const custom_calls::Registry* custom_calls = nullptr;  // what the plugin may be asked for
};

// `module` is verified and its entry flat; the result is too. Errors: AX0609 and AX0870 (custom
// calls), AX0712 (element types), AX0717 to AX0719, AX0721 to AX0723.
absl::StatusOr<hlo::Module> PrepareForPlugin(const hlo::Module& module,
                                             const PrepareOptions& options);

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_PREPARE_H_
