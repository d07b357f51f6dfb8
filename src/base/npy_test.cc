// SPDX-License-Identifier: Apache-2.0
#include "base/npy.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/file.h"
#include "gtest/gtest.h"

namespace axle {
namespace {

// A .npy file from its parts, by the format's description: magic, version, length, header, data.
std::string Npy(absl::string_view header, absl::string_view data, int major = 1) {
  std::string bytes = "\x93NUMPY";
  bytes.push_back(static_cast<char>(major));
  bytes.push_back(0);
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) {
    bytes.push_back(static_cast<char>(header.size() >> (8 * i)));
  }
  return absl::StrCat(bytes, header, data);
}

std::string Header(absl::string_view descr, absl::string_view shape, bool fortran = false) {
  return absl::StrCat("{'descr': '", descr, "', 'fortran_order': ", fortran ? "True" : "False",
                      ", 'shape': ", shape, ", }   \n");
}

std::vector<uint8_t> Bytes(const NpyArray& array) {
  return {array.data.span().begin(), array.data.span().end()};
}

absl::Span<const uint8_t> AsBytes(absl::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string IdOf(absl::string_view bytes) { return ErrorIdOf(ReadNpy(bytes).status()); }

TEST(NpyTest, ReadsEveryElementType) {
  const struct {
    const char* descr;
    NpyKind kind;
    int size;
  } rows[] = {
      {"|b1", NpyKind::kBool, 1},      {"?", NpyKind::kBool, 1},
      {"|i1", NpyKind::kSigned, 1},    {"<i2", NpyKind::kSigned, 2},
      {"<i4", NpyKind::kSigned, 4},    {"<i8", NpyKind::kSigned, 8},
      {"|u1", NpyKind::kUnsigned, 1},  {"<u2", NpyKind::kUnsigned, 2},
      {"<u4", NpyKind::kUnsigned, 4},  {"<u8", NpyKind::kUnsigned, 8},
      {"<f2", NpyKind::kFloat, 2},     {"<f4", NpyKind::kFloat, 4},
      {"<f8", NpyKind::kFloat, 8},     {"<c8", NpyKind::kComplex, 8},
      {"<c16", NpyKind::kComplex, 16}, {"|V1", NpyKind::kRaw, 1},
      {"|V2", NpyKind::kRaw, 2},       {"=i4", NpyKind::kSigned, 4},
  };
  for (const auto& row : rows) {
    const std::string data(2 * row.size, '\1');
    const auto array = ReadNpy(Npy(Header(row.descr, "(2,)"), data));
    ASSERT_TRUE(array.ok()) << row.descr << array.status();
    EXPECT_EQ(array->type, (NpyType{row.kind, row.size})) << row.descr;
    EXPECT_EQ(array->shape, std::vector<int64_t>{2});
    EXPECT_EQ(Bytes(*array), std::vector<uint8_t>(2 * row.size, 1));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array->data.data()) % 64, 0);
  }
}

TEST(NpyTest, ReadsEveryVersionAndHeaderSpelling) {
  const std::string data = "\1\2\3\4\5\6";
  const std::vector<uint8_t> expected = {1, 2, 3, 4, 5, 6};
  for (int version = 1; version <= 3; ++version) {
    const auto array = ReadNpy(Npy(Header("|u1", "(2, 3)"), data, version));
    ASSERT_TRUE(array.ok()) << array.status();
    EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(Bytes(*array), expected);
  }
  for (const char* header : {
           "{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"u1\"}",
           " { 'shape' : ( 2 , 3 , ) ,\n'descr':'|u1', 'fortran_order' : False } ",
           "{'descr': '|u1', 'fortran_order': False, 'shape': (2L, 3L), }",
       }) {
    const auto array = ReadNpy(Npy(header, data));
    ASSERT_TRUE(array.ok()) << header << array.status();
    EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 3}));
  }
}

TEST(NpyTest, ReadsScalarsAndEmptyArrays) {
  const auto scalar = ReadNpy(Npy(Header("<i2", "()"), "\x34\x12"));
  ASSERT_TRUE(scalar.ok());
  EXPECT_TRUE(scalar->shape.empty());
  EXPECT_EQ(Bytes(*scalar), (std::vector<uint8_t>{0x34, 0x12}));

  const auto empty = ReadNpy(Npy(Header("<f8", "(3, 0, 2)", true), ""));
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(empty->shape, (std::vector<int64_t>{3, 0, 2}));
  EXPECT_EQ(empty->data.size(), 0);
}

