// SPDX-License-Identifier: Apache-2.0
// What a run costs beside the plugin: runtime::Program on XLA:CPU against the bare calls of the
// plugin's C API, in the same process. Needs the plugin that scripts/install-deps fetches.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "bare_program.h"
#include "benchmark/benchmark.h"
#include "null/null.h"
#include "pjrt_client/backend.h"
#include "pjrt_client/fake_plugin_testing.h"
#include "ratio.h"
#include "runtime/program.h"

namespace axle::bench {
namespace {

using BufferPtr = std::shared_ptr<runtime::Buffer>;

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
  const auto backend = Check(pjrt_client::CreateBackend(options), "backend");
  const auto null = null::Create();
  std::vector<Ratio> ratios;
  for (const int n : {2, 100}) {
    const std::string bare_name = absl::StrCat("bare_", n), axle_name = absl::StrCat("axle_", n),
                      null_name = absl::StrCat("null_", n);
    const auto bare = std::make_shared<BareProgram>(n);
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
