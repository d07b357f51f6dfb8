// SPDX-License-Identifier: Apache-2.0
// Events: something asynchronous of the plugin that becomes ready or fails.
#ifndef AXLE_PJRT_CLIENT_EVENT_H_
#define AXLE_PJRT_CLIENT_EVENT_H_

#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pjrt_client/api.h"

namespace axle::pjrt_client {

// What an Event and whoever keeps its handle ask the plugin.
absl::StatusOr<bool> EventIsReady(const Api& api, PJRT_Event* event);
absl::Status AwaitEvent(const Api& api, PJRT_Event* event);

// Owns an event, or nothing. Move-only. Const calls are thread-safe; an event may outlive the
// client that made it.
class Event {
 public:
  // No event: always ready, never failed.
  Event() = default;
  // Takes `event`; null is no event.
  Event(Api api, PJRT_Event* event) : event_(event, Destroyer{api}) {}

  absl::StatusOr<bool> IsReady() const;
  // Gives the event up to the caller.
  PJRT_Event* Release() && { return event_.release(); }

  // Blocks until the event is ready; the error that it became ready with, if any.
  absl::Status Await() const;

  // Calls `callback` exactly once with the outcome: in this thread when the event is ready already
  // or the plugin refuses, else later in a thread of the plugin, which it must not block. The event
  // is consumed and stays alive until then. Event() calls back at once.
  void OnReady(absl::AnyInvocable<void(absl::Status) &&> callback) &&;
  // The same for an event that has other owners; may be called any number of times.
  static void OnReady(std::shared_ptr<const Event> event,
                      absl::AnyInvocable<void(absl::Status) &&> callback);

 private:
  struct Destroyer {
    Api api;
    void operator()(PJRT_Event* event) const {
      Destroy<&PJRT_Api::PJRT_Event_Destroy, &PJRT_Event_Destroy_Args::event,
              PJRT_Event_Destroy_Args>(api, event);
    }
  };

  std::unique_ptr<PJRT_Event, Destroyer> event_;
};

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_EVENT_H_
