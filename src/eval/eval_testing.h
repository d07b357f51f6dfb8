// SPDX-License-Identifier: Apache-2.0
// For tests of the evaluator: programs and values as text.
#ifndef AXLE_EVAL_EVAL_TESTING_H_
#define AXLE_EVAL_EVAL_TESTING_H_

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "eval/evaluator.h"
#include "eval/kernel_testing.h"
#include "hlo/text/parser.h"
#include "hlo/verify/verify.h"

namespace axle::eval {

// "f32[2] {1, 2}"
inline hlo::Literal Lit(absl::string_view text) { return hlo::ParseLiteral(text).value(); }

inline absl::StatusOr<std::unique_ptr<Evaluator>> EvaluatorOf(absl::string_view program,
                                                              EvaluatorOptions options = {}) {
  AXLE_ASSIGN_OR_RETURN(hlo::Module module, hlo::ParseModule(program));
  AXLE_RETURN_IF_ERROR(hlo::VerifyModule(module));
  return Evaluator::Create(std::make_shared<hlo::Module>(std::move(module)), std::move(options));
}

// The result of a whole program on arguments written as literals.
inline absl::StatusOr<hlo::Literal> RunText(absl::string_view program,
                                            const std::vector<absl::string_view>& arguments,
                                            EvaluatorOptions options = {},
                                            const RunOptions& run_options = {}) {
  AXLE_ASSIGN_OR_RETURN(const auto evaluator, EvaluatorOf(program, std::move(options)));
  std::vector<hlo::Literal> literals;
  for (absl::string_view argument : arguments) literals.push_back(Lit(argument));
  std::vector<const hlo::Literal*> pointers;
  for (const hlo::Literal& literal : literals) pointers.push_back(&literal);
  return evaluator->Run(pointers, run_options);
}

// The same for the lines of one computation: "p = f32[2] parameter(0)\n ROOT r = …".
inline absl::StatusOr<hlo::Literal> RunEntry(absl::string_view lines,
                                             const std::vector<absl::string_view>& arguments) {
  return RunText(absl::StrCat("HloModule test\nENTRY main {\n", lines, "\n}\n"), arguments);
}

// Expects the lines of one computation to give the value.
inline void ExpectEntry(absl::string_view lines, const std::vector<absl::string_view>& arguments,
                        absl::string_view expected) {
  const auto result = RunEntry(lines, arguments);
  ASSERT_TRUE(result.ok()) << lines << "\n" << result.status();
  EXPECT_EQ(*result, Lit(expected)) << lines;
}

// The same for a whole program.
inline void ExpectText(absl::string_view program, const std::vector<absl::string_view>& arguments,
                       absl::string_view expected) {
  const auto result = RunText(program, arguments);
  ASSERT_TRUE(result.ok()) << program << "\n" << result.status();
  EXPECT_EQ(*result, Lit(expected)) << program;
}

}  // namespace axle::eval

#endif  // AXLE_EVAL_EVAL_TESTING_H_
