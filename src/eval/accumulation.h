// SPDX-License-Identifier: Apache-2.0
// The types that sums of products are computed in, so that a result is rounded once: f64 or c128,
// and for integers and pred 64 bits, wrapping, which truncate to the right result.
#ifndef AXLE_EVAL_ACCUMULATION_H_
#define AXLE_EVAL_ACCUMULATION_H_

#include <complex>
#include <cstdint>

#include "absl/types/span.h"
#include "hlo/literal.h"

namespace axle::eval {

// The type for elements of all the given types: kF64, kC128 or kU64.
inline hlo::ElementType AccumulationType(absl::Span<const hlo::ElementType> types) {
  bool is_complex = false, is_float = false;
  for (hlo::ElementType type : types) {
    is_complex = is_complex || hlo::IsComplex(type);
    is_float = is_float || hlo::IsFloat(type);
  }
  if (is_complex) return hlo::ElementType::kC128;
  return is_float ? hlo::ElementType::kF64 : hlo::ElementType::kU64;
}

// f(T()) with the C++ type of an accumulation type.
template <typename F>
void VisitAccumulation(hlo::ElementType type, F&& f) {
  if (type == hlo::ElementType::kF64) return f(double());
  if (type == hlo::ElementType::kC128) return f(std::complex<double>());
  AXLE_ASSERT(type == hlo::ElementType::kU64);
  f(uint64_t());
}

// out[j] += factor * row[j]
template <typename T>
void MultiplyAddRow(T factor, const T* __restrict row, T* __restrict out, int64_t n) {
  for (int64_t j = 0; j < n; ++j) out[j] += factor * row[j];
}

}  // namespace axle::eval

#endif  // AXLE_EVAL_ACCUMULATION_H_
