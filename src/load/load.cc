// SPDX-License-Identifier: Apache-2.0
#include "load/load.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "hlo/proto/codec.h"
#include "hlo/text/parser.h"
#include "load/errors.h"

namespace axle::load {
namespace {

constexpr absl::string_view kMlirBytecodeMagic = "ML\xef\x52";

// Text has no control bytes but white space; every wire form has some near its start, since field
// tags, lengths and ids below 32 are such bytes.
bool IsText(absl::string_view bytes) {
  const absl::string_view start = bytes.substr(0, 4096);
  return std::none_of(start.begin(), start.end(), [](char c) {
    const unsigned char byte = static_cast<unsigned char>(c);
    return byte < 0x20 && byte != '\n' && byte != '\t' && byte != '\r' && byte != '\f';
  });
}

// The first line that is neither blank nor a comment, without leading blanks.
absl::string_view FirstLine(absl::string_view text) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    absl::string_view line = text.substr(0, end);
    const size_t begin = line.find_first_not_of(" \t\r\f");
    line = begin == absl::string_view::npos ? absl::string_view() : line.substr(begin);
    if (!line.empty() && !absl::StartsWith(line, "//")) return line;
    if (end == absl::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace

ProgramForm FormOf(absl::string_view bytes) {
  if (absl::StartsWith(bytes, kMlirBytecodeMagic)) return ProgramForm::kStableHloBytecode;
  if (!IsText(bytes)) return ProgramForm::kHloProto;
  const absl::string_view line = FirstLine(bytes);
  for (const absl::string_view start : {"module ", "module@", "module{", "#", "func.func",
                                        "builtin.module", "\"builtin.module\""}) {
    if (absl::StartsWith(line, start)) return ProgramForm::kStableHloText;
  }
  return ProgramForm::kHloText;
}

absl::StatusOr<hlo::Module> LoadModule(absl::string_view bytes, absl::string_view name) {
  if (bytes.empty()) return MakeError(errors::kEmptyProgram, absl::StrCat(name, " is empty"));
  switch (FormOf(bytes)) {
    case ProgramForm::kHloText: {
      hlo::ParseOptions options;
      options.file_name = std::string(name);
      return hlo::ParseModule(bytes, options);
    }
    case ProgramForm::kHloProto: {
      absl::StatusOr<hlo::Module> module = hlo::ModuleFromAnyProtoBytes(bytes);
      if (!module.ok()) return AtPlace(name, module.status());
      return module;
    }
    case ProgramForm::kStableHloText:
      return MakeError(errors::kFormUnimplemented, absl::StrCat(name, " is StableHLO text"));
    case ProgramForm::kStableHloBytecode:
      return MakeError(errors::kFormUnimplemented, absl::StrCat(name, " is StableHLO bytecode"));
  }
  return MakeError(errors::kEmptyProgram, name);
}

absl::StatusOr<hlo::Module> LoadModuleFile(const std::string& path) {
  AXLE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  return LoadModule(bytes, path);
}

}  // namespace axle::load
