// SPDX-License-Identifier: Apache-2.0
#include "passes/explicit_rng_state.h"

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/error.h"
#include "eval/evaluator.h"
#include "gmock/gmock.h"
#include "passes/passes_testing.h"

namespace axle::passes {
namespace {

using hlo::Literal;
using ::testing::HasSubstr;

// What adds 1 to the state.
constexpr char kAdvance[] = R"(
rng_state_advance {
  state = u64[2] parameter(0)
  slice = u64[1] slice(state), slice={[0:1]}
  slice.1 = u64[1] slice(state), slice={[1:2]}
  constant = u64[1] constant({1})
  add = u64[1] add(slice, constant)
  compare = pred[1] compare(add, slice), direction=LT
  convert = u64[1] convert(compare)
  constant.1 = u64[1] constant({0})
  add.1 = u64[1] add(slice.1, constant.1)
  add.2 = u64[1] add(add.1, convert)
  ROOT concatenate = u64[2] concatenate(add, add.2), dimensions={0}
}
)";

void ExpectBecomes(absl::string_view before, absl::string_view after) {
  hlo::Module module = Parsed(before);
  const auto draws = MakeRngStateExplicit(&module);
  ASSERT_TRUE(draws.ok()) << draws.status();
  EXPECT_TRUE(*draws);
  ExpectIs(module, after);
}

// As the texts here are written.
std::string TextOf(const hlo::Module& module) {
  return absl::StrReplaceAll(hlo::PrintModule(module), {{"%", ""}});
}

absl::Status Refused(absl::string_view text) {
  hlo::Module module = Parsed(text);
  const hlo::Module before = module;
  const auto draws = MakeRngStateExplicit(&module);
  EXPECT_FALSE(draws.ok());
  EXPECT_EQ(ErrorIdOf(draws.status()), "AX0501") << draws.status();
  EXPECT_EQ(hlo::FirstDifference(before, module), "");
  return draws.status();
}

Literal Evaluate(const hlo::Module& module, const std::vector<Literal>& arguments, uint64_t seed) {
  const auto evaluator = eval::Evaluator::Create(std::make_shared<const hlo::Module>(module));
  EXPECT_TRUE(evaluator.ok()) << evaluator.status();
  if (!evaluator.ok()) return {};
  std::vector<const Literal*> pointers;
  for (const Literal& argument : arguments) pointers.push_back(&argument);
  auto result = (*evaluator)->Run(pointers, {.rng_seed = seed});
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result) : Literal();
}

// The module as it was, run with the seed, and as it becomes, run on the seed's state, must give
// the same. Returns the state after it.
std::vector<uint64_t> ExpectSameNumbers(absl::string_view text, uint64_t seed = 11) {
  SCOPED_TRACE(text);
  hlo::Module module = Parsed(text);
  const Literal expected = Evaluate(module, {}, seed);
  const auto draws = MakeRngStateExplicit(&module);
  EXPECT_TRUE(draws.ok() && *draws) << draws.status();
  ExpectVerifies(module);
  const auto state = InitialRngState(seed);
  const Literal actual = Evaluate(module, {Literal::Vector<uint64_t>(state)}, seed + 1);
  if (!actual.IsTuple()) return {};
  for (size_t i = 0; i + 1 < actual.elements().size(); ++i) {
    EXPECT_TRUE(actual.elements()[i] == (expected.IsTuple() ? expected.elements()[i] : expected))
        << "result " << i;
  }
  const auto last = actual.elements().back().data<uint64_t>();
  return {last.begin(), last.end()};
}

TEST(ExplicitRngStateTest, ModulesThatDrawNothingStay) {
  // What the entry does not reach plays no part.
  const hlo::Module before = Parsed(R"(
HloModule m
unused { ROOT s = u64[2] rng-get-and-update-state(), delta=1 }
ENTRY main { ROOT x = f32[2] parameter(0) })");
  hlo::Module module = before;
  const auto draws = MakeRngStateExplicit(&module);
  ASSERT_TRUE(draws.ok()) << draws.status();
  EXPECT_FALSE(*draws);
  EXPECT_EQ(hlo::FirstDifference(before, module), "");
}

