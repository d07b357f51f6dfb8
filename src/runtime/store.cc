// SPDX-License-Identifier: Apache-2.0
#include "runtime/store.h"

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/error.h"
#include "runtime/errors.h"
#include "runtime/handle.h"
#include "runtime/session.h"

namespace axle::runtime {
namespace {

constexpr size_t kHoldersShown = 3;

uint32_t RandomEpoch() { return std::random_device{}() & ((1u << kHandleEpochBits) - 1); }

std::string Largest(std::vector<std::pair<std::string, int64_t>> holders) {
  std::stable_sort(holders.begin(), holders.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (holders.size() > kHoldersShown) holders.resize(kHoldersShown);
  return absl::StrJoin(holders, ", ", [](std::string* out, const auto& holder) {
    absl::StrAppend(out, holder.first, " ", holder.second, " bytes");
  });
}

}  // namespace

Store::Store(std::shared_ptr<Backend> backend, StoreOptions options)
    : backend_(std::move(backend)),
      cache_(ProgramCache::Create(backend_, std::move(options.cache))),
      epoch_(options.epoch.value_or(RandomEpoch())),
      max_value_bytes_(options.max_value_bytes) {
  for (const std::unique_ptr<Device>& device : backend_->devices()) {
    devices_.push_back(std::make_unique<PooledAccount>(
        absl::StrCat("device ", device->id(), " of ", backend_->name()), options.max_device_bytes));
  }
}

std::shared_ptr<Store> Store::Create(std::shared_ptr<Backend> backend, StoreOptions options) {
  return std::shared_ptr<Store>(new Store(std::move(backend), std::move(options)));
}

std::shared_ptr<Session> Store::OpenSession(SessionOptions options) {
  auto session = std::make_shared<Session>(shared_from_this(), std::move(options));
  const std::lock_guard lock(mutex_);
  std::erase_if(sessions_, [](const std::weak_ptr<Session>& entry) { return entry.expired(); });
  sessions_.push_back(session);
  return session;
}

std::vector<std::shared_ptr<Session>> Store::sessions() const {
  std::vector<std::shared_ptr<Session>> sessions;
  const std::lock_guard lock(mutex_);
  for (const std::weak_ptr<Session>& entry : sessions_) {
    if (auto session = entry.lock()) sessions.push_back(std::move(session));
  }
  return sessions;
}

absl::Status Store::ExplainOutOfMemory(const absl::Status& status, absl::string_view what) const {
  if (!absl::IsResourceExhausted(status)) return status;
  const std::string id = ErrorIdOf(status);
  if (id == errors::kQuota.id || id == errors::kTooLarge.id) return status;  // limits of ours
  std::vector<std::pair<std::string, int64_t>> holders;
  for (const std::shared_ptr<Session>& session : sessions()) {
    holders.emplace_back(session->account().name(), session->account().used());
  }
  std::vector<std::pair<std::string, int64_t>> programs = cache_->Holders();
  for (auto& [name, bytes] : programs) name = absl::StrCat("results of program ", name);
  std::string most = Largest(std::move(holders));
  if (!programs.empty()) absl::StrAppend(&most, "; ", Largest(std::move(programs)));
  return MakeError(errors::kDeviceMemory,
                   absl::StrCat(what, ": ", status.message(), ". Most is held by ", most));
}

}  // namespace axle::runtime
