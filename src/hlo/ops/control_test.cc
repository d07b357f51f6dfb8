// SPDX-License-Identifier: Apache-2.0
// The verdicts were recorded from the verifier of XLA:CPU (PJRT API 0.115), where a comment does
// not say otherwise.
#include "hlo/ops/control.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hlo/ops/rule_testing.h"

namespace axle::hlo {
namespace {

using Texts = std::vector<std::string>;

TEST(ControlTest, OperationsThatOnlyOrderOrMark) {
  EXPECT_EQ(Infer({Opcode::kAddDependency, {"f32[4]", "token[]"}}), "f32[4]");
  EXPECT_EQ(Infer({Opcode::kAddDependency, {"f32[4]", "f32[]"}}), "AX0321");
  EXPECT_EQ(Infer({Opcode::kAfterAll}), "token[]");
  EXPECT_EQ(Infer({Opcode::kAfterAll, {"token[]", "token[]"}}), "token[]");
  EXPECT_EQ(Infer({Opcode::kAfterAll, {"f32[]", "(f32[], s32[])"}}), "token[]");
  EXPECT_EQ(Infer({Opcode::kAfterAll, {}, "f32[]"}), "AX0325");
  for (const char* shape : {"f32[4]", "(f32[4], s32[])", "token[]"}) {
    EXPECT_EQ(Infer({Opcode::kOptBarrier, {shape}}), shape);
    EXPECT_EQ(Infer({Opcode::kDomain, {shape}}), shape);
  }
  EXPECT_EQ(Infer({Opcode::kOptBarrier, {"f32[4]"}, "f32[5]"}), "AX0325");
  EXPECT_EQ(Infer({Opcode::kDomain, {"f32[4]"}, "f32[5]"}), "AX0325");
}

std::string InferCall(Opcode opcode, Texts operands, Texts called, const char* declared = "",
                      Attributes attributes = {}) {
  return Infer({opcode, std::move(operands), declared, std::move(attributes), std::move(called)});
}

TEST(ControlTest, Call) {
  const Texts callee = {"(f32[4], s32[]) -> f32[4]"};
  EXPECT_EQ(InferCall(Opcode::kCall, {"f32[4]", "s32[]"}, callee), "f32[4]");
  EXPECT_EQ(InferCall(Opcode::kCall, {"f32[<=4]", "s32[]"}, callee), "f32[4]");
  EXPECT_EQ(InferCall(Opcode::kCall, {"f32[5]", "s32[]"}, callee), "AX0323");
  EXPECT_EQ(InferCall(Opcode::kCall, {"f16[4]", "s32[]"}, callee), "AX0323");
  EXPECT_EQ(InferCall(Opcode::kCall, {"f32[4]"}, callee), "AX0323");
  EXPECT_EQ(InferCall(Opcode::kCall, {"f32[4]", "s32[]", "s32[]"}, callee), "AX0323");
  EXPECT_EQ(InferCall(Opcode::kCall, {"f32[4]", "s32[]"}, callee, "f32[5]"), "AX0325");
  EXPECT_EQ(
      InferError({.opcode = Opcode::kCall, .operands = {"f32[5]", "s32[]"}, .called = callee}),
      "AX0323: %x = call(f32[5], s32[]): parameter 0 of the computation is f32[4]; expected "
      "f32[5] as it is given");
}

TEST(ControlTest, While) {
  const auto loop = [](const char* init, const char* body, const char* condition) {
    return InferCall(Opcode::kWhile, {init}, {body, condition});
  };
  EXPECT_EQ(loop("s32[]", "(s32[]) -> s32[]", "(s32[]) -> pred[]"), "s32[]");
  EXPECT_EQ(loop("(s32[], f32[4])", "((s32[], f32[4])) -> (s32[], f32[4])",
                 "((s32[], f32[4])) -> pred[]"),
            "(s32[], f32[4])");
  EXPECT_EQ(loop("s32[]", "(s32[]) -> s32[]", "(s32[]) -> s32[]"), "AX0323");
  EXPECT_EQ(loop("s32[]", "(s32[]) -> s32[]", "(s32[]) -> pred[1]"), "AX0323");
  EXPECT_EQ(loop("s32[]", "(s32[]) -> s32[]", "(s64[]) -> pred[]"), "AX0323");
  EXPECT_EQ(loop("s32[]", "(s32[]) -> s32[]", "() -> pred[]"), "AX0323");
  EXPECT_EQ(loop("s32[]", "(s64[]) -> s32[]", "(s32[]) -> pred[]"), "AX0323");
  EXPECT_EQ(loop("s32[]", "(s32[]) -> s64[]", "(s32[]) -> pred[]"), "AX0323");
  EXPECT_EQ(loop("s32[]", "(s32[], s32[]) -> s32[]", "(s32[]) -> pred[]"), "AX0323");
  EXPECT_EQ(
      InferCall(Opcode::kWhile, {"s32[]"}, {"(s32[]) -> s32[]", "(s32[]) -> pred[]"}, "s32[1]"),
      "AX0325");
}

TEST(ControlTest, Conditional) {
  const std::string f4 = "(f32[4]) -> f32[]";
  const std::string f2 = "(f32[2]) -> f32[]";
  const auto conditional = [](Texts operands, Texts branches, const char* declared = "") {
    return InferCall(Opcode::kConditional, std::move(operands), std::move(branches), declared);
  };
  EXPECT_EQ(conditional({"pred[]", "f32[4]", "f32[2]"}, {f4, f2}), "f32[]");
  EXPECT_EQ(conditional({"s32[]", "f32[4]"}, {f4}), "f32[]");
  EXPECT_EQ(conditional({"s32[]", "f32[4]", "f32[2]", "f32[4]"}, {f4, f2, f4}), "f32[]");
  EXPECT_EQ(conditional({"pred[]", "f32[4]"}, {f4}), "AX0323");
  EXPECT_EQ(conditional({"pred[]", "f32[4]", "f32[4]", "f32[4]"}, {f4, f4, f4}), "AX0323");
  EXPECT_EQ(conditional({"u32[]", "f32[4]"}, {f4}), "AX0322");
  EXPECT_EQ(conditional({"s32[1]", "f32[4]"}, {f4}), "AX0321");
  EXPECT_EQ(conditional({"pred[1]", "f32[4]", "f32[4]"}, {f4, f4}), "AX0321");
  EXPECT_EQ(conditional({"token[]", "f32[4]"}, {f4}), "AX0321");
  EXPECT_EQ(conditional({"s32[]", "f32[4]"}, {f4, f4}), "AX0320");
  EXPECT_EQ(conditional({"s32[]", "f32[4]", "f32[4]"}, {f4}), "AX0320");
  EXPECT_EQ(conditional({"s32[]", "f32[4]", "f32[4]"}, {f4, "(f32[4]) -> f32[1]"}), "AX0323");
  EXPECT_EQ(conditional({"s32[]", "f32[4]"}, {f2}), "AX0323");
  EXPECT_EQ(conditional({"s32[]", "f32[4]"}, {"(f32[4], f32[4]) -> f32[]"}), "AX0323");
  EXPECT_EQ(conditional({"s32[]", "f32[4]"}, {f4}, "f32[1]"), "AX0325");
}

TEST(ControlTest, Fusion) {
  const Texts fused = {"(f32[4]) -> f32[4]"};
  const Attributes loop(FusionAttributes{.kind = FusionKind::kLoop});
  EXPECT_EQ(InferCall(Opcode::kFusion, {"f32[4]"}, fused, "", loop), "f32[4]");
  EXPECT_EQ(InferCall(Opcode::kFusion, {"f32[4]"}, fused), "AX0324");  // no kind
  EXPECT_EQ(InferCall(Opcode::kFusion, {"f32[5]"}, fused, "", loop), "AX0323");
  EXPECT_EQ(InferCall(Opcode::kFusion, {"f32[4]"}, fused, "f32[5]", loop), "AX0325");
}

OutputOperandAlias Alias(std::vector<int64_t> output, int64_t operand, std::vector<int64_t> index) {
  return {std::move(output), operand, std::move(index)};
}

TEST(ControlTest, CustomCall) {
  const auto call = [](Texts operands, CustomCallAttributes attributes,
                       const char* declared = "f32[4]") {
    return InferCall(Opcode::kCustomCall, std::move(operands), {}, declared,
                     Attributes(std::move(attributes)));
  };
  EXPECT_EQ(call({"f32[4]", "token[]"}, {}), "f32[4]");
  EXPECT_EQ(call({}, {}, ""), "AX0325");
  EXPECT_EQ(InferCall(Opcode::kCustomCall, {}, {"() -> f32[]", "() -> f32[]"}, "f32[]"), "f32[]");

  const auto constrained = [&](std::vector<Shape> shapes) {
    return call({"f32[4]", "(f32[])"}, {.operand_layout_constraints = std::move(shapes)});
  };
  const Shape with_layout = S("f32[4]").WithDefaultLayouts();
  EXPECT_EQ(constrained({with_layout, S("(f32[])")}), "f32[4]");
  EXPECT_EQ(constrained({with_layout}), "AX0324");
  EXPECT_EQ(constrained({S("f32[4]"), S("(f32[])")}), "AX0324");  // no layout
  EXPECT_EQ(constrained({S("f32[5]").WithDefaultLayouts(), S("(f32[])")}), "AX0324");
}

TEST(ControlTest, AliasesJoinPartsOfOneShape) {
  const auto call = [](OutputOperandAliases aliases) {
    return InferCall(
        Opcode::kCustomCall, {"f32[4]", "(s32[], f32[])"}, {}, "(f32[4], f32[])",
        Attributes(CustomCallAttributes{.output_to_operand_aliasing = std::move(aliases)}));
  };
  EXPECT_EQ(call({Alias({0}, 0, {}), Alias({1}, 1, {1})}), "(f32[4], f32[])");
  EXPECT_EQ(call({Alias({1}, 0, {})}), "AX0324");
  EXPECT_EQ(call({Alias({1}, 1, {0})}), "AX0324");
  EXPECT_EQ(call({Alias({0}, 2, {})}), "AX0324");
  EXPECT_EQ(call({Alias({0}, -1, {})}), "AX0324");
  EXPECT_EQ(call({Alias({2}, 0, {})}), "AX0324");
  EXPECT_EQ(call({Alias({-1}, 0, {})}), "AX0324");
  EXPECT_EQ(call({Alias({0}, 0, {0})}), "AX0324");

  const OutputOperandAliases pin = {Alias({}, 0, {})};
  const Attributes pinned(CustomCallAttributes{.output_to_operand_aliasing = pin});
  EXPECT_EQ(InferCall(Opcode::kCustomCall, {"f32[4]"}, {}, "b(f32[4])", pinned), "b(f32[4])");
  EXPECT_EQ(InferCall(Opcode::kCustomCall, {"b(f32[4])"}, {}, "f32[5]", pinned), "AX0324");

  const OutputOperandAliases bad = {Alias({0}, 0, {})};
  EXPECT_EQ(InferCall(Opcode::kCall, {"f32[4]"}, {"(f32[4]) -> f32[4]"}, "",
                      Attributes(CallAttributes{.output_to_operand_aliasing = bad})),
            "AX0324");
  EXPECT_EQ(InferCall(Opcode::kFusion, {"f32[4]"}, {"(f32[4]) -> f32[4]"}, "",
                      Attributes(FusionAttributes{FusionKind::kLoop, bad})),
            "AX0324");
}

TEST(ControlTest, AsyncStart) {
  const Texts f = {"(f32[4], s32[]) -> f32[4]"};
  const auto start = [&](Texts operands, const char* declared) {
    return InferCall(Opcode::kAsyncStart, std::move(operands), f, declared);
  };
  EXPECT_EQ(start({"f32[4]", "s32[]"}, ""), "((f32[4], s32[]), f32[4])");
  EXPECT_EQ(start({"f32[4]"}, ""), "AX0323");
  EXPECT_EQ(start({"f32[4]", "s32[]"}, "((f32[4], s32[]), f32[4])"), "((f32[4], s32[]), f32[4])");
  EXPECT_EQ(start({"f32[4]", "s32[]"}, "((f32[4], s32[]), f32[4], u32[])"),
            "((f32[4], s32[]), f32[4], u32[])");
  EXPECT_EQ(start({"f32[4]", "s32[]"}, "((f32[4], s32[]), f32[5])"), "AX0323");
  EXPECT_EQ(start({"f32[4]", "s32[]"}, "f32[4]"), "AX0321");
  EXPECT_EQ(start({"f32[4]", "s32[]"}, "((f32[4], s32[]))"), "AX0321");
  EXPECT_EQ(start({"f32[4]", "s32[]"}, "(f32[4], f32[4])"), "AX0321");
  EXPECT_EQ(start({"f32[4]", "s64[]"}, "((f32[4], s64[]), f32[4])"), "AX0323");
  EXPECT_EQ(start({}, "((f32[4], s32[]), f32[4])"), "AX0325");
  // The rest of the arguments, and parts of the result, may come later.
  EXPECT_EQ(start({"f32[4]"}, "((f32[4]), f32[4])"), "((f32[4]), f32[4])");
  EXPECT_EQ(start({}, "((), ())"), "((), ())");
  EXPECT_EQ(InferCall(Opcode::kAsyncStart, {}, {}, "((), f32[4])"), "AX0323");
}

TEST(ControlTest, AsyncUpdate) {
  const Texts f = {"(f32[4], s32[]) -> f32[4]"};
  const auto update = [](Texts operands, const Texts& called, const char* declared = "") {
    return InferCall(Opcode::kAsyncUpdate, std::move(operands), called, declared);
  };
  const std::string all = "((f32[4], s32[]), f32[4])";
  EXPECT_EQ(update({all}, f), all);
  EXPECT_EQ(update({all}, {}), all);
  EXPECT_EQ(update({"((f32[4]), f32[4])", "s32[]"}, f), all);
  EXPECT_EQ(update({"((f32[4]), ())", "s32[]"}, f, all.c_str()), all);
  EXPECT_EQ(update({"((f32[4]), f32[4])", "s64[]"}, f), "AX0323");
  EXPECT_EQ(update({"((f32[4]), f32[4])"}, f, all.c_str()), "AX0325");
  EXPECT_EQ(update({all}, f, "f32[4]"), "AX0321");
  EXPECT_EQ(update({all}, f, "((f32[4], s32[]), f32[5])"), "AX0323");
  EXPECT_EQ(update({"f32[4]"}, f), "AX0321");
}

TEST(ControlTest, AsyncDone) {
  const Texts f = {"(f32[4]) -> (f32[4], s32[])"};
  const auto done = [](const char* operand, const Texts& called, const char* declared = "") {
    return InferCall(Opcode::kAsyncDone, {operand}, called, declared);
  };
  EXPECT_EQ(done("((f32[4]), (f32[4], s32[]))", f), "(f32[4], s32[])");
  EXPECT_EQ(done("((f32[4]), (f32[4]))", f), "(f32[4], s32[])");
  EXPECT_EQ(done("((f32[4]), f32[3])", {}), "f32[3]");
  EXPECT_EQ(done("((), (f32[4], s32[]))", f), "AX0323");  // an argument is missing
  EXPECT_EQ(done("((f32[4]), (s32[]))", f), "AX0323");
  EXPECT_EQ(done("f32[4]", f), "AX0321");
  EXPECT_EQ(done("((f32[4]), (f32[4], s32[]))", f, "(f32[4])"), "AX0325");
}

}  // namespace
}  // namespace axle::hlo
