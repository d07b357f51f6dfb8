// SPDX-License-Identifier: Apache-2.0
// Compiled programs, loaded onto devices and ready to run.
#ifndef AXLE_PJRT_CLIENT_EXECUTABLE_H_
#define AXLE_PJRT_CLIENT_EXECUTABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pjrt_client/buffer.h"
#include "pjrt_client/client_state.h"
#include "pjrt_client/event.h"

namespace axle::pjrt_client {

struct ExecuteOptions {
  int launch_id = 0;  // the same for all launches of one multi-process run
  // Arguments that must survive although the program would reuse their memory. Read during the
  // call.
  absl::Span<const int64_t> non_donatable_inputs;
  // Where a portable program runs; else null.
  const Device* device = nullptr;
};

// One device's part of a run.
struct DeviceLaunch {
  // In the order of the program's parameters. The plugin checks their number and byte sizes only:
  // types and dimensions are the caller's duty.
  absl::Span<PJRT_Buffer* const> arguments;
  // One for each result; the run puts new buffers here that belong to the caller (Own).
  absl::Span<PJRT_Buffer*> results;
  // Where not null, becomes the event of the device's completion; it tells of failures.
  Event* done = nullptr;
};

// Bytes that XLA reports for a program.
struct MemoryStats {
  int64_t generated_code = 0;
  int64_t arguments = 0;
  int64_t results = 0;
  int64_t aliased = 0;  // of the results, in the memory of donated arguments
  int64_t temporaries = 0;
  int64_t peak = 0;  // 0 when the plugin doesn't know
};

// Move-only; keeps the client alive. Const calls are thread-safe.
class LoadedExecutable {
 public:
  // Takes `executable`, an object of the client, and asks for what a run needs to know.
  static absl::StatusOr<LoadedExecutable> Adopt(std::shared_ptr<const ClientState> client,
                                                PJRT_LoadedExecutable* executable);

  size_t num_results() const { return num_results_; }
  // The devices of one run, in the order of its launches.
  absl::Span<const Device* const> devices() const { return devices_; }

  absl::StatusOr<std::string> Name() const;
  absl::StatusOr<std::vector<PJRT_Buffer_Type>> ResultTypes() const;
  absl::StatusOr<std::vector<std::vector<int64_t>>> ResultDimensions() const;
  absl::StatusOr<int64_t> GeneratedCodeBytes() const;
  absl::StatusOr<MemoryStats> GetMemoryStats() const;
  // Unimplemented on many plugins.
  absl::StatusOr<std::string> Fingerprint() const;

  // Starts a run: one launch for each of devices(), or one on options.device. On success the
  // results are there, possibly not computed yet; a failure of the computation shows in them and in
  // `done`. On an error nothing has been made, arguments that would be donated are left. Allocates
  // nothing for up to 4 devices. Errors beside the plugin's: InvalidArgument for launches that
  // don't fit.
  absl::Status Execute(absl::Span<const DeviceLaunch> launches,
                       const ExecuteOptions& options = {}) const;

  // Owner of a result of Execute.
  Buffer Own(PJRT_Buffer* result) const;
  // The same without a reference to the client, for an owner that keeps it alive.
  Buffer OwnInClient(PJRT_Buffer* result) const;

  // Unloads the program; XLA's plugins go on running it all the same.
  absl::Status Delete() const;
  absl::StatusOr<bool> IsDeleted() const;

 private:
  struct LoadedDestroyer {
    std::shared_ptr<const ClientState> client;
    void operator()(PJRT_LoadedExecutable* executable) const {
      Destroy<&PJRT_Api::PJRT_LoadedExecutable_Destroy,
              &PJRT_LoadedExecutable_Destroy_Args::executable, PJRT_LoadedExecutable_Destroy_Args>(
          client->api, executable);
    }
  };
  struct PlainDestroyer {
    std::shared_ptr<const ClientState> client;
    void operator()(PJRT_Executable* executable) const {
      Destroy<&PJRT_Api::PJRT_Executable_Destroy, &PJRT_Executable_Destroy_Args::executable,
              PJRT_Executable_Destroy_Args>(client->api, executable);
    }
  };

  LoadedExecutable(std::shared_ptr<const ClientState> client, PJRT_LoadedExecutable* executable);

  absl::Status ReadDevices();
  absl::Status CheckLaunches(absl::Span<const DeviceLaunch> launches,
                             const ExecuteOptions& options) const;

  std::shared_ptr<const ClientState> client_;
  std::unique_ptr<PJRT_LoadedExecutable, LoadedDestroyer> loaded_;
  std::unique_ptr<PJRT_Executable, PlainDestroyer> plain_;
  size_t num_results_ = 0;
  std::vector<const Device*> devices_;
};

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_EXECUTABLE_H_
