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
  verify::CallLists calls;
  ProgramShapes shapes(module);
  AXLE_RETURN_IF_ERROR(verify::CheckStructure(module, options, &calls, &shapes));
  AXLE_RETURN_IF_ERROR(verify::CheckCalls(module, calls, options));
  AXLE_RETURN_IF_ERROR(verify::CheckInstructions(module, shapes));
  AXLE_RETURN_IF_ERROR(verify::CheckInterfaces(module, options, shapes));
  AXLE_RETURN_IF_ERROR(verify::CheckAliases(module, shapes.Of(module.entry)));
  AXLE_RETURN_IF_ERROR(verify::CheckSchedule(module));
  return verify::CheckShardings(module.config);
}

}  // namespace axle::hlo