TEST(NpyTest, TransposesFortranOrder) {
  // Element (i, j) of a 2x3 array stands at position i + 2 j; its value here is 10 i + j.
  const auto matrix =
      ReadNpy(Npy(Header("|u1", "(2, 3)", true), std::string("\0\12\1\13\2\14", 6)));
  ASSERT_TRUE(matrix.ok());
  EXPECT_EQ(Bytes(*matrix), (std::vector<uint8_t>{0, 1, 2, 10, 11, 12}));

  // Element (i, j, k) of a 2x3x2 array of two-byte values stands at i + 2 (j + 3 k).
  std::string data(24, '\0');
  std::vector<uint8_t> expected;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k) {
        const uint8_t value = 100 * i + 10 * j + k;
        data[2 * (i + 2 * (j + 3 * k))] = static_cast<char>(value);
        expected.push_back(value);
        expected.push_back(0);
      }
    }
  }
  const auto cube = ReadNpy(Npy(Header("<u2", "(2, 3, 2)", true), data));
  ASSERT_TRUE(cube.ok());
  EXPECT_EQ(Bytes(*cube), expected);
}

TEST(NpyTest, BoolsBecomeZeroOrOne) {
  const auto array = ReadNpy(Npy(Header("|b1", "(4,)"), std::string("\0\1\2\xff", 4)));
  ASSERT_TRUE(array.ok());
  EXPECT_EQ(Bytes(*array), (std::vector<uint8_t>{0, 1, 1, 1}));
}

TEST(NpyTest, RefusesWhatIsNoNpy) {
  EXPECT_EQ(IdOf(""), "AX0010");
  EXPECT_EQ(IdOf("\x93NUMP"), "AX0010");
  EXPECT_EQ(IdOf("PK\3\4archive"), "AX0010");
}

TEST(NpyTest, RefusesUnknownVersions) {
  EXPECT_EQ(IdOf(Npy(Header("|u1", "()"), "x", 0)), "AX0011");
  EXPECT_EQ(IdOf(Npy(Header("|u1", "()"), "x", 4)), "AX0011");
  std::string minor = Npy(Header("|u1", "()"), "x");
  minor[7] = 1;
  EXPECT_EQ(IdOf(minor), "AX0011");
}

TEST(NpyTest, RefusesMalformedHeaders) {
  for (const char* header : {
           "",
           "{",
           "{}",
           "['descr']",
           "{'descr': '<f4', 'fortran_order': False}",
           "{'descr': '<f4', 'shape': ()}",
           "{'fortran_order': False, 'shape': ()}",
           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'more': 1}",
           "{'descr': '<f4', 'fortran_order': 0, 'shape': ()}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x",
           "{'fortran_order': False, 'shape': (), 'descr': '<f4",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (x,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (--1,)}",
           "{'descr': '\\x3cf4', 'fortran_order': False, 'shape': ()}",
           "{'descr': '<f4' 'fortran_order': False, 'shape': ()}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,",
           "{'descr': '<f4', 'fortran_order': False, 'shape': 4}",
           "{'descr': <f4, 'fortran_order': False, 'shape': ()}",
       }) {
    EXPECT_EQ(IdOf(Npy(header, "1234")), "AX0012") << header;
  }
}

