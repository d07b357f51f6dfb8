// SPDX-License-Identifier: Apache-2.0
#include "runtime/account.h"

#include <thread>
#include <vector>

#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::runtime {
namespace {

using ::testing::HasSubstr;

// A session on a device and a program.
struct Parties {
  explicit Parties(int64_t session_limit = Account::kUnlimited,
                   int64_t device_limit = Account::kUnlimited)
      : session(std::make_shared<Account>("session s", session_limit)),
        device("device d", device_limit),
        origin(Origin::Make(session, device, &program)) {}

  std::shared_ptr<Account> session;
  PooledAccount device;
  PooledAccount program{"program p"};
  std::shared_ptr<const Origin> origin;
};

TEST(AccountTest, TakesExactlyItsLimit) {
  Account account("a", 10);
  EXPECT_TRUE(account.TryCharge(7));
  EXPECT_FALSE(account.TryCharge(4));
  EXPECT_EQ(account.used(), 7);
  EXPECT_TRUE(account.TryCharge(3));
  EXPECT_FALSE(account.TryCharge(1));
  EXPECT_TRUE(account.TryCharge(0));
  account.Refund(10);
  EXPECT_EQ(account.used(), 0);
  EXPECT_EQ(account.peak(), 10);
}

TEST(AccountTest, HugeChargesDoNotOverflow) {
  Account account("a", 10);
  ASSERT_TRUE(account.TryCharge(5));
  EXPECT_FALSE(account.TryCharge(std::numeric_limits<int64_t>::max()));
  EXPECT_EQ(account.used(), 5);
}

TEST(AccountTest, WhatExistsIsCountedOverTheLimit) {
  Account account("a", 10);
  account.ChargeAnyway(15);
  EXPECT_EQ(account.used(), 15);
  EXPECT_FALSE(account.TryCharge(1));
  EXPECT_EQ(account.peak(), 15);
}

// Eight threads want 1000 bytes each, one at a time; 5000 are there.
TEST(AccountTest, IsExactBetweenThreads) {
  Account account("a", 5000);
  std::atomic<int> taken = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) taken += account.TryCharge(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, 5000);
  EXPECT_EQ(account.used(), 5000);
}

TEST(PooledAccountTest, IsTheSumOfItsParties) {
  Parties a;
  const auto upload = Charge::Anyway(Origin::Make(a.session, a.device), 3);
  {
    const auto result = Charge::Anyway(a.origin, 5);
    EXPECT_EQ(a.device.used(), 8);
    EXPECT_EQ(a.program.used(), 5);
  }
  for (int i = 0; i < 1000; ++i) Origin::Make(a.session, a.device, &a.program);
  EXPECT_EQ(a.device.used(), 3);
  EXPECT_EQ(a.program.used(), 0);
}

TEST(PooledAccountTest, ALimitHoldsForAllTogether) {
  Parties a(Account::kUnlimited, 10);
  const auto other = Origin::Make(std::make_shared<Account>("session t"), a.device);
  const auto six = Charge::Make(a.origin, 6, "test");
  EXPECT_TRUE(six.ok());
  EXPECT_EQ(ErrorIdOf(Charge::Make(other, 5, "test").status()), "AX0610");
  const auto four = Charge::Make(other, 4, "test");
  EXPECT_TRUE(four.ok());
  EXPECT_EQ(a.device.used(), 10);
  EXPECT_EQ(a.program.used(), 6);
}

TEST(ChargeTest, GoesToAllPayersAndComesBack) {
  const Parties a(100, 100);
  {
    absl::StatusOr<Charge> charge = Charge::Make(a.origin, 40, "test");
    ASSERT_TRUE(charge.ok()) << charge.status();
    EXPECT_EQ(a.session->used(), 40);
    EXPECT_EQ(a.device.used(), 40);
    EXPECT_EQ(a.program.used(), 40);
    Charge moved = *std::move(charge);
    EXPECT_EQ(a.session->used(), 40);
    ASSERT_TRUE(moved.Add(2, "test").ok());
    Charge part = moved.Take(15);
    EXPECT_EQ(moved.bytes(), 27);
    Charge rest = moved.Take(27);
    EXPECT_EQ(moved.bytes(), 0);
    EXPECT_EQ(a.session->used(), 42);
    rest = Charge();
    EXPECT_EQ(a.session->used(), 15);
  }
  EXPECT_EQ(a.session->used(), 0);
  EXPECT_EQ(a.device.used(), 0);
  EXPECT_EQ(a.program.used(), 0);
}

TEST(ChargeTest, RefusalNamesTheFullAccountAndChargesNobody) {
  const Parties a(100, 30);
  const absl::StatusOr<Charge> charge = Charge::Make(a.origin, 40, "upload of f32[10]");
  EXPECT_EQ(ErrorIdOf(charge.status()), "AX0610");
  EXPECT_TRUE(absl::IsResourceExhausted(charge.status()));
  EXPECT_THAT(std::string(charge.status().message()),
              HasSubstr("upload of f32[10] needs 40 bytes; device d holds 0 of at most 30"));
  EXPECT_EQ(a.session->used(), 0);
  EXPECT_EQ(a.device.used(), 0);
  EXPECT_EQ(a.program.used(), 0);
}

}  // namespace
}  // namespace axle::runtime
