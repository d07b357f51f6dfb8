// SPDX-License-Identifier: Apache-2.0
#include "passes/default_layouts.h"

namespace axle::passes {
namespace {

void SetDefaultLayouts(hlo::ProgramShape* shape) {
  for (hlo::Shape& parameter : shape->parameters) parameter = parameter.WithDefaultLayouts();
  shape->result = shape->result.WithDefaultLayouts();
}

}  // namespace

void SetDefaultLayouts(hlo::Module* module) {
  hlo::ShapeInterner shapes;
  for (hlo::Computation& computation : module->computations) {
    for (hlo::Instruction& instruction : computation.instructions) {
      instruction.shape = shapes.Intern(instruction.shape.WithDefaultLayouts());
    }
    if (computation.declared.has_value()) SetDefaultLayouts(&*computation.declared);
  }
  if (module->config.entry_layout.has_value()) SetDefaultLayouts(&*module->config.entry_layout);
}

}  // namespace axle::passes
