// SPDX-License-Identifier: Apache-2.0
// The backend seam: what a device library must offer so that Axle can run programs on it.
//
//   Backend ── owns ──► Device ── Upload ──► Buffer          (one array in device memory)
//      └── Compile ──► LoadedProgram ── Execute(buffers) ──► buffers
//
// Backends see arrays only: Program (runtime/program.h) has verified every module and flattened its
// entry to array parameters and to an array or a tuple of arrays as result. src/null is the
// skeleton to start from; tests/seam_test.cc is what every backend must pass.
//
// Everything is thread-safe. A backend lives in a shared_ptr; its buffers and programs hold one
// too, so they may outlive the caller's. Errors are statuses; nothing aborts or throws.
#ifndef AXLE_RUNTIME_BACKEND_H_
#define AXLE_RUNTIME_BACKEND_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hlo/module.h"
#include "runtime/event.h"

namespace axle::runtime {

class Backend;
class Device;

// One array in the memory of one device. Host forms of arrays are row-major, types under 8 bits one
// byte an element (hlo/literal.h).
class Buffer {
 public:
  virtual ~Buffer() = default;

  // An array without layout; dynamic dimensions show their bounds.
  virtual const hlo::Shape& shape() const = 0;
  virtual Device& device() const = 0;
  // Happens when the contents are there, or never will be: then it carries the error, and so does
  // every other use.
  virtual Event ready() = 0;
  // ready().IsReady() and ready().Await(), which backends may answer for less.
  virtual bool IsReady() { return ready().IsReady(); }
  virtual absl::Status Await() { return ready().Await(); }
  // Waits, then copies the contents; `destination` has exactly the host size of shape().
  virtual absl::Status CopyToHost(absl::Span<std::byte> destination) = 0;
  // Actual sizes of dynamic dimensions, once ready; empty when shape() has none.
  virtual absl::StatusOr<std::vector<int32_t>> DynamicSizes() { return std::vector<int32_t>(); }
  virtual int64_t device_bytes() const = 0;
  // Frees the memory now; later uses are errors. Deleting twice is fine.
  virtual void Delete() = 0;
  virtual bool IsDeleted() const = 0;  // also after a donation
};

// What the backend may do with host memory handed to Upload.
enum class HostMemory {
  kCopyDuringCall,      // free again when Upload returns
  kReadUntilReleased,   // stays valid and constant until `released` is called
  kGivenUntilReleased,  // stays valid until then, and is the device's to write
};

class Device {
 public:
  virtual ~Device() = default;

  virtual Backend& backend() const = 0;
  virtual int id() const = 0;                          // position in Backend::devices()
  virtual const std::string& kind() const = 0;         // "cpu", "NVIDIA H100" …
  virtual const std::string& description() const = 0;  // for people

  // Copies a host array to the device. `shape` is a static array; `data` has its host size.
  // `released` may be null for kCopyDuringCall; it is called exactly once, also on an error.
  virtual absl::StatusOr<std::shared_ptr<Buffer>> Upload(const hlo::Shape& shape,
                                                         absl::Span<const std::byte> data,
                                                         HostMemory semantics,
                                                         std::function<void()> released) = 0;
};

struct CompileOptions {
  int device = 0;  // Device::id() that runs the program
  bool operator==(const CompileOptions&) const = default;
};

struct ExecuteOptions {
  // Arguments that must stay usable although the program could take them over, ascending.
  absl::Span<const int> non_donatable;
  // Where set, becomes the end of the run, which programs without results have no buffer to tell.
  // Untouched where the run has ended well when Execute returns.
  Event* end = nullptr;
};

// Bytes as the backend knows them.
struct ProgramMemory {
  std::optional<int64_t> generated_code, arguments, results, aliased, temporaries;
};

class LoadedProgram {
 public:
  virtual ~LoadedProgram() = default;

  // Launches, and puts one buffer a result leaf into `results`, which has as many places. Arguments
  // fit the entry (checked by Program). The buffers may not be ready yet; a failure after launch is
  // theirs, and its message names the program. A failed launch returns an error and leaves every
  // argument as it was.
  virtual absl::Status Execute(absl::Span<const std::shared_ptr<Buffer>> arguments,
                               const ExecuteOptions& options,
                               absl::Span<std::shared_ptr<Buffer>> results) = 0;
  virtual ProgramMemory memory() const { return {}; }
};

class Backend : public std::enable_shared_from_this<Backend> {
 public:
  virtual ~Backend() = default;

  virtual const std::string& name() const = 0;     // "reference", "xla-cpu" …
  virtual const std::string& version() const = 0;  // of the implementation; part of cache keys
  virtual absl::Span<const std::unique_ptr<Device>> devices() const = 0;

  // `module` is verified and its entry flat. Refuses what the backend lacks by name.
  virtual absl::StatusOr<std::unique_ptr<LoadedProgram>> Compile(
      std::shared_ptr<const hlo::Module> module, const CompileOptions& options) = 0;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_BACKEND_H_
