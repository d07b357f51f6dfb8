// SPDX-License-Identifier: Apache-2.0
// Any bytes as HLO text give a module or a status; a module prints, and what it prints reads back
// as the same module.
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "hlo/compare.h"
#include "hlo/text/parser.h"
#include "hlo/text/printer.h"
#include "hlo/verify/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const auto module = axle::hlo::ParseModule(text);
  if (!module.ok()) return 0;
  const auto again = axle::hlo::ParseModule(axle::hlo::PrintModule(*module));
  AXLE_ASSERT(again.ok());
  AXLE_ASSERT(axle::hlo::Identical(*module, *again));
  (void)axle::hlo::VerifyModule(*module);
  return 0;
}
