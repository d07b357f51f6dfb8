// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/executable.h"

#include <algorithm>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "pjrt_client/errors.h"

namespace axle::pjrt_client {
namespace {

// Devices of one run without a heap allocation.
constexpr size_t kInlineDevices = 4;

}  // namespace

LoadedExecutable::LoadedExecutable(std::shared_ptr<const ClientState> client,
                                   PJRT_LoadedExecutable* executable)
    : client_(std::move(client)), loaded_(executable, LoadedDestroyer{client_}) {}

absl::StatusOr<LoadedExecutable> LoadedExecutable::Adopt(std::shared_ptr<const ClientState> client,
                                                         PJRT_LoadedExecutable* executable) {
  LoadedExecutable result(std::move(client), executable);
  const Api& api = result.client_->api;
  Args<PJRT_LoadedExecutable_GetExecutable_Args> plain;
  plain->loaded_executable = executable;
  AXLE_RETURN_IF_ERROR(api.Call<&PJRT_Api::PJRT_LoadedExecutable_GetExecutable>(plain));
  if (plain->executable == nullptr) {
    return MakeError(errors::kPluginAnswer, "PJRT_LoadedExecutable_GetExecutable gave nothing");
  }
  result.plain_ = {plain->executable, PlainDestroyer{result.client_}};
  Args<PJRT_Executable_NumOutputs_Args> outputs;
  outputs->executable = plain->executable;
  AXLE_RETURN_IF_ERROR(api.Call<&PJRT_Api::PJRT_Executable_NumOutputs>(outputs));
  result.num_results_ = outputs->num_outputs;
  AXLE_RETURN_IF_ERROR(result.ReadDevices());
  return result;
}

absl::Status LoadedExecutable::ReadDevices() {
  Args<PJRT_LoadedExecutable_AddressableDevices_Args> args;
  args->executable = loaded_.get();
  AXLE_RETURN_IF_ERROR(
      client_->api.Call<&PJRT_Api::PJRT_LoadedExecutable_AddressableDevices>(args));
  for (size_t i = 0; i < args->num_addressable_devices; ++i) {
    const auto device = std::find_if(
        client_->devices.begin(), client_->devices.end(),
        [&](const Device& known) { return known.handle == args->addressable_devices[i]; });
    if (device == client_->devices.end()) {
      return MakeError(errors::kPluginAnswer,
                       "the program is on a device that the client doesn't have");
    }
    devices_.push_back(&*device);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> LoadedExecutable::Name() const {
  Args<PJRT_Executable_Name_Args> args;
  args->executable = plain_.get();
  AXLE_RETURN_IF_ERROR(client_->api.Call<&PJRT_Api::PJRT_Executable_Name>(args));
  return std::string(args->executable_name, args->executable_name_size);
}

absl::StatusOr<std::vector<PJRT_Buffer_Type>> LoadedExecutable::ResultTypes() const {
  Args<PJRT_Executable_OutputElementTypes_Args> args;
  args->executable = plain_.get();
  AXLE_RETURN_IF_ERROR(client_->api.Call<&PJRT_Api::PJRT_Executable_OutputElementTypes>(args));
  return std::vector<PJRT_Buffer_Type>(args->output_types,
                                       args->output_types + args->num_output_types);
}

absl::StatusOr<std::vector<std::vector<int64_t>>> LoadedExecutable::ResultDimensions() const {
  Args<PJRT_Executable_OutputDimensions_Args> args;
  args->executable = plain_.get();
  AXLE_RETURN_IF_ERROR(client_->api.Call<&PJRT_Api::PJRT_Executable_OutputDimensions>(args));
  std::vector<std::vector<int64_t>> result;
  const int64_t* dims = args->dims;
  for (size_t i = 0; i < args->num_outputs; ++i) {
    result.emplace_back(dims, dims + args->dim_sizes[i]);
    dims += args->dim_sizes[i];
  }
  return result;
}

absl::StatusOr<int64_t> LoadedExecutable::GeneratedCodeBytes() const {
  Args<PJRT_Executable_SizeOfGeneratedCodeInBytes_Args> args;
  args->executable = plain_.get();
  AXLE_RETURN_IF_ERROR(
      client_->api.Call<&PJRT_Api::PJRT_Executable_SizeOfGeneratedCodeInBytes>(args));
  return args->size_in_bytes;
}

absl::StatusOr<MemoryStats> LoadedExecutable::GetMemoryStats() const {
  Args<PJRT_Executable_GetCompiledMemoryStats_Args> args;
  args->executable = plain_.get();
  AXLE_RETURN_IF_ERROR(client_->api.Call<&PJRT_Api::PJRT_Executable_GetCompiledMemoryStats>(args));
  MemoryStats stats;
  stats.generated_code = args->generated_code_size_in_bytes;
  stats.arguments = args->argument_size_in_bytes;
  stats.results = args->output_size_in_bytes;
  stats.aliased = args->alias_size_in_bytes;
  stats.temporaries = args->temp_size_in_bytes;
  stats.peak = args->peak_memory_in_bytes;
  return stats;
}

absl::StatusOr<std::string> LoadedExecutable::Fingerprint() const {
  Args<PJRT_Executable_Fingerprint_Args> args;
  args->executable = plain_.get();
  AXLE_RETURN_IF_ERROR(client_->api.Call<&PJRT_Api::PJRT_Executable_Fingerprint>(args));
  return std::string(args->executable_fingerprint, args->executable_fingerprint_size);
}

absl::Status LoadedExecutable::CheckLaunches(absl::Span<const DeviceLaunch> launches,
                                             const ExecuteOptions& options) const {
  const auto fail = [](auto... parts) {
    return MakeError(errors::kExecuteArguments, absl::StrCat(parts...));
  };
  const size_t wanted = options.device == nullptr ? devices_.size() : 1;
  if (launches.size() != wanted || wanted == 0) {
    return fail(launches.size(), " launches for a program that needs ", wanted,
                wanted == 0 ? "; a portable program needs a device" : "");
  }
  for (size_t i = 0; i < launches.size(); ++i) {
    const DeviceLaunch& launch = launches[i];
    if (launch.results.size() != num_results_) {
      return fail("launch ", i, " has room for ", launch.results.size(),
                  " results, the program has ", num_results_);
    }
    if (launch.arguments.size() != launches[0].arguments.size()) {
      return fail("launch ", i, " has ", launch.arguments.size(), " arguments, launch 0 has ",
                  launches[0].arguments.size());
    }
    for (size_t k = 0; k < launch.arguments.size(); ++k) {
      if (launch.arguments[k] == nullptr) return fail("argument ", k, " of launch ", i, " is null");
    }
  }
  return absl::OkStatus();
}

absl::Status LoadedExecutable::Execute(absl::Span<const DeviceLaunch> launches,
                                       const ExecuteOptions& options) const {
  AXLE_RETURN_IF_ERROR(CheckLaunches(launches, options));
  absl::InlinedVector<PJRT_Buffer* const*, kInlineDevices> arguments;
  absl::InlinedVector<PJRT_Buffer**, kInlineDevices> results;
  absl::InlinedVector<PJRT_Event*, kInlineDevices> events(launches.size(), nullptr);
  bool want_events = false;
  for (const DeviceLaunch& launch : launches) {
    arguments.push_back(launch.arguments.data());
    results.push_back(launch.results.data());
    std::fill(launch.results.begin(), launch.results.end(), nullptr);
    want_events |= launch.done != nullptr;
  }
  Args<PJRT_ExecuteOptions> execute_options;
  execute_options->launch_id = options.launch_id;
  execute_options->non_donatable_input_indices = options.non_donatable_inputs.data();
  execute_options->num_non_donatable_input_indices = options.non_donatable_inputs.size();
  Args<PJRT_LoadedExecutable_Execute_Args> args;
  args->executable = loaded_.get();
  args->options = execute_options.get();
  args->argument_lists = arguments.data();
  args->num_devices = launches.size();
  args->num_args = launches[0].arguments.size();
  args->output_lists = results.data();
  args->device_complete_events = want_events ? events.data() : nullptr;
  args->execute_device = options.device == nullptr ? nullptr : options.device->handle;
  AXLE_RETURN_IF_ERROR(client_->api.Call<&PJRT_Api::PJRT_LoadedExecutable_Execute>(args));
  for (size_t i = 0; i < launches.size(); ++i) {
    Event done(client_->api, events[i]);
    if (launches[i].done != nullptr) *launches[i].done = std::move(done);
  }
  return absl::OkStatus();
}

Buffer LoadedExecutable::Own(PJRT_Buffer* result) const { return Buffer(client_, result); }

Buffer LoadedExecutable::OwnInClient(PJRT_Buffer* result) const {
  return Buffer(std::shared_ptr<const ClientState>(std::shared_ptr<void>(), client_.get()), result);
}

absl::Status LoadedExecutable::Delete() const {
  Args<PJRT_LoadedExecutable_Delete_Args> args;
  args->executable = loaded_.get();
  return client_->api.Call<&PJRT_Api::PJRT_LoadedExecutable_Delete>(args);
}

absl::StatusOr<bool> LoadedExecutable::IsDeleted() const {
  Args<PJRT_LoadedExecutable_IsDeleted_Args> args;
  args->executable = loaded_.get();
  AXLE_RETURN_IF_ERROR(client_->api.Call<&PJRT_Api::PJRT_LoadedExecutable_IsDeleted>(args));
  return args->is_deleted;
}

}  // namespace axle::pjrt_client
