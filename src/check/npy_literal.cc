// SPDX-License-Identifier: Apache-2.0
#include "check/npy_literal.h"

#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "check/errors.h"

namespace axle::check {
namespace {

using hlo::ElementType;

bool Accepts(ElementType type, NpyType stored) {
  const NpyType own = NpyTypeOf(type);
  if (stored == own) return true;
  const bool raw_bits = type == ElementType::kBF16 ||
                        (hlo::BitWidth(type) <= 8 && hlo::IsFloat(type)) || hlo::IsSubByte(type);
  return raw_bits && stored == NpyType{NpyKind::kRaw, own.size};
}

// Masks elements under 8 bits to their width; the rest of the byte must be zero or repeat the sign.
absl::Status NarrowElements(ElementType type, absl::Span<std::byte> bytes) {
  const int bits = hlo::BitWidth(type);
  const unsigned mask = (1u << bits) - 1;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const unsigned value = static_cast<unsigned>(bytes[i]);
    const unsigned rest = value & ~mask & 0xff;
    const bool sign_extended =
        hlo::IsSigned(type) && rest == (~mask & 0xff) && (value >> (bits - 1) & 1) != 0;
    if (rest != 0 && !sign_extended) {
      return MakeError(errors::kArrayValue, absl::StrCat("element ", i, " is byte ", value,
                                                         ", expected ", hlo::Name(type)));
    }
    bytes[i] = static_cast<std::byte>(value & mask);
  }
  return absl::OkStatus();
}

std::string DimensionsText(absl::Span<const int64_t> dimensions) {
  return absl::StrCat("[", absl::StrJoin(dimensions, ","), "]");
}

}  // namespace

NpyType NpyTypeOf(ElementType type) {
  const int32_t size = hlo::ByteWidth(type);
  if (hlo::IsPred(type)) return {NpyKind::kBool, 1};
  if (hlo::IsComplex(type)) return {NpyKind::kComplex, size};
  if (hlo::IsSubByte(type)) return {NpyKind::kUnsigned, 1};
  if (hlo::IsSigned(type)) return {NpyKind::kSigned, size};
  if (hlo::IsUnsigned(type)) return {NpyKind::kUnsigned, size};
  const bool native =
      type == ElementType::kF16 || type == ElementType::kF32 || type == ElementType::kF64;
  return {native ? NpyKind::kFloat : NpyKind::kUnsigned, size};
}

absl::StatusOr<hlo::Literal> LiteralFromNpy(const NpyArray& array, const hlo::Shape& shape) {
  if (!Accepts(shape.element_type(), array.type)) {
    return MakeError(errors::kArrayType, absl::StrCat("holds ", NpyDescr(array.type), ", expected ",
                                                      NpyDescr(NpyTypeOf(shape.element_type())),
                                                      " for ", shape.ToString(false)));
  }
  if (absl::MakeConstSpan(array.shape) != shape.dimensions()) {
    return MakeError(
        errors::kArrayShape,
        absl::StrCat("holds ", DimensionsText(array.shape), ", expected ",
                     DimensionsText(shape.dimensions()), " for ", shape.ToString(false)));
  }
  AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, hlo::Literal::Zeros(shape.WithoutLayouts()));
  if (array.data.size() > 0) {
    std::memcpy(literal.bytes().data(), array.data.data(), literal.bytes().size());
  }
  if (hlo::IsSubByte(shape.element_type())) {
    AXLE_RETURN_IF_ERROR(NarrowElements(shape.element_type(), literal.bytes()));
  }
  return literal;
}

absl::StatusOr<hlo::Literal> LiteralFromNpyFile(const std::string& path, const hlo::Shape& shape) {
  AXLE_ASSIGN_OR_RETURN(const NpyArray array, ReadNpyFile(path));
  absl::StatusOr<hlo::Literal> literal = LiteralFromNpy(array, shape);
  if (!literal.ok()) return AtPlace(path, literal.status());
  return literal;
}

absl::Status WriteLiteralAsNpy(const std::string& path, const hlo::Literal& literal) {
  const auto bytes = literal.bytes();
  return WriteNpyFile(path, NpyTypeOf(literal.shape().element_type()), literal.shape().dimensions(),
                      {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

}  // namespace axle::check
