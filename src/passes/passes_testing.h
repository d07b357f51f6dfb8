// SPDX-License-Identifier: Apache-2.0
// Modules before and after a pass as HLO text.
#ifndef AXLE_PASSES_PASSES_TESTING_H_
#define AXLE_PASSES_PASSES_TESTING_H_

#include <utility>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "hlo/compare.h"
#include "hlo/text/parser.h"
#include "hlo/text/printer.h"
#include "hlo/verify/verify.h"

namespace axle::passes {

// A verified module; empty on a failure, which is the test's.
inline hlo::Module Parsed(absl::string_view text) {
  absl::StatusOr<hlo::Module> module = hlo::ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  if (!module.ok()) return {};
  const absl::Status status = hlo::VerifyModule(*module);
  EXPECT_TRUE(status.ok()) << status << "\n" << text;
  return *std::move(module);
}

inline void ExpectVerifies(const hlo::Module& module) {
  const absl::Status status = hlo::VerifyModule(module);
  EXPECT_TRUE(status.ok()) << status << "\n" << hlo::PrintModule(module);
}

// `after` must verify and be what `expected` says, names and order included.
inline void ExpectIs(const hlo::Module& after, absl::string_view expected) {
  ExpectVerifies(after);
  EXPECT_EQ(hlo::FirstDifference(after, Parsed(expected)), "") << hlo::PrintModule(after);
}

}  // namespace axle::passes

#endif  // AXLE_PASSES_PASSES_TESTING_H_
