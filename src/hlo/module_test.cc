// SPDX-License-Identifier: Apache-2.0
#include "hlo/module.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace axle::hlo {
namespace {

Instruction Parameter(int64_t number, Shape shape) {
  Instruction parameter;
  parameter.opcode = Opcode::kParameter;
  parameter.name = absl::StrCat("p", number);
  parameter.shape = std::move(shape);
  parameter.attributes = Attributes::Default(AttributeFamily::kParameter);
  parameter.As<ParameterAttributes>().number = number;
  return parameter;
}

TEST(ModuleTest, ParametersAreOrderedByNumber) {
  Computation computation;
  computation.Add(Parameter(1, Shape::Scalar(ElementType::kS32)));
  computation.Add(Parameter(0, Shape::Scalar(ElementType::kF32)));
  Instruction root;
  root.opcode = Opcode::kTuple;
  root.shape = Shape::Tuple({});
  computation.Add(std::move(root));
  computation.root = 2;
  EXPECT_EQ(ParameterIndices(computation), (std::vector<InstructionIndex>{1, 0}));
  const ProgramShape shape = ProgramShapeOf(computation);
  EXPECT_EQ(shape.parameters, (std::vector<Shape>{Shape::Scalar(ElementType::kF32),
                                                  Shape::Scalar(ElementType::kS32)}));
  EXPECT_EQ(shape.parameter_names, (std::vector<std::string>{"p0", "p1"}));
  EXPECT_EQ(shape.result, Shape::Tuple({}));
}

// A module of computations that call the given ones.
Module Calling(const std::vector<std::vector<ComputationIndex>>& callees) {
  Module module;
  for (const std::vector<ComputationIndex>& called : callees) {
    Computation& computation = module.computations.emplace_back();
    for (const ComputationIndex callee : called) {
      Instruction call;
      call.opcode = Opcode::kCall;
      call.called = {callee};
      computation.Add(std::move(call));
    }
  }
  return module;
}

TEST(ModuleTest, CalleesComeFirstAndElseTheOrderStays) {
  using Order = std::vector<ComputationIndex>;
  EXPECT_EQ(CalleesFirst(Calling({{}, {}, {}})), (Order{0, 1, 2}));
  EXPECT_EQ(CalleesFirst(Calling({{2}, {}, {1}})), (Order{1, 2, 0}));
  EXPECT_EQ(CalleesFirst(Calling({{1, 2, 1}, {3}, {3}, {}})), (Order{3, 1, 2, 0}));
  // A chain as long as any module has computations: no recursion.
  std::vector<std::vector<ComputationIndex>> chain(100000);
  for (ComputationIndex i = 0; i + 1 < chain.size(); ++i) chain[i] = {i + 1};
  const Order order = CalleesFirst(Calling(chain));
  EXPECT_EQ(order.front(), chain.size() - 1);
  EXPECT_EQ(order.back(), 0);
}

TEST(ModuleTest, CopiesOfInstructionsAreDeep) {
  Instruction a;
  a.mutable_extras().backend_config = "x";
  a.extras->sharding = std::make_unique<Sharding>();
  const Instruction b = a;
  a.extras->backend_config = "y";
  a.extras->sharding->type = Sharding::Type::kManual;
  EXPECT_EQ(b.extras->backend_config, "x");
  EXPECT_EQ(b.sharding()->type, Sharding::Type::kReplicated);
}

TEST(MetadataTest, CopiesAreDeepAndEqual) {
  Metadata first;
  first.op_name = "n";
  first.source_line = 3;
  EXPECT_EQ(first.rare(), RareMetadata());
  first.mutable_rare().profile_types = {1, 2};
  const Metadata copy(first);
  EXPECT_EQ(copy, first);
  first.mutable_rare().scheduling_name = "s";
  EXPECT_FALSE(copy == first);
  EXPECT_EQ(copy.rare().profile_types, (std::vector<int32_t>{1, 2}));
}

// What has nothing rare equals what has it by default.
TEST(MetadataTest, DefaultRarePartsAreNone) {
  Metadata first;
  Metadata second;
  second.mutable_rare();
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace axle::hlo
