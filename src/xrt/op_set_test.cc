// SPDX-License-Identifier: Apache-2.0
#include "xrt/op_set.h"

#include <set>

#include "xrt/xrt_testing.h"

namespace axle::xrt {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

class SignatureTest : public ::testing::Test {
 protected:
  SignatureTest() : client_(runtime::Store::Create(*SharedBackend("reference"), WithLoader())) {}

  absl::Status StatusOf(absl::string_view op, std::vector<Value> inputs,
                        Attributes attributes = {}) {
    return client_.Run(op, std::move(inputs), std::move(attributes)).status();
  }

  Client client_;
};

// The list of facts about TensorFlow's last version, and ours.
TEST_F(SignatureTest, EveryOperationIsThere) {
  std::set<std::string> names;
  for (const OpDef& op : Ops()) {
    EXPECT_TRUE(names.insert(std::string(op.name)).second) << op.name << " is there twice";
    EXPECT_FALSE(op.doc.empty()) << op.name;
    EXPECT_NE(op.run, nullptr) << op.name;
    for (const ArgumentDef& input : op.inputs) {
      EXPECT_FALSE(input.doc.empty()) << op.name;
      // Its list attribute exists.
      bool found = input.list.empty();
      for (const AttributeDef& attribute : op.attributes) found |= attribute.name == input.list;
      EXPECT_TRUE(found) << op.name << " " << input.name;
    }
  }
  for (const char* name :
       {"XRTCompile", "XRTReleaseCompilationHandle", "XRTExecute", "XRTExecuteChained",
        "XRTAllocate", "XRTAllocateUninitialized", "XRTAllocateFromTensor", "XRTSubTuple",
        "XRTSubTupleAndRelease", "XRTMakeTuple", "XRTReadLiteral", "XRTReadLiteralAndRelease",
        "XRTReadToTensor", "XRTWriteLiteral", "XRTReleaseAllocationHandle",
        "XRTReleaseAllAllocations", "XRTCompactAllocations", "XRTMetricsCollect",
        "XRTMemoryInfo"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST_F(SignatureTest, UnknownOperation) {
  const absl::Status status = StatusOf("XRTFly", {});
  EXPECT_EQ(ErrorIdOf(status), "AX1000");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("XRTFly"));
}

TEST_F(SignatureTest, NumberOfInputs) {
  EXPECT_EQ(client_.Fail("XRTCompile", {}), "AX1001");
  EXPECT_EQ(client_.Fail("XRTCompile", {Bytes(""), Bytes("")}), "AX1001");
  EXPECT_EQ(client_.Fail("XRTExecute", {Handle(1)}), "AX1001");
  EXPECT_EQ(client_.Fail("XRTMakeTuple", {Bytes(""), Handle(1)}, {{"Ninputs", int64_t{2}}}),
            "AX1001");
  EXPECT_EQ(
      client_.Fail("XRTAllocateFromTensor", {Floats({1})},
                   {{"dtypes", std::vector<ElementType>{}}, {"shapes", std::vector<Shape>{}}}),
      "AX1001");
}

TEST_F(SignatureTest, TypesOfInputs) {
  EXPECT_EQ(client_.Fail("XRTCompile", {Handle(1)}), "AX1002");
  EXPECT_EQ(client_.Fail("XRTReadLiteral", {Bytes("1")}), "AX1002");
  EXPECT_EQ(client_.Fail("XRTReadLiteral", {Literal::Scalar<int32_t>(1)}), "AX1002");
  EXPECT_EQ(client_.Fail("XRTReadLiteral", {Literal::Tuple({})}), "AX1002");
  EXPECT_EQ(client_.Fail("XRTReadLiteral", {Literal()}), "AX1002");
  EXPECT_EQ(client_.Fail("XRTSubTuple", {Handle(1), HandleList({0})}), "AX1002");
  EXPECT_EQ(client_.Fail("XRTAllocateFromTensor", {Bytes("x")},
                         {{"shapes", std::vector<Shape>{Shape::Scalar(ElementType::kF32)}}}),
            "AX1002");
  EXPECT_EQ(client_.Fail("XRTAllocateFromTensor", {Floats({1})},
                         {{"dtypes", std::vector<ElementType>{ElementType::kS32}},
                          {"shapes", std::vector<Shape>{Shape::Array(ElementType::kF32, {1})}}}),
            "AX1002");
}

TEST_F(SignatureTest, RanksOfInputs) {
  EXPECT_EQ(client_.Fail("XRTReadLiteral", {HandleList({1})}), "AX1003");
  EXPECT_EQ(client_.Fail("XRTCompile", {Strings{{1}, {""}}}), "AX1003");
  EXPECT_EQ(client_.Fail("XRTSubTuple", {Handle(1), Literal::Scalar<int32_t>(0)}), "AX1003");
  const Value matrix = *Literal::Zeros(Shape::Array(ElementType::kS64, {1, 1}));
  EXPECT_EQ(client_.Fail("XRTExecute", {Handle(1), Bytes(""), matrix}), "AX1003");
  EXPECT_EQ(client_.Fail("XRTMakeTuple", {Bytes(""), HandleList({1})}), "AX1003");
  // A tensor that does not hold what its dimensions say.
  EXPECT_EQ(client_.Fail("XRTCompile", {Strings{{}, {}}}), "AX1003");
  EXPECT_EQ(client_.Fail("XRTCompile", {Strings{{}, {"", ""}}}), "AX1003");
}

TEST_F(SignatureTest, Attributes) {
  EXPECT_EQ(client_.Fail("XRTAllocateUninitialized", {}), "AX1004");  // missing
  EXPECT_EQ(client_.Fail("XRTReadToTensor", {Handle(1)}), "AX1004");
  EXPECT_EQ(client_.Fail("XRTCompactAllocations", {}, {{"fast", true}}), "AX1004");  // unknown
  EXPECT_EQ(client_.Fail("XRTExecute", {Handle(1), Bytes("")}, {{"Ninputs", true}}), "AX1004");
  EXPECT_EQ(client_.Fail("XRTExecute", {Handle(1), Bytes("")}, {{"Ninputs", int64_t{-1}}}),
            "AX1004");
  EXPECT_EQ(client_.Fail("XRTExecute", {Handle(1), Bytes("")},
                         {{"Ninputs", std::numeric_limits<int64_t>::max()}}),
            "AX1001");
}

TEST_F(SignatureTest, MessagesThatDoNotParse) {
  const Value bad = Bytes("\xff");
  EXPECT_EQ(client_.Fail("XRTCompile", {bad}), "AX1005");
  EXPECT_EQ(client_.Fail("XRTExecute", {Handle(1), bad}), "AX1005");
  EXPECT_EQ(client_.Fail("XRTExecuteChained", {bad, Bytes("")}), "AX1005");
  EXPECT_EQ(client_.Fail("XRTExecuteChained", {Bytes(""), bad}), "AX1005");
  EXPECT_EQ(client_.Fail("XRTAllocate", {bad}), "AX1005");
  EXPECT_EQ(client_.Fail("XRTMakeTuple", {bad}), "AX1005");
  EXPECT_EQ(client_.Fail("XRTMetricsCollect", {bad}), "AX1005");
  const int64_t handle = client_.Allocate(Floats({1}));
  EXPECT_EQ(client_.Fail("XRTWriteLiteral", {Handle(handle), bad}), "AX1005");
  const absl::Status status = StatusOf("XRTAllocate", {bad});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("XLAAllocation"));
}

TEST_F(SignatureTest, HandlesOfNothing) {
  EXPECT_EQ(client_.Fail("XRTReadLiteral", {Handle(0)}), "AX0620");
  EXPECT_EQ(client_.Fail("XRTReadLiteral", {Handle(-1)}), "AX0620");
  const int64_t program = client_.Compile(kSumInTuple);
  EXPECT_EQ(client_.Fail("XRTReadLiteral", {Handle(program)}), "AX0622");
  const int64_t value = client_.Allocate(Floats({1}));
  EXPECT_EQ(client_.Fail("XRTExecute", {Handle(value), Bytes("")}), "AX0622");
  EXPECT_EQ(client_.Fail("XRTReleaseCompilationHandle", {Handle(value)}), "AX0622");
}

TEST_F(SignatureTest, AnEndedSessionTakesNothing) {
  const int64_t value = client_.Allocate(Floats({1}));
  client_.session->End();
  EXPECT_EQ(client_.Fail("XRTAllocate", {AllocationOf(Floats({1}))}), "AX0623");
  EXPECT_EQ(client_.Fail("XRTReadLiteral", {Handle(value)}), "AX0620");
}

}  // namespace
}  // namespace axle::xrt
