// SPDX-License-Identifier: Apache-2.0
#include "runtime/account.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/error.h"
#include "runtime/errors.h"

namespace axle::runtime {
namespace {

std::array<Account*, 3> AccountsOf(const Payers& payers) {
  return {payers.session.get(), payers.device.get(), payers.program.get()};
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

absl::StatusOr<Charge> Charge::Make(std::shared_ptr<const Payers> payers, int64_t bytes,
                                    absl::string_view what) {
  const auto accounts = AccountsOf(*payers);
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
  return Charge(std::move(payers), bytes);
}

Charge Charge::Anyway(std::shared_ptr<const Payers> payers, int64_t bytes) {
  for (Account* account : AccountsOf(*payers)) {
    if (account != nullptr) account->ChargeAnyway(bytes);
  }
  return Charge(std::move(payers), bytes);
}

Charge Charge::Split(int64_t bytes) {
  AXLE_ASSERT(payers_ != nullptr && bytes >= 0 && bytes <= bytes_);
  bytes_ -= bytes;
  return Charge(payers_, bytes);
}

void Charge::Refund() {
  for (Account* account : AccountsOf(*payers_)) {
    if (account != nullptr) account->Refund(bytes_);
  }
}

}  // namespace axle::runtime
