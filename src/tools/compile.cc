// SPDX-License-Identifier: Apache-2.0
// axle compile: compiles a program and shows what it takes and returns.
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "runtime/program.h"
#include "tools/backend_flags.h"
#include "tools/command.h"
#include "tools/json.h"
#include "tools/program_file.h"

namespace axle::tools {
namespace {

// A leaf's place in a parameter or in the result.
struct Leaf {
  std::string place;  // "p{0,1}"
  hlo::Shape shape;
};

void AppendLeaves(const std::string& name, const hlo::Shape& shape, std::vector<int64_t>* path,
                  std::vector<Leaf>* leaves) {
  if (!shape.IsTuple()) {
    leaves->push_back(
        {path->empty() ? name : absl::StrCat(name, "{", absl::StrJoin(*path, ","), "}"), shape});
    return;
  }
  for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    path->push_back(static_cast<int64_t>(i));
    AppendLeaves(name, shape.tuple_shapes()[i], path, leaves);
    path->pop_back();
  }
}

std::string ParameterName(const hlo::ProgramShape& signature, size_t i) {
  return i < signature.parameter_names.size() ? signature.parameter_names[i]
                                              : absl::StrCat("parameter", i);
}

std::vector<Leaf> InputLeaves(const hlo::ProgramShape& signature) {
  std::vector<Leaf> leaves;
  std::vector<int64_t> path;
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    AppendLeaves(ParameterName(signature, i), signature.parameters[i], &path, &leaves);
  }
  return leaves;
}

std::vector<Leaf> OutputLeaves(const hlo::ProgramShape& signature) {
  std::vector<Leaf> leaves;
  std::vector<int64_t> path;
  AppendLeaves("result", signature.result, &path, &leaves);
  return leaves;
}

std::string MemoryText(const runtime::ProgramMemory& memory) {
  std::vector<std::string> parts;
  const auto add = [&parts](absl::string_view name, const std::optional<int64_t>& bytes) {
    if (bytes.has_value()) parts.push_back(absl::StrCat(name, " ", *bytes));
  };
  add("arguments", memory.arguments);
  add("results", memory.results);
  add("aliased", memory.aliased);
  add("temporaries", memory.temporaries);
  add("generated code", memory.generated_code);
  return parts.empty() ? "not reported by the backend"
                       : absl::StrCat(absl::StrJoin(parts, ", "), " bytes");
}

void PrintText(const runtime::Program& program, double seconds, Console& console) {
  const hlo::ProgramShape& signature = program.signature();
  console.Print(absl::StrCat("program ", program.name(), " on ", program.device().backend().name(),
                             ", device ", program.device().id(), "\n"));
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    console.Print(absl::StrCat("parameter ", i, ": ", ParameterName(signature, i), " ",
                               signature.parameters[i].ToString(), "\n"));
  }
  console.Print(absl::StrCat("result: ", signature.result.ToString(), "\n"));
  const auto print_leaves = [&console](absl::string_view kind, const std::vector<Leaf>& leaves) {
    for (size_t i = 0; i < leaves.size(); ++i) {
      console.Print(absl::StrCat(kind, " ", i, ": ", leaves[i].place, " ",
                                 leaves[i].shape.ToString(false), "\n"));
    }
  };
  print_leaves("input", InputLeaves(signature));
  print_leaves("output", OutputLeaves(signature));
  console.Print(absl::StrCat("memory: ", MemoryText(program.memory()), "\n"));
  console.Print(absl::StrFormat("compiled in %.3f ms\n", seconds * 1e3));
}

Json LeavesJson(const std::vector<Leaf>& leaves) {
  Json json = Json::array();
  for (const Leaf& leaf : leaves) {
    json.push_back({{"place", leaf.place}, {"shape", ShapeJson(leaf.shape)}});
  }
  return json;
}

void PrintAsJson(const runtime::Program& program, double seconds, Console& console) {
  const hlo::ProgramShape& signature = program.signature();
  Json parameters = Json::array();
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    parameters.push_back(
        {{"name", ParameterName(signature, i)}, {"shape", ShapeJson(signature.parameters[i])}});
  }
  console.PrintJson({{"name", program.name()},
                     {"backend", program.device().backend().name()},
                     {"device", program.device().id()},
                     {"parameters", std::move(parameters)},
                     {"result", ShapeJson(signature.result)},
                     {"inputs", LeavesJson(InputLeaves(signature))},
                     {"outputs", LeavesJson(OutputLeaves(signature))},
                     {"memory", MemoryJson(program.memory())},
                     {"compile_seconds", seconds}});
}

}  // namespace

absl::StatusOr<ExitCode> CompileCommand(const Invocation& invocation) {
  Console& console = invocation.console;
  BackendFlags chosen;
  std::vector<Flag> flags = chosen.FlagsWithDevice();
  flags.push_back({"--json", "", "Prints one JSON object.", &console.json});
  AXLE_ASSIGN_OR_RETURN(const auto operands, invocation.Parse(flags));
  if (!operands.has_value()) return ExitCode::kOk;

  AXLE_ASSIGN_OR_RETURN(const auto session, chosen.OpenSession());
  const auto begin = std::chrono::steady_clock::now();
  AXLE_ASSIGN_OR_RETURN(const runtime::OwnedProgram owned,
                        CompileProgram(operands->front(), *session, chosen.device));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  const runtime::Program& program = owned.cached->program();
  if (console.json) {
    PrintAsJson(program, taken.count(), console);
  } else {
    PrintText(program, taken.count(), console);
  }
  return ExitCode::kOk;
}

}  // namespace axle::tools
