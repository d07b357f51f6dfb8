// SPDX-License-Identifier: Apache-2.0
#include "passes/lower_bitcasts.h"

#include "absl/strings/str_cat.h"
#include "passes/passes_testing.h"

namespace axle::passes {
namespace {

// `instructions` follow a parameter "a" of the given shape; the last one is the root.
std::string Entry(absl::string_view shape, absl::string_view instructions) {
  return absl::StrCat("HloModule m\nENTRY main {\n  a = ", shape, " parameter(0)\n", instructions,
                      "}\n");
}

void ExpectBecomes(absl::string_view shape, absl::string_view before, absl::string_view after) {
  hlo::Module module = Parsed(Entry(shape, before));
  LowerBitcasts(&module);
  ExpectIs(module, Entry(shape, after));
}

TEST(LowerBitcastsTest, RowMajorIsAReshape) {
  ExpectBecomes("f32[2,3]", "ROOT r = f32[6] bitcast(a)\n", "ROOT r = f32[6] reshape(a)\n");
  ExpectBecomes("f32[2,3]{1,0}", "ROOT r = f32[3,2]{1,0} bitcast(a)\n",
                "ROOT r = f32[3,2]{1,0} reshape(a)\n");
  ExpectBecomes("f32[2]", "ROOT r = f32[2] bitcast(a)\n", "ROOT r = f32[2] reshape(a)\n");
}

TEST(LowerBitcastsTest, OrderOfTheOperand) {
  ExpectBecomes("f32[2,3]{0,1}", "ROOT r = f32[6]{0} bitcast(a)\n",
                "r.physical = f32[3,2] transpose(a), dimensions={1,0}\n"
                "ROOT r = f32[6]{0} reshape(r.physical)\n");
  // Nothing moves in memory: a transpose alone.
  ExpectBecomes("f32[2,3]{0,1}", "ROOT r = f32[3,2]{1,0} bitcast(a)\n",
                "ROOT r = f32[3,2]{1,0} transpose(a), dimensions={1,0}\n");
}

// The result's dimensions from slow to fast are 2, 0, 1, so it is stored as [4,2,3]; its dimension
// 0 is the stored dimension 1, 1 is 2 and 2 is 0.
TEST(LowerBitcastsTest, OrderOfTheResult) {
  ExpectBecomes("f32[24]", "ROOT r = f32[2,3,4]{1,0,2} bitcast(a)\n",
                "r.physical = f32[4,2,3] reshape(a)\n"
                "ROOT r = f32[2,3,4]{1,0,2} transpose(r.physical), dimensions={1,2,0}\n");
}

TEST(LowerBitcastsTest, AnotherTypeOfTheSameWidth) {
  ExpectBecomes("f32[2]", "ROOT r = s32[2] bitcast(a)\n", "ROOT r = s32[2] bitcast-convert(a)\n");
  ExpectBecomes("f32[2,3]{0,1}", "ROOT r = s32[6,1]{0,1} bitcast(a)\n",
                "r.physical = f32[3,2] transpose(a), dimensions={1,0}\n"
                "r.physical.1 = s32[3,2] bitcast-convert(r.physical)\n"
                "r.physical.2 = s32[1,6] reshape(r.physical.1)\n"
                "ROOT r = s32[6,1]{0,1} transpose(r.physical.2), dimensions={1,0}\n");
}

TEST(LowerBitcastsTest, OperandsAndControlEdgesFollow) {
  ExpectBecomes("f32[2,3]{0,1}",
                "r.physical = f32[2,3]{0,1} negate(a)\n"
                "r = f32[6] bitcast(r.physical)\n"
                "n = f32[6] negate(r), control-predecessors={r}\n"
                "ROOT s = f32[6] add(n, r)\n",
                "r.physical = f32[2,3]{0,1} negate(a)\n"
                "r.physical.1 = f32[3,2] transpose(r.physical), dimensions={1,0}\n"
                "r = f32[6] reshape(r.physical.1)\n"
                "n = f32[6] negate(r), control-predecessors={r}\n"
                "ROOT s = f32[6] add(n, r)\n");
}

TEST(LowerBitcastsTest, WhatIsLeftAlone) {
  for (const auto& [shape, bitcast] : std::vector<std::pair<std::string, std::string>>{
           {"f32[2]", "ROOT r = s8[8] bitcast(a)\n"},
           {"f32[<=2]", "ROOT r = s32[<=2] bitcast(a)\n"},
           {"f32[8,128]{1,0:T(8,128)}", "ROOT r = f32[1024] bitcast(a)\n"},
           {"f32[2]", "ROOT r = f32[2] copy(a)\n"}}) {
    ExpectBecomes(shape, bitcast, bitcast);
  }
}

TEST(LowerBitcastsTest, SchedulesAreDroppedWhereSomethingChanged) {
  for (const char* instruction : {"bitcast", "copy"}) {
    hlo::Module module = Parsed(absl::StrCat(
        "HloModule m, is_scheduled=true\nENTRY main { a = f32[2] parameter(0) ROOT r = f32[2] ",
        instruction, "(a) }"));
    LowerBitcasts(&module);
    EXPECT_EQ(module.config.is_scheduled, instruction[0] == 'c');
    ExpectVerifies(module);
  }
}

}  // namespace
}  // namespace axle::passes
