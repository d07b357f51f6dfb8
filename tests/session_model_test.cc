// SPDX-License-Identifier: Apache-2.0
// Random sequences of operations on sessions, from several threads, on a backend that fails at
// random, against a model so simple that it is right: what each handle must hold. In the end
// nothing may be left.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "base/error.h"
#include "gtest/gtest.h"
#include "hlo/text/parser.h"
#include "reference/reference.h"
#include "runtime/chain.h"
#include "runtime/runtime_testing.h"

namespace axle::runtime {
namespace {

constexpr int kThreads = 8;
constexpr int kSteps = 1500;

// One array of two floats, as the model sees it.
struct ModelLeaf {
  float values[2] = {0, 0};
  bool poisoned = false;  // made by a run that failed
  bool gone = false;      // given away
};

// A value: a leaf, or a tuple.
struct ModelValue {
  std::shared_ptr<ModelLeaf> leaf;
  std::vector<ModelValue> elements;

  void AppendLeaves(std::vector<ModelLeaf*>* leaves) const {
    if (leaf != nullptr) leaves->push_back(leaf.get());
    for (const ModelValue& element : elements) element.AppendLeaves(leaves);
  }
};

// Faults that the thread itself meets: each of its calls knows afterwards what it ran into.
struct Injected {
  std::mt19937* random = nullptr;
  int one_in = 0;  // 0: no faults
  bool any = false, launch = false, completion = false;
};
thread_local Injected injected;

absl::Status Inject(FaultPoint point) {
  if (injected.one_in == 0 || (*injected.random)() % injected.one_in != 0) return absl::OkStatus();
  injected.any = true;
  if (point == FaultPoint::kLaunch) injected.launch = true;
  if (point == FaultPoint::kCompletion) injected.completion = true;
  return point == FaultPoint::kUpload ? absl::ResourceExhaustedError("injected: out of memory")
                                      : absl::InternalError("injected");
}

// Opens gates a little later, on a thread of its own.
class Completer {
 public:
  Completer() : thread_([this] { Work(); }) {}
  ~Completer() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  std::shared_ptr<Gate> Hold() {
    auto gate = std::make_shared<Gate>();
    const std::lock_guard lock(mutex_);
    gates_.push_back(gate);
    changed_.notify_one();
    return gate;
  }

 private:
  void Work() {
    while (true) {
      std::vector<std::shared_ptr<Gate>> gates;
      bool done = false;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return done_ || !gates_.empty(); });
        gates.swap(gates_);
        done = done_;
      }
      std::this_thread::yield();
      for (const auto& gate : gates) gate->Open();
      if (done && gates.empty()) return;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Gate>> gates_;
  bool done_ = false;
  std::thread thread_;
};

// One thread's operations in a session, which it may share.
class Client {
 public:
  Client(std::shared_ptr<Session> session, uint32_t seed, int one_in)
      : session_(std::move(session)), random_(seed) {
    injected = {&random_, one_in};
    for (const absl::string_view text : {kAdd, kAddInPlace}) {
      modules_.push_back(ModuleOf(text));
      while (!Compile(modules_.back())) {
      }
    }
  }
  ~Client() { injected = {}; }

  void Run() {
    for (int i = 0; i < kSteps && !::testing::Test::HasFailure(); ++i) {
      injected.any = injected.launch = injected.completion = false;
      Step();
    }
    // Each value must be what the model says, once more and without faults.
    injected.one_in = 0;
    for (const auto& [handle, value] : values_) ExpectRead(handle, value);
    std::vector<int64_t> all;
    for (const auto& [handle, value] : values_) all.push_back(handle);
    EXPECT_TRUE(session_->handles().Release(all, HandleKind::kAllocation).ok());
    EXPECT_TRUE(session_->handles().Release(programs_, HandleKind::kProgram).ok());
  }

 private:
  using Values = std::map<int64_t, ModelValue>;

