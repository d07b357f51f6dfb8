// SPDX-License-Identifier: Apache-2.0
#include "eval/complex_math.h"

#include <cmath>
#include <limits>

namespace axle::eval {
namespace {

// Sums that cancel and products that may overflow are formed with the wider mantissa and exponent.
using Wide = long double;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool IsInfinite(Complex z) { return std::isinf(z.real()) || std::isinf(z.imag()); }
bool IsNan(Complex z) { return std::isnan(z.real()) || std::isnan(z.imag()); }
bool IsZero(Complex z) { return z.real() == 0 && z.imag() == 0; }

Complex Rounded(Wide real, Wide imag) {
  return {static_cast<double>(real), static_cast<double>(imag)};
}

Complex Polar(Wide magnitude, Wide angle) {
  return Rounded(magnitude * std::cos(angle), magnitude * std::sin(angle));
}

}  // namespace

Complex ComplexCbrt(Complex z) {
  if (z.imag() == 0 && !std::signbit(z.real())) return {std::cbrt(z.real()), z.imag()};
  const Wide magnitude = std::hypot(static_cast<Wide>(z.real()), static_cast<Wide>(z.imag()));
  const Wide angle = std::atan2(static_cast<Wide>(z.imag()), static_cast<Wide>(z.real()));
  return Polar(std::cbrt(magnitude), angle / 3);
}

// e^(x+iy) - 1 = (e^x - 1) cos y - 2 sin²(y/2) + i e^x sin y
Complex ComplexExpm1(Complex z) {
  if (z.imag() == 0) return {std::expm1(z.real()), z.imag()};
  if (std::isinf(z.real()) || !std::isfinite(z.imag())) return std::exp(z) - 1.0;
  const Wide x = z.real();
  const Wide y = z.imag();
  const Wide half = std::sin(y / 2);
  return Rounded(std::expm1(x) * std::cos(y) - 2 * half * half, std::exp(x) * std::sin(y));
}

// log(1 + x + iy) = log1p(x (x + 2) + y²) / 2 + i atan2(y, 1 + x)
Complex ComplexLog1p(Complex z) {
  if (IsInfinite(z) || IsNan(z)) return std::log(z + 1.0);
  const Wide x = z.real();
  const Wide y = z.imag();
  return Rounded(std::log1p(x * (x + 2) + y * y) / 2, std::atan2(y, 1 + x));
}

Complex ComplexLogistic(Complex z) {
  if (z.real() >= 0) return 1.0 / (1.0 + std::exp(-z));
  const Complex power = std::exp(z);
  return power / (1.0 + power);
}

Complex ComplexRsqrt(Complex z) {
  if (IsZero(z)) return {kInfinity, kNan};
  if (IsInfinite(z)) return {0.0, std::signbit(z.imag()) ? 0.0 : -0.0};
  // The conjugate of the root over |root|², which is |z|.
  const Complex root = std::sqrt(z);
  const Wide magnitude = std::hypot(static_cast<Wide>(z.real()), static_cast<Wide>(z.imag()));
  return Rounded(root.real() / magnitude, -root.imag() / magnitude);
}

Complex ComplexSign(Complex z) {
  if (IsZero(z)) return {0.0, 0.0};
  const Wide magnitude = std::hypot(static_cast<Wide>(z.real()), static_cast<Wide>(z.imag()));
  return Rounded(z.real() / magnitude, z.imag() / magnitude);
}

Complex ComplexPower(Complex a, Complex b) {
  if (IsZero(b) || a == 1.0) return {1.0, 0.0};
  const bool real = a.imag() == 0 && b.imag() == 0;
  if (real && a.real() > 0) return {std::pow(a.real(), b.real()), 0.0};
  if (IsZero(a)) return real && b.real() > 0 ? Complex(0, 0) : Complex(kNan, kNan);
  const Wide log_magnitude =
      std::log(std::hypot(static_cast<Wide>(a.real()), static_cast<Wide>(a.imag())));
  const Wide angle = std::atan2(static_cast<Wide>(a.imag()), static_cast<Wide>(a.real()));
  const Wide c = b.real();
  const Wide d = b.imag();
  return Polar(std::exp(c * log_magnitude - d * angle), d * log_magnitude + c * angle);
}

Complex ComplexAtan2(Complex y, Complex x) {
  const Complex i(0, 1);
  const Complex log = std::log((x + i * y) / std::sqrt(x * x + y * y));
  return {log.imag(), -log.real()};
}

}  // namespace axle::eval
