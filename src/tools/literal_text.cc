// SPDX-License-Identifier: Apache-2.0
#include "tools/literal_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "check/compare.h"

namespace axle::tools {

std::string LiteralText(const hlo::Literal& literal, int64_t most) {
  std::string text = literal.shape().ToString(false);
  const int64_t count = literal.element_count();
  absl::StrAppend(&text, count == 0 ? " has no elements" : " =");
  for (int64_t i = 0; i < std::min(count, most); ++i) {
    absl::StrAppend(&text, " ", check::ElementText(literal, i));
  }
  if (count > most) absl::StrAppend(&text, " ... (", count, " elements)");
  return text;
}

}  // namespace axle::tools
