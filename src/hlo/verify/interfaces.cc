// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {
namespace {

absl::Status CheckSame(const ErrorDef& def, absl::string_view what, const Shape& declared,
                       const Shape& actual) {
  if (Compatible(declared, actual)) return absl::OkStatus();
  return MakeError(def,
                   absl::StrCat(what, " is declared as ", declared.ToString(false), "; expected ",
                                actual.ToString(false), ", as the computation has it"));
}

absl::Status CheckDeclared(const ErrorDef& def, const ProgramShape& declared,
                           const ProgramShape& actual) {
  if (declared.parameters.size() != actual.parameters.size()) {
    return MakeError(def,
                     absl::StrCat(declared.parameters.size(), " parameters are declared; expected ",
                                  actual.parameters.size(), ", as the computation has"));
  }
  for (size_t i = 0; i < declared.parameters.size(); ++i) {
    AXLE_RETURN_IF_ERROR(CheckSame(def, absl::StrCat("parameter ", i), declared.parameters[i],
                                   actual.parameters[i]));
  }
  return CheckSame(def, "the result", declared.result, actual.result);
}

}  // namespace

absl::Status CheckInterfaces(const Module& module, const VerifyOptions& options,
                             ProgramShapes& shapes) {
  for (ComputationIndex i = 0; i < module.computations.size(); ++i) {
    const Computation& computation = module.computations[i];
    if (!computation.declared) continue;
    AXLE_RETURN_IF_ERROR(
        AtPlace(computation.name,
                CheckDeclared(verify_errors::kSignature, *computation.declared, shapes.Of(i))));
  }
  if (!module.config.entry_layout) return absl::OkStatus();
  const ProgramShape& layout = *module.config.entry_layout;
  AXLE_RETURN_IF_ERROR(
      AtPlace("entry_computation_layout",
              CheckDeclared(verify_errors::kEntryLayout, layout, shapes.Of(module.entry))));
  for (const Shape& parameter : layout.parameters) {
    AXLE_RETURN_IF_ERROR(AtPlace("entry_computation_layout", CheckShape(parameter, options)));
  }
  return AtPlace("entry_computation_layout", CheckShape(layout.result, options));
}

}  // namespace axle::hlo::verify
