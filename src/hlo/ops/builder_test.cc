// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/builder.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hlo/ops/control.h"
#include "hlo/ops/data_movement.h"
#include "hlo/ops/elementwise.h"
#include "hlo/ops/rule_testing.h"

namespace axle::hlo {
namespace {

TEST(NameSetTest, NamesDiffer) {
  NameSet names;
  names.Add("a.1");
  EXPECT_EQ(names.Unique("a"), "a");
  EXPECT_EQ(names.Unique("a"), "a.2");
  EXPECT_EQ(names.Unique("a.1"), "a.1.1");
  EXPECT_EQ(names.Unique("a"), "a.3");
}

// x -> x + 1.
ComputationIndex AddOne(ModuleBuilder& module) {
  Builder builder(&module, "add_one");
  const InstructionIndex x = *Parameter(builder, 0, S("f32[]"), "x");
  const InstructionIndex one = *Constant(builder, Literal::Scalar(1.0f));
  return *builder.Finish(*Binary(builder, Opcode::kAdd, x, one));
}

TEST(BuilderTest, BuildsComputationsWithInferredShapes) {
  Module module;
  ModuleBuilder shared(&module);
  const ComputationIndex callee = AddOne(shared);
  Builder builder(&shared, "main");
  const InstructionIndex x = *Parameter(builder, 0, S("f32[2,3]"));
  const InstructionIndex row = *Slice(builder, x, {{{0, 1, 1}, {0, 3, 1}}});
  const InstructionIndex element = *Slice(builder, row, {{{0, 1, 1}, {2, 3, 1}}});
  const InstructionIndex scalar = *Reshape(builder, element, S("f32[]"));
  const InstructionIndex call = *Call(builder, callee, {scalar});
  const InstructionIndex wide = *Broadcast(builder, call, S("f32[2,3]"), {});
  const InstructionIndex whole = *Convert(builder, wide, ElementType::kS32);
  const InstructionIndex root = *Tuple(builder, {whole, call});
  EXPECT_EQ(builder.shape(whole), S("s32[2,3]"));
  module.entry = *builder.Finish(root);

  ASSERT_EQ(module.computations.size(), 2);
  const Computation& main = module.entry_computation();
  EXPECT_EQ(main.name, "main");
  EXPECT_EQ(main.root_instruction().shape, S("(s32[2,3], f32[])"));
  EXPECT_EQ(main.instructions[row].name, "slice");
  EXPECT_EQ(main.instructions[element].name, "slice.1");
  EXPECT_EQ(main.instructions[call].called[0], callee);
  EXPECT_EQ(module.computations[callee].instructions[0].name, "x");
  EXPECT_TRUE(builder.computation().instructions.empty());
}

TEST(BuilderTest, EveryTypedCall) {
  Module module;
  ModuleBuilder shared(&module);
  Builder b(&shared, "f");
  const InstructionIndex x = *Parameter(b, 0, S("f32[4]"));
  const InstructionIndex i = *Parameter(b, 1, S("s32[]"));
  const InstructionIndex zero = *Constant(b, Literal::Scalar(0.0f));
  const auto shape = [&](const absl::StatusOr<InstructionIndex>& emitted) {
    return emitted.ok() ? b.shape(*emitted).ToString() : emitted.status().ToString();
  };
  EXPECT_EQ(shape(Unary(b, Opcode::kExp, x)), "f32[4]");
  EXPECT_EQ(shape(Clamp(b, zero, x, zero)), "f32[4]");
  const InstructionIndex less = *Compare(b, ComparisonDirection::kLt, x, x);
  EXPECT_EQ(b.shape(less), S("pred[4]"));
  EXPECT_EQ(b.computation().instructions[less].As<CompareAttributes>().direction,
            ComparisonDirection::kLt);
  EXPECT_EQ(shape(Select(b, less, x, x)), "f32[4]");
  EXPECT_EQ(shape(ReducePrecision(b, x, 5, 10)), "f32[4]");
  EXPECT_EQ(shape(BitcastConvert(b, x, S("u8[4,4]"))), "u8[4,4]");
  EXPECT_EQ(shape(Concatenate(b, {x, x}, 0)), "f32[8]");
  const InstructionIndex part = *DynamicSlice(b, x, {i}, {2});
  EXPECT_EQ(b.shape(part), S("f32[2]"));
  EXPECT_EQ(shape(DynamicUpdateSlice(b, x, part, {i})), "f32[4]");
  EXPECT_EQ(shape(GetDimensionSize(b, x, 0)), "s32[]");
  EXPECT_EQ(shape(SetDimensionSize(b, x, i, 0)), "f32[<=4]");
  EXPECT_EQ(shape(GetTupleElement(b, *Tuple(b, {x, i}), 1)), "s32[]");
  EXPECT_EQ(shape(Iota(b, S("s32[2,3]"), 1)), "s32[2,3]");
  EXPECT_EQ(shape(Pad(b, x, zero, {{{1, 1, 1}}})), "f32[9]");
  EXPECT_EQ(shape(Reverse(b, x, {0})), "f32[4]");
  EXPECT_EQ(shape(Transpose(b, *Iota(b, S("s32[2,3]"), 1), {1, 0})), "s32[3,2]");
  EXPECT_EQ(shape(AfterAll(b, {})), "token[]");
  EXPECT_EQ(shape(CustomCall(b, S("f32[7]"), {x}, {.target = "t"})), "f32[7]");
  EXPECT_EQ(shape(OptBarrier(b, x)), "f32[4]");
}

TEST(BuilderTest, ControlFlow) {
  Module module;
  ModuleBuilder shared(&module);
  const ComputationIndex body = AddOne(shared);
  Builder condition(&shared, "condition");
  const InstructionIndex x = *Parameter(condition, 0, S("f32[]"));
  const InstructionIndex ten = *Constant(condition, Literal::Scalar(10.0f));
  const ComputationIndex below =
      *condition.Finish(*Compare(condition, ComparisonDirection::kLt, x, ten));

  Builder main(&shared, "main");
  const InstructionIndex p = *Parameter(main, 0, S("pred[]"));
  const InstructionIndex zero = *Constant(main, Literal::Scalar(0.0f));
  const InstructionIndex loop = *While(main, body, below, zero);
  EXPECT_EQ(main.shape(loop), S("f32[]"));
  EXPECT_EQ(main.shape(*Conditional(main, p, {body, body}, {loop, zero})), S("f32[]"));
  // Body and condition the wrong way round.
  EXPECT_EQ(ErrorIdOf(While(main, below, body, zero).status()), "AX0323");
}

TEST(BuilderTest, RefusedInstructionsLeaveNoTrace) {
  Module module;
  ModuleBuilder shared(&module);
  Builder builder(&shared, "main");
  const InstructionIndex x = *Parameter(builder, 0, S("f32[4]"));
  EXPECT_EQ(ErrorIdOf(Unary(builder, Opcode::kNot, x).status()), "AX0322");
  EXPECT_EQ(ErrorIdOf(Unary(builder, Opcode::kNegate, 1).status()), "AX0327");
  EXPECT_EQ(ErrorIdOf(Call(builder, 0, {x}).status()), "AX0327");
  EXPECT_EQ(ErrorIdOf(Convert(builder, 9, ElementType::kS32).status()), "AX0327");
  EXPECT_EQ(ErrorIdOf(builder.Emit(Opcode::kNegate, {x}, {}, {.declared = S("f32[5]")}).status()),
            "AX0325");
  EXPECT_EQ(builder.computation().instructions.size(), 1);
  EXPECT_EQ(*Unary(builder, Opcode::kNegate, x), 1);
  EXPECT_EQ(builder.computation().instructions[1].name, "negate");
}

TEST(BuilderTest, FinishNeedsARootAndDenseParameters) {
  Module module;
  ModuleBuilder shared(&module);
  Builder empty(&shared, "empty");
  EXPECT_EQ(ErrorIdOf(empty.Finish(0).status()), "AX0327");

  Builder gap(&shared, "gap");
  EXPECT_EQ(ErrorIdOf(gap.Finish(*Parameter(gap, 1, S("f32[]"))).status()), "AX0327");
  // Number 0 comes after number 1, which is fine; twice is not.
  const InstructionIndex zero = *Parameter(gap, 0, S("s32[]"));
  const InstructionIndex again = *Parameter(gap, 0, S("s32[]"));
  EXPECT_EQ(ErrorIdOf(gap.Finish(again).status()), "AX0327");
  gap.mutable_instruction(again).As<ParameterAttributes>().number = 2;
  const absl::StatusOr<ComputationIndex> finished = gap.Finish(zero);
  ASSERT_TRUE(finished.ok()) << finished.status();
  EXPECT_EQ(shared.SignatureOf(*finished).parameters,
            (std::vector<Shape>{S("s32[]"), S("f32[]"), S("s32[]")}));
}

TEST(BuilderTest, ComputationsOfOneNameAreRenamed) {
  Module module;
  module.computations.emplace_back().name = "f";
  ModuleBuilder shared(&module);
  for (int i = 0; i < 2; ++i) {
    Builder builder(&shared, "f");
    ASSERT_TRUE(builder.Finish(*Parameter(builder, 0, S("f32[]"))).ok());
  }
  EXPECT_EQ(module.computations[1].name, "f.1");
  EXPECT_EQ(module.computations[2].name, "f.2");
}

}  // namespace
}  // namespace axle::hlo
