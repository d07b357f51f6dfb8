// SPDX-License-Identifier: Apache-2.0
// What a run costs beside the plugin: runtime::Program on XLA:CPU against the bare calls of the
// plugin's C API, in the same process. Needs the plugin that scripts/install-deps fetches.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "hlo/proto/codec.h"
#include "hlo/text/parser.h"
#include "null/null.h"
#include "pjrt_client/api.h"
#include "pjrt_client/backend.h"
#include "pjrt_client/compile_options.h"
#include "pjrt_client/fake_plugin_testing.h"
#include "pjrt_client/named_value.h"
#include "ratio.h"
#include "runtime/program.h"

namespace axle::bench {
namespace {

using pjrt_client::Args;
using pjrt_client::PJRT_Api;
using BufferPtr = std::shared_ptr<runtime::Buffer>;

template <typename T>
T Check(absl::StatusOr<T> value, const char* what) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "%s: %s\n", what, value.status().ToString().c_str());
  std::exit(1);
}

void Check(const absl::Status& status, const char* what) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s: %s\n", what, status.ToString().c_str());
  std::exit(1);
}

void CheckCall(const pjrt_client::PJRT_Error* error, const char* what) {
  if (error == nullptr) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

// The sum of n scalars.
hlo::Module SumOf(int n) {
  std::string text = "HloModule sum\nENTRY main {\n  p0 = f32[] parameter(0)\n";
  for (int i = 1; i < n; ++i) absl::StrAppend(&text, "  p", i, " = f32[] parameter(", i, ")\n");
  std::string sum = "p0";
  for (int i = 1; i < n; ++i) {
    absl::StrAppend(&text, i + 1 == n ? "  ROOT" : " ", " s", i, " = f32[] add(", sum, ", p", i,
                    ")\n");
    sum = absl::StrCat("s", i);
  }
  return Check(hlo::ParseModule(absl::StrCat(text, "}\n")), "text");
}

// A program by the C API alone; lives until the process ends.
class BareProgram {
 public:
  BareProgram(const PJRT_Api* api, int n) : api_(api) {
    Args<pjrt_client::PJRT_Client_Create_Args> client;
    const std::vector<pjrt_client::NamedValue> client_options = {{"cpu_device_count", int64_t{1}}};
    const std::vector<pjrt_client::PJRT_NamedValue> raw_options =
        pjrt_client::ToPjrt(client_options);
    client->create_options = raw_options.data();
    client->num_options = raw_options.size();
    CheckCall(api_->PJRT_Client_Create(client.get()), "PJRT_Client_Create");
    const std::string bytes =
        Check(hlo::ModuleToProtoBytes(SumOf(n), {.fill_layouts = true}), "proto");
    const std::string options = Check(pjrt_client::SerializeCompileOptions({}), "options");
    Args<pjrt_client::PJRT_Program> program;
    program->code = const_cast<char*>(bytes.data());
    program->code_size = bytes.size();
    program->format = "hlo";
    program->format_size = 3;
    Args<pjrt_client::PJRT_Client_Compile_Args> compile;
    compile->client = client->client;
    compile->program = program.get();
    compile->compile_options = options.data();
    compile->compile_options_size = options.size();
    CheckCall(api_->PJRT_Client_Compile(compile.get()), "PJRT_Client_Compile");
    executable_ = compile->executable;
    Args<pjrt_client::PJRT_Client_AddressableDevices_Args> devices;
    devices->client = client->client;
    CheckCall(api_->PJRT_Client_AddressableDevices(devices.get()),
              "PJRT_Client_AddressableDevices");
    for (int i = 0; i < n; ++i) {
      static const float kOne = 1;
      Args<pjrt_client::PJRT_Client_BufferFromHostBuffer_Args> upload;
      upload->client = client->client;
      upload->data = &kOne;
      upload->type = pjrt_client::PJRT_Buffer_Type_F32;
      upload->device = devices->addressable_devices[0];
      CheckCall(api_->PJRT_Client_BufferFromHostBuffer(upload.get()), "upload");
      arguments_.push_back(upload->buffer);
    }
  }

  // Runs and drops the result; waits for it first when asked.
  void Run(bool wait) {
    pjrt_client::PJRT_Buffer* result = nullptr;
    pjrt_client::PJRT_Buffer** results = &result;
    pjrt_client::PJRT_Buffer* const* arguments = arguments_.data();
    Args<pjrt_client::PJRT_ExecuteOptions> options;
    Args<pjrt_client::PJRT_LoadedExecutable_Execute_Args> execute;
    execute->executable = executable_;
    execute->options = options.get();
    execute->argument_lists = &arguments;
    execute->num_devices = 1;
    execute->num_args = arguments_.size();
    execute->output_lists = &results;
    CheckCall(api_->PJRT_LoadedExecutable_Execute(execute.get()), "PJRT_LoadedExecutable_Execute");
    if (wait) Wait(result);
    Args<pjrt_client::PJRT_Buffer_Destroy_Args> destroy;
    destroy->buffer = result;
    CheckCall(api_->PJRT_Buffer_Destroy(destroy.get()), "PJRT_Buffer_Destroy");
  }

 private:
  void Wait(pjrt_client::PJRT_Buffer* buffer) {
    Args<pjrt_client::PJRT_Buffer_ReadyEvent_Args> ready;
    ready->buffer = buffer;
    CheckCall(api_->PJRT_Buffer_ReadyEvent(ready.get()), "PJRT_Buffer_ReadyEvent");
    Args<pjrt_client::PJRT_Event_Await_Args> await;
    await->event = ready->event;
    CheckCall(api_->PJRT_Event_Await(await.get()), "PJRT_Event_Await");
    Args<pjrt_client::PJRT_Event_Destroy_Args> destroy;
    destroy->event = ready->event;
    CheckCall(api_->PJRT_Event_Destroy(destroy.get()), "PJRT_Event_Destroy");
  }

  const PJRT_Api* api_;
  pjrt_client::PJRT_LoadedExecutable* executable_ = nullptr;
  std::vector<pjrt_client::PJRT_Buffer*> arguments_;
};

// The same by Axle.
class AxleProgram {
 public:
  AxleProgram(const std::shared_ptr<runtime::Backend>& backend, int n) {
    program_ = Check(
        runtime::Program::Compile(backend, std::make_shared<const hlo::Module>(SumOf(n))), "axle");
    for (int i = 0; i < n; ++i) {
      arguments_.push_back(Check(
          runtime::UploadLiteral(program_->device(), hlo::Literal::Scalar<float>(1)), "upload"));
    }
  }

  void Run(bool wait) {
    const auto results = Check(program_->Execute(arguments_), "run");
    if (wait) Check(results[0]->ready().Await(), "result");
  }

 private:
  std::unique_ptr<runtime::Program> program_;
  std::vector<BufferPtr> arguments_;
};

template <typename T>
void Register(const std::string& name, std::shared_ptr<T> program, bool wait) {
  benchmark::RegisterBenchmark(name.c_str(), [program, wait](benchmark::State& state) {
    for (auto _ : state) program->Run(wait);
  });
}

int Main(int argc, char** argv) {
  pjrt_client::BackendOptions options;
  options.plugin_path = pjrt_client::NewestPluginPath();
  const auto plugin = Check(pjrt_client::Plugin::Load(options.plugin_path), "plugin");
  const auto backend = Check(pjrt_client::CreateBackend(plugin, options), "backend");
  const auto null = null::Create();
  std::vector<Ratio> ratios;
  for (const int n : {2, 100}) {
    const std::string bare_name = absl::StrCat("bare_", n), axle_name = absl::StrCat("axle_", n),
                      null_name = absl::StrCat("null_", n);
    const auto bare = std::make_shared<BareProgram>(plugin.api().table(), n);
    const auto axle = std::make_shared<AxleProgram>(backend, n);
    for (const char* wait : {"", "_wait"}) {
      Register(bare_name + wait, bare, *wait != '\0');
      Register(axle_name + wait, axle, *wait != '\0');
      ratios.push_back({absl::StrCat("sum of ", n, wait, ", axle / bare C API"), axle_name + wait,
                        bare_name + wait, 1.25});
    }
    Register(null_name, std::make_shared<AxleProgram>(null, n), false);
    ratios.push_back(
        {absl::StrCat("sum of ", n, ", null backend / bare C API"), null_name, bare_name, 0.25});
  }
  return RunWithRatios(argc, argv, ratios);
}

}  // namespace
}  // namespace axle::bench

int main(int argc, char** argv) { return axle::bench::Main(argc, argv); }
