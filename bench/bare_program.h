// SPDX-License-Identifier: Apache-2.0
// The peer of the benchmarks: a sum of scalars on a PJRT plugin by bare calls of its C API.
#ifndef AXLE_BENCH_BARE_PROGRAM_H_
#define AXLE_BENCH_BARE_PROGRAM_H_

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hlo/proto/codec.h"
#include "hlo/text/parser.h"
#include "pjrt_client/api.h"
#include "pjrt_client/compile_options.h"
#include "pjrt_client/fake_plugin_testing.h"
#include "pjrt_client/named_value.h"
#include "pjrt_client/plugin.h"

namespace axle::bench {

using pjrt_client::Args;
using pjrt_client::PJRT_Api;

template <typename T>
T Check(absl::StatusOr<T> value, const char* what) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "%s: %s\n", what, value.status().ToString().c_str());
  std::exit(1);
}

inline void Check(const absl::Status& status, const char* what) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s: %s\n", what, status.ToString().c_str());
  std::exit(1);
}

inline void CheckCall(const pjrt_client::PJRT_Error* error, const char* what) {
  if (error == nullptr) return;
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

// The sum of n scalars.
inline hlo::Module SumOf(int n) {
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
  explicit BareProgram(int n)
      : plugin_(Check(pjrt_client::Plugin::Load(pjrt_client::NewestPluginPath()), "plugin")),
        api_(plugin_.api().table()) {
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

  const pjrt_client::Plugin plugin_;
  const PJRT_Api* const api_;
  pjrt_client::PJRT_LoadedExecutable* executable_ = nullptr;
  std::vector<pjrt_client::PJRT_Buffer*> arguments_;
};

}  // namespace axle::bench

#endif  // AXLE_BENCH_BARE_PROGRAM_H_
