// SPDX-License-Identifier: Apache-2.0
// Readers and verifier: growth with the size of the program, memory an instruction, and the proto
// reader against protobuf's own parse of the same bytes.
#include <malloc.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "generated_module.h"
#include "hlo/proto/codec.h"
#include "hlo/text/parser.h"
#include "hlo/verify/verify.h"
#include "proto/hlo.pb.h"
#include "ratio.h"

namespace {

using axle::hlo::Module;

const std::string& Text(int instructions) {
  static std::map<int, std::string> texts;
  std::string& text = texts[instructions];
  if (text.empty()) text = axle::bench::GeneratedText(instructions);
  return text;
}

const Module& Parsed(int instructions) {
  static std::map<int, Module> modules;
  const auto [found, added] = modules.try_emplace(instructions);
  if (added) found->second = *axle::hlo::ParseModule(Text(instructions));
  return found->second;
}

const std::string& Wire(int instructions) {
  static std::map<int, std::string> wires;
  std::string& wire = wires[instructions];
  if (wire.empty()) wire = *axle::hlo::ModuleToProtoBytes(Parsed(instructions));
  return wire;
}

void ReadText(benchmark::State& state, int instructions) {
  const std::string& text = Text(instructions);
  for (auto _ : state) benchmark::DoNotOptimize(axle::hlo::ParseModule(text));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}

void ReadProto(benchmark::State& state, int instructions) {
  const std::string& wire = Wire(instructions);
  for (auto _ : state) benchmark::DoNotOptimize(axle::hlo::ModuleFromProtoBytes(wire));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(wire.size()));
}

void Verify(benchmark::State& state, int instructions) {
  const Module& module = Parsed(instructions);
  for (auto _ : state) benchmark::DoNotOptimize(axle::hlo::VerifyModule(module));
}

void ProtobufParse(benchmark::State& state, int instructions) {
  const std::string& wire = Wire(instructions);
  for (auto _ : state) {
    axle::wire::HloModuleProto proto;
    benchmark::DoNotOptimize(proto.ParseFromString(wire));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(wire.size()));
}

void Register(const char* name, void (*function)(benchmark::State&, int)) {
  for (const int instructions : {10'000, 100'000}) {
    benchmark::RegisterBenchmark(absl::StrCat(name, "_", instructions).c_str(),
                                 [=](benchmark::State& state) { function(state, instructions); })
        ->Unit(benchmark::kMillisecond);
  }
}

// Every instruction gets long metadata of its own.
void LengthenMetadata(Module& module) {
  int64_t number = 0;
  for (axle::hlo::Computation& computation : module.computations) {
    for (axle::hlo::Instruction& instruction : computation.instructions) {
      auto metadata = std::make_shared<axle::hlo::Metadata>();
      metadata->op_name = absl::StrCat(std::string(100, 'x'), ++number);
      metadata->op_type = "some_primitive";
      metadata->source_file = "/some/where/model.py";
      metadata->source_line = static_cast<int32_t>(number);
      metadata->stack_frame_id = static_cast<int32_t>(number);
      instruction.metadata = std::move(metadata);
    }
  }
}

// Heap bytes that stay allocated for a module of 100,000 instructions.
void PrintMemory() {
  const int instructions = 100'000;
  const auto used = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  const auto print_wire = [&](const char* which, const Module& module) {
    const std::string wire = *axle::hlo::ModuleToProtoBytes(module);
    const size_t before = used();
    const auto from_wire = axle::hlo::ModuleFromProtoBytes(wire);
    std::printf("memory an instruction, read from %s %.0f bytes (bound 500)\n", which,
                static_cast<double>(used() - before) / instructions);
  };
  const std::string& text = Text(instructions);
  const size_t before_text = used();
  auto from_text = axle::hlo::ParseModule(text);
  const size_t after_text = used();
  std::printf("memory an instruction, read from text: %.0f bytes (bound 500)\n",
              static_cast<double>(after_text - before_text) / instructions);
  print_wire("proto:", *from_text);
  LengthenMetadata(*from_text);
  print_wire("proto, long metadata:", *from_text);
}

}  // namespace

int main(int argc, char** argv) {
  PrintMemory();
  Register("read_text", ReadText);
  Register("read_proto", ReadProto);
  Register("verify", Verify);
  Register("protobuf_parse", ProtobufParse);
  return axle::bench::RunWithRatios(
      argc, argv,
      {{"text, 100,000 against 10,000 instructions", "read_text_100000", "read_text_10000", 12},
       {"proto, 100,000 against 10,000 instructions", "read_proto_100000", "read_proto_10000", 12},
       {"verify, 100,000 against 10,000 instructions", "verify_100000", "verify_10000", 12},
       {"proto against protobuf's own parse", "read_proto_100000", "protobuf_parse_100000", 4}});
}
