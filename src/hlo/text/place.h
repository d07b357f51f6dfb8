// SPDX-License-Identifier: Apache-2.0
// Errors that name a place in a text.
#ifndef AXLE_HLO_TEXT_PLACE_H_
#define AXLE_HLO_TEXT_PLACE_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/error.h"

namespace axle::hlo::text {

// "<id>: file:line:column: message", with line and column as payload (hlo::PlaceOf).
absl::Status MakePlacedError(const ErrorDef& def, absl::string_view text, size_t offset,
                             absl::string_view file, absl::string_view message);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_PLACE_H_
