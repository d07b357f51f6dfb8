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

absl::Status WithExcerpt(absl::Status status, absl::string_view text) {
  const auto place = hlo::PlaceOf(status);
  if (!place.has_value()) return status;
  // Through a view: Cord's constructor from strings is a template that clang and GCC name apart.
  const std::string excerpt = hlo::Excerpt(text, *place);
  status.SetPayload(kExcerptPayload, absl::Cord(absl::string_view(excerpt)));
  return status;
}

absl::StatusOr<hlo::Module> LoadProgram(const std::string& path) {
  AXLE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  absl::StatusOr<hlo::Module> module = load::LoadModule(bytes, path);
  if (module.ok()) return module;
  return WithExcerpt(module.status(), bytes);
}

absl::StatusOr<runtime::OwnedProgram> CompileProgram(const std::string& path,
                                                     runtime::Session& session, int64_t device) {
  AXLE_ASSIGN_OR_RETURN(hlo::Module loaded, LoadProgram(path));
  AXLE_ASSIGN_OR_RETURN(auto module, runtime::VerifiedModule::Create(std::move(loaded)));
  runtime::ProgramCache::Request request;
  request.options.compile.device = static_cast<int>(device);
  return session.Compile(std::move(module), request);
}

std::string ExcerptOf(const absl::Status& status) {
  const auto excerpt = status.GetPayload(kExcerptPayload);
  return excerpt.has_value() ? std::string(*excerpt) : "";
}

}  // namespace axle::tools
