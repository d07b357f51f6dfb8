// SPDX-License-Identifier: Apache-2.0
// Literal: a value on the host. Arrays are stored row-major, whatever layout the shape names, in
// one 64-byte aligned block a leaf. Types under 8 bits take one byte an element: the value in the
// low bits, the rest zero. pred is one byte, 0 or 1. Complex numbers are (real, imaginary).
#ifndef AXLE_HLO_LITERAL_H_
#define AXLE_HLO_LITERAL_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/aligned_bytes.h"
#include "base/assert.h"
#include "hlo/float_formats.h"
#include "hlo/shape.h"

namespace axle::hlo {

// The element type that stores C++ type T: NativeType<float> is kF32. Types of 16 bits and less
// that C++ lacks are the wrappers of float_formats.h. Types under 8 bits have no C++ type of their
// own here: read them as uint8_t through raw bytes.
template <typename T>
struct NativeType;
#define AXLE_NATIVE(T, E)                                \
  template <>                                            \
  struct NativeType<T> {                                 \
    static constexpr ElementType value = ElementType::E; \
  }
AXLE_NATIVE(bool, kPred);
AXLE_NATIVE(int8_t, kS8);
AXLE_NATIVE(int16_t, kS16);
AXLE_NATIVE(int32_t, kS32);
AXLE_NATIVE(int64_t, kS64);
AXLE_NATIVE(uint8_t, kU8);
AXLE_NATIVE(uint16_t, kU16);
AXLE_NATIVE(uint32_t, kU32);
AXLE_NATIVE(uint64_t, kU64);
AXLE_NATIVE(float, kF32);
AXLE_NATIVE(double, kF64);
AXLE_NATIVE(std::complex<float>, kC64);
AXLE_NATIVE(std::complex<double>, kC128);
AXLE_NATIVE(F16, kF16);
AXLE_NATIVE(BF16, kBF16);
#undef AXLE_NATIVE

class Literal {
 public:
  Literal() = default;  // of invalid shape
  // Zeros of `shape`: arrays, tuples and tokens. Errors: overflowing or unbounded shapes, opaque
  // and buffer types, more than `max_bytes` in all.
  static absl::StatusOr<Literal> Zeros(const Shape& shape, int64_t max_bytes = kDefaultMaxBytes);
  static constexpr int64_t kDefaultMaxBytes = int64_t{1} << 40;

  // An array of `shape` with the elements in `data`, which has their number of bytes (asserted).
  // Errors as Zeros.
  static absl::StatusOr<Literal> CopyOf(const Shape& shape, absl::Span<const std::byte> data);
  // The same without a copy: `data`, aligned to 64 bytes (asserted), must outlive the literal and
  // what is moved from it. `shape` has a valid size. Only const access.
  static Literal Borrow(const Shape& shape, absl::Span<const std::byte> data);

  template <typename T>
  static Literal Scalar(T value);
  template <typename T>
  static Literal Vector(absl::Span<const T> values);
  static Literal Tuple(std::vector<Literal> elements);

  const Shape& shape() const { return shape_; }
  bool IsTuple() const { return shape_.IsTuple(); }
  int64_t element_count() const { return count_; }  // of an array

  // Row-major bytes of an array; ByteWidth(element_type) bytes an element.
  absl::Span<std::byte> bytes() {
    return {reinterpret_cast<std::byte*>(bytes_.data()), static_cast<size_t>(bytes_.size())};
  }
  absl::Span<const std::byte> bytes() const {
    return {reinterpret_cast<const std::byte*>(bytes_.data()), static_cast<size_t>(bytes_.size())};
  }

  // Elements of an array as T, which must be the C++ type of its element type (asserted).
  template <typename T>
  absl::Span<T> data() {
    AXLE_ASSERT(NativeType<T>::value == shape_.element_type());
    return absl::Span<T>(reinterpret_cast<T*>(bytes_.data()), static_cast<size_t>(count_));
  }
  template <typename T>
  absl::Span<const T> data() const {
    AXLE_ASSERT(NativeType<T>::value == shape_.element_type());
    return absl::Span<const T>(reinterpret_cast<const T*>(bytes_.data()),
                               static_cast<size_t>(count_));
  }

  absl::Span<Literal> elements() { return absl::MakeSpan(elements_); }
  absl::Span<const Literal> elements() const { return elements_; }

  // Actual sizes of dynamic dimensions: empty when all equal the bounds, else one a dimension.
  // Elements stay at the places that the bounds give them.
  absl::Span<const int32_t> dynamic_sizes() const { return dynamic_sizes_; }
  void set_dynamic_sizes(std::vector<int32_t> sizes) { dynamic_sizes_ = std::move(sizes); }

  // The same elements under another shape of the same element type and count (layouts, dynamic
  // flags, dimensions may differ); asserted.
  Literal Reshaped(Shape shape) &&;

  // Bit for bit: same shape but for layouts, same bytes.
  friend bool operator==(const Literal& a, const Literal& b);

 private:
  static absl::StatusOr<Literal> Uninitialized(const Shape& shape, int64_t max_bytes);
  void Clear();

  Shape shape_;
  int64_t count_ = 0;
  AlignedBytes bytes_;
  std::vector<Literal> elements_;
  std::vector<int32_t> dynamic_sizes_;
};

template <typename T>
Literal Literal::Scalar(T value) {
  Literal literal = *Zeros(Shape::Scalar(NativeType<T>::value));
  literal.data<T>()[0] = value;
  return literal;
}

template <typename T>
Literal Literal::Vector(absl::Span<const T> values) {
  Literal literal =
      *Zeros(Shape::Array(NativeType<T>::value, {static_cast<int64_t>(values.size())}));
  for (size_t i = 0; i < values.size(); ++i) literal.data<T>()[i] = values[i];
  return literal;
}

}  // namespace axle::hlo

#endif  // AXLE_HLO_LITERAL_H_