TEST(ExplicitRngStateTest, ArrayResult) {
  ExpectBecomes(R"(
HloModule m
unused { ROOT c = f32[] constant(1) }
ENTRY main {
  p = f32[2] parameter(0)
  a = u64[2] rng-get-and-update-state(), delta=1
  b = u64[2] rng-get-and-update-state(), delta=1
  ROOT r = u64[2] subtract(b, a)
})",
                absl::StrCat(R"(
HloModule m
ENTRY main {
  rng_state = u64[2] parameter(1)
  p = f32[2] parameter(0)
  a = u64[2] call(rng_state), to_apply=rng_state_advance
  b = u64[2] call(a), to_apply=rng_state_advance
  r = u64[2] subtract(a, rng_state)
  ROOT r.with_state = (u64[2], u64[2]) tuple(r, b)
})",
                             kAdvance));
}

// A tuple made in the entry is seen through, another is taken apart; names that are taken stay.
TEST(ExplicitRngStateTest, TupleResults) {
  ExpectBecomes(R"(
HloModule m
ENTRY main {
  rng_state = f32[2] parameter(0)
  a = u64[2] rng-get-and-update-state(), delta=1
  ROOT r = (f32[2], u64[2]) tuple(rng_state, a)
})",
                absl::StrCat(R"(
HloModule m
ENTRY main {
  rng_state.1 = u64[2] parameter(1)
  rng_state = f32[2] parameter(0)
  a = u64[2] call(rng_state.1), to_apply=rng_state_advance
  r = (f32[2], u64[2]) tuple(rng_state, rng_state.1)
  ROOT r.with_state = (f32[2], u64[2], u64[2]) tuple(rng_state, rng_state.1, a)
})",
                             kAdvance));
  ExpectBecomes(R"(
HloModule m
ENTRY main {
  a = u64[2] rng-get-and-update-state(), delta=1
  ROOT r = (f32[2], u64[2]) custom-call(a), custom_call_target="f"
})",
                absl::StrCat(R"(
HloModule m
ENTRY main {
  rng_state = u64[2] parameter(0)
  a = u64[2] call(rng_state), to_apply=rng_state_advance
  r = (f32[2], u64[2]) custom-call(rng_state), custom_call_target="f"
  r.0 = f32[2] get-tuple-element(r), index=0
  r.1 = u64[2] get-tuple-element(r), index=1
  ROOT r.with_state = (f32[2], u64[2], u64[2]) tuple(r.0, r.1, a)
})",
                             kAdvance));
}

TEST(ExplicitRngStateTest, RngOfOneShapeShareAComputation) {
  hlo::Module module = Parsed(R"(
HloModule m
ENTRY main {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  r = f32[2,3]{0,1} rng(a, b), distribution=rng_uniform
  s = f32[2,3] rng(a, b), distribution=rng_uniform
  t = f32[2,3] rng(a, b), distribution=rng_normal
  ROOT x = (f32[2,3]{0,1}, f32[2,3], f32[2,3]) tuple(r, s, t)
})");
  ASSERT_TRUE(*MakeRngStateExplicit(&module));
  ExpectVerifies(module);
  EXPECT_EQ(module.computations.size(), 3);
  const std::string text = TextOf(module);
  EXPECT_THAT(text, HasSubstr("r.drawn = (f32[2,3]{0,1}, u64[2]) call(a, b, rng_state), "
                              "to_apply=rng_uniform_f32"));
  EXPECT_THAT(text, HasSubstr("s.drawn = (f32[2,3], u64[2]) call(a, b, rng_state.1), "
                              "to_apply=rng_uniform_f32"));
  EXPECT_THAT(text, HasSubstr("t.drawn = (f32[2,3], u64[2]) call(a, b, rng_state.2), "
                              "to_apply=rng_normal_f32"));
}

