// SPDX-License-Identifier: Apache-2.0
#include "runtime/allocation.h"

#include <memory>
#include <vector>

#include "base/error.h"
#include "gtest/gtest.h"
#include "runtime/runtime_testing.h"

namespace axle::runtime {
namespace {

class AllocationTest : public ::testing::Test {
 protected:
  Allocation Of(const hlo::Literal& literal, int device = 0) {
    return Value(*session_, literal, device);
  }

  std::shared_ptr<Store> store_ = StoreOf();
  std::shared_ptr<Session> session_ = store_->OpenSession({.name = "test"});
};

TEST_F(AllocationTest, TuplesShareLeaves) {
  const Allocation a = Of(Floats({1, 3}));
  const Allocation b = Of(Floats({12}));
  const absl::StatusOr<Allocation> inner = Allocation::Tuple({&a, &b});
  ASSERT_TRUE(inner.ok()) << inner.status();
  const absl::StatusOr<Allocation> outer = Allocation::Tuple({&*inner, &a});
  ASSERT_TRUE(outer.ok()) << outer.status();
  EXPECT_EQ(outer->shape().ToString(false), "((f32[2], f32[1]), f32[2])");
  ASSERT_EQ(outer->leaves().size(), 3);
  EXPECT_EQ(outer->leaves()[0], a.leaves()[0]);
  EXPECT_EQ(outer->leaves()[1], b.leaves()[0]);
  EXPECT_EQ(outer->leaves()[2], a.leaves()[0]);
  EXPECT_EQ(session_->account().used(), 12);  // 8 + 4 bytes, however often they are shared
}

TEST_F(AllocationTest, PartsOutliveTheWhole) {
  std::vector<hlo::Literal> inner;
  inner.push_back(Floats({1, 3}));
  inner.push_back(Floats({4, 5, 6}));
  std::vector<hlo::Literal> outer;
  outer.push_back(hlo::Literal::Tuple(std::move(inner)));
  outer.push_back(Floats({12}));
  Allocation whole = Of(hlo::Literal::Tuple(std::move(outer)));
  const Allocation second = *whole.SubTuple({0, 1});
  const Allocation last = *whole.SubTuple({1});
  const Allocation first = *whole.SubTuple({0});
  const Allocation everything = *whole.SubTuple({});
  EXPECT_EQ(everything.shape(), whole.shape());
  whole = Allocation();
  ExpectHolds(second, Floats({4, 5, 6}));
  ExpectHolds(last, Floats({12}));
  EXPECT_EQ(first.shape().ToString(false), "(f32[2], f32[3])");
}

TEST_F(AllocationTest, SubTupleRefusesWhatIsNotThere) {
  const Allocation a = Of(Floats({1, 3}));
  const Allocation pair = *Allocation::Tuple({&a, &a});
  const std::vector<std::vector<int64_t>> wrong = {{2}, {-1}, {0, 0}, {int64_t{1} << 40}};
  for (const std::vector<int64_t>& index : wrong) {
    EXPECT_EQ(ErrorIdOf(pair.SubTuple(index).status()), "AX0612");
  }
  EXPECT_EQ(ErrorIdOf(a.SubTuple({0}).status()), "AX0612");
}

TEST_F(AllocationTest, EmptyTuplesHaveNoLeaves) {
  const Allocation empty = *Allocation::Tuple({});
  EXPECT_EQ(empty.shape().ToString(false), "()");
  EXPECT_TRUE(empty.leaves().empty());
  EXPECT_EQ(empty.device(), nullptr);
  ExpectHolds(empty, hlo::Literal::Tuple({}));
  const Allocation nested = *Allocation::Tuple({&empty, &empty});
  EXPECT_EQ(nested.Elements().size(), 2);
}

// (h, h) over and over doubles the leaves each time: 2^20 is the most.
TEST_F(AllocationTest, DoublingEndsAtTheBound) {
  Allocation value = Of(Floats({1}));
  int doublings = 0;
  absl::Status status;
  while (doublings < 64) {
    absl::StatusOr<Allocation> twice = Allocation::Tuple({&value, &value});
    status = twice.status();
    if (!status.ok()) break;
    value = *std::move(twice);
    ++doublings;
  }
  EXPECT_EQ(doublings, 20);
  EXPECT_EQ(ErrorIdOf(status), "AX0611");
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_EQ(session_->account().used(), 4);
}

TEST_F(AllocationTest, DoublingEmptyTuplesEndsToo) {
  Allocation value = *Allocation::Tuple({});
  int doublings = 0;
  while (doublings < 64) {
    absl::StatusOr<Allocation> twice = Allocation::Tuple({&value, &value});
    if (!twice.ok()) break;
    value = *std::move(twice);
    ++doublings;
  }
  EXPECT_EQ(doublings, 20);
}

TEST_F(AllocationTest, LevelsEndAtTheBound) {
  Allocation value = Of(Floats({1}));
  int levels = 0;
  absl::Status status;
  while (levels < 100) {
    absl::StatusOr<Allocation> deeper = Allocation::Tuple({&value});
    status = deeper.status();
    if (!status.ok()) break;
    value = *std::move(deeper);
    ++levels;
  }
  EXPECT_EQ(levels, 64);
  EXPECT_EQ(ErrorIdOf(status), "AX0611");
}

TEST_F(AllocationTest, TuplesStayOnOneDevice) {
  const Allocation here = Of(Floats({1}), 0);
  const Allocation there = Of(Floats({1}), 1);
  EXPECT_EQ(ErrorIdOf(Allocation::Tuple({&here, &there}).status()), "AX0602");
}

// 2^20 leaves of 64 KiB each are 64 GiB on the host, from 64 KiB on the device.
TEST_F(AllocationTest, ReadingIsBounded) {
  Allocation value = Of(*hlo::Literal::Zeros(hlo::Shape::Array(hlo::ElementType::kF32, {1 << 14})));
  for (int i = 0; i < 20; ++i) value = *Allocation::Tuple({&value, &value});
  const absl::StatusOr<hlo::Literal> literal = value.ToLiteral((int64_t{64} << 30) - 1);
  EXPECT_EQ(ErrorIdOf(literal.status()), "AX0606");
}

TEST_F(AllocationTest, CopiesAreFurtherHolders) {
  Allocation a = Of(Floats({1, 2}));
  const std::shared_ptr<Leaf> leaf = a.leaves()[0];
  {
    const Allocation copy = a;
    EXPECT_FALSE(leaf->TryClaim());
  }
  ASSERT_TRUE(leaf->TryClaim());
  EXPECT_FALSE(leaf->TryClaim());  // one claim at a time
  EXPECT_EQ(ErrorIdOf(leaf->buffer().status()), "AX0604");
  leaf->Unclaim();
  EXPECT_TRUE(leaf->buffer().ok());
  Allocation moved = std::move(a);
  EXPECT_TRUE(leaf->TryClaim());
  leaf->Unclaim();
}

// A hundred leaves, so that a write that locked them all would pass what ThreadSanitizer bears.
TEST_F(AllocationTest, WritesAllLeavesOrNone) {
  std::vector<Allocation> values;
  std::vector<std::shared_ptr<Leaf>> leaves;
  std::vector<std::shared_ptr<Buffer>> buffers;
  for (int i = 0; i < 100; ++i) {
    values.push_back(Of(Floats({1})));
    leaves.push_back(values.back().leaves()[0]);
    buffers.push_back(*Of(Floats({2})).leaves()[0]->buffer());
  }
  ASSERT_TRUE(leaves[99]->TryClaim());
  EXPECT_EQ(ErrorIdOf(Leaf::Write(leaves, buffers)), "AX0604");
  EXPECT_EQ(values[0].ToLiteral()->data<float>()[0], 1);
  EXPECT_TRUE(leaves[0]->TryClaim()) << "a write that was refused keeps nothing";
  leaves[0]->Unclaim();
  leaves[99]->Unclaim();
  ASSERT_TRUE(Leaf::Write(leaves, buffers).ok());
  EXPECT_EQ(values[0].ToLiteral()->data<float>()[0], 2);
  EXPECT_EQ(values[99].ToLiteral()->data<float>()[0], 2);
  EXPECT_TRUE(leaves[99]->TryClaim());
  leaves[99]->Unclaim();
  // Twice the same leaf: the last buffer stays.
  ASSERT_TRUE(Leaf::Write({leaves[0], leaves[0]}, {*Of(Floats({3})).leaves()[0]->buffer(),
                                                   *Of(Floats({4})).leaves()[0]->buffer()})
                  .ok());
  EXPECT_EQ(values[0].ToLiteral()->data<float>()[0], 4);
  EXPECT_TRUE(leaves[0]->TryClaim());
  leaves[0]->Unclaim();
}

TEST_F(AllocationTest, AGivenLeafIsGoneForAllWhoNameIt) {
  const Allocation a = Of(Floats({1, 2}));
  ASSERT_TRUE(a.leaves()[0]->TryClaim());
  a.leaves()[0]->Give();
  EXPECT_EQ(session_->account().used(), 0);
  EXPECT_EQ(ErrorIdOf(a.ToLiteral().status()), "AX0604");
  EXPECT_EQ(ErrorIdOf(a.Await()), "AX0604");
  EXPECT_FALSE(a.leaves()[0]->TryClaim());
}

}  // namespace
}  // namespace axle::runtime
