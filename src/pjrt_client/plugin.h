// SPDX-License-Identifier: Apache-2.0
// Loads a PJRT plugin: any shared library that exports GetPjrtApi.
#ifndef AXLE_PJRT_CLIENT_PLUGIN_H_
#define AXLE_PJRT_CLIENT_PLUGIN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pjrt_client/api.h"
#include "pjrt_client/named_value.h"

namespace axle::pjrt_client {

// The oldest minor version whose table has the order of c_api.h.
inline constexpr int kOldestMinorVersion = 57;

struct LoadOptions {
  // What XLA's plugins log to stderr: 0 all, 1 no infos, 2 errors, 3 only what is fatal. Set in the
  // process's environment (TF_CPP_MIN_LOG_LEVEL) before loading, unless it is set there already;
  // negative leaves the environment alone. The environment must not be read or written by another
  // thread meanwhile.
  int log_level = 3;
};

// A loaded and initialised plugin. Cheap to copy but for the attributes; plugins are never
// unloaded, so that a Plugin and its Api are valid for the life of the process. Thread-safe.
class Plugin {
 public:
  // Loads the library at `path`. Loading the same one again gives the same plugin, initialised
  // once.
  static absl::StatusOr<Plugin> Load(const std::string& path, const LoadOptions& options = {});

  // A plugin that is linked in or made by other means; `name` stands for it in messages. `table`
  // must stay valid for the life of the process.
  static absl::StatusOr<Plugin> FromTable(const PJRT_Api* table, const std::string& name);

  const Api& api() const { return api_; }
  const std::string& name() const { return name_; }  // the path

  // What the plugin tells about itself, e.g. stablehlo_current_version, an int64 list.
  const std::vector<NamedValue>& attributes() const { return attributes_; }
  // Null when there is none.
  const NamedValue* FindAttribute(absl::string_view name) const;

  // Numbers of the extensions that the table carries, in its order.
  std::vector<int> ExtensionTypes() const;

 private:
  Plugin(Api api, std::string name, std::vector<NamedValue> attributes);

  Api api_;
  std::string name_;
  std::vector<NamedValue> attributes_;
};

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_PLUGIN_H_
