// SPDX-License-Identifier: Apache-2.0
// A new backend, step by step:
//   1. A Backend that makes its Devices when it is created and gives name and version.
//   2. A Device that takes host arrays (here runtime::HostDevice, which keeps them on the host).
//   3. A Buffer for what the device holds (here ZeroBuffer; HostDevice has one for uploads).
//   4. A LoadedProgram: what Compile made of a module, and Execute on buffers.
//   5. A line in assembly/backends.cc that gives it a name on the command line.
// tests/seam_test.cc then runs the conformance suite on it.
#include "null/null.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/status_macros.h"
#include "runtime/host_device.h"
#include "runtime/program.h"

namespace axle::null {
namespace {

// What a program's results have in common.
struct Results {
  std::shared_ptr<runtime::Backend> backend;  // owns device
  runtime::Device& device;
  std::vector<hlo::Shape> shapes;  // static arrays without layouts
  std::vector<int64_t> bytes;
};

// A result: as many zeros as its shape has.
class ZeroBuffer final : public runtime::Buffer {
 public:
  ZeroBuffer(std::shared_ptr<const Results> results, size_t index)
      : results_(std::move(results)), index_(index) {}

  const hlo::Shape& shape() const override { return results_->shapes[index_]; }
  runtime::Device& device() const override { return results_->device; }
  runtime::Event ready() override { return runtime::Event(); }
  bool IsReady() override { return true; }
  absl::Status Await() override { return absl::OkStatus(); }
  absl::Status CopyToHost(absl::Span<std::byte> destination) override {
    AXLE_RETURN_IF_ERROR(runtime::CheckHostSize(shape(), destination.size()));
    if (IsDeleted()) return runtime::DeletedBuffer(shape());
    std::fill(destination.begin(), destination.end(), std::byte(0));
    return absl::OkStatus();
  }
  int64_t device_bytes() const override { return results_->bytes[index_]; }
  void Delete() override { deleted_.store(true, std::memory_order_release); }
  bool IsDeleted() const override { return deleted_.load(std::memory_order_acquire); }

 private:
  const std::shared_ptr<const Results> results_;
  const size_t index_;
  std::atomic<bool> deleted_ = false;
};

class NullProgram final : public runtime::LoadedProgram {
 public:
  NullProgram(std::shared_ptr<const Results> results, std::vector<runtime::Donation> donations)
      : results_(std::move(results)), donations_(std::move(donations)) {}

  absl::Status Execute(absl::Span<const std::shared_ptr<runtime::Buffer>> arguments,
                       const runtime::ExecuteOptions& options,
                       absl::Span<std::shared_ptr<runtime::Buffer>> results) override {
    for (size_t i = 0; i < results.size(); ++i) {
      results[i] = std::make_shared<ZeroBuffer>(results_, i);
    }
    runtime::DeleteDonated(donations_, arguments, options);
    return absl::OkStatus();
  }

 private:
  const std::shared_ptr<const Results> results_;
  const std::vector<runtime::Donation> donations_;
};

class NullBackend final : public runtime::Backend {
 public:
  explicit NullBackend(int device_count) : name_("null"), version_("1") {
    for (int i = 0; i < device_count; ++i) {
      devices_.push_back(
          std::make_unique<runtime::HostDevice>(*this, i, absl::StrCat("null device ", i)));
    }
  }

  const std::string& name() const override { return name_; }
  const std::string& version() const override { return version_; }
  absl::Span<const std::unique_ptr<runtime::Device>> devices() const override { return devices_; }

  // The entry's result is an array or a flat tuple of arrays: the runtime saw to that.
  absl::StatusOr<std::unique_ptr<runtime::LoadedProgram>> Compile(
      std::shared_ptr<const hlo::Module> module, const runtime::CompileOptions& options) override {
    const hlo::Shape root = module->entry_computation().root_instruction().shape;
    auto results =
        std::make_shared<Results>(Results{shared_from_this(), *devices_[options.device], {}, {}});
    for (const hlo::Shape& leaf : runtime::LeavesOf(root)) {
      results->shapes.push_back(leaf.WithStaticDimensions());
      AXLE_ASSIGN_OR_RETURN(results->bytes.emplace_back(), leaf.ByteSize());
    }
    return std::make_unique<NullProgram>(std::move(results), runtime::DonationsOf(*module));
  }

 private:
  const std::string name_;
  const std::string version_;
  std::vector<std::unique_ptr<runtime::Device>> devices_;
};

}  // namespace

std::shared_ptr<runtime::Backend> Create(const Options& options) {
  AXLE_ASSERT(options.device_count >= 1);
  return std::make_shared<NullBackend>(options.device_count);
}

}  // namespace axle::null
