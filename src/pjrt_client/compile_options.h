// SPDX-License-Identifier: Apache-2.0
// How a plugin shall compile a program.
#ifndef AXLE_PJRT_CLIENT_COMPILE_OPTIONS_H_
#define AXLE_PJRT_CLIENT_COMPILE_OPTIONS_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"

namespace axle::pjrt_client {

// Sets one of XLA's debug options by its name, once. XLA refuses names that it doesn't know.
struct OptionOverride {
  std::string name;
  std::variant<std::string, bool, int64_t, double> value;
};

struct CompileOptions {
  int64_t num_replicas = 1;
  int64_t num_partitions = 1;
  bool use_spmd_partitioning = false;  // needed for more than one partition

  // Devices to run on, by Device::id: num_replicas x num_partitions, replica by replica. Empty: the
  // plugin chooses.
  std::vector<int64_t> device_ids;

  // The program names no device; each launch does (ExecuteOptions::device). One replica and
  // partition only.
  bool portable = false;

  // XLA:CPU's quick min and max lose NaN, which is wrong for HLO.
  std::vector<OptionOverride> overrides = {{"xla_cpu_enable_fast_min_max", false}};
};

// The bytes of the CompileOptionsProto (fields: SerializeCompileOptions in the .cc), the same for
// the same options. Never empty, since plugins abort on that. Errors: InvalidArgument.
absl::StatusOr<std::string> SerializeCompileOptions(const CompileOptions& options);

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_COMPILE_OPTIONS_H_
