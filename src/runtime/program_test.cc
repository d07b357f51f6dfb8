// SPDX-License-Identifier: Apache-2.0
#include "runtime/program.h"

#include <memory>
#include <vector>

#include "base/error.h"
#include "gtest/gtest.h"
#include "reference/reference.h"
#include "runtime/runtime_testing.h"

namespace axle::runtime {
namespace {

constexpr absl::string_view kDraw = R"(
HloModule draw
ENTRY main {
  low = f32[] parameter(0)
  high = f32[] constant(1)
  ROOT r = f32[8] rng(low, high), distribution=rng_uniform
})";

class ProgramTest : public ::testing::Test {
 protected:
  std::vector<float> Draw(uint64_t seed) {
    std::vector<std::shared_ptr<Buffer>> results(1);
    const auto low = *UploadLiteral(*backend_->devices()[0], hlo::Literal::Scalar<float>(0));
    const absl::Status status =
        program_->Execute({low}, {.rng_seed = seed}, absl::MakeSpan(results));
    EXPECT_TRUE(status.ok()) << status;
    const hlo::Literal literal = *DownloadLiteral(*results[0]);
    return {literal.data<float>().begin(), literal.data<float>().end()};
  }

  std::shared_ptr<Backend> backend_ = reference::Create();
  std::unique_ptr<Program> program_ = *Program::Compile(backend_, *ModuleOf(kDraw));
};

TEST_F(ProgramTest, SeedsDecideTheNumbers) {
  EXPECT_EQ(Draw(5), Draw(5));
  EXPECT_NE(Draw(5), Draw(6));
}

TEST_F(ProgramTest, WithoutASeedEveryRunIsItsOwn) {
  const std::vector<float> first = Draw(0), second = Draw(0);
  EXPECT_NE(first, second);
  for (const float x : first) {
    EXPECT_GE(x, 0);
    EXPECT_LT(x, 1);
  }
}

TEST_F(ProgramTest, TheStateIsNobodysBusiness) {
  EXPECT_EQ(program_->signature().parameters.size(), 1);
  EXPECT_EQ(program_->parameter_leaves().size(), 1);
  EXPECT_EQ(program_->signature().result.ToString(false), "f32[8]");
  EXPECT_EQ(program_->result_leaves()->size(), 1);
}

}  // namespace
}  // namespace axle::runtime
