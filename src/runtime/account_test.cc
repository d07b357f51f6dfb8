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

std::shared_ptr<const Payers> PayersWith(int64_t session_limit, int64_t device_limit) {
  return std::make_shared<const Payers>(Payers{
      std::make_shared<Account>("session s", session_limit),
      std::make_shared<Account>("device d", device_limit), std::make_shared<Account>("program p")});
}

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

TEST(ChargeTest, GoesToAllPayersAndComesBack) {
  const auto payers = PayersWith(100, 100);
  {
    absl::StatusOr<Charge> charge = Charge::Make(payers, 40, "test");
    ASSERT_TRUE(charge.ok()) << charge.status();
    EXPECT_EQ(payers->session->used(), 40);
    EXPECT_EQ(payers->device->used(), 40);
    EXPECT_EQ(payers->program->used(), 40);
    Charge moved = *std::move(charge);
    EXPECT_EQ(payers->session->used(), 40);
    Charge part = moved.Split(15);
    EXPECT_EQ(moved.bytes(), 25);
    moved = Charge();
    EXPECT_EQ(payers->session->used(), 15);
  }
  EXPECT_EQ(payers->session->used(), 0);
  EXPECT_EQ(payers->device->used(), 0);
  EXPECT_EQ(payers->program->used(), 0);
}

TEST(ChargeTest, RefusalNamesTheFullAccountAndChargesNobody) {
  const auto payers = PayersWith(100, 30);
  const absl::StatusOr<Charge> charge = Charge::Make(payers, 40, "upload of f32[10]");
  EXPECT_EQ(ErrorIdOf(charge.status()), "AX0610");
  EXPECT_TRUE(absl::IsResourceExhausted(charge.status()));
  EXPECT_THAT(std::string(charge.status().message()),
              HasSubstr("upload of f32[10] needs 40 bytes; device d holds 0 of at most 30"));
  EXPECT_EQ(payers->session->used(), 0);
  EXPECT_EQ(payers->device->used(), 0);
}

}  // namespace
}  // namespace axle::runtime