// Fusions become calls. A computation with two callers is rewritten once; aliases of the call
// follow its operands into the tuple.
TEST(ExplicitRngStateTest, CallsAndFusions) {
  ExpectBecomes(R"(
HloModule m
fused {
  ROOT s = u64[2] rng-get-and-update-state(), delta=1
}
f {
  y = u64[2] parameter(1)
  x = u64[2] parameter(0)
  s = u64[2] fusion(), kind=kLoop, calls=fused, backend_config="b"
  z = u64[2] add(x, y)
  ROOT r = u64[2] add(z, s)
}
ENTRY main {
  p = u64[2] parameter(0)
  a = u64[2] call(p, p), to_apply=f, output_to_operand_aliasing={{}: (1, {})}
  ROOT b = u64[2] call(a, p), to_apply=f
})",
                absl::StrCat(R"(
HloModule m
fused {
  arguments = (u64[2]) parameter(0)
  rng_state = u64[2] get-tuple-element(arguments), index=0
  s = u64[2] call(rng_state), to_apply=rng_state_advance
  ROOT result = (u64[2], u64[2]) tuple(rng_state, s)
}
f {
  arguments = (u64[2], u64[2], u64[2]) parameter(0)
  rng_state = u64[2] get-tuple-element(arguments), index=2
  y = u64[2] get-tuple-element(arguments), index=1
  x = u64[2] get-tuple-element(arguments), index=0
  s.arguments = (u64[2]) tuple(rng_state)
  s.drawn = (u64[2], u64[2]) call(s.arguments), to_apply=fused
  s = u64[2] get-tuple-element(s.drawn), index=0
  rng_state.1 = u64[2] get-tuple-element(s.drawn), index=1
  z = u64[2] add(x, y)
  r = u64[2] add(z, s)
  ROOT result = (u64[2], u64[2]) tuple(r, rng_state.1)
}
ENTRY main {
  rng_state = u64[2] parameter(1)
  p = u64[2] parameter(0)
  a.arguments = (u64[2], u64[2], u64[2]) tuple(p, p, rng_state)
  a.drawn = (u64[2], u64[2]) call(a.arguments), to_apply=f, output_to_operand_aliasing={{0}: (0, {1})}
  a = u64[2] get-tuple-element(a.drawn), index=0
  rng_state.1 = u64[2] get-tuple-element(a.drawn), index=1
  b.arguments = (u64[2], u64[2], u64[2]) tuple(a, p, rng_state.1)
  b.drawn = (u64[2], u64[2]) call(b.arguments), to_apply=f
  b = u64[2] get-tuple-element(b.drawn), index=0
  rng_state.2 = u64[2] get-tuple-element(b.drawn), index=1
  ROOT b.with_state = (u64[2], u64[2]) tuple(b, rng_state.2)
})",
                             kAdvance));
}

TEST(ExplicitRngStateTest, ConditionalsPassTheStateThroughEveryBranch) {
  ExpectBecomes(R"(
HloModule m
draw {
  x = u64[2] parameter(0)
  s = u64[2] rng-get-and-update-state(), delta=1
  ROOT r = u64[2] add(x, s)
}
keep { ROOT x = u64[2] parameter(0) }
ENTRY main {
  which = pred[] parameter(0)
  p = u64[2] parameter(1)
  ROOT c = u64[2] conditional(which, p, p), true_computation=draw, false_computation=keep
})",
                absl::StrCat(R"(
HloModule m
draw {
  arguments = (u64[2], u64[2]) parameter(0)
  rng_state = u64[2] get-tuple-element(arguments), index=1
  x = u64[2] get-tuple-element(arguments), index=0
  s = u64[2] call(rng_state), to_apply=rng_state_advance
  r = u64[2] add(x, rng_state)
  ROOT result = (u64[2], u64[2]) tuple(r, s)
}
keep { ROOT x = u64[2] parameter(0) }
ENTRY main {
  rng_state = u64[2] parameter(2)
  which = pred[] parameter(0)
  p = u64[2] parameter(1)
  c.arguments = (u64[2], u64[2]) tuple(p, rng_state)
  c.arguments.1 = (u64[2], u64[2]) tuple(p, rng_state)
  c.drawn = (u64[2], u64[2]) conditional(which, c.arguments, c.arguments.1), true_computation=draw, false_computation=keep.with_state
  c = u64[2] get-tuple-element(c.drawn), index=0
  rng_state.1 = u64[2] get-tuple-element(c.drawn), index=1
  ROOT c.with_state = (u64[2], u64[2]) tuple(c, rng_state.1)
})",
                             kAdvance, R"(
keep.with_state {
  arguments = (u64[2], u64[2]) parameter(0)
  get-tuple-element = u64[2] get-tuple-element(arguments), index=0
  get-tuple-element.1 = u64[2] get-tuple-element(arguments), index=1
  call = u64[2] call(get-tuple-element), to_apply=keep
  ROOT tuple = (u64[2], u64[2]) tuple(call, get-tuple-element.1)
})"));
}

