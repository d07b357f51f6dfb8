// SPDX-License-Identifier: Apache-2.0
// Random sequences of operations against a model, several sessions of one store at once.
#include <algorithm>
#include <random>
#include <set>
#include <thread>

#include "xrt/xrt_testing.h"

namespace axle::xrt {
namespace {

using hlo::Literal;

constexpr char kIncrement[] = R"(
HloModule increment
ENTRY main {
  x = f32[2] parameter(0)
  one = f32[] constant(1)
  ones = f32[2] broadcast(one), dimensions={}
  ROOT r = f32[2] add(x, ones)
})";

// A value: an f32[2] that trees share, or a tuple.
struct Tree {
  std::shared_ptr<std::vector<float>> leaf;  // null for a tuple
  std::vector<Tree> elements;
};

Literal LiteralOf(const Tree& tree) {
  if (tree.leaf != nullptr) return Floats(*tree.leaf);
  std::vector<Literal> elements;
  for (const Tree& element : tree.elements) elements.push_back(LiteralOf(element));
  return Literal::Tuple(std::move(elements));
}

void AddLeaves(const Tree& tree, std::set<const void*>* leaves) {
  if (tree.leaf != nullptr) leaves->insert(tree.leaf.get());
  for (const Tree& element : tree.elements) AddLeaves(element, leaves);
}

int64_t SizeOf(const Tree& tree) {
  int64_t size = 1;
  for (const Tree& element : tree.elements) size += SizeOf(element);
  return size;
}

// One client that does things at random and knows what must come of them.
class Walker {
 public:
  Walker(const std::shared_ptr<runtime::Store>& store, int seed)
      : client_(store), random_(seed), increment_(client_.Compile(kIncrement)) {}

  void Step() {
    if (live_.empty() || Below(live_.size() < kMaxLive ? 5 : 50) == 0) return Allocate();
    if (live_.size() > kMaxLive) return Release();
    switch (Below(6)) {
      case 0:
        return SubTuple();
      case 1:
        return MakeTuple();
      case 2:
        return Write();
      case 3:
        return Read();
      case 4:
        return Execute();
      default:
        return Release();
    }
  }

  // Every leaf that something holds is charged once.
  void CheckAccount() {
    std::set<const void*> leaves;
    for (const auto& [handle, tree] : live_) AddLeaves(tree, &leaves);
    EXPECT_EQ(client_.session->account().used(), static_cast<int64_t>(leaves.size() * 8));
    EXPECT_EQ(client_.session->handles().counts().allocations, static_cast<int64_t>(live_.size()));
  }

 private:
  static constexpr size_t kMaxLive = 20;
  static constexpr int64_t kMaxSize = 200;

  uint32_t Below(uint32_t bound) { return random_() % bound; }
  std::map<int64_t, Tree>::iterator Pick() {
    return std::next(live_.begin(), Below(static_cast<uint32_t>(live_.size())));
  }
  void Forget(int64_t handle) {
    live_.erase(handle);
    dead_.push_back(handle);
  }

  Tree RandomTree(int depth) {
    if (depth == 0 || Below(3) == 0) {
      return {std::make_shared<std::vector<float>>(
                  std::vector<float>{float(Below(100)), float(Below(100))}),
              {}};
    }
    Tree tree;
    for (uint32_t i = Below(4); i > 0; --i) tree.elements.push_back(RandomTree(depth - 1));
    return tree;
  }

  void Allocate() {
    const Tree tree = RandomTree(2);
    live_.emplace(client_.Allocate(LiteralOf(tree)), tree);
  }

  void SubTuple() {
    const int64_t base = Pick()->first;
    Tree part = live_[base];
    std::vector<int32_t> index;
    while (!part.elements.empty() && Below(3) != 0) {
      index.push_back(static_cast<int32_t>(Below(part.elements.size())));
      part = Tree(part.elements[index.back()]);
    }
    const bool release = Below(2) == 0;
    const int64_t handle = client_.Make(release ? "XRTSubTupleAndRelease" : "XRTSubTuple",
                                        {Handle(base), Index(index)});
    if (release) Forget(base);
    live_.emplace(handle, std::move(part));
  }

  void MakeTuple() {
    wire::XLATupleNode node;
    std::vector<Value> inputs = {Bytes("")};
    std::vector<int64_t> handles;
    Tree tuple;
    for (uint32_t i = 1 + Below(3); i > 0; --i) {
      const auto [handle, tree] = *Pick();
      wire::XLATupleNode* const leaf = node.add_tuples();
      leaf->set_input_index(static_cast<int32_t>(handles.size()));
      leaf->set_release_input_handle(Below(3) == 0);
      inputs.push_back(Handle(handle));
      handles.push_back(handle);
      tuple.elements.push_back(tree);
    }
    if (SizeOf(tuple) > kMaxSize) return;
    bool refused = false;
    for (size_t i = 0; i < handles.size(); ++i) {
      refused |= node.tuples(static_cast<int>(i)).release_input_handle() &&
                 std::count(handles.begin(), handles.end(), handles[i]) > 1;
    }
    inputs[0] = Message(node);
    if (refused) {
      EXPECT_EQ(client_.Fail("XRTMakeTuple", inputs), "AX1019");
      return;
    }
    const int64_t made = client_.Make("XRTMakeTuple", inputs);
    for (size_t i = 0; i < handles.size(); ++i) {
      if (node.tuples(static_cast<int>(i)).release_input_handle()) Forget(handles[i]);
    }
    live_.emplace(made, std::move(tuple));
  }

