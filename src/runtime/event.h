// SPDX-License-Identifier: Apache-2.0
// Event: something that happens once, with success or an error.
#ifndef AXLE_RUNTIME_EVENT_H_
#define AXLE_RUNTIME_EVENT_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"

namespace axle::runtime {

// Copies share the event. Thread-safe.
class Event {
 public:
  // What a backend implements; thread-safe.
  class State {
   public:
    virtual ~State() = default;
    virtual bool IsReady() = 0;
    virtual absl::Status Await() = 0;
    // Calls back once, maybe before it returns and maybe on a thread of the backend.
    virtual void OnReady(std::function<void(absl::Status)> callback) = 0;
  };

  Event() = default;  // has happened, well
  explicit Event(std::shared_ptr<State> state) : state_(std::move(state)) {}

  bool IsReady() const { return state_ == nullptr || state_->IsReady(); }
  // Blocks until the event happened; its outcome.
  absl::Status Await() const { return state_ ? state_->Await() : absl::OkStatus(); }
  void OnReady(std::function<void(absl::Status)> callback) const {
    if (state_) {
      state_->OnReady(std::move(callback));
    } else {
      callback(absl::OkStatus());
    }
  }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_EVENT_H_