TEST(ExplicitRngStateTest, LoopsWhoseBodyDraws) {
  ExpectBecomes(R"(
HloModule m
body {
  x = (u64[2]) parameter(0)
  s = u64[2] rng-get-and-update-state(), delta=1
  ROOT r = (u64[2]) tuple(s)
}
go_on {
  x = (u64[2]) parameter(0)
  ROOT c = pred[] constant(false)
}
ENTRY main {
  p = (u64[2]) custom-call(), custom_call_target="f"
  ROOT w = (u64[2]) while(p), body=body, condition=go_on
})",
                absl::StrCat(R"(
HloModule m
body {
  arguments = ((u64[2]), u64[2]) parameter(0)
  rng_state = u64[2] get-tuple-element(arguments), index=1
  x = (u64[2]) get-tuple-element(arguments), index=0
  s = u64[2] call(rng_state), to_apply=rng_state_advance
  r = (u64[2]) tuple(rng_state)
  ROOT result = ((u64[2]), u64[2]) tuple(r, s)
}
go_on {
  x = (u64[2]) parameter(0)
  ROOT c = pred[] constant(false)
}
ENTRY main {
  rng_state = u64[2] parameter(0)
  p = (u64[2]) custom-call(), custom_call_target="f"
  w.init = ((u64[2]), u64[2]) tuple(p, rng_state)
  w.drawn = ((u64[2]), u64[2]) while(w.init), body=body, condition=go_on.with_state
  w = (u64[2]) get-tuple-element(w.drawn), index=0
  rng_state.1 = u64[2] get-tuple-element(w.drawn), index=1
  w.0 = u64[2] get-tuple-element(w), index=0
  ROOT w.with_state = (u64[2], u64[2]) tuple(w.0, rng_state.1)
})",
                             kAdvance, R"(
go_on.with_state {
  arguments = ((u64[2]), u64[2]) parameter(0)
  get-tuple-element = (u64[2]) get-tuple-element(arguments), index=0
  ROOT call = pred[] call(get-tuple-element), to_apply=go_on
})"));
}

// Turns of `x` while a drawn number is below 7 in 8, drawing in the body too or not.
std::string LoopWithDrawingCondition(bool body_draws) {
  return absl::StrCat(R"(
HloModule m
body {
  x = f32[] parameter(0)
  one = f32[] constant(1)
)",
                      body_draws ? "  d = f32[] rng(one, one), distribution=rng_uniform\n"
                                 : "  d = f32[] copy(one)\n",
                      R"(
  ROOT r = f32[] add(x, d)
}
again {
  x = f32[] parameter(0)
  zero = f32[] constant(0)
  one = f32[] constant(1)
  limit = f32[] constant(0.875)
  d = f32[] rng(zero, one), distribution=rng_uniform
  ROOT c = pred[] compare(d, limit), direction=LT
}
ENTRY main {
  zero = f32[] constant(0)
  one = f32[] constant(1)
  w = f32[] while(zero), body=body, condition=again
  after = f32[] rng(zero, one), distribution=rng_uniform
  ROOT t = (f32[], f32[]) tuple(w, after)
})");
}

TEST(ExplicitRngStateTest, LoopsWhoseConditionDraws) {
  hlo::Module module = Parsed(LoopWithDrawingCondition(false));
  ASSERT_TRUE(*MakeRngStateExplicit(&module));
  ExpectVerifies(module);
  const std::string text = TextOf(module);
  for (const absl::string_view part :
       {"w.arguments = (f32[], u64[2]) tuple(zero, rng_state)",
        "w.first = (pred[], u64[2]) call(w.arguments), to_apply=again",
        "w.go_on = pred[] get-tuple-element(w.first), index=0",
        "w.init = (f32[], u64[2], pred[]) tuple(zero, rng_state.1, w.go_on)",
        "w.drawn = (f32[], u64[2], pred[]) while(w.init), condition=again.go_on, "
        "body=body.and_condition",
        "rng_state.2 = u64[2] get-tuple-element(w.drawn), index=1",
        "ROOT get-tuple-element = pred[] get-tuple-element(arguments), index=2",
        "ROOT tuple.1 = (f32[], u64[2], pred[]) tuple(call, get-tuple-element.3, "
        "get-tuple-element.2)"}) {
    EXPECT_THAT(text, HasSubstr(std::string(part)));
  }
}

TEST(ExplicitRngStateTest, LoopsDrawTheSame) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    ExpectSameNumbers(LoopWithDrawingCondition(false), seed);
    ExpectSameNumbers(LoopWithDrawingCondition(true), seed);
  }
}

