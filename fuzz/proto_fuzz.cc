// SPDX-License-Identifier: Apache-2.0
// Any bytes as an HloModuleProto give a module or a status; a module that verifies is written, and
// what is written reads back.
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "hlo/proto/codec.h"
#include "hlo/verify/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto module = axle::hlo::ModuleFromProtoBytes(bytes);
  if (!module.ok() || !axle::hlo::VerifyModule(*module).ok()) return 0;
  const auto written = axle::hlo::ModuleToProtoBytes(*module);
  if (!written.ok()) return 0;  // a name or a literal that the wire form cannot hold
  AXLE_ASSERT(axle::hlo::ModuleFromProtoBytes(*written).ok());
  return 0;
}
