// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <thread>

#include "xrt/xrt_testing.h"

namespace axle::xrt {
namespace {

using hlo::Literal;
using Node = wire::XLATupleNode;

class TupleTest : public XrtTest {
 protected:
  static void AddLeaf(int32_t input, bool release, Node* node) {
    Node* const leaf = node->add_tuples();
    leaf->set_input_index(input);
    leaf->set_release_input_handle(release);
  }
  int64_t MakeTuple(const Node& node, std::vector<int64_t> handles) {
    return client().Make("XRTMakeTuple", Inputs(node, std::move(handles)));
  }
  std::string FailTuple(const Node& node, std::vector<int64_t> handles) {
    return client().Fail("XRTMakeTuple", Inputs(node, std::move(handles)));
  }
  static std::vector<Value> Inputs(const Node& node, std::vector<int64_t> handles) {
    std::vector<Value> inputs = {Message(node)};
    for (const int64_t handle : handles) inputs.push_back(Handle(handle));
    return inputs;
  }
};

TEST_P(TupleTest, PartsShareTheirArrays) {
  const int64_t base = client().Allocate(Literal::Tuple({Floats({1, 2}), Ints({3})}));
  const int64_t used = client().session->account().used();
  const int64_t part = client().Make("XRTSubTuple", {Handle(base), Index({1})});
  EXPECT_EQ(client().session->account().used(), used);
  client().ExpectValue(part, Ints({3}));
  // What only the base held is freed with it.
  EXPECT_TRUE(client().Run("XRTReleaseAllocationHandle", {Handle(base)}).ok());
  EXPECT_EQ(client().session->account().used(), 4);
}

TEST_P(TupleTest, TheEmptyIndexIsTheWhole) {
  const Literal value = Literal::Tuple({Floats({1, 2})});
  const int64_t base = client().Allocate(value);
  const int64_t whole = client().Make("XRTSubTupleAndRelease", {Handle(base), Index({})});
  EXPECT_FALSE(client().Knows(base));
  client().ExpectValue(whole, value);
}

TEST_P(TupleTest, ABadIndexLosesNothing) {
  const Literal value = Literal::Tuple({Floats({1, 2}), Literal::Tuple({})});
  const int64_t base = client().Allocate(value);
  const std::vector<std::vector<int32_t>> bad = {
      {2}, {-1}, {0, 0}, {1, 0}, {std::numeric_limits<int32_t>::max()}};
  for (const std::vector<int32_t>& index : bad) {
    EXPECT_EQ(client().Fail("XRTSubTupleAndRelease", {Handle(base), Index(index)}), "AX0612");
  }
  client().ExpectValue(base, value);
  EXPECT_EQ(client().handle_count(), 1);
}

TEST_P(TupleTest, ALeafGraftsAWholeInput) {
  const Literal pair = Literal::Tuple({Floats({1}), Ints({2})});
  const int64_t a = client().Allocate(pair);
  Node node;
  AddLeaf(0, false, &node);
  client().ExpectValue(MakeTuple(node, {a}), Literal::Tuple({pair}));
}

TEST_P(TupleTest, AnInnerNodesOtherFieldsDoNotCount) {
  const int64_t a = client().Allocate(Floats({1}));
  Node node;
  node.set_input_index(77);
  node.set_release_input_handle(true);
  AddLeaf(0, false, &node);
  client().ExpectValue(MakeTuple(node, {a}), Literal::Tuple({Floats({1})}));
  EXPECT_TRUE(client().Knows(a));
}

TEST_P(TupleTest, ABareLeafForwardsItsInput) {
  const int64_t a = client().Allocate(Floats({1}));
  const int64_t second = MakeTuple(Node(), {a});
  EXPECT_NE(second, a);
  EXPECT_TRUE(client().Knows(a));
  client().ExpectValue(second, Floats({1}));
}

TEST_P(TupleTest, SlotsOfOneHandleAreOneInput) {
  const int64_t a = client().Allocate(Floats({1}));
  const int64_t b = client().Allocate(Floats({2}));
  const auto fail = [&](int x, bool release_x, int y, bool release_y,
                        std::vector<int64_t> handles) {
    Node node;
    AddLeaf(x, release_x, &node);
    AddLeaf(y, release_y, &node);
    return FailTuple(node, std::move(handles));
  };
  EXPECT_EQ(fail(0, true, 0, true, {a}), "AX1019");
  EXPECT_EQ(fail(0, true, 0, false, {a}), "AX1019");
  EXPECT_EQ(fail(0, true, 1, true, {a, a}), "AX1019");
  EXPECT_EQ(fail(0, false, 1, true, {a, a}), "AX1019");
  EXPECT_EQ(client().handle_count(), 2);
  client().ExpectValue(a, Floats({1}));

  Node node;  // one slot unused, the other released
  AddLeaf(1, true, &node);
  AddLeaf(2, false, &node);
  const int64_t pair = MakeTuple(node, {a, a, b});
  EXPECT_FALSE(client().Knows(a));
  EXPECT_TRUE(client().Knows(b));
  client().ExpectValue(pair, Literal::Tuple({Floats({1}), Floats({2})}));
}

TEST_P(TupleTest, InputsThatAreNotThere) {
  const int64_t a = client().Allocate(Floats({1}));
  for (const int32_t input : {1, -1, std::numeric_limits<int32_t>::max()}) {
    Node node;
    AddLeaf(0, true, &node);
    AddLeaf(input, false, &node);
    EXPECT_EQ(FailTuple(node, {a}), "AX1018");
  }
  EXPECT_EQ(FailTuple(Node(), {}), "AX1018");
  Node node;
  AddLeaf(0, true, &node);
  EXPECT_EQ(FailTuple(node, {a, 99}), "AX0620");
  EXPECT_TRUE(client().Knows(a));
}

// (h, h) applied over and over doubles the leaves with each call.
TEST_P(TupleTest, GrowthByAliasesIsBounded) {
  Node doubled;
  AddLeaf(0, false, &doubled);
  AddLeaf(0, false, &doubled);
  int64_t handle = client().Allocate(Floats({1}));
  for (int level = 0; level < 20; ++level) handle = MakeTuple(doubled, {handle});
  EXPECT_EQ(FailTuple(doubled, {handle}), "AX0611");
  EXPECT_EQ(client().session->account().used(), 4);
}

TEST_P(TupleTest, LevelsAreBounded) {
  Node wrap;
  AddLeaf(0, false, &wrap);
  int64_t handle = client().Allocate(Floats({1}));
  for (int level = 0; level < 64; ++level) handle = MakeTuple(wrap, {handle});
  EXPECT_EQ(FailTuple(wrap, {handle}), "AX0611");
  // Deeper than a message may nest.
  Node deep;
  Node* node = &deep;
  for (int level = 0; level < 150; ++level) node = node->add_tuples();
  EXPECT_EQ(FailTuple(deep, {handle}), "AX1005");
}

// Whatever races to release a handle: one call has it, the others find nothing and make nothing.
TEST_P(TupleTest, OneReleaseWins) {
  const Literal value = Literal::Tuple({Floats({1, 2})});
  Node pair;
  AddLeaf(0, true, &pair);
  for (int round = 0; round < 20; ++round) {
    const int64_t handle = client().Allocate(value);
    std::atomic<int> made = 0, read = 0;
    const auto call = [&](absl::string_view op, std::vector<Value> inputs, std::atomic<int>* won) {
      return std::thread([this, op, inputs, won] {
        const auto outputs = client().Run(op, inputs);
        if (outputs.ok()) {
          ++*won;
        } else {
          EXPECT_EQ(ErrorIdOf(outputs.status()), "AX0620");
        }
      });
    };
    std::vector<std::thread> threads;
    threads.push_back(call("XRTSubTupleAndRelease", {Handle(handle), Index({0})}, &made));
    threads.push_back(call("XRTMakeTuple", Inputs(pair, {handle}), &made));
    threads.push_back(call("XRTReadLiteralAndRelease", {Handle(handle)}, &read));
    threads.push_back(call("XRTReleaseAllocationHandle", {Handle(handle)}, &read));
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(made + read, 1);
    EXPECT_EQ(client().handle_count(), made);
    EXPECT_TRUE(client().Run("XRTReleaseAllAllocations", {}).ok());
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, TupleTest, AllBackends(), BackendTestName);

}  // namespace
}  // namespace axle::xrt
