// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/context.h"

#include <limits>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/utf8.h"
#include "hlo/proto/errors.h"

namespace axle::hlo::proto {

absl::Status CheckText(absl::string_view text, absl::string_view what) {
  if (IsValidUtf8(text)) return absl::OkStatus();
  return MakeError(errors::kText,
                   absl::StrCat(what, " '", absl::CHexEscape(text.substr(0, 80)), "'"));
}

absl::Status BadValue(absl::string_view field, absl::string_view value) {
  return MakeError(errors::kFieldValue, absl::StrCat("field ", field, " has the value ",
                                                     absl::CHexEscape(value.substr(0, 80))));
}

absl::Status MissingField(absl::string_view field) {
  return MakeError(errors::kFieldMissing, absl::StrCat("field ", field));
}

absl::StatusOr<int32_t> ToInt32(int64_t value, absl::string_view field) {
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
    return MakeError(errors::kNotHeld,
                     absl::StrCat("field ", field, " has 32 bits, the value is ", value));
  }
  return static_cast<int32_t>(value);
}

}  // namespace axle::hlo::proto
