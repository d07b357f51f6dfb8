// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/plugin_buffer.h"

#include <algorithm>
#include <functional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/aligned_bytes.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "pjrt_client/buffer_type.h"
#include "pjrt_client/dynamic_array.h"
#include "pjrt_client/errors.h"
#include "runtime/errors.h"
#include "runtime/host_device.h"

namespace axle::pjrt_client {
namespace {

// XLA gives this error several codes.
constexpr absl::string_view kOutOfMemoryWords = "Out of memory allocating";

// An event of the plugin.
class PluginEvent final : public runtime::Event::State,
                          public std::enable_shared_from_this<PluginEvent> {
 public:
  PluginEvent(Event event, std::shared_ptr<const ArrayInfo> info)
      : event_(std::move(event)), info_(std::move(info)) {}

  bool IsReady() override {
    // Where the plugin can't say, Await tells why.
    return event_.IsReady().value_or(true);
  }
  absl::Status Await() override { return OfProgram(info_->program_name, event_.Await()); }
  void OnReady(std::function<void(absl::Status)> callback) override {
    const std::shared_ptr<const Event> event(shared_from_this(), &event_);
    Event::OnReady(event, [info = info_, callback = std::move(callback)](absl::Status status) {
      callback(OfProgram(info->program_name, status));
    });
  }

 private:
  const Event event_;
  const std::shared_ptr<const ArrayInfo> info_;
};

// What never happens.
class FailedEvent final : public runtime::Event::State {
 public:
  explicit FailedEvent(absl::Status status) : status_(std::move(status)) {}

  bool IsReady() override { return true; }
  absl::Status Await() override { return status_; }
  void OnReady(std::function<void(absl::Status)> callback) override { callback(status_); }

 private:
  const absl::Status status_;
};

absl::Span<uint8_t> AsUint8(absl::Span<std::byte> bytes) {
  return {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()};
}

}  // namespace

absl::Status OfProgram(const std::string& program, const absl::Status& status) {
  if (status.ok()) return status;
  absl::Status result = status;
  if (absl::StrContains(status.message(), kOutOfMemoryWords)) {
    result = MakeError(errors::kOutOfMemory, absl::StripPrefix(status.message(), "AX0707: "));
  }
  return program.empty() ? result : AtPlace(absl::StrCat("program ", program), result);
}

runtime::Event AsRuntimeEvent(Event event, std::shared_ptr<const ArrayInfo> info) {
  return runtime::Event(std::make_shared<PluginEvent>(std::move(event), std::move(info)));
}

absl::Status PluginBuffer::CheckNotDeleted() const {
  if (!IsDeleted()) return absl::OkStatus();
  return MakeError(
      runtime::errors::kDeletedBuffer,
      absl::StrCat("a value of shape ", shape().ToString(false), " was deleted or donated"));
}

runtime::Event PluginBuffer::ready() {
  if (absl::Status status = CheckNotDeleted(); !status.ok()) {
    return runtime::Event(std::make_shared<FailedEvent>(std::move(status)));
  }
  absl::StatusOr<Event> event = buffer_.ReadyEvent();
  if (!event.ok()) {
    return runtime::Event(
        std::make_shared<FailedEvent>(OfProgram(info_->program_name, event.status())));
  }
  return AsRuntimeEvent(*std::move(event), info_);
}

PluginBuffer::~PluginBuffer() {
  if (PJRT_Event* event = ready_.load()) const Event freed(buffer_.api(), event);
}

PJRT_Event* PluginBuffer::ReadyEvent() {
  PJRT_Event* known = ready_.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  absl::StatusOr<Event> event = buffer_.ReadyEvent();
  if (!event.ok()) return nullptr;
  PJRT_Event* const made = std::move(*event).Release();
  if (ready_.compare_exchange_strong(known, made, std::memory_order_acq_rel)) return made;
  const Event freed(buffer_.api(), made);
  return known;
}

bool PluginBuffer::IsReady() {
  if (IsDeleted()) return true;
  PJRT_Event* const event = ReadyEvent();
  // Where the plugin can't say, Await tells why.
  return event == nullptr || EventIsReady(buffer_.api(), event).value_or(true);
}

absl::Status PluginBuffer::Await() {
  PJRT_Event* const event = IsDeleted() ? nullptr : ReadyEvent();
  if (event == nullptr) return ready().Await();
  return OfProgram(info_->program_name, AwaitEvent(buffer_.api(), event));
}

absl::Status PluginBuffer::CopyToHost(absl::Span<std::byte> destination) {
  AXLE_RETURN_IF_ERROR(runtime::CheckHostSize(shape(), destination.size()));
  AXLE_RETURN_IF_ERROR(CheckNotDeleted());
  if (shape().has_dynamic_dimensions()) {
    AXLE_RETURN_IF_ERROR(OfProgram(info_->program_name, CopyDynamic(destination)));
  } else {
    AXLE_RETURN_IF_ERROR(OfProgram(info_->program_name, buffer_.Read(AsUint8(destination))));
  }
  ClearOpenBits(BufferTypeOf(shape().element_type()), AsUint8(destination));
  return absl::OkStatus();
}

absl::Status PluginBuffer::CopyDynamic(absl::Span<std::byte> destination) const {
  AXLE_ASSIGN_OR_RETURN(const absl::Span<const int64_t> sizes, buffer_.ActualDimensions());
  AXLE_ASSIGN_OR_RETURN(const size_t bytes, buffer_.HostBytes());
  if (bytes > destination.size()) {
    return MakeError(errors::kPluginAnswer,
                     absl::StrCat("a value of shape ", shape().ToString(false), " has ", bytes,
                                  " bytes on the host"));
  }
  std::vector<std::byte> compact(bytes);
  AXLE_RETURN_IF_ERROR(buffer_.Read(AsUint8(absl::MakeSpan(compact))));
  return SpreadDynamicArray(compact, sizes, shape().dimensions(),
                            hlo::ByteWidth(shape().element_type()), destination);
}

absl::StatusOr<std::vector<int32_t>> PluginBuffer::DynamicSizes() {
  if (!shape().has_dynamic_dimensions()) return std::vector<int32_t>();
  AXLE_RETURN_IF_ERROR(CheckNotDeleted());
  const absl::StatusOr<absl::Span<const int64_t>> sizes = buffer_.ActualDimensions();
  if (!sizes.ok()) return OfProgram(info_->program_name, sizes.status());
  // As in a Literal: none where all equal the bounds.
  if (*sizes == shape().dimensions()) return std::vector<int32_t>();
  return std::vector<int32_t>(sizes->begin(), sizes->end());
}

int64_t PluginBuffer::device_bytes() const {
  const absl::StatusOr<size_t> bytes = buffer_.OnDeviceBytes();
  return bytes.ok() ? static_cast<int64_t>(*bytes) : info_->host_bytes;
}

void PluginBuffer::Delete() {
  if (deleted_.exchange(true)) return;
  // What the plugin can't delete goes with this object.
  buffer_.Delete().IgnoreError();
}

void PluginBuffer::NoticeDonation() {
  if (buffer_.IsDeleted().value_or(false)) deleted_.store(true, std::memory_order_release);
}

}  // namespace axle::pjrt_client
