// SPDX-License-Identifier: Apache-2.0
// Any bytes as a literal's text give a literal or a status; a literal prints and reads back equal.
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "hlo/text/parser.h"
#include "hlo/text/printer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const auto literal = axle::hlo::ParseLiteral(text);
  if (!literal.ok()) return 0;
  const auto again = axle::hlo::ParseLiteral(axle::hlo::PrintLiteral(*literal));
  AXLE_ASSERT(again.ok());
  AXLE_ASSERT(*literal == *again);
  return 0;
}
