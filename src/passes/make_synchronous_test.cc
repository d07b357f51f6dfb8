// SPDX-License-Identifier: Apache-2.0
#include "passes/make_synchronous.h"

#include "passes/passes_testing.h"

namespace axle::passes {
namespace {

void ExpectBecomes(absl::string_view before, absl::string_view after) {
  hlo::Module module = Parsed(before);
  MakeSynchronous(&module);
  ExpectIs(module, after);
}

TEST(MakeSynchronousTest, Collectives) {
  ExpectBecomes(R"(
HloModule m
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  x = f32[2] parameter(0)
  gs = (f32[2], f32[4]) all-gather-start(x), replica_groups={{0,1}}, dimensions={0}
  rs = f32[2] all-reduce-start(x), replica_groups={{0,1}}, to_apply=sum
  ps = (f32[2], f32[2], u32[], u32[]) collective-permute-start(x), source_target_pairs={{0,1}}
  g = f32[4] all-gather-done(gs)
  p = f32[2] collective-permute-done(ps)
  r = f32[2] all-reduce-done(rs)
  ROOT t = (f32[4], f32[2], f32[2]) tuple(g, r, p)
})",
                R"(
HloModule m
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  x = f32[2] parameter(0)
  gs = f32[4] all-gather(x), replica_groups={{0,1}}, dimensions={0}
  rs = f32[2] all-reduce(x), replica_groups={{0,1}}, to_apply=sum
  ps = f32[2] collective-permute(x), source_target_pairs={{0,1}}
  ROOT t = (f32[4], f32[2], f32[2]) tuple(gs, rs, ps)
})");
}

TEST(MakeSynchronousTest, CopyAtTheRoot) {
  ExpectBecomes(R"(
HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  s = (f32[2], f32[2], u32[]) copy-start(x)
  ROOT d = f32[2] copy-done(s)
})",
                R"(
HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  ROOT s = f32[2] copy(x)
})");
}

TEST(MakeSynchronousTest, ComputationsWithUpdates) {
  ExpectBecomes(R"(
HloModule m
f {
  p = f32[8] parameter(0)
  ROOT n = f32[8] negate(p)
}
ENTRY main {
  x = f32[8] parameter(0)
  s = ((f32[8]), f32[8], u32[]) async-start(x), calls=f
  u = ((f32[8]), f32[8], u32[]) async-update(s)
  d = f32[8] async-done(u)
  ROOT r = f32[8] add(d, d)
})",
                R"(
HloModule m
f {
  p = f32[8] parameter(0)
  ROOT n = f32[8] negate(p)
}
ENTRY main {
  x = f32[8] parameter(0)
  s = f32[8] call(x), to_apply=f
  ROOT r = f32[8] add(s, s)
})");
}

TEST(MakeSynchronousTest, ControlEdgesComeFromTheStart) {
  ExpectBecomes(R"(
HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  n = f32[2] negate(x)
  s = (f32[2], f32[2], u32[]) copy-start(x)
  d = f32[2] copy-done(s), control-predecessors={n}
  a = f32[2] abs(x), control-predecessors={d}
  ROOT r = f32[2] add(a, d)
})",
                R"(
HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  n = f32[2] negate(x)
  s = f32[2] copy(x)
  a = f32[2] abs(x), control-predecessors={s}
  ROOT r = f32[2] add(a, s)
})");
}

TEST(MakeSynchronousTest, SchedulesAreDropped) {
  hlo::Module module = Parsed(R"(
HloModule m, is_scheduled=true
ENTRY main {
  x = f32[2] parameter(0)
  s = (f32[2], f32[2], u32[]) copy-start(x)
  ROOT d = f32[2] copy-done(s)
})");
  MakeSynchronous(&module);
  EXPECT_FALSE(module.config.is_scheduled);
  EXPECT_TRUE(module.config.schedule.empty());
}

TEST(MakeSynchronousTest, WhatIsLeftAlone) {
  for (const absl::string_view text : {// Nothing asynchronous; the schedule stays.
                                       R"(
HloModule m, is_scheduled=true
ENTRY main { x = f32[2] parameter(0) ROOT c = f32[2] copy(x) })",
                                       // Another thread.
                                       R"(
HloModule m
f {
  p = f32[8] parameter(0)
  ROOT n = f32[8] negate(p)
}, execution_thread="host"
ENTRY main {
  x = f32[8] parameter(0)
  s = ((f32[8]), f32[8], u32[]) async-start(x), async_execution_thread="host", calls=f
  ROOT d = f32[8] async-done(s), async_execution_thread="host"
})"}) {
    hlo::Module module = Parsed(text);
    MakeSynchronous(&module);
    ExpectIs(module, text);
  }
}

}  // namespace
}  // namespace axle::passes
