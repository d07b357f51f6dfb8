// SPDX-License-Identifier: Apache-2.0
// Programs exported from JAX, with the results that XLA:CPU gave: the evaluator must give them too,
// within the tolerance of each case.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "check/case.h"
#include "check/compare.h"
#include "check/npy_literal.h"
#include "eval/evaluator.h"
#include "hlo/text/parser.h"
#include "hlo/verify/verify.h"

namespace axle::eval {
namespace {

std::string DataFolder() {
  const char* data = std::getenv("AXLE_TEST_DATA");
  return absl::StrCat(data != nullptr ? data : AXLE_SOURCE_DIR "/../shared/data", "/jax");
}

std::vector<hlo::Literal> Leaves(hlo::Literal result) {
  if (!result.IsTuple()) return {std::move(result)};
  std::vector<hlo::Literal> leaves;
  for (hlo::Literal& element : result.elements()) {
    for (hlo::Literal& leaf : Leaves(std::move(element))) leaves.push_back(std::move(leaf));
  }
  return leaves;
}

// The leaves of the result of the program at `path` on the case's inputs.
absl::StatusOr<std::vector<hlo::Literal>> RunProgram(const std::string& path,
                                                     const check::Case& the_case) {
  AXLE_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  AXLE_ASSIGN_OR_RETURN(hlo::Module parsed, hlo::ParseModule(text));
  const auto module = std::make_shared<hlo::Module>(std::move(parsed));
  AXLE_RETURN_IF_ERROR(hlo::VerifyModule(*module));
  AXLE_ASSIGN_OR_RETURN(const auto evaluator, Evaluator::Create(module));
  const hlo::Computation& entry = module->entry_computation();
  std::vector<hlo::Literal> inputs;
  for (hlo::InstructionIndex i : hlo::ParameterIndices(entry)) {
    AXLE_ASSIGN_OR_RETURN(
        hlo::Literal input,
        check::LiteralFromNpyFile(the_case.inputs.at(inputs.size()), entry.instructions[i].shape));
    inputs.push_back(std::move(input));
  }
  std::vector<const hlo::Literal*> arguments;
  for (const hlo::Literal& input : inputs) arguments.push_back(&input);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, evaluator->Run(arguments));
  return Leaves(std::move(result));
}

void ExpectOutputs(const check::Case& the_case, const std::vector<hlo::Literal>& leaves) {
  ASSERT_EQ(leaves.size(), the_case.outputs.size());
  for (size_t i = 0; i < leaves.size(); ++i) {
    const auto expected = check::LiteralFromNpyFile(the_case.outputs[i].file, leaves[i].shape());
    ASSERT_TRUE(expected.ok()) << expected.status();
    const auto difference = check::Compare(*expected, leaves[i], the_case.outputs[i].tolerance);
    EXPECT_FALSE(difference) << "output " << i << ": "
                             << check::DifferenceText(*difference, leaves[i]);
  }
}

TEST(JaxCasesTest, GiveTheRecordedResults) {
  const auto folders = check::FindCases({DataFolder()});
  if (!folders.ok()) GTEST_SKIP() << "no data: " << folders.status();
  int passed = 0;
  for (const std::string& folder : *folders) {
    SCOPED_TRACE(folder);
    const auto the_case = check::LoadCase(folder);
    ASSERT_TRUE(the_case.ok()) << the_case.status();
    for (const std::string& path : the_case->programs) {
      if (!absl::EndsWith(path, "program.hlo")) continue;
      const auto leaves = RunProgram(path, *the_case);
      if (absl::IsUnimplemented(leaves.status())) {
        // Functions of a library, which nobody gave to this evaluator.
        EXPECT_TRUE(absl::StrContains(leaves.status().message(), "custom call to"))
            << leaves.status();
        continue;
      }
      ASSERT_TRUE(leaves.ok()) << leaves.status();
      ExpectOutputs(*the_case, *leaves);
      ++passed;
    }
  }
  EXPECT_GE(passed, 197);
}

}  // namespace
}  // namespace axle::eval
