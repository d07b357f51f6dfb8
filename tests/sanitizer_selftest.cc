// SPDX-License-Identifier: Apache-2.0
// Shows that a sanitizer build finds seeded faults and is silent about right code, also beside a
// library that is not instrumented. One argument names the program to be: `locks` and `plugin` must
// end with 0, all others must die.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <latch>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "sanitizer_selftest_plugin.h"

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
  std::mutex mutex;
  std::condition_variable changed;
  std::latch begun(1);
  int sum = 0;
  int begun_with = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      begun.wait();
      for (int round = 0; round < kRounds; ++round) {
        const std::lock_guard lock(mutex);
        sum += begun_with;
      }
      changed.notify_one();
    });
  }
  begun_with = 1;
  begun.count_down();
  {
    std::unique_lock lock(mutex);
    const auto soon = std::chrono::system_clock::now() + std::chrono::milliseconds(10);
    changed.wait_until(lock, soon, [&] { return sum > kThreads * kRounds / 2; });
    changed.wait(lock, [&] { return sum == kThreads * kRounds; });
  }
  for (std::thread& thread : threads) thread.join();
  return sum == kThreads * kRounds ? 0 : 1;
}

// What a plugin is for: memory goes to its thread, comes back, and is freed by either side; its
// thread calls back with an object that this thread made. Only the last needs help from us, as in
// src/pjrt_client/event.cc.
int PluginCalls() {
  struct Call {
    int value = 0;
    std::atomic<bool> handed_over = false;
    std::latch done{1};
  };
  for (int round = 0; round < kRounds; ++round) {
    std::vector<int> from(kRounds, round), to(kRounds);
    Call call;
    call.value = round;
    call.handed_over.store(true, std::memory_order_release);
    PluginCopy(
        to.data(), from.data(), kRounds * sizeof(int),
        [](void* argument) {
          auto* given = static_cast<Call*>(argument);
          if (!given->handed_over.load(std::memory_order_acquire)) std::abort();
          ++given->value;
          given->done.count_down();
        },
        &call);
    call.done.wait();
    PluginAwait();
    auto* filled = static_cast<unsigned char*>(PluginFilled(kRounds, round));
    if (to != from || call.value != round + 1 || filled[round] != round % 256) return 1;
    std::free(filled);
  }
  return 0;
}

// Our code in the plugin's thread and in this one.
int RaceInCallback() {
  int sum = 0;
  int from = 1, to = 0;
  for (int round = 0; round < kRounds; ++round) {
    PluginCopy(
        &to, &from, sizeof(int), [](void* argument) { ++*static_cast<int*>(argument); }, &sum);
    ++sum;
    PluginAwait();
  }
  return sum == 0 ? 1 : 0;
}

// The sizes are volatile, so that the compiler calls the functions.
volatile size_t copied = kRounds;

int RaceOfCopies() {
  std::vector<char> from(copied), to(copied);
  std::thread other([&] { std::memcpy(to.data(), from.data(), copied); });
  std::memcpy(to.data(), from.data(), copied);
  other.join();
  return to[0];
}

int RaceWithFree() {
  auto* block = static_cast<volatile char*>(std::calloc(copied, 1));
  char seen = 0;
  std::thread other([&] { seen = block[1]; });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // so that the block is there still
  std::free(const_cast<char*>(block));
  other.join();
  return seen;
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
  if (std::strcmp(name, "plugin") == 0) return PluginCalls();
  if (std::strcmp(name, "race_in_callback") == 0) return RaceInCallback();
  if (std::strcmp(name, "race_of_copies") == 0) return RaceOfCopies();
  if (std::strcmp(name, "race_with_free") == 0) return RaceWithFree();
  if (std::strcmp(name, "overflow") == 0) return Overflow(argc - 1);
  if (std::strcmp(name, "overrun") == 0) return Overrun(argc * 8);
  std::fprintf(stderr, "usage: sanitizer_selftest PROGRAM; see the source\n");
  return 2;
}
