// SPDX-License-Identifier: Apache-2.0
// axle convert: a program from one form to another.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "hlo/module.h"
#include "hlo/proto/codec.h"
#include "hlo/text/printer.h"
#include "tools/command.h"
#include "tools/errors.h"
#include "tools/program_file.h"
#include "tools/text_losses.h"

namespace axle::tools {
namespace {

enum class Form { kText, kProto };

absl::StatusOr<Form> FormByName(const std::string& path) {
  if (absl::EndsWith(path, ".hlo") || absl::EndsWith(path, ".txt")) return Form::kText;
  if (absl::EndsWith(path, ".pb")) return Form::kProto;
  return MakeError(
      errors::kOutputForm,
      path.empty() ? "-o FILE is missing" : absl::StrCat(path, " ends on none of .hlo, .txt, .pb"));
}

}  // namespace

absl::StatusOr<ExitCode> ConvertCommand(const Invocation& invocation) {
  std::string output;
  bool fill_layouts = false;
  const Flag flags[] = {
      {"-o", "FILE", "Where to write; .hlo and .txt are HLO text, .pb is a HloModuleProto.",
       &output},
      {"--fill-layouts", "",
       "Gives arrays without a layout the row-major one in a .pb, which XLA needs to compile it.",
       &fill_layouts}};
  AXLE_ASSIGN_OR_RETURN(const auto operands, invocation.Parse(flags));
  if (!operands.has_value()) return ExitCode::kOk;

  AXLE_ASSIGN_OR_RETURN(const Form form, FormByName(output));
  AXLE_ASSIGN_OR_RETURN(const hlo::Module module, LoadProgram(operands->front()));
  std::string bytes;
  std::vector<std::string> losses;
  switch (form) {
    case Form::kText:
      bytes = hlo::PrintModule(module);
      losses = TextLosses(module);
      break;
    case Form::kProto: {
      hlo::ProtoWriteOptions options;
      options.fill_layouts = fill_layouts;
      AXLE_ASSIGN_OR_RETURN(bytes, hlo::ModuleToProtoBytes(module, options));
      losses = hlo::ProtoLosses(module);
      break;
    }
  }
  AXLE_RETURN_IF_ERROR(WriteFileAtomically(output, bytes));
  for (const std::string& loss : losses) {
    invocation.console.Note(absl::StrCat("not in ", output, ": ", loss));
  }
  return ExitCode::kOk;
}

}  // namespace axle::tools
