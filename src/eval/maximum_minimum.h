// SPDX-License-Identifier: Apache-2.0
// The formulas of maximum and minimum, which clamp shares.
#ifndef AXLE_EVAL_MAXIMUM_MINIMUM_H_
#define AXLE_EVAL_MAXIMUM_MINIMUM_H_

#include <cmath>
#include <complex>

#include "eval/element_access.h"

namespace axle::eval {

// Complex numbers compare by their real and, where these are equal, imaginary parts, as in
// StableHLO.
template <typename T>
bool LexicallyLess(std::complex<T> a, std::complex<T> b) {
  return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}

// As IEEE 754-2019 maximum: NaN if either is, and -0 below 0.
struct Maximum {
  template <typename E>
    requires PredElement<E> || IntElement<E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return a < b ? b : a;
  }
  template <FloatElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    if (a > b || std::isnan(a)) return a;
    if (a < b || std::isnan(b)) return b;
    return std::signbit(a) ? b : a;
  }
  template <ComplexElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return LexicallyLess(a, b) ? b : a;
  }
};

struct Minimum {
  template <typename E>
    requires PredElement<E> || IntElement<E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return b < a ? b : a;
  }
  template <FloatElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    if (a < b || std::isnan(a)) return a;
    if (a > b || std::isnan(b)) return b;
    return std::signbit(a) ? a : b;
  }
  template <ComplexElement E>
  static typename E::Value Apply(typename E::Value a, typename E::Value b) {
    return LexicallyLess(b, a) ? b : a;
  }
};

}  // namespace axle::eval

#endif  // AXLE_EVAL_MAXIMUM_MINIMUM_H_
