// SPDX-License-Identifier: Apache-2.0
#include "eval/evaluator.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "eval/eval_testing.h"

namespace axle::eval {
namespace {

// Counts i up to n and sums it into a vector of two: (i, n, sums).
constexpr char kLoop[] = R"(HloModule loop
condition {
  s = (s32[], s32[], s32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], s32[], s32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  v = s32[2] get-tuple-element(s), index=2
  b = s32[2] broadcast(i), dimensions={}
  w = s32[2] add(v, b)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT t = (s32[], s32[], s32[2]) tuple(j, n, w)
}
ENTRY main {
  n = s32[] parameter(0)
  v = s32[2] parameter(1)
  zero = s32[] constant(0)
  t = (s32[], s32[], s32[2]) tuple(zero, n, v)
  ROOT w = (s32[], s32[], s32[2]) while(t), condition=condition, body=body
}
)";

TEST(EvaluatorTest, While) {
  ExpectText(kLoop, {"s32[] 5", "s32[2] {100, 0}"}, "(s32[] 5, s32[] 5, s32[2] {110, 10})");
  ExpectText(kLoop, {"s32[] 0", "s32[2] {100, 0}"}, "(s32[] 0, s32[] 0, s32[2] {100, 0})");
}

TEST(EvaluatorTest, ConditionalByPredAndByIndex) {
  constexpr char kBranches[] = R"(HloModule test
f0 {
  x = s32[] parameter(0)
  ROOT r = s32[] negate(x)
}
f1 {
  x = s32[] parameter(0)
  ROOT r = s32[] add(x, x)
}
f2 {
  x = s32[] parameter(0)
  ROOT r = s32[] multiply(x, x)
}
ENTRY main {
)";
  const std::string by_pred = absl::StrCat(
      kBranches,
      "p = pred[] parameter(0)\n a = s32[] constant(7)\n b = s32[] constant(9)\n ROOT r = s32[] "
      "conditional(p, a, b), true_computation=f0, false_computation=f1\n}\n");
  ExpectText(by_pred, {"pred[] true"}, "s32[] -7");
  ExpectText(by_pred, {"pred[] false"}, "s32[] 18");
  const std::string by_index = absl::StrCat(
      kBranches,
      "i = s32[] parameter(0)\n a = s32[] constant(7)\n ROOT r = s32[] conditional(i, a, a, a), "
      "branch_computations={f0, f1, f2}\n}\n");
  ExpectText(by_index, {"s32[] 0"}, "s32[] -7");
  ExpectText(by_index, {"s32[] 1"}, "s32[] 14");
  ExpectText(by_index, {"s32[] 2"}, "s32[] 49");
  ExpectText(by_index, {"s32[] 3"}, "s32[] 49");
  ExpectText(by_index, {"s32[] -1"}, "s32[] 49");
}

TEST(EvaluatorTest, TuplesNestAndShareElements) {
  ExpectEntry(
      "p = (s32[], (f32[2], s32[])) parameter(0)\n q = (f32[2], s32[]) get-tuple-element(p), "
      "index=1\n v = f32[2] get-tuple-element(q), index=0\n e = () tuple()\n"
      "ROOT t = (f32[2], (f32[2], s32[]), ()) tuple(v, q, e)",
      {"(s32[] 1, (f32[2] {2, 3}, s32[] 4))"}, "(f32[2] {2, 3}, (f32[2] {2, 3}, s32[] 4), ())");
}

TEST(EvaluatorTest, CallsFusionsAndTokens) {
  ExpectText(R"(HloModule test
f {
  x = s32[2] parameter(0)
  y = s32[2] parameter(1)
  ROOT r = s32[2] subtract(x, y)
}
g {
  x = s32[2] parameter(0)
  y = s32[2] parameter(1)
  ROOT r = s32[2] subtract(x, y)
}
ENTRY main {
  p = s32[2] parameter(0)
  q = s32[2] parameter(1)
  c = s32[2] call(p, q), to_apply=f
  d = s32[2] fusion(q, c), kind=kLoop, calls=g
  k = token[] after-all()
  e = s32[2] add-dependency(d, k)
  ROOT o = s32[2] opt-barrier(e)
})",
             {"s32[2] {5, 6}", "s32[2] {1, 2}"}, "s32[2] {-3, -2}");
}

TEST(EvaluatorTest, ArgumentsPassThroughAndConstantsReturn) {
  ExpectEntry("p = s32[] parameter(0)\n ROOT t = (s32[], s32[]) tuple(p, p)", {"s32[] 3"},
              "(s32[] 3, s32[] 3)");
  ExpectEntry("ROOT c = (s32[2], pred[]) constant(({1, 2}, true))", {},
              "(s32[2] {1, 2}, pred[] true)");
}

