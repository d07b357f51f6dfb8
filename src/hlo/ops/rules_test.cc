// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/rules.h"

#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "hlo/ops/rule_testing.h"

namespace axle::hlo {
namespace {

TEST(RulesTest, EveryOpcodeHasARule) {
  for (int i = 0; i < OpcodeCount(); ++i) {
    EXPECT_NE(RuleFor(static_cast<Opcode>(i)), nullptr) << Name(static_cast<Opcode>(i));
  }
}

TEST(RulesTest, OperandCountsAreThoseOfTheTable) {
  for (int i = 0; i < OpcodeCount(); ++i) {
    const Opcode opcode = static_cast<Opcode>(i);
    const OpcodeInfo& info = Info(opcode);
    if (info.min_operands > 0) {
      const std::vector<std::string> few(info.min_operands - 1, "f32[]");
      EXPECT_EQ(Infer({opcode, few}), "AX0320") << Name(opcode);
    }
    if (info.max_operands != kVariadic) {
      const std::vector<std::string> many(info.max_operands + 1, "f32[]");
      EXPECT_EQ(Infer({opcode, many}), "AX0320") << Name(opcode);
    }
  }
  EXPECT_EQ(InferError({Opcode::kAdd, {"f32[2]"}}),
            "AX0320: %x = add(f32[2]): it has 1 operands; expected 2");
  EXPECT_EQ(InferError({Opcode::kConcatenate, {}}),
            "AX0320: %x = concatenate(): it has 0 operands; expected at least 1");
}

TEST(RulesTest, CalledCountsAreThoseOfTheTable) {
  const std::string f = "() -> f32[]";
  EXPECT_EQ(Infer({.opcode = Opcode::kAbs, .operands = {"f32[]"}, .called = {f}}), "AX0323");
  EXPECT_EQ(Infer({.opcode = Opcode::kCall}), "AX0323");
  EXPECT_EQ(Infer({.opcode = Opcode::kCall, .called = {f, f}}), "AX0323");
  EXPECT_EQ(Infer({.opcode = Opcode::kCall, .called = {f}}), "f32[]");
  EXPECT_EQ(Infer({.opcode = Opcode::kWhile, .operands = {"s32[]"}, .called = {f}}), "AX0323");
  EXPECT_EQ(Infer({.opcode = Opcode::kConditional, .operands = {"s32[]", "s32[]"}}), "AX0323");
  EXPECT_EQ(InferError({.opcode = Opcode::kCall}),
            "AX0323: %x = call(): it calls 0 computations; expected 1");
}

TEST(RulesTest, AttributesMustBeThoseOfTheOpcode) {
  EXPECT_EQ(Infer({.opcode = Opcode::kSlice,
                   .operands = {"f32[2]"},
                   .attributes = Attributes(PadAttributes())}),
            "AX0324");
}

TEST(RulesTest, OperandsNeedAShape) {
  EXPECT_EQ(InferError({Opcode::kTuple, {"f32[]", ""}}),
            "AX0321: %x = tuple(f32[], invalid): operand 1 has no shape");
}

TEST(RulesTest, MessagesShowTheFirstOperandsOnly) {
  std::vector<std::string> operands(20, "f32[]");
  operands[0] = "f32[2]";
  const std::string message = InferError({.opcode = Opcode::kConcatenate,
                                          .operands = operands,
                                          .attributes = Attributes(DimensionsAttributes{{0}})});
  EXPECT_EQ(message.find("AX0321: %x = concatenate(f32[2], f32[], f32[], f32[], f32[], f32[], "
                         "f32[], f32[], and 12 more): operand 1 is f32[]; "),
            0)
      << message;
}

TEST(RulesTest, ResultsCarryNoLayout) {
  Instruction instruction;
  instruction.opcode = Opcode::kNegate;
  const Shape operand = S("f32[2,3]").WithDefaultLayouts();
  EXPECT_EQ(*InferShape(RuleContext{instruction, {&operand, 1}, {}}), S("f32[2,3]"));
}

TEST(RulesTest, DeclaredShapes) {
  const auto declared = [](const char* shape) {
    return Infer({.opcode = Opcode::kAdd, .operands = {"f32[2]", "f32[<=2]"}, .declared = shape});
  };
  EXPECT_EQ(declared(""), "f32[<=2]");
  // XLA compares bounds, not dynamic flags.
  EXPECT_EQ(declared("f32[2]"), "f32[<=2]");
  EXPECT_EQ(declared("f32[?]"), "f32[<=2]");
  EXPECT_EQ(declared("f32[3]"), "AX0325");
  EXPECT_EQ(declared("f32[2,1]"), "AX0325");
  EXPECT_EQ(declared("f64[2]"), "AX0325");
  EXPECT_EQ(declared("(f32[2])"), "AX0325");
  EXPECT_EQ(InferError({Opcode::kNegate, {"f32[2]"}, "f32[3]"}),
            "AX0325: %x = negate(f32[2]): the declared shape is f32[3]; expected f32[2]");
}

TEST(RulesTest, InstructionsInTheirPlace) {
  Module module;
  Computation callee;
  callee.name = "callee";
  for (const int64_t number : {1, 0}) {
    Instruction& parameter = callee.Add(Instruction());
    parameter.opcode = Opcode::kParameter;
    parameter.shape = number == 0 ? S("f32[2]") : S("s32[]");
    parameter.attributes = Attributes(ParameterAttributes{number});
  }
  callee.root = 1;
  Computation caller;
  caller.name = "caller";
  for (const char* shape : {"f32[2]", "s32[]"}) {
    Instruction& parameter = caller.Add(Instruction());
    parameter.opcode = Opcode::kParameter;
    parameter.shape = S(shape);
    parameter.attributes = Attributes(ParameterAttributes{parameter.shape.rank() == 1 ? 0 : 1});
  }
  Instruction& call = caller.Add(Instruction());
  call.opcode = Opcode::kCall;
  call.operands = {0, 1};
  call.called = {0};
  call.attributes = Attributes(CallAttributes());
  module.computations.push_back(std::move(callee));
  module.computations.push_back(std::move(caller));

  ProgramShapes shapes(module);
  EXPECT_EQ(shapes.Of(0).parameters, (std::vector<Shape>{S("f32[2]"), S("s32[]")}));
  EXPECT_EQ(&shapes.Of(0), &shapes.Of(0));
  const Computation& place = module.computations[1];
  EXPECT_EQ(*InferShape(place, place.instructions[2], shapes), S("f32[2]"));
}

}  // namespace
}  // namespace axle::hlo
