// SPDX-License-Identifier: Apache-2.0
// axle run: compiles a program and runs it on arrays from files.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "check/compare.h"
#include "check/npy_literal.h"
#include "check/run_case.h"
#include "runtime/session.h"
#include "tools/backend_flags.h"
#include "tools/command.h"
#include "tools/errors.h"
#include "tools/json.h"
#include "tools/literal_text.h"
#include "tools/program_file.h"

namespace axle::tools {
namespace {

using Clock = std::chrono::steady_clock;

struct RunOptions {
  BackendFlags backend;
  std::vector<std::string> inputs;
  std::vector<std::string> expected;
  std::string output_folder;
  check::Tolerance tolerance = {.rtol = 1e-5, .atol = 1e-6};
  int64_t repeat = 1;
  bool time = false;
};

struct RunResult {
  std::vector<hlo::Literal> outputs;
  double compile_seconds = 0;
  std::vector<double> run_seconds;  // ascending

  double median() const {
    const size_t middle = run_seconds.size() / 2;
    return run_seconds.size() % 2 == 1 ? run_seconds[middle]
                                       : (run_seconds[middle - 1] + run_seconds[middle]) / 2;
  }
};

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string Milliseconds(double seconds) { return absl::StrFormat("%.3f ms", seconds * 1e3); }

// Each run may take its inputs over, so a program that does gets new ones every time.
absl::StatusOr<runtime::Allocation> RunRepeatedly(runtime::Session& session,
                                                  const runtime::OwnedProgram& program,
                                                  absl::Span<const hlo::Literal> literals,
                                                  int64_t repeat, std::vector<double>* seconds) {
  const bool reusable = program.cached->program().donations().empty();
  std::vector<runtime::Allocation> inputs;
  runtime::Allocation result;
  for (int64_t i = 0; i < repeat; ++i) {
    result = runtime::Allocation();
    if (i == 0 || !reusable) {
      AXLE_ASSIGN_OR_RETURN(inputs,
                            check::UploadInputs(session, program.cached->program(), literals));
    }
    const Clock::time_point begin = Clock::now();
    AXLE_ASSIGN_OR_RETURN(result, check::RunGiving(session, program, inputs));
    AXLE_RETURN_IF_ERROR(result.Await());
    seconds->push_back(SecondsSince(begin));
  }
  std::sort(seconds->begin(), seconds->end());
  return result;
}

absl::StatusOr<RunResult> CompileAndRun(const std::string& path, const RunOptions& options) {
  RunResult result;
  AXLE_ASSIGN_OR_RETURN(const auto session, options.backend.OpenSession());
  const Clock::time_point begin = Clock::now();
  AXLE_ASSIGN_OR_RETURN(const runtime::OwnedProgram program,
                        CompileProgram(path, *session, options.backend.device));
  result.compile_seconds = SecondsSince(begin);
  AXLE_ASSIGN_OR_RETURN(
      const std::vector<hlo::Literal> inputs,
      check::ReadInputs(options.inputs, program.cached->program().parameter_leaves()));
  AXLE_ASSIGN_OR_RETURN(
      const runtime::Allocation outputs,
      RunRepeatedly(*session, program, inputs, options.repeat, &result.run_seconds));
  AXLE_ASSIGN_OR_RETURN(result.outputs, check::DownloadOutputs(outputs));
  return result;
}

absl::Status WriteOutputs(absl::Span<const hlo::Literal> outputs, const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    return MakeError(errors::kNoFolder, absl::StrCat(folder, ": ", failure.message()));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    AXLE_RETURN_IF_ERROR(
        check::WriteLiteralAsNpy(absl::StrCat(folder, "/output.", i, ".npy"), outputs[i]));
  }
  return absl::OkStatus();
}

// One entry an output; nothing where it is as expected.
absl::StatusOr<std::vector<std::optional<check::Difference>>> CompareOutputs(
    absl::Span<const hlo::Literal> outputs, const RunOptions& options) {
  std::vector<std::optional<check::Difference>> differences(outputs.size());
  if (options.expected.empty()) return differences;
  if (options.expected.size() != outputs.size()) {
    return MakeError(errors::kExpectedCount,
                     absl::StrCat("the program has ", outputs.size(), " outputs, --expect names ",
                                  options.expected.size(), " files"));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    absl::StatusOr<hlo::Literal> expected =
        check::LiteralFromNpyFile(options.expected[i], outputs[i].shape());
    if (!expected.ok()) return AtPlace(absl::StrCat("expected output ", i), expected.status());
    differences[i] = check::Compare(*expected, outputs[i], options.tolerance);
  }
  return differences;
}

void PrintText(const RunResult& result, const RunOptions& options,
               absl::Span<const std::optional<check::Difference>> differences, Console& console) {
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    console.Print(absl::StrCat("output ", i, ": ", LiteralText(result.outputs[i]), "\n"));
    if (differences[i].has_value()) {
      console.Print(absl::StrCat("output ", i, " differs: ",
                                 check::DifferenceText(*differences[i], result.outputs[i]), "\n"));
    }
  }
  if (!options.expected.empty() &&
      std::none_of(differences.begin(), differences.end(), [](const auto& d) { return !!d; })) {
    console.Print("all outputs are as expected\n");
  }
  if (!options.time) return;
  console.Print(absl::StrCat("compile: ", Milliseconds(result.compile_seconds), "\n"));
  console.Print(absl::StrCat("run: least ", Milliseconds(result.run_seconds.front()), ", median ",
                             Milliseconds(result.median()), " of ", result.run_seconds.size(),
                             "\n"));
}

