// SPDX-License-Identifier: Apache-2.0
// Device and Buffer for backends that compute in host memory.
#ifndef AXLE_RUNTIME_HOST_DEVICE_H_
#define AXLE_RUNTIME_HOST_DEVICE_H_

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hlo/literal.h"
#include "runtime/backend.h"
#include "runtime/donation.h"

namespace axle::runtime {

// Holds its array as a shared literal; ready from the start.
class HostBuffer final : public Buffer {
 public:
  HostBuffer(Device& device, std::shared_ptr<const hlo::Literal> literal)
      : backend_(device.backend().shared_from_this()),
        device_(device),
        shape_(literal->shape().WithoutLayouts()),
        bytes_(static_cast<int64_t>(literal->bytes().size())),
        literal_(std::move(literal)) {}

  const hlo::Shape& shape() const override { return shape_; }
  Device& device() const override { return device_; }
  Event ready() override { return Event(); }
  bool IsReady() override { return true; }
  absl::Status Await() override { return absl::OkStatus(); }
  absl::Status CopyToHost(absl::Span<std::byte> destination) override;
  absl::StatusOr<std::vector<int32_t>> DynamicSizes() override;
  int64_t device_bytes() const override { return bytes_; }
  void Delete() override;
  // Asked for every argument of every run, so without the lock.
  bool IsDeleted() const override { return deleted_.load(std::memory_order_acquire); }

  // The array, or null once deleted. A caller's copy stays valid after Delete.
  std::shared_ptr<const hlo::Literal> literal() const {
    const std::lock_guard lock(mutex_);
    return literal_;
  }

 private:
  const std::shared_ptr<Backend> backend_;  // owns device_
  Device& device_;
  const hlo::Shape shape_;
  const int64_t bytes_;
  mutable std::mutex mutex_;
  std::shared_ptr<const hlo::Literal> literal_;  // guarded by mutex_
  std::atomic<bool> deleted_ = false;            // literal_ is null
};

// AX0607 unless `given` is the size of `shape` on the host. For all backends.
absl::Status CheckHostSize(const hlo::Shape& shape, size_t given);
// AX0604 for a use of a deleted buffer.
absl::Status DeletedBuffer(const hlo::Shape& shape);

class HostDevice final : public Device {
 public:
  HostDevice(Backend& backend, int id, std::string description)
      : backend_(backend), id_(id), kind_("host"), description_(std::move(description)) {}

  Backend& backend() const override { return backend_; }
  int id() const override { return id_; }
  const std::string& kind() const override { return kind_; }
  const std::string& description() const override { return description_; }
  absl::StatusOr<std::shared_ptr<Buffer>> Upload(const hlo::Shape& shape,
                                                 absl::Span<const std::byte> data,
                                                 HostMemory semantics,
                                                 std::function<void()> released) override;

 private:
  Backend& backend_;
  const int id_;
  const std::string kind_;
  const std::string description_;
};

// The literals of buffers that a host backend made; error AX0604 where one is deleted.
absl::StatusOr<std::vector<std::shared_ptr<const hlo::Literal>>> HostLiterals(
    absl::Span<const std::shared_ptr<Buffer>> buffers);

// One buffer a leaf of `result`, an array or a flat tuple, into as many places.
void MakeHostBuffers(Device& device, hlo::Literal result,
                     absl::Span<std::shared_ptr<Buffer>> buffers);

// Host backends have no use for the memory of donated arguments, but treat it as others do: after a
// launch it is gone, unless the options keep it.
void DeleteDonated(absl::Span<const Donation> donations,
                   absl::Span<const std::shared_ptr<Buffer>> arguments,
                   const ExecuteOptions& options);

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_HOST_DEVICE_H_
