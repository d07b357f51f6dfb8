// SPDX-License-Identifier: Apache-2.0
// Sessions and their handles.
#include "runtime/session.h"

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

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() {
    Faults faults;
    faults.fail = [this](FaultPoint point) {
      return fail_at_ == point ? absl::InternalError("the device broke") : absl::OkStatus();
    };
    faults.hold = [this] { return gate_; };
    store_ = StoreOf(faults, {.epoch = 7});
    session_ = store_->OpenSession({.name = "test"});
  }

  int64_t Kept(std::vector<float> values) {
    return *session_->Keep(Value(*session_, Floats(std::move(values))));
  }
  int64_t KeptProgram(absl::string_view text) {
    return *session_->Keep(ProgramOf(*session_, text));
  }
  void ExpectHandleHolds(int64_t handle, const hlo::Literal& expected) {
    const auto value = session_->handles().FindAllocation(handle);
    ASSERT_TRUE(value.ok()) << value.status();
    ExpectHolds(**value, expected);
  }
  std::string ErrorOf(int64_t handle) {
    return ErrorIdOf(session_->handles().FindAllocation(handle).status());
  }
  absl::Status Release(std::vector<int64_t> handles) {
    return session_->handles().Release(handles, HandleKind::kAllocation);
  }

  std::optional<FaultPoint> fail_at_;
  std::shared_ptr<Gate> gate_;
  std::shared_ptr<Store> store_;
  std::shared_ptr<Session> session_;
};

TEST_F(SessionTest, HandlesOfOtherKindsSessionsAndEpochs) {
  const int64_t value = Kept({1});
  const int64_t program = KeptProgram(kIncrement);
  EXPECT_EQ(SplitHandle(value).kind, HandleKind::kAllocation);
  EXPECT_EQ(SplitHandle(program).kind, HandleKind::kProgram);
  EXPECT_EQ(SplitHandle(value).epoch, 7);

  EXPECT_EQ(ErrorOf(program), "AX0622");
  EXPECT_EQ(ErrorIdOf(session_->handles().FindProgram(value).status()), "AX0622");
  EXPECT_TRUE(absl::IsInvalidArgument(session_->handles().FindProgram(value).status()));

  const auto other = store_->OpenSession({.name = "other"});
  const absl::Status guessed = other->handles().FindAllocation(value).status();
  EXPECT_EQ(ErrorIdOf(guessed), "AX0620");
  EXPECT_TRUE(absl::IsNotFound(guessed));

  HandleParts parts = SplitHandle(value);
  parts.epoch = 8;
  const absl::Status stale = session_->handles().FindAllocation(JoinHandle(parts)).status();
  EXPECT_EQ(ErrorIdOf(stale), "AX0621");
  EXPECT_TRUE(absl::IsNotFound(stale));
  EXPECT_THAT(std::string(stale.message()), HasSubstr("restarted"));

  for (const int64_t nonsense : {int64_t{0}, int64_t{-5}, int64_t{42}}) {
    EXPECT_EQ(ErrorOf(nonsense), "AX0620");
  }
}

TEST_F(SessionTest, ReleasingSeveralIsAllOrNothing) {
  const int64_t a = Kept({1}), b = Kept({2}), c = Kept({3});
  ASSERT_TRUE(Release({b}).ok());
  EXPECT_EQ(ErrorIdOf(Release({a, b, c})), "AX0620");
  ExpectHandleHolds(a, Floats({1}));
  ExpectHandleHolds(c, Floats({3}));
  const int64_t program = KeptProgram(kIncrement);
  EXPECT_EQ(ErrorIdOf(Release({a, program})), "AX0622");
  ExpectHandleHolds(a, Floats({1}));
  EXPECT_TRUE(Release({a, c, a, a}).ok());  // named thrice, released once
  EXPECT_EQ(ErrorOf(a), "AX0620");
  EXPECT_TRUE(Release({}).ok());
  EXPECT_EQ(session_->account().used(), 0);
}

TEST_F(SessionTest, EachCompileIsAReferenceOfItsOwn) {
  const int64_t first = KeptProgram(kIncrement);
  const int64_t second = KeptProgram(kIncrement);
  EXPECT_NE(first, second);
  EXPECT_EQ(store_->cache()->stats().compiles, 1);
  EXPECT_TRUE(session_->handles().Release({first}, HandleKind::kProgram).ok());
  EXPECT_EQ(ErrorIdOf(session_->handles().Release({first}, HandleKind::kProgram)), "AX0620");
  const int64_t x = Kept({1, 2});
  const auto result = session_->Execute({.program = second, .inputs = absl::MakeConstSpan(&x, 1)});
  ASSERT_TRUE(result.ok()) << result.status();
  ExpectHandleHolds(result->front(), Floats({2, 3}));
  EXPECT_EQ(
      ErrorIdOf(
          session_->Execute({.program = first, .inputs = absl::MakeConstSpan(&x, 1)}).status()),
      "AX0620");
}

