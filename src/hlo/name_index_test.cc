// SPDX-License-Identifier: Apache-2.0
#include "hlo/name_index.h"

#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace axle::hlo {
namespace {

TEST(NameIndexTest, FindsNamesWhileInstructionsGrow) {
  std::vector<Instruction> instructions;
  NameIndex names(&instructions);
  EXPECT_EQ(names.Find("a0"), std::nullopt);
  for (InstructionIndex i = 0; i < 1000; ++i) {
    instructions.emplace_back().name = "a" + std::to_string(i);
    names.Prefetch(instructions.back().name);
    EXPECT_TRUE(names.Insert(i));
  }
  instructions.emplace_back().name = "a7";
  EXPECT_FALSE(names.Insert(1000));
  for (InstructionIndex i = 0; i < 1000; ++i) {
    EXPECT_EQ(names.Find("a" + std::to_string(i)), i);
  }
  EXPECT_EQ(names.Find("a1000"), std::nullopt);
  EXPECT_EQ(names.Find(""), std::nullopt);
}

}  // namespace
}  // namespace axle::hlo