// Loops in branches in calls, computations with callers of every kind, one condition of two loops.
TEST(ExplicitRngStateTest, NestedConstructsDrawTheSame) {
  constexpr char kText[] = R"(
HloModule m
draw {
  x = s32[] parameter(0)
  zero = s32[] constant(0)
  ten = s32[] constant(10)
  d = s32[] rng(zero, ten), distribution=rng_uniform
  ROOT r = s32[] add(x, d)
}
below {
  x = s32[] parameter(0)
  limit = s32[] constant(40)
  ROOT c = pred[] compare(x, limit), direction=LT
}
keep {
  x = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT r = s32[] add(x, one)
}
loop {
  x = s32[] parameter(0)
  ROOT w = s32[] while(x), body=draw, condition=below
}
ENTRY main {
  which = s32[] constant(%d)
  zero = s32[] constant(0)
  a = s32[] call(zero), to_apply=draw
  b = s32[] fusion(a), kind=kLoop, calls=fused
  c = s32[] conditional(which, b, b, b), branch_computations={keep, draw, loop}
  d = s32[] while(b), body=draw, condition=below
  e = s32[] while(zero), body=keep, condition=below
  s = u64[2] rng-get-and-update-state(), delta=-5
  ROOT t = (s32[], s32[], s32[], s32[], s32[], u64[2]) tuple(a, b, c, d, e, s)
}
fused {
  x = s32[] parameter(0)
  ROOT y = s32[] call(x), to_apply=draw
}
)";
  for (int which = 0; which < 3; ++which) {
    for (uint64_t seed = 1; seed < 4; ++seed) {
      ExpectSameNumbers(absl::StrFormat(kText, which), seed);
    }
  }
}

std::string OneRng(absl::string_view type, absl::string_view dims, absl::string_view a,
                   absl::string_view b, absl::string_view distribution) {
  return absl::StrFormat(R"(
HloModule m
ENTRY main {
  a = %1$s[] constant(%3$s)
  b = %1$s[] constant(%4$s)
  before = %1$s[3] rng(a, b), distribution=rng_%5$s
  r = %1$s[%2$s] rng(a, b), distribution=rng_%5$s
  ROOT t = (%1$s[3], %1$s[%2$s]) tuple(before, r)
})",
                         type, dims, a, b, distribution);
}

// All types, and dimensions that leave parts of a counter's words unused.
TEST(ExplicitRngStateTest, EveryTypeDrawsTheSame) {
  for (const char* dims : {"", "0", "7", "3,5,2"}) {
    for (const char* type : {"f16", "bf16", "f32", "f64", "f8e5m2", "f8e4m3fn", "f8e4m3b11fnuz",
                             "f8e5m2fnuz", "f8e4m3fnuz", "f8e3m4", "f8e4m3", "f4e2m1fn"}) {
      ExpectSameNumbers(OneRng(type, dims, "-1", "3", "uniform"));
      ExpectSameNumbers(OneRng(type, dims, "0", "2", "normal"));
    }
    for (const char* type : {"s4", "s8", "s16", "s32", "s64"}) {
      ExpectSameNumbers(OneRng(type, dims, "-7", "6", "uniform"));
    }
    for (const char* type : {"u2", "u4", "u8", "u16", "u32", "u64"}) {
      ExpectSameNumbers(OneRng(type, dims, "1", "3", "uniform"));
    }
  }
}

TEST(ExplicitRngStateTest, BoundsDrawTheSame) {
  const char* const kFloats[][2] = {
      {"0", "1"}, {"1", "1.00000012"}, {"-1e-3", "0"},     {"-0.1", "-0"},
      {"3", "3"}, {"3", "-3"},         {"16384", "16416"}, {"-12345.678", "0.0001"}};
  for (const auto& [a, b] : kFloats) {
    for (const char* type : {"f16", "bf16", "f32", "f64", "f8e5m2"}) {
      ExpectSameNumbers(OneRng(type, "64", a, b, "uniform"));
    }
  }
  const char* const kIntegers[][3] = {{"s8", "-128", "127"},
                                      {"u8", "0", "255"},
                                      {"s64", "-9223372036854775808", "9223372036854775807"},
                                      {"u64", "0", "18446744073709551615"},
                                      {"s32", "4", "4"},
                                      {"s32", "5", "4"},
                                      {"u32", "4294967295", "0"}};
  for (const auto& [type, a, b] : kIntegers) {
    ExpectSameNumbers(OneRng(type, "64", a, b, "uniform"));
  }
}

