// SPDX-License-Identifier: Apache-2.0
// Clients: a plugin's devices, uploads to them and compiles for them.
#ifndef AXLE_PJRT_CLIENT_CLIENT_H_
#define AXLE_PJRT_CLIENT_CLIENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pjrt_client/buffer.h"
#include "pjrt_client/client_state.h"
#include "pjrt_client/compile_options.h"
#include "pjrt_client/event.h"
#include "pjrt_client/executable.h"
#include "pjrt_client/named_value.h"
#include "pjrt_client/plugin.h"

namespace axle::pjrt_client {

struct ClientOptions {
  // How many devices XLA:CPU shall pretend to be, 1 to 1024; its own default is 4. Set it for
  // XLA:CPU's plugins only: others may refuse an option that they don't know.
  std::optional<int64_t> cpu_device_count;
  // Anything else that the plugin takes.
  std::vector<NamedValue> others;
};

// What the plugin may do with the host's bytes of an upload.
enum class HostMemory {
  kDuringCall,              // reads them during the call only
  kUntilTransferCompletes,  // reads them until the upload's event is ready
  kShared,  // the buffer may be these bytes, until the event is ready; nobody writes
  kGiven,   // as kShared, and a run that gets the buffer donated may write them
};

// XLA:CPU takes shared and given memory as it is when its address is a multiple of this, and copies
// it in silence otherwise.
inline constexpr size_t kSharedMemoryAlignment = 64;

// An array in the host's memory: dense, row-major, an element below 8 bits in a byte.
struct HostArray {
  PJRT_Buffer_Type type = PJRT_Buffer_Type_INVALID;
  absl::Span<const int64_t> dimensions;
  absl::Span<const uint8_t> bytes;
};

struct Upload {
  Buffer buffer;
  Event host_memory_free;  // ready when the host's bytes are no longer used
};

enum class ProgramFormat {
  kHloProto,   // the bytes of an HloModuleProto
  kStableHlo,  // StableHLO as MLIR text or bytecode
};

// Move-only. Thread-safe. Buffers and executables keep what they need of it alive.
class Client {
 public:
  static absl::StatusOr<Client> Create(const Plugin& plugin, const ClientOptions& options);

  const std::string& platform_name() const { return state_->platform_name; }
  const std::string& platform_version() const { return state_->platform_version; }
  int process_index() const { return state_->process_index; }
  // Devices of this process, at least one; they live as long as the client's objects.
  absl::Span<const Device> devices() const { return state_->devices; }

  // Bytes in use and the most that may be, of a device. Unimplemented on many plugins.
  struct DeviceMemory {
    int64_t bytes_in_use = 0;
    std::optional<int64_t> bytes_limit;
  };
  absl::StatusOr<DeviceMemory> GetDeviceMemory(const Device& device) const;

  // Starts an upload into the default memory of one of devices().
  absl::StatusOr<Upload> BufferFromHost(const HostArray& array, const Device& device,
                                        HostMemory memory) const;

  // Compiles. The program must have been verified: XLA aborts the process on some malformed ones.
  absl::StatusOr<LoadedExecutable> Compile(ProgramFormat format, absl::string_view program,
                                           const CompileOptions& options) const;

 private:
  explicit Client(std::shared_ptr<const ClientState> state) : state_(std::move(state)) {}

  absl::Status CheckDevices(const CompileOptions& options) const;

  std::shared_ptr<const ClientState> state_;
};

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_CLIENT_H_
