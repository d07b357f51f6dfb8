// SPDX-License-Identifier: Apache-2.0
#include "check/case.h"

#include <sys/stat.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "base/error.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "check/errors.h"
#include "nlohmann/json.hpp"

namespace axle::check {
namespace {

using Json = nlohmann::json;

constexpr absl::string_view kProgramFiles[] = {"program.hlo", "program.hlo.pb"};

bool FileExists(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

bool FolderExists(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

class CaseReader {
 public:
  explicit CaseReader(std::string folder) : folder_(std::move(folder)) {}

  absl::StatusOr<Case> Read() {
    AXLE_ASSIGN_OR_RETURN(const std::string text, ReadFile(Path("case.json")));
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) return Wrong("no JSON object");
    Case result;
    result.name = folder_.substr(folder_.find_last_of('/') + 1);
    AXLE_ASSIGN_OR_RETURN(const Json* inputs, List(json, "inputs"));
    for (const Json& entry : *inputs) {
      AXLE_ASSIGN_OR_RETURN(std::string file, File(entry, "inputs"));
      result.inputs.push_back(std::move(file));
    }
    AXLE_ASSIGN_OR_RETURN(const Json* outputs, List(json, "outputs"));
    for (const Json& entry : *outputs) {
      CaseOutput output;
      AXLE_ASSIGN_OR_RETURN(output.file, File(entry, "outputs"));
      AXLE_ASSIGN_OR_RETURN(output.tolerance.rtol, Number(entry, "rtol"));
      AXLE_ASSIGN_OR_RETURN(output.tolerance.atol, Number(entry, "atol"));
      const auto zero = entry.find("signed_zero");
      output.tolerance.signed_zero = zero != entry.end() && zero->is_boolean() && zero->get<bool>();
      result.outputs.push_back(std::move(output));
    }
    for (const absl::string_view name : kProgramFiles) {
      if (FileExists(Path(name))) result.programs.push_back(Path(name));
    }
    if (result.programs.empty()) {
      return Wrong(absl::StrCat("no program beside it: ", absl::StrJoin(kProgramFiles, ", ")));
    }
    return result;
  }

 private:
  std::string Path(absl::string_view file) const { return absl::StrCat(folder_, "/", file); }

  absl::Status Wrong(absl::string_view what) const {
    return MakeError(errors::kCaseFile, absl::StrCat(Path("case.json"), ": ", what));
  }

  absl::StatusOr<const Json*> List(const Json& json, const char* key) const {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array()) {
      return Wrong(absl::StrCat("\"", key, "\" is not a list"));
    }
    return &*found;
  }

  absl::StatusOr<std::string> File(const Json& entry, absl::string_view list) const {
    if (entry.is_object()) {
      const auto file = entry.find("file");
      if (file != entry.end() && file->is_string()) return Path(file->get<std::string>());
    }
    return Wrong(absl::StrCat("an entry of \"", list, "\" has no \"file\""));
  }

  absl::StatusOr<double> Number(const Json& entry, const char* key) const {
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_number()) {
      return Wrong(absl::StrCat("an output's \"", key, "\" is not a number"));
    }
    return found->get<double>();
  }

  const std::string folder_;
};

}  // namespace

absl::StatusOr<Case> LoadCase(const std::string& folder) { return CaseReader(folder).Read(); }

absl::StatusOr<std::vector<std::string>> FindCases(absl::Span<const std::string> paths) {
  std::vector<std::string> folders;
  for (const std::string& given : paths) {
    const std::string path(absl::StripSuffix(given, "/"));
    if (FileExists(absl::StrCat(path, "/case.json"))) {
      folders.push_back(path);
      continue;
    }
    AXLE_ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
    for (const std::string& name : names) {
      const std::string folder = absl::StrCat(path, "/", name);
      if (FolderExists(folder) && FileExists(absl::StrCat(folder, "/case.json"))) {
        folders.push_back(folder);
      }
    }
  }
  if (folders.empty()) {
    return MakeError(errors::kNoCases,
                     absl::StrCat("no case.json in ", absl::StrJoin(paths, ", ")));
  }
  return folders;
}

}  // namespace axle::check
