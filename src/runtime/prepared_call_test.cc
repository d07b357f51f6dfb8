// SPDX-License-Identifier: Apache-2.0
#include "runtime/prepared_call.h"

#include <memory>
#include <utility>

#include "base/error.h"
#include "gtest/gtest.h"
#include "runtime/runtime_testing.h"

namespace axle::runtime {
namespace {

class PreparedCallTest : public ::testing::Test {
 protected:
  std::shared_ptr<Store> store_ = StoreOf();
  std::shared_ptr<Session> session_ = store_->OpenSession({.name = "test"});
};

TEST_F(PreparedCallTest, RunsAgainAndAgain) {
  PreparedCall call(session_, ProgramOf(*session_, kTuples));
  const Allocation a = Value(*session_, Floats({1, 2}));
  EXPECT_EQ(ErrorIdOf(call.Run().status()), "AX0619");
  ASSERT_TRUE(call.Bind(0, *Allocation::Tuple({&a, &a})).ok());
  EXPECT_EQ(ErrorIdOf(call.Run().status()), "AX0619");
  ASSERT_TRUE(call.Bind(1, a).ok());
  for (int i = 0; i < 3; ++i) {
    const absl::StatusOr<Allocation> result = call.Run();
    ASSERT_TRUE(result.ok()) << result.status();
    ExpectHolds(*result->SubTuple({0}), Floats({3, 6}));
  }
  ASSERT_TRUE(call.Bind(1, Value(*session_, Floats({10, 20}))).ok());
  ExpectHolds(*call.Run()->SubTuple({0}), Floats({12, 24}));
}

TEST_F(PreparedCallTest, ChecksWhatIsBound) {
  PreparedCall call(session_, ProgramOf(*session_, kTuples));
  const Allocation a = Value(*session_, Floats({1, 2}));
  EXPECT_EQ(ErrorIdOf(call.Bind(2, a)), "AX0600");
  EXPECT_EQ(ErrorIdOf(call.Bind(0, a)), "AX0601");
  Allocation there = Value(*session_, Floats({1, 2}), 1);
  EXPECT_EQ(ErrorIdOf(call.Bind(1, std::move(there))), "AX0602");
  ExpectHolds(there, Floats({1, 2}));  // a refused gift stays with the giver
}

// A training step: the state goes in as a gift and comes out new.
TEST_F(PreparedCallTest, GiftsAreTakenOnce) {
  PreparedCall call(session_, ProgramOf(*session_, kAddMustAlias));
  const Allocation gradient = Value(*session_, Floats({3, 4}));
  Allocation state = Value(*session_, Floats({1, 2}));
  ASSERT_TRUE(call.Bind(1, gradient).ok());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(call.Bind(0, std::move(state)).ok());
    absl::StatusOr<Allocation> next = call.Run();
    ASSERT_TRUE(next.ok()) << next.status();
    state = *std::move(next);
    EXPECT_EQ(session_->account().used(), 16);
    EXPECT_EQ(ErrorIdOf(call.Run().status()), "AX0619");
  }
  ExpectHolds(state, Floats({10, 14}));
  ASSERT_TRUE(call.Bind(0, state).ok());  // shared, so it cannot be taken
  EXPECT_EQ(ErrorIdOf(call.Run().status()), "AX0616");
  ExpectHolds(state, Floats({10, 14}));
}

// The run fails before the call returns, because it has no result to fail later; the gift is gone.
TEST_F(PreparedCallTest, AFailedRunEmptiesThePlaceOfAGift) {
  bool fail = false;
  Faults faults;
  faults.fail = [&fail](FaultPoint point) {
    return fail && point == FaultPoint::kCompletion ? absl::InternalError("broke")
                                                    : absl::OkStatus();
  };
  const auto session = StoreOf(faults)->OpenSession({.name = "test"});
  PreparedCall call(session, ProgramOf(*session, R"(
HloModule eats, buffer_donor={ (0, {}) }
ENTRY main {
  x = f32[2] parameter(0)
  ROOT r = () tuple()
})"));
  ASSERT_TRUE(call.Bind(0, Value(*session, Floats({1, 2}))).ok());
  fail = true;
  EXPECT_TRUE(absl::IsInternal(call.Run().status()));
  EXPECT_EQ(ErrorIdOf(call.Run().status()), "AX0619");
  EXPECT_EQ(session->account().used(), 0);
}

}  // namespace
}  // namespace axle::runtime
