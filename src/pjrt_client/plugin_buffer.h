// SPDX-License-Identifier: Apache-2.0
// The runtime's view of a buffer of a plugin.
#ifndef AXLE_PJRT_CLIENT_PLUGIN_BUFFER_H_
#define AXLE_PJRT_CLIENT_PLUGIN_BUFFER_H_

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pjrt_client/buffer.h"
#include "runtime/backend.h"

namespace axle::pjrt_client {

// What is the same for all values of one program result; shared by them.
struct ArrayInfo {
  std::shared_ptr<runtime::Backend> backend;  // owns device
  runtime::Device* device = nullptr;
  hlo::Shape shape;          // an array without layout
  int64_t host_bytes = 0;    // of shape
  std::string program_name;  // which makes the value; empty for uploads
};

// An error of a run of `program` (or of an upload, where that is empty) with the program's name,
// and as AX0720 where the plugin says that it is out of memory, whichever code it gives that.
absl::Status OfProgram(const std::string& program, const absl::Status& status);

// An event of the plugin whose errors are those of the program that `info` names.
runtime::Event AsRuntimeEvent(Event event, std::shared_ptr<const ArrayInfo> info);

class PluginBuffer final : public runtime::Buffer {
 public:
  // `borrows_host_memory`: the value may be memory of the caller's, which nobody may write.
  PluginBuffer(std::shared_ptr<const ArrayInfo> info, pjrt_client::Buffer buffer,
               bool borrows_host_memory = false)
      : info_(std::move(info)),
        buffer_(std::move(buffer)),
        borrows_host_memory_(borrows_host_memory) {}

  ~PluginBuffer() override;

  const hlo::Shape& shape() const override { return info_->shape; }
  runtime::Device& device() const override { return *info_->device; }
  runtime::Event ready() override;
  bool IsReady() override;
  absl::Status Await() override;
  absl::Status CopyToHost(absl::Span<std::byte> destination) override;
  absl::StatusOr<std::vector<int32_t>> DynamicSizes() override;
  int64_t device_bytes() const override;
  void Delete() override;
  bool IsDeleted() const override { return deleted_.load(std::memory_order_acquire); }

  PJRT_Buffer* handle() const { return buffer_.get(); }
  bool borrows_host_memory() const { return borrows_host_memory_; }
  // After a launch that could take the value over: asks the plugin whether it did.
  void NoticeDonation();

 private:
  absl::Status CheckNotDeleted() const;
  // The plugin's event of the value, made once and owned by this. Null where the plugin refuses.
  PJRT_Event* ReadyEvent();
  absl::Status CopyDynamic(absl::Span<std::byte> destination) const;

  const std::shared_ptr<const ArrayInfo> info_;  // keeps the client alive, so it goes last
  const pjrt_client::Buffer buffer_;
  const bool borrows_host_memory_;
  // Kept here because asking the plugin on every use costs more than a small launch.
  std::atomic<bool> deleted_ = false;
  std::atomic<PJRT_Event*> ready_ = nullptr;  // owned
};

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_PLUGIN_BUFFER_H_
