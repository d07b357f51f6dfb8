// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/literal_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hlo/text/errors.h"
#include "hlo/text/number_text.h"
#include "hlo/text/shape_reader.h"

namespace axle::hlo::text {
namespace {

// Elements are stored little endian, as the host's integers are.
void Store(uint64_t bits, int bytes, std::byte* to) { std::memcpy(to, &bits, bytes); }

absl::Status OutOfRange(Reader& reader, ElementType type) {
  return reader.ErrorHere(errors::kNumberRange,
                          absl::StrCat(reader.token().text, " does not fit into ", Name(type)));
}

absl::Status ReadInteger(Reader& reader, ElementType type, std::byte* to) {
  if (!reader.AtKind(TokenKind::kNumber)) {
    return reader.Expected(absl::StrCat("an integer of type ", Name(type)));
  }
  const absl::string_view text = reader.token().text;
  const int bits = BitWidth(type);
  uint64_t value = 0;
  int64_t signed_value = 0;
  if (absl::SimpleAtoi(text, &signed_value)) {
    value = static_cast<uint64_t>(signed_value);
    if (IsSigned(type)) {
      const int64_t most = std::numeric_limits<int64_t>::max() >> (64 - bits);
      if (signed_value > most || signed_value < -most - 1) return OutOfRange(reader, type);
    } else if (signed_value < 0) {
      return OutOfRange(reader, type);
    }
  } else if (!absl::SimpleAtoi(text, &value)) {
    const bool integer = text.find_first_not_of("+-0123456789") == absl::string_view::npos;
    if (integer) return OutOfRange(reader, type);
    return reader.Expected(absl::StrCat("an integer of type ", Name(type)));
  } else if (IsSigned(type)) {
    return OutOfRange(reader, type);
  }
  const uint64_t mask = ~uint64_t{0} >> (64 - bits);
  if (!IsSigned(type) && value > mask) return OutOfRange(reader, type);
  Store(value & mask, ByteWidth(type), to);
  reader.Next();
  return absl::OkStatus();
}

absl::Status ReadPred(Reader& reader, std::byte* to) {
  const bool one =
      reader.AtWord("true") || (reader.AtKind(TokenKind::kNumber) && reader.token().text == "1");
  const bool zero =
      reader.AtWord("false") || (reader.AtKind(TokenKind::kNumber) && reader.token().text == "0");
  if (!one && !zero) return reader.Expected("true, false, 1 or 0");
  *to = one ? std::byte{1} : std::byte{0};
  reader.Next();
  return absl::OkStatus();
}

// "nan" or "nan(0x1)", the word still to come.
absl::Status ReadNan(Reader& reader, ElementType type, std::byte* to) {
  const FloatLayout layout = FloatLayoutOf(type);
  const bool negative = reader.token().text[0] == '-';
  if (!layout.has_nan) {
    return reader.ErrorHere(errors::kNumberRange, absl::StrCat(Name(type), " has no NaN"));
  }
  reader.Next();
  uint64_t bits = DefaultNanBits(type, negative);
  if (reader.Try('(')) {
    uint64_t payload = 0;
    if (!reader.AtKind(TokenKind::kNumber) || !absl::StartsWith(reader.token().text, "0x") ||
        !absl::SimpleHexAtoi(reader.token().text, &payload)) {
      return reader.Expected("the bits of a NaN, 0x…");
    }
    if (!layout.has_nan_payload) {
      return reader.ErrorHere(errors::kNumberRange,
                              absl::StrCat("a NaN of type ", Name(type), " has no payload"));
    }
    if (payload == 0 || payload >> layout.mantissa_bits != 0) return OutOfRange(reader, type);
    reader.Next();
    AXLE_RETURN_IF_ERROR(reader.Take(')', "behind the bits of a NaN"));
    bits = NanBits(type, negative, payload);
  }
  Store(bits, ByteWidth(type), to);
  return absl::OkStatus();
}

absl::Status ReadFloat(Reader& reader, ElementType type, std::byte* to) {
  const absl::string_view text = reader.token().text;
  if (reader.AtWord("nan") || reader.AtWord("-nan")) return ReadNan(reader, type, to);
  uint64_t bits = 0;
  if (reader.AtWord("inf") || reader.AtWord("-inf")) {
    if (!FloatLayoutOf(type).has_infinity) {
      return reader.ErrorHere(errors::kNumberRange, absl::StrCat(Name(type), " has no infinity"));
    }
    bits = InfinityBits(type, text[0] == '-');
  } else {
    const DecimalResult result = reader.AtKind(TokenKind::kNumber) ? ParseDecimal(type, text, &bits)
                                                                   : DecimalResult::kNotANumber;
    if (result == DecimalResult::kOutOfRange) return OutOfRange(reader, type);
    if (result == DecimalResult::kNotANumber) {
      return reader.Expected(absl::StrCat("a number of type ", Name(type)));
    }
  }
  Store(bits, ByteWidth(type), to);
  reader.Next();
  return absl::OkStatus();
}

// "(real, imaginary)", or a real number.
absl::Status ReadComplex(Reader& reader, ElementType type, std::byte* to) {
  const ElementType part = type == ElementType::kC64 ? ElementType::kF32 : ElementType::kF64;
  if (!reader.Try('(')) return ReadFloat(reader, part, to);
  AXLE_RETURN_IF_ERROR(ReadFloat(reader, part, to));
  AXLE_RETURN_IF_ERROR(reader.Take(',', "between real and imaginary part"));
  AXLE_RETURN_IF_ERROR(ReadFloat(reader, part, to + ByteWidth(part)));
  return reader.Take(')', "behind the imaginary part");
}

absl::Status ReadElement(Reader& reader, ElementType type, std::byte* to) {
  switch (Info(type).kind) {
    case ElementClass::kPred:
      return ReadPred(reader, to);
    case ElementClass::kSigned:
    case ElementClass::kUnsigned:
      return ReadInteger(reader, type, to);
    case ElementClass::kFloat:
      return ReadFloat(reader, type, to);
    case ElementClass::kComplex:
      return ReadComplex(reader, type, to);
    case ElementClass::kNone:
    case ElementClass::kNonArray:
      break;
  }
  return reader.Expected("an element of an array type");
}

// Walks the braces of an array in row-major order and keeps count of what each level has seen.
class ArrayReader {
 public:
  ArrayReader(Reader& reader, Literal& literal)
      : reader_(reader),
        literal_(literal),
        type_(literal.shape().element_type()),
        width_(ByteWidth(type_)),
        rank_(literal.shape().rank()),
        seen_(rank_) {}

