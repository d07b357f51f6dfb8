// SPDX-License-Identifier: Apache-2.0
// What sessions and handles cost: calls prepared and by handle against the plugin's bare C API and
// an uncontended mutex, transfers against memcpy, cache hits against hashing, a million handles,
// and eight sessions at once. XLA:CPU is left out where its plugin is missing.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "assembly/backends.h"
#include "bare_program.h"
#include "base/aligned_bytes.h"
#include "benchmark/benchmark.h"
#include "generated_module.h"
#include "hlo/proto/codec.h"
#include "hlo/text/parser.h"
#include "load/load.h"
#include "ratio.h"
#include "runtime/prepared_call.h"
#include "runtime/session.h"
#include "xrt/op_set.h"

namespace axle::bench {
namespace {

using runtime::Allocation;
using runtime::Session;

constexpr absl::string_view kAddText = R"(
HloModule add
ENTRY main {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] add(x, y)
})";

std::shared_ptr<runtime::Store> StoreOf(std::shared_ptr<runtime::Backend> backend) {
  runtime::StoreOptions options;
  options.cache.loader = [](absl::string_view bytes) { return load::LoadModule(bytes, "bench"); };
  return runtime::Store::Create(std::move(backend), std::move(options));
}

runtime::OwnedProgram Compiled(Session& session, absl::string_view text) {
  return Check(session.Compile(text), "compile");
}

// A scalar add in a session of its own: prepared, and by handles.
struct AddCall {
  explicit AddCall(const std::shared_ptr<runtime::Store>& store)
      : session(store->OpenSession({.name = "bench"})),
        prepared(session, Compiled(*session, kAddText)) {
    program = Check(session->Keep(Compiled(*session, kAddText)), "program");
    for (size_t i = 0; i < 2; ++i) {
      const Allocation value = Check(session->Upload(hlo::Literal::Scalar<float>(1)), "upload");
      Check(prepared.Bind(i, value), "bind");
      inputs[i] = Check(session->Keep(value), "keep");
    }
  }
  void RunPrepared(bool wait) {
    const absl::StatusOr<Allocation> result = prepared.Run();
    Check(result.status(), "run");
    if (wait) Check(result->Await(), "wait");
  }
  void RunByHandles(bool wait) {
    const auto handles = Check(session->Execute({.program = program, .inputs = inputs}), "execute");
    if (wait) Check(Check(session->handles().FindAllocation(handles[0]), "find")->Await(), "wait");
    Check(session->handles().Release(handles, runtime::HandleKind::kAllocation), "release");
  }

  std::shared_ptr<Session> session;
  runtime::PreparedCall prepared;
  int64_t program = 0;
  int64_t inputs[2];
};

// The same by the operations with serialized messages.
struct AddOps {
  explicit AddOps(const std::shared_ptr<runtime::Store>& store)
      : session(store->OpenSession({.name = "bench"})), ops(session, 0), call(store) {
    const auto program = Check(session->Keep(Compiled(*session, kAddText)), "program");
    values.push_back(hlo::Literal::Scalar<int64_t>(program));
    values.push_back(xrt::Strings{{}, {""}});
    for (int i = 0; i < 2; ++i) {
      values.push_back(hlo::Literal::Scalar<int64_t>(
          Check(session->Keep(Check(session->Upload(hlo::Literal::Scalar<float>(1)), "upload")),
                "keep")));
    }
    attributes["Ninputs"] = int64_t{2};
  }
  void Execute() {
    const auto result = Check(ops.Run("XRTExecute", attributes, values), "XRTExecute");
    released = std::get<hlo::Literal>(result[0]).data<int64_t>()[0];
  }
  void Release() {
    Check(session->handles().Release(absl::MakeConstSpan(&released, 1),
                                     runtime::HandleKind::kAllocation),
          "release");
  }

  std::shared_ptr<Session> session;
  xrt::OpSet ops;
  AddCall call;
  xrt::Attributes attributes;
  std::vector<xrt::Value> values;
  int64_t released = 0;
};

template <typename Function>
void Register(const std::string& name, Function function) {
  benchmark::RegisterBenchmark(name.c_str(), [function](benchmark::State& state) {
    for (auto _ : state) function();
  });
}