TEST_F(SessionTest, ExecuteReleasesOnSuccessOnly) {
  const int64_t program = KeptProgram(kAdd);
  const int64_t a = Kept({1, 2}), b = Kept({3, 4}), small = Kept({1});
  const int64_t wrong[] = {a, small}, right[] = {a, b}, twice[] = {a, a};
  Session::ExecuteRequest request{
      .program = program, .release_inputs = true, .release_program = true};
  // Refused by validation, by the launch, and failed after it.
  request.inputs = wrong;
  EXPECT_EQ(ErrorIdOf(session_->Execute(request).status()), "AX0601");
  request.inputs = right;
  for (const FaultPoint point : {FaultPoint::kLaunch, FaultPoint::kCompletion}) {
    fail_at_ = point;
    EXPECT_TRUE(absl::IsInternal(session_->Execute(request).status()));
    fail_at_.reset();
    ExpectHandleHolds(a, Floats({1, 2}));
    ExpectHandleHolds(b, Floats({3, 4}));
    EXPECT_TRUE(session_->handles().FindProgram(program).ok());
  }
  EXPECT_EQ(session_->account().used(), 20);  // nothing of the failed runs is left
  // The same handle twice is one input, released once.
  request.inputs = twice;
  request.release_program = false;
  const auto result = session_->Execute(request);
  ASSERT_TRUE(result.ok()) << result.status();
  ExpectHandleHolds(result->front(), Floats({2, 4}));
  EXPECT_EQ(ErrorOf(a), "AX0620");
  ExpectHandleHolds(b, Floats({3, 4}));
  request.inputs = right;
  EXPECT_EQ(ErrorIdOf(session_->Execute(request).status()), "AX0620");  // a is gone
  ExpectHandleHolds(b, Floats({3, 4}));
}

TEST_F(SessionTest, ReleaseIsNotDonation) {
  const int64_t program = KeptProgram(kAddInPlace);
  const int64_t a = Kept({1, 2}), b = Kept({3, 4});
  const auto shared = session_->handles().FindAllocation(a);
  const int64_t inputs[] = {a, b};
  const auto result =
      session_->Execute({.program = program, .inputs = inputs, .release_inputs = true});
  ASSERT_TRUE(result.ok()) << result.status();
  ExpectHolds(**shared, Floats({1, 2}));
}

TEST_F(SessionTest, ExplodedResultsAreAHandleAnElement) {
  const int64_t program = KeptProgram(kTuples);
  const Allocation a = Value(*session_, Floats({1, 2}));
  const int64_t pair = *session_->Keep(*Allocation::Tuple({&a, &a}));
  const int64_t c = Kept({100, 200});
  const int64_t inputs[] = {pair, c};
  const auto handles = session_->Execute({.program = program, .inputs = inputs, .explode = true});
  ASSERT_TRUE(handles.ok()) << handles.status();
  ASSERT_EQ(handles->size(), 2);
  ExpectHandleHolds((*handles)[0], Floats({102, 204}));
  std::vector<hlo::Literal> inner;
  inner.push_back(Floats({100, 200}));
  ExpectHandleHolds((*handles)[1], hlo::Literal::Tuple(std::move(inner)));
  // An array explodes into itself.
  const int64_t x[] = {c};
  const auto one =
      session_->Execute({.program = KeptProgram(kIncrement), .inputs = x, .explode = true});
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(one->size(), 1);
}

TEST_F(SessionTest, WritesAreSeenThroughEverySharedLeaf) {
  const Allocation a = Value(*session_, Floats({1, 2}));
  const Allocation pair = *Allocation::Tuple({&a, &a});
  ASSERT_TRUE(session_->Write(a, Floats({5, 6})).ok());
  ExpectHolds(*pair.SubTuple({0}), Floats({5, 6}));
  ExpectHolds(*pair.SubTuple({1}), Floats({5, 6}));
  EXPECT_EQ(session_->account().used(), 8);
  EXPECT_EQ(ErrorIdOf(session_->Write(a, Floats({5}))), "AX0625");
  EXPECT_EQ(ErrorIdOf(session_->Write(pair, Floats({5, 6}))), "AX0625");
  fail_at_ = FaultPoint::kUpload;
  EXPECT_FALSE(session_->Write(a, Floats({7, 8})).ok());
  fail_at_.reset();
  ExpectHolds(a, Floats({5, 6}));
}

