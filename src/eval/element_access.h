// SPDX-License-Identifier: Apache-2.0
// The C++ side of each element type: how one element is stored in a Literal and which C++ value
// computes with it. Code templated on Element<type> picks its formula by the concepts below.
#ifndef AXLE_EVAL_ELEMENT_ACCESS_H_
#define AXLE_EVAL_ELEMENT_ACCESS_H_

#include <array>
#include <complex>
#include <concepts>
#include <cstdint>

#include "hlo/element_type.h"
#include "hlo/float_formats.h"

namespace axle::eval {

using hlo::ElementClass;
using hlo::ElementType;

// Stored: the bytes in a Literal. Value: what arithmetic runs on. kBits: width of the type, which
// for types under 8 bits is less than that of Value. Store keeps the low kBits bits.
template <ElementType type>
struct Element;

// Native C++ types, and those whose storage class converts to the value by itself.
template <ElementType type, ElementClass element_class, int bits, typename S, typename V>
struct NativeElement {
  static constexpr ElementType kType = type;
  static constexpr ElementClass kClass = element_class;
  static constexpr int kBits = bits;
  using Stored = S;
  using Value = V;
  static Value Load(Stored stored) { return static_cast<Value>(stored); }
  static Stored Store(Value value) { return static_cast<Stored>(value); }
};

#define AXLE_ELEMENT(type, element_class, bits, S, V) \
  template <>                                         \
  struct Element<ElementType::type>                   \
      : NativeElement<ElementType::type, ElementClass::element_class, bits, S, V> {}
AXLE_ELEMENT(kS8, kSigned, 8, int8_t, int8_t);
AXLE_ELEMENT(kS16, kSigned, 16, int16_t, int16_t);
AXLE_ELEMENT(kS32, kSigned, 32, int32_t, int32_t);
AXLE_ELEMENT(kS64, kSigned, 64, int64_t, int64_t);
AXLE_ELEMENT(kU8, kUnsigned, 8, uint8_t, uint8_t);
AXLE_ELEMENT(kU16, kUnsigned, 16, uint16_t, uint16_t);
AXLE_ELEMENT(kU32, kUnsigned, 32, uint32_t, uint32_t);
AXLE_ELEMENT(kU64, kUnsigned, 64, uint64_t, uint64_t);
AXLE_ELEMENT(kF16, kFloat, 16, hlo::F16, float);
AXLE_ELEMENT(kBF16, kFloat, 16, hlo::BF16, float);
AXLE_ELEMENT(kF32, kFloat, 32, float, float);
AXLE_ELEMENT(kF64, kFloat, 64, double, double);
AXLE_ELEMENT(kC64, kComplex, 64, std::complex<float>, std::complex<float>);
AXLE_ELEMENT(kC128, kComplex, 128, std::complex<double>, std::complex<double>);
#undef AXLE_ELEMENT

template <>
struct Element<ElementType::kPred> {
  static constexpr ElementType kType = ElementType::kPred;
  static constexpr ElementClass kClass = ElementClass::kPred;
  static constexpr int kBits = 1;
  using Stored = uint8_t;
  using Value = bool;
  static bool Load(uint8_t stored) { return stored != 0; }
  static uint8_t Store(bool value) { return value ? 1 : 0; }
};

// Integers under 8 bits: value in the low bits of a byte.
template <ElementType type, int bits, typename V>
struct SubByteElement {
  static constexpr ElementType kType = type;
  static constexpr ElementClass kClass =
      std::signed_integral<V> ? ElementClass::kSigned : ElementClass::kUnsigned;
  static constexpr int kBits = bits;
  using Stored = uint8_t;
  using Value = V;
  static Value Load(Stored stored) {
    // Up to the top of the byte and back down, which extends the sign of a signed type.
    return static_cast<Value>(static_cast<Value>(stored << (8 - bits)) >> (8 - bits));
  }
  static Stored Store(Value value) { return static_cast<Stored>(value & ((1 << bits) - 1)); }
};
template <>
struct Element<ElementType::kS1> : SubByteElement<ElementType::kS1, 1, int8_t> {};
template <>
struct Element<ElementType::kS2> : SubByteElement<ElementType::kS2, 2, int8_t> {};
template <>
struct Element<ElementType::kS4> : SubByteElement<ElementType::kS4, 4, int8_t> {};
template <>
struct Element<ElementType::kU1> : SubByteElement<ElementType::kU1, 1, uint8_t> {};
template <>
struct Element<ElementType::kU2> : SubByteElement<ElementType::kU2, 2, uint8_t> {};
template <>
struct Element<ElementType::kU4> : SubByteElement<ElementType::kU4, 4, uint8_t> {};

// Floating-point formats of 8, 6 and 4 bits compute in float, which holds every value exactly, and
// round once when stored. Bits above the width, which a Literal never has, read as zero.
template <ElementType type, int bits>
struct NarrowFloatElement {
  static constexpr ElementType kType = type;
  static constexpr ElementClass kClass = ElementClass::kFloat;
  static constexpr int kBits = bits;
  using Stored = uint8_t;
  using Value = float;
  static Value Load(Stored stored) {
    static const std::array<float, 256> values = [] {
      std::array<float, 256> table;
      for (uint32_t i = 0; i < 256; ++i) {
        table[i] = static_cast<float>(hlo::DecodeFloat(hlo::FormatOf(type), i & ((1 << bits) - 1)));
      }
      return table;
    }();
    return values[stored];
  }
  static Stored Store(Value value) {
    return static_cast<Stored>(hlo::EncodeFloat(hlo::FormatOf(type), value));
  }
};

#define AXLE_NARROW_FLOAT(type, bits) \
  template <>                         \
  struct Element<ElementType::type> : NarrowFloatElement<ElementType::type, bits> {}
AXLE_NARROW_FLOAT(kF4E2M1FN, 4);
AXLE_NARROW_FLOAT(kF6E2M3FN, 6);
AXLE_NARROW_FLOAT(kF6E3M2FN, 6);
AXLE_NARROW_FLOAT(kF8E3M4, 8);
AXLE_NARROW_FLOAT(kF8E4M3, 8);
AXLE_NARROW_FLOAT(kF8E4M3FN, 8);
AXLE_NARROW_FLOAT(kF8E4M3B11FNUZ, 8);
AXLE_NARROW_FLOAT(kF8E4M3FNUZ, 8);
AXLE_NARROW_FLOAT(kF8E5M2, 8);
AXLE_NARROW_FLOAT(kF8E5M2FNUZ, 8);
AXLE_NARROW_FLOAT(kF8E8M0FNU, 8);
#undef AXLE_NARROW_FLOAT

template <typename E>
concept PredElement = E::kClass == ElementClass::kPred;
template <typename E>
concept SignedElement = E::kClass == ElementClass::kSigned;
template <typename E>
concept UnsignedElement = E::kClass == ElementClass::kUnsigned;
template <typename E>
concept IntElement = SignedElement<E> || UnsignedElement<E>;
template <typename E>
concept FloatElement = E::kClass == ElementClass::kFloat;
template <typename E>
concept ComplexElement = E::kClass == ElementClass::kComplex;
template <typename E>
concept RealElement = IntElement<E> || FloatElement<E>;
template <typename E>
concept NumberElement = RealElement<E> || ComplexElement<E>;

// The type of the parts of a complex type, and the complex type of the parts.
template <ComplexElement E>
using PartElement = Element<E::kType == ElementType::kC64 ? ElementType::kF32 : ElementType::kF64>;
using C64 = Element<ElementType::kC64>;
using C128 = Element<ElementType::kC128>;

}  // namespace axle::eval

#endif  // AXLE_EVAL_ELEMENT_ACCESS_H_
