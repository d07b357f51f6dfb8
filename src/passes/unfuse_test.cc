// SPDX-License-Identifier: Apache-2.0
#include "passes/unfuse.h"

#include "passes/passes_testing.h"

namespace axle::passes {
namespace {

TEST(UnfuseTest, FusionsBecomeCalls) {
  hlo::Module module = Parsed(R"(
HloModule m, is_scheduled=true
body {
  p = f32[8] parameter(0)
  ROOT n = f32[8] negate(p), backend_config={"x":1}
}
ENTRY main {
  a = f32[8] parameter(0)
  c = f32[8] custom-call(a), custom_call_target="f", backend_config="kept"
  ROOT f = f32[8] fusion(c), kind=kLoop, calls=body, backend_config={"y":2}
})");
  ASSERT_TRUE(module.computations[0].is_fusion);
  Unfuse(&module);
  ExpectIs(module, R"(
HloModule m
body {
  p = f32[8] parameter(0)
  ROOT n = f32[8] negate(p)
}
ENTRY main {
  a = f32[8] parameter(0)
  c = f32[8] custom-call(a), custom_call_target="f", backend_config="kept"
  ROOT f = f32[8] call(c), to_apply=body
})");
  EXPECT_FALSE(module.computations[0].is_fusion);
  EXPECT_TRUE(module.config.schedule.empty());
}

TEST(UnfuseTest, SchedulesAreDroppedWithoutFusionsToo) {
  hlo::Module module =
      Parsed("HloModule m, is_scheduled=true\nENTRY main { ROOT x = f32[2] parameter(0) }");
  Unfuse(&module);
  EXPECT_FALSE(module.config.is_scheduled);
}

}  // namespace
}  // namespace axle::passes