TEST_F(SessionTest, AWriteLeavesRunsInFlightAlone) {
  const OwnedProgram program = ProgramOf(*session_, kIncrement);
  const Allocation a = Value(*session_, Floats({1, 2}));
  gate_ = std::make_shared<Gate>();
  const absl::StatusOr<Allocation> result = session_->Run(program, {&a});
  ASSERT_TRUE(session_->Write(a, Floats({50, 60})).ok());
  gate_->Open();
  ExpectHolds(*result, Floats({2, 3}));
  ExpectHolds(a, Floats({50, 60}));
}

TEST_F(SessionTest, EndsInMidRun) {
  const int64_t program = KeptProgram(kIncrement);
  const int64_t x = Kept({1, 2});
  gate_ = std::make_shared<Gate>();
  const auto result = session_->Execute({.program = program, .inputs = absl::MakeConstSpan(&x, 1)});
  ASSERT_TRUE(result.ok()) << result.status();
  session_->End();
  EXPECT_EQ(ErrorOf(x), "AX0620");
  EXPECT_EQ(ErrorOf(result->front()), "AX0620");
  EXPECT_EQ(ErrorIdOf(session_->Keep(Value(*session_, Floats({1}))).status()), "AX0623");
  EXPECT_EQ(store_->device_account(0).used(), 16);  // what the run still reads and writes
  session_.reset();
  EXPECT_EQ(store_->device_account(0).used(), 16);
  gate_->Open();
  EXPECT_EQ(store_->device_account(0).used(), 0);
}

// The run goes well, but there is no session left to keep its result.
TEST_F(SessionTest, EndsWhileACallWaits) {
  const int64_t program = KeptProgram(kIncrement);
  const int64_t x = Kept({1, 2});
  gate_ = std::make_shared<Gate>();
  std::thread caller([&] {
    const auto result = session_->Execute(
        {.program = program, .inputs = absl::MakeConstSpan(&x, 1), .release_inputs = true});
    EXPECT_EQ(ErrorIdOf(result.status()), "AX0623");
  });
  // The call holds what it needs once its result is charged.
  while (store_->device_account(0).used() < 16) std::this_thread::yield();
  session_->End();
  gate_->Open();
  caller.join();
  EXPECT_EQ(store_->device_account(0).used(), 0);
}

TEST_F(SessionTest, AGiftIsGoneThoughItsHandleIsNotReleased) {
  const int64_t program = KeptProgram(kAddInPlace);
  const int64_t a = Kept({1, 2}), b = Kept({3, 4});
  const int64_t inputs[] = {a, b};
  const bool give[] = {true, false};
  fail_at_ = FaultPoint::kCompletion;
  const auto result = session_->Execute(
      {.program = program, .inputs = inputs, .release_inputs = true, .launch = {.give = give}});
  EXPECT_TRUE(absl::IsInternal(result.status())) << result.status();
  fail_at_.reset();
  EXPECT_EQ(ErrorIdOf((*session_->handles().FindAllocation(a))->ToLiteral().status()), "AX0604");
  ExpectHandleHolds(b, Floats({3, 4}));
  EXPECT_TRUE(session_->handles().Release({a}, HandleKind::kAllocation).ok());
}

