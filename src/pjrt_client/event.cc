// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/event.h"

#include <atomic>
#include <utility>

#include "base/assert.h"
#include "base/status_macros.h"

namespace axle::pjrt_client {
namespace {

// What waits for an event; owned by the plugin's registration until the callback.
struct Waiter {
  Api api;
  std::shared_ptr<const Event> event;
  absl::AnyInvocable<void(absl::Status) &&> callback;
  // The plugin orders registration and callback, but not for tools that don't see inside of it.
  std::atomic<bool> registered = false;
};

void RunWaiter(PJRT_Error* error, void* user_arg) {
  std::unique_ptr<Waiter> waiter(static_cast<Waiter*>(user_arg));
  AXLE_ASSERT(waiter->registered.load(std::memory_order_acquire));
  std::move(waiter->callback)(waiter->api.ToStatus(error, "PJRT_Event_OnReady"));
}

}  // namespace

absl::StatusOr<bool> EventIsReady(const Api& api, PJRT_Event* event) {
  Args<PJRT_Event_IsReady_Args> args;
  args->event = event;
  AXLE_RETURN_IF_ERROR(api.Call<&PJRT_Api::PJRT_Event_IsReady>(args));
  return args->is_ready;
}

absl::Status AwaitEvent(const Api& api, PJRT_Event* event) {
  Args<PJRT_Event_Await_Args> args;
  args->event = event;
  return api.Call<&PJRT_Api::PJRT_Event_Await>(args);
}

absl::StatusOr<bool> Event::IsReady() const {
  if (event_ == nullptr) return true;
  return EventIsReady(event_.get_deleter().api, event_.get());
}

absl::Status Event::Await() const {
  if (event_ == nullptr) return absl::OkStatus();
  return AwaitEvent(event_.get_deleter().api, event_.get());
}

void Event::OnReady(absl::AnyInvocable<void(absl::Status) &&> callback) && {
  OnReady(std::make_shared<const Event>(std::move(*this)), std::move(callback));
}

void Event::OnReady(std::shared_ptr<const Event> event,
                    absl::AnyInvocable<void(absl::Status) &&> callback) {
  if (event->event_ == nullptr) {
    std::move(callback)(absl::OkStatus());
    return;
  }
  const Api api = event->event_.get_deleter().api;
  Args<PJRT_Event_OnReady_Args> args;
  args->event = event->event_.get();
  args->callback = RunWaiter;
  auto waiter = std::make_unique<Waiter>(api, std::move(event), std::move(callback));
  args->user_arg = waiter.get();
  waiter->registered.store(true, std::memory_order_release);
  Waiter* registered = waiter.release();
  const absl::Status status = api.Call<&PJRT_Api::PJRT_Event_OnReady>(args);
  if (status.ok()) return;
  // A refused registration never calls back.
  waiter.reset(registered);
  std::move(waiter->callback)(status);
}

}  // namespace axle::pjrt_client
