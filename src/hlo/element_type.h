// SPDX-License-Identifier: Apache-2.0
// The element types of XLA: one row each, from which names, sizes, wire numbers and classes derive.
#ifndef AXLE_HLO_ELEMENT_TYPE_H_
#define AXLE_HLO_ELEMENT_TYPE_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace axle::hlo {

enum class ElementClass : uint8_t {
  kNone,    // invalid
  kPred,    // one byte, 0 or 1
  kSigned,  // two's complement
  kUnsigned,
  kFloat,
  kComplex,
  kNonArray,  // tuple, token, opaque, buffer
};

// AXLE_ELEMENT_TYPE(Enumerator, text name, number in PrimitiveType, bits an element, class)
#define AXLE_ELEMENT_TYPES(AXLE_ELEMENT_TYPE)                      \
  AXLE_ELEMENT_TYPE(Invalid, "invalid", 0, 0, kNone)               \
  AXLE_ELEMENT_TYPE(Pred, "pred", 1, 8, kPred)                     \
  AXLE_ELEMENT_TYPE(S1, "s1", 30, 1, kSigned)                      \
  AXLE_ELEMENT_TYPE(S2, "s2", 26, 2, kSigned)                      \
  AXLE_ELEMENT_TYPE(S4, "s4", 21, 4, kSigned)                      \
  AXLE_ELEMENT_TYPE(S8, "s8", 2, 8, kSigned)                       \
  AXLE_ELEMENT_TYPE(S16, "s16", 3, 16, kSigned)                    \
  AXLE_ELEMENT_TYPE(S32, "s32", 4, 32, kSigned)                    \
  AXLE_ELEMENT_TYPE(S64, "s64", 5, 64, kSigned)                    \
  AXLE_ELEMENT_TYPE(U1, "u1", 31, 1, kUnsigned)                    \
  AXLE_ELEMENT_TYPE(U2, "u2", 27, 2, kUnsigned)                    \
  AXLE_ELEMENT_TYPE(U4, "u4", 22, 4, kUnsigned)                    \
  AXLE_ELEMENT_TYPE(U8, "u8", 6, 8, kUnsigned)                     \
  AXLE_ELEMENT_TYPE(U16, "u16", 7, 16, kUnsigned)                  \
  AXLE_ELEMENT_TYPE(U32, "u32", 8, 32, kUnsigned)                  \
  AXLE_ELEMENT_TYPE(U64, "u64", 9, 64, kUnsigned)                  \
  AXLE_ELEMENT_TYPE(F4E2M1FN, "f4e2m1fn", 32, 4, kFloat)           \
  AXLE_ELEMENT_TYPE(F6E2M3FN, "f6e2m3fn", 36, 6, kFloat)           \
  AXLE_ELEMENT_TYPE(F6E3M2FN, "f6e3m2fn", 35, 6, kFloat)           \
  AXLE_ELEMENT_TYPE(F8E3M4, "f8e3m4", 29, 8, kFloat)               \
  AXLE_ELEMENT_TYPE(F8E4M3, "f8e4m3", 28, 8, kFloat)               \
  AXLE_ELEMENT_TYPE(F8E4M3FN, "f8e4m3fn", 20, 8, kFloat)           \
  AXLE_ELEMENT_TYPE(F8E4M3B11FNUZ, "f8e4m3b11fnuz", 23, 8, kFloat) \
  AXLE_ELEMENT_TYPE(F8E4M3FNUZ, "f8e4m3fnuz", 25, 8, kFloat)       \
  AXLE_ELEMENT_TYPE(F8E5M2, "f8e5m2", 19, 8, kFloat)               \
  AXLE_ELEMENT_TYPE(F8E5M2FNUZ, "f8e5m2fnuz", 24, 8, kFloat)       \
  AXLE_ELEMENT_TYPE(F8E8M0FNU, "f8e8m0fnu", 33, 8, kFloat)         \
  AXLE_ELEMENT_TYPE(F16, "f16", 10, 16, kFloat)                    \
  AXLE_ELEMENT_TYPE(BF16, "bf16", 16, 16, kFloat)                  \
  AXLE_ELEMENT_TYPE(F32, "f32", 11, 32, kFloat)                    \
  AXLE_ELEMENT_TYPE(F64, "f64", 12, 64, kFloat)                    \
  AXLE_ELEMENT_TYPE(C64, "c64", 15, 64, kComplex)                  \
  AXLE_ELEMENT_TYPE(C128, "c128", 18, 128, kComplex)               \
  AXLE_ELEMENT_TYPE(Tuple, "tuple", 13, 0, kNonArray)              \
  AXLE_ELEMENT_TYPE(Opaque, "opaque", 14, 0, kNonArray)            \
  AXLE_ELEMENT_TYPE(Token, "token", 17, 0, kNonArray)              \
  AXLE_ELEMENT_TYPE(Buffer, "b", 34, 0, kNonArray)

enum class ElementType : uint8_t {
#define AXLE_ELEMENT_TYPE(name, text, number, bits, kind) k##name,
  AXLE_ELEMENT_TYPES(AXLE_ELEMENT_TYPE)
#undef AXLE_ELEMENT_TYPE
};

inline constexpr int kElementTypeCount = static_cast<int>(ElementType::kBuffer) + 1;

struct ElementTypeInfo {
  absl::string_view name;
  int wire_number;  // PrimitiveType of xla_data.proto
  int bits;         // 0 for non-array types
  ElementClass kind;
};

const ElementTypeInfo& Info(ElementType type);

std::optional<ElementType> ElementTypeFromName(absl::string_view name);
std::optional<ElementType> ElementTypeFromWireNumber(int number);

inline absl::string_view Name(ElementType type) { return Info(type).name; }
inline int BitWidth(ElementType type) { return Info(type).bits; }
// Bytes of one element in a Literal or a host buffer: types under 8 bits take one byte each.
inline int ByteWidth(ElementType type) { return (Info(type).bits + 7) / 8; }

inline bool IsArrayType(ElementType type) {
  const ElementClass kind = Info(type).kind;
  return kind != ElementClass::kNone && kind != ElementClass::kNonArray;
}
inline bool IsPred(ElementType type) { return type == ElementType::kPred; }
inline bool IsSigned(ElementType type) { return Info(type).kind == ElementClass::kSigned; }
inline bool IsUnsigned(ElementType type) { return Info(type).kind == ElementClass::kUnsigned; }
inline bool IsIntegral(ElementType type) { return IsSigned(type) || IsUnsigned(type); }
inline bool IsFloat(ElementType type) { return Info(type).kind == ElementClass::kFloat; }
inline bool IsComplex(ElementType type) { return Info(type).kind == ElementClass::kComplex; }
inline bool IsSubByte(ElementType type) { return IsArrayType(type) && BitWidth(type) < 8; }

}  // namespace axle::hlo

#endif  // AXLE_HLO_ELEMENT_TYPE_H_
