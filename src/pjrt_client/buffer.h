// SPDX-License-Identifier: Apache-2.0
// Buffers: array values on a device of a plugin.
#ifndef AXLE_PJRT_CLIENT_BUFFER_H_
#define AXLE_PJRT_CLIENT_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pjrt_client/client_state.h"
#include "pjrt_client/event.h"

namespace axle::pjrt_client {

// Owns a buffer, or nothing; keeps the client alive. Move-only. Const calls are thread-safe and
// need a buffer. The value may still be in the making: reads wait for it, and fail with the error
// of the run that should have made it.
class Buffer {
 public:
  Buffer() = default;
  // Takes `buffer`, an object of the client.
  Buffer(std::shared_ptr<const ClientState> client, PJRT_Buffer* buffer)
      : buffer_(buffer, Destroyer{std::move(client)}) {}

  explicit operator bool() const { return buffer_ != nullptr; }
  PJRT_Buffer* get() const { return buffer_.get(); }
  const Api& api() const { return client().api; }

  absl::StatusOr<PJRT_Buffer_Type> Type() const;
  // Valid while the buffer is. Bounds, where dimensions are dynamic.
  absl::StatusOr<absl::Span<const int64_t>> Dimensions() const;
  // Valid while the buffer is. Empty also where the plugin doesn't know dynamic dimensions.
  absl::StatusOr<absl::Span<const size_t>> DynamicDimensions() const;
  // As Dimensions, with the sizes that dynamic dimensions really have; waits for the value.
  absl::StatusOr<absl::Span<const int64_t>> ActualDimensions() const;
  absl::StatusOr<size_t> OnDeviceBytes() const;
  absl::StatusOr<const Device*> OnDevice() const;
  // The memory that holds it, one of OnDevice()->memories.
  absl::StatusOr<const Memory*> InMemory() const;

  // Bytes that CopyToHost needs: those of ActualDimensions, which it waits for.
  absl::StatusOr<size_t> HostBytes() const;

  // Starts to copy the value to `target`, dense and row-major, an element below 8 bits in a byte
  // whose other bits are open (ClearOpenBits). `target` must have HostBytes() and stay untouched
  // until the event is ready.
  absl::StatusOr<Event> CopyToHost(absl::Span<uint8_t> target) const;

  // The same, and waits.
  absl::Status Read(absl::Span<uint8_t> target) const;

  absl::StatusOr<Buffer> CopyToDevice(const Device& device) const;

  // Ready when the value is; fails when its making failed.
  absl::StatusOr<Event> ReadyEvent() const;

  // Gives the device memory back once runs that use it are over. Later use fails.
  absl::Status Delete() const;
  // Deleted by Delete or given away by donation.
  absl::StatusOr<bool> IsDeleted() const;

 private:
  struct Destroyer {
    std::shared_ptr<const ClientState> client;
    void operator()(PJRT_Buffer* buffer) const {
      Destroy<&PJRT_Api::PJRT_Buffer_Destroy, &PJRT_Buffer_Destroy_Args::buffer,
              PJRT_Buffer_Destroy_Args>(client->api, buffer);
    }
  };

  const ClientState& client() const { return *buffer_.get_deleter().client; }

  std::unique_ptr<PJRT_Buffer, Destroyer> buffer_;
};

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_BUFFER_H_
