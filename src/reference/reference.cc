// SPDX-License-Identifier: Apache-2.0
#include "reference/reference.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/status_macros.h"
#include "custom_calls/registry.h"
#include "eval/evaluator.h"
#include "runtime/errors.h"
#include "runtime/host_device.h"

namespace axle::reference {
namespace {

class ReferenceProgram final : public runtime::LoadedProgram {
 public:
  ReferenceProgram(std::shared_ptr<runtime::Backend> backend, runtime::Device& device,
                   std::unique_ptr<eval::Evaluator> evaluator,
                   std::vector<runtime::Donation> donations)
      : backend_(std::move(backend)),
        device_(device),
        evaluator_(std::move(evaluator)),
        donations_(std::move(donations)) {}

  absl::Status Execute(absl::Span<const std::shared_ptr<runtime::Buffer>> arguments,
                       const runtime::ExecuteOptions& options,
                       absl::Span<std::shared_ptr<runtime::Buffer>> results) override {
    AXLE_ASSIGN_OR_RETURN(const auto literals, runtime::HostLiterals(arguments));
    std::vector<const hlo::Literal*> pointers;
    pointers.reserve(literals.size());
    for (const auto& literal : literals) pointers.push_back(literal.get());
    AXLE_ASSIGN_OR_RETURN(hlo::Literal result, evaluator_->Run(pointers));
    runtime::MakeHostBuffers(device_, std::move(result), results);
    runtime::DeleteDonated(donations_, arguments, options);
    return absl::OkStatus();
  }

 private:
  const std::shared_ptr<runtime::Backend> backend_;  // owns device_
  runtime::Device& device_;
  const std::unique_ptr<eval::Evaluator> evaluator_;
  const std::vector<runtime::Donation> donations_;
};

class ReferenceBackend final : public runtime::Backend {
 public:
  explicit ReferenceBackend(int device_count) : name_("reference"), version_("1") {
    for (int i = 0; i < device_count; ++i) {
      devices_.push_back(std::make_unique<runtime::HostDevice>(
          *this, i, absl::StrCat("reference evaluator, device ", i)));
    }
    auto custom_calls = std::make_shared<custom_calls::Registry>();
    custom_calls::AddShardingTargets(custom_calls.get());
    custom_calls_ = std::move(custom_calls);
  }

  const std::string& name() const override { return name_; }
  const std::string& version() const override { return version_; }
  absl::Span<const std::unique_ptr<runtime::Device>> devices() const override { return devices_; }

  absl::StatusOr<std::unique_ptr<runtime::LoadedProgram>> Compile(
      std::shared_ptr<const hlo::Module> module, const runtime::CompileOptions& options) override {
    AXLE_RETURN_IF_ERROR(custom_calls::CheckCustomCalls(*module, *custom_calls_,
                                                        runtime::errors::kMissingCustomCall));
    std::vector<runtime::Donation> donations = runtime::DonationsOf(*module);
    AXLE_ASSIGN_OR_RETURN(
        std::unique_ptr<eval::Evaluator> evaluator,
        eval::Evaluator::Create(std::move(module), {.custom_calls = custom_calls_}));
    return std::make_unique<ReferenceProgram>(shared_from_this(), *devices_[options.device],
                                              std::move(evaluator), std::move(donations));
  }

 private:
  const std::string name_;
  const std::string version_;
  std::vector<std::unique_ptr<runtime::Device>> devices_;
  std::shared_ptr<const custom_calls::Registry> custom_calls_;  // what the evaluator runs
};

}  // namespace

std::shared_ptr<runtime::Backend> Create(const Options& options) {
  AXLE_ASSERT(options.device_count >= 1);
  return std::make_shared<ReferenceBackend>(options.device_count);
}

}  // namespace axle::reference