void PrintAsJson(const std::string& path, const RunResult& result, const RunOptions& options,
                 absl::Span<const std::optional<check::Difference>> differences, Console& console) {
  Json outputs = Json::array();
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    Json output = {{"shape", ShapeJson(result.outputs[i].shape())}};
    Json elements = Json::array();
    constexpr int64_t kMost = 12;
    for (int64_t e = 0; e < std::min(kMost, result.outputs[i].element_count()); ++e) {
      elements.push_back(check::ElementText(result.outputs[i], e));
    }
    output["first_elements"] = std::move(elements);
    if (!options.output_folder.empty()) {
      output["file"] = absl::StrCat(options.output_folder, "/output.", i, ".npy");
    }
    if (!options.expected.empty()) output["as_expected"] = !differences[i].has_value();
    if (differences[i].has_value()) {
      output["difference"] = {{"wrong", differences[i]->wrong},
                              {"worst_index", differences[i]->worst_index},
                              {"expected", differences[i]->expected},
                              {"actual", differences[i]->actual}};
    }
    outputs.push_back(std::move(output));
  }
  Json object = {{"program", path}, {"outputs", std::move(outputs)}};
  if (options.time) {
    object["compile_seconds"] = result.compile_seconds;
    object["run_seconds"] = {{"least", result.run_seconds.front()},
                             {"median", result.median()},
                             {"runs", result.run_seconds.size()}};
  }
  console.PrintJson(object);
}

std::vector<Flag> MakeFlags(RunOptions& options, Console& console) {
  std::vector<Flag> flags = {
      {.name = "--input",
       .value = "FILE",
       .help = "The .npy files of the program's parameter leaves, in order.",
       .target = &options.inputs,
       .takes_list = true},
      {.name = "--expect",
       .value = "FILE",
       .help = "The .npy files that the outputs must agree with; exit code 3 when one differs.",
       .target = &options.expected,
       .takes_list = true},
      {"--rtol", "X",
       "Relative tolerance of --expect: |got - expected| <= atol + rtol * |expected|. Default: "
       "1e-5. Integers are compared exactly.",
       &options.tolerance.rtol},
      {"--atol", "X", "Absolute tolerance of --expect. Default: 1e-6.", &options.tolerance.atol},
      {"--output-dir", "FOLDER", "Writes the outputs there: output.0.npy, output.1.npy ...",
       &options.output_folder},
      {.name = "--repeat",
       .value = "N",
       .help = "Runs the program N times. Default: 1.",
       .target = &options.repeat,
       .least = 1},
      {"--time", "", "Prints how long compilation and runs took.", &options.time},
  };
  for (Flag& flag : options.backend.FlagsWithDevice()) flags.push_back(flag);
  flags.push_back({"--json", "", "Prints one JSON object.", &console.json});
  return flags;
}

}  // namespace

absl::StatusOr<ExitCode> RunCommand(const Invocation& invocation) {
  RunOptions options;
  AXLE_ASSIGN_OR_RETURN(const auto operands,
                        invocation.Parse(MakeFlags(options, invocation.console)));
  if (!operands.has_value()) return ExitCode::kOk;
  const std::string& path = operands->front();

  AXLE_ASSIGN_OR_RETURN(const RunResult result, CompileAndRun(path, options));
  if (!options.output_folder.empty()) {
    AXLE_RETURN_IF_ERROR(WriteOutputs(result.outputs, options.output_folder));
  }
  AXLE_ASSIGN_OR_RETURN(const auto differences, CompareOutputs(result.outputs, options));
  if (invocation.console.json) {
    PrintAsJson(path, result, options, differences, invocation.console);
  } else {
    PrintText(result, options, differences, invocation.console);
  }
  const bool differ =
      std::any_of(differences.begin(), differences.end(), [](const auto& d) { return !!d; });
  return differ ? ExitCode::kDiffer : ExitCode::kOk;
}

}  // namespace axle::tools
