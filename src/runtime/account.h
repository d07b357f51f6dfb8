// SPDX-License-Identifier: Apache-2.0
// Accounts of memory: who holds how many bytes, against which limit.
//
// A leaf (runtime/leaf.h) costs the host size of its shape. It is charged to three accounts at
// once: the session that made it, the device it lies on and, when a program made it, that program;
// Origin names them. It stays charged until the last allocation and the last run that hold it are
// gone.
#ifndef AXLE_RUNTIME_ACCOUNT_H_
#define AXLE_RUNTIME_ACCOUNT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hlo/shape.h"

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
  // Written by every run of a session, on memory of its own.
  alignas(64) std::atomic<int64_t> used_ = 0;
  std::atomic<int64_t> peak_ = 0;
};

// What the sessions on one device, or the owners of one program, hold together. Without a limit it
// is a sum over accounts of theirs, so that their threads write no memory in common; with one, all
// charge the same account, which makes the limit exact. Thread-safe.
class PooledAccount {
 public:
  explicit PooledAccount(std::string name, int64_t limit = Account::kUnlimited);

  const std::string& name() const { return name_; }
  int64_t limit() const { return limit_; }
  int64_t used() const;

 private:
  friend struct Origin;
  void Add(const std::shared_ptr<Account>& part);

  const std::string name_;
  const int64_t limit_;
  const std::shared_ptr<Account> limited_;  // null without a limit
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Account>> parts_;  // guarded by mutex_; what nobody holds is 0
  size_t prune_at_ = 16;                       // guarded by mutex_
};

// Where leaves come from: who pays for them and, for the results of a program, their shapes.
struct Origin {
  std::shared_ptr<Account> session;  // never null
  std::shared_ptr<Account> pooled;   // counts in device and program; null for memory of neither
  std::shared_ptr<Account> limited;  // the device's; null where it has no limit
  // Here because leaves that had references of their own would have all threads that run one
  // program count in the same place. Null for what no program made.
  std::shared_ptr<const std::vector<hlo::Shape>> result_leaves;

  // `program` and `result_leaves` are null for what no program made.
  static std::shared_ptr<const Origin> Make(
      std::shared_ptr<Account> session, PooledAccount& device, PooledAccount* program = nullptr,
      std::shared_ptr<const std::vector<hlo::Shape>> result_leaves = nullptr);
};

// Bytes charged to those of an origin, refunded when this is destroyed. Move-only; an empty one
// costs nothing.
class Charge {
 public:
  Charge() = default;
  explicit Charge(std::shared_ptr<const Origin> origin) : origin_(std::move(origin)) {}
  static absl::StatusOr<Charge> Make(std::shared_ptr<const Origin> origin, int64_t bytes,
                                     absl::string_view what);
  static Charge Anyway(std::shared_ptr<const Origin> origin, int64_t bytes);

  // Charges `bytes` more. Where one limit refuses, the other may have been charged for a moment.
  // Error AX0610 names the account whose limit stands in the way; then nothing is charged. `what`
  // is what the bytes are for: "upload of f32[2]".
  absl::Status Add(int64_t bytes, absl::string_view what);

  Charge(Charge&& other) noexcept
      : origin_(std::move(other.origin_)), bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(origin_, other.origin_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Charge() { Clear(); }

  int64_t bytes() const { return bytes_; }
  // Takes `bytes` out, at most bytes(); what is left stays here. Both have the same origin.
  Charge Take(int64_t bytes);
  // Refunds all now; the origin stays.
  void Clear();

  // Whether `bytes` of the other origin could be charged in place of these without regard to
  // limits, because the same ones hold; then MoveTo charges them there.
  bool FitsLimitsOf(const Origin& other, int64_t bytes) const;
  void MoveTo(std::shared_ptr<const Origin> origin);

 private:
  Charge(std::shared_ptr<const Origin> origin, int64_t bytes)
      : origin_(std::move(origin)), bytes_(bytes) {}

  std::shared_ptr<const Origin> origin_;  // null only without bytes
  int64_t bytes_ = 0;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_ACCOUNT_H_
