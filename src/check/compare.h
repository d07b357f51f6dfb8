// SPDX-License-Identifier: Apache-2.0
// Comparison of results with expected values.
#ifndef AXLE_CHECK_COMPARE_H_
#define AXLE_CHECK_COMPARE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "hlo/literal.h"

namespace axle::check {

// An element is right when |actual - expected| <= atol + rtol * |expected|. NaN equals NaN, an
// infinity one of the same sign; complex numbers by the magnitude of the difference. Numbers below
// the smallest normal one of f32, f64 and bf16 count as 0, since devices may flush them. Integers
// and pred compare exactly, or within atol.
struct Tolerance {
  double rtol = 0;
  double atol = 0;
  bool signed_zero = false;  // -0 differs from 0
};

struct Difference {
  int64_t wrong = 0;             // elements that differ
  int64_t worst = 0;             // row-major number of the one that differs most
  std::string worst_index;       // the same as "[1,2]"
  std::string expected, actual;  // its values
};

// Nothing where the arrays agree. They must have compatible array shapes (asserted).
std::optional<Difference> Compare(const hlo::Literal& expected, const hlo::Literal& actual,
                                  const Tolerance& tolerance);

// "worst at [1,2]: expected 1, got 2 (3 of 40 wrong)"; `actual` is the array that was compared.
std::string DifferenceText(const Difference& difference, const hlo::Literal& actual);

// One element as text, with the digits that tell its type's values apart.
std::string ElementText(const hlo::Literal& literal, int64_t element);

}  // namespace axle::check

#endif  // AXLE_CHECK_COMPARE_H_
