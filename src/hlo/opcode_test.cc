// SPDX-License-Identifier: Apache-2.0
#include "hlo/opcode.h"

#include <set>
#include <string>

#include "gtest/gtest.h"
#include "hlo/attributes.h"

namespace axle::hlo {
namespace {

// XLA has 133 opcodes.
TEST(OpcodeTest, TableIsComplete) {
  EXPECT_EQ(OpcodeCount(), 133);
  std::set<std::string> names;
  OpCategory category = OpCategory::kUnary;
  for (int i = 0; i < OpcodeCount(); ++i) {
    const Opcode opcode = static_cast<Opcode>(i);
    const OpcodeInfo& info = Info(opcode);
    SCOPED_TRACE(info.name);
    EXPECT_TRUE(names.insert(std::string(info.name)).second);
    EXPECT_EQ(OpcodeFromName(info.name), opcode);
    EXPECT_GE(info.min_operands, 0);
    EXPECT_TRUE(info.max_operands == kVariadic || info.max_operands >= info.min_operands);
    EXPECT_FALSE(info.doc.empty());
    EXPECT_EQ(info.doc.back(), '.');
    EXPECT_GE(info.category, category);  // rows are sorted by category
    category = info.category;
    EXPECT_EQ(Attributes::Default(info.attributes).family(), info.attributes);
  }
  EXPECT_EQ(OpcodeFromName("frobnicate"), std::nullopt);
  EXPECT_EQ(OpcodeFromName(""), std::nullopt);
}

TEST(OpcodeTest, ArityFollowsTheCategory) {
  for (int i = 0; i < OpcodeCount(); ++i) {
    const OpcodeInfo& info = Info(static_cast<Opcode>(i));
    SCOPED_TRACE(info.name);
    const bool elementwise = info.category <= OpCategory::kTernary;
    EXPECT_EQ(IsElementwise(static_cast<Opcode>(i)), elementwise);
    if (!elementwise) continue;
    EXPECT_EQ(info.min_operands, static_cast<int>(info.category) + 1);
    EXPECT_EQ(info.max_operands, info.min_operands);
    EXPECT_EQ(info.calls, Calls::kNone);
  }
}

TEST(OpcodeTest, CommutativeOperations) {
  std::set<std::string> commutative;
  for (int i = 0; i < OpcodeCount(); ++i) {
    const OpcodeInfo& info = Info(static_cast<Opcode>(i));
    if ((info.flags & kCommutative) != 0) commutative.insert(std::string(info.name));
  }
  EXPECT_EQ(commutative, (std::set<std::string>{"add", "and", "maximum", "minimum", "mulhi",
                                                "multiply", "or", "xor"}));
}

}  // namespace
}  // namespace axle::hlo
