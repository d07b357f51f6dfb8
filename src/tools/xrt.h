// SPDX-License-Identifier: Apache-2.0
// What `axle xrt` and `axle stats` share: flags, and running scripts.
#ifndef AXLE_TOOLS_XRT_H_
#define AXLE_TOOLS_XRT_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/backend_flags.h"
#include "tools/command.h"
#include "tools/console.h"
#include "tools/json.h"
#include "xrt_script/runner.h"

namespace axle::tools {

struct XrtFlags {
  BackendFlags backend;
  int64_t device_bytes = std::numeric_limits<int64_t>::max();
  int64_t cache_bytes = int64_t{1} << 30;
  std::string programs;  // folder; empty: the script's

  std::vector<Flag> Flags(Console& console);
};

// Of one script, in JSON: "script", "results", "differences", and "error" if it has one.
struct XrtOutcome {
  ExitCode code = ExitCode::kOk;
  Json json;
  std::unique_ptr<xrt_script::Runner> runner;  // null when the script could not be read
};

// Runs a script in a store of its own. Prints results, differences and the error, unless in JSON.
XrtOutcome RunXrtScript(const std::string& path, const std::shared_ptr<runtime::Backend>& backend,
                        const XrtFlags& flags, Console& console);

}  // namespace axle::tools

#endif  // AXLE_TOOLS_XRT_H_
