// SPDX-License-Identifier: Apache-2.0
#include "xrt/xrt_testing.h"

namespace axle::xrt {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

class TransferTest : public XrtTest {
 protected:
  int64_t BeginWrite(ElementType type, std::vector<int64_t> dimensions) {
    return client().Make("AxleBeginWrite", {},
                         {{"dtype", type}, {"shape", Shape::Array(type, dimensions)}});
  }
  absl::Status Write(int64_t transfer, int64_t offset, std::string bytes) {
    return client()
        .Run("AxleWriteChunk", {Handle(transfer), Number(offset), Bytes(std::move(bytes))})
        .status();
  }
  absl::StatusOr<std::vector<Value>> Read(int64_t transfer, int64_t leaf, int64_t offset,
                                          int64_t size) {
    return client().Run("AxleReadChunk",
                        {Handle(transfer), Number(leaf), Number(offset), Number(size)});
  }
  int64_t used() { return client().session->account().used(); }
};

TEST_P(TransferTest, WritesInPieces) {
  const int64_t transfer = BeginWrite(ElementType::kU8, {2, 3});
  EXPECT_EQ(used(), 6);
  EXPECT_TRUE(Write(transfer, 4, "ef").ok());
  EXPECT_TRUE(Write(transfer, 0, "ab").ok());
  EXPECT_TRUE(Write(transfer, 6, "").ok());
  const int64_t value = client().Make("AxleFinishWrite", {Handle(transfer)});
  const Literal literal = client().Read(value);
  EXPECT_EQ(literal.shape().ToString(false), "u8[2,3]");
  const std::vector<uint8_t> expected = {'a', 'b', 0, 0, 'e', 'f'};
  EXPECT_EQ(literal.data<uint8_t>(), absl::MakeConstSpan(expected));
  EXPECT_EQ(used(), 6);
  EXPECT_EQ(client().handle_count(), 1);
  EXPECT_EQ(client().Fail("AxleFinishWrite", {Handle(transfer)}), "AX0620");
}

TEST_P(TransferTest, ReadsInPieces) {
  const Literal ints = Ints({1, 256});
  const int64_t value = client().Allocate(
      Literal::Tuple({ints, Literal::Tuple({}), Literal::Vector<uint8_t>({'x', 'y', 'z'})}));
  const auto outputs = client().Run("AxleBeginRead", {Handle(value)});
  const int64_t transfer = Client::HandleOf(outputs);
  wire::ShapeProto shape;
  ASSERT_TRUE(shape.ParseFromString(std::get<Strings>(outputs->at(1)).values.at(0)));
  EXPECT_EQ(shape.tuple_shapes_size(), 3);
  // The pieces show what was there at the beginning.
  EXPECT_TRUE(client().Run("XRTReleaseAllocationHandle", {Handle(value)}).ok());
  EXPECT_EQ(Client::BytesOf(Read(transfer, 1, 1, 2)), "yz");
  EXPECT_EQ(Client::BytesOf(Read(transfer, 0, 3, 4)), std::string("\0\0\1\0", 4));
  EXPECT_EQ(Client::BytesOf(Read(transfer, 0, 8, 0)), "");
  EXPECT_TRUE(client().Run("AxleEndTransfer", {Handle(transfer)}).ok());
  EXPECT_EQ(client().handle_count(), 0);
  EXPECT_EQ(used(), 0);
}

TEST_P(TransferTest, WhatIsWrittenMeanwhileDoesNotShow) {
  const int64_t value = client().Allocate(Literal::Vector<uint8_t>({'a'}));
  const int64_t transfer = Client::HandleOf(client().Run("AxleBeginRead", {Handle(value)}));
  const Value other = Message(Proto(Literal::Vector<uint8_t>({'b'})));
  EXPECT_TRUE(client().Run("XRTWriteLiteral", {Handle(value), other}).ok());
  EXPECT_EQ(Client::BytesOf(Read(transfer, 0, 0, 1)), "a");
}

TEST_P(TransferTest, Ranges) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  const int64_t value = client().Allocate(Ints({1, 2}));
  const int64_t read = Client::HandleOf(client().Run("AxleBeginRead", {Handle(value)}));
  const std::vector<std::vector<int64_t>> bad = {{1, 0, 1},     {-1, 0, 1},   {0, 8, 1},
                                                 {0, -1, 1},    {0, 0, -1},   {0, 1, 8},
                                                 {0, 1, kHuge}, {0, kHuge, 1}};
  for (const std::vector<int64_t>& range : bad) {
    EXPECT_EQ(ErrorIdOf(Read(read, range[0], range[1], range[2]).status()), "AX0626");
  }
  const int64_t write = BeginWrite(ElementType::kU8, {2});
  for (const int64_t offset : {int64_t{1}, int64_t{-1}, kHuge}) {
    EXPECT_EQ(ErrorIdOf(Write(write, offset, "ab")), "AX0626");
  }
  EXPECT_EQ(ErrorIdOf(Write(write, 0, "abc")), "AX0626");
}

TEST_P(TransferTest, TransfersGoOneWay) {
  const int64_t value = client().Allocate(Ints({1, 2}));
  const int64_t read = Client::HandleOf(client().Run("AxleBeginRead", {Handle(value)}));
  const int64_t write = BeginWrite(ElementType::kU8, {2});
  EXPECT_EQ(ErrorIdOf(Read(write, 0, 0, 1).status()), "AX0627");
  EXPECT_EQ(ErrorIdOf(Write(read, 0, "a")), "AX0627");
  EXPECT_EQ(client().Fail("AxleFinishWrite", {Handle(read)}), "AX0627");
  EXPECT_EQ(client().Fail("XRTReadLiteral", {Handle(read)}), "AX0622");
  EXPECT_EQ(client().Fail("AxleEndTransfer", {HandleList({read, write, value})}), "AX0622");
  EXPECT_TRUE(client().Run("AxleEndTransfer", {HandleList({read, write})}).ok());
  EXPECT_EQ(client().handle_count(), 1);
}

TEST_P(TransferTest, CountForTheSession) {
  Client small(store_, {.name = "small", .max_bytes = 8});
  const Attributes eight = {{"dtype", ElementType::kU8},
                            {"shape", Shape::Array(ElementType::kU8, {8})}};
  const int64_t transfer = small.Make("AxleBeginWrite", {}, eight);
  EXPECT_EQ(small.Fail("AxleBeginWrite", {}, eight), "AX0610");
  EXPECT_EQ(small.Fail("AxleBeginWrite", {},
                       {{"dtype", ElementType::kF32},
                        {"shape", Shape::Array(ElementType::kF32, {int64_t{1} << 50})}}),
            "AX0610");
  // Finishing needs no room beyond what the pieces had.
  const int64_t value = small.Make("AxleFinishWrite", {Handle(transfer)});
  EXPECT_EQ(small.Fail("AxleBeginRead", {Handle(value)}), "AX0610");
}

TEST_P(TransferTest, OtherDevices) {
  const int64_t transfer = BeginWrite(ElementType::kU8, {2});
  const Value handle = Handle(transfer);
  EXPECT_EQ(
      ErrorIdOf(
          client().other.Run("AxleFinishWrite", {}, absl::MakeConstSpan(&handle, 1)).status()),
      "AX1013");
}

INSTANTIATE_TEST_SUITE_P(Backends, TransferTest, AllBackends(), BackendTestName);

}  // namespace
}  // namespace axle::xrt