TEST(ExplicitRngStateTest, TheStateMovesByTheCountersUsed) {
  using State = std::vector<uint64_t>;
  // Three f32 use one counter of four words, nine use three; normal numbers take them twice.
  EXPECT_EQ(ExpectSameNumbers(OneRng("f32", "9", "0", "1", "uniform"), 4), (State{4, 4}));
  EXPECT_EQ(ExpectSameNumbers(OneRng("f32", "9", "0", "1", "normal"), 4), (State{8, 4}));
  EXPECT_EQ(ExpectSameNumbers(OneRng("s8", "9", "0", "1", "uniform"), 4), (State{7, 4}));
  EXPECT_EQ(ExpectSameNumbers(OneRng("f32", "0", "0", "1", "uniform"), 4), (State{1, 4}));
  // A carry and a borrow between the words.
  const auto advanced = [](const char* delta) {
    return ExpectSameNumbers(absl::StrFormat(R"(
HloModule m
ENTRY main {
  a = u64[2] rng-get-and-update-state(), delta=%s
  b = u64[2] rng-get-and-update-state(), delta=%s
  c = u64[2] rng-get-and-update-state(), delta=%s
  ROOT t = (u64[2], u64[2], u64[2]) tuple(a, b, c)
})",
                                             delta, delta, delta),
                             4);
  };
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(advanced("-1"), (State{~uint64_t{0} - 2, 3}));
  EXPECT_EQ(advanced("9223372036854775807"), (State{3 * kMost, 5}));
}

// Deviations of the sums below: five of their standard deviations.
TEST(ExplicitRngStateTest, NumbersHaveTheirDistribution) {
  const auto draw = [](const char* type, const char* a, const char* b, const char* distribution) {
    hlo::Module module = Parsed(absl::StrFormat(R"(
HloModule m
ENTRY main {
  a = %1$s[] constant(%2$s)
  b = %1$s[] constant(%3$s)
  r = %1$s[10000] rng(a, b), distribution=rng_%4$s
  ROOT d = f64[10000] convert(r)
})",
                                                type, a, b, distribution));
    EXPECT_TRUE(*MakeRngStateExplicit(&module));
    const Literal result = Evaluate(module, {Literal::Vector<uint64_t>(InitialRngState(3))}, 0);
    const auto numbers = result.elements()[0].data<double>();
    return std::vector<double>(numbers.begin(), numbers.end());
  };
  const auto moments = [](const std::vector<double>& numbers, double center) {
    double sum = 0, squares = 0;
    for (const double x : numbers) {
      sum += x - center;
      squares += (x - center) * (x - center);
    }
    return std::pair(sum / 10000, squares / 10000);
  };
  for (const char* type : {"f16", "bf16", "f32", "f64"}) {
    const std::vector<double> uniform = draw(type, "-1", "1", "uniform");
    for (const double x : uniform) {
      EXPECT_GE(x, -1);
      EXPECT_LT(x, 1);
    }
    // Variance 1/3, that of squares 1/5 - 1/9; bf16's grid of 1/128 lies half a step low.
    const auto [mean, variance] = moments(uniform, 0);
    EXPECT_NEAR(mean, 0, 0.033) << type;
    EXPECT_NEAR(variance, 1.0 / 3, 0.015) << type;
    const auto [normal_mean, normal_variance] = moments(draw(type, "2", "3", "normal"), 2);
    EXPECT_NEAR(normal_mean, 0, 0.15) << type;      // variance 9
    EXPECT_NEAR(normal_variance, 9, 0.64) << type;  // that of squares 2 * 81
  }
  for (const char* type : {"s8", "u32", "s64"}) {
    std::vector<int> counts(10);
    for (const double x : draw(type, "20", "30", "uniform")) {
      ASSERT_TRUE(x >= 20 && x < 30) << x;
      ++counts[static_cast<int>(x) - 20];
    }
    for (const int count : counts) EXPECT_NEAR(count, 1000, 150) << type;  // variance 900
  }
}

