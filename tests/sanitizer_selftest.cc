// SPDX-License-Identifier: Apache-2.0
// Shows that a sanitizer build finds seeded faults and is silent about right code. One argument
// names the program to be: `race`, `overflow` and `overrun` must die, `locks` must end with 0.

#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 1000;

int Race() {
  int sum = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&sum] {
      for (int round = 0; round < kRounds; ++round) ++sum;
    });
  }
  for (std::thread& thread : threads) thread.join();
  return sum == 0 ? 1 : 0;
}

// Every way of waiting that the project uses, each ordering accesses of a plain variable.
int Locks() {
  absl::Mutex mutex;
  absl::CondVar all_done;
  absl::Notification begun;
  int sum = 0;
  int begun_with = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      begun.WaitForNotification();
      for (int round = 0; round < kRounds; ++round) {
        absl::MutexLock lock(&mutex);
        sum += begun_with;
      }
      absl::MutexLock lock(&mutex);
      all_done.Signal();
    });
  }
  begun_with = 1;
  begun.Notify();
  {
    absl::MutexLock lock(&mutex);
    while (sum < kThreads * kRounds / 2) all_done.WaitWithTimeout(&mutex, absl::Milliseconds(10));
    mutex.Await(absl::Condition(+[](int* value) { return *value == kThreads * kRounds; }, &sum));
  }
  for (std::thread& thread : threads) thread.join();
  return sum == kThreads * kRounds ? 0 : 1;
}

int Overflow(int one) {
  volatile int largest = std::numeric_limits<int>::max();
  return largest + one;
}

int Overrun(int size) {
  auto bytes = std::make_unique<volatile char[]>(size);
  return bytes[size];
}

}  // namespace

int main(int argc, char** argv) {
  const char* name = argc == 2 ? argv[1] : "";
  if (std::strcmp(name, "race") == 0) return Race();
  if (std::strcmp(name, "locks") == 0) return Locks();
  if (std::strcmp(name, "overflow") == 0) return Overflow(argc - 1);
  if (std::strcmp(name, "overrun") == 0) return Overrun(argc * 8);
  std::fprintf(stderr, "usage: sanitizer_selftest race|locks|overflow|overrun\n");
  return 2;
}