  void Step() {
    switch (random_() % 10) {
      case 0:
      case 1:
        return Allocate();
      case 2:
        return MakeTuple();
      case 3:
        return SubTuple();
      case 4:
      case 5:
        return Execute();
      case 6:
        return Read();
      case 7:
        return Release();
      case 8:
        return Write();
      case 9:
        return random_() % 2 == 0 ? Chain() : Recompile();
    }
  }

  bool Compile(const std::shared_ptr<const VerifiedModule>& module) {
    auto program = session_->Compile(module);
    if (!program.ok()) {
      // The fault may be another thread's, whose compilation this one waited for.
      EXPECT_TRUE(absl::StrContains(program.status().message(), "injected")) << program.status();
      return false;
    }
    programs_.push_back(*session_->Keep(*std::move(program)));
    return true;
  }

  void Recompile() {
    const int which = random_() % 2;
    const int64_t old = programs_[which];
    if (!Compile(modules_[which])) return;
    std::swap(programs_[which], programs_.back());
    programs_.pop_back();
    const int64_t released[] = {old};
    EXPECT_TRUE(session_->handles().Release(released, HandleKind::kProgram).ok());
    EXPECT_EQ(ErrorIdOf(session_->handles().Release(released, HandleKind::kProgram)), "AX0620");
  }

  // A value that fits; the end where there is none.
  template <typename Fits>
  Values::iterator Pick(const Fits& fits) {
    std::vector<Values::iterator> candidates;
    for (auto it = values_.begin(); it != values_.end(); ++it) {
      if (fits(it->second)) candidates.push_back(it);
    }
    return candidates.empty() ? values_.end() : candidates[random_() % candidates.size()];
  }
  Values::iterator PickArray() {
    return Pick([](const ModelValue& value) { return value.leaf != nullptr; });
  }
  Values::iterator PickAny() {
    return Pick([](const ModelValue&) { return true; });
  }

  // How often the leaf occurs in all values of this client.
  int Holders(const ModelLeaf* leaf) const {
    int count = 0;
    for (const auto& [handle, value] : values_) {
      std::vector<ModelLeaf*> leaves;
      value.AppendLeaves(&leaves);
      count += static_cast<int>(std::count(leaves.begin(), leaves.end(), leaf));
    }
    return count;
  }

  void Keep(absl::StatusOr<Allocation> allocation, ModelValue value) {
    ASSERT_TRUE(allocation.ok()) << allocation.status();
    const absl::StatusOr<int64_t> handle = session_->Keep(*std::move(allocation));
    ASSERT_TRUE(handle.ok()) << handle.status();
    values_[*handle] = std::move(value);
  }

  void Allocate() {
    auto leaf = std::make_shared<ModelLeaf>();
    for (float& value : leaf->values) value = static_cast<float>(random_() % 100);
    auto uploaded = session_->Upload(Floats({leaf->values[0], leaf->values[1]}));
    if (!uploaded.ok()) {
      EXPECT_TRUE(injected.any) << uploaded.status();
      EXPECT_EQ(ErrorIdOf(uploaded.status()), "AX0617");
      return;
    }
    Keep(std::move(uploaded), {std::move(leaf), {}});
  }

  void MakeTuple() {
    const auto a = PickAny(), b = PickAny();
    if (a == values_.end()) return;
    std::vector<ModelLeaf*> leaves;
    a->second.AppendLeaves(&leaves);
    b->second.AppendLeaves(&leaves);
    if (leaves.size() > 64) return;
    const auto first = session_->handles().FindAllocation(a->first);
    const auto second = session_->handles().FindAllocation(b->first);
    ASSERT_TRUE(first.ok() && second.ok());
    Keep(Allocation::Tuple({first->get(), second->get()}), {nullptr, {a->second, b->second}});
  }

  void SubTuple() {
    const auto tuple = Pick([](const ModelValue& value) { return value.leaf == nullptr; });
    if (tuple == values_.end()) return;
    const int64_t index[] = {static_cast<int64_t>(random_() % 2)};
    const auto whole = session_->handles().FindAllocation(tuple->first);
    ASSERT_TRUE(whole.ok()) << whole.status();
    Keep((*whole)->SubTuple(index), tuple->second.elements[index[0]]);
    const int64_t beyond[] = {2};
    EXPECT_EQ(ErrorIdOf((*whole)->SubTuple(beyond).status()), "AX0612");
  }

