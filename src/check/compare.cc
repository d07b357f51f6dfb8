// SPDX-License-Identifier: Apache-2.0
#include "check/compare.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/assert.h"

namespace axle::check {
namespace {

using hlo::ElementType;
using hlo::Literal;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename T>
T Load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

const std::byte* ElementBytes(const Literal& literal, int64_t element) {
  return literal.bytes().data() + element * hlo::ByteWidth(literal.shape().element_type());
}

// One real number of a float or complex array; `part` 1 is the imaginary one.
double LoadReal(ElementType type, const std::byte* bytes, int part = 0) {
  if (type == ElementType::kF32 || type == ElementType::kC64) return Load<float>(bytes + 4 * part);
  if (type == ElementType::kF64 || type == ElementType::kC128) {
    return Load<double>(bytes + 8 * part);
  }
  const uint32_t bits = hlo::ByteWidth(type) == 2 ? Load<uint16_t>(bytes) : Load<uint8_t>(bytes);
  return hlo::DecodeFloat(hlo::FormatOf(type), bits);
}

// Sign- or zero-extended to 64 bits.
uint64_t LoadInteger(ElementType type, const std::byte* bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes, hlo::ByteWidth(type));
  const int bits = hlo::BitWidth(type);
  if (bits == 64) return value;
  value &= (uint64_t{1} << bits) - 1;
  if (hlo::IsSigned(type) && (value >> (bits - 1) & 1) != 0) value -= uint64_t{1} << bits;
  return value;
}

double SmallestNormal(ElementType type) {
  if (type == ElementType::kF64 || type == ElementType::kC128) {
    return std::numeric_limits<double>::min();
  }
  if (type == ElementType::kF32 || type == ElementType::kC64 || type == ElementType::kBF16) {
    return std::numeric_limits<float>::min();
  }
  return 0;
}

// How far `actual` lies outside the tolerance: 0 when right, more when more wrong.
double RealExcess(double expected, double actual, double smallest, const Tolerance& tolerance) {
  if (std::isnan(expected) || std::isnan(actual)) {
    return std::isnan(expected) == std::isnan(actual) ? 0 : kInfinity;
  }
  if (std::isinf(expected) || std::isinf(actual)) return expected == actual ? 0 : kInfinity;
  if (std::fabs(expected) < smallest) expected = std::copysign(0.0, expected);
  if (std::fabs(actual) < smallest) actual = std::copysign(0.0, actual);
  if (tolerance.signed_zero && expected == 0 && actual == 0) {
    return std::signbit(expected) == std::signbit(actual) ? 0 : kInfinity;
  }
  const double excess =
      std::fabs(actual - expected) - (tolerance.atol + tolerance.rtol * std::fabs(expected));
  return excess <= 0 ? 0 : excess;
}

double ComplexExcess(ElementType type, const std::byte* expected, const std::byte* actual,
                     const Tolerance& tolerance) {
  const double er = LoadReal(type, expected, 0), ei = LoadReal(type, expected, 1);
  const double ar = LoadReal(type, actual, 0), ai = LoadReal(type, actual, 1);
  if (!std::isfinite(er) || !std::isfinite(ei) || !std::isfinite(ar) || !std::isfinite(ai)) {
    return std::max(RealExcess(er, ar, SmallestNormal(type), tolerance),
                    RealExcess(ei, ai, SmallestNormal(type), tolerance));
  }
  const double excess =
      std::hypot(ar - er, ai - ei) - (tolerance.atol + tolerance.rtol * std::hypot(er, ei));
  return excess <= 0 ? 0 : excess;
}

double IntegerExcess(ElementType type, const std::byte* expected, const std::byte* actual,
                     const Tolerance& tolerance) {
  const uint64_t e = LoadInteger(type, expected), a = LoadInteger(type, actual);
  if (e == a) return 0;
  const bool less = hlo::IsSigned(type) ? static_cast<int64_t>(e) < static_cast<int64_t>(a) : e < a;
  const double distance = static_cast<double>(less ? a - e : e - a);
  return distance <= tolerance.atol ? 0 : distance;
}

double Excess(ElementType type, const std::byte* expected, const std::byte* actual,
              const Tolerance& tolerance) {
  if (hlo::IsComplex(type)) return ComplexExcess(type, expected, actual, tolerance);
  if (!hlo::IsFloat(type)) return IntegerExcess(type, expected, actual, tolerance);
  return RealExcess(LoadReal(type, expected), LoadReal(type, actual), SmallestNormal(type),
                    tolerance);
}

std::string IndexText(const hlo::Shape& shape, int64_t element) {
  std::vector<int64_t> index(shape.rank());
  for (int i = shape.rank() - 1; i >= 0; --i) {
    index[i] = element % shape.dimension(i);
    element /= shape.dimension(i);
  }
  return absl::StrCat("[", absl::StrJoin(index, ","), "]");
}

std::string RealText(ElementType type, double value) {
  const bool wide = type == ElementType::kF64 || type == ElementType::kC128;
  return absl::StrFormat("%.*g", wide ? 17 : 9, value);
}

}  // namespace

std::string DifferenceText(const Difference& difference, const Literal& actual) {
  return absl::StrCat("worst at ", difference.worst_index, ": expected ", difference.expected,
                      ", got ", difference.actual, " (", difference.wrong, " of ",
                      actual.element_count(), " wrong)");
}

std::string ElementText(const Literal& literal, int64_t element) {
  const ElementType type = literal.shape().element_type();
  const std::byte* bytes = ElementBytes(literal, element);
  if (hlo::IsPred(type)) return LoadInteger(type, bytes) != 0 ? "true" : "false";
  if (hlo::IsComplex(type)) {
    return absl::StrCat("(", RealText(type, LoadReal(type, bytes, 0)), ", ",
                        RealText(type, LoadReal(type, bytes, 1)), ")");
  }
  if (hlo::IsFloat(type)) return RealText(type, LoadReal(type, bytes));
  const uint64_t value = LoadInteger(type, bytes);
  return hlo::IsSigned(type) ? absl::StrCat(static_cast<int64_t>(value)) : absl::StrCat(value);
}

std::optional<Difference> Compare(const Literal& expected, const Literal& actual,
                                  const Tolerance& tolerance) {
  AXLE_ASSERT(hlo::Compatible(expected.shape(), actual.shape()));
  const ElementType type = expected.shape().element_type();
  Difference difference;
  double worst = 0;
  for (int64_t i = 0; i < expected.element_count(); ++i) {
    const double excess =
        Excess(type, ElementBytes(expected, i), ElementBytes(actual, i), tolerance);
    if (excess == 0) continue;
    ++difference.wrong;
    if (excess > worst) {
      worst = excess;
      difference.worst = i;
    }
  }
  if (difference.wrong == 0) return std::nullopt;
  difference.worst_index = IndexText(expected.shape(), difference.worst);
  difference.expected = ElementText(expected, difference.worst);
  difference.actual = ElementText(actual, difference.worst);
  return difference;
}

}  // namespace axle::check
