// SPDX-License-Identifier: Apache-2.0
// axle docs: reference pages made from tables.
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "tools/command.h"
#include "tools/docs_pages.h"
#include "tools/errors.h"

namespace axle::tools {
namespace {

absl::StatusOr<std::string> MakeOpcodesPage(absl::Span<const std::string> operands) {
  if (operands.size() != 2) {
    return MakeError(errors::kOperands, "the page opcodes is made from a table: TABLE is missing");
  }
  AXLE_ASSIGN_OR_RETURN(const std::string text, ReadFile(operands[1]));
  absl::StatusOr<OpcodeSupport> support = OpcodeSupport::Parse(text);
  absl::StatusOr<std::string> page =
      support.ok() ? OpcodesPage(*support) : absl::StatusOr<std::string>(support.status());
  if (!page.ok()) return AtPlace(operands[1], page.status());
  return page;
}

}  // namespace

absl::StatusOr<ExitCode> DocsCommand(const Invocation& invocation) {
  AXLE_ASSIGN_OR_RETURN(const auto operands, invocation.Parse({}));
  if (!operands.has_value()) return ExitCode::kOk;
  const std::string& page = operands->front();
  if (page == "errors") {
    invocation.console.Print(ErrorsPage());
  } else if (page == "opcodes") {
    AXLE_ASSIGN_OR_RETURN(const std::string text, MakeOpcodesPage(*operands));
    invocation.console.Print(text);
  } else if (page == "xrt") {
    invocation.console.Print(XrtOpsPage());
  } else {
    return MakeError(errors::kDocsPage,
                     absl::StrCat("no page ", page, "; there are errors, opcodes and xrt"));
  }
  return ExitCode::kOk;
}

}  // namespace axle::tools
