// SPDX-License-Identifier: Apache-2.0
// Functions of complex numbers that std::complex lacks or computes carelessly. Branch cuts and
// special values are those of C99 Annex G where it has the function; the comments say where not.
// c64 computes here too and rounds once.
#ifndef AXLE_EVAL_COMPLEX_MATH_H_
#define AXLE_EVAL_COMPLEX_MATH_H_

#include <complex>

namespace axle::eval {

using Complex = std::complex<double>;

// Principal value: cbrt|z| at a third of the angle.
Complex ComplexCbrt(Complex z);

// e^z - 1 and log(1 + z), accurate near z = 0.
Complex ComplexExpm1(Complex z);
Complex ComplexLog1p(Complex z);

// 1 / (1 + e^-z); finite for every finite z but the poles.
Complex ComplexLogistic(Complex z);

// 1 / sqrt(z); 0 of an infinite z, (infinity, NaN) of 0.
Complex ComplexRsqrt(Complex z);

// z / |z|; 0 of 0.
Complex ComplexSign(Complex z);

// a to the power b by polar form; a^0 is 1 for every a, and 0^b is 0 where the real part of b is
// above 0.
Complex ComplexPower(Complex a, Complex b);

// -i log((x + iy) / sqrt(x² + y²)): the angle of (x, y) continued to complex arguments.
Complex ComplexAtan2(Complex y, Complex x);

}  // namespace axle::eval

#endif  // AXLE_EVAL_COMPLEX_MATH_H_
