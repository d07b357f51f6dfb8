// SPDX-License-Identifier: Apache-2.0
// A name and a value: options that a plugin takes, attributes that it reports.
#ifndef AXLE_PJRT_CLIENT_NAMED_VALUE_H_
#define AXLE_PJRT_CLIENT_NAMED_VALUE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/types/span.h"
#include "pjrt_client/c_api.h"

namespace axle::pjrt_client {

struct NamedValue {
  std::string name;
  std::variant<std::string, int64_t, std::vector<int64_t>, float, bool> value;

  friend bool operator==(const NamedValue&, const NamedValue&) = default;
};

// The ABI's form; points into `values`.
std::vector<PJRT_NamedValue> ToPjrt(absl::Span<const NamedValue> values);

// Copies what the plugin reported. Values of a kind that this build doesn't know are left out.
std::vector<NamedValue> FromPjrt(const PJRT_NamedValue* values, size_t count);

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_NAMED_VALUE_H_
