// SPDX-License-Identifier: Apache-2.0
#include "passes/default_layouts.h"

#include "passes/passes_testing.h"

namespace axle::passes {
namespace {

TEST(DefaultLayoutsTest, EveryArrayGetsOne) {
  hlo::Module module = Parsed(R"(
HloModule m, entry_computation_layout={(f32[2,3], f32[2,3]{0,1})->(f32[2,3], f32[])}
ENTRY main (a: f32[2,3], b: f32[2,3]) -> (f32[2,3], f32[]) {
  a = f32[2,3] parameter(0)
  b = f32[2,3]{0,1} parameter(1)
  c = f32[] constant(1)
  s = f32[2,3] add(a, b)
  ROOT t = (f32[2,3], f32[]) tuple(s, c)
})");
  SetDefaultLayouts(&module);
  ExpectVerifies(module);
  // Text says nothing of the layout of a scalar.
  const auto entry_layout = *module.config.entry_layout;
  EXPECT_EQ(entry_layout.parameters[0].ToString(), "f32[2,3]{1,0}");
  EXPECT_EQ(entry_layout.parameters[1].ToString(), "f32[2,3]{0,1}");
  EXPECT_EQ(entry_layout.result.ToString(), "(f32[2,3]{1,0}, f32[])");
  EXPECT_NE(entry_layout.result.tuple_shape(1).layout(), nullptr);
  const auto& main = module.entry_computation();
  EXPECT_EQ(main.declared->parameters[0].ToString(), "f32[2,3]{1,0}");
  EXPECT_EQ(main.declared->result.ToString(), "(f32[2,3]{1,0}, f32[])");
  std::vector<std::string> shapes;
  for (const hlo::Instruction& i : main.instructions) shapes.push_back(i.shape.ToString());
  EXPECT_EQ(shapes, (std::vector<std::string>{"f32[2,3]{1,0}", "f32[2,3]{0,1}", "f32[]",
                                              "f32[2,3]{1,0}", "(f32[2,3]{1,0}, f32[])"}));
  EXPECT_NE(main.instructions[2].shape.layout(), nullptr);
}

TEST(DefaultLayoutsTest, TokensHaveNone) {
  hlo::Module module = Parsed("HloModule m\nENTRY main { ROOT t = token[] after-all() }");
  SetDefaultLayouts(&module);
  EXPECT_EQ(module.entry_computation().root_instruction().shape, hlo::Shape::Token());
}

}  // namespace
}  // namespace axle::passes
