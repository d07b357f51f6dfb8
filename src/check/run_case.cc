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

absl::StatusOr<std::vector<hlo::Literal>> RunProgram(const Case& the_case, const std::string& path,
                                                     runtime::Session& session) {
  AXLE_ASSIGN_OR_RETURN(hlo::Module loaded, load::LoadModuleFile(path));
  AXLE_ASSIGN_OR_RETURN(auto module, runtime::VerifiedModule::Create(std::move(loaded)));
  AXLE_ASSIGN_OR_RETURN(const runtime::OwnedProgram owned, session.Compile(std::move(module)));
  const runtime::Program& program = owned.cached->program();
  AXLE_ASSIGN_OR_RETURN(const std::vector<hlo::Literal> literals,
                        ReadInputs(the_case.inputs, program.parameter_leaves()));
  AXLE_ASSIGN_OR_RETURN(const std::vector<runtime::Allocation> inputs,
                        UploadInputs(session, program, literals));
  AXLE_ASSIGN_OR_RETURN(const runtime::Allocation result, RunGiving(session, owned, inputs));
  return DownloadOutputs(result);
}

// The literal of `shape` from its leaves; takes as many as it needs.
hlo::Literal TreeOf(const hlo::Shape& shape, absl::Span<const hlo::Literal>* leaves) {
  if (!shape.IsTuple()) {
    hlo::Literal leaf = leaves->front();
    leaves->remove_prefix(1);
    return leaf;
  }
  std::vector<hlo::Literal> elements;
  for (const hlo::Shape& element : shape.tuple_shapes())
    elements.push_back(TreeOf(element, leaves));
  return hlo::Literal::Tuple(std::move(elements));
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

absl::StatusOr<std::vector<runtime::Allocation>> UploadInputs(
    runtime::Session& session, const runtime::Program& program,
    absl::Span<const hlo::Literal> leaves) {
  std::vector<runtime::Allocation> inputs;
  for (const hlo::Shape& parameter : program.signature().parameters) {
    AXLE_ASSIGN_OR_RETURN(runtime::Allocation input,
                          session.Upload(TreeOf(parameter, &leaves), program.device().id()));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

absl::StatusOr<std::vector<hlo::Literal>> DownloadOutputs(const runtime::Allocation& result) {
  std::vector<hlo::Literal> outputs;
  for (const std::shared_ptr<runtime::Leaf>& leaf : result.leaves()) {
    AXLE_ASSIGN_OR_RETURN(const std::shared_ptr<runtime::Buffer> buffer, leaf->buffer());
    AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, runtime::DownloadLiteral(*buffer));
    AXLE_ASSIGN_OR_RETURN(literal, WithActualSizes(std::move(literal)));
    outputs.push_back(std::move(literal));
  }
  return outputs;
}

absl::StatusOr<runtime::Allocation> RunGiving(runtime::Session& session,
                                              const runtime::OwnedProgram& program,
                                              absl::Span<const runtime::Allocation> inputs) {
  absl::InlinedVector<const runtime::Allocation*, 8> arguments;
  for (const runtime::Allocation& input : inputs) arguments.push_back(&input);
  const absl::InlinedVector<bool, 8> give(inputs.size(), true);
  return session.Run(program, arguments, {.give = give});
}

CaseResult RunCase(const Case& the_case, runtime::Session& session) {
  CaseResult result;
  for (const std::string& path : the_case.programs) {
    const absl::StatusOr<std::vector<hlo::Literal>> outputs = RunProgram(the_case, path, session);
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
