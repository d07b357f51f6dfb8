// SPDX-License-Identifier: Apache-2.0
// axle devices: the backends of this build and their devices.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "assembly/backends.h"
#include "base/status_macros.h"
#include "runtime/backend.h"
#include "tools/backend_flags.h"
#include "tools/command.h"
#include "tools/json.h"

namespace axle::tools {
namespace {

Json BackendJson(const runtime::Backend& backend) {
  Json devices = Json::array();
  for (const auto& device : backend.devices()) {
    devices.push_back(
        {{"id", device->id()}, {"kind", device->kind()}, {"description", device->description()}});
  }
  return {{"name", backend.name()},
          {"version", backend.version()},
          {"available", true},
          {"devices", std::move(devices)}};
}

std::string BackendText(const runtime::Backend& backend) {
  std::string text = absl::StrFormat("%-10s version %s\n", backend.name(), backend.version());
  for (const auto& device : backend.devices()) {
    absl::StrAppendFormat(&text, "  device %-3d %s (%s)\n", device->id(), device->description(),
                          device->kind());
  }
  return text;
}

// Every backend that needs no more than its name.
void ListAll(int device_count, Console& console) {
  Json list = Json::array();
  for (const assembly::BackendInfo& info : assembly::BackendList()) {
    if (info.name == "plugin") continue;
    const auto backend = assembly::CreateBackend(info.name, {.device_count = device_count});
    if (console.json) {
      list.push_back(backend.ok() ? BackendJson(**backend)
                                  : Json{{"name", Text(info.name)},
                                         {"available", false},
                                         {"error", ErrorJson(backend.status())}});
      continue;
    }
    console.Print(backend.ok() ? BackendText(**backend)
                               : absl::StrFormat("%-10s not available: %s\n", info.name,
                                                 backend.status().message()));
  }
  if (console.json) console.PrintJson({{"backends", std::move(list)}});
}

}  // namespace

absl::StatusOr<ExitCode> DevicesCommand(const Invocation& invocation) {
  Console& console = invocation.console;
  BackendFlags chosen;
  std::vector<Flag> flags = chosen.Flags();
  flags.push_back({"--json", "", "Prints one JSON object.", &console.json});
  AXLE_ASSIGN_OR_RETURN(const auto operands, invocation.Parse(flags));
  if (!operands.has_value()) return ExitCode::kOk;

  if (chosen.backend.empty() && chosen.plugin.empty()) {
    ListAll(static_cast<int>(chosen.device_count), console);
    return ExitCode::kOk;
  }
  AXLE_ASSIGN_OR_RETURN(const std::shared_ptr<runtime::Backend> backend, chosen.Create());
  if (console.json) {
    console.PrintJson({{"backends", Json::array({BackendJson(*backend)})}});
  } else {
    console.Print(BackendText(*backend));
  }
  return ExitCode::kOk;
}

}  // namespace axle::tools
