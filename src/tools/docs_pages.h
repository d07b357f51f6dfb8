// SPDX-License-Identifier: Apache-2.0
// Pages of docs/ that are made from tables, as Markdown.
#ifndef AXLE_TOOLS_DOCS_PAGES_H_
#define AXLE_TOOLS_DOCS_PAGES_H_

#include <string>

namespace axle::tools {

// docs/errors.md: every error with its title and what to do about it.
std::string ErrorsPage();

// docs/hlo-opcodes.md: every opcode, what it computes, and for which element types the reference
// evaluator runs it.
std::string OpcodesPage();

// docs/xrt-ops.md: every XRT operation with its signature.
std::string XrtOpsPage();

}  // namespace axle::tools

#endif  // AXLE_TOOLS_DOCS_PAGES_H_
