// SPDX-License-Identifier: Apache-2.0
// Accounts of memory: who holds how many bytes, against which limit.
//
// A leaf (runtime/leaf.h) costs the host size of its shape. It is charged to three accounts at
// once, its Payers: the session that made it, the device it lies on and, when a program made it,
// that program. It stays charged until the last allocation and the last run that hold it are gone.
#ifndef AXLE_RUNTIME_ACCOUNT_H_
#define AXLE_RUNTIME_ACCOUNT_H_

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace axle::runtime {

// Thread-safe.
class Account {
 public:
  static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

  explicit Account(std::string name, int64_t limit = kUnlimited)
      : name_(std::move(name)), limit_(limit) {}

  const std::string& name() const { return name_; }  // "session trainer", "device 0 of xla-cpu"
  int64_t limit() const { return limit_; }
  int64_t used() const { return used_.load(std::memory_order_relaxed); }
  int64_t peak() const { return peak_.load(std::memory_order_relaxed); }

  // False, and nothing charged, when the limit would be passed. Exact also between threads.
  bool TryCharge(int64_t bytes);
  // For what exists already and must be counted, limit or not.
  void ChargeAnyway(int64_t bytes);
  void Refund(int64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  void NoticePeak(int64_t used);

  const std::string name_;
  const int64_t limit_;
  std::atomic<int64_t> used_ = 0;
  std::atomic<int64_t> peak_ = 0;
};

struct Payers {
  std::shared_ptr<Account> session;  // the first two are never null
  std::shared_ptr<Account> device;
  std::shared_ptr<Account> program;  // null for what no program made
};

// Bytes charged to payers, refunded when this is destroyed. Move-only; an empty one costs nothing.
class Charge {
 public:
  Charge() = default;
  // Error AX0610 names the account whose limit stands in the way; then nothing is charged. `what`
  // is what the bytes are for: "upload of f32[2]".
  static absl::StatusOr<Charge> Make(std::shared_ptr<const Payers> payers, int64_t bytes,
                                     absl::string_view what);
  static Charge Anyway(std::shared_ptr<const Payers> payers, int64_t bytes);

  Charge(Charge&& other) noexcept = default;
  Charge& operator=(Charge&& other) noexcept {
    std::swap(payers_, other.payers_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Charge() {
    if (payers_) Refund();
  }

  int64_t bytes() const { return payers_ ? bytes_ : 0; }
  // Cuts `bytes` off; what is left stays here. Both go to the same payers.
  Charge Split(int64_t bytes);

 private:
  Charge(std::shared_ptr<const Payers> payers, int64_t bytes)
      : payers_(std::move(payers)), bytes_(bytes) {}
  void Refund();

  std::shared_ptr<const Payers> payers_;
  int64_t bytes_ = 0;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_ACCOUNT_H_