TEST(ExplicitRngStateTest, TablesFollow) {
  ExpectBecomes(R"(
HloModule m, input_output_alias={ {}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, allow_spmd_sharding_propagation_to_parameters={true,true}, allow_spmd_sharding_propagation_to_output={true}, entry_computation_layout={(u64[2]{0}, f32[2,2]{0,1})->u64[2]{0}}
ENTRY main {
  p = u64[2] parameter(0), sharding={replicated}
  q = f32[2,2] parameter(1), parameter_replication={true}
  a = u64[2] rng-get-and-update-state(), delta=1
  ROOT r = u64[2] add(a, p), sharding={maximal device=0}
})",
                absl::StrCat(R"(
HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, allow_spmd_sharding_propagation_to_parameters={true,true,false}, allow_spmd_sharding_propagation_to_output={true}, entry_computation_layout={(u64[2]{0}, f32[2,2]{0,1}, u64[2]{0})->(u64[2]{0}, u64[2]{0})}
ENTRY main {
  rng_state = u64[2] parameter(2)
  p = u64[2] parameter(0), sharding={replicated}
  q = f32[2,2] parameter(1), parameter_replication={true}
  a = u64[2] call(rng_state), to_apply=rng_state_advance
  r = u64[2] add(rng_state, p), sharding={maximal device=0}
  ROOT r.with_state = (u64[2], u64[2]) tuple(r, a), sharding={{maximal device=0}, {replicated}}
})",
                             kAdvance));
  ExpectBecomes(R"(
HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }, allow_spmd_sharding_propagation_to_parameters={true}, allow_spmd_sharding_propagation_to_output={true,false}, entry_computation_layout={(u64[2]{0})->(u64[2]{0}, u64[2]{0})}
f {
  x = u64[2] parameter(0)
  ROOT s = u64[2] rng-get-and-update-state(), delta=1
}
ENTRY main {
  p = u64[2] parameter(0)
  a = u64[2] call(p), to_apply=f, sharding={maximal device=0}
  ROOT r = (u64[2], u64[2]) tuple(a, p), sharding={{maximal device=0}, {replicated}}
})",
                absl::StrCat(R"(
HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }, allow_spmd_sharding_propagation_to_parameters={true}, allow_spmd_sharding_propagation_to_output={true,false,false}, entry_computation_layout={(u64[2]{0}, u64[2]{0})->(u64[2]{0}, u64[2]{0}, u64[2]{0})}
f {
  arguments = (u64[2], u64[2]) parameter(0)
  rng_state = u64[2] get-tuple-element(arguments), index=1
  x = u64[2] get-tuple-element(arguments), index=0
  s = u64[2] call(rng_state), to_apply=rng_state_advance
  ROOT result = (u64[2], u64[2]) tuple(rng_state, s)
}
ENTRY main {
  rng_state = u64[2] parameter(1)
  p = u64[2] parameter(0)
  a.arguments = (u64[2], u64[2]) tuple(p, rng_state)
  a.drawn = (u64[2], u64[2]) call(a.arguments), to_apply=f, sharding={{maximal device=0}, {replicated}}
  a = u64[2] get-tuple-element(a.drawn), index=0, sharding={maximal device=0}
  rng_state.1 = u64[2] get-tuple-element(a.drawn), index=1
  r = (u64[2], u64[2]) tuple(a, p), sharding={{maximal device=0}, {replicated}}
  ROOT r.with_state = (u64[2], u64[2], u64[2]) tuple(a, p, rng_state.1), sharding={{maximal device=0}, {replicated}, {replicated}}
})",
                             kAdvance));
}

TEST(ExplicitRngStateTest, ParameterShardingsFollow) {
  hlo::Module module = Parsed(R"(
HloModule m
ENTRY main {
  p = f32[2] parameter(0)
  ROOT a = u64[2] rng-get-and-update-state(), delta=1
})");
  module.config.spmd_parameter_shardings.resize(1);
  module.config.spmd_output_sharding.emplace();
  module.config.is_scheduled = true;
  module.config.schedule[0] = {0, 1};
  ExpectVerifies(module);
  ASSERT_TRUE(*MakeRngStateExplicit(&module));
  ExpectVerifies(module);
  EXPECT_EQ(module.config.spmd_parameter_shardings.size(), 2);
  EXPECT_EQ(module.config.spmd_output_sharding->elements.size(), 2);
  EXPECT_FALSE(module.config.is_scheduled);
  EXPECT_TRUE(module.config.schedule.empty());
}

// The state's way is that of the instructions, so edges against it would make a circle.
TEST(ExplicitRngStateTest, ControlEdgesFollow) {
  hlo::Module module = Parsed(R"(
HloModule m
ENTRY main {
  p = u64[2] parameter(0)
  a = u64[2] rng-get-and-update-state(), delta=1
  b = u64[2] copy(p), control-predecessors={a}
  c = u64[2] rng-get-and-update-state(), delta=1, control-predecessors={b}
  ROOT r = u64[2] add(a, c)
})");
  const auto edge = [&](hlo::InstructionIndex from, hlo::InstructionIndex to) {
    module.entry_computation().instructions[to].mutable_extras().control_predecessors = {from};
  };
  edge(3, 1);  // a is drawn before c, but after it by this edge
  edge(0, 3);
  edge(3, 2);
  ExpectVerifies(module);
  ASSERT_TRUE(*MakeRngStateExplicit(&module));
  ExpectVerifies(module);
  const auto& instructions = module.entry_computation().instructions;
  EXPECT_TRUE(instructions[2].control_predecessors().empty());
  EXPECT_TRUE(instructions[3].control_predecessors().empty());
  EXPECT_THAT(instructions[4].control_predecessors(), ::testing::ElementsAre(1));
}