void RegisterCalls(const std::shared_ptr<runtime::Store>& null_store,
                   const std::shared_ptr<runtime::Store>& xla_store, std::vector<Ratio>* ratios) {
  const auto null_call = std::make_shared<AddCall>(null_store);
  const auto null_ops = std::make_shared<AddOps>(null_store);
  const auto mutex = std::make_shared<std::mutex>();
  Register("mutex", [mutex] {
    const std::lock_guard lock(*mutex);
    benchmark::ClobberMemory();
  });
  Register("null_prepared", [null_call] { null_call->RunPrepared(false); });
  Register("null_handles", [null_call] { null_call->RunByHandles(false); });
  Register("null_ops", [null_ops] {
    null_ops->Execute();
    null_ops->Release();
  });
  ratios->push_back({"null: prepared call / mutex lock", "null_prepared", "mutex", 0});
  ratios->push_back({"null: XRTExecute and release / mutex lock", "null_ops", "mutex", 0});
  if (xla_store == nullptr) return;
  const auto call = std::make_shared<AddCall>(xla_store);
  const auto bare = std::make_shared<BareProgram>(2);
  for (const bool wait : {false, true}) {
    const std::string suffix = wait ? "_wait" : "";
    Register("bare" + suffix, [bare, wait] { bare->Run(wait); });
    Register("prepared" + suffix, [call, wait] { call->RunPrepared(wait); });
    Register("handles" + suffix, [call, wait] { call->RunByHandles(wait); });
    ratios->push_back({"xla-cpu: prepared call / bare C API" + suffix, "prepared" + suffix,
                       "bare" + suffix, 1.25});
    ratios->push_back(
        {"xla-cpu: by handles / bare C API" + suffix, "handles" + suffix, "bare" + suffix, 2});
  }
}

// 64 MiB to and from the device, against memcpy; the last byte is read.
void RegisterTransfers(const std::string& name, const std::shared_ptr<runtime::Store>& store,
                       std::vector<Ratio>* ratios) {
  constexpr int64_t kBytes = int64_t{64} << 20;
  const hlo::Shape shape = hlo::Shape::Array(hlo::ElementType::kU8, {kBytes});
  const std::shared_ptr<Session> session = store->OpenSession({.name = "bench"});
  const auto source = std::make_shared<hlo::Literal>(Check(hlo::Literal::Zeros(shape), "zeros"));
  std::memset(source->bytes().data(), 3, kBytes);
  const auto warm = std::make_shared<AlignedBytes>(kBytes);
  std::memset(warm->data(), 1, kBytes);
  const auto value = std::make_shared<Allocation>(Check(session->Upload(*source), "upload"));

  Register("memcpy_fresh_" + name, [source] {
    AlignedBytes fresh(kBytes);
    std::memcpy(fresh.data(), source->bytes().data(), kBytes);
    benchmark::DoNotOptimize(fresh.data()[kBytes - 1]);
  });
  Register("upload_" + name, [session, source] {
    const Allocation uploaded = Check(session->Upload(*source), "upload");
    Check(uploaded.Await(), "wait");
  });
  Register("memcpy_warm_" + name, [source, warm] {
    std::memcpy(warm->data(), source->bytes().data(), kBytes);
    benchmark::DoNotOptimize(warm->data()[kBytes - 1]);
  });
  Register("download_" + name, [value, warm] {
    const auto buffer = Check(value->leaves()[0]->buffer(), "buffer");
    Check(buffer->CopyToHost(absl::MakeSpan(reinterpret_cast<std::byte*>(warm->data()), kBytes)),
          "download");
    benchmark::DoNotOptimize(warm->data()[kBytes - 1]);
  });
  ratios->push_back({name + ": upload of 64 MiB / memcpy into fresh memory", "upload_" + name,
                     "memcpy_fresh_" + name, 1.25});
  ratios->push_back({name + ": download of 64 MiB / memcpy into warm memory", "download_" + name,
                     "memcpy_warm_" + name, 1.25});
  for (const int64_t bytes : {int64_t{1} << 20, kBytes}) {
    const std::string import = absl::StrCat("import_", bytes >> 20, "MiB_", name);
    Register(import, [session, warm, bytes] {
      runtime::HostImport host;
      host.shape = hlo::Shape::Array(hlo::ElementType::kU8, {bytes});
      host.data = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(warm->data()), bytes);
      const Allocation imported = Check(session->Import(std::move(host)), "import");
      Check(imported.Await(), "wait");
    });
  }
  ratios->push_back({name + ": import without a copy, 64 MiB / 1 MiB", "import_64MiB_" + name,
                     "import_1MiB_" + name, 1.5});
}

