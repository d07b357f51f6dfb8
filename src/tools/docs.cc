// SPDX-License-Identifier: Apache-2.0
// axle docs: reference pages made from tables.
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "tools/command.h"
#include "tools/docs_pages.h"
#include "tools/errors.h"

namespace axle::tools {

absl::StatusOr<ExitCode> DocsCommand(const Invocation& invocation) {
  AXLE_ASSIGN_OR_RETURN(const auto operands, invocation.Parse({}));
  if (!operands.has_value()) return ExitCode::kOk;
  const std::string& page = operands->front();
  if (page == "errors") {
    invocation.console.Print(ErrorsPage());
  } else if (page == "opcodes") {
    invocation.console.Print(OpcodesPage());
  } else if (page == "xrt") {
    invocation.console.Print(XrtOpsPage());
  } else {
    return MakeError(errors::kDocsPage,
                     absl::StrCat("no page ", page, "; there are errors, opcodes and xrt"));
  }
  return ExitCode::kOk;
}

}  // namespace axle::tools
