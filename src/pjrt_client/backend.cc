// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/backend.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/proto/codec.h"
#include "pjrt_client/buffer_type.h"
#include "pjrt_client/client.h"
#include "pjrt_client/errors.h"
#include "pjrt_client/plugin_buffer.h"
#include "pjrt_client/prepare.h"
#include "runtime/donation.h"
#include "runtime/host_device.h"

namespace axle::pjrt_client {
namespace {

// Arguments and results of a launch without a heap allocation.
constexpr size_t kInlineBuffers = 16;

constexpr absl::string_view kXlaCpuPlatform = "cpu";

absl::StatusOr<std::shared_ptr<const ArrayInfo>> MakeArrayInfo(runtime::Device& device,
                                                               const hlo::Shape& shape,
                                                               std::string program_name) {
  auto info = std::make_shared<ArrayInfo>();
  info->backend = device.backend().shared_from_this();
  info->device = &device;
  info->shape = shape.WithoutLayouts();
  AXLE_ASSIGN_OR_RETURN(info->host_bytes, shape.ByteSize());
  info->program_name = std::move(program_name);
  return info;
}

class PluginDevice final : public runtime::Device {
 public:
  PluginDevice(runtime::Backend& backend, int id, const Client& client)
      : backend_(backend), id_(id), client_(client), device_(client.devices()[id]) {}

  runtime::Backend& backend() const override { return backend_; }
  int id() const override { return id_; }
  const std::string& kind() const override { return device_.kind; }
  const std::string& description() const override { return device_.description; }
  int64_t plugin_id() const { return device_.id; }

  absl::StatusOr<std::shared_ptr<runtime::Buffer>> Upload(const hlo::Shape& shape,
                                                          absl::Span<const std::byte> data,
                                                          runtime::HostMemory semantics,
                                                          std::function<void()> released) override;

 private:
  runtime::Backend& backend_;
  const int id_;
  const Client& client_;
  const pjrt_client::Device& device_;
};

absl::StatusOr<std::shared_ptr<runtime::Buffer>> PluginDevice::Upload(
    const hlo::Shape& shape, absl::Span<const std::byte> data, runtime::HostMemory semantics,
    std::function<void()> released) {
  absl::Cleanup release = [&released] {
    if (released) released();
  };
  const bool borrow = semantics != runtime::HostMemory::kCopyDuringCall;
  const bool constant = semantics == runtime::HostMemory::kReadUntilReleased;
  AXLE_ASSIGN_OR_RETURN(auto info, MakeArrayInfo(*this, shape, ""));
  AXLE_RETURN_IF_ERROR(runtime::CheckHostSize(shape, data.size()));
  const HostArray array{BufferTypeOf(shape.element_type()),
                        shape.dimensions(),
                        {reinterpret_cast<const uint8_t*>(data.data()), data.size()}};
  AXLE_ASSIGN_OR_RETURN(pjrt_client::Upload upload,
                        client_.BufferFromHost(array, device_,
                                               !borrow    ? HostMemory::kDuringCall
                                               : constant ? HostMemory::kShared
                                                          : HostMemory::kGiven));
  if (borrow && released) {
    std::move(release).Cancel();
    std::move(upload.host_memory_free).OnReady([released = std::move(released)](absl::Status) {
      released();
    });
  }
  return std::make_shared<PluginBuffer>(std::move(info), std::move(upload.buffer), constant);
}

class PluginProgram final : public runtime::LoadedProgram {
 public:
  struct Parts {
    std::shared_ptr<runtime::Backend> backend;
    std::string name;
    LoadedExecutable executable;
    std::vector<bool> dynamic_parameters;  // by number
    std::vector<std::shared_ptr<const ArrayInfo>> results;
    std::vector<runtime::Donation> donations;
  };

  explicit PluginProgram(Parts parts) : parts_(std::move(parts)) {
    const absl::StatusOr<MemoryStats> stats = parts_.executable.GetMemoryStats();
    if (!stats.ok()) return;
    memory_ = {stats->generated_code, stats->arguments, stats->results, stats->aliased,
               stats->temporaries};
  }

  absl::Status Execute(absl::Span<const std::shared_ptr<runtime::Buffer>> arguments,
                       const runtime::ExecuteOptions& options,
                       absl::Span<std::shared_ptr<runtime::Buffer>> results) override;
  runtime::ProgramMemory memory() const override { return memory_; }

 private:
  using Indices = absl::InlinedVector<int64_t, kInlineBuffers>;