void RegisterCache(const std::shared_ptr<runtime::Store>& store, std::vector<Ratio>* ratios) {
  const auto session = store->OpenSession({.name = "bench"});
  const auto bytes = std::make_shared<std::string>(Check(
      hlo::ModuleToProtoBytes(Check(hlo::ParseModule(GeneratedText(10'000)), "text")), "proto"));
  const auto module = Check(
      runtime::VerifiedModule::Create(Check(hlo::ModuleFromProtoBytes(*bytes), "read")), "verify");
  Compiled(*session, *bytes);
  Check(session->Compile(module), "compile");
  Register("hit_module", [session, module] { Check(session->Compile(module), "hit"); });
  Register("hit_bytes", [session, bytes] { Check(session->Compile(*bytes), "hit"); });
  Register("hash_bytes",
           [bytes] { benchmark::DoNotOptimize(absl::HashOf(absl::string_view(*bytes))); });
  ratios->push_back({"cache hit from bytes / hashing them", "hit_bytes", "hash_bytes", 2});
  ratios->push_back({"cache hit by module / mutex lock", "hit_module", "mutex", 0});
}

// Made when they are first asked for, and apart from what the other benchmarks measure.
class MillionHandles {
 public:
  explicit MillionHandles(const std::shared_ptr<runtime::Store>& store)
      : session_(store->OpenSession({.name = "bench"})) {
    const Allocation value = Check(session_->Upload(hlo::Literal::Scalar<float>(1)), "upload");
    double worst = 0;
    for (int i = 0; i < 1'000'000; ++i) {
      const absl::Time begin = absl::Now();
      handles_.push_back(Check(session_->Keep(value), "keep"));
      worst = std::max(worst, absl::ToDoubleMilliseconds(absl::Now() - begin));
    }
    std::printf("a million handles: the slowest insertion took %.3f ms (bound 10)\n", worst);
  }
  void FindOne() {
    next_ = (next_ * 1'103'515'245 + 12'345) % handles_.size();
    benchmark::DoNotOptimize(session_->handles().FindAllocation(handles_[next_]).ok());
  }

 private:
  const std::shared_ptr<Session> session_;
  std::vector<int64_t> handles_;
  size_t next_ = 0;
};

void RegisterHandles(const std::shared_ptr<runtime::Store>& store, std::vector<Ratio>* ratios) {
  const auto handles = std::make_shared<std::unique_ptr<MillionHandles>>();
  benchmark::RegisterBenchmark("find_of_a_million", [store, handles](benchmark::State& state) {
    if (*handles == nullptr) *handles = std::make_unique<MillionHandles>(store);
    for (auto _ : state) (*handles)->FindOne();
  });
  ratios->push_back(
      {"look-up among a million handles / mutex lock", "find_of_a_million", "mutex", 0});
}

// The same number of small runs in one session on one thread, and in eight on eight.
void RegisterThreads(const std::shared_ptr<runtime::Store>& store, std::vector<Ratio>* ratios) {
  constexpr int kThreads = 8;
  constexpr int kRuns = 200'000;
  const auto calls = std::make_shared<std::vector<std::unique_ptr<AddCall>>>();
  for (int t = 0; t < kThreads; ++t) calls->push_back(std::make_unique<AddCall>(store));
  for (const int threads : {1, kThreads}) {
    const auto work = [calls, threads](benchmark::State& state) {
      for (auto _ : state) {
        std::vector<std::thread> running;
        for (int t = 0; t < threads; ++t) {
          running.emplace_back([call = (*calls)[t].get(), threads] {
            for (int i = 0; i < kRuns / threads; ++i) call->RunPrepared(false);
          });
        }
        for (std::thread& thread : running) thread.join();
      }
    };
    const std::string name = absl::StrCat("threads_", threads);
    benchmark::RegisterBenchmark(name.c_str(), work)->UseRealTime();
  }
  ratios->push_back({"null: 200,000 runs on 8 threads / on 1", "threads_8", "threads_1", 1});
}

int Main(int argc, char** argv) {
  std::vector<Ratio> ratios;
  const auto null_store = StoreOf(Check(assembly::CreateBackend("null"), "null"));
  std::shared_ptr<runtime::Store> xla_store;
  if (auto xla = assembly::CreateBackend("xla-cpu"); xla.ok()) {
    xla_store = StoreOf(*std::move(xla));
  } else {
    std::printf("without xla-cpu: %s\n", std::string(xla.status().message()).c_str());
  }
  RegisterCalls(null_store, xla_store, &ratios);
  RegisterTransfers("reference", StoreOf(Check(assembly::CreateBackend("reference"), "reference")),
                    &ratios);
  if (xla_store != nullptr) RegisterTransfers("xla-cpu", xla_store, &ratios);
  RegisterCache(null_store, &ratios);
  RegisterHandles(null_store, &ratios);
  RegisterThreads(null_store, &ratios);
  return RunWithRatios(argc, argv, ratios);
}

}  // namespace
}  // namespace axle::bench

int main(int argc, char** argv) { return axle::bench::Main(argc, argv); }
