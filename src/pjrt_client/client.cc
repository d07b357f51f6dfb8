// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/client.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "pjrt_client/buffer_type.h"
#include "pjrt_client/errors.h"

namespace axle::pjrt_client {
namespace {

constexpr absl::string_view kDeviceCount = "cpu_device_count";
constexpr absl::string_view kAsynchronous = "asynchronous";
constexpr int64_t kMostCpuDevices = 1024;

// Options whose bad values crash XLA:CPU's plugins.
absl::Status CheckOption(const NamedValue& option) {
  if (option.name == kDeviceCount) {
    const auto* count = std::get_if<int64_t>(&option.value);
    if (count == nullptr || *count < 1 || *count > kMostCpuDevices) {
      return MakeError(errors::kClientOption,
                       absl::StrCat(kDeviceCount, " must be an integer from 1 to ", kMostCpuDevices,
                                    count == nullptr ? "" : absl::StrCat(", not ", *count)));
    }
  }
  if (option.name == kAsynchronous && !std::holds_alternative<bool>(option.value)) {
    return MakeError(errors::kClientOption, absl::StrCat(kAsynchronous, " must be true or false"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<NamedValue>> CheckedOptions(const ClientOptions& options) {
  std::vector<NamedValue> values = options.others;
  if (options.cpu_device_count.has_value()) {
    values.push_back({std::string(kDeviceCount), *options.cpu_device_count});
  }
  for (const NamedValue& value : values) AXLE_RETURN_IF_ERROR(CheckOption(value));
  return values;
}

// Calls a slot that answers a string of `object`.
template <auto kSlot, auto kObject, auto kText, auto kSize, typename T, typename Object>
absl::StatusOr<std::string> Text(const Api& api, Object* object) {
  Args<T> args;
  args.get()->*kObject = object;
  AXLE_RETURN_IF_ERROR(api.Call<kSlot>(args));
  return std::string(args.get()->*kText, args.get()->*kSize);
}

// Calls a slot that answers a number or pointer of `object`.
template <auto kSlot, auto kObject, auto kField, typename T, typename Object>
auto Field(const Api& api, Object* object)
    -> absl::StatusOr<std::decay_t<decltype(std::declval<T>().*kField)>> {
  Args<T> args;
  args.get()->*kObject = object;
  AXLE_RETURN_IF_ERROR(api.Call<kSlot>(args));
  return args.get()->*kField;
}

// The parameters of Text and Field for a slot, from its names.
#define AXLE_PJRT_TEXT(slot, object, field)                                             \
  Text<&PJRT_Api::PJRT_##slot, &PJRT_##slot##_Args::object, &PJRT_##slot##_Args::field, \
       &PJRT_##slot##_Args::field##_size, PJRT_##slot##_Args>
#define AXLE_PJRT_FIELD(slot, object, field)                                             \
  Field<&PJRT_Api::PJRT_##slot, &PJRT_##slot##_Args::object, &PJRT_##slot##_Args::field, \
        PJRT_##slot##_Args>

absl::StatusOr<Memory> ReadMemory(const Api& api, PJRT_Memory* handle) {
  Memory memory;
  memory.handle = handle;
  AXLE_ASSIGN_OR_RETURN(memory.id, (AXLE_PJRT_FIELD(Memory_Id, memory, id)(api, handle)));
  AXLE_ASSIGN_OR_RETURN(memory.kind, (AXLE_PJRT_TEXT(Memory_Kind, memory, kind)(api, handle)));
  AXLE_ASSIGN_OR_RETURN(memory.description,
                        (AXLE_PJRT_TEXT(Memory_ToString, memory, to_string)(api, handle)));
  return memory;
}

// Plugins need not have memories.
absl::Status ReadMemories(const Api& api, Device& device) {
  Args<PJRT_Device_AddressableMemories_Args> args;
  args->device = device.handle;
  const absl::Status status = api.Call<&PJRT_Api::PJRT_Device_AddressableMemories>(args);
  if (absl::IsUnimplemented(status)) return absl::OkStatus();
  AXLE_RETURN_IF_ERROR(status);
  const auto standard = AXLE_PJRT_FIELD(Device_DefaultMemory, device, memory)(api, device.handle);
  for (size_t i = 0; i < args->num_memories; ++i) {
    AXLE_ASSIGN_OR_RETURN(Memory memory, ReadMemory(api, args->memories[i]));
    if (standard.ok() && *standard == memory.handle) device.default_memory = static_cast<int>(i);
    device.memories.push_back(std::move(memory));
  }
  return absl::OkStatus();
}

absl::StatusOr<Device> ReadDevice(const Api& api, PJRT_Device* handle) {
  Device device;
  device.handle = handle;
  AXLE_ASSIGN_OR_RETURN(
      PJRT_DeviceDescription * description,
      (AXLE_PJRT_FIELD(Device_GetDescription, device, device_description)(api, handle)));
  AXLE_ASSIGN_OR_RETURN(
      device.id, (AXLE_PJRT_FIELD(DeviceDescription_Id, device_description, id)(api, description)));
  AXLE_ASSIGN_OR_RETURN(device.process_index,
                        (AXLE_PJRT_FIELD(DeviceDescription_ProcessIndex, device_description,
                                         process_index)(api, description)));
  AXLE_ASSIGN_OR_RETURN(device.kind, (AXLE_PJRT_TEXT(DeviceDescription_Kind, device_description,
                                                     device_kind)(api, description)));
  AXLE_ASSIGN_OR_RETURN(device.description,
                        (AXLE_PJRT_TEXT(DeviceDescription_ToString, device_description, to_string)(
                            api, description)));
  AXLE_ASSIGN_OR_RETURN(device.debug,
                        (AXLE_PJRT_TEXT(DeviceDescription_DebugString, device_description,
                                        debug_string)(api, description)));
  AXLE_ASSIGN_OR_RETURN(
      device.local_hardware_id,
      (AXLE_PJRT_FIELD(Device_LocalHardwareId, device, local_hardware_id)(api, handle)));
  AXLE_RETURN_IF_ERROR(ReadMemories(api, device));
  return device;
}

absl::Status ReadClient(ClientState& state) {
  const Api& api = state.api;
  AXLE_ASSIGN_OR_RETURN(state.platform_name, (AXLE_PJRT_TEXT(Client_PlatformName, client,
                                                             platform_name)(api, state.client)));
  AXLE_ASSIGN_OR_RETURN(
      state.platform_version,
      (AXLE_PJRT_TEXT(Client_PlatformVersion, client, platform_version)(api, state.client)));
  AXLE_ASSIGN_OR_RETURN(state.process_index, (AXLE_PJRT_FIELD(Client_ProcessIndex, client,
                                                              process_index)(api, state.client)));
  Args<PJRT_Client_AddressableDevices_Args> devices;
  devices->client = state.client;
  AXLE_RETURN_IF_ERROR(api.Call<&PJRT_Api::PJRT_Client_AddressableDevices>(devices));
  for (size_t i = 0; i < devices->num_addressable_devices; ++i) {
    AXLE_ASSIGN_OR_RETURN(Device device, ReadDevice(api, devices->addressable_devices[i]));
    state.devices.push_back(std::move(device));
  }
  if (state.devices.empty()) {
    return MakeError(errors::kNoDevices,
                     absl::StrCat("platform '", state.platform_name, "' has no device here"));
  }
  return absl::OkStatus();
}

#undef AXLE_PJRT_TEXT
#undef AXLE_PJRT_FIELD

PJRT_HostBufferSemantics SemanticsOf(HostMemory memory) {
  switch (memory) {
    case HostMemory::kDuringCall:
      return PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
    case HostMemory::kUntilTransferCompletes:
      return PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes;
    case HostMemory::kShared:
      return PJRT_HostBufferSemantics_kImmutableZeroCopy;
    case HostMemory::kGiven:
      break;
  }
  return PJRT_HostBufferSemantics_kMutableZeroCopy;
}

}  // namespace

absl::StatusOr<Client> Client::Create(const Plugin& plugin, const ClientOptions& options) {
  AXLE_ASSIGN_OR_RETURN(const std::vector<NamedValue> values, CheckedOptions(options));
  const std::vector<PJRT_NamedValue> pjrt_values = ToPjrt(values);
  Args<PJRT_Client_Create_Args> args;
  args->create_options = pjrt_values.data();
  args->num_options = pjrt_values.size();
  AXLE_RETURN_IF_ERROR(plugin.api().Call<&PJRT_Api::PJRT_Client_Create>(args));
  if (args->client == nullptr) {
    return MakeError(errors::kPluginAnswer, "PJRT_Client_Create gave no client");
  }
  auto state = std::make_shared<ClientState>(plugin.api(), args->client);
  AXLE_RETURN_IF_ERROR(ReadClient(*state));
  return Client(std::move(state));
}

absl::StatusOr<Client::DeviceMemory> Client::GetDeviceMemory(const Device& device) const {
  Args<PJRT_Device_MemoryStats_Args> args;
  args->device = device.handle;
  AXLE_RETURN_IF_ERROR(state_->api.Call<&PJRT_Api::PJRT_Device_MemoryStats>(args));
  DeviceMemory memory;
  memory.bytes_in_use = args->bytes_in_use;
  if (args->bytes_limit_is_set) memory.bytes_limit = args->bytes_limit;
  return memory;
}

absl::StatusOr<Upload> Client::BufferFromHost(const HostArray& array, const Device& device,
                                              HostMemory memory) const {
  AXLE_RETURN_IF_ERROR(CheckBufferType(array.type, state_->api.minor_version()));
  AXLE_ASSIGN_OR_RETURN(const size_t wanted, HostBytesOf(array.type, array.dimensions));
  if (wanted != array.bytes.size()) {
    return MakeError(errors::kHostArray, absl::StrCat("the array needs ", wanted, " bytes and has ",
                                                      array.bytes.size()));
  }
  // Something to point to where there are no elements.
  alignas(kSharedMemoryAlignment) static constexpr uint8_t kNoBytes[kSharedMemoryAlignment] = {};
  Args<PJRT_Client_BufferFromHostBuffer_Args> args;
  args->client = state_->client;
  args->data = array.bytes.empty() ? kNoBytes : array.bytes.data();
  args->type = array.type;
  args->dims = array.dimensions.data();
  args->num_dims = array.dimensions.size();
  args->host_buffer_semantics = SemanticsOf(memory);
  args->device = device.handle;
  AXLE_RETURN_IF_ERROR(state_->api.Call<&PJRT_Api::PJRT_Client_BufferFromHostBuffer>(args));
  if (args->buffer == nullptr) {
    return MakeError(errors::kPluginAnswer, "PJRT_Client_BufferFromHostBuffer gave no buffer");
  }
  return Upload{Buffer(state_, args->buffer), Event(state_->api, args->done_with_host_buffer)};
}

absl::Status Client::CheckDevices(const CompileOptions& options) const {
  for (const int64_t id : options.device_ids) {
    const bool known = std::any_of(state_->devices.begin(), state_->devices.end(),
                                   [id](const Device& device) { return device.id == id; });
    if (!known) {
      return MakeError(errors::kCompileOptions, absl::StrCat("there is no device ", id));
    }
  }
  if (options.num_replicas * options.num_partitions > static_cast<int64_t>(devices().size())) {
    return MakeError(errors::kCompileOptions,
                     absl::StrCat(options.num_replicas, " replicas x ", options.num_partitions,
                                  " partitions don't fit ", devices().size(), " devices"));
  }
  return absl::OkStatus();
}

absl::StatusOr<LoadedExecutable> Client::Compile(ProgramFormat format, absl::string_view program,
                                                 const CompileOptions& options) const {
  if (program.empty()) return MakeError(errors::kEmptyProgram, "the program has no bytes");
  AXLE_ASSIGN_OR_RETURN(const std::string option_bytes, SerializeCompileOptions(options));
  AXLE_RETURN_IF_ERROR(CheckDevices(options));
  const absl::string_view name = format == ProgramFormat::kHloProto ? "hlo" : "mlir";
  Args<PJRT_Program> pjrt_program;
  pjrt_program->code = const_cast<char*>(program.data());
  pjrt_program->code_size = program.size();
  pjrt_program->format = name.data();
  pjrt_program->format_size = name.size();
  Args<PJRT_Client_Compile_Args> args;
  args->client = state_->client;
  args->program = pjrt_program.get();
  args->compile_options = option_bytes.data();
  args->compile_options_size = option_bytes.size();
  AXLE_RETURN_IF_ERROR(state_->api.Call<&PJRT_Api::PJRT_Client_Compile>(args));
  if (args->executable == nullptr) {
    return MakeError(errors::kPluginAnswer, "PJRT_Client_Compile gave no program");
  }
  return LoadedExecutable::Adopt(state_, args->executable);
}

}  // namespace axle::pjrt_client
