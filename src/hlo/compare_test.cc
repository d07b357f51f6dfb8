// SPDX-License-Identifier: Apache-2.0
#include "hlo/compare.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hlo/text/parser.h"

namespace axle::hlo {
namespace {

constexpr absl::string_view kText = R"(
HloModule m, replica_count=2
%sum (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %z = f32[] add(%x, %y)
}
%max {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %z = f32[] maximum(%x, %y)
}
ENTRY %main {
  %p = f32[4]{0} parameter(0)
  %c = f32[] constant(0)
  %r = f32[] reduce(%p, %c), dimensions={0}, to_apply=%sum, metadata={op_name="r"}
  %s = f32[] reduce(%p, %c), dimensions={0}, to_apply=%max, sharding={replicated}
  ROOT %t = (f32[], f32[]) tuple(%r, %s)
}
)";

Module Parse(absl::string_view text) {
  absl::StatusOr<Module> module = ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

Module Replaced(absl::string_view from, absl::string_view to) {
  const std::string text = absl::StrReplaceAll(kText, {{from, to}});
  EXPECT_NE(text, kText) << from;
  return Parse(text);
}

TEST(CompareTest, AModuleIsIdenticalToItself) {
  const Module module = Parse(kText);
  const Module copy = module;
  EXPECT_TRUE(Identical(module, copy));
  EXPECT_TRUE(Equivalent(module, copy));
  EXPECT_EQ(FirstDifference(module, copy), "");
  EXPECT_EQ(EquivalenceHash(module), EquivalenceHash(copy));
}

struct Change {
  absl::string_view from, to;
  absl::string_view difference;
};

// What does not decide what the program computes.
TEST(CompareTest, EquivalentIgnoresNamesAndPlaces) {
  const Module module = Parse(kText);
  const Change changes[] = {
      {"HloModule m", "HloModule n", "module name: \"m\" and \"n\""},
      {"%sum", "%add", "computation sum, name: \"sum\" and \"add\""},
      {"%r", "%rr", "computation main, instruction r: name: \"r\" and \"rr\""},
      {"op_name=\"r\"", "op_name=\"s\"", "computation main, instruction r: metadata differ"},
      {", metadata={op_name=\"r\"}", "", "computation main, instruction r: metadata differ"},
      {"(x: f32[], y: f32[]) -> f32[] ", "", "computation sum, declared shapes differ"},
      {"sharding={replicated}", "sharding={replicated metadata={a=1}}",
       "computation main, instruction s: shardings differ"},
      {"sharding={replicated}", "sharding={replicated}, origin={{\"x\"}}",
       "computation main, instruction s: original value: \"\" and \"{{\"x\"}}\""},
  };
  for (const Change& change : changes) {
    const Module other = Replaced(change.from, change.to);
    EXPECT_FALSE(Identical(module, other)) << change.to;
    EXPECT_EQ(FirstDifference(module, other), change.difference);
    EXPECT_TRUE(Equivalent(module, other)) << change.to;
    EXPECT_TRUE(Equivalent(other, module)) << change.to;
    EXPECT_EQ(EquivalenceHash(module), EquivalenceHash(other)) << change.to;
  }
}

TEST(CompareTest, WhatDecidesTheProgramCounts) {
  const Module module = Parse(kText);
  const Change changes[] = {
      {"replica_count=2", "replica_count=3", "replica_count: 2 and 3"},
      {"replica_count=2", "replica_count=2, zzz=1", "unknown attributes differ"},
      {"f32[4]{0}", "f32[4]", "computation main, instruction p: shape: f32[4]{0} and f32[4]"},
      {"f32[4]{0}", "f32[5]{0}", "computation main, instruction p: shape: f32[4]{0} and f32[5]{0}"},
      {"maximum", "minimum", "computation max, instruction z: opcode: \"maximum\" and \"minimum\""},
      {"constant(0)", "constant(-0)",
       "computation main, instruction c: values between the parentheses differ"},
      {"tuple(%r, %s)", "tuple(%s, %r)", "computation main, instruction t: operands differ"},
      {"dimensions={0}, to_apply=%max", "dimensions={}, to_apply=%max",
       "computation main, instruction s: attributes dimensions differ"},
      {"to_apply=%max", "to_apply=%sum",
       "computation main, instruction s: called computations differ"},
      {"{replicated}", "{manual}", "computation main, instruction s: shardings differ"},
      {"{replicated}", "{replicated}, backend_config=\"x\"",
       "computation main, instruction s: backend_config: \"\" and \"x\""},
      {"{replicated}", "{replicated}, frontend_attributes={a=\"1\"}",
       "computation main, instruction s: frontend attributes differ"},
      {"{replicated}", "{replicated}, control-predecessors={%c}",
       "computation main, instruction s: control predecessors differ"},
      {"{replicated}", "{replicated}, zzz=1",
       "computation main, instruction s: unknown attributes differ"},
      {"ROOT %z = f32[] add(%x, %y)\n}", "%z = f32[] add(%x, %y)\n ROOT %w = f32[] negate(%z)\n}",
       "computation sum, number of instructions: 3 and 4"},
      {"maximum(%x, %y)\n}", "maximum(%x, %y)\n}, execution_thread=\"t\"",
       "computation max, execution thread: \"\" and \"t\""},
  };
  for (const Change& change : changes) {
    const Module other = Replaced(change.from, change.to);
    EXPECT_EQ(FirstDifference(module, other), change.difference);
    EXPECT_FALSE(Equivalent(module, other)) << change.to;
    EXPECT_FALSE(Equivalent(other, module)) << change.to;
  }
}

TEST(CompareTest, TheOrderOfComputationsAndDeadOnesDoNotCount) {
  const Module module = Parse(kText);
  Module turned;
  turned.name = module.name;
  turned.config = module.config;
  for (const size_t i : {2, 1, 0}) turned.computations.push_back(module.computations[i]);
  turned.computations.push_back(module.computations[0]);  // called by nothing
  turned.entry = 0;
  for (Computation& computation : turned.computations) {
    for (Instruction& instruction : computation.instructions) {
      for (ComputationIndex& callee : instruction.called) callee = 2 - callee;
    }
  }
  EXPECT_FALSE(Identical(module, turned));
  EXPECT_TRUE(Equivalent(module, turned));
  EXPECT_TRUE(Equivalent(turned, module));
  EXPECT_EQ(EquivalenceHash(module), EquivalenceHash(turned));
}

// Two calls of one computation are not the same as calls of two equal ones: a program may be
// compiled differently, and pairing them would not be one to one.
TEST(CompareTest, PairsOfComputationsAreOneToOne) {
  const Module once = Replaced("to_apply=%max", "to_apply=%sum");
  Module twice = Replaced("maximum", "add");
  EXPECT_FALSE(Equivalent(once, twice));
  EXPECT_FALSE(Equivalent(twice, once));
}

TEST(CompareTest, APermutationThatIsTheIdentityMayBeLeftOut) {
  const Module module = Replaced("{replicated}", "{devices=[2,2]<=[2,2]T(0,1)}");
  Module spelled = module;
  Sharding& sharding = *spelled.entry_computation().instructions[3].extras->sharding;
  ASSERT_TRUE(sharding.iota_transpose_perm.empty());
  sharding.iota_transpose_perm = {0, 1};
  EXPECT_TRUE(Equivalent(module, spelled));
  EXPECT_EQ(EquivalenceHash(module), EquivalenceHash(spelled));
  sharding.iota_transpose_perm = {1, 0};
  EXPECT_FALSE(Equivalent(module, spelled));
}

// The hash may leave the process, so it must not change with the process or the machine. The number
// is what it was when the test was written; a change of the hash is a change of all keys made from
// it.
TEST(CompareTest, HashIsTheSameEverywhere) {
  EXPECT_EQ(EquivalenceHash(Parse("ENTRY e { ROOT p = f32[2] parameter(0) }")),
            10767614661702300508u);
}

// Modules that differ in one number have different hashes, but for bad luck.
TEST(CompareTest, HashesSpread) {
  std::set<uint64_t> hashes;
  for (int i = 0; i < 1000; ++i) {
    hashes.insert(
        EquivalenceHash(Parse(absl::StrCat("ENTRY e { ROOT p = f32[", i, "] parameter(0) }"))));
  }
  EXPECT_EQ(hashes.size(), 1000);
}

// XLA takes the layouts of the entry's instructions where the header has none.
TEST(CompareTest, AnEntryLayoutLeftOutIsThatOfTheInstructions) {
  const auto module = [](absl::string_view header) {
    return Parse(absl::StrCat("HloModule m", header, R"(
ENTRY main {
  b = f32[2,3]{0,1} parameter(1)
  a = f32[] parameter(0)
  ROOT t = (f32[], f32[2,3]{0,1}) tuple(a, b)
})"));
  };
  const Module none = module("");
  const auto expect = [&](bool same, absl::string_view shapes) {
    const Module other = module(absl::StrCat(", entry_computation_layout={", shapes, "}"));
    EXPECT_EQ(Equivalent(none, other), same) << shapes;
    EXPECT_EQ(Equivalent(other, none), same) << shapes;
    EXPECT_EQ(EquivalenceHash(none) == EquivalenceHash(other), same) << shapes;
  };
  expect(true, "(f32[], f32[2,3]{0,1})->(f32[], f32[2,3]{0,1})");
  expect(true, "(f32[]{}, f32[2,3]{0,1})->(f32[], f32[2,3]{0,1})");
  expect(false, "(f32[], f32[2,3]{1,0})->(f32[], f32[2,3]{0,1})");
  expect(false, "(f32[], f32[2,3]{0,1})->(f32[], f32[2,3]{1,0})");
  expect(false, "(f32[2,3]{0,1}, f32[])->(f32[], f32[2,3]{0,1})");
}

TEST(CompareTest, ALayoutLeftOutIsRowMajorAtTheEntry) {
  constexpr absl::string_view kEntry = "\nENTRY main {\n  ROOT a = f32[2,3] parameter(0)\n}\n";
  const Module none = Parse(absl::StrCat("HloModule m", kEntry));
  const auto with = [&](absl::string_view layout) {
    return Parse(absl::StrCat("HloModule m, entry_computation_layout={(f32[2,3]", layout,
                              ")->f32[2,3]", layout, "}", kEntry));
  };
  for (const absl::string_view same : {"", "{1,0}"}) {
    EXPECT_TRUE(Equivalent(none, with(same))) << same;
    EXPECT_EQ(EquivalenceHash(none), EquivalenceHash(with(same))) << same;
  }
  EXPECT_FALSE(Equivalent(none, with("{0,1}")));
}

// Neither of these is sound, and neither may crash.
TEST(CompareTest, EntriesWithGapsBetweenTheirParameters) {
  const Module gap = Parse("HloModule m\nENTRY e {\n  ROOT a = f32[] parameter(7)\n}");
  const Module none = Parse("HloModule m\nENTRY e {\n  ROOT a = f32[] constant(7)\n}");
  EXPECT_TRUE(Equivalent(gap, gap));
  EXPECT_FALSE(Equivalent(gap, none));
}

}  // namespace
}  // namespace axle::hlo
