// SPDX-License-Identifier: Apache-2.0
#include "tools/program_file.h"

#include <utility>

#include "absl/strings/cord.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "hlo/text/parser.h"
#include "load/load.h"

namespace axle::tools {
namespace {

constexpr absl::string_view kExcerptPayload = "axle/excerpt";

}  // namespace

absl::StatusOr<hlo::Module> LoadProgram(const std::string& path) {
  AXLE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  absl::StatusOr<hlo::Module> module = load::LoadModule(bytes, path);
  if (module.ok()) return module;
  absl::Status status = module.status();
  const auto place = hlo::PlaceOf(status);
  if (place.has_value()) {
    // Through a view: Cord's constructor from strings is a template that clang and GCC name apart.
    const std::string excerpt = hlo::Excerpt(bytes, *place);
    status.SetPayload(kExcerptPayload, absl::Cord(absl::string_view(excerpt)));
  }
  return status;
}

absl::StatusOr<std::unique_ptr<runtime::Program>> CompileProgram(
    const std::string& path, std::shared_ptr<runtime::Backend> backend, int64_t device) {
  AXLE_ASSIGN_OR_RETURN(hlo::Module module, LoadProgram(path));
  runtime::ProgramOptions options;
  options.compile.device = static_cast<int>(device);
  return runtime::Program::Compile(std::move(backend),
                                   std::make_shared<const hlo::Module>(std::move(module)), options);
}

std::string ExcerptOf(const absl::Status& status) {
  const auto excerpt = status.GetPayload(kExcerptPayload);
  return excerpt.has_value() ? std::string(*excerpt) : "";
}

}  // namespace axle::tools
