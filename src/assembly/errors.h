// SPDX-License-Identifier: Apache-2.0
// Errors of choosing a backend: AX0940-AX0949.
#ifndef AXLE_ASSEMBLY_ERRORS_H_
#define AXLE_ASSEMBLY_ERRORS_H_

#include "base/error.h"

namespace axle::assembly::errors {

inline constexpr ErrorDef kUnknownBackend{
    "AX0940", absl::StatusCode::kNotFound, "No such backend",
    "This build has no backend of the name that was given. The message lists those it has; any "
    "other compiler that comes as a PJRT plugin can be used through the backend `plugin` and the "
    "path of its library."};
inline constexpr ErrorDef kNoPlugin{
    "AX0941", absl::StatusCode::kNotFound, "XLA:CPU plugin not found",
    "The backend `xla-cpu` is XLA's own compiler for processors, a shared library that does not "
    "come with Axle. `scripts/install-deps` fetches it; or set the variable AXLE_XLA_CPU_PLUGIN to "
    "the path of a PJRT plugin for processors."};
inline constexpr ErrorDef kDeviceCount{
    "AX0942", absl::StatusCode::kInvalidArgument, "Impossible number of devices",
    "A backend that computes on the host can be asked to show more than one device, but at least "
    "one, and at most 1024."};
inline constexpr ErrorDef kPluginPath{
    "AX0943", absl::StatusCode::kInvalidArgument, "Path of the plugin missing or not wanted",
    "The backend `plugin` needs the path of a PJRT plugin (`--plugin PATH`); `reference` and "
    "`null` are built in and take none."};

inline constexpr ErrorDef kTable[] = {kUnknownBackend, kNoPlugin, kDeviceCount, kPluginPath};

}  // namespace axle::assembly::errors

#endif  // AXLE_ASSEMBLY_ERRORS_H_
