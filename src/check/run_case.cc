// SPDX-License-Identifier: Apache-2.0
#include "check/run_case.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "check/actual_sizes.h"
#include "check/npy_literal.h"
#include "load/load.h"
#include "runtime/errors.h"

namespace axle::check {
namespace {

std::string FileName(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

absl::StatusOr<std::vector<hlo::Literal>> RunProgram(
    const Case& the_case, const std::string& path,
    const std::shared_ptr<runtime::Backend>& backend) {
  AXLE_ASSIGN_OR_RETURN(hlo::Module module, load::LoadModuleFile(path));
  AXLE_ASSIGN_OR_RETURN(
      const std::unique_ptr<runtime::Program> program,
      runtime::Program::Compile(backend, std::make_shared<const hlo::Module>(std::move(module))));
  AXLE_ASSIGN_OR_RETURN(const std::vector<hlo::Literal> inputs,
                        ReadInputs(the_case.inputs, program->parameter_leaves()));
  return RunOnLiterals(*program, inputs);
}

// The lines of what differs; empty when all is right.
std::vector<std::string> CompareOutputs(const Case& the_case,
                                        absl::Span<const hlo::Literal> actual) {
  std::vector<std::string> lines;
  if (actual.size() != the_case.outputs.size()) {
    lines.push_back(
        absl::StrCat("returned ", actual.size(), " outputs, expected ", the_case.outputs.size()));
    return lines;
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    const CaseOutput& output = the_case.outputs[i];
    const absl::StatusOr<hlo::Literal> expected =
        LiteralFromNpyFile(output.file, actual[i].shape());
    if (!expected.ok()) {
      lines.push_back(absl::StrCat("output ", i, ": ", expected.status().message()));
      continue;
    }
    const std::optional<Difference> difference = Compare(*expected, actual[i], output.tolerance);
    if (!difference.has_value()) continue;
    lines.push_back(absl::StrCat("output ", i, ": ", DifferenceText(*difference, actual[i])));
  }
  return lines;
}

}  // namespace

absl::StatusOr<std::vector<hlo::Literal>> ReadInputs(absl::Span<const std::string> files,
                                                     absl::Span<const hlo::Shape> leaves) {
  if (files.size() != leaves.size()) {
    return MakeError(runtime::errors::kArgumentCount,
                     absl::StrCat("the program takes ", leaves.size(), " inputs, ", files.size(),
                                  " files given"));
  }
  std::vector<hlo::Literal> inputs;
  for (size_t i = 0; i < files.size(); ++i) {
    absl::StatusOr<hlo::Literal> literal = LiteralFromNpyFile(files[i], leaves[i]);
    if (!literal.ok()) return AtPlace(absl::StrCat("input ", i), literal.status());
    inputs.push_back(*std::move(literal));
  }
  return inputs;
}

absl::StatusOr<hlo::Literal> DownloadOutput(runtime::Buffer& buffer) {
  AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, runtime::DownloadLiteral(buffer));
  return WithActualSizes(std::move(literal));
}

absl::StatusOr<std::vector<hlo::Literal>> RunOnLiterals(runtime::Program& program,
                                                        absl::Span<const hlo::Literal> inputs) {
  std::vector<std::shared_ptr<runtime::Buffer>> arguments;
  for (const hlo::Literal& input : inputs) {
    AXLE_ASSIGN_OR_RETURN(auto buffer, runtime::UploadLiteral(program.device(), input));
    arguments.push_back(std::move(buffer));
  }
  AXLE_ASSIGN_OR_RETURN(const auto results, program.Execute(arguments));
  std::vector<hlo::Literal> outputs;
  for (const auto& result : results) {
    AXLE_ASSIGN_OR_RETURN(hlo::Literal output, DownloadOutput(*result));
    outputs.push_back(std::move(output));
  }
  return outputs;
}

CaseResult RunCase(const Case& the_case, const std::shared_ptr<runtime::Backend>& backend) {
  CaseResult result;
  for (const std::string& path : the_case.programs) {
    const absl::StatusOr<std::vector<hlo::Literal>> outputs = RunProgram(the_case, path, backend);
    if (!outputs.ok()) {
      if (ErrorIdOf(outputs.status()) == runtime::errors::kMissingCustomCall.id) {
        return {Outcome::kSkipped, {std::string(outputs.status().message())}};
      }
      result.outcome = Outcome::kFailed;
      result.lines.push_back(absl::StrCat(FileName(path), ": ", outputs.status().message()));
      continue;
    }
    for (const std::string& line : CompareOutputs(the_case, *outputs)) {
      result.outcome = Outcome::kFailed;
      result.lines.push_back(absl::StrCat(FileName(path), ": ", line));
    }
  }
  return result;
}

}  // namespace axle::check