// Of executes that race to release one input all run, and the handle goes once.
TEST_F(SessionTest, RacingExecutesReleaseOnce) {
  const int64_t program = KeptProgram(kIncrement);
  for (int round = 0; round < 20; ++round) {
    const int64_t x = Kept({1, 2});
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        const auto result = session_->Execute(
            {.program = program, .inputs = absl::MakeConstSpan(&x, 1), .release_inputs = true});
        if (result.ok()) {
          ExpectHandleHolds(result->front(), Floats({2, 3}));
        } else {
          EXPECT_EQ(ErrorIdOf(result.status()), "AX0620");
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(ErrorOf(x), "AX0620");
  }
}

TEST_F(SessionTest, EndingFreesEverything) {
  Kept({1, 2});
  KeptProgram(kIncrement);
  const auto counts = session_->handles().counts();
  EXPECT_EQ(counts.allocations, 1);
  EXPECT_EQ(counts.programs, 1);
  session_.reset();
  EXPECT_EQ(store_->device_account(0).used(), 0);
  EXPECT_TRUE(store_->sessions().empty());
}

TEST_F(SessionTest, ReleaseAllTakesOneKind) {
  const int64_t x = Kept({1, 2});
  const int64_t program = KeptProgram(kIncrement);
  session_->handles().ReleaseAll(HandleKind::kAllocation);
  EXPECT_EQ(ErrorOf(x), "AX0620");
  EXPECT_TRUE(session_->handles().FindProgram(program).ok());
}

TEST_F(SessionTest, RefusesWhatNoDeviceHolds) {
  EXPECT_EQ(ErrorIdOf(session_->Upload(Floats({1}), 2).status()), "AX0603");
  EXPECT_EQ(ErrorIdOf(session_->Upload(Floats({1}), -1).status()), "AX0603");
  EXPECT_EQ(ErrorIdOf(session_->Reserve(hlo::Shape::Token()).status()), "AX0618");
  EXPECT_EQ(ErrorIdOf(session_->Reserve(hlo::Shape::Opaque()).status()), "AX0618");
  const hlo::Shape unbounded =
      hlo::Shape::Array(hlo::ElementType::kF32, {hlo::Shape::kUnbounded}, {true});
  EXPECT_EQ(ErrorIdOf(session_->Reserve(unbounded).status()), "AX0618");
  EXPECT_EQ(session_->account().used(), 0);
}

// The sizes would be lost, and the program would see the padding.
TEST_F(SessionTest, RefusesLiteralsSmallerThanTheirBounds) {
  hlo::Literal literal =
      *hlo::Literal::Zeros(hlo::Shape::Array(hlo::ElementType::kF32, {4}, {true}));
  EXPECT_TRUE(session_->Upload(literal).ok());
  literal.set_dynamic_sizes({2});
  EXPECT_EQ(ErrorIdOf(session_->Upload(literal).status()), "AX0629");
  EXPECT_EQ(session_->account().used(), 0);
}

TEST_F(SessionTest, ReservesAndImports) {
  const hlo::Shape shape = hlo::Shape::Array(hlo::ElementType::kS32, {3});
  const absl::StatusOr<Allocation> room = session_->Reserve(hlo::Shape::Tuple({shape, shape}));
  ASSERT_TRUE(room.ok()) << room.status();
  EXPECT_EQ(session_->account().used(), 24);
  const auto small = store_->OpenSession({.name = "small", .max_bytes = 1000});
  const hlo::Shape huge = hlo::Shape::Array(hlo::ElementType::kF32, {int64_t{1} << 50});
  EXPECT_EQ(ErrorIdOf(small->Reserve(huge).status()), "AX0610");

  bool released = false;
  HostImport import;
  import.shape = shape;
  import.released = [&released] { released = true; };  // without data: refused
  EXPECT_EQ(ErrorIdOf(session_->Import(std::move(import)).status()), "AX0607");
  EXPECT_TRUE(released);
}

TEST_F(SessionTest, ManyHandlesOfOneValue) {
  const Allocation x = Value(*session_, Floats({1}));
  std::vector<int64_t> handles;
  for (int i = 0; i < 20'000; ++i) handles.push_back(*session_->Keep(x));
  EXPECT_EQ(session_->handles().counts().allocations, 20'000);
  EXPECT_EQ(session_->account().used(), 4);
  ASSERT_TRUE(Release(handles).ok());
  EXPECT_EQ(session_->handles().counts().allocations, 0);
}

TEST_F(SessionTest, LimitsOfOursAreNotTheDevicesMemory) {
  const auto session = store_->OpenSession({.name = "small", .max_bytes = 100});
  EXPECT_EQ(ErrorIdOf(session->Reserve(hlo::Shape::Array(hlo::ElementType::kF32, {26})).status()),
            "AX0610");
  EXPECT_TRUE(session->Reserve(hlo::Shape::Array(hlo::ElementType::kF32, {25})).ok());
  const ProgramCache::Request request{.options = {.max_value_bytes = 7}};
  EXPECT_EQ(ErrorIdOf(session->Compile(ModuleOf(kAdd), request).status()), "AX0606");
}

// What is read in pieces is not given away meanwhile.
TEST_F(SessionTest, AReadingTransferHoldsItsValue) {
  const OwnedProgram program = ProgramOf(*session_, kAddInPlace);
  const Allocation a = Value(*session_, Floats({1, 2})), b = Value(*session_, Floats({3, 4}));
  const bool give[] = {true, false};
  auto transfer = session_->BeginRead(a);
  ASSERT_TRUE(transfer.ok()) << transfer.status();
  ASSERT_TRUE(session_->Run(program, {&a, &b}, {.give = give}).ok());
  EXPECT_TRUE((*transfer)->Read(0, 0, 8).ok());
  ExpectHolds(a, Floats({1, 2}));
  *transfer = nullptr;
  ASSERT_TRUE(session_->Run(program, {&a, &b}, {.give = give}).ok());
  EXPECT_EQ(ErrorIdOf(a.ToLiteral().status()), "AX0604");
}

}  // namespace
}  // namespace axle::runtime
