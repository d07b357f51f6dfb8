// SPDX-License-Identifier: Apache-2.0
#include "passes/flatten_entry.h"

#include "base/error.h"
#include "gmock/gmock.h"
#include "hlo/text/parser.h"
#include "passes/passes_testing.h"

namespace axle::passes {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<std::shared_ptr<const hlo::Module>> Flatten(absl::string_view text) {
  return FlattenEntry(std::make_shared<const hlo::Module>(Parsed(text)));
}

void ExpectBecomes(absl::string_view before, absl::string_view after) {
  const auto flat = Flatten(before);
  ASSERT_TRUE(flat.ok()) << flat.status();
  ExpectIs(**flat, after);
}

TEST(FlattenEntryTest, FlatEntriesAreNotCopied) {
  for (const absl::string_view text :
       {"HloModule m\nENTRY main { ROOT x = f32[2] parameter(0) }",
        "HloModule m\nENTRY main { x = f32[2] parameter(0) ROOT t = (f32[2]) tuple(x) }",
        "HloModule m\nENTRY main { ROOT t = () tuple() }"}) {
    const auto module = std::make_shared<const hlo::Module>(Parsed(text));
    const auto flat = FlattenEntry(module);
    ASSERT_TRUE(flat.ok()) << flat.status();
    EXPECT_EQ(*flat, module);
  }
}

TEST(FlattenEntryTest, LeavesGoDepthFirst) {
  ExpectBecomes(R"(
HloModule m
ENTRY main {
  q = s32[] parameter(1)
  p = (f32[2], (), (s32[], f32[3])) parameter(0)
  a = f32[2] get-tuple-element(p), index=0
  b = (s32[], f32[3]) get-tuple-element(p), index=2
  ROOT r = ((s32[], f32[3]), (f32[2]), s32[]) custom-call(a, b, q), custom_call_target="f"
})",
                R"(
HloModule m
ENTRY main {
  q = s32[] parameter(3)
  p.0 = f32[2] parameter(0)
  p.1 = () tuple()
  p.2.0 = s32[] parameter(1)
  p.2.1 = f32[3] parameter(2)
  p.2 = (s32[], f32[3]) tuple(p.2.0, p.2.1)
  p = (f32[2], (), (s32[], f32[3])) tuple(p.0, p.1, p.2)
  a = f32[2] get-tuple-element(p), index=0
  b = (s32[], f32[3]) get-tuple-element(p), index=2
  r = ((s32[], f32[3]), (f32[2]), s32[]) custom-call(a, b, q), custom_call_target="f"
  r.0 = (s32[], f32[3]) get-tuple-element(r), index=0
  r.0.0 = s32[] get-tuple-element(r.0), index=0
  r.0.1 = f32[3] get-tuple-element(r.0), index=1
  r.1 = (f32[2]) get-tuple-element(r), index=1
  r.1.0 = f32[2] get-tuple-element(r.1), index=0
  r.2 = s32[] get-tuple-element(r), index=2
  ROOT r.flat = (s32[], f32[3], f32[2], s32[]) tuple(r.0.0, r.0.1, r.1.0, r.2)
})");
}

// A nested tuple made in the entry needs no get-tuple-element.
TEST(FlattenEntryTest, TuplesOfTheEntryAreSeenThrough) {
  ExpectBecomes(R"(
HloModule m
ENTRY main {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  inner = (f32[], f32[]) tuple(y, x)
  ROOT r = ((f32[], f32[]), f32[]) tuple(inner, x)
})",
                R"(
HloModule m
ENTRY main {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  inner = (f32[], f32[]) tuple(y, x)
  r = ((f32[], f32[]), f32[]) tuple(inner, x)
  ROOT r.flat = (f32[], f32[], f32[]) tuple(y, x, x)
})");
}

TEST(FlattenEntryTest, NewNamesGiveWay) {
  ExpectBecomes(R"(
HloModule m
ENTRY main {
  p = (f32[]) parameter(0)
  p.0 = f32[] get-tuple-element(p), index=0
  ROOT n = f32[] negate(p.0), control-predecessors={p}
})",
                R"(
HloModule m
ENTRY main {
  p.0.1 = f32[] parameter(0)
  p = (f32[]) tuple(p.0.1)
  p.0 = f32[] get-tuple-element(p), index=0
  ROOT n = f32[] negate(p.0), control-predecessors={p}
})");
}