TEST(EvaluatorTest, WrongArgumentsAreRefused) {
  const char* lines = "p = s32[2] parameter(0)\n ROOT r = s32[2] negate(p)";
  EXPECT_EQ(ErrorIdOf(RunEntry(lines, {}).status()), "AX0803");
  EXPECT_EQ(ErrorIdOf(RunEntry(lines, {"s32[3] {1,2,3}"}).status()), "AX0803");
  EXPECT_EQ(ErrorIdOf(RunEntry(lines, {"u32[2] {1,2}"}).status()), "AX0803");
  const absl::Status status = RunEntry(lines, {"s32[3] {1,2,3}"}).status();
  EXPECT_TRUE(absl::StrContains(status.message(), "s32[3]")) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "s32[2]")) << status;
}

TEST(EvaluatorTest, WhatIsNotThereIsNamed) {
  const absl::Status status = EvaluatorOf(
                                  "HloModule m\nENTRY main {\n k = token[] after-all()\n"
                                  "ROOT i = (f32[4], token[]) infeed(k)\n}")
                                  .status();
  EXPECT_EQ(ErrorIdOf(status), "AX0800");
  EXPECT_TRUE(absl::StrContains(status.message(), "main/i: infeed of (f32[4], token[])")) << status;

  const absl::Status custom =
      EvaluatorOf(
          "HloModule m\nENTRY main {\n p = f32[] parameter(0)\n ROOT c = f32[] "
          "custom-call(p), custom_call_target=\"no_such\"\n}")
          .status();
  EXPECT_EQ(ErrorIdOf(custom), "AX0800");
  EXPECT_TRUE(absl::StrContains(custom.message(), "no_such")) << custom;

  const absl::Status dynamic = EvaluatorOf(
                                   "HloModule m\nENTRY main {\n p = f32[<=3] parameter(0)\n"
                                   "ROOT n = f32[<=3] negate(p)\n}")
                                   .status();
  EXPECT_EQ(ErrorIdOf(dynamic), "AX0800");
  EXPECT_TRUE(absl::StrContains(dynamic.message(), "f32[<=3]")) << dynamic;

  const absl::Status unknown = EvaluatorOf(
                                   "HloModule m\nENTRY main {\n p = f32[] parameter(0)\n"
                                   "ROOT n = f32[] negate(p), some_new_attribute=1\n}")
                                   .status();
  EXPECT_EQ(ErrorIdOf(unknown), "AX0800");
  EXPECT_TRUE(absl::StrContains(unknown.message(), "some_new_attribute")) << unknown;

  const absl::Status devices =
      EvaluatorOf(
          "HloModule m, replica_count=2\nf {\n a = f32[] parameter(0)\n b = f32[] "
          "parameter(1)\n ROOT c = f32[] add(a, b)\n}\nENTRY main {\n p = f32[] "
          "parameter(0)\n ROOT r = f32[] all-reduce(p), replica_groups={}, to_apply=f\n}")
          .status();
  EXPECT_EQ(ErrorIdOf(devices), "AX0800");
  EXPECT_TRUE(absl::StrContains(devices.message(), "2 devices")) << devices;
}

TEST(EvaluatorTest, WhatNobodyNeedsDoesNotRun) {
  ExpectEntry(
      "p = s32[] parameter(0)\n c = f32[] custom-call(p), custom_call_target=\"no_such\", "
      "custom_call_has_side_effect=false\n s = f32[<=3] constant({1,2,3})\n"
      "ROOT r = s32[] negate(p)",
      {"s32[] 3"}, "s32[] -3");
}

TEST(EvaluatorTest, CallsThatNestTooDeeplyAreRefused) {
  std::string text = "HloModule m\nf0 {\n x = s32[] parameter(0)\n ROOT r = s32[] negate(x)\n}\n";
  for (int i = 1; i <= 600; ++i) {
    absl::StrAppend(&text, "f", i,
                    " {\n x = s32[] parameter(0)\n ROOT r = s32[] call(x), to_apply=f", i - 1,
                    "\n}\n");
  }
  const auto program = [&](int depth) {
    return absl::StrCat(text,
                        "ENTRY main {\n p = s32[] parameter(0)\n"
                        "ROOT r = s32[] call(p), to_apply=f",
                        depth, "\n}\n");
  };
  EXPECT_EQ(ErrorIdOf(EvaluatorOf(program(600)).status()), "AX0804");
  ExpectText(program(490), {"s32[] 4"}, "s32[] -4");
}

