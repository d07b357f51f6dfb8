// SPDX-License-Identifier: Apache-2.0
#include "base/npy.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "base/errors.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace axle {
namespace {

constexpr absl::string_view kMagic = "\x93NUMPY";
constexpr int kMaxRank = 64;
// NumPy's headers are about a hundred bytes; only structured types make long ones.
constexpr int64_t kMaxHeaderBytes = 64 << 10;

bool IsSupported(NpyType type) {
  switch (type.kind) {
    case NpyKind::kBool:
      return type.size == 1;
    case NpyKind::kSigned:
    case NpyKind::kUnsigned:
      return type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
    case NpyKind::kFloat:
      return type.size == 2 || type.size == 4 || type.size == 8;
    case NpyKind::kComplex:
      return type.size == 8 || type.size == 16;
    case NpyKind::kRaw:
      return type.size == 1 || type.size == 2;
  }
  return false;
}

char KindLetter(NpyKind kind) {
  switch (kind) {
    case NpyKind::kBool:
      return 'b';
    case NpyKind::kSigned:
      return 'i';
    case NpyKind::kUnsigned:
      return 'u';
    case NpyKind::kFloat:
      return 'f';
    case NpyKind::kComplex:
      return 'c';
    case NpyKind::kRaw:
      return 'V';
  }
  return 'V';
}

std::optional<NpyKind> KindOf(char letter) {
  for (const NpyKind kind : {NpyKind::kBool, NpyKind::kSigned, NpyKind::kUnsigned, NpyKind::kFloat,
                             NpyKind::kComplex, NpyKind::kRaw}) {
    if (KindLetter(kind) == letter) return kind;
  }
  return std::nullopt;
}

absl::StatusOr<NpyType> ParseDescr(absl::string_view descr) {
  const auto refuse = [&](absl::string_view why) {
    return MakeError(errors::kNpyType,
                     absl::StrCat("element type '", absl::CHexEscape(descr), "': ", why));
  };
  if (descr == "?") return NpyType{NpyKind::kBool, 1};
  absl::string_view rest = descr;
  char order = '|';
  if (!rest.empty() && absl::StrContains("<>|=", rest.substr(0, 1))) {
    order = rest[0];
    rest.remove_prefix(1);
  }
  if (rest.empty()) return refuse("unknown");
  if (rest[0] == 'O') return refuse("Python objects are not supported");
  const std::optional<NpyKind> kind = KindOf(rest[0]);
  NpyType type;
  if (!kind.has_value() || !absl::SimpleAtoi(rest.substr(1), &type.size)) return refuse("unknown");
  type.kind = *kind;
  if (!IsSupported(type)) return refuse("not a supported size");
  if (order == '>' && type.size > 1 && type.kind != NpyKind::kRaw) {
    return refuse("big-endian data is not supported");
  }
  return type;
}

// Bytes of an array, or an error when a dimension is negative or the product leaves int64. Zeros do
// not hide an overflow of the other dimensions.
absl::StatusOr<int64_t> ByteSize(NpyType type, absl::Span<const int64_t> shape) {
  if (shape.size() > kMaxRank) {
    return MakeError(errors::kNpyShape,
                     absl::StrCat(shape.size(), " dimensions, more than ", kMaxRank));
  }
  const auto refuse = [&](absl::string_view why) {
    return MakeError(errors::kNpyShape, absl::StrCat("shape (", absl::StrJoin(shape, ", "), ") of ",
                                                     type.size, "-byte elements: ", why));
  };
  int64_t size = type.size;
  bool empty = false;
  for (const int64_t dimension : shape) {
    if (dimension < 0) return refuse("negative dimension");
    if (dimension == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(size, dimension, &size)) {
      return refuse("too many bytes");
    }
  }
  return empty ? 0 : size;
}

struct Header {
  NpyType type;
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

// Reads the header's dictionary literal: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3),
// }
class HeaderParser {
 public:
  explicit HeaderParser(absl::string_view text) : text_(text), rest_(text) {}

  absl::StatusOr<Header> Parse() {
    bool has_descr = false, has_order = false, has_shape = false;
    AXLE_RETURN_IF_ERROR(Expect('{'));
    while (!Take('}')) {
      AXLE_ASSIGN_OR_RETURN(const std::string key, String());
      AXLE_RETURN_IF_ERROR(Expect(':'));
      bool* seen = key == "descr"           ? &has_descr
                   : key == "fortran_order" ? &has_order
                   : key == "shape"         ? &has_shape
                                            : nullptr;
      if (seen == nullptr) {
        return Error(absl::StrCat("unknown key '", absl::CHexEscape(key), "'"));
      }
      if (*seen) return Error(absl::StrCat("key '", key, "' twice"));
      *seen = true;
      if (seen == &has_descr) AXLE_RETURN_IF_ERROR(Descr());
      if (seen == &has_order) AXLE_RETURN_IF_ERROR(FortranOrder());
      if (seen == &has_shape) AXLE_RETURN_IF_ERROR(Shape());
      if (!Take(',')) {
        AXLE_RETURN_IF_ERROR(Expect('}'));
        break;
      }
    }
    SkipSpace();
    if (!rest_.empty()) return Error("text after the dictionary");
    if (!has_descr) return Error("no key 'descr'");
    if (!has_order) return Error("no key 'fortran_order'");
    if (!has_shape) return Error("no key 'shape'");
    return std::move(header_);
  }

