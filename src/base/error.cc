// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace axle {
namespace {
constexpr absl::string_view kIdPayload = "axle/error-id";
}  // namespace

absl::Status MakeError(const ErrorDef& def, absl::string_view message) {
  absl::Status status(def.code, absl::StrCat(def.id, ": ", message));
  status.SetPayload(kIdPayload, absl::Cord(def.id));
  return status;
}

std::string ErrorIdOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kIdPayload);
  return payload.has_value() ? std::string(*payload) : std::string();
}

absl::Status AtPlace(absl::string_view place, const absl::Status& status) {
  if (status.ok()) return status;
  const std::string id = ErrorIdOf(status);
  absl::string_view message = status.message();
  absl::Status result;
  if (!id.empty() && absl::ConsumePrefix(&message, absl::StrCat(id, ": "))) {
    result = absl::Status(status.code(), absl::StrCat(id, ": ", place, ": ", message));
  } else {
    result = absl::Status(status.code(), absl::StrCat(place, ": ", message));
  }
  status.ForEachPayload(
      [&](absl::string_view type, const absl::Cord& payload) { result.SetPayload(type, payload); });
  return result;
}

}  // namespace axle
