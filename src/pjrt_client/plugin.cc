// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/plugin.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <exception>
#include <mutex>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "pjrt_client/errors.h"
#include "pjrt_client/shared_library.h"

namespace axle::pjrt_client {
namespace {

// A broken plugin could chain its extensions in a circle.
constexpr int kMostExtensions = 1000;

absl::Status CheckTable(const PJRT_Api* table, const std::string& name) {
  if (table == nullptr) {
    return MakeError(errors::kPluginSymbol,
                     absl::StrCat("'", name, "': ", kGetApiSymbol, " returned null"));
  }
  constexpr size_t kHead = offsetof(PJRT_Api, PJRT_Error_Destroy);
  if (table->struct_size < kHead) {
    return MakeError(errors::kPluginTable,
                     absl::StrCat("'", name, "': the table has ", table->struct_size,
                                  " bytes, its head alone ", kHead));
  }
  const PJRT_Api_Version& version = table->pjrt_api_version;
  if (version.major_version != 0 || version.minor_version < kOldestMinorVersion) {
    return MakeError(
        errors::kPluginVersion,
        absl::StrCat("'", name, "' has version ", version.major_version, ".", version.minor_version,
                     ", expected 0.", kOldestMinorVersion, " or a later 0.x"));
  }
  const Api api(table);
  if (!api.Has<&PJRT_Api::PJRT_Error_Destroy>() || !api.Has<&PJRT_Api::PJRT_Error_Message>() ||
      !api.Has<&PJRT_Api::PJRT_Error_GetCode>()) {
    return MakeError(errors::kPluginTable,
                     absl::StrCat("'", name, "': the functions for errors are missing"));
  }
  return absl::OkStatus();
}

// A library is one per process, and so is its initialisation, whoever loads it.
absl::Status InitializeOnce(const Api& api) {
  static std::mutex mutex;
  static auto* initialized = new absl::flat_hash_set<const PJRT_Api*>();
  const std::lock_guard lock(mutex);
  if (initialized->contains(api.table())) return absl::OkStatus();
  if (api.Has<&PJRT_Api::PJRT_Plugin_Initialize>()) {
    Args<PJRT_Plugin_Initialize_Args> args;
    AXLE_RETURN_IF_ERROR(api.Call<&PJRT_Api::PJRT_Plugin_Initialize>(args));
  }
  initialized->insert(api.table());
  return absl::OkStatus();
}

}  // namespace

Plugin::Plugin(Api api, std::string name, std::vector<NamedValue> attributes)
    : api_(api), name_(std::move(name)), attributes_(std::move(attributes)) {}

absl::StatusOr<Plugin> Plugin::Load(const std::string& path, const LoadOptions& options) {
  if (options.log_level >= 0) {
    const std::string level = absl::StrCat(options.log_level);
    setenv("TF_CPP_MIN_LOG_LEVEL", level.c_str(), /*overwrite=*/0);
  }
  AXLE_ASSIGN_OR_RETURN(void* library, LoadSharedLibrary(path));
  const auto get_api = reinterpret_cast<PJRT_GetApiFunction>(dlsym(library, kGetApiSymbol));
  if (get_api == nullptr) {
    return MakeError(errors::kPluginSymbol,
                     absl::StrCat("'", path, "' doesn't export ", kGetApiSymbol));
  }
  try {
    return FromTable(get_api(), path);
  } catch (const std::exception& exception) {
    return MakeError(errors::kPluginThrew,
                     absl::StrCat("'", path, "': ", kGetApiSymbol, " threw: ", exception.what()));
  }
}

absl::StatusOr<Plugin> Plugin::FromTable(const PJRT_Api* table, const std::string& name) {
  AXLE_RETURN_IF_ERROR(CheckTable(table, name));
  const Api api(table);
  AXLE_RETURN_IF_ERROR(AtPlace(name, InitializeOnce(api)));
  std::vector<NamedValue> attributes;
  if (api.Has<&PJRT_Api::PJRT_Plugin_Attributes>()) {
    Args<PJRT_Plugin_Attributes_Args> args;
    AXLE_RETURN_IF_ERROR(AtPlace(name, api.Call<&PJRT_Api::PJRT_Plugin_Attributes>(args)));
    attributes = FromPjrt(args->attributes, args->num_attributes);
  }
  return Plugin(api, name, std::move(attributes));
}

const NamedValue* Plugin::FindAttribute(absl::string_view name) const {
  for (const NamedValue& attribute : attributes_) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

std::vector<int> Plugin::ExtensionTypes() const {
  std::vector<int> types;
  for (const PJRT_Extension_Base* extension = api_.table()->extension_start;
       extension != nullptr && types.size() < kMostExtensions; extension = extension->next) {
    types.push_back(extension->type);
  }
  return types;
}

}  // namespace axle::pjrt_client
