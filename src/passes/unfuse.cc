// SPDX-License-Identifier: Apache-2.0
#include "passes/unfuse.h"

namespace axle::passes {

void Unfuse(hlo::Module* module) {
  for (hlo::Computation& computation : module->computations) {
    computation.is_fusion = false;
    for (hlo::Instruction& instruction : computation.instructions) {
      if (instruction.opcode == hlo::Opcode::kFusion) {
        instruction.opcode = hlo::Opcode::kCall;
        instruction.attributes = hlo::Attributes(hlo::CallAttributes());
      }
      if (instruction.extras && instruction.opcode != hlo::Opcode::kCustomCall) {
        instruction.extras->backend_config.clear();
        instruction.extras->backend_config_is_json = false;
      }
    }
  }
  module->config.is_scheduled = false;
  module->config.schedule.clear();
}

}  // namespace axle::passes
