// SPDX-License-Identifier: Apache-2.0
// The verdicts on element types, and on declared comparisons, were recorded from the verifier of
// XLA:CPU (PJRT API 0.115) by compiling one instruction at a time.
#include "hlo/ops/elementwise.h"

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "hlo/ops/rule_testing.h"

namespace axle::hlo {
namespace {

constexpr const char* kTriedTypes[] = {"pred", "s32", "u32", "f32", "c64", "bf16", "f8e5m2", "s4"};

struct TypeVerdict {
  Opcode opcode;
  const char* accepted;  // of kTriedTypes
};

constexpr const char* kFloatOrComplex = "f32 c64 bf16 f8e5m2";
constexpr const char* kFloat = "f32 bf16 f8e5m2";
constexpr const char* kInteger = "s32 u32 s4";
constexpr const char* kBit = "pred s32 u32 s4";
constexpr const char* kNumber = "s32 u32 f32 c64 bf16 f8e5m2 s4";
constexpr const char* kAny = "pred s32 u32 f32 c64 bf16 f8e5m2 s4";

constexpr TypeVerdict kUnary[] = {
    {Opcode::kAbs, "s32 f32 bf16 f8e5m2 s4"},  // complex: below
    {Opcode::kAcos, kFloatOrComplex},
    {Opcode::kAcosh, kFloatOrComplex},
    {Opcode::kAsin, kFloatOrComplex},
    {Opcode::kAsinh, kFloatOrComplex},
    {Opcode::kAtanh, kFloatOrComplex},
    {Opcode::kCbrt, kFloat},
    {Opcode::kCeil, kFloat},
    {Opcode::kClz, kInteger},
    {Opcode::kCos, kFloatOrComplex},
    {Opcode::kCosh, kFloatOrComplex},
    {Opcode::kErf, kFloat},
    {Opcode::kExp, kFloatOrComplex},
    {Opcode::kExpm1, kFloatOrComplex},
    {Opcode::kFloor, kFloat},
    {Opcode::kImag, kFloat},
    {Opcode::kLog, kFloatOrComplex},
    {Opcode::kLog1p, kFloatOrComplex},
    {Opcode::kLogistic, kFloatOrComplex},
    {Opcode::kNegate, kNumber},
    {Opcode::kNot, kBit},
    {Opcode::kPopcnt, kInteger},
    {Opcode::kReal, kFloat},
    {Opcode::kRoundNearestAfz, kFloat},
    {Opcode::kRoundNearestEven, kFloat},
    {Opcode::kRsqrt, kFloatOrComplex},
    {Opcode::kSign, "s32 f32 c64 bf16 f8e5m2 s4"},
    {Opcode::kSin, kFloatOrComplex},
    {Opcode::kSinh, kFloatOrComplex},
    {Opcode::kSqrt, kFloatOrComplex},
    {Opcode::kTan, kFloatOrComplex},
    {Opcode::kTanh, kFloatOrComplex},
};

constexpr TypeVerdict kBinary[] = {
    {Opcode::kAdd, kAny},
    {Opcode::kAnd, kBit},
    {Opcode::kAtan2, kFloatOrComplex},
    {Opcode::kDivide, kNumber},
    {Opcode::kMaximum, kAny},
    {Opcode::kMinimum, kAny},
    {Opcode::kMulhi, kInteger},  // XLA multiplies pred too, as integers
    {Opcode::kMultiply, kAny},
    {Opcode::kOr, kBit},
    {Opcode::kPower, kNumber},
    {Opcode::kRemainder, "s32 u32 f32 bf16 f8e5m2 s4"},  // c64 crashes XLA:CPU
    {Opcode::kShiftLeft, kInteger},                      // so do floats here
    {Opcode::kShiftRightArithmetic, kInteger},
    {Opcode::kShiftRightLogical, kInteger},
    {Opcode::kSubtract, kNumber},
    {Opcode::kXor, kBit},
};

void CheckTypes(const TypeVerdict& verdict, size_t operand_count) {
  const absl::flat_hash_set<std::string> accepted = absl::StrSplit(verdict.accepted, ' ');
  for (const char* type : kTriedTypes) {
    const std::string shape = absl::StrCat(type, "[4,2]");
    const bool reduces = verdict.opcode == Opcode::kAbs || verdict.opcode == Opcode::kReal ||
                         verdict.opcode == Opcode::kImag;
    if (reduces && shape == "c64[4,2]") continue;
    EXPECT_EQ(Infer({verdict.opcode, std::vector<std::string>(operand_count, shape)}),
              accepted.contains(type) ? shape : "AX0322")
        << Name(verdict.opcode) << " of " << type;
  }
}

TEST(ElementwiseTest, UnaryTypes) {
  for (const TypeVerdict& verdict : kUnary) {
    CheckTypes(verdict, 1);
    EXPECT_EQ(Infer({verdict.opcode, {"(f32[])"}}), "AX0321") << Name(verdict.opcode);
    EXPECT_EQ(Infer({verdict.opcode, {"token[]"}}), "AX0321") << Name(verdict.opcode);
  }
}

TEST(ElementwiseTest, BinaryTypes) {
  for (const TypeVerdict& verdict : kBinary) CheckTypes(verdict, 2);
}

TEST(ElementwiseTest, EveryElementwiseOpcodeIsTested) {
  absl::flat_hash_set<Opcode> tested = {
      // Operations with rules of their own, tested below.
      Opcode::kClamp,           Opcode::kCompare, Opcode::kComplex,
      Opcode::kConvert,         Opcode::kCopy,    Opcode::kIsFinite,
      Opcode::kReducePrecision, Opcode::kSelect,  Opcode::kStochasticConvert};
  for (const TypeVerdict& verdict : kUnary) tested.insert(verdict.opcode);
  for (const TypeVerdict& verdict : kBinary) tested.insert(verdict.opcode);
  for (int i = 0; i < OpcodeCount(); ++i) {
    const Opcode opcode = static_cast<Opcode>(i);
    EXPECT_EQ(tested.contains(opcode), IsElementwise(opcode)) << Name(opcode);
  }
}

TEST(ElementwiseTest, ComplexNumbersTakenApart) {
  for (const Opcode opcode : {Opcode::kAbs, Opcode::kReal, Opcode::kImag}) {
    EXPECT_EQ(Infer({opcode, {"c64[3]"}}), "f32[3]");
    EXPECT_EQ(Infer({opcode, {"c128[3]"}}), "f64[3]");
  }
}

TEST(ElementwiseTest, BinaryOperandsAreAlike) {
  for (const Opcode opcode : {Opcode::kAdd, Opcode::kCompare}) {
    EXPECT_EQ(Infer({opcode, {"f32[4]", "f32[1]"}}), "AX0321");  // nothing broadcasts by itself
    EXPECT_EQ(Infer({opcode, {"f32[4]", "f32[]"}}), "AX0321");
    EXPECT_EQ(Infer({opcode, {"f32[4]", "bf16[4]"}}), "AX0322");
    EXPECT_EQ(Infer({opcode, {"s32[4]", "u32[4]"}}), "AX0322");
    EXPECT_EQ(Infer({opcode, {"f32[4]", "(f32[4])"}}), "AX0321");
    EXPECT_EQ(Infer({opcode, {"token[]", "token[]"}}), "AX0321");
  }
  EXPECT_EQ(Infer({Opcode::kShiftLeft, {"s32[4]", "u32[4]"}}), "AX0322");
  EXPECT_EQ(InferError({Opcode::kAdd, {"f32[4]", "f32[1]"}}),
            "AX0321: %x = add(f32[4], f32[1]): operand 0 is f32[4] and operand 1 is f32[1]; "
            "expected the same dimensions");
}

TEST(ElementwiseTest, DynamicDimensionsOfBothOperands) {
  EXPECT_EQ(Infer({Opcode::kAdd, {"f32[<=4,2]", "f32[4,<=2]"}}), "f32[<=4,<=2]");
  EXPECT_EQ(Infer({Opcode::kAdd, {"f32[?,2]", "f32[<=4,2]"}}), "f32[<=4,2]");
  EXPECT_EQ(Infer({Opcode::kAdd, {"f32[4]", "f32[?]"}}), "f32[4]");
  EXPECT_EQ(Infer({Opcode::kAdd, {"f32[?]", "f32[?]"}}), "f32[?]");
  EXPECT_EQ(Infer({Opcode::kAdd, {"f32[<=4]", "f32[<=5]"}}), "AX0321");
}

Attributes Comparison(ComparisonType type) {
  return Attributes(CompareAttributes{ComparisonDirection::kLt, type});
}

TEST(ElementwiseTest, Compare) {
  EXPECT_EQ(Infer({Opcode::kCompare, {"f32[4]", "f32[4]"}}), "pred[4]");
  EXPECT_EQ(Infer({Opcode::kCompare, {"c64[4]", "c64[4]"}}), "pred[4]");
  for (const char* shape : {"s32[]", "u32[]", "pred[]"}) {
    const auto compare = [&](ComparisonType type) {
      return Infer(
          {.opcode = Opcode::kCompare, .operands = {shape, shape}, .attributes = Comparison(type)});
    };
    EXPECT_EQ(compare(ComparisonType::kFloat), "AX0324") << shape;
    EXPECT_EQ(compare(ComparisonType::kSigned), "pred[]") << shape;
    EXPECT_EQ(compare(ComparisonType::kUnsigned), "pred[]") << shape;
    EXPECT_EQ(compare(ComparisonType::kTotalOrder), "pred[]") << shape;
  }
  for (int type = 0; type < 5; ++type) {
    EXPECT_EQ(Infer({.opcode = Opcode::kCompare,
                     .operands = {"f32[]", "f32[]"},
                     .attributes = Comparison(static_cast<ComparisonType>(type))}),
              "pred[]");
  }
}

TEST(ElementwiseTest, Complex) {
  EXPECT_EQ(Infer({Opcode::kComplex, {"f32[2]", "f32[2]"}}), "c64[2]");
  EXPECT_EQ(Infer({Opcode::kComplex, {"f64[2]", "f64[2]"}}), "c128[2]");
  EXPECT_EQ(Infer({Opcode::kComplex, {"bf16[2]", "bf16[2]"}}), "AX0322");
  EXPECT_EQ(Infer({Opcode::kComplex, {"s32[2]", "s32[2]"}}), "AX0322");
  EXPECT_EQ(Infer({Opcode::kComplex, {"c64[2]", "c64[2]"}}), "AX0322");
}

TEST(ElementwiseTest, Convert) {
  EXPECT_EQ(Infer({Opcode::kConvert, {"f32[4]"}, "s32[4]"}), "s32[4]");
  EXPECT_EQ(Infer({Opcode::kConvert, {"f32[<=4]"}, "pred[<=4]"}), "pred[<=4]");
  EXPECT_EQ(Infer({Opcode::kConvert, {"c64[4]"}, "f32[4]"}), "f32[4]");
  EXPECT_EQ(Infer({Opcode::kConvert, {"f32[4]"}, "s32[2,2]"}), "AX0325");
  EXPECT_EQ(Infer({Opcode::kConvert, {"token[]"}, "f32[]"}), "AX0321");
  EXPECT_EQ(Infer({Opcode::kConvert, {"f32[]"}, "token[]"}), "AX0321");
  EXPECT_EQ(Infer({Opcode::kConvert, {"f32[]"}, ""}), "AX0321");
}

TEST(ElementwiseTest, Copy) {
  for (const char* shape : {"f32[4]", "(f32[4], token[])", "token[]"}) {
    EXPECT_EQ(Infer({Opcode::kCopy, {shape}}), shape);
  }
}

TEST(ElementwiseTest, IsFinite) {
  EXPECT_EQ(Infer({Opcode::kIsFinite, {"f32[4]"}}), "pred[4]");
  EXPECT_EQ(Infer({Opcode::kIsFinite, {"f8e5m2[4]"}}), "pred[4]");
  for (const char* shape : {"pred[4]", "s32[4]", "c64[4]"}) {
    EXPECT_EQ(Infer({Opcode::kIsFinite, {shape}}), "AX0322") << shape;
  }
}

TEST(ElementwiseTest, ReducePrecision) {
  const auto reduce = [](const char* shape, int64_t exponent, int64_t mantissa) {
    return Infer({.opcode = Opcode::kReducePrecision,
                  .operands = {shape},
                  .attributes = Attributes(ReducePrecisionAttributes{exponent, mantissa})});
  };
  EXPECT_EQ(reduce("f32[4]", 5, 10), "f32[4]");
  EXPECT_EQ(reduce("f32[4]", 1, 0), "f32[4]");
  EXPECT_EQ(reduce("f32[4]", 100, 100), "f32[4]");
  EXPECT_EQ(reduce("f32[4]", 0, 10), "AX0324");
  EXPECT_EQ(reduce("f32[4]", 5, -1), "AX0324");
  EXPECT_EQ(reduce("c64[4]", 5, 10), "AX0322");
  EXPECT_EQ(reduce("s32[4]", 5, 10), "AX0322");
}

TEST(ElementwiseTest, Clamp) {
  EXPECT_EQ(Infer({Opcode::kClamp, {"f32[4]", "f32[4]", "f32[4]"}}), "f32[4]");
  EXPECT_EQ(Infer({Opcode::kClamp, {"f32[]", "f32[4]", "f32[]"}}), "f32[4]");
  EXPECT_EQ(Infer({Opcode::kClamp, {"f32[]", "f32[4]", "f32[4]"}}), "f32[4]");
  EXPECT_EQ(Infer({Opcode::kClamp, {"pred[4]", "pred[4]", "pred[4]"}}), "pred[4]");
  EXPECT_EQ(Infer({Opcode::kClamp, {"f32[4]", "f32[]", "f32[4]"}}), "AX0321");
  EXPECT_EQ(Infer({Opcode::kClamp, {"f32[4]", "f32[4]", "f32[3]"}}), "AX0321");
  EXPECT_EQ(Infer({Opcode::kClamp, {"f16[]", "f32[4]", "f16[]"}}), "AX0322");
  EXPECT_EQ(Infer({Opcode::kClamp, {"f32[]", "f32[4]", "f16[]"}}), "AX0322");
  EXPECT_EQ(Infer({Opcode::kClamp, {"f32[]", "(f32[4])", "f32[]"}}), "AX0321");
}

TEST(ElementwiseTest, Select) {
  EXPECT_EQ(Infer({Opcode::kSelect, {"pred[4]", "f32[4]", "f32[4]"}}), "f32[4]");
  EXPECT_EQ(Infer({Opcode::kSelect, {"pred[]", "f32[4]", "f32[4]"}}), "f32[4]");
  EXPECT_EQ(Infer({Opcode::kSelect, {"pred[1]", "f32[4]", "f32[4]"}}), "AX0321");
  EXPECT_EQ(Infer({Opcode::kSelect, {"s32[4]", "f32[4]", "f32[4]"}}), "AX0322");
  EXPECT_EQ(Infer({Opcode::kSelect, {"pred[4]", "f32[4]", "f16[4]"}}), "AX0322");
  EXPECT_EQ(Infer({Opcode::kSelect, {"pred[4]", "f32[4]", "f32[5]"}}), "AX0321");
  EXPECT_EQ(Infer({Opcode::kSelect, {"pred[]", "(f32[4])", "(f32[4])"}}), "AX0321");
  EXPECT_EQ(Infer({Opcode::kSelect, {"pred[]", "token[]", "token[]"}}), "AX0321");
}

TEST(ElementwiseTest, StochasticConvert) {
  const auto convert = [](const char* value, const char* random, const char* result) {
    return Infer({Opcode::kStochasticConvert, {value, random}, result});
  };
  EXPECT_EQ(convert("f32[4]", "u32[4]", "s8[4]"), "s8[4]");
  EXPECT_EQ(convert("bf16[4]", "u16[4]", "f8e5m2[4]"), "f8e5m2[4]");
  EXPECT_EQ(convert("f32[4]", "u16[4]", "s8[4]"), "AX0322");
  EXPECT_EQ(convert("f32[4]", "s32[4]", "s8[4]"), "AX0322");
  EXPECT_EQ(convert("s32[4]", "u32[4]", "s8[4]"), "AX0322");
  EXPECT_EQ(convert("f32[4]", "u32[3]", "s8[4]"), "AX0321");
  EXPECT_EQ(convert("f32[4]", "u32[4]", "s8[3]"), "AX0325");
  EXPECT_EQ(convert("f32[4]", "u32[4]", ""), "AX0321");
}

TEST(ElementwiseTest, ImpliedComparison) {
  EXPECT_EQ(ImpliedComparison(ElementType::kBF16), ComparisonType::kFloat);
  EXPECT_EQ(ImpliedComparison(ElementType::kC64), ComparisonType::kFloat);
  EXPECT_EQ(ImpliedComparison(ElementType::kS4), ComparisonType::kSigned);
  EXPECT_EQ(ImpliedComparison(ElementType::kU8), ComparisonType::kUnsigned);
  EXPECT_EQ(ImpliedComparison(ElementType::kPred), ComparisonType::kUnsigned);
  EXPECT_EQ(ImpliedComparison(ElementType::kToken), ComparisonType::kUnset);
}

}  // namespace
}  // namespace axle::hlo
