// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/str_cat.h"
#include "tools/docs_pages.h"
#include "tools/error_tables.h"

namespace axle::tools {

std::string ErrorsPage() {
  std::string page =
      "# Errors\n"
      "\n"
      "Every failure that a program, a file or a command line can cause has an id that stays the\n"
      "same from version to version. It stands at the start of the message and, for clients of "
      "the\n"
      "library, in the error object. The code behind a title is what programs branch on.\n"
      "\n"
      "Made by `axle docs errors` from the tables in the sources; do not edit.\n";
  for (const ErrorDef& error : AllErrors()) {
    absl::StrAppend(&page, "\n## ", error.id, "\n\n**", error.title, "** (`",
                    absl::StatusCodeToString(error.code), "`). ", error.help, "\n");
  }
  return page;
}

}  // namespace axle::tools
