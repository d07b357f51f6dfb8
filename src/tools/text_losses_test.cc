// SPDX-License-Identifier: Apache-2.0
#include "tools/text_losses.h"

#include <memory>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

hlo::Module OneInstruction() {
  hlo::Module module;
  module.name = "m";
  module.computations.emplace_back().name = "main";
  module.computations[0].instructions.emplace_back().name = "r";
  return module;
}

TEST(TextLossesTest, NothingIsLostOfAPlainModule) {
  hlo::Module module = OneInstruction();
  module.id = 7;
  EXPECT_THAT(TextLosses(module), IsEmpty());
}

TEST(TextLossesTest, PartsOfTheModule) {
  hlo::Module module = OneInstruction();
  module.config.cross_program_prefetches.emplace_back();
  module.config.spmd_output_sharding.emplace();
  module.config.use_auto_spmd_partitioning = true;
  module.config.is_dynamic = true;
  module.config.unknown_wire = "x";
  EXPECT_THAT(TextLosses(module), ElementsAre("the module's cross-program prefetches",
                                              "the module's shardings of parameters and output",
                                              "the module's automatic partitioning",
                                              "the module's mark that it is dynamic",
                                              "fields of the module without a text form"));
}

TEST(TextLossesTest, UnknownFieldsAndTheirPlace) {
  hlo::Module module = OneInstruction();
  module.computations[0].unknown_wire = "x";
  module.computations[0].instructions[0].mutable_extras().unknown_wire = "x";
  EXPECT_THAT(TextLosses(module), ElementsAre("main: fields without a text form",
                                              "main/r: fields without a text form"));
}

TEST(TextLossesTest, WithinMetadataAndShardings) {
  const auto loses = [](auto change) {
    hlo::Module module = OneInstruction();
    change(module.computations[0].instructions[0]);
    return TextLosses(module).size();
  };
  EXPECT_EQ(loses([](hlo::Instruction& instruction) {
              auto metadata = std::make_shared<hlo::Metadata>();
              metadata->unknown_wire = "x";
              instruction.metadata = std::move(metadata);
            }),
            1);
  EXPECT_EQ(loses([](hlo::Instruction& instruction) {
              auto sharding = std::make_unique<hlo::Sharding>();
              sharding->elements.emplace_back().unknown_wire = "x";
              instruction.mutable_extras().sharding = std::move(sharding);
            }),
            1);
  EXPECT_EQ(loses([](hlo::Instruction& instruction) {
              instruction.mutable_extras().original_value_wire = "x";
            }),
            1);
}

TEST(TextLossesTest, AtMostAHundred) {
  hlo::Module module = OneInstruction();
  for (int i = 0; i < 300; ++i) {
    module.computations[0].instructions.emplace_back().mutable_extras().unknown_wire = "x";
  }
  EXPECT_EQ(TextLosses(module).size(), 100);
}

}  // namespace
}  // namespace axle::tools
