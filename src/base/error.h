// SPDX-License-Identifier: Apache-2.0
// Errors that a user can meet. Each is one ErrorDef row in the errors.h of the folder that raises
// it; docs/errors.md is generated from those rows. The id is stable and travels in the message and
// in a status payload.
#ifndef AXLE_BASE_ERROR_H_
#define AXLE_BASE_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace axle {

struct ErrorDef {
  absl::string_view id;     // "AX0101"; never reused
  absl::StatusCode code;    // what a program should branch on
  absl::string_view title;  // a few words, for the heading of the page
  absl::string_view help;   // what happened and what to do about it; one paragraph
};

// "AX0101: <message>", with the id as payload. `message` says what and where.
absl::Status MakeError(const ErrorDef& def, absl::string_view message);

// The stable id of a status made by MakeError, else "".
std::string ErrorIdOf(const absl::Status& status);

// The same status with "<place>: " put before the message, behind the id. OK stays OK.
absl::Status AtPlace(absl::string_view place, const absl::Status& status);

}  // namespace axle

#endif  // AXLE_BASE_ERROR_H_
