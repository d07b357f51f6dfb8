// SPDX-License-Identifier: Apache-2.0
// fft: the discrete Fourier transform of the last dimensions, in c128, rounded to the result's type
// at the end. Forward: X[k] = sum of x[j] exp(-2 pi i j k / n); inverse: with +, divided by n.
#include <complex>
#include <numbers>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"

namespace axle::eval {
namespace {

using Complex = std::complex<double>;

int64_t SmallestFactor(int64_t n) {
  for (int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

// out[k] = sum over j < n of in[j * stride] * roots[j * k * (N / n) mod N], where `roots` holds the
// N powers of the N-th root of unity: splits n by its smallest factor p into p transforms of n / p.
void Transform(const Complex* in, int64_t stride, int64_t n, const std::vector<Complex>& roots,
               Complex* out) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  const int64_t total = static_cast<int64_t>(roots.size());
  const int64_t p = SmallestFactor(n), part = n / p;
  std::vector<Complex> parts(n);
  for (int64_t r = 0; r < p; ++r) {
    Transform(in + r * stride, stride * p, part, roots, parts.data() + r * part);
  }
  for (int64_t k = 0; k < n; ++k) {
    Complex sum = 0;
    for (int64_t r = 0; r < p; ++r) {
      sum += parts[r * part + k % part] * roots[r * k % n * (total / n)];
    }
    out[k] = sum;
  }
}

// Transforms every line of the array along one dimension, in place.
void TransformDimension(DimsView dims, int64_t dimension, bool inverse, Complex* data) {
  const int64_t n = dims[dimension];
  std::vector<Complex> roots(n), line(n), transformed(n);
  for (int64_t k = 0; k < n; ++k) {
    roots[k] = std::polar(1.0, (inverse ? 2 : -2) * std::numbers::pi * static_cast<double>(k) /
                                   static_cast<double>(n));
  }
  const Dims strides = RowMajorStrides(dims);
  const Dims outer = OtherDims(static_cast<int64_t>(dims.size()), {dimension});
  const Dims outer_strides = Select(strides, outer);
  ForEachOffset(Select(dims, outer), outer_strides, outer_strides, [&](int64_t start, int64_t) {
    for (int64_t k = 0; k < n; ++k) line[k] = data[start + k * strides[dimension]];
    Transform(line.data(), 1, n, roots, transformed.data());
    for (int64_t k = 0; k < n; ++k) {
      data[start + k * strides[dimension]] =
          inverse ? transformed[k] / static_cast<double>(n) : transformed[k];
    }
  });
}

// The first elements of each line become a line of n: those that are missing are the conjugates of
// their mirror image, x[n - k], as in the transform of a real array.
std::vector<Complex> Mirrored(const Complex* lines, int64_t count, int64_t given, int64_t n) {
  std::vector<Complex> whole(count * n);
  for (int64_t line = 0; line < count; ++line) {
    for (int64_t k = 0; k < n; ++k) {
      whole[line * n + k] =
          k <= n / 2 ? lines[line * given + k] : std::conj(lines[line * given + n - k]);
    }
  }
  return whole;
}

// The first `kept` elements of each line of n.
hlo::Literal FirstOfLines(const hlo::Literal& lines, int64_t n, const hlo::Shape& shape) {
  hlo::Literal result = *hlo::Literal::Zeros(shape);
  const int64_t kept = shape.dimensions().back();
  for (int64_t i = 0; i < result.element_count(); ++i) {
    result.data<Complex>()[i] = lines.data<Complex>()[i / kept * n + i % kept];
  }
  return result;
}

hlo::Literal RealParts(const hlo::Literal& array) {
  hlo::Literal parts = *hlo::Literal::Zeros(array.shape().WithElementType(hlo::ElementType::kF64));
  for (int64_t i = 0; i < parts.element_count(); ++i) {
    parts.data<double>()[i] = array.data<Complex>()[i].real();
  }
  return parts;
}

}  // namespace

absl::StatusOr<hlo::Literal> EvalFft(const KernelArgs& args) {
  const auto& attributes = args.instruction.As<hlo::FftAttributes>();
  const bool inverse =
      attributes.type == hlo::FftType::kIfft || attributes.type == hlo::FftType::kIrfft;
  const hlo::Shape wide_shape = args.result().WithElementType(hlo::ElementType::kC128);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal wide, ConvertTo(args.operand(0), hlo::ElementType::kC128));
  if (args.operand(0).element_count() == 0 || wide_shape.ElementCount().value() == 0) {
    return hlo::Literal::Zeros(args.result());
  }
  const int64_t rank = wide.shape().rank();
  const int64_t first = rank - static_cast<int64_t>(attributes.length.size());
  if (attributes.type == hlo::FftType::kIrfft) {
    // All dimensions but the last first; then the last, mirrored.
    const DimsView dims = wide.shape().dimensions();
    for (int64_t d = first; d < rank - 1; ++d) {
      TransformDimension(dims, d, true, wide.data<Complex>().data());
    }
    const std::vector<Complex> whole =
        Mirrored(wide.data<Complex>().data(), wide.element_count() / dims.back(), dims.back(),
                 attributes.length.back());
    AXLE_ASSIGN_OR_RETURN(wide, hlo::Literal::Zeros(wide_shape));
    std::copy(whole.begin(), whole.end(), wide.data<Complex>().begin());
    TransformDimension(wide_shape.dimensions(), rank - 1, true, wide.data<Complex>().data());
  } else {
    const DimsView dims = wide.shape().dimensions();
    for (int64_t d = first; d < rank; ++d) {
      TransformDimension(dims, d, inverse, wide.data<Complex>().data());
    }
    if (attributes.type == hlo::FftType::kRfft) {
      wide = FirstOfLines(wide, attributes.length.back(), wide_shape);
    }
  }
  if (attributes.type == hlo::FftType::kIrfft) wide = RealParts(wide);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, ConvertTo(wide, args.result().element_type()));
  return std::move(result).Reshaped(args.result());
}

}  // namespace axle::eval