TEST(NpyTest, RefusesCutOffAndHugeHeaders) {
  const std::string whole = Npy(Header("|u1", "()"), "x");
  for (int length = 6; length < whole.size() - 1; ++length) {
    EXPECT_EQ(IdOf(absl::string_view(whole).substr(0, length)), "AX0012") << length;
  }
  std::string huge = Npy(Header("|u1", "()"), "x", 2);
  huge.replace(8, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(IdOf(huge), "AX0012");
  const std::string padded = absl::StrCat(Header("|u1", "()"), std::string(70000, ' '));
  EXPECT_EQ(IdOf(Npy(padded, "x", 2)), "AX0012");
}

TEST(NpyTest, RefusesElementTypes) {
  for (const char* descr : {">f4",  ">i2",  ">c8", "|O",   "O8",  "<U3",          "|S4", "<M8[ns]",
                            "<f16", "<c32", "<i3", "<i16", "|V3", "|V0",          "|b2", "<f1",
                            "",     "<",    "f",   "<f-4", "x4",  "<f99999999999"}) {
    EXPECT_EQ(IdOf(Npy(Header(descr, "(1,)"), "12345678")), "AX0013") << descr;
  }
  EXPECT_EQ(IdOf(Npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': ()}", "1234")),
            "AX0013");
}

TEST(NpyTest, RefusesImpossibleShapes) {
  std::string ones = "(";
  for (int i = 0; i < 65; ++i) ones += "1, ";
  const std::string many = ones + ")";
  for (const std::string& shape :
       {std::string("(-1,)"), std::string("(2, -3)"), std::string("(9223372036854775808,)"),
        std::string("(4611686018427387904, 4)"), std::string("(3037000500, 3037000500)"),
        std::string("(0, 4611686018427387904, 4)"), std::string("(99999999999999999999L,)"),
        many}) {
    EXPECT_EQ(IdOf(Npy(Header("|u1", shape), "1")), "AX0014") << shape;
  }
}

TEST(NpyTest, RefusesOtherSizesOfData) {
  EXPECT_EQ(IdOf(Npy(Header("<f4", "(2,)"), "1234567")), "AX0015");
  EXPECT_EQ(IdOf(Npy(Header("<f4", "(2,)"), "123456789")), "AX0015");
  EXPECT_EQ(IdOf(Npy(Header("<f4", "(1000000000000,)"), "1234")), "AX0015");
  EXPECT_EQ(IdOf(Npy(Header("<f4", "(0,)"), "1")), "AX0015");
}

TEST(NpyTest, WritesTheBytesThatNumpyWrites) {
  // numpy.save of numpy.arange(6, dtype='<i2').reshape(2, 3): 10 bytes before the header, which is
  // padded with spaces so that the data begins at byte 128.
  const std::string text = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }";
  const std::string header = text + std::string(128 - 10 - 1 - text.size(), ' ') + "\n";
  const std::string data("\0\0\1\0\2\0\3\0\4\0\5\0", 12);
  const std::string expected = std::string("\x93NUMPY\1\0\x76\0", 10) + header + data;
  EXPECT_EQ(WriteNpy({NpyKind::kSigned, 2}, {2, 3}, AsBytes(data)).value(), expected);
}

TEST(NpyTest, ReadsWhatItWrites) {
  const std::vector<std::vector<int64_t>> shapes = {{}, {1}, {5}, {0}, {2, 3}, {1, 2, 3, 4}};
  for (const NpyType type : {NpyType{NpyKind::kBool, 1}, NpyType{NpyKind::kFloat, 8},
                             NpyType{NpyKind::kComplex, 16}, NpyType{NpyKind::kRaw, 2}}) {
    for (const std::vector<int64_t>& shape : shapes) {
      int64_t size = type.size;
      for (const int64_t dimension : shape) size *= dimension;
      std::vector<uint8_t> data(size);
      for (int64_t i = 0; i < size; ++i) data[i] = type.kind == NpyKind::kBool ? i % 2 : i;
      const auto bytes = WriteNpy(type, shape, data);
      ASSERT_TRUE(bytes.ok()) << bytes.status();
      EXPECT_EQ((bytes->size() - size) % 64, 0);
      const auto array = ReadNpy(*bytes);
      ASSERT_TRUE(array.ok()) << array.status();
      EXPECT_EQ(array->type, type);
      EXPECT_EQ(array->shape, shape);
      EXPECT_EQ(Bytes(*array), data);
    }
  }
}

TEST(NpyTest, WriterChecksItsArguments) {
  const auto id = [](NpyType type, absl::Span<const int64_t> shape, absl::string_view data) {
    return ErrorIdOf(WriteNpy(type, shape, AsBytes(data)).status());
  };
  EXPECT_EQ(id({NpyKind::kFloat, 16}, {}, "0123456789abcdef"), "AX0013");
  EXPECT_EQ(id({NpyKind::kFloat, 4}, {-1}, ""), "AX0014");
  EXPECT_EQ(id({NpyKind::kFloat, 4}, {int64_t{1} << 61, 2}, ""), "AX0014");
  EXPECT_EQ(id({NpyKind::kFloat, 4}, {2}, "1234"), "AX0015");
}

TEST(NpyTest, FilesAreNamedInErrors) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/axle_npy_test.npy");
  ASSERT_TRUE(WriteNpyFile(path, {NpyKind::kUnsigned, 1}, {2}, AsBytes("ab")).ok());
  const auto array = ReadNpyFile(path);
  ASSERT_TRUE(array.ok());
  EXPECT_EQ(Bytes(*array), (std::vector<uint8_t>{'a', 'b'}));

  ASSERT_TRUE(WriteFileAtomically(path, "junk").ok());
  const absl::Status status = ReadNpyFile(path).status();
  EXPECT_EQ(ErrorIdOf(status), "AX0010");
  EXPECT_TRUE(absl::StrContains(status.message(), path)) << status;
  remove(path.c_str());
  EXPECT_EQ(ErrorIdOf(ReadNpyFile(path).status()), "AX0001");
}

// Arrays that NumPy itself wrote: read, write, compare bytes.
TEST(NpyTest, AgreesWithRecordedFiles) {
  const char* root = std::getenv("AXLE_TEST_DATA");
  const std::string data =
      absl::StrCat(root != nullptr ? root : AXLE_SOURCE_DIR "/../shared/data", "/jax");
  const auto cases = ListDirectory(data);
  if (!cases.ok()) GTEST_SKIP() << "no test data at " << data;
  int files = 0;
  for (const std::string& name : *cases) {
    const auto entries = ListDirectory(absl::StrCat(data, "/", name));
    if (!entries.ok()) continue;
    for (const std::string& entry : *entries) {
      if (!absl::EndsWith(entry, ".npy")) continue;
      const std::string path = absl::StrCat(data, "/", name, "/", entry);
      const auto bytes = ReadFile(path);
      ASSERT_TRUE(bytes.ok()) << bytes.status();
      const auto array = ReadNpy(*bytes);
      ASSERT_TRUE(array.ok()) << path << array.status();
      if (absl::StrContains(bytes->substr(0, 100), "'fortran_order': True")) continue;
      EXPECT_EQ(WriteNpy(array->type, array->shape, array->data.span()).value(), *bytes) << path;
      ++files;
    }
  }
  EXPECT_GT(files, 100);
}

}  // namespace
}  // namespace axle