  void Execute() {
    const auto a = PickArray(), b = PickArray();
    if (a == values_.end()) return;
    const int which = random_() % 2;
    const int64_t inputs[] = {a->first, b->first};
    const bool give[] = {random_() % 2 == 0, false};
    ModelLeaf& x = *a->second.leaf;
    ModelLeaf& y = *b->second.leaf;
    Session::ExecuteRequest request{.program = programs_[which], .inputs = inputs};
    request.release_inputs = random_() % 4 == 0;
    if (give[0]) request.launch.give = give;
    const bool takes = which == 1 && give[0] && &x != &y && Holders(&x) == 1;
    const bool had_gone = x.gone || y.gone;
    const bool had_poison = x.poisoned || y.poisoned;

    const auto handles = session_->Execute(request);
    const bool fails_later = injected.completion || had_poison;
    if (had_gone || injected.launch || (fails_later && request.release_inputs)) {
      ASSERT_FALSE(handles.ok());
      if (had_gone) {
        EXPECT_EQ(ErrorIdOf(handles.status()), "AX0604");
      }
      if (!had_gone && !injected.launch && takes) x.gone = true;
      return;
    }
    ASSERT_TRUE(handles.ok()) << handles.status();
    auto sum = std::make_shared<ModelLeaf>();
    sum->poisoned = fails_later;
    for (int i = 0; i < 2; ++i) sum->values[i] = x.values[i] + y.values[i];
    if (takes) x.gone = true;
    if (request.release_inputs) {
      values_.erase(inputs[0]);
      values_.erase(inputs[1]);
    }
    values_[handles->front()] = {std::move(sum), {}};
  }

  // b + (a + b), in one request.
  void Chain() {
    const auto a = PickArray(), b = PickArray();
    if (a == values_.end()) return;
    const ModelLeaf &x = *a->second.leaf, &y = *b->second.leaf;
    using Kind = ChainStep::Kind;
    const std::vector<ChainStep> steps = {
        {Kind::kValue, a->first, {}, {}},
        {Kind::kValue, b->first, {}, {{0, 1}}},
        {Kind::kProgram, programs_[0], {{0, 0}, {1, 0}}, {}},
        {Kind::kProgram, programs_[0], {{1, 0}, {2, 0}}, {{0, 0}}}};
    const auto handles = ExecuteChain(*session_, steps);
    if (x.gone || y.gone || injected.launch) {
      ASSERT_FALSE(handles.ok());
      return;
    }
    ASSERT_TRUE(handles.ok()) << handles.status();
    auto sum = std::make_shared<ModelLeaf>();
    sum->poisoned = x.poisoned || y.poisoned || injected.completion;
    for (int i = 0; i < 2; ++i) sum->values[i] = y.values[i] + (x.values[i] + y.values[i]);
    const ModelValue same = b->second;
    values_[(*handles)[0]] = {std::move(sum), {}};
    values_[(*handles)[1]] = same;
  }

  void ExpectRead(int64_t handle, const ModelValue& value) {
    std::vector<ModelLeaf*> leaves;
    value.AppendLeaves(&leaves);
    const auto found = session_->handles().FindAllocation(handle);
    ASSERT_TRUE(found.ok()) << found.status();
    const auto literal = (*found)->ToLiteral();
    const bool bad = std::any_of(leaves.begin(), leaves.end(), [](const ModelLeaf* leaf) {
      return leaf->gone || leaf->poisoned;
    });
    if (bad) {
      EXPECT_FALSE(literal.ok());
      return;
    }
    if (!literal.ok()) {
      EXPECT_TRUE(injected.any) << literal.status();
      return;
    }
    std::vector<float> got, expected;
    Append(*literal, &got);
    for (const ModelLeaf* leaf : leaves) {
      expected.insert(expected.end(), std::begin(leaf->values), std::end(leaf->values));
    }
    EXPECT_EQ(got, expected);
  }
  static void Append(const hlo::Literal& literal, std::vector<float>* out) {
    if (!literal.IsTuple()) {
      const auto values = literal.data<float>();
      out->insert(out->end(), values.begin(), values.end());
    }
    for (const hlo::Literal& element : literal.elements()) Append(element, out);
  }

