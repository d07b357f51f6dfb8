// SPDX-License-Identifier: Apache-2.0
// A new backend, step by step:
//   1. A Backend that makes its Devices when it is created and gives name and version.
//   2. A Device that takes host arrays (here runtime::HostDevice, which keeps them on the host).
//   3. A Buffer for what the device holds (here runtime::HostBuffer).
//   4. A LoadedProgram: what Compile made of a module, and Execute on buffers.
//   5. A line in assembly/backends.cc that gives it a name on the command line.
// tests/seam_test.cc then runs the conformance suite on it.
#include "null/null.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/status_macros.h"
#include "hlo/literal.h"
#include "runtime/host_device.h"

namespace axle::null {
namespace {

class NullProgram final : public runtime::LoadedProgram {
 public:
  // Zeros of every result are made once and shared by all runs: buffers never change.
  NullProgram(std::shared_ptr<runtime::Backend> backend, runtime::Device& device,
              std::vector<std::shared_ptr<const hlo::Literal>> results,
              std::vector<runtime::Donation> donations)
      : backend_(std::move(backend)),
        device_(device),
        results_(std::move(results)),
        donations_(std::move(donations)) {}

  absl::Status Execute(absl::Span<const std::shared_ptr<runtime::Buffer>> arguments,
                       const runtime::ExecuteOptions& options,
                       absl::Span<std::shared_ptr<runtime::Buffer>> results) override {
    for (size_t i = 0; i < results.size(); ++i) {
      results[i] = std::make_shared<runtime::HostBuffer>(device_, results_[i]);
    }
    runtime::DeleteDonated(donations_, arguments, options);
    return absl::OkStatus();
  }

 private:
  const std::shared_ptr<runtime::Backend> backend_;  // owns device_
  runtime::Device& device_;
  const std::vector<std::shared_ptr<const hlo::Literal>> results_;
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
    const hlo::Shape result = module->entry_computation().root_instruction().shape;
    std::vector<std::shared_ptr<const hlo::Literal>> zeros;
    const auto add = [&](const hlo::Shape& shape) -> absl::Status {
      AXLE_ASSIGN_OR_RETURN(hlo::Literal literal,
                            hlo::Literal::Zeros(shape.WithoutLayouts().WithStaticDimensions()));
      zeros.push_back(std::make_shared<const hlo::Literal>(std::move(literal)));
      return absl::OkStatus();
    };
    if (!result.IsTuple()) AXLE_RETURN_IF_ERROR(add(result));
    for (const hlo::Shape& element : result.tuple_shapes()) AXLE_RETURN_IF_ERROR(add(element));
    return std::make_unique<NullProgram>(shared_from_this(), *devices_[options.device],
                                         std::move(zeros), runtime::DonationsOf(*module));
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