  absl::Status Read() {
    if (rank_ > 0 && !reader_.At('{')) {
      // XLA reads a value without braces as the first element and leaves zeros behind it.
      return ReadElement(reader_, type_, literal_.bytes().data());
    }
    do {
      if (reader_.At('{')) {
        AXLE_RETURN_IF_ERROR(Open());
      } else if (reader_.At('}')) {
        AXLE_RETURN_IF_ERROR(Close());
      } else if (level_ > 0 && reader_.Try(',')) {
        continue;
      } else {
        AXLE_RETURN_IF_ERROR(Element());
      }
    } while (level_ > 0);
    return absl::OkStatus();
  }

 private:
  absl::Status Count(int dimension) {
    if (++seen_[dimension] <= literal_.shape().dimension(dimension)) return absl::OkStatus();
    return reader_.ErrorHere(
        errors::kLiteral, absl::StrCat("more than ", literal_.shape().dimension(dimension),
                                       " entries in dimension ", dimension, " of ", ShapeText()));
  }
  absl::Status Open() {
    if (level_ == rank_) {
      return reader_.ErrorHere(
          errors::kLiteral,
          absl::StrCat("more than ", rank_, " levels of braces for ", ShapeText()));
    }
    if (level_ > 0) AXLE_RETURN_IF_ERROR(Count(level_ - 1));
    ++level_;
    reader_.Next();
    return absl::OkStatus();
  }
  absl::Status Close() {
    if (level_ == 0) return reader_.Expected("a value");
    --level_;
    if (seen_[level_] != literal_.shape().dimension(level_)) {
      return reader_.ErrorHere(
          errors::kLiteral,
          absl::StrCat(seen_[level_], " entries in dimension ", level_, " of ", ShapeText(),
                       ", which has ", literal_.shape().dimension(level_)));
    }
    seen_[level_] = 0;
    reader_.Next();
    return absl::OkStatus();
  }
  absl::Status Element() {
    if (level_ != rank_) {
      return reader_.ErrorHere(errors::kLiteral,
                               absl::StrCat("a value inside ", level_, " levels of braces; ",
                                            ShapeText(), " has ", rank_));
    }
    if (rank_ > 0) AXLE_RETURN_IF_ERROR(Count(rank_ - 1));
    AXLE_RETURN_IF_ERROR(ReadElement(reader_, type_, literal_.bytes().data() + index_ * width_));
    ++index_;
    return absl::OkStatus();
  }
  std::string ShapeText() const { return literal_.shape().ToString(/*with_layout=*/false); }