TEST(ExplicitRngStateTest, ComputationsOfElementsAreRefused) {
  EXPECT_THAT(Refused(R"(
HloModule m
f {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] rng(x, y), distribution=rng_uniform
}
ENTRY main {
  p = f32[3] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=f
})")
                  .message(),
              HasSubstr("main/r: reduce calls f, which draws random numbers"));
  EXPECT_THAT(Refused(R"(
HloModule m
g { ROOT s = u64[2] rng-get-and-update-state(), delta=1 }
f {
  x = f32[] parameter(0)
  s = u64[2] call(), to_apply=g
  ROOT y = f32[] negate(x)
}
ENTRY main {
  p = f32[3] parameter(0)
  ROOT m = f32[3] map(p), dimensions={0}, to_apply=f
})")
                  .message(),
              HasSubstr("main/m: map calls f"));
  EXPECT_THAT(Refused(R"(
HloModule m
f { ROOT s = u64[2] rng-get-and-update-state(), delta=1 }
ENTRY main {
  ROOT c = u64[2] custom-call(), custom_call_target="t", called_computations={f}
})")
                  .message(),
              HasSubstr("main/c: custom-call calls f"));
  EXPECT_THAT(Refused(R"(
HloModule m
f { ROOT s = u64[2] rng-get-and-update-state(), delta=1 }
ENTRY main {
  s = ((), u64[2], u32[]) async-start(), calls=f
  ROOT d = u64[2] async-done(s)
})")
                  .message(),
              HasSubstr("main/s: async-start calls f"));
}

TEST(ExplicitRngStateTest, DynamicSizesAreRefused) {
  EXPECT_THAT(Refused(R"(
HloModule m
ENTRY main {
  a = f32[] constant(0)
  ROOT r = f32[<=4] rng(a, a), distribution=rng_uniform
})")
                  .message(),
              HasSubstr("main/r: rng of f32[<=4], of dynamic size"));
}

TEST(ExplicitRngStateTest, TuplesThatNestAsDeepAsCanBeAreRefused) {
  for (const int depth : {hlo::kMaxShapeNesting - 1, hlo::kMaxShapeNesting}) {
    const std::string shape =
        absl::StrCat(std::string(depth, '('), "f32[]", std::string(depth, ')'));
    const std::string text = absl::StrCat(R"(
HloModule m
f {
  x = )",
                                          shape, R"( parameter(0)
  ROOT s = u64[2] rng-get-and-update-state(), delta=1
}
ENTRY main {
  p = )",
                                          shape, R"( custom-call(), custom_call_target="t"
  ROOT c = u64[2] call(p), to_apply=f
})");
    if (depth == hlo::kMaxShapeNesting) {
      EXPECT_THAT(Refused(text).message(), HasSubstr("main/c: it calls what draws"));
      continue;
    }
    hlo::Module module = Parsed(text);
    ASSERT_TRUE(*MakeRngStateExplicit(&module));
    ExpectVerifies(module);
  }
}

// Words of 64 bits for so many numbers of 8 would not have a size.
TEST(ExplicitRngStateTest, TooManyWordsAreRefused) {
  hlo::Module module = Parsed(R"(
HloModule m
ENTRY main {
  a = s8[] constant(0)
  ROOT r = s8[2305843009213693952] rng(a, a), distribution=rng_uniform
})");
  EXPECT_FALSE(MakeRngStateExplicit(&module).ok());
  EXPECT_EQ(module.computations.size(), 1);
}

// Nothing recurses over calls.
TEST(ExplicitRngStateTest, DeepCalls) {
  std::string text = "HloModule m\nf0 { ROOT s = u64[2] rng-get-and-update-state(), delta=1 }\n";
  constexpr int kDepth = 9000;
  for (int i = 1; i < kDepth; ++i) {
    absl::StrAppend(&text, "f", i, " { ROOT s = u64[2] call(), to_apply=f", i - 1, " }\n");
  }
  absl::StrAppend(&text, "ENTRY main { ROOT s = u64[2] call(), to_apply=f", kDepth - 1, " }\n");
  hlo::Module module = Parsed(text);
  ASSERT_TRUE(*MakeRngStateExplicit(&module));
  ExpectVerifies(module);
}

}  // namespace
}  // namespace axle::passes