  void Read() {
    const auto value = PickAny();
    if (value != values_.end()) ExpectRead(value->first, value->second);
  }

  void Release() {
    const auto a = PickAny(), b = PickAny();
    if (a == values_.end()) return;
    HandleTable& handles = session_->handles();
    const int64_t with_stranger[] = {a->first, 1, b->first};
    EXPECT_EQ(ErrorIdOf(handles.Release(with_stranger, HandleKind::kAllocation)), "AX0620");
    const int64_t with_program[] = {a->first, programs_[0]};
    EXPECT_EQ(ErrorIdOf(handles.Release(with_program, HandleKind::kAllocation)), "AX0622");
    const int64_t both[] = {a->first, b->first, a->first};
    EXPECT_TRUE(handles.Release(both, HandleKind::kAllocation).ok());
    EXPECT_EQ(ErrorIdOf(handles.Release(both, HandleKind::kAllocation)), "AX0620");
    values_.erase(both[0]);
    values_.erase(both[1]);
  }

  // Through one handle; all that share the leaf see it.
  void Write() {
    const auto target = PickArray();
    if (target == values_.end()) return;
    ModelLeaf& leaf = *target->second.leaf;
    const float values[2] = {static_cast<float>(random_() % 100), 7};
    const auto found = session_->handles().FindAllocation(target->first);
    ASSERT_TRUE(found.ok()) << found.status();
    const absl::Status status = session_->Write(**found, Floats({values[0], values[1]}));
    if (leaf.gone || injected.any) {
      EXPECT_FALSE(status.ok());
      return;
    }
    ASSERT_TRUE(status.ok()) << status;
    std::copy(std::begin(values), std::end(values), std::begin(leaf.values));
    leaf.poisoned = false;
  }

  const std::shared_ptr<Session> session_;
  std::mt19937 random_;
  std::vector<std::shared_ptr<const VerifiedModule>> modules_;
  std::vector<int64_t> programs_;  // kAdd, kAddInPlace
  Values values_;
};

struct Setup {
  bool one_session = false;
  int fault_one_in = 0;
  bool slow = false;  // runs end later, on another thread
};

class SessionModelTest : public ::testing::TestWithParam<int> {};

void RunClients(const Setup& setup, uint32_t seed) {
  Completer completer;
  Faults faults;
  faults.fail = Inject;
  std::atomic<uint32_t> launches = 0;
  if (setup.slow) {
    faults.hold = [&] { return ++launches % 2 == 0 ? completer.Hold() : nullptr; };
  }
  const std::shared_ptr<Store> store = StoreOf(faults);
  const auto shared = store->OpenSession({.name = "shared"});
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      auto session = setup.one_session ? shared : store->OpenSession({.name = "own"});
      Client(session, seed + t, setup.fault_one_in).Run();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared->handles().counts().allocations, 0);
  EXPECT_EQ(shared->handles().counts().programs, 0);
  // Runs whose results nobody waited for may still be under way.
  for (int i = 0; i < 10'000 && store->device_account(0).used() != 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(store->device_account(0).used(), 0);
  EXPECT_EQ(shared->account().used(), 0);
  EXPECT_TRUE(store->cache()->Holders().empty());
}

TEST_P(SessionModelTest, SessionsApart) { RunClients({}, 1000 * GetParam()); }
TEST_P(SessionModelTest, OneSession) { RunClients({.one_session = true}, 1000 * GetParam()); }
TEST_P(SessionModelTest, WithFaults) { RunClients({.fault_one_in = 6}, 1000 * GetParam()); }
TEST_P(SessionModelTest, WithFaultsInOneSlowSession) {
  RunClients({.one_session = true, .fault_one_in = 6, .slow = true}, 1000 * GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, SessionModelTest, ::testing::Range(1, 4));

}  // namespace
}  // namespace axle::runtime