 private:
  absl::Status Error(absl::string_view what) const {
    return MakeError(errors::kNpyHeader, absl::StrCat("at byte ", text_.size() - rest_.size(),
                                                      " of the header: ", what));
  }

  void SkipSpace() { rest_ = absl::StripLeadingAsciiWhitespace(rest_); }

  bool Take(char c) {
    SkipSpace();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  absl::Status Expect(char c) {
    if (Take(c)) return absl::OkStatus();
    return Error(absl::StrCat("expected '", std::string(1, c), "'"));
  }

  absl::StatusOr<std::string> String() {
    for (const char quote : {'\'', '"'}) {
      if (!Take(quote)) continue;
      const size_t end = rest_.find(quote);
      if (end == absl::string_view::npos) return Error("string without an end");
      std::string result(rest_.substr(0, end));
      if (absl::StrContains(result, "\\")) return Error("escape in a string");
      rest_.remove_prefix(end + 1);
      return result;
    }
    return Error("expected a string");
  }

  absl::Status Descr() {
    SkipSpace();
    if (!rest_.empty() && rest_[0] == '[') {
      return MakeError(errors::kNpyType, "element type: structured types are not supported");
    }
    AXLE_ASSIGN_OR_RETURN(const std::string descr, String());
    AXLE_ASSIGN_OR_RETURN(header_.type, ParseDescr(descr));
    return absl::OkStatus();
  }

  absl::Status FortranOrder() {
    SkipSpace();
    if (absl::ConsumePrefix(&rest_, "True")) {
      header_.fortran_order = true;
    } else if (!absl::ConsumePrefix(&rest_, "False")) {
      return Error("expected True or False");
    }
    return absl::OkStatus();
  }

  absl::Status Shape() {
    AXLE_RETURN_IF_ERROR(Expect('('));
    while (!Take(')')) {
      SkipSpace();
      const bool negative = !rest_.empty() && rest_[0] == '-';
      size_t length = negative ? 1 : 0;
      while (length < rest_.size() && absl::ascii_isdigit(rest_[length])) ++length;
      if (length == (negative ? 1 : 0)) return Error("expected an integer");
      int64_t dimension;
      if (!absl::SimpleAtoi(rest_.substr(0, length), &dimension)) {
        return MakeError(errors::kNpyShape,
                         absl::StrCat("dimension ", header_.shape.size(), " exceeds 64 bits"));
      }
      rest_.remove_prefix(length);
      absl::ConsumePrefix(&rest_, "L");  // Python 2's long integers
      header_.shape.push_back(dimension);
      if (!Take(',')) {
        AXLE_RETURN_IF_ERROR(Expect(')'));
        break;
      }
    }
    return absl::OkStatus();
  }

  absl::string_view text_;
  absl::string_view rest_;
  Header header_;
};

// The header's text; `bytes` is left at the data.
absl::StatusOr<absl::string_view> SplitHeader(absl::string_view& bytes) {
  if (!absl::ConsumePrefix(&bytes, kMagic)) {
    return MakeError(errors::kNpyNotNpy, "the data does not begin with \\x93NUMPY");
  }
  const auto cut_off = [] { return MakeError(errors::kNpyHeader, "the header is cut off"); };
  const auto byte = [&](int i) { return static_cast<uint8_t>(bytes[i]); };
  if (bytes.size() < 2) return cut_off();
  const int major = byte(0), minor = byte(1);
  if (major < 1 || major > 3 || minor != 0) {
    return MakeError(errors::kNpyVersion, absl::StrCat("format version ", major, ".", minor,
                                                       "; known are 1.0, 2.0 and 3.0"));
  }
  bytes.remove_prefix(2);
  const int length_bytes = major == 1 ? 2 : 4;
  if (bytes.size() < length_bytes) return cut_off();
  int64_t length = 0;
  for (int i = 0; i < length_bytes; ++i) length |= int64_t{byte(i)} << (8 * i);
  bytes.remove_prefix(length_bytes);
  if (length > static_cast<int64_t>(bytes.size())) return cut_off();
  if (length > kMaxHeaderBytes) {
    return MakeError(errors::kNpyHeader, absl::StrCat("the header has ", length,
                                                      " bytes, more than ", kMaxHeaderBytes));
  }
  const absl::string_view header = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return header;
}

// Copies a column-major array to row-major order. `shape` has no zero.
void TransposeToRowMajor(absl::Span<const int64_t> shape, int64_t element, const char* source,
                         uint8_t* target, int64_t size) {
  const int rank = static_cast<int>(shape.size());
  std::vector<int64_t> stride(rank), index(rank, 0);
  int64_t step = element;
  for (int d = 0; d < rank; ++d) {
    stride[d] = step;
    step *= shape[d];
  }
  int64_t from = 0;
  for (int64_t to = 0; to < size; to += element) {
    std::memcpy(target + to, source + from, element);
    for (int d = rank - 1; d >= 0; --d) {
      from += stride[d];
      if (++index[d] < shape[d]) break;
      from -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
}

}  // namespace

std::string NpyDescr(NpyType type) {
  const char order = type.size == 1 || type.kind == NpyKind::kRaw ? '|' : '<';
  return absl::StrCat(std::string(1, order), std::string(1, KindLetter(type.kind)), type.size);
}

absl::StatusOr<NpyArray> ReadNpy(absl::string_view bytes) {
  AXLE_ASSIGN_OR_RETURN(const absl::string_view text, SplitHeader(bytes));
  AXLE_ASSIGN_OR_RETURN(Header header, HeaderParser(text).Parse());
  AXLE_ASSIGN_OR_RETURN(const int64_t size, ByteSize(header.type, header.shape));
  if (size != static_cast<int64_t>(bytes.size())) {
    return MakeError(
        errors::kNpySize,
        absl::StrCat("shape (", absl::StrJoin(header.shape, ", "), ") of ", NpyDescr(header.type),
                     " needs ", size, " bytes of data, there ", "are ", bytes.size()));
  }
  NpyArray array{header.type, std::move(header.shape), AlignedBytes(size)};
  if (size == 0) return array;
  if (header.fortran_order && array.shape.size() > 1) {
    TransposeToRowMajor(array.shape, array.type.size, bytes.data(), array.data.data(), size);
  } else {
    std::memcpy(array.data.data(), bytes.data(), size);
  }
  if (array.type.kind == NpyKind::kBool) {
    for (uint8_t& value : array.data.span()) value = value != 0;
  }
  return array;
}

absl::StatusOr<NpyArray> ReadNpyFile(const std::string& path) {
  AXLE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  absl::StatusOr<NpyArray> array = ReadNpy(bytes);
  if (!array.ok()) return AtPlace(path, array.status());
  return array;
}

absl::StatusOr<std::string> WriteNpy(NpyType type, absl::Span<const int64_t> shape,
                                     absl::Span<const uint8_t> data) {
  if (!IsSupported(type)) {
    return MakeError(errors::kNpyType,
                     absl::StrCat("element type '", NpyDescr(type), "': not a supported size"));
  }
  AXLE_ASSIGN_OR_RETURN(const int64_t size, ByteSize(type, shape));
  if (size != static_cast<int64_t>(data.size())) {
    return MakeError(errors::kNpySize,
                     absl::StrCat("shape (", absl::StrJoin(shape, ", "), ") of ", NpyDescr(type),
                                  " needs ", size, " bytes of data, there are ", data.size()));
  }
  std::string header =
      absl::StrCat("{'descr': '", NpyDescr(type), "', 'fortran_order': False, 'shape': (",
                   absl::StrJoin(shape, ", "), shape.size() == 1 ? ",), }" : "), }");
  // The data begins at a multiple of 64 bytes; the header ends with a line feed.
  constexpr int64_t kPreamble = 10;
  const int64_t total = (kPreamble + header.size() + 1 + 63) / 64 * 64;
  header.resize(total - kPreamble - 1, ' ');
  header.push_back('\n');

  std::string bytes;
  bytes.reserve(total + size);
  absl::StrAppend(&bytes, kMagic);
  bytes.push_back(1);
  bytes.push_back(0);
  bytes.push_back(static_cast<char>(header.size() & 0xff));
  bytes.push_back(static_cast<char>(header.size() >> 8));
  absl::StrAppend(&bytes, header);
  bytes.append(reinterpret_cast<const char*>(data.data()), size);
  return bytes;
}

absl::Status WriteNpyFile(const std::string& path, NpyType type, absl::Span<const int64_t> shape,
                          absl::Span<const uint8_t> data) {
  absl::StatusOr<std::string> bytes = WriteNpy(type, shape, data);
  if (!bytes.ok()) return AtPlace(path, bytes.status());
  return WriteFileAtomically(path, *bytes);
}

}  // namespace axle
