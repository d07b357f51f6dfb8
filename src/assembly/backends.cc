// SPDX-License-Identifier: Apache-2.0
#include "assembly/backends.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "assembly/errors.h"
#include "base/error.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "null/null.h"
#include "pjrt_client/backend.h"
#include "reference/reference.h"

namespace axle::assembly {
namespace {

using BackendOr = absl::StatusOr<std::shared_ptr<runtime::Backend>>;

constexpr char kPluginVariable[] = "AXLE_XLA_CPU_PLUGIN";
// Where scripts/install-deps writes the path of the plugin that it fetched.
constexpr char kPluginPathFile[] = AXLE_SOURCE_DIR "/.deps/xla-cpu-plugin.path";
constexpr int kMaxDevices = 1024;

absl::Status RefusePlugin(absl::string_view name, const BackendOptions& options) {
  if (options.plugin_path.empty()) return absl::OkStatus();
  return MakeError(errors::kPluginPath, absl::StrCat("backend ", name, " takes no plugin, ",
                                                     options.plugin_path, " was given"));
}

BackendOr CreateReference(const BackendOptions& options) {
  AXLE_RETURN_IF_ERROR(RefusePlugin("reference", options));
  return reference::Create({.device_count = options.device_count});
}

BackendOr CreateNull(const BackendOptions& options) {
  AXLE_RETURN_IF_ERROR(RefusePlugin("null", options));
  return null::Create({.device_count = options.device_count});
}

BackendOr CreatePlugin(absl::string_view name, std::string path, const BackendOptions& options) {
  pjrt_client::BackendOptions plugin;
  plugin.name = std::string(name);
  plugin.plugin_path = std::move(path);
  plugin.device_count = options.device_count;
  return pjrt_client::CreateBackend(plugin);
}

BackendOr CreateXlaCpu(const BackendOptions& options) {
  std::string path = options.plugin_path;
  if (path.empty()) {
    AXLE_ASSIGN_OR_RETURN(path, FindXlaCpuPlugin());
  }
  return CreatePlugin("xla-cpu", std::move(path), options);
}

BackendOr CreateAnyPlugin(const BackendOptions& options) {
  if (options.plugin_path.empty()) {
    return MakeError(errors::kPluginPath, "backend plugin needs the path of a PJRT plugin");
  }
  return CreatePlugin("plugin", options.plugin_path, options);
}

constexpr BackendInfo kBackends[] = {
    {"reference", "Axle's evaluator: slow, exact, always there"},
    {"null", "returns zeros; for measurements and as a skeleton"},
    {"xla-cpu", "XLA's compiler for processors, through a PJRT plugin"},
    {"plugin", "any PJRT plugin, by the path of its library"},
};
// In the order of kBackends.
constexpr BackendOr (*kCreators[])(const BackendOptions&) = {CreateReference, CreateNull,
                                                             CreateXlaCpu, CreateAnyPlugin};
static_assert(std::size(kBackends) == std::size(kCreators));

}  // namespace

absl::Span<const BackendInfo> BackendList() { return kBackends; }

BackendOr CreateBackend(absl::string_view name, const BackendOptions& options) {
  const auto found = std::find_if(std::begin(kBackends), std::end(kBackends),
                                  [&](const BackendInfo& info) { return info.name == name; });
  if (found == std::end(kBackends)) {
    const auto append = [](std::string* out, const BackendInfo& info) {
      absl::StrAppend(out, info.name);
    };
    return MakeError(errors::kUnknownBackend, absl::StrCat("no backend ", name, "; there are ",
                                                           absl::StrJoin(kBackends, ", ", append)));
  }
  if (options.device_count < 1 || options.device_count > kMaxDevices) {
    return MakeError(errors::kDeviceCount,
                     absl::StrCat(options.device_count, " devices, expected 1 to ", kMaxDevices));
  }
  return kCreators[found - std::begin(kBackends)](options);
}

absl::StatusOr<std::string> FindXlaCpuPlugin() {
  const char* variable = std::getenv(kPluginVariable);
  if (variable != nullptr && *variable != '\0') return std::string(variable);
  const absl::StatusOr<std::string> content = ReadFile(kPluginPathFile);
  const std::string path =
      content.ok() ? std::string(absl::StripAsciiWhitespace(*content)) : std::string();
  if (path.empty()) {
    return MakeError(
        errors::kNoPlugin,
        absl::StrCat("no XLA:CPU plugin: ", kPluginVariable, " is not set and ", kPluginPathFile,
                     " names none; scripts/install-deps fetches the plugin"));
  }
  return path;
}

}  // namespace axle::assembly
