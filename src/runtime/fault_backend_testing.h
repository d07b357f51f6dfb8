// SPDX-License-Identifier: Apache-2.0
// A backend that does what another does, but fails and waits where a test says so.
#ifndef AXLE_RUNTIME_FAULT_BACKEND_TESTING_H_
#define AXLE_RUNTIME_FAULT_BACKEND_TESTING_H_

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/backend.h"

namespace axle::runtime {

enum class FaultPoint { kCompile, kUpload, kLaunch, kCompletion, kDownload };

// Something that is closed, then open for good. Thread-safe.
class Gate {
 public:
  bool IsOpen() const {
    const std::lock_guard lock(mutex_);
    return open_;
  }
  void Open() {
    std::vector<std::function<void()>> waiting;
    {
      const std::lock_guard lock(mutex_);
      open_ = true;
      waiting.swap(waiting_);
    }
    opened_.notify_all();
    for (const auto& callback : waiting) callback();
  }
  void Wait() const {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return open_; });
  }
  // Now, or on the thread that opens.
  void OnOpen(std::function<void()> callback) {
    {
      const std::lock_guard lock(mutex_);
      if (!open_) {
        waiting_.push_back(std::move(callback));
        return;
      }
    }
    callback();
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable opened_;
  bool open_ = false;                           // guarded by mutex_
  std::vector<std::function<void()>> waiting_;  // guarded by mutex_
};

struct Faults {
  // Asked at every point, on any thread; an error is what happens there. May be null.
  std::function<absl::Status(FaultPoint)> fail;
  // Completion of a run waits for what this gives. May be null, and so may what it gives.
  std::function<std::shared_ptr<Gate>()> hold;

  absl::Status At(FaultPoint point) const { return fail ? fail(point) : absl::OkStatus(); }
};

namespace fault_testing {

// The end of one run.
struct Completion {
  std::shared_ptr<Gate> hold;  // may be null
  absl::Status status;
};

class CompletionEvent final : public Event::State {
 public:
  explicit CompletionEvent(std::shared_ptr<const Completion> completion)
      : completion_(std::move(completion)) {}
  bool IsReady() override { return completion_->hold == nullptr || completion_->hold->IsOpen(); }
  absl::Status Await() override {
    if (completion_->hold != nullptr) completion_->hold->Wait();
    return completion_->status;
  }
  void OnReady(std::function<void(absl::Status)> callback) override {
    if (completion_->hold == nullptr) return callback(completion_->status);
    completion_->hold->OnOpen([completion = completion_, callback = std::move(callback)] {
      callback(completion->status);
    });
  }

 private:
  const std::shared_ptr<const Completion> completion_;
};

class FaultBuffer final : public Buffer {
 public:
  FaultBuffer(Device& device, std::shared_ptr<Backend> backend,
              std::shared_ptr<const Faults> faults, std::shared_ptr<Buffer> inner,
              std::shared_ptr<const Completion> completion)
      : device_(device),
        backend_(std::move(backend)),
        faults_(std::move(faults)),
        inner_(std::move(inner)),
        completion_(std::move(completion)) {}

  const std::shared_ptr<Buffer>& inner() const { return inner_; }
  // How the run that made it ends.
  absl::Status failure() const { return completion_ ? completion_->status : absl::OkStatus(); }

  const hlo::Shape& shape() const override { return inner_->shape(); }
  Device& device() const override { return device_; }
  Event ready() override {
    if (completion_ == nullptr) return inner_->ready();
    return Event(std::make_shared<CompletionEvent>(completion_));
  }
  absl::Status CopyToHost(absl::Span<std::byte> destination) override {
    AXLE_RETURN_IF_ERROR(ready().Await());
    AXLE_RETURN_IF_ERROR(faults_->At(FaultPoint::kDownload));
    return inner_->CopyToHost(destination);
  }
  int64_t device_bytes() const override { return inner_->device_bytes(); }
  void Delete() override { inner_->Delete(); }
  bool IsDeleted() const override { return inner_->IsDeleted(); }

 private:
  Device& device_;
  const std::shared_ptr<Backend> backend_;  // owns device_
  const std::shared_ptr<const Faults> faults_;
  const std::shared_ptr<Buffer> inner_;
  const std::shared_ptr<const Completion> completion_;  // null for uploads
};

class FaultDevice final : public Device {
 public:
  FaultDevice(Backend& backend, Device& inner, std::shared_ptr<const Faults> faults)
      : backend_(backend), inner_(inner), faults_(std::move(faults)) {}

