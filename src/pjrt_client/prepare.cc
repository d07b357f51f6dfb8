// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/prepare.h"

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "passes/default_layouts.h"
#include "passes/lower_bitcasts.h"
#include "passes/make_synchronous.h"
#include "passes/shield_atan2.h"
#include "passes/unfuse.h"
#include "pjrt_client/buffer_type.h"
#include "pjrt_client/errors.h"
#include "pjrt_client/xla_cpu_faults.h"
#include "runtime/errors.h"

namespace axle::pjrt_client {
namespace {

using hlo::Opcode;

absl::Status CheckElementTypes(const hlo::Shape& shape, int minor_version) {
  for (const hlo::Shape& element : shape.tuple_shapes()) {
    AXLE_RETURN_IF_ERROR(CheckElementTypes(element, minor_version));
  }
  if (!shape.IsArray()) return absl::OkStatus();
  return CheckBufferType(BufferTypeOf(shape.element_type()), minor_version);
}

absl::Status CheckInstruction(const hlo::Instruction& instruction, const PrepareOptions& options) {
  if (instruction.opcode == Opcode::kInfeed || instruction.opcode == Opcode::kOutfeed) {
    return MakeError(errors::kHostTransfer,
                     absl::StrCat(hlo::Name(instruction.opcode), " is not supported"));
  }
  AXLE_RETURN_IF_ERROR(CheckElementTypes(instruction.shape, options.minor_version));
  return options.is_xla_cpu ? CheckForXlaCpu(instruction) : absl::OkStatus();
}

absl::Status Check(const hlo::Module& module, const PrepareOptions& options) {
  for (const hlo::Computation& computation : module.computations) {
    for (const hlo::Instruction& instruction : computation.instructions) {
      const absl::Status status = CheckInstruction(instruction, options);
      if (status.ok()) continue;
      return AtPlace(absl::StrCat(computation.name, "/", instruction.name), status);
    }
  }
  return custom_calls::CheckCustomCalls(module, *options.custom_calls,
                                        runtime::errors::kMissingCustomCall);
}

// Values cross the plugin's border row-major, whatever layout the module asks for.
void SetRowMajorEntry(hlo::Module* module) {
  hlo::ProgramShape shape = hlo::ProgramShapeOf(module->entry_computation());
  for (hlo::Shape& parameter : shape.parameters) {
    parameter = parameter.WithoutLayouts().WithDefaultLayouts();
  }
  shape.result = shape.result.WithoutLayouts().WithDefaultLayouts();
  module->config.entry_layout = std::move(shape);
}

}  // namespace

absl::StatusOr<hlo::Module> PrepareForPlugin(const hlo::Module& module,
                                             const PrepareOptions& options) {
  AXLE_RETURN_IF_ERROR(Check(module, options));
  hlo::Module prepared = module;
  passes::Unfuse(&prepared);
  passes::MakeSynchronous(&prepared);
  passes::LowerBitcasts(&prepared);
  if (options.is_xla_cpu) passes::ShieldAtan2(&prepared);
  passes::SetDefaultLayouts(&prepared);
  SetRowMajorEntry(&prepared);
  return prepared;
}

}  // namespace axle::pjrt_client
