// SPDX-License-Identifier: Apache-2.0
#include "runtime/chain.h"

#include <limits>
#include <memory>
#include <vector>

#include "base/error.h"
#include "gtest/gtest.h"
#include "runtime/runtime_testing.h"

namespace axle::runtime {
namespace {

using Kind = ChainStep::Kind;

class ChainTest : public ::testing::Test {
 protected:
  ChainTest() {
    Faults faults;
    faults.fail = [this](FaultPoint point) {
      if (point == FaultPoint::kCompletion && fail_completion_) {
        return absl::InternalError("the device broke");
      }
      if (point != FaultPoint::kLaunch) return absl::OkStatus();
      return ++launches_ == fail_launch_ ? absl::InternalError("the device broke")
                                         : absl::OkStatus();
    };
    store_ = StoreOf(faults);
    session_ = store_->OpenSession({.name = "test"});
    x_ = *session_->Keep(Value(*session_, Floats({1, 2})));
    add_ = *session_->Keep(ProgramOf(*session_, kAdd));
    increment_ = *session_->Keep(ProgramOf(*session_, kIncrement));
    tuples_ = *session_->Keep(ProgramOf(*session_, kTuples));
  }

  // x; x + 1; x + (x + 1), which is the result.
  std::vector<ChainStep> Good() const {
    return {{Kind::kValue, x_, {}, {}},
            {Kind::kProgram, increment_, {{0, 0}}, {}},
            {Kind::kProgram, add_, {{0, 0}, {1, 0}}, {{0, 0}}}};
  }
  absl::StatusOr<std::vector<int64_t>> Run(const std::vector<ChainStep>& steps) {
    return ExecuteChain(*session_, steps);
  }
  // The plan is refused with this error, and nothing of it was run or kept.
  void ExpectRefused(const std::vector<ChainStep>& steps, const std::string& error) {
    const auto counts = session_->handles().counts();
    const int64_t used = session_->account().used();
    launches_ = 0;
    EXPECT_EQ(ErrorIdOf(Run(steps).status()), error);
    EXPECT_EQ(launches_, 0);
    EXPECT_EQ(session_->handles().counts().allocations, counts.allocations);
    EXPECT_EQ(session_->account().used(), used);
  }
  void ExpectHandleHolds(int64_t handle, const hlo::Literal& expected) {
    ExpectHolds(**session_->handles().FindAllocation(handle), expected);
  }

  int launches_ = 0, fail_launch_ = -1;
  bool fail_completion_ = false;
  std::shared_ptr<Store> store_;
  std::shared_ptr<Session> session_;
  int64_t x_, add_, increment_, tuples_;
};

TEST_F(ChainTest, RunsStepsOnEachOthersResults) {
  const auto results = Run(Good());
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), 1);
  ExpectHandleHolds(results->front(), Floats({3, 5}));
  EXPECT_EQ(session_->account().used(), 16);  // x and the result; what lies between is gone
}

TEST_F(ChainTest, TakesPartsOfResults) {
  // kTuples wants a pair: make one of x.
  const Allocation x = **session_->handles().FindAllocation(x_);
  const int64_t pair = *session_->Keep(*Allocation::Tuple({&x, &x}));
  const auto results = Run({{Kind::kValue, pair, {}, {}},
                            {Kind::kProgram, tuples_, {{0, 0}, {0, 2}}, {{2, 0}, {0, 2}}},
                            {Kind::kProgram, increment_, {{1, 1}}, {{0, 1}}}});
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), 3);
  std::vector<hlo::Literal> inner;
  inner.push_back(Floats({1, 2}));
  ExpectHandleHolds((*results)[0], hlo::Literal::Tuple(std::move(inner)));  // ({1, 2})
  ExpectHandleHolds((*results)[1], Floats({4, 7}));                         // 3 x + 1
  EXPECT_EQ((**session_->handles().FindAllocation((*results)[2])).shape().ToString(false),
            "(f32[2], (f32[2]))");
}

TEST_F(ChainTest, NoResultsAndNoSteps) {
  EXPECT_TRUE(Run({})->empty());
  auto steps = Good();
  steps[2].outputs.clear();
  EXPECT_TRUE(Run(steps)->empty());
}

TEST_F(ChainTest, RefusesStepsThatDoNotComeBefore) {
  for (const int64_t step : {int64_t{2}, int64_t{3}, int64_t{-1}, int64_t{1} << 40,
                             std::numeric_limits<int64_t>::min()}) {
    auto steps = Good();
    steps[2].inputs[1].step = step;
    ExpectRefused(steps, "AX0624");
  }
}

TEST_F(ChainTest, RefusesPartsThatAreNotThere) {
  for (const int64_t part : {int64_t{1}, int64_t{-1}, std::numeric_limits<int64_t>::max(),
                             std::numeric_limits<int64_t>::min()}) {
    auto steps = Good();
    steps[2].inputs[1].part = part;
    ExpectRefused(steps, "AX0624");
    steps = Good();
    steps[2].outputs[0].part = part;
    ExpectRefused(steps, "AX0624");
  }
}

TEST_F(ChainTest, RefusesHolesAndRepeatsAmongTheResults) {
  for (const int64_t place : {int64_t{1}, int64_t{-1}, int64_t{1} << 60}) {
    auto steps = Good();
    steps[2].outputs[0].place = place;
    ExpectRefused(steps, "AX0624");
  }
  auto steps = Good();
  steps[1].outputs = {{0, 0}};
  ExpectRefused(steps, "AX0624");
}

TEST_F(ChainTest, ChecksHandlesCountsAndShapesFirst) {
  auto steps = Good();
  steps[2].handle = 12345;
  ExpectRefused(steps, "AX0620");
  steps = Good();
  steps[0].handle = add_;
  ExpectRefused(steps, "AX0622");
  steps = Good();
  steps[2].inputs.pop_back();
  ExpectRefused(steps, "AX0600");
  steps = Good();
  steps[0].inputs = {{0, 0}};
  ExpectRefused(steps, "AX0624");
  steps = Good();
  steps[0].handle = *session_->Keep(Value(*session_, Floats({1})));
  ExpectRefused(steps, "AX0601");
  steps[0].handle = *session_->Keep(Value(*session_, Floats({1, 2}), 1));
  ExpectRefused(steps, "AX0602");
  steps = Good();
  steps[2].handle = *session_->Keep(ProgramOf(*session_, kAddMustAlias));
  ExpectRefused(steps, "AX0616");
}

TEST_F(ChainTest, AFailingStepLeavesNothing) {
  auto steps = Good();
  steps[1].outputs = {{0, 1}};
  launches_ = 0;
  fail_launch_ = 2;
  const auto results = Run(steps);
  EXPECT_TRUE(absl::IsInternal(results.status())) << results.status();
  EXPECT_EQ(session_->handles().counts().allocations, 1);
  EXPECT_EQ(session_->account().used(), 8);
}

TEST_F(ChainTest, AFailureAfterLaunchIsTheResults) {
  fail_completion_ = true;
  const auto results = Run(Good());
  ASSERT_TRUE(results.ok()) << results.status();
  const auto result = session_->handles().FindAllocation(results->front());
  EXPECT_TRUE(absl::IsInternal((*result)->ToLiteral().status()));
  ExpectHandleHolds(x_, Floats({1, 2}));
}

}  // namespace
}  // namespace axle::runtime