TEST(FlattenEntryTest, TablesOfTheModuleFollow) {
  const auto flat = Flatten(R"(
HloModule m, is_scheduled=true, input_output_alias={ {1, 0}: (1, {1}, must-alias) }, buffer_donor={ (0, {}), (1, {0}) }, entry_computation_layout={(s32[], (f32[2,2]{0,1}, f32[3]{0}))->(s32[], (f32[3]{0}, f32[2,2]{0,1}))}
ENTRY main {
  n = s32[] parameter(0)
  p = (f32[2,2], f32[3]) parameter(1), frontend_attributes={key="value"}, parameter_replication={true,false}, sharding={{replicated}, {maximal device=1}}
  a = f32[2,2] get-tuple-element(p), index=0
  b = f32[3] get-tuple-element(p), index=1
  t = (f32[3], f32[2,2]) tuple(b, a)
  ROOT r = (s32[], (f32[3], f32[2,2])) tuple(n, t), sharding={{replicated}, {maximal device=1}, {replicated}}
})");
  ASSERT_TRUE(flat.ok()) << flat.status();
  ExpectIs(**flat, R"(
HloModule m, input_output_alias={ {1}: (2, {}, must-alias) }, buffer_donor={ (0, {}), (1, {}) }, entry_computation_layout={(s32[], f32[2,2]{0,1}, f32[3]{0})->(s32[], f32[3]{0}, f32[2,2]{0,1})}
ENTRY main {
  n = s32[] parameter(0)
  p.0 = f32[2,2] parameter(1), frontend_attributes={key="value"}, parameter_replication={true}, sharding={replicated}
  p.1 = f32[3] parameter(2), frontend_attributes={key="value"}, parameter_replication={false}, sharding={maximal device=1}
  p = (f32[2,2], f32[3]) tuple(p.0, p.1)
  a = f32[2,2] get-tuple-element(p), index=0
  b = f32[3] get-tuple-element(p), index=1
  t = (f32[3], f32[2,2]) tuple(b, a)
  r = (s32[], (f32[3], f32[2,2])) tuple(n, t), sharding={{replicated}, {maximal device=1}, {replicated}}
  ROOT r.flat = (s32[], f32[3], f32[2,2]) tuple(n, b, a), sharding={{replicated}, {maximal device=1}, {replicated}}
})");
  EXPECT_TRUE((*flat)->config.schedule.empty());
}

TEST(FlattenEntryTest, FlagsAndShardingsOfTheWholeProgramFollow) {
  hlo::Module module = Parsed(R"(
HloModule m, allow_spmd_sharding_propagation_to_parameters={false,true}
ENTRY main {
  n = s32[] parameter(0)
  p = (f32[], f32[]) parameter(1)
  ROOT a = f32[] get-tuple-element(p), index=0
})");
  hlo::Sharding one, two;
  one.type = two.type = hlo::Sharding::Type::kMaximal;
  two.elements = {one, hlo::Sharding()};
  two.type = hlo::Sharding::Type::kTuple;
  module.config.spmd_parameter_shardings = {hlo::Sharding(), two};
  module.config.cross_program_prefetches = {{1, {1}, 64}};
  const auto flat = FlattenEntry(std::make_shared<const hlo::Module>(std::move(module)));
  ASSERT_TRUE(flat.ok()) << flat.status();
  const hlo::ModuleConfig& config = (*flat)->config;
  EXPECT_EQ(config.allow_spmd_sharding_propagation_to_parameters,
            (std::vector<bool>{false, true, true}));
  EXPECT_EQ(config.spmd_parameter_shardings,
            (std::vector<hlo::Sharding>{hlo::Sharding(), one, hlo::Sharding()}));
  EXPECT_EQ(config.cross_program_prefetches, (std::vector<hlo::CrossProgramPrefetch>{{2, {}, 64}}));
}

TEST(FlattenEntryTest, OnlyArraysCrossTheBorder) {
  for (const absl::string_view text :
       {"HloModule m\nENTRY main { t = token[] parameter(0) ROOT c = f32[] constant(1) }",
        "HloModule m\nENTRY main { t = (f32[], token[]) parameter(0) ROOT c = f32[] constant(1) }",
        "HloModule m\nENTRY main { ROOT t = token[] after-all() }",
        "HloModule m\nENTRY main { t = token[] after-all() ROOT r = (token[]) tuple(t) }"}) {
    const absl::Status status = Flatten(text).status();
    EXPECT_EQ(ErrorIdOf(status), "AX0500") << text;
    EXPECT_THAT(status.message(), HasSubstr("token[]"));
  }
}

}  // namespace
}  // namespace axle::passes
