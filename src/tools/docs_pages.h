// SPDX-License-Identifier: Apache-2.0
// Pages of docs/ that are made from tables, as Markdown.
#ifndef AXLE_TOOLS_DOCS_PAGES_H_
#define AXLE_TOOLS_DOCS_PAGES_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/opcode_support.h"

namespace axle::tools {

// docs/errors.md: every error with its title and what to do about it.
std::string ErrorsPage();

// docs/hlo-opcodes.md: every opcode, what it computes, and which backend runs it on which element
// types. Error AX0964 where the table lacks a cell.
absl::StatusOr<std::string> OpcodesPage(const OpcodeSupport& support);

// docs/xrt-ops.md: every XRT operation with its signature.
std::string XrtOpsPage();

}  // namespace axle::tools

#endif  // AXLE_TOOLS_DOCS_PAGES_H_