  // Depth first, so that of a leaf that occurs twice the last values stay.
  void Overwrite(const Tree& tree, const Literal& literal) {
    if (tree.leaf != nullptr) {
      tree.leaf->assign(literal.data<float>().begin(), literal.data<float>().end());
    }
    for (size_t i = 0; i < tree.elements.size(); ++i) {
      Overwrite(tree.elements[i], literal.elements()[i]);
    }
  }

  void Write() {
    const auto [handle, tree] = *Pick();
    Literal literal = LiteralOf(tree);
    Refill(&literal);
    EXPECT_EQ(client_.Make("XRTWriteLiteral", {Handle(handle), Message(Proto(literal))}), handle);
    Overwrite(tree, literal);
  }
  void Refill(Literal* literal) {
    if (literal->IsTuple()) {
      for (Literal& element : literal->elements()) Refill(&element);
    } else {
      for (float& value : literal->data<float>()) value = float(Below(100));
    }
  }

  void Read() {
    const auto [handle, tree] = *Pick();
    client_.ExpectValue(handle, LiteralOf(tree));
  }

  void Execute() {
    const auto [handle, tree] = *Pick();
    wire::XRTExecutionConfig config;
    config.set_release_input_handles(Below(2) == 0);
    const std::vector<Value> inputs = {Handle(increment_), Message(config), Handle(handle)};
    if (tree.leaf == nullptr) {
      EXPECT_EQ(client_.Fail("XRTExecute", inputs), "AX0601");
      return;
    }
    const std::vector<float>& x = *tree.leaf;
    Tree result{std::make_shared<std::vector<float>>(std::vector<float>{x[0] + 1, x[1] + 1}), {}};
    const int64_t made = client_.Make("XRTExecute", inputs);
    if (config.release_input_handles()) Forget(handle);
    live_.emplace(made, std::move(result));
  }

  void Release() {
    const int64_t handle = Pick()->first;
    if (!dead_.empty()) {
      const int64_t dead = dead_[Below(static_cast<uint32_t>(dead_.size()))];
      EXPECT_EQ(client_.Fail("XRTReadLiteral", {Handle(dead)}), "AX0620");
      EXPECT_EQ(client_.Fail("XRTReleaseAllocationHandle", {HandleList({handle, dead})}), "AX0620");
    }
    EXPECT_TRUE(client_.Run("XRTReleaseAllocationHandle", {Handle(handle)}).ok());
    Forget(handle);
  }

  Client client_;
  std::mt19937 random_;
  const int64_t increment_;
  std::map<int64_t, Tree> live_;
  std::vector<int64_t> dead_;
};

TEST(SequenceTest, AgreesWithTheModel) {
  const auto store = runtime::Store::Create(*SharedBackend("reference"), WithLoader());
  std::vector<std::thread> threads;
  for (int seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&store, seed] {
      Walker walker(store, seed);
      for (int step = 0; step < 400; ++step) {
        walker.Step();
        walker.CheckAccount();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store->cache()->stats().compiles, 1);
  EXPECT_EQ(store->device_account(0).used(), 0);
}

// Threads that share one session and its handles: whatever they do to each other's, nothing is
// lost or counted twice.
TEST(SequenceTest, OneSessionOfManyThreads) {
  Client client(runtime::Store::Create(*SharedBackend("reference"), WithLoader()));
  const int64_t increment = client.Compile(kIncrement);
  std::vector<int64_t> handles;
  for (int i = 0; i < 40; ++i) handles.push_back(client.Allocate(Floats({1, 2})));
  wire::XRTExecutionConfig config;
  config.set_release_input_handles(true);
  const Value release = Message(config);
  wire::XLATupleNode pair;
  for (int i = 0; i < 2; ++i) {
    pair.add_tuples()->set_input_index(i);
    pair.mutable_tuples(i)->set_release_input_handle(true);
  }
  std::vector<std::thread> threads;
  for (int seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (int step = 0; step < 200; ++step) {
        const Value a = Handle(handles[random() % handles.size()]);
        const Value b = Handle(handles[random() % handles.size()]);
        switch (random() % 4) {
          case 0:
            client.Run("XRTExecute", {Handle(increment), release, a}).IgnoreError();
            break;
          case 1:
            client.Run("XRTMakeTuple", {Message(pair), a, b}).IgnoreError();
            break;
          case 2:
            client.Run("XRTReadLiteral", {a}).IgnoreError();
            break;
          default:
            client.Run("XRTWriteLiteral", {a, Message(Proto(Floats({3, 4})))}).IgnoreError();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(client.Run("XRTReleaseAllAllocations", {}).ok());
  EXPECT_EQ(client.session->account().used(), 0);
  EXPECT_EQ(client.handle_count(), 1);
}

}  // namespace
}  // namespace axle::xrt
