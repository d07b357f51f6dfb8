// SPDX-License-Identifier: Apache-2.0
// axle xrt: runs scripts of XRT operations and compares what comes with what they expect.
#include "tools/xrt.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "load/load.h"
#include "tools/program_file.h"
#include "xrt_script/errors.h"
#include "xrt_script/script.h"

namespace axle::tools {
namespace {

constexpr absl::string_view kLanguage = R"(
A script has an operation a line; docs/xrt-scripts.md tells the rest:

  x = XRTAllocate f32[2] {1, 2}              # a handle and its name
  p = XRTCompile "sum.hlo"                   # a file beside the script, or HLO text in braces
  r = XRTExecute p x x release_inputs=true   # fields of the configuration as keys
  XRTReadLiteral r -> f32[2] {2, 4}          # exactly this; without '->' it is printed
  XRTReadLiteral x !! AX0620                 # must fail so, or with a code: !! NOT_FOUND
)";

Json EventJson(const xrt_script::Event& event) {
  Json json = {{"line", event.line}, {"statement", event.source}};
  if (event.kind == xrt_script::Event::Kind::kResult) {
    json["name"] = event.name;
    json["result"] = event.text;
  } else {
    json["expected"] = event.expected;
    json["got"] = event.text;
  }
  return json;
}

void PrintEvent(const std::string& path, const xrt_script::Event& event, Console& console) {
  if (event.kind == xrt_script::Event::Kind::kResult) {
    console.Print(absl::StrCat(event.name, ": ", event.text, "\n"));
    return;
  }
  console.Print(absl::StrCat(path, ":", event.line, ": ", event.source, "\n  expected ",
                             event.expected, "\n  got      ", event.text, "\n"));
}

// What decides the exit code of several scripts: wrong scripts, then failures, then differences.
int Severity(ExitCode code) {
  switch (code) {
    case ExitCode::kOk:
      return 0;
    case ExitCode::kDiffer:
      return 1;
    case ExitCode::kFailed:
      return 2;
    case ExitCode::kUsage:
      return 3;
  }
  return 3;
}

// `text`: of the script.
void TakeError(absl::Status status, absl::string_view text, Console& console, XrtOutcome* outcome) {
  const bool is_mistake = ErrorIdOf(status) == xrt_script::errors::kScript.id;
  if (is_mistake) status = WithExcerpt(std::move(status), text);
  outcome->code = is_mistake ? ExitCode::kUsage : ExitCode::kFailed;
  outcome->json["error"] = ErrorJson(status);
  console.Flush();
  NoteError(status, console);
}

}  // namespace

std::vector<Flag> XrtFlags::Flags(Console& console) {
  std::vector<Flag> flags = backend.FlagsWithDevice();
  flags.push_back({"--programs", "FOLDER",
                   "Folder of the files that scripts name. Default: that of the script.",
                   &programs});
  flags.push_back({.name = "--device-bytes",
                   .value = "N",
                   .help = "Most bytes that values may take on each device. Default: no limit.",
                   .target = &device_bytes,
                   .most = std::numeric_limits<int64_t>::max()});
  flags.push_back({.name = "--cache-bytes",
                   .value = "N",
                   .help = "Most bytes of programs to keep compiled. Default: 1 GiB.",
                   .target = &cache_bytes,
                   .most = std::numeric_limits<int64_t>::max()});
  flags.push_back({"--json", "", "Prints one JSON object.", &console.json});
  return flags;
}

XrtOutcome RunXrtScript(const std::string& path, const std::shared_ptr<runtime::Backend>& backend,
                        const XrtFlags& flags, Console& console) {
  XrtOutcome outcome;
  outcome.json = {{"script", path}, {"results", Json::array()}, {"differences", Json::array()}};
  const absl::StatusOr<std::string> text = ReadFile(path);
  const absl::StatusOr<xrt_script::Script> script =
      text.ok() ? xrt_script::ParseScript(path, *text, flags.programs) : text.status();
  if (!script.ok()) {
    TakeError(script.status(), text.ok() ? *text : "", console, &outcome);
    return outcome;
  }
  xrt_script::RunOptions options = {.store = {}, .device = static_cast<int>(flags.backend.device)};
  options.store.max_device_bytes = flags.device_bytes;
  options.store.cache.max_bytes = flags.cache_bytes;
  options.store.cache.loader = [](absl::string_view bytes) {
    return load::LoadModule(bytes, "program");
  };
  options.on_event = [&](const xrt_script::Event& event) {
    const bool differs = event.kind == xrt_script::Event::Kind::kDifference;
    if (differs) outcome.code = ExitCode::kDiffer;
    outcome.json[differs ? "differences" : "results"].push_back(EventJson(event));
    if (!console.json) PrintEvent(path, event, console);
  };
  outcome.runner = std::make_unique<xrt_script::Runner>(backend, std::move(options));
  const absl::Status status = outcome.runner->Run(*script);
  if (!status.ok()) TakeError(status, script->text, console, &outcome);
  return outcome;
}

absl::StatusOr<ExitCode> XrtCommand(const Invocation& invocation) {
  XrtFlags flags;
  AXLE_ASSIGN_OR_RETURN(const auto operands, invocation.Parse(flags.Flags(invocation.console)));
  if (!operands.has_value()) {
    invocation.console.Print(kLanguage);
    return ExitCode::kOk;
  }
  AXLE_ASSIGN_OR_RETURN(const auto backend, flags.backend.Create());
  ExitCode code = ExitCode::kOk;
  Json scripts = Json::array();
  for (const std::string& path : *operands) {
    XrtOutcome outcome = RunXrtScript(path, backend, flags, invocation.console);
    if (Severity(outcome.code) > Severity(code)) code = outcome.code;
    scripts.push_back(std::move(outcome.json));
  }
  if (invocation.console.json) {
    invocation.console.PrintJson({{"backend", backend->name()}, {"scripts", std::move(scripts)}});
  }
  return code;
}

}  // namespace axle::tools
