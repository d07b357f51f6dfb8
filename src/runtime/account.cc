// SPDX-License-Identifier: Apache-2.0
#include "runtime/account.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "runtime/errors.h"

namespace axle::runtime {
namespace {

std::array<Account*, 3> AccountsOf(const Origin& origin) {
  return {origin.session.get(), origin.limited.get(), origin.pooled.get()};
}

}  // namespace

void Account::NoticePeak(int64_t used) {
  int64_t peak = peak_.load(std::memory_order_relaxed);
  while (used > peak && !peak_.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
  }
}

bool Account::TryCharge(int64_t bytes) {
  AXLE_ASSERT(bytes >= 0);
  if (limit_ == kUnlimited) {
    ChargeAnyway(bytes);
    return true;
  }
  int64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_ - used) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  NoticePeak(used + bytes);
  return true;
}

void Account::ChargeAnyway(int64_t bytes) {
  NoticePeak(used_.fetch_add(bytes, std::memory_order_relaxed) + bytes);
}

PooledAccount::PooledAccount(std::string name, int64_t limit)
    : name_(std::move(name)),
      limit_(limit),
      limited_(limit == Account::kUnlimited ? nullptr : std::make_shared<Account>(name_, limit)) {}

int64_t PooledAccount::used() const {
  if (limited_ != nullptr) return limited_->used();
  int64_t used = 0;
  const std::lock_guard lock(mutex_);
  for (const std::weak_ptr<Account>& part : parts_) {
    if (const auto account = part.lock()) used += account->used();
  }
  return used;
}

void PooledAccount::Add(const std::shared_ptr<Account>& part) {
  const std::lock_guard lock(mutex_);
  if (parts_.size() >= prune_at_) {
    std::erase_if(parts_, [](const std::weak_ptr<Account>& other) { return other.expired(); });
    prune_at_ = std::max(prune_at_, 2 * parts_.size());
  }
  parts_.push_back(part);
}

std::shared_ptr<const Origin> Origin::Make(
    std::shared_ptr<Account> session, PooledAccount& device, PooledAccount* program,
    std::shared_ptr<const std::vector<hlo::Shape>> result_leaves) {
  auto pooled = std::make_shared<Account>("");  // never refuses, so nobody reads its name
  if (device.limited_ == nullptr) device.Add(pooled);
  if (program != nullptr) program->Add(pooled);
  return std::make_shared<const Origin>(
      Origin{std::move(session), std::move(pooled), device.limited_, std::move(result_leaves)});
}

absl::StatusOr<Charge> Charge::Make(std::shared_ptr<const Origin> origin, int64_t bytes,
                                    absl::string_view what) {
  Charge charge(std::move(origin));
  AXLE_RETURN_IF_ERROR(charge.Add(bytes, what));
  return charge;
}

absl::Status Charge::Add(int64_t bytes, absl::string_view what) {
  const auto accounts = AccountsOf(*origin_);
  for (size_t i = 0; i < accounts.size(); ++i) {
    if (accounts[i] == nullptr || accounts[i]->TryCharge(bytes)) continue;
    const Account& full = *accounts[i];
    absl::Status status = MakeError(
        errors::kQuota, absl::StrCat(what, " needs ", bytes, " bytes; ", full.name(), " holds ",
                                     full.used(), " of at most ", full.limit()));
    while (i-- > 0) {
      if (accounts[i] != nullptr) accounts[i]->Refund(bytes);
    }
    return status;
  }
  bytes_ += bytes;
  return absl::OkStatus();
}

Charge Charge::Anyway(std::shared_ptr<const Origin> origin, int64_t bytes) {
  for (Account* account : AccountsOf(*origin)) {
    if (account != nullptr) account->ChargeAnyway(bytes);
  }
  return Charge(std::move(origin), bytes);
}

Charge Charge::Take(int64_t bytes) {
  AXLE_ASSERT(bytes >= 0 && bytes <= bytes_);
  bytes_ -= bytes;
  return Charge(origin_, bytes);
}

bool Charge::FitsLimitsOf(const Origin& other, int64_t bytes) const {
  return bytes == bytes_ && origin_->session == other.session && origin_->limited == other.limited;
}

void Charge::MoveTo(std::shared_ptr<const Origin> origin) {
  const auto from = AccountsOf(*origin_);
  const auto to = AccountsOf(*origin);
  for (size_t i = 0; i < to.size(); ++i) {
    if (from[i] == to[i]) continue;
    if (to[i] != nullptr) to[i]->ChargeAnyway(bytes_);
    if (from[i] != nullptr) from[i]->Refund(bytes_);
  }
  origin_ = std::move(origin);
}

void Charge::Clear() {
  if (bytes_ == 0) return;
  for (Account* account : AccountsOf(*origin_)) {
    if (account != nullptr) account->Refund(bytes_);
  }
  bytes_ = 0;
}

}  // namespace axle::runtime
