// SPDX-License-Identifier: Apache-2.0
// Debian's abseil is compiled without ThreadSanitizer, which therefore does not see that
// absl::Mutex orders what threads do, and reports races where none is. In thread-sanitizer builds
// the linker's
// --wrap sends each call of a lock function to its twin here (AxleOptions.cmake lists them), which
// tells ThreadSanitizer what the real function did.
//
// Waits for a condition poll: abseil may evaluate a waiter's condition in any thread, inside code
// that ThreadSanitizer can't follow.

#include <sanitizer/tsan_interface.h>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tsan_wrap.h"

namespace axle::tsan {
namespace {

constexpr absl::Duration kPollInterval = absl::Microseconds(50);

}  // namespace

AXLE_WRAPPED(void, Lock, "_ZN4absl7debian35Mutex4LockEv", absl::Mutex*)
AXLE_WRAPPED(bool, TryLock, "_ZN4absl7debian35Mutex7TryLockEv", absl::Mutex*)
AXLE_WRAPPED(void, Unlock, "_ZN4absl7debian35Mutex6UnlockEv", absl::Mutex*)
AXLE_WRAPPED(void, ReaderLock, "_ZN4absl7debian35Mutex10ReaderLockEv", absl::Mutex*)
AXLE_WRAPPED(void, ReaderUnlock, "_ZN4absl7debian35Mutex12ReaderUnlockEv", absl::Mutex*)
AXLE_WRAPPED(void, Await, "_ZN4absl7debian35Mutex5AwaitERKNS0_9ConditionE", absl::Mutex*,
             const absl::Condition&)
AXLE_WRAPPED(bool, AwaitWithTimeout,
             "_ZN4absl7debian35Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE",
             absl::Mutex*, const absl::Condition&, absl::Duration)
AXLE_WRAPPED(bool, AwaitWithDeadline,
             "_ZN4absl7debian35Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE", absl::Mutex*,
             const absl::Condition&, absl::Time)
AXLE_WRAPPED(void, LockWhen, "_ZN4absl7debian35Mutex8LockWhenERKNS0_9ConditionE", absl::Mutex*,
             const absl::Condition&)
AXLE_WRAPPED(bool, LockWhenWithTimeout,
             "_ZN4absl7debian35Mutex19LockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE",
             absl::Mutex*, const absl::Condition&, absl::Duration)
AXLE_WRAPPED(bool, LockWhenWithDeadline,
             "_ZN4absl7debian35Mutex20LockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE",
             absl::Mutex*, const absl::Condition&, absl::Time)
AXLE_WRAPPED(void, Wait, "_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE", absl::CondVar*, absl::Mutex*)
AXLE_WRAPPED(bool, WaitWithTimeout,
             "_ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE", absl::CondVar*,
             absl::Mutex*, absl::Duration)
AXLE_WRAPPED(bool, WaitWithDeadline,
             "_ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE", absl::CondVar*,
             absl::Mutex*, absl::Time)
AXLE_WRAPPED(void, Notify, "_ZN4absl7debian312Notification6NotifyEv", absl::Notification*)
AXLE_WRAPPED(void, WaitForNotification, "_ZNK4absl7debian312Notification19WaitForNotificationEv",
             const absl::Notification*)
AXLE_WRAPPED(bool, WaitForNotificationWithTimeout,
             "_ZNK4absl7debian312Notification30WaitForNotificationWithTimeoutENS0_8DurationE",
             const absl::Notification*, absl::Duration)

void Lock(absl::Mutex* mutex) {
  RealLock(mutex);
  __tsan_acquire(mutex);
}

bool TryLock(absl::Mutex* mutex) {
  const bool locked = RealTryLock(mutex);
  if (locked) __tsan_acquire(mutex);
  return locked;
}

void Unlock(absl::Mutex* mutex) {
  __tsan_release(mutex);
  RealUnlock(mutex);
}

void ReaderLock(absl::Mutex* mutex) {
  RealReaderLock(mutex);
  __tsan_acquire(mutex);
}

void ReaderUnlock(absl::Mutex* mutex) {
  __tsan_release(mutex);
  RealReaderUnlock(mutex);
}

bool AwaitWithDeadline(absl::Mutex* mutex, const absl::Condition& condition, absl::Time deadline) {
  while (!condition.Eval()) {
    if (absl::Now() >= deadline) return false;
    Unlock(mutex);
    absl::SleepFor(kPollInterval);
    Lock(mutex);
  }
  return true;
}

bool AwaitWithTimeout(absl::Mutex* mutex, const absl::Condition& condition,
                      absl::Duration timeout) {
  return AwaitWithDeadline(mutex, condition, absl::Now() + timeout);
}

void Await(absl::Mutex* mutex, const absl::Condition& condition) {
  AwaitWithDeadline(mutex, condition, absl::InfiniteFuture());
}

void LockWhen(absl::Mutex* mutex, const absl::Condition& condition) {
  Lock(mutex);
  Await(mutex, condition);
}

bool LockWhenWithTimeout(absl::Mutex* mutex, const absl::Condition& condition,
                         absl::Duration timeout) {
  Lock(mutex);
  return AwaitWithTimeout(mutex, condition, timeout);
}

bool LockWhenWithDeadline(absl::Mutex* mutex, const absl::Condition& condition,
                          absl::Time deadline) {
  Lock(mutex);
  return AwaitWithDeadline(mutex, condition, deadline);
}

void Wait(absl::CondVar* variable, absl::Mutex* mutex) {
  __tsan_release(mutex);
  RealWait(variable, mutex);
  __tsan_acquire(mutex);
}

bool WaitWithTimeout(absl::CondVar* variable, absl::Mutex* mutex, absl::Duration timeout) {
  __tsan_release(mutex);
  const bool timed_out = RealWaitWithTimeout(variable, mutex, timeout);
  __tsan_acquire(mutex);
  return timed_out;
}

bool WaitWithDeadline(absl::CondVar* variable, absl::Mutex* mutex, absl::Time deadline) {
  __tsan_release(mutex);
  const bool timed_out = RealWaitWithDeadline(variable, mutex, deadline);
  __tsan_acquire(mutex);
  return timed_out;
}

// A Notification's address is also that of its mutex, which Notify's own wrapped calls may use; the
// extra order is harmless.
void Notify(absl::Notification* notification) {
  __tsan_release(notification);
  RealNotify(notification);
}

void WaitForNotification(const absl::Notification* notification) {
  RealWaitForNotification(notification);
  __tsan_acquire(const_cast<absl::Notification*>(notification));
}

bool WaitForNotificationWithTimeout(const absl::Notification* notification,
                                    absl::Duration timeout) {
  const bool notified = RealWaitForNotificationWithTimeout(notification, timeout);
  if (notified) __tsan_acquire(const_cast<absl::Notification*>(notification));
  return notified;
}

}  // namespace axle::tsan