  absl::Status CheckDynamic(absl::Span<const std::shared_ptr<runtime::Buffer>> arguments) const;
  absl::StatusOr<Indices> NonDonatable(absl::Span<const std::shared_ptr<runtime::Buffer>> arguments,
                                       absl::Span<const int> requested) const;

  const Parts parts_;
  runtime::ProgramMemory memory_;
};

PluginBuffer& AsPluginBuffer(const std::shared_ptr<runtime::Buffer>& buffer) {
  // Program has seen that it is on a device of this backend, which makes no others.
  return static_cast<PluginBuffer&>(*buffer);
}

absl::Status PluginProgram::CheckDynamic(
    absl::Span<const std::shared_ptr<runtime::Buffer>> arguments) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i]->shape().has_dynamic_dimensions() == parts_.dynamic_parameters[i]) continue;
    return MakeError(errors::kDynamicArgument,
                     absl::StrCat("input ", i, " of program ", parts_.name, " is ",
                                  arguments[i]->shape().ToString(false),
                                  "; the parameter's "
                                  "dimensions are ",
                                  parts_.dynamic_parameters[i] ? "dynamic" : "static"));
  }
  return absl::OkStatus();
}

// The parameters, of those that the program may take over, that it must leave.
absl::StatusOr<PluginProgram::Indices> PluginProgram::NonDonatable(
    absl::Span<const std::shared_ptr<runtime::Buffer>> arguments,
    absl::Span<const int> requested) const {
  Indices indices;
  for (const auto& [i, result, must] : parts_.donations) {
    if (!AsPluginBuffer(arguments[i]).borrows_host_memory() &&
        !std::binary_search(requested.begin(), requested.end(), i)) {
      continue;
    }
    if (must) {
      return MakeError(errors::kMustDonate,
                       absl::StrCat("input ", i, " of program ", parts_.name,
                                    " must be given away to a result and may not be"));
    }
    indices.push_back(i);
  }
  return indices;
}

absl::Status PluginProgram::Execute(absl::Span<const std::shared_ptr<runtime::Buffer>> arguments,
                                    const runtime::ExecuteOptions& options,
                                    absl::Span<std::shared_ptr<runtime::Buffer>> results) {
  AXLE_RETURN_IF_ERROR(CheckDynamic(arguments));
  ExecuteOptions execute_options;
  Indices non_donatable;
  if (!parts_.donations.empty()) {
    AXLE_ASSIGN_OR_RETURN(non_donatable, NonDonatable(arguments, options.non_donatable));
    execute_options.non_donatable_inputs = non_donatable;
  }
  absl::InlinedVector<PJRT_Buffer*, kInlineBuffers> inputs(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) inputs[i] = AsPluginBuffer(arguments[i]).handle();
  absl::InlinedVector<PJRT_Buffer*, kInlineBuffers> outputs(parts_.results.size());
  Event done;
  const DeviceLaunch launch{inputs, absl::MakeSpan(outputs), options.end ? &done : nullptr};
  if (absl::Status status = parts_.executable.Execute({launch}, execute_options); !status.ok()) {
    return OfProgram(parts_.name, status);
  }
  if (options.end != nullptr) {
    auto info = std::make_shared<ArrayInfo>();
    info->backend = parts_.backend;
    info->program_name = parts_.name;
    *options.end = AsRuntimeEvent(std::move(done), std::move(info));
  }
  for (const runtime::Donation& donation : parts_.donations) {
    AsPluginBuffer(arguments[donation.parameter]).NoticeDonation();
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    results[i] = std::make_shared<PluginBuffer>(parts_.results[i],
                                                parts_.executable.OwnInClient(outputs[i]));
  }
  return absl::OkStatus();
}

class PluginBackend final : public runtime::Backend {
 public:
  PluginBackend(const BackendOptions& options, Client client, int minor_version)
      : name_(options.name),
        version_(absl::StrCat(client.platform_name(), " ", client.platform_version(), ", PJRT 0.",
                              minor_version)),
        client_(std::move(client)),
        custom_calls_(options.custom_calls),
        prepare_{client_.platform_name() == kXlaCpuPlatform, minor_version, custom_calls_.get()} {
    for (int i = 0; i < static_cast<int>(client_.devices().size()); ++i) {
      devices_.push_back(std::make_unique<PluginDevice>(*this, i, client_));
    }
  }

  const std::string& name() const override { return name_; }
  const std::string& version() const override { return version_; }
  absl::Span<const std::unique_ptr<runtime::Device>> devices() const override { return devices_; }

  absl::StatusOr<std::unique_ptr<runtime::LoadedProgram>> Compile(
      std::shared_ptr<const hlo::Module> module, const runtime::CompileOptions& options) override;

