// SPDX-License-Identifier: Apache-2.0
// What becomes of each input of a run: refused before launch, failed after it, released, donated.
#include "runtime/launch.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/runtime_testing.h"

namespace axle::runtime {
namespace {

using ::testing::HasSubstr;

class LaunchTest : public ::testing::Test {
 protected:
  LaunchTest() {
    Faults faults;
    faults.fail = [this](FaultPoint point) {
      return fail_at_ == point ? failure_ : absl::OkStatus();
    };
    faults.hold = [this] { return gate_; };
    store_ = StoreOf(faults);
    session_ = store_->OpenSession({.name = "test"});
  }

  Allocation Of(std::vector<float> values, int device = 0) {
    return Value(*session_, Floats(std::move(values)), device);
  }
  absl::StatusOr<Allocation> Run(const OwnedProgram& program,
                                 std::vector<const Allocation*> arguments,
                                 const LaunchOptions& options = {}) {
    return session_->Run(program, arguments, options);
  }
  int64_t used() const { return session_->account().used(); }

  std::optional<FaultPoint> fail_at_;
  absl::Status failure_ = absl::InternalError("the device broke");
  std::shared_ptr<Gate> gate_;
  std::shared_ptr<Store> store_;
  std::shared_ptr<Session> session_;
};

constexpr bool kGiveFirst[] = {true, false};

TEST_F(LaunchTest, RunsOnTreesAndReturnsTrees) {
  const OwnedProgram program = ProgramOf(*session_, kTuples);
  const Allocation a = Of({1, 2}), b = Of({10, 20}), c = Of({100, 200});
  const Allocation pair = *Allocation::Tuple({&a, &b});
  const absl::StatusOr<Allocation> result = Run(program, {&pair, &c});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->shape().ToString(false), "(f32[2], (f32[2]))");
  ExpectHolds(*result->SubTuple({0}), Floats({111, 222}));
  ExpectHolds(*result->SubTuple({1, 0}), Floats({100, 200}));
}

TEST_F(LaunchTest, ChecksEveryArgument) {
  const OwnedProgram program = ProgramOf(*session_, kTuples);
  const Allocation a = Of({1, 2}), small = Of({1}), elsewhere = Of({1, 2}, 1);
  const Allocation pair = *Allocation::Tuple({&a, &a});
  const Allocation nested = *Allocation::Tuple({&pair});
  const Allocation misfit = *Allocation::Tuple({&a, &small});
  const int64_t before = used();
  EXPECT_EQ(ErrorIdOf(Run(program, {&pair}).status()), "AX0600");
  EXPECT_EQ(ErrorIdOf(Run(program, {&a, &a}).status()), "AX0601");        // array for a tuple
  EXPECT_EQ(ErrorIdOf(Run(program, {&pair, &pair}).status()), "AX0601");  // tuple for an array
  EXPECT_EQ(ErrorIdOf(Run(program, {&nested, &a}).status()), "AX0601");
  EXPECT_EQ(ErrorIdOf(Run(program, {&misfit, &a}).status()), "AX0601");
  EXPECT_EQ(ErrorIdOf(Run(program, {&pair, &elsewhere}).status()), "AX0602");
  EXPECT_EQ(used(), before);
}

TEST_F(LaunchTest, TheSameValueMayBeSeveralArguments) {
  const OwnedProgram program = ProgramOf(*session_, kAdd);
  const Allocation a = Of({1, 2});
  ExpectHolds(*Run(program, {&a, &a}), Floats({2, 4}));
}

TEST_F(LaunchTest, ARefusedLaunchChangesNothing) {
  const OwnedProgram program = ProgramOf(*session_, kAddInPlace);
  const Allocation a = Of({1, 2}), b = Of({3, 4});
  fail_at_ = FaultPoint::kLaunch;
  const auto result = Run(program, {&a, &b}, {.give = kGiveFirst});
  EXPECT_TRUE(absl::IsInternal(result.status())) << result.status();
  EXPECT_EQ(used(), 16);
  fail_at_.reset();
  ExpectHolds(a, Floats({1, 2}));
  ExpectHolds(b, Floats({3, 4}));
  ExpectHolds(*Run(program, {&a, &b}, {.give = kGiveFirst}), Floats({4, 6}));
}

TEST_F(LaunchTest, AfterLaunchFailureBelongsToTheResult) {
  const OwnedProgram program = ProgramOf(*session_, kAdd);
  const Allocation a = Of({1, 2}), b = Of({3, 4});
  fail_at_ = FaultPoint::kCompletion;
  const absl::StatusOr<Allocation> result = Run(program, {&a, &b});
  ASSERT_TRUE(result.ok()) << result.status();
  fail_at_.reset();
  for (const absl::Status& status : {result->Await(), result->ToLiteral().status()}) {
    EXPECT_TRUE(absl::IsInternal(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("sum"));  // the program's name
    EXPECT_THAT(std::string(status.message()), HasSubstr("the device broke"));
  }
  ExpectHolds(a, Floats({1, 2}));
  ExpectHolds(b, Floats({3, 4}));
}

TEST_F(LaunchTest, AGivenLeafIsGoneEvenIfTheRunFails) {
  const OwnedProgram program = ProgramOf(*session_, kAddInPlace);
  const Allocation a = Of({1, 2}), b = Of({3, 4});
  fail_at_ = FaultPoint::kCompletion;
  const absl::StatusOr<Allocation> result = Run(program, {&a, &b}, {.give = kGiveFirst});
  ASSERT_TRUE(result.ok()) << result.status();
  fail_at_.reset();
  EXPECT_FALSE(result->Await().ok());
  const absl::Status gone = a.ToLiteral().status();
  EXPECT_EQ(ErrorIdOf(gone), "AX0604");
  EXPECT_TRUE(absl::IsFailedPrecondition(gone));
  ExpectHolds(b, Floats({3, 4}));
}

TEST_F(LaunchTest, DonationIsForTheOnlyHolder) {
  const OwnedProgram program = ProgramOf(*session_, kAddInPlace);
  const Allocation b = Of({3, 4});
  const auto run = [&](const Allocation& first, const Allocation& second, bool give) {
    const bool gives[] = {give, give};
    absl::StatusOr<Allocation> result = session_->Run(program, {&first, &second}, {.give = gives});
    EXPECT_TRUE(result.ok()) << result.status();
    return *std::move(result);
  };
  {  // not given
    const Allocation a = Of({1, 2});
    ExpectHolds(run(a, b, false), Floats({4, 6}));
    ExpectHolds(a, Floats({1, 2}));
  }
  {  // held by a tuple too
    const Allocation a = Of({1, 2});
    const Allocation pair = *Allocation::Tuple({&a, &b});
    ExpectHolds(run(a, b, true), Floats({4, 6}));
    ExpectHolds(a, Floats({1, 2}));
  }
  {  // twice an argument
    const Allocation a = Of({1, 2});
    ExpectHolds(run(a, a, true), Floats({2, 4}));
    ExpectHolds(a, Floats({1, 2}));
  }
  {  // given, and nobody else's
    const Allocation a = Of({1, 2});
    ExpectHolds(run(a, b, true), Floats({4, 6}));
    EXPECT_EQ(ErrorIdOf(a.ToLiteral().status()), "AX0604");
  }
  ExpectHolds(b, Floats({3, 4}));  // given each time, but the program does not take it
}

TEST_F(LaunchTest, ProgramsThatMustAliasAreRefusedWithoutDonation) {
  const OwnedProgram program = ProgramOf(*session_, kAddMustAlias);
  const Allocation a = Of({1, 2}), b = Of({3, 4});
  const absl::Status status = Run(program, {&a, &b}).status();
  EXPECT_EQ(ErrorIdOf(status), "AX0616");
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_EQ(ErrorIdOf(Run(program, {&a, &a}, {.give = kGiveFirst}).status()), "AX0616");
  ExpectHolds(a, Floats({1, 2}));
  ExpectHolds(*Run(program, {&a, &b}, {.give = kGiveFirst}), Floats({4, 6}));
  EXPECT_EQ(ErrorIdOf(Run(program, {&a, &b}, {.give = kGiveFirst}).status()), "AX0604")
      << "gone, rather than not given";
}

TEST_F(LaunchTest, ImportedMemoryIsDonatedOnlyIfWritable) {
  const OwnedProgram program = ProgramOf(*session_, kAddInPlace);
  const Allocation b = Of({3, 4});
  for (const bool writable : {false, true}) {
    alignas(64) float values[2] = {1, 2};
    bool released = false;
    HostImport import;
    import.shape = hlo::Shape::Array(hlo::ElementType::kF32, {2});
    import.data = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(values), sizeof(values));
    import.writable = writable;
    import.released = [&released] { released = true; };
    {
      const absl::StatusOr<Allocation> a = session_->Import(std::move(import));
      ASSERT_TRUE(a.ok()) << a.status();
      EXPECT_FALSE(released);
      ExpectHolds(*Run(program, {&*a, &b}, {.give = kGiveFirst}), Floats({4, 6}));
      EXPECT_EQ(a->ToLiteral().ok(), !writable);
    }
    EXPECT_TRUE(released);
  }
}

// Eight threads give the same leaf away at once: one run takes it, the others see it whole or gone.
TEST_F(LaunchTest, OneOfManyWinsALeaf) {
  const OwnedProgram program = ProgramOf(*session_, kAddMustAlias);
  for (int round = 0; round < 50; ++round) {
    const Allocation a = Of({1, 2}), b = Of({3, 4});
    std::atomic<int> won = 0, refused = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        const auto result = session_->Run(program, {&a, &b}, {.give = kGiveFirst});
        if (result.ok()) {
          ++won;
          ExpectHolds(*result, Floats({4, 6}));
        } else if (absl::IsFailedPrecondition(result.status())) {
          ++refused;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(won, 1);
    EXPECT_EQ(refused, 7);
  }
}

TEST_F(LaunchTest, InputsOfARunStayChargedUntilItEnds) {
  const OwnedProgram program = ProgramOf(*session_, kAdd);
  gate_ = std::make_shared<Gate>();
  absl::StatusOr<Allocation> result = absl::UnknownError("not run");
  {
    const Allocation a = Of({1, 2}), b = Of({3, 4});
    result = Run(program, {&a, &b});
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(used(), 24);
  }
  EXPECT_EQ(used(), 24);
  gate_->Open();
  EXPECT_EQ(used(), 8);
  ExpectHolds(*result, Floats({4, 6}));
  EXPECT_EQ(program.cached->account().used(), 8);
  *result = Allocation();
  EXPECT_EQ(used(), 0);
  EXPECT_EQ(program.cached->account().used(), 0);
  EXPECT_EQ(store_->device_account(0).used(), 0);
}

TEST_F(LaunchTest, QuotaIsExactAndARefusalChangesNothing) {
  const auto session = store_->OpenSession({.name = "small", .max_bytes = 24});
  const OwnedProgram program = ProgramOf(*session, kAdd);
  const Allocation a = Value(*session, Floats({1, 2})), b = Value(*session, Floats({3, 4}));
  {
    const absl::StatusOr<Allocation> fits = session->Run(program, {&a, &b});
    ASSERT_TRUE(fits.ok()) << fits.status();
    EXPECT_EQ(session->account().used(), 24);
    const absl::Status status = session->Run(program, {&a, &b}).status();
    EXPECT_EQ(ErrorIdOf(status), "AX0610");
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("sum needs 8 bytes; session small holds 24 of at most 24"));
    EXPECT_EQ(session->account().used(), 24);
  }
  EXPECT_TRUE(session->Run(program, {&a, &b}).ok());
}

// A result in the memory of a given argument costs nothing more, so a full session can still step.
TEST_F(LaunchTest, DonationPaysForItsResult) {
  const auto session = store_->OpenSession({.name = "full", .max_bytes = 16});
  const OwnedProgram program = ProgramOf(*session, kAddInPlace);
  Allocation a = Value(*session, Floats({1, 2}));
  const Allocation b = Value(*session, Floats({3, 4}));
  for (int i = 0; i < 3; ++i) {
    absl::StatusOr<Allocation> next = session->Run(program, {&a, &b}, {.give = kGiveFirst});
    ASSERT_TRUE(next.ok()) << next.status();
    a = *std::move(next);
    EXPECT_EQ(session->account().used(), 16);
  }
  ExpectHolds(a, Floats({10, 14}));
  EXPECT_EQ(ErrorIdOf(session->Run(program, {&a, &b}).status()), "AX0610");
}

TEST_F(LaunchTest, OutOfMemoryNamesSizesAndHolders) {
  const OwnedProgram program = ProgramOf(*session_, kAdd);
  const Allocation a = Of({1, 2}), b = Of({3, 4});
  fail_at_ = FaultPoint::kLaunch;
  failure_ = absl::ResourceExhaustedError("no room for 8 bytes");
  const absl::Status status = Run(program, {&a, &b}).status();
  EXPECT_EQ(ErrorIdOf(status), "AX0617");
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("no room for 8 bytes"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("session test 16 bytes"));
  fail_at_ = FaultPoint::kUpload;
  EXPECT_EQ(ErrorIdOf(session_->Upload(Floats({1})).status()), "AX0617");
  fail_at_.reset();
  ExpectHolds(*Run(program, {&a, &b}), Floats({4, 6}));
}

// While one thread steps in place, others get nothing of what passes from leaf to leaf.
TEST_F(LaunchTest, DonationStaysWithinTheLimit) {
  for (const bool limit_device : {false, true}) {
    StoreOptions options;
    if (limit_device) options.max_device_bytes = 16;
    const auto store = Store::Create(store_->backend(), std::move(options));
    const auto session =
        store->OpenSession({.name = "full", .max_bytes = limit_device ? Account::kUnlimited : 16});
    const OwnedProgram program = ProgramOf(*session, kAddInPlace);
    Allocation a = Value(*session, Floats({1, 2}));
    const Allocation b = Value(*session, Floats({3, 4}));
    std::atomic<bool> done = false;
    std::thread other([&] {
      while (!done) EXPECT_EQ(ErrorIdOf(session->Upload(Floats({1})).status()), "AX0610");
    });
    for (int i = 0; i < 1000; ++i) {
      absl::StatusOr<Allocation> next = session->Run(program, {&a, &b}, {.give = kGiveFirst});
      ASSERT_TRUE(next.ok()) << next.status();
      a = *std::move(next);
    }
    done = true;
    other.join();
    if (!limit_device) {
      EXPECT_EQ(session->account().peak(), 16);
    }
    EXPECT_EQ(store->device_account(0).used(), 16);
    EXPECT_EQ(program.cached->account().used(), 8);
  }
}

// A leaf of another session is not in the limit of the one that runs.
TEST_F(LaunchTest, AGiftOfAnotherSessionPaysForNothing) {
  const auto session = store_->OpenSession({.name = "small", .max_bytes = 15});
  const OwnedProgram program = ProgramOf(*session, kAddInPlace);
  Allocation a = Of({1, 2});
  const Allocation b = Value(*session, Floats({3, 4}));
  EXPECT_EQ(ErrorIdOf(session->Run(program, {&a, &b}, {.give = kGiveFirst}).status()), "AX0610");
  ExpectHolds(a, Floats({1, 2}));
  const Allocation c = Of({3, 4});
  const auto result = session->Run(program, {&a, &c}, {.give = kGiveFirst});
  EXPECT_EQ(ErrorIdOf(result.status()), "AX0610") << "b is held still";
}

// Any of racing donors of a program that need not have the leaf may run on it unchanged.
TEST_F(LaunchTest, RacingDonorsOfALeafThatNeedNotBeTaken) {
  const OwnedProgram program = ProgramOf(*session_, kAddInPlace);
  for (int round = 0; round < 50; ++round) {
    const Allocation a = Of({1, 2}), b = Of({3, 4});
    std::atomic<int> won = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        const auto result = session_->Run(program, {&a, &b}, {.give = kGiveFirst});
        if (!result.ok()) {
          EXPECT_EQ(ErrorIdOf(result.status()), "AX0604");
          return;
        }
        ++won;
        const auto literal = result->ToLiteral();
        if (literal.ok()) {
          EXPECT_EQ(literal->data<float>()[0], 4);
        } else {  // the buffer was taken between its look-up and the run
          EXPECT_EQ(ErrorIdOf(literal.status()), "AX0604");
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_GE(won, 1);
    EXPECT_EQ(ErrorIdOf(a.ToLiteral().status()), "AX0604");
  }
}

// Arrays without elements cost nothing, and their leaves outlive all else all the same.
TEST_F(LaunchTest, EmptyArraysOutliveTheirProgram) {
  Allocation empty;
  {
    const OwnedProgram program = ProgramOf(*session_, R"(
HloModule empty
ENTRY main {
  x = f32[2] parameter(0)
  e = f32[0] slice(x), slice={[0:0]}
  d = f32[0,3] broadcast(e), dimensions={0}
  ROOT r = (f32[2], f32[0], f32[0,3]) tuple(x, e, d)
})");
    const Allocation a = Of({1, 2});
    const auto result = Run(program, {&a});
    ASSERT_TRUE(result.ok()) << result.status();
    empty = result->Elements()[2];
  }
  session_.reset();
  store_.reset();
  EXPECT_EQ(empty.shape().ToString(false), "f32[0,3]");
  EXPECT_TRUE(empty.ToLiteral().ok());
}

TEST_F(LaunchTest, ARunWithoutArraysEndsBeforeItReturns) {
  const OwnedProgram program = ProgramOf(*session_, R"(
HloModule nothing
ENTRY main {
  x = f32[2] parameter(0)
  ROOT r = () tuple()
})");
  const Allocation a = Of({1, 2});
  const auto result = Run(program, {&a});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->shape().ToString(false), "()");
  fail_at_ = FaultPoint::kCompletion;
  EXPECT_TRUE(absl::IsInternal(Run(program, {&a}).status()));
  fail_at_.reset();
  gate_ = std::make_shared<Gate>();
  std::atomic<bool> returned = false;
  std::thread runner([&] {
    EXPECT_TRUE(Run(program, {&a}).ok());
    returned = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(returned);
  gate_->Open();
  runner.join();
}

// Results that nobody holds any more are written until the run ends.
TEST_F(LaunchTest, ResultsOfARunStayChargedUntilItEnds) {
  const OwnedProgram program = ProgramOf(*session_, kAdd);
  const Allocation a = Of({1, 2}), b = Of({3, 4});
  gate_ = std::make_shared<Gate>();
  ASSERT_TRUE(Run(program, {&a, &b}).ok());
  EXPECT_EQ(used(), 24);
  gate_->Open();
  EXPECT_EQ(used(), 16);
}

}  // namespace
}  // namespace axle::runtime
