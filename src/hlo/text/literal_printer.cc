// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "hlo/text/number_text.h"
#include "hlo/text/printer.h"

namespace axle::hlo {
namespace {

uint64_t Load(const std::byte* from, int bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  return bits;
}

int64_t SignExtend(uint64_t bits, int width) {
  const int unused = 64 - width;
  return static_cast<int64_t>(bits << unused) >> unused;
}

void AppendElement(ElementType type, const std::byte* from, std::string& out) {
  const int bytes = ByteWidth(type);
  switch (Info(type).kind) {
    case ElementClass::kPred:
      absl::StrAppend(&out, *from == std::byte{0} ? "false" : "true");
      return;
    case ElementClass::kSigned:
      absl::StrAppend(&out, SignExtend(Load(from, bytes), BitWidth(type)));
      return;
    case ElementClass::kUnsigned:
      absl::StrAppend(&out, Load(from, bytes));
      return;
    case ElementClass::kFloat:
      absl::StrAppend(&out, text::FloatText(type, Load(from, bytes)));
      return;
    case ElementClass::kComplex: {
      const ElementType part = type == ElementType::kC64 ? ElementType::kF32 : ElementType::kF64;
      absl::StrAppend(&out, "(", text::FloatText(part, Load(from, bytes / 2)), ", ",
                      text::FloatText(part, Load(from + bytes / 2, bytes / 2)), ")");
      return;
    }
    case ElementClass::kNone:
    case ElementClass::kNonArray:
      return;
  }
}

// Vectors print tight, {1, 2}, and arrays of more dimensions wide, { { 1, 2 }, { 3, 4 } }, as in
// XLA.
void AppendDimension(const Literal& literal, int dimension, int64_t& index, std::string& out) {
  const ElementType type = literal.shape().element_type();
  if (dimension == literal.shape().rank()) {
    AppendElement(type, literal.bytes().data() + index * ByteWidth(type), out);
    ++index;
    return;
  }
  const absl::string_view space = literal.shape().rank() > 1 ? " " : "";
  absl::StrAppend(&out, "{", space);
  for (int64_t i = 0; i < literal.shape().dimension(dimension); ++i) {
    if (i > 0) absl::StrAppend(&out, ", ");
    AppendDimension(literal, dimension + 1, index, out);
  }
  absl::StrAppend(&out, space, "}");
}

// An array of nothing can have any number of rows to write down, f32[1000000000,0].
bool HasTooManyEmptyRows(const Shape& shape) {
  constexpr int64_t kMost = int64_t{1} << 20;
  int64_t rows = 1;
  for (const int64_t size : shape.dimensions()) {
    if (size == 0) return rows > kMost;
    if (__builtin_mul_overflow(rows, size, &rows)) rows = std::numeric_limits<int64_t>::max();
  }
  return false;
}

void AppendLiteral(const Literal& literal, bool with_shapes, std::string& out) {
  if (literal.IsTuple()) {
    out.push_back('(');
    for (size_t i = 0; i < literal.elements().size(); ++i) {
      if (i > 0) absl::StrAppend(&out, ", ");
      AppendLiteral(literal.elements()[i], with_shapes, out);
    }
    out.push_back(')');
    return;
  }
  if (!literal.shape().IsArray()) {
    absl::StrAppend(&out, literal.shape().ToString());
    return;
  }
  if (with_shapes) absl::StrAppend(&out, literal.shape().ToString(), " ");
  if (HasTooManyEmptyRows(literal.shape())) {
    absl::StrAppend(&out, "{...}");
    return;
  }
  int64_t index = 0;
  AppendDimension(literal, 0, index, out);
}

}  // namespace

std::string PrintLiteral(const Literal& literal, bool with_shapes) {
  std::string out;
  AppendLiteral(literal, with_shapes, out);
  return out;
}

}  // namespace axle::hlo