 private:
  const std::string name_;
  const std::string version_;
  const Client client_;
  const std::shared_ptr<const custom_calls::Registry> custom_calls_;
  const PrepareOptions prepare_;
  std::vector<std::unique_ptr<runtime::Device>> devices_;
};

// Whether the plugin understood the module's results as Axle does.
absl::Status CheckResults(const LoadedExecutable& executable,
                          absl::Span<const std::shared_ptr<const ArrayInfo>> results) {
  if (executable.num_results() != results.size()) {
    return MakeError(errors::kPluginAnswer,
                     absl::StrCat("the compiled program has ", executable.num_results(),
                                  " results, the module ", results.size()));
  }
  AXLE_ASSIGN_OR_RETURN(const std::vector<PJRT_Buffer_Type> types, executable.ResultTypes());
  for (size_t i = 0; i < results.size() && i < types.size(); ++i) {
    if (types[i] == BufferTypeOf(results[i]->shape.element_type())) continue;
    return MakeError(
        errors::kPluginAnswer,
        absl::StrCat("result ", i, " of the compiled program is ", BufferTypeName(types[i]),
                     ", of the module ", results[i]->shape.ToString(false)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<runtime::LoadedProgram>> PluginBackend::Compile(
    std::shared_ptr<const hlo::Module> module, const runtime::CompileOptions& options) {
  AXLE_ASSIGN_OR_RETURN(const hlo::Module prepared, PrepareForPlugin(*module, prepare_));
  AXLE_ASSIGN_OR_RETURN(const std::string bytes,
                        hlo::ModuleToProtoBytes(prepared, {.fill_layouts = true}));
  auto& device = static_cast<PluginDevice&>(*devices_[options.device]);
  CompileOptions compile_options;
  compile_options.device_ids = {device.plugin_id()};
  if (!prepare_.is_xla_cpu) compile_options.overrides.clear();
  AXLE_ASSIGN_OR_RETURN(LoadedExecutable executable,
                        client_.Compile(ProgramFormat::kHloProto, bytes, compile_options));
  PluginProgram::Parts parts{shared_from_this(),
                             module->name,
                             std::move(executable),
                             {},
                             {},
                             runtime::DonationsOf(prepared)};
  const hlo::ProgramShape signature = hlo::ProgramShapeOf(module->entry_computation());
  for (const hlo::Shape& parameter : signature.parameters) {
    parts.dynamic_parameters.push_back(parameter.has_dynamic_dimensions());
  }
  const bool is_tuple = signature.result.IsTuple();
  for (const hlo::Shape& result :
       is_tuple ? signature.result.tuple_shapes() : absl::MakeConstSpan(&signature.result, 1)) {
    AXLE_ASSIGN_OR_RETURN(auto info, MakeArrayInfo(device, result, module->name));
    parts.results.push_back(std::move(info));
  }
  AXLE_RETURN_IF_ERROR(CheckResults(parts.executable, parts.results));
  return std::make_unique<PluginProgram>(std::move(parts));
}

// XLA:CPU takes the number of devices, whose default is 4; plugins for hardware may refuse to hear
// of it.
absl::StatusOr<Client> CreateClient(const Plugin& plugin, const BackendOptions& options) {
  ClientOptions client_options;
  client_options.others = options.client_options;
  client_options.cpu_device_count = options.device_count;
  absl::StatusOr<Client> client = Client::Create(plugin, client_options);
  if (client.ok() || options.device_count != 1 || !absl::IsInvalidArgument(client.status())) {
    return client;
  }
  client_options.cpu_device_count.reset();
  return Client::Create(plugin, client_options);
}

}  // namespace

absl::StatusOr<std::shared_ptr<runtime::Backend>> CreateBackend(const BackendOptions& options) {
  AXLE_ASSIGN_OR_RETURN(const Plugin plugin, Plugin::Load(options.plugin_path));
  return CreateBackend(plugin, options);
}

absl::StatusOr<std::shared_ptr<runtime::Backend>> CreateBackend(const Plugin& plugin,
                                                                const BackendOptions& options) {
  AXLE_ASSIGN_OR_RETURN(Client client, CreateClient(plugin, options));
  BackendOptions complete = options;
  if (complete.custom_calls == nullptr) {
    auto registry = std::make_shared<custom_calls::Registry>();
    custom_calls::AddShardingTargets(registry.get());
    custom_calls::AddXlaExpandedTargets(registry.get());
    complete.custom_calls = std::move(registry);
  }
  return std::make_shared<PluginBackend>(complete, std::move(client), plugin.api().minor_version());
}

}  // namespace axle::pjrt_client
