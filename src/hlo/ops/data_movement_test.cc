// SPDX-License-Identifier: Apache-2.0
// Verdicts marked "XLA" were recorded from the verifier of XLA:CPU (PJRT API 0.115) by compiling
// the one instruction; sizes are worked out by hand.
#include "hlo/ops/data_movement.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hlo/ops/rule_testing.h"

namespace axle::hlo {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

Attributes Dims(std::vector<int64_t> dimensions) {
  return Attributes(DimensionsAttributes{std::move(dimensions)});
}

TEST(DataMovementTest, Bitcast) {
  EXPECT_EQ(Infer({Opcode::kBitcast, {"f32[4]"}, "f32[2,2]"}), "f32[2,2]");
  EXPECT_EQ(Infer({Opcode::kBitcast, {"f32[4]"}, "s8[16]"}), "s8[16]");
  EXPECT_EQ(Infer({Opcode::kBitcast, {"s4[4]"}, "s8[2]"}), "s8[2]");
  EXPECT_EQ(Infer({Opcode::kBitcast, {"f32[?]"}, "f32[9]"}), "f32[9]");
  EXPECT_EQ(Infer({Opcode::kBitcast, {"f32[4]"}, "f32[5]"}), "AX0325");
  EXPECT_EQ(Infer({Opcode::kBitcast, {"f32[4]"}, "(f32[4])"}), "AX0321");
  EXPECT_EQ(Infer({Opcode::kBitcast, {"(f32[4])"}, "f32[4]"}), "AX0321");
  EXPECT_EQ(Infer({Opcode::kBitcast, {"f32[4]"}, ""}), "AX0321");
  // 2^62 elements of 32 bits have 2^67 bits.
  EXPECT_EQ(Infer({Opcode::kBitcast, {"f32[4611686018427387904]"}, "f32[4]"}), "AX0326");
  EXPECT_EQ(Infer({Opcode::kBitcast, {"s8[4294967296,4294967296]"}, "f32[4]"}), "AX0300");
}

TEST(DataMovementTest, BitcastOfPaddedLayoutsMayChangeTheSize) {
  Layout tiled = Layout::RowMajor(1);
  tiled.tiles.push_back(Tile{{128}});
  Instruction instruction;
  instruction.opcode = Opcode::kBitcast;
  instruction.shape = S("f32[128]");
  const Shape operand = S("f32[4]").WithLayout(tiled);
  EXPECT_TRUE(InferShape(RuleContext{instruction, {&operand, 1}, {}}).ok());
}

struct BitcastConvertCase {
  const char* operand;
  const char* declared;
  const char* expected;
};

TEST(DataMovementTest, BitcastConvert) {
  constexpr BitcastConvertCase kCases[] = {
      // XLA
      {"u8[2,4]", "f32[2]", "f32[2]"},
      {"u8[4]", "f32[]", "f32[]"},
      {"f32[2]", "u8[2,4]", "u8[2,4]"},
      {"u8[2,3]", "f32[2]", "AX0321"},
      {"u8[]", "f32[]", "AX0321"},
      {"c64[4]", "f64[4]", "AX0322"},
      {"f32[4,2]", "c64[4]", "AX0322"},
      {"c64[4]", "c64[4]", "c64[4]"},
      {"pred[4]", "u8[4]", "u8[4]"},
      {"pred[4]", "u32[]", "u32[]"},
      {"u32[4]", "pred[4,4]", "pred[4,4]"},
      {"s4[4,2]", "s8[4]", "s8[4]"},
      {"s8[4]", "s4[4,2]", "s4[4,2]"},
      {"s8[4]", "s4[8]", "AX0325"},
      // By hand.
      {"u8[<=2,4]", "f32[<=2]", "f32[<=2]"},
      {"c64[4,2]", "c128[4]", "AX0322"},   // crashes XLA
      {"f6e2m3fn[4]", "u8[3]", "AX0322"},  // 6 does not divide 8
      {"f6e2m3fn[4]", "f4e2m1fn[6]", "AX0322"},
      {"(u8[4])", "f32[]", "AX0321"},
      {"u8[4]", "token[]", "AX0321"},
  };
  for (const auto& [operand, declared, expected] : kCases) {
    EXPECT_EQ(Infer({Opcode::kBitcastConvert, {operand}, declared}), expected)
        << operand << " to " << declared;
  }
  std::string wide = "u64[1";
  for (int i = 1; i < Shape::kMaxRank; ++i) wide += ",1";
  EXPECT_EQ(Infer({Opcode::kBitcastConvert, {wide + "]"}, "u8[8]"}), "AX0326");  // rank 65
}

TEST(DataMovementTest, Broadcast) {
  const auto broadcast = [](const char* operand, const char* result,
                            std::vector<int64_t> dimensions) {
    return Infer({Opcode::kBroadcast, {operand}, result, Dims(std::move(dimensions))});
  };
  EXPECT_EQ(broadcast("f32[4]", "f32[2,4]", {1}), "f32[2,4]");
  EXPECT_EQ(broadcast("f32[]", "f32[2,4]", {}), "f32[2,4]");
  EXPECT_EQ(broadcast("f32[4,3]", "f32[3,4]", {1, 0}), "f32[3,4]");  // XLA
  EXPECT_EQ(broadcast("f32[4,4]", "f32[4,4]", {1, 1}), "f32[4,4]");  // XLA
  EXPECT_EQ(broadcast("f32[<=4]", "f32[2,<=4]", {1}), "f32[2,<=4]");
  EXPECT_EQ(broadcast("f32[1]", "f32[2,4]", {1}), "AX0325");
  EXPECT_EQ(broadcast("f32[4]", "f64[2,4]", {1}), "AX0322");
  EXPECT_EQ(broadcast("f32[4]", "f32[2,4]", {2}), "AX0324");
  EXPECT_EQ(broadcast("f32[4]", "f32[2,4]", {-1}), "AX0324");
  EXPECT_EQ(broadcast("f32[4]", "f32[2,4]", {kMin}), "AX0324");
  EXPECT_EQ(broadcast("f32[4]", "f32[2,4]", {}), "AX0324");
  EXPECT_EQ(broadcast("f32[4]", "f32[2,4]", {0, 1}), "AX0324");
  EXPECT_EQ(broadcast("f32[4]", "", {0}), "AX0321");
  EXPECT_EQ(broadcast("token[]", "f32[2]", {}), "AX0321");
}

TEST(DataMovementTest, Concatenate) {
  const auto concatenate = [](std::vector<std::string> operands, std::vector<int64_t> dimensions) {
    return Infer({.opcode = Opcode::kConcatenate,
                  .operands = std::move(operands),
                  .attributes = Dims(std::move(dimensions))});
  };
  EXPECT_EQ(concatenate({"f32[4,2]", "f32[4,3]", "f32[4,0]"}, {1}), "f32[4,5]");
  EXPECT_EQ(concatenate({"f32[4,2]"}, {1}), "f32[4,2]");
  EXPECT_EQ(concatenate({"f32[4,2]", "f32[<=4,<=3]"}, {1}), "f32[<=4,<=5]");
  EXPECT_EQ(concatenate({"f32[?,2]", "f32[4,?]"}, {1}), "f32[4,?]");
  EXPECT_EQ(concatenate({"f32[4,2]", "f32[5,3]"}, {1}), "AX0321");
  EXPECT_EQ(concatenate({"f32[4]", "f32[4,1]"}, {0}), "AX0321");
  EXPECT_EQ(concatenate({"f32[4,1]", "f32[4]"}, {1}), "AX0321");
  EXPECT_EQ(concatenate({"f32[4]", "f16[4]"}, {0}), "AX0322");
  EXPECT_EQ(concatenate({"f32[]", "f32[]"}, {0}), "AX0324");
  EXPECT_EQ(concatenate({"f32[4]", "f32[4]"}, {-1}), "AX0324");
  EXPECT_EQ(concatenate({"f32[4]", "f32[4]"}, {}), "AX0324");
  EXPECT_EQ(concatenate({"f32[4,2]", "f32[4,3]"}, {1, 0}), "AX0324");
  EXPECT_EQ(concatenate({"(f32[4])"}, {0}), "AX0321");
  EXPECT_EQ(concatenate({"s8[9223372036854775807]", "s8[1]"}, {0}), "AX0326");
}

TEST(DataMovementTest, Constant) {
  const auto literal = std::make_shared<const Literal>(Literal::Scalar(1.0f));
  const Attributes value(ConstantAttributes{literal});
  EXPECT_EQ(Infer({.opcode = Opcode::kConstant, .attributes = value}), "f32[]");
  EXPECT_EQ(Infer({Opcode::kConstant, {}, "f32[1]", value}), "AX0325");
  EXPECT_EQ(Infer({Opcode::kConstant, {}, "s32[]", value}), "AX0325");
  EXPECT_EQ(Infer({Opcode::kConstant, {}, "f32[100]"}), "f32[100]");  // constant({...})
  EXPECT_EQ(Infer({Opcode::kConstant}), "AX0324");
}

TEST(DataMovementTest, DynamicReshape) {
  const auto reshape = [](std::vector<std::string> operands, const char* result) {
    return Infer({Opcode::kDynamicReshape, std::move(operands), result});
  };
  EXPECT_EQ(reshape({"f32[<=4]", "s32[]", "s32[]"}, "f32[<=2,<=2]"), "f32[<=2,<=2]");
  EXPECT_EQ(reshape({"f32[<=4]", "s32[]"}, "f32[<=2,<=2]"), "AX0320");
  EXPECT_EQ(reshape({"f32[<=4]", "s64[]", "s64[]"}, "f32[<=2,<=2]"), "AX0322");
  EXPECT_EQ(reshape({"f32[<=4]", "s32[1]", "s32[1]"}, "f32[<=2,<=2]"), "AX0321");
  EXPECT_EQ(reshape({"f32[<=4]", "s32[]", "s32[]"}, "f32[<=3,<=2]"), "AX0325");
  EXPECT_EQ(reshape({"f32[<=4]", "s32[]", "s32[]"}, "s32[<=2,<=2]"), "AX0322");
  EXPECT_EQ(reshape({"token[]", "s32[]"}, "f32[4]"), "AX0321");
  EXPECT_EQ(reshape({"f32[<=4]", "s32[]"}, ""), "AX0321");
}

TEST(DataMovementTest, DynamicSlice) {
  const auto slice = [](std::vector<std::string> operands, std::vector<int64_t> sizes) {
    return Infer({.opcode = Opcode::kDynamicSlice,
                  .operands = std::move(operands),
                  .attributes = Attributes(DynamicSliceAttributes{std::move(sizes)})});
  };
  EXPECT_EQ(slice({"f32[4,4]", "s32[]", "s32[]"}, {2, 3}), "f32[2,3]");
  EXPECT_EQ(slice({"f32[4]", "u8[]"}, {0}), "f32[0]");
  EXPECT_EQ(slice({"f32[]"}, {}), "f32[]");
  EXPECT_EQ(slice({"f32[<=4,<=4]", "s32[]", "s32[]"}, {4, 3}), "f32[<=4,3]");
  EXPECT_EQ(slice({"f32[?]", "s32[]"}, {9}), "f32[9]");
  // Old programs give all starts in one vector.
  EXPECT_EQ(slice({"f32[4,4]", "s32[2]"}, {2, 2}), "f32[2,2]");
  EXPECT_EQ(slice({"f32[4]", "s32[1]"}, {2}), "f32[2]");
  EXPECT_EQ(slice({"f32[4,4]", "f32[2]"}, {2, 2}), "AX0322");
  EXPECT_EQ(slice({"f32[4,4]", "s32[3]"}, {2, 2}), "AX0321");
  EXPECT_EQ(slice({"f32[4,4]", "s32[]", "s64[]"}, {2, 2}), "AX0322");
  EXPECT_EQ(slice({"f32[4,4]", "s32[]", "s32[1]"}, {2, 2}), "AX0321");
  EXPECT_EQ(slice({"f32[4]", "pred[]"}, {2}), "AX0322");
  EXPECT_EQ(slice({"f32[4]", "f32[]"}, {2}), "AX0322");
  EXPECT_EQ(slice({"f32[4,4]", "s32[]"}, {2, 2}), "AX0320");
  EXPECT_EQ(slice({"f32[4]", "token[]"}, {2}), "AX0321");
  EXPECT_EQ(slice({"f32[4]", "s32[]"}, {5}), "AX0324");
  EXPECT_EQ(slice({"f32[4]", "s32[]"}, {-1}), "AX0324");
  EXPECT_EQ(slice({"f32[?]", "s32[]"}, {kMin}), "AX0324");
  EXPECT_EQ(slice({"f32[4]", "s32[]"}, {2, 2}), "AX0324");
  EXPECT_EQ(slice({"(f32[4])", "s32[]"}, {2}), "AX0321");
}

TEST(DataMovementTest, DynamicUpdateSlice) {
  const auto update = [](std::vector<std::string> operands) {
    return Infer({Opcode::kDynamicUpdateSlice, std::move(operands)});
  };
  EXPECT_EQ(update({"f32[4,4]", "f32[2,2]", "s32[]", "s32[]"}), "f32[4,4]");
  EXPECT_EQ(update({"f32[4,4]", "f32[2,2]", "s32[2]"}), "f32[4,4]");
  EXPECT_EQ(update({"f32[4]", "f32[0]", "s32[]"}), "f32[4]");
  EXPECT_EQ(update({"f32[]", "f32[]"}), "f32[]");
  EXPECT_EQ(update({"f32[?]", "f32[7]", "s32[]"}), "f32[?]");
  EXPECT_EQ(update({"f32[4]", "f32[5]", "s32[]"}), "AX0321");
  EXPECT_EQ(update({"f32[4]", "f32[2,1]", "s32[]"}), "AX0321");
  EXPECT_EQ(update({"f32[4]", "f16[2]", "s32[]"}), "AX0322");
  EXPECT_EQ(update({"f32[4]", "f32[2]"}), "AX0320");
  EXPECT_EQ(update({"f32[4]", "f32[2]", "f32[]"}), "AX0322");
  EXPECT_EQ(update({"f32[4]", "(f32[2])", "s32[]"}), "AX0321");
}

TEST(DataMovementTest, DimensionSizes) {
  const auto get = [](const char* operand, std::vector<int64_t> dimensions) {
    return Infer({.opcode = Opcode::kGetDimensionSize,
                  .operands = {operand},
                  .attributes = Dims(std::move(dimensions))});
  };
  EXPECT_EQ(get("f32[4,5]", {1}), "s32[]");
  EXPECT_EQ(get("f32[4]", {1}), "AX0324");
  EXPECT_EQ(get("f32[4]", {-1}), "AX0324");
  EXPECT_EQ(get("f32[4,4]", {1, 0}), "AX0324");
  EXPECT_EQ(get("f32[]", {0}), "AX0324");
  EXPECT_EQ(get("token[]", {0}), "AX0321");
  EXPECT_EQ(get("s8[2147483647]", {0}), "s32[]");
  EXPECT_EQ(get("s8[2147483648]", {0}), "AX0321");

  const auto set = [](const char* operand, const char* size, std::vector<int64_t> dimensions) {
    return Infer({.opcode = Opcode::kSetDimensionSize,
                  .operands = {operand, size},
                  .attributes = Dims(std::move(dimensions))});
  };
  EXPECT_EQ(set("f32[4,5]", "s32[]", {1}), "f32[4,<=5]");
  EXPECT_EQ(set("f32[<=4]", "s32[]", {0}), "f32[<=4]");
  EXPECT_EQ(set("f32[4]", "s64[]", {0}), "AX0322");
  EXPECT_EQ(set("f32[4]", "s32[1]", {0}), "AX0321");
  EXPECT_EQ(set("f32[4]", "s32[]", {1}), "AX0324");
  EXPECT_EQ(set("s8[2147483648]", "s32[]", {0}), "AX0321");
  EXPECT_EQ(set("token[]", "s32[]", {0}), "AX0321");
}

TEST(DataMovementTest, GetTupleElement) {
  const auto get = [](const char* operand, int64_t index) {
    return Infer({.opcode = Opcode::kGetTupleElement,
                  .operands = {operand},
                  .attributes = Attributes(GetTupleElementAttributes{index})});
  };
  EXPECT_EQ(get("(f32[4], s32[])", 1), "s32[]");
  EXPECT_EQ(get("((f32[4]), s32[])", 0), "(f32[4])");
  for (const int64_t index : {int64_t{2}, int64_t{-1}, kMax, kMin}) {
    EXPECT_EQ(get("(f32[4], s32[])", index), "AX0324") << index;
  }
  EXPECT_EQ(get("()", 0), "AX0324");
  EXPECT_EQ(get("f32[4]", 0), "AX0321");
}

TEST(DataMovementTest, Iota) {
  const auto iota = [](const char* shape, int64_t dimension) {
    return Infer({Opcode::kIota, {}, shape, Attributes(IotaAttributes{dimension})});
  };
  for (const char* shape : {"f32[2,4]", "c64[2,4]", "s4[2,4]", "f8e5m2[2,4]"}) {
    EXPECT_EQ(iota(shape, 1), shape);
  }
  EXPECT_EQ(iota("pred[4]", 0), "AX0322");
  EXPECT_EQ(iota("s32[]", 0), "AX0324");
  EXPECT_EQ(iota("s32[4]", 1), "AX0324");
  EXPECT_EQ(iota("s32[4]", -1), "AX0324");
  EXPECT_EQ(iota("(s32[4])", 0), "AX0321");
  EXPECT_EQ(iota("", 0), "AX0321");
}

TEST(DataMovementTest, Pad) {
  const auto pad = [](const char* operand, std::vector<PaddingDimension> padding,
                      const char* value = "f32[]") {
    return Infer({.opcode = Opcode::kPad,
                  .operands = {operand, value},
                  .attributes = Attributes(PadAttributes{{std::move(padding)}})});
  };
  // 4 elements with 3 gaps of 1, and 1 on each side: 4 + 3 + 2.
  EXPECT_EQ(pad("f32[4]", {{1, 1, 1}}), "f32[9]");
  EXPECT_EQ(pad("f32[4]", {{-1, -1, 0}}), "f32[2]");
  EXPECT_EQ(pad("f32[4]", {{-4, 0, 0}}), "f32[0]");
  EXPECT_EQ(pad("f32[0]", {{1, 0, 5}}), "f32[1]");
  EXPECT_EQ(pad("f32[<=4,?]", {{1, 0, 0}, {0, 1, 0}}), "f32[<=5,?]");
  EXPECT_EQ(pad("f32[4]", {{-3, -2, 0}}), "AX0324");
  EXPECT_EQ(pad("f32[4]", {{0, 0, -1}}), "AX0324");
  EXPECT_EQ(pad("f32[4]", {}), "AX0324");
  EXPECT_EQ(pad("f32[4]", {{0, 0, 0}, {0, 0, 0}}), "AX0324");
  EXPECT_EQ(pad("f32[4]", {{0, 0, 0}}, "f16[]"), "AX0322");
  EXPECT_EQ(pad("f32[4]", {{0, 0, 0}}, "f32[1]"), "AX0321");
  EXPECT_EQ(pad("(f32[4])", {{0, 0, 0}}), "AX0321");
  for (const PaddingDimension& huge :
       {PaddingDimension{kMax, 0, 0}, PaddingDimension{0, kMax, 0}, PaddingDimension{0, 0, kMax},
        PaddingDimension{kMin, kMin, 0}}) {
    EXPECT_EQ(pad("f32[4]", {huge}), "AX0324");
  }
}

TEST(DataMovementTest, Parameter) {
  const auto parameter = [](const char* shape, int64_t number, std::vector<bool> replication) {
    return Infer({Opcode::kParameter,
                  {},
                  shape,
                  Attributes(ParameterAttributes{number, std::move(replication)})});
  };
  EXPECT_EQ(parameter("(f32[2], s32[])", 3, {}), "(f32[2], s32[])");
  EXPECT_EQ(parameter("(f32[2], s32[])", 3, {true, false}), "(f32[2], s32[])");
  EXPECT_EQ(parameter("(f32[2], s32[])", 3, {true}), "AX0324");
  EXPECT_EQ(parameter("f32[]", -1, {}), "AX0324");
  EXPECT_EQ(parameter("", 0, {}), "AX0325");
}

TEST(DataMovementTest, Reshape) {
  const auto reshape = [](const char* operand, const char* result) {
    return Infer({Opcode::kReshape, {operand}, result});
  };
  EXPECT_EQ(reshape("f32[4,3]", "f32[2,6]"), "f32[2,6]");
  EXPECT_EQ(reshape("f32[1,1]", "f32[]"), "f32[]");
  EXPECT_EQ(reshape("f32[0,9223372036854775807,9]", "f32[0]"), "f32[0]");
  EXPECT_EQ(reshape("f32[?]", "f32[2,2]"), "f32[2,2]");
  EXPECT_EQ(reshape("f32[4]", "f32[5]"), "AX0325");
  EXPECT_EQ(reshape("f32[4]", "s32[2,2]"), "AX0322");
  EXPECT_EQ(reshape("f32[4]", "(f32[4])"), "AX0321");
  EXPECT_EQ(reshape("token[]", "f32[]"), "AX0321");
  EXPECT_EQ(reshape("f32[4294967296,4294967296]", "f32[1]"), "AX0300");
}

TEST(DataMovementTest, Reverse) {
  const auto reverse = [](const char* operand, std::vector<int64_t> dimensions) {
    return Infer({.opcode = Opcode::kReverse,
                  .operands = {operand},
                  .attributes = Dims(std::move(dimensions))});
  };
  EXPECT_EQ(reverse("f32[4,5]", {1, 0}), "f32[4,5]");
  EXPECT_EQ(reverse("f32[4]", {}), "f32[4]");
  EXPECT_EQ(reverse("f32[4]", {0, 0}), "AX0324");
  EXPECT_EQ(reverse("f32[4]", {1}), "AX0324");
  EXPECT_EQ(reverse("f32[4]", {kMin}), "AX0324");
  EXPECT_EQ(reverse("token[]", {}), "AX0321");
  // All of 64 dimensions, the most there are.
  std::string wide = "f32[2";
  std::vector<int64_t> all = {0};
  for (int64_t i = 1; i < Shape::kMaxRank; ++i) {
    wide += ",1";
    all.push_back(i);
  }
  wide += "]";
  EXPECT_EQ(reverse(wide.c_str(), all), wide);
  all.push_back(63);
  EXPECT_EQ(reverse(wide.c_str(), all), "AX0324");
}

TEST(DataMovementTest, Slice) {
  const auto slice = [](const char* operand, std::vector<SliceDimension> slices) {
    return Infer({.opcode = Opcode::kSlice,
                  .operands = {operand},
                  .attributes = Attributes(SliceAttributes{{std::move(slices)}})});
  };
  EXPECT_EQ(slice("f32[10]", {{1, 10, 2}}), "f32[5]");  // 1 3 5 7 9
  EXPECT_EQ(slice("f32[10]", {{1, 10, 4}}), "f32[3]");  // 1 5 9
  EXPECT_EQ(slice("f32[10]", {{3, 3, 1}}), "f32[0]");
  EXPECT_EQ(slice("f32[10]", {{0, 10, kMax}}), "f32[1]");
  EXPECT_EQ(slice("f32[<=10,<=10]", {{0, 10, 1}, {0, 9, 1}}), "f32[<=10,9]");
  EXPECT_EQ(slice("f32[?]", {{2, 9, 1}}), "f32[7]");
  for (const SliceDimension& bad :
       {SliceDimension{4, 3, 1}, SliceDimension{-1, 3, 1}, SliceDimension{0, 11, 1},
        SliceDimension{0, 3, 0}, SliceDimension{3, 3, -1}, SliceDimension{kMin, kMax, 1},
        SliceDimension{0, 3, kMin}}) {
    EXPECT_EQ(slice("f32[10]", {bad}), "AX0324")
        << bad.start << ":" << bad.limit << ":" << bad.stride;
  }
  EXPECT_EQ(slice("f32[10]", {}), "AX0324");
  EXPECT_EQ(slice("f32[10]", {{0, 1, 1}, {0, 1, 1}}), "AX0324");
  EXPECT_EQ(slice("(f32[10])", {{0, 1, 1}}), "AX0321");
}

TEST(DataMovementTest, Transpose) {
  const auto transpose = [](const char* operand, std::vector<int64_t> dimensions) {
    return Infer({.opcode = Opcode::kTranspose,
                  .operands = {operand},
                  .attributes = Dims(std::move(dimensions))});
  };
  EXPECT_EQ(transpose("f32[2,<=3,4]", {2, 0, 1}), "f32[4,2,<=3]");
  EXPECT_EQ(transpose("f32[]", {}), "f32[]");
  EXPECT_EQ(transpose("f32[2,3]", {0, 0}), "AX0324");
  EXPECT_EQ(transpose("f32[2,3]", {0, 2}), "AX0324");
  EXPECT_EQ(transpose("f32[2,3]", {0}), "AX0324");
  EXPECT_EQ(transpose("token[]", {}), "AX0321");
}

TEST(DataMovementTest, Tuple) {
  EXPECT_EQ(Infer({Opcode::kTuple}), "()");
  EXPECT_EQ(Infer({Opcode::kTuple, {"f32[4]", "(s32[], token[])"}}), "(f32[4], (s32[], token[]))");
  EXPECT_EQ(Infer({Opcode::kTuple, {"f32[4]"}, "(f32[5])"}), "AX0325");
  EXPECT_EQ(Infer({Opcode::kTuple, {"f32[4]"}, "f32[4]"}), "AX0325");
  std::string nested = "f32[]";
  for (int i = 0; i < kMaxShapeNesting - 1; ++i) nested = absl::StrCat("(", nested, ")");
  EXPECT_EQ(Infer({Opcode::kTuple, {nested}}), absl::StrCat("(", nested, ")"));
  EXPECT_EQ(Infer({Opcode::kTuple, {absl::StrCat("(", nested, ")")}}), "AX0326");
}

}  // namespace
}  // namespace axle::hlo