  Reader& reader_;
  Literal& literal_;
  const ElementType type_;
  const int width_;
  const int rank_;
  int level_ = 0;
  int64_t index_ = 0;
  std::vector<int64_t> seen_;
};

// Moves the cursor behind braces that hold "..." somewhere before they close.
bool TryElided(Reader& reader) {
  if (!reader.At('{')) return false;
  Lexer ahead = reader.lexer();
  int level = 0;
  // The dots come first in what XLA prints: any value before them means that there are none.
  while (ahead.token().text == "{") {
    ++level;
    ahead.Next();
  }
  if (ahead.token().kind != TokenKind::kEllipsis) return false;
  ahead.Next();
  while (level > 0 && ahead.token().text == "}") {
    --level;
    ahead.Next();
  }
  if (level > 0) return false;
  reader.lexer() = ahead;
  return true;
}

// Nothing where the text left out the value or a part of it.
using MaybeLiteral = std::optional<Literal>;

absl::StatusOr<MaybeLiteral> ReadArrayLiteral(Reader& reader, const Shape& shape) {
  if (TryElided(reader)) return MaybeLiteral();
  const auto too_large = [&] {
    return reader.ErrorHere(errors::kLiteral,
                            absl::StrCat("no literal has shape ", shape.ToString(),
                                         ": its size is unknown or beyond what memory holds"));
  };
  const absl::StatusOr<int64_t> count = shape.ElementCount();
  if (!count.ok()) return too_large();
  // Every element takes a character, so a count beyond the text is wrong before memory is taken;
  // only a value without braces can stand for a few elements more.
  constexpr int64_t kMostWithoutBraces = int64_t{1} << 20;
  const int64_t most = std::max(reader.At('{') ? 0 : kMostWithoutBraces,
                                static_cast<int64_t>(reader.text().size() - reader.token().begin));
  if (*count > most || (*count == 0 && !reader.At('{'))) {
    return reader.ErrorHere(errors::kLiteral, absl::StrCat("fewer than the ", *count, " values of ",
                                                           shape.ToString(/*with_layout=*/false)));
  }
  absl::StatusOr<Literal> literal = Literal::Zeros(shape);
  if (!literal.ok()) return too_large();
  AXLE_RETURN_IF_ERROR(ArrayReader(reader, *literal).Read());
  return MaybeLiteral(*std::move(literal));
}

absl::StatusOr<MaybeLiteral> ReadMaybe(Reader& reader, const Shape& shape);

// Adds `value` to the elements of a tuple; once one is left out, the tuple is.
void AddElement(MaybeLiteral value, std::optional<std::vector<Literal>>& elements) {
  if (!value.has_value()) elements.reset();
  if (elements.has_value()) elements->push_back(*std::move(value));
}

MaybeLiteral MakeTuple(std::optional<std::vector<Literal>> elements) {
  if (!elements.has_value()) return std::nullopt;
  return Literal::Tuple(*std::move(elements));
}

// Tuples nest as deep as their shape does, which is bounded.
absl::StatusOr<MaybeLiteral> ReadTupleLiteral(Reader& reader, const Shape& shape) {
  if (TryElided(reader)) return MaybeLiteral();
  AXLE_RETURN_IF_ERROR(reader.Take('(', "before the elements of a tuple"));
  std::optional<std::vector<Literal>> elements(std::in_place);
  for (const Shape& element : shape.tuple_shapes()) {
    if (&element != &shape.tuple_shapes().front()) {
      AXLE_RETURN_IF_ERROR(reader.Take(',', "between the elements of a tuple"));
    }
    AXLE_ASSIGN_OR_RETURN(MaybeLiteral value, ReadMaybe(reader, element));
    AddElement(std::move(value), elements);
  }
  AXLE_RETURN_IF_ERROR(reader.Take(')', "behind the elements of a tuple"));
  return MakeTuple(std::move(elements));
}

absl::StatusOr<MaybeLiteral> ReadMaybe(Reader& reader, const Shape& shape) {
  if (shape.IsTuple()) return ReadTupleLiteral(reader, shape);
  if (shape.IsArray()) return ReadArrayLiteral(reader, shape);
  return reader.ErrorHere(errors::kLiteral,
                          absl::StrCat("a value of type ", shape.ToString(), " has no text form"));
}

absl::StatusOr<MaybeLiteral> ReadShapedMaybe(Reader& reader) {
  Reader::Level level(reader);
  AXLE_RETURN_IF_ERROR(level.status());
  if (reader.At('(')) {
    std::optional<std::vector<Literal>> elements(std::in_place);
    AXLE_RETURN_IF_ERROR(reader.TakeList('(', ')', "a tuple literal", [&]() -> absl::Status {
      AXLE_ASSIGN_OR_RETURN(MaybeLiteral value, ReadShapedMaybe(reader));
      AddElement(std::move(value), elements);
      return absl::OkStatus();
    }));
    return MakeTuple(std::move(elements));
  }
  AXLE_ASSIGN_OR_RETURN(const Shape shape, ReadShape(reader, LayoutMayFollow::kDirectly));
  return ReadMaybe(reader, shape);
}

absl::StatusOr<std::shared_ptr<const Literal>> Shared(absl::StatusOr<MaybeLiteral> literal) {
  AXLE_RETURN_IF_ERROR(literal.status());
  if (!literal->has_value()) return std::shared_ptr<const Literal>();
  return std::make_shared<const Literal>(**std::move(literal));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Literal>> ReadLiteral(Reader& reader, const Shape& shape) {
  return Shared(ReadMaybe(reader, shape));
}

absl::StatusOr<std::shared_ptr<const Literal>> ReadShapedLiteral(Reader& reader) {
  return Shared(ReadShapedMaybe(reader));
}

}  // namespace axle::hlo::text