  Backend& backend() const override { return backend_; }
  int id() const override { return inner_.id(); }
  const std::string& kind() const override { return inner_.kind(); }
  const std::string& description() const override { return inner_.description(); }
  absl::StatusOr<std::shared_ptr<Buffer>> Upload(const hlo::Shape& shape,
                                                 absl::Span<const std::byte> data,
                                                 HostMemory semantics,
                                                 std::function<void()> released) override {
    if (absl::Status status = faults_->At(FaultPoint::kUpload); !status.ok()) {
      if (released) released();
      return status;
    }
    AXLE_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer,
                          inner_.Upload(shape, data, semantics, std::move(released)));
    return std::make_shared<FaultBuffer>(*this, backend_.shared_from_this(), faults_,
                                         std::move(buffer), nullptr);
  }

 private:
  Backend& backend_;
  Device& inner_;
  const std::shared_ptr<const Faults> faults_;
};

class FaultProgram final : public LoadedProgram {
 public:
  FaultProgram(Device& device, std::shared_ptr<const Faults> faults, std::string name,
               std::unique_ptr<LoadedProgram> inner)
      : backend_(device.backend().shared_from_this()),
        device_(device),
        faults_(std::move(faults)),
        name_(std::move(name)),
        inner_(std::move(inner)) {}

  absl::Status Execute(absl::Span<const std::shared_ptr<Buffer>> arguments,
                       const ExecuteOptions& options,
                       absl::Span<std::shared_ptr<Buffer>> results) override {
    AXLE_RETURN_IF_ERROR(faults_->At(FaultPoint::kLaunch));
    std::vector<std::shared_ptr<Buffer>> inner_arguments;
    for (const std::shared_ptr<Buffer>& argument : arguments) {
      inner_arguments.push_back(static_cast<FaultBuffer&>(*argument).inner());
    }
    std::vector<std::shared_ptr<Buffer>> inner_results(results.size());
    AXLE_RETURN_IF_ERROR(inner_->Execute(inner_arguments, {.non_donatable = options.non_donatable},
                                         absl::MakeSpan(inner_results)));
    auto completion = std::make_shared<Completion>();
    if (faults_->hold) completion->hold = faults_->hold();
    completion->status = faults_->At(FaultPoint::kCompletion);
    // What failed before makes fail what is computed from it.
    for (const std::shared_ptr<Buffer>& argument : arguments) {
      if (!completion->status.ok()) break;
      completion->status = static_cast<FaultBuffer&>(*argument).failure();
    }
    if (!completion->status.ok()) {
      completion->status =
          absl::Status(completion->status.code(),
                       absl::StrCat("program ", name_, ": ", completion->status.message()));
    }
    if (options.end != nullptr) {
      *options.end = Event(std::make_shared<CompletionEvent>(completion));
    }
    for (size_t i = 0; i < results.size(); ++i) {
      results[i] = std::make_shared<FaultBuffer>(device_, backend_, faults_,
                                                 std::move(inner_results[i]), completion);
    }
    return absl::OkStatus();
  }
  ProgramMemory memory() const override { return inner_->memory(); }

 private:
  const std::shared_ptr<Backend> backend_;  // owns device_
  Device& device_;
  const std::shared_ptr<const Faults> faults_;
  const std::string name_;
  const std::unique_ptr<LoadedProgram> inner_;
};

}  // namespace fault_testing

class FaultBackend final : public Backend {
 public:
  FaultBackend(std::shared_ptr<Backend> inner, Faults faults)
      : inner_(std::move(inner)), faults_(std::make_shared<const Faults>(std::move(faults))) {
    for (const std::unique_ptr<Device>& device : inner_->devices()) {
      devices_.push_back(std::make_unique<fault_testing::FaultDevice>(*this, *device, faults_));
    }
  }

  const std::string& name() const override { return inner_->name(); }
  const std::string& version() const override { return inner_->version(); }
  absl::Span<const std::unique_ptr<Device>> devices() const override { return devices_; }
  absl::StatusOr<std::unique_ptr<LoadedProgram>> Compile(std::shared_ptr<const hlo::Module> module,
                                                         const CompileOptions& options) override {
    AXLE_RETURN_IF_ERROR(faults_->At(FaultPoint::kCompile));
    std::string name = module->name;
    AXLE_ASSIGN_OR_RETURN(std::unique_ptr<LoadedProgram> program,
                          inner_->Compile(std::move(module), options));
    return std::make_unique<fault_testing::FaultProgram>(*devices_[options.device], faults_,
                                                         std::move(name), std::move(program));
  }

 private:
  const std::shared_ptr<Backend> inner_;
  const std::shared_ptr<const Faults> faults_;
  std::vector<std::unique_ptr<Device>> devices_;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_FAULT_BACKEND_TESTING_H_
