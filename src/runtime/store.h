// SPDX-License-Identifier: Apache-2.0
// Store: what the sessions of one backend share: its devices' accounts and its program cache.
//
//   Store ── backend, program cache, an account a device
//     └── sessions ── handles ── allocations ── leaves ── buffers
//
// A session keeps its store alive. Thread-safe.
#ifndef AXLE_RUNTIME_STORE_H_
#define AXLE_RUNTIME_STORE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/account.h"
#include "runtime/backend.h"
#include "runtime/program_cache.h"

namespace axle::runtime {

class Session;

struct StoreOptions {
  ProgramCache::Options cache;
  int64_t max_device_bytes = Account::kUnlimited;              // on each device, over all sessions
  int64_t max_value_bytes = ProgramOptions{}.max_value_bytes;  // of any program of any session
  // Tells handles of this run of the process from those of others; by default a random one.
  std::optional<uint32_t> epoch;
};

struct SessionOptions {
  std::string name;  // for messages and reports; need not be unique
  int64_t max_bytes = Account::kUnlimited;
};

class Store : public std::enable_shared_from_this<Store> {
 public:
  static std::shared_ptr<Store> Create(std::shared_ptr<Backend> backend, StoreOptions options);

  std::shared_ptr<Session> OpenSession(SessionOptions options);

  const std::shared_ptr<Backend>& backend() const { return backend_; }
  const std::shared_ptr<ProgramCache>& cache() const { return cache_; }
  PooledAccount& device_account(int device) const { return *devices_[device]; }
  uint32_t epoch() const { return epoch_; }
  int64_t max_value_bytes() const { return max_value_bytes_; }
  // Those that are open.
  std::vector<std::shared_ptr<Session>> sessions() const;

  // AX0617 in place of a backend's ResourceExhausted, with what was asked for and the sessions and
  // programs that hold most; other statuses as they are.
  absl::Status ExplainOutOfMemory(const absl::Status& status, absl::string_view what) const;

 private:
  Store(std::shared_ptr<Backend> backend, StoreOptions options);

  const std::shared_ptr<Backend> backend_;
  const std::shared_ptr<ProgramCache> cache_;
  const uint32_t epoch_;
  const int64_t max_value_bytes_;
  std::vector<std::unique_ptr<PooledAccount>> devices_;
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Session>> sessions_;  // guarded by mutex_; ended ones go at the next
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_STORE_H_
