// SPDX-License-Identifier: Apache-2.0
#include "passes/shield_atan2.h"

#include "passes/passes_testing.h"

namespace axle::passes {
namespace {

TEST(ShieldAtan2Test, SecondOperandGoesThroughABarrier) {
  hlo::Module module = Parsed(R"(
HloModule m, is_scheduled=true
other {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT r = f32[] atan2(p, q)
}
ENTRY main {
  y = f32[64] parameter(0)
  one = f32[] constant(1)
  x = f32[64] broadcast(one), dimensions={}
  r.shield = f32[64] negate(y)
  r = f32[64] atan2(y, x), control-predecessors={r.shield}
  ROOT s = f32[64] add(r, r.shield), control-predecessors={r}
})");
  ShieldAtan2(&module);
  ExpectIs(module, R"(
HloModule m
other {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  r.shield = f32[] opt-barrier(q)
  ROOT r = f32[] atan2(p, r.shield)
}
ENTRY main {
  y = f32[64] parameter(0)
  one = f32[] constant(1)
  x = f32[64] broadcast(one), dimensions={}
  r.shield = f32[64] negate(y)
  r.shield.1 = f32[64] opt-barrier(x)
  r = f32[64] atan2(y, r.shield.1), control-predecessors={r.shield}
  ROOT s = f32[64] add(r, r.shield), control-predecessors={r}
})");
  EXPECT_TRUE(module.config.schedule.empty());
}

TEST(ShieldAtan2Test, ModulesWithoutAtan2Stay) {
  constexpr absl::string_view kText = R"(
HloModule m, is_scheduled=true
ENTRY main { x = f32[2] parameter(0) ROOT n = f32[2] negate(x) })";
  hlo::Module module = Parsed(kText);
  ShieldAtan2(&module);
  ExpectIs(module, kText);
}

}  // namespace
}  // namespace axle::passes
