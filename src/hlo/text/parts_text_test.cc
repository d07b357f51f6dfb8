// SPDX-License-Identifier: Apache-2.0
// Shapes, layouts, literals and shardings as text, on their own.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hlo/text/parser.h"
#include "hlo/text/printer.h"

namespace axle::hlo {
namespace {

std::string ShapeBack(absl::string_view text) {
  const absl::StatusOr<Shape> shape = ParseShape(text);
  return shape.ok() ? shape->ToString() : std::string(shape.status().message());
}

TEST(ShapeTextTest, ReadsBackAsWritten) {
  for (const char* text : {"f32[]",
                           "pred[0]",
                           "f32[2,3]",
                           "f32[2,3]{1,0}",
                           "s4[<=4,?,7]",
                           "token[]",
                           "opaque[]",
                           "()",
                           "(f32[], (s32[2], token[]))",
                           "b(f32[2]{0})",
                           "f8e4m3b11fnuz[1]",
                           "c128[2]{0}",
                           "f32[8,128]{1,0:T(8,128)(2,1)}",
                           "f32[8]{0:T(*,2)}",
                           "f32[]{:S(5)}",
                           "f32[8]{0:L(256)}",
                           "f32[8]{0:#(u32)*(u64)}",
                           "s4[8]{0:E(4)}",
                           "f32[8]{0:S(5)SC(0:4,6)(1:2)}",
                           "f32[8]{0:D(C+~)}",
                           "f32[8,8]{1,0:D(D,S~)P((u32[8]{0}, f32[8]))M(32)}",
                           "(f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[])"}) {
    EXPECT_EQ(ShapeBack(text), text);
  }
}

TEST(ShapeTextTest, OtherSpellings) {
  EXPECT_EQ(ShapeBack(" f32 [ 2, 3 ] {0,1} "), "f32[2,3]{0,1}");
  EXPECT_EQ(ShapeBack("f32[]{}"), "f32[]");
  EXPECT_EQ(ShapeBack("(f32[],s32[]) // a comment"), "(f32[], s32[])");
}

TEST(ShapeTextTest, DynamicAndUnboundedDimensions) {
  const Shape shape = ParseShape("f32[<=4,?,7]").value();
  EXPECT_EQ(shape.dimension(0), 4);
  EXPECT_TRUE(shape.is_dynamic(0));
  EXPECT_EQ(shape.dimension(1), Shape::kUnbounded);
  EXPECT_TRUE(shape.is_dynamic(1));
  EXPECT_FALSE(shape.is_dynamic(2));
}

TEST(ShapeTextTest, Errors) {
  EXPECT_EQ(ShapeBack("f33[2]"), "AX0110: 1:1: unknown element type 'f33'");
  EXPECT_EQ(ShapeBack("f32[-1]"), "AX0108: 1:5: -1 is negative: a dimension");
  EXPECT_EQ(ShapeBack("f32[2"),
            "AX0100: 1:6: expected ']' behind dimensions, found the end of the text");
  EXPECT_EQ(ShapeBack("f32[2]{1,0}"), "AX0110: 1:7: a layout of 2 dimensions for an array of 1");
  EXPECT_EQ(ShapeBack("f32[2] x"), "AX0100: 1:8: expected the end of the shape, found 'x'");
  EXPECT_EQ(ShapeBack("invalid[]"), "AX0110: 1:1: unknown element type 'invalid'");
  EXPECT_EQ(ShapeBack("tuple[]"), "AX0110: 1:1: 'tuple' is not the element type of a shape");
  EXPECT_EQ(ShapeBack(""), "AX0100: 1:1: expected a shape, found the end of the text");
  EXPECT_EQ(ShapeBack("f32[99999999999999999999]"),
            "AX0108: 1:5: 99999999999999999999 does not fit into 64 bits: a dimension");
  std::string many = "f32[1";
  for (int i = 0; i < Shape::kMaxRank; ++i) many += ",1";
  EXPECT_EQ(ShapeBack(many + "]"), "AX0110: 1:133: more than 64 dimensions");
}

TEST(ShapeTextTest, NestingIsBounded) {
  const std::string deep = std::string(64, '(') + std::string(64, ')');
  EXPECT_TRUE(ParseShape(deep).ok());
  const std::string deeper = std::string(10000, '(') + std::string(10000, ')');
  EXPECT_EQ(ParseShape(deeper).status().message(), "AX0109: 1:66: shapes nest at most 64 deep");
}

TEST(LayoutTextTest, ReadsSuffixes) {
  const Layout layout = ParseLayout("{1,0:T(8,128)E(4)S(3)}").value();
  EXPECT_EQ(layout.minor_to_major, (absl::InlinedVector<int64_t, 6>{1, 0}));
  EXPECT_EQ(layout.tiles, (std::vector<Tile>{{{8, 128}}}));
  EXPECT_EQ(layout.element_size_in_bits, 4);
  EXPECT_EQ(layout.memory_space, 3);
  EXPECT_EQ(ParseLayout("{0:X(1)}").status().message(),
            "AX0100: 1:4: expected '}' or one of D T L # * E S SC P M in a layout, found 'X'");
}

std::string LiteralBack(absl::string_view text) {
  const absl::StatusOr<Literal> literal = ParseLiteral(text);
  return literal.ok() ? PrintLiteral(*literal) : std::string(literal.status().message());
}

TEST(LiteralTextTest, ReadsBackAsWritten) {
  for (const char* text : {"f32[] 1.5",
                           "f32[2] {1, 2}",
                           "s32[2,2] { { 1, 2 }, { 3, 4 } }",
                           "pred[2] {true, false}",
                           "(s32[] -1, (u8[] 255, f64[1] {1e+300}))",
                           "()",
                           "c64[2] {(1, -2), (nan, inf)}",
                           "f32[3] {inf, -inf, nan}",
                           "f32[2] {nan(0x400001), -nan(0x1)}",
                           "f32[0] {}",
                           "f32[2,0] { {  }, {  } }",
                           "f32[2]{0} {1, 2}",
                           "s4[4] {-8, 7, 0, -1}",
                           "u4[2] {0, 15}",
                           "s2[2] {-2, 1}",
                           "u2[2] {0, 3}",
                           "s1[2] {-1, 0}",
                           "u1[2] {0, 1}",
                           "s8[2] {-128, 127}",
                           "u64[1] {18446744073709551615}",
                           "s64[1] {-9223372036854775808}",
                           "f16[2] {1, 6e-08}",
                           "bf16[1] {0.1}",
                           "f8e5m2[2] {inf, nan}",
                           "f8e4m3fn[2] {nan, -nan}",
                           "f8e4m3fnuz[1] {nan}",
                           "f4e2m1fn[2] {-6, 0.5}",
                           "c128[] (1e-300, 0)",
                           "f64[] 0.30000000000000004"}) {
    EXPECT_EQ(LiteralBack(text), text);
  }
}

TEST(LiteralTextTest, Values) {
  const Literal literal = ParseLiteral("s4[3] {-8, 7, -1}").value();
  // One byte an element, the value in the low bits.
  EXPECT_EQ(literal.bytes()[0], std::byte{0x8});
  EXPECT_EQ(literal.bytes()[1], std::byte{0x7});
  EXPECT_EQ(literal.bytes()[2], std::byte{0xf});
  const Literal matrix = ParseLiteral("f32[2,3]{0,1} {{1,2,3},{4,5,6}}").value();
  // Row-major, whatever the layout.
  EXPECT_EQ(matrix.data<float>(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  const Literal of_shape =
      ParseLiteralOfShape("(1, {true, 0})", ParseShape("(s32[], pred[2])").value()).value();
  EXPECT_EQ(PrintLiteral(of_shape, /*with_shapes=*/false), "(1, {true, false})");
  // A real number is a complex one.
  EXPECT_EQ(ParseLiteral("c64[] 2").value().data<std::complex<float>>()[0],
            std::complex<float>(2, 0));
  // XLA's reader takes a value without braces as the first element.
  EXPECT_EQ(ParseLiteral("f32[3] 1").value().data<float>(), (std::vector<float>{1, 0, 0}));
}

TEST(LiteralTextTest, WrongCountsAndBraces) {
  EXPECT_EQ(LiteralBack("f32[2] {1, 2, 3}"),
            "AX0107: 1:15: more than 2 entries in dimension 0 of f32[2]");
  EXPECT_EQ(LiteralBack("f32[3] {1, 2}"),
            "AX0107: 1:13: 2 entries in dimension 0 of f32[3], which has 3");
  EXPECT_EQ(LiteralBack("f32[2,2] {1, 2}"),
            "AX0107: 1:11: a value inside 1 levels of braces; f32[2,2] has 2");
  EXPECT_EQ(LiteralBack("f32[] {1}"), "AX0107: 1:7: more than 0 levels of braces for f32[]");
  EXPECT_EQ(LiteralBack("f32[1000000000000] {1}"),
            "AX0107: 1:20: fewer than the 1000000000000 values of f32[1000000000000]");
  EXPECT_EQ(LiteralBack("f32[2] {...}"), "AX0107: 1:1: the value is left out ({...})");
  EXPECT_EQ(LiteralBack("(f32[] 1"),
            "AX0100: 1:9: expected ')' behind a tuple literal, found the end of the text");
  EXPECT_EQ(LiteralBack("token[]"), "AX0107: 1:8: a value of type token[] has no text form");
  EXPECT_EQ(LiteralBack("f32[?] {}"),
            "AX0107: 1:8: no literal has shape f32[?]: its size is unknown or beyond what memory "
            "holds");
}

TEST(LiteralTextTest, Ranges) {
  EXPECT_EQ(LiteralBack("s4[] 8"), "AX0108: 1:6: 8 does not fit into s4");
  EXPECT_EQ(LiteralBack("s4[] -9"), "AX0108: 1:6: -9 does not fit into s4");
  EXPECT_EQ(LiteralBack("u4[] 16"), "AX0108: 1:6: 16 does not fit into u4");
  EXPECT_EQ(LiteralBack("u8[] -1"), "AX0108: 1:6: -1 does not fit into u8");
  EXPECT_EQ(LiteralBack("s8[] 128"), "AX0108: 1:6: 128 does not fit into s8");
  EXPECT_EQ(LiteralBack("u64[] 18446744073709551616"),
            "AX0108: 1:7: 18446744073709551616 does not fit into u64");
  EXPECT_EQ(LiteralBack("s64[] 9223372036854775808"),
            "AX0108: 1:7: 9223372036854775808 does not fit into s64");
  EXPECT_EQ(LiteralBack("f16[] 65520"), "AX0108: 1:7: 65520 does not fit into f16");
  EXPECT_EQ(LiteralBack("f8e4m3fn[] inf"), "AX0108: 1:12: f8e4m3fn has no infinity");
  EXPECT_EQ(LiteralBack("f4e2m1fn[] nan"), "AX0108: 1:12: f4e2m1fn has no NaN");
  EXPECT_EQ(LiteralBack("f32[] nan(0x800000)"), "AX0108: 1:11: 0x800000 does not fit into f32");
  EXPECT_EQ(LiteralBack("f32[] nan(0x0)"), "AX0108: 1:11: 0x0 does not fit into f32");
  EXPECT_EQ(LiteralBack("f8e4m3fn[] nan(0x1)"),
            "AX0108: 1:16: a NaN of type f8e4m3fn has no payload");
  EXPECT_EQ(LiteralBack("s32[] 1.5"), "AX0100: 1:7: expected an integer of type s32, found '1.5'");
  EXPECT_EQ(LiteralBack("s32[] true"),
            "AX0100: 1:7: expected an integer of type s32, found 'true'");
  EXPECT_EQ(LiteralBack("pred[] 2"), "AX0100: 1:8: expected true, false, 1 or 0, found '2'");
}

std::string ShardingBack(absl::string_view text) {
  const absl::StatusOr<Sharding> sharding = ParseSharding(text);
  return sharding.ok() ? PrintSharding(*sharding) : std::string(sharding.status().message());
}

TEST(ShardingTextTest, ReadsBackAsWritten) {
  for (const char* text :
       {"{replicated}", "{manual}", "{unknown}", "{unreduced}", "{maximal device=3}",
        "{devices=[2,1]0,1}", "{devices=[2,1]<=[2]}", "{devices=[2,2]<=[2,2]T(1,0)}",
        "{devices=[2,2]<=[4] last_tile_dim_replicate}",
        "{devices=[2,2,1]0,1,2,3 last_tile_dims={manual, replicated}}", "{}",
        "{{replicated}, {maximal device=1}}", "{replicated shard_as 2}",
        "{devices=[2]<=[2] shard_like 5}", "{replicated metadata={op_name=\"x {\"}}",
        "{replicated metadata={{op_name=\"x\"}, {op_name=\"y\"}}}",
        "{mesh['a'=2,'b'=2], [{'a'}, {}], replicated={'b'}}", "{maximal_mesh[device_id=1]}",
        "{{manual}, {manual}, {manual}, {manual}, {manual}, /*index=5*/{manual}}"}) {
    EXPECT_EQ(ShardingBack(text), text);
  }
}

TEST(ShardingTextTest, Values) {
  const Sharding sharding = ParseSharding("{devices=[4,2]<=[2,4]T(1,0)}").value();
  EXPECT_EQ(sharding.type, Sharding::Type::kTiled);
  EXPECT_EQ(sharding.tile_dimensions, (std::vector<int64_t>{4, 2}));
  EXPECT_EQ(sharding.iota_reshape_dims, (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(sharding.iota_transpose_perm, (std::vector<int64_t>{1, 0}));
  // The identity has one form in the IR; XLA wants it spelled out.
  const Sharding identity = ParseSharding("{devices=[2,4]<=[2,4]T(0,1)}").value();
  EXPECT_TRUE(identity.iota_transpose_perm.empty());
  EXPECT_EQ(PrintSharding(identity), "{devices=[2,4]<=[2,4]T(0,1)}");
}

TEST(ShardingTextTest, Errors) {
  EXPECT_EQ(ShardingBack("{maximal}"), "AX0112: 1:1: a maximal sharding names exactly one device");
  EXPECT_EQ(ShardingBack("{replicated devices=[2]0,1}"),
            "AX0112: 1:1: this type of sharding names no devices");
  EXPECT_EQ(ShardingBack("{last_tile_dim_replicate}"),
            "AX0112: 1:1: a sharding is replicated, maximal, manual, unknown, unreduced, or names "
            "devices=[tiles]…");
  EXPECT_EQ(ShardingBack("{replicated manual}"),
            "AX0100: 1:13: expected one type of sharding only, found 'manual'");
  EXPECT_EQ(ShardingBack("{devices=[2,2]<=[2,2]T(1,1)}"),
            "AX0112: 1:23: not a permutation of the iota's dimensions");
  EXPECT_EQ(ShardingBack("{frobnicate=1}"),
            "AX0100: 1:13: expected device, devices, last_tile_dims or metadata in a sharding, "
            "found '1'");
  const std::string deep = std::string(10000, '{') + std::string(10000, '}');
  EXPECT_EQ(ParseSharding(deep).status().message(), "AX0109: 1:101: nests more than 100 deep");
}

}  // namespace
}  // namespace axle::hlo
