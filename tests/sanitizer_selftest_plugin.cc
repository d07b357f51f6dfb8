// SPDX-License-Identifier: Apache-2.0
#include "sanitizer_selftest_plugin.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

struct Work {
  void* to = nullptr;
  const void* from = nullptr;
  size_t size = 0;
  int value = 0;  // to fill with where there is nothing to copy from
  void (*done)(void*) = nullptr;
  void* argument = nullptr;
};

class Worker {
 public:
  Worker() : thread_([this] { Run(); }) {}
  ~Worker() {
    state_.store(kStop);
    thread_.join();
  }

  Work* work() { return &work_; }
  void Begin() { state_.store(kWork); }
  void Await() {
    while (state_.load() == kWork) std::this_thread::yield();
  }

 private:
  enum State { kIdle, kWork, kStop };

  void Run() {
    while (state_.load() != kStop) {
      if (state_.load() != kWork) {
        std::this_thread::yield();
        continue;
      }
      if (work_.to == nullptr) work_.to = std::malloc(work_.size);
      if (work_.from != nullptr) {
        std::memcpy(work_.to, work_.from, work_.size);
      } else {
        std::memset(work_.to, work_.value, work_.size);
      }
      if (work_.done != nullptr) work_.done(work_.argument);
      state_.store(kIdle);
    }
  }

  Work work_;
  std::atomic<State> state_{kIdle};
  std::thread thread_;
};

Worker& TheWorker() {
  static Worker worker;
  return worker;
}

}  // namespace

void PluginCopy(void* to, const void* from, size_t size, void (*done)(void*), void* argument) {
  *TheWorker().work() = {.to = to, .from = from, .size = size, .done = done, .argument = argument};
  TheWorker().Begin();
}

void PluginAwait() { TheWorker().Await(); }

void* PluginFilled(size_t size, int value) {
  *TheWorker().work() = {.size = size, .value = value};
  TheWorker().Begin();
  TheWorker().Await();
  return TheWorker().work()->to;
}