TEST(EvaluatorTest, MemoryLimitIsKept) {
  const char* program =
      "HloModule m\nENTRY main {\n p = f32[] parameter(0)\n b = f32[1000] broadcast(p), "
      "dimensions={}\n n = f32[1000] negate(b)\n ROOT s = f32[1] slice(n), slice={[0:1]}\n}";
  const auto with_limit = [&](int64_t bytes) {
    return RunText(program, {"f32[] 1"}, {.max_bytes = bytes}).status();
  };
  EXPECT_TRUE(with_limit(8000).ok()) << with_limit(8000);
  const absl::Status refused = with_limit(7999);
  EXPECT_EQ(ErrorIdOf(refused), "AX0801");
  EXPECT_TRUE(absl::StrContains(refused.message(), "4000 bytes more")) << refused;
  EXPECT_TRUE(absl::StrContains(refused.message(), "7999")) << refused;
}

// An array of 40,000 bytes that a loop updates 100 times with a limit of 41,000: no turn copies it.
// The tuple's other element is taken out after the update, and the old value is read before it.
TEST(EvaluatorTest, LoopsUpdateInPlace) {
  constexpr char kProgram[] = R"(HloModule m
condition {
  s = (s32[10000], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=1
  n = s32[] constant(100)
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[10000], s32[]) parameter(0)
  a = s32[10000] get-tuple-element(s), index=0
  k = s32[] constant(3)
  old = s32[1] dynamic-slice(a, k), dynamic_slice_sizes={1}
  one = s32[1] constant({1})
  new = s32[1] add(old, one)
  d = s32[10000] dynamic-update-slice(a, new, k)
  i = s32[] get-tuple-element(s), index=1
  o = s32[] constant(1)
  j = s32[] add(i, o)
  ROOT t = (s32[10000], s32[]) tuple(d, j)
}
ENTRY main {
  z = s32[] parameter(0)
  a = s32[10000] broadcast(z), dimensions={}
  t = (s32[10000], s32[]) tuple(a, z)
  w = (s32[10000], s32[]) while(t), condition=condition, body=body
  b = s32[10000] get-tuple-element(w), index=0
  ROOT r = s32[5] slice(b), slice={[0:5]}
})";
  const auto result = RunText(kProgram, {"s32[] 0"}, {.max_bytes = 41000});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, Lit("s32[5] {0, 0, 0, 100, 0}"));
}

TEST(EvaluatorTest, CancellationEndsALoop) {
  const auto evaluator = EvaluatorOf(kLoop);
  ASSERT_TRUE(evaluator.ok()) << evaluator.status();
  const hlo::Literal n = Lit("s32[] 2000000000"), v = Lit("s32[2] {0, 0}");
  int asked = 0;
  RunOptions options;
  options.cancelled = [&] { return ++asked > 100; };
  EXPECT_EQ(ErrorIdOf((*evaluator)->Run({&n, &v}, options).status()), "AX0802");
  EXPECT_EQ(asked, 101);
}

TEST(EvaluatorTest, ThreadsMayShareOne) {
  const auto evaluator = EvaluatorOf(kLoop);
  ASSERT_TRUE(evaluator.ok()) << evaluator.status();
  const hlo::Literal n = Lit("s32[] 50"), v = Lit("s32[2] {0, 1}");
  std::vector<hlo::Literal> results(4);
  std::vector<std::thread> threads;
  for (hlo::Literal& result : results) {
    threads.emplace_back([&] { result = (*evaluator)->Run({&n, &v}).value(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const hlo::Literal& result : results) {
    EXPECT_EQ(result, Lit("(s32[] 50, s32[] 50, s32[2] {1225, 1226})"));
  }
}

TEST(EvaluatorTest, CustomCallsOfTheRegistry) {
  auto registry = std::make_shared<custom_calls::Registry>();
  registry->Add(
      {"twice",
       [](const hlo::Instruction&, absl::Span<const hlo::Shape> operands) {
         return operands.size() == 1 ? absl::OkStatus() : absl::InvalidArgumentError("one operand");
       },
       [](const hlo::Instruction&,
          absl::Span<const hlo::Literal* const> operands) -> absl::StatusOr<hlo::Literal> {
         std::vector<hlo::Literal> copies = {*operands[0], *operands[0]};
         return hlo::Literal::Tuple(std::move(copies));
       }});
  const auto program = [](absl::string_view operands) {
    return absl::StrCat(
        "HloModule m\nENTRY main {\n p = s32[] parameter(0)\n c = (s32[], s32[]) "
        "custom-call(",
        operands,
        "), custom_call_target=\"twice\"\n"
        "ROOT r = s32[] get-tuple-element(c), index=1\n}");
  };
  const auto result = RunText(program("p"), {"s32[] 4"}, {.custom_calls = registry});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, Lit("s32[] 4"));
  EXPECT_EQ(EvaluatorOf(program("p, p"), {.custom_calls = registry}).status().message(),
            "one operand");
}

}  // namespace
}  // namespace axle::eval
