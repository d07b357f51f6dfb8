// SPDX-License-Identifier: Apache-2.0
#include "hlo/verify/verify.h"

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/rules.h"
#include "hlo/verify/checks.h"

namespace axle::hlo {

namespace verify {

absl::Status AtInstruction(const Computation& computation, const Instruction& instruction,
                           const absl::Status& status) {
  return AtPlace(absl::StrCat(computation.name, "/", instruction.name), status);
}

}  // namespace verify

absl::Status VerifyModule(const Module& module, const VerifyOptions& options) {
  AXLE_RETURN_IF_ERROR(verify::CheckStructure(module));
  AXLE_RETURN_IF_ERROR(verify::CheckCalls(module, options));
  AXLE_RETURN_IF_ERROR(verify::CheckControlEdges(module));
  AXLE_RETURN_IF_ERROR(verify::CheckShapes(module, options));
  ProgramShapes shapes(module);
  AXLE_RETURN_IF_ERROR(verify::CheckInstructions(module, shapes));
  AXLE_RETURN_IF_ERROR(verify::CheckInterfaces(module, options, shapes));
  AXLE_RETURN_IF_ERROR(verify::CheckAliases(module, shapes.Of(module.entry)));
  AXLE_RETURN_IF_ERROR(verify::CheckSchedule(module));
  AXLE_RETURN_IF_ERROR(verify::CheckShardings(module));
  AXLE_RETURN_IF_ERROR(verify::CheckCollectives(module));
  return verify::CheckAsyncPairs(module);
}

}  // namespace axle::hlo
