// SPDX-License-Identifier: Apache-2.0
// From bytes to a module, whatever form they have.
#ifndef AXLE_LOAD_LOAD_H_
#define AXLE_LOAD_LOAD_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hlo/module.h"

namespace axle::load {

enum class ProgramForm {
  kHloText,
  kHloProto,           // HloModuleProto; HloProto and HloSnapshot hold one
  kStableHloText,      // recognised, not read yet
  kStableHloBytecode,  // recognised, not read yet
};

// The form that the content has; file names play no part.
ProgramForm FormOf(absl::string_view bytes);

// Reads a program. `name` stands in messages for the place the bytes came from. The module is read,
// not verified. Errors: those of the reader; AX0901 for a form that is not read yet.
absl::StatusOr<hlo::Module> LoadModule(absl::string_view bytes, absl::string_view name);
absl::StatusOr<hlo::Module> LoadModuleFile(const std::string& path);

}  // namespace axle::load

#endif  // AXLE_LOAD_LOAD_H_
