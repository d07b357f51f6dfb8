// SPDX-License-Identifier: Apache-2.0
// cholesky and triangular-solve, on batches of matrices, computed in f64 or c128 and rounded to the
// result's type at the end.
#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"

namespace axle::eval {
namespace {

using Complex = std::complex<double>;

double Conjugate(double x) { return x; }
Complex Conjugate(Complex x) { return std::conj(x); }
double Real(double x) { return x; }
double Real(Complex x) { return x.real(); }

hlo::ElementType WideType(hlo::ElementType type) {
  return hlo::IsComplex(type) ? hlo::ElementType::kC128 : hlo::ElementType::kF64;
}

// a = l * adjoint(l), row by row; `a` need only have its lower triangle. False where `a` is not
// positive definite.
template <typename T>
bool FactorLower(int64_t n, const std::vector<T>& a, std::vector<T>& l) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      T sum = a[i * n + j];
      for (int64_t k = 0; k < j; ++k) sum -= l[i * n + k] * Conjugate(l[j * n + k]);
      if (i == j) {
        if (!(Real(sum) > 0)) return false;
        l[i * n + i] = std::sqrt(Real(sum));
      } else {
        l[i * n + j] = sum / l[j * n + j];
      }
    }
  }
  return true;
}

// lower: a = l * adjoint(l). Else a = adjoint(u) * u with u = adjoint(l), from the upper triangle.
template <typename T>
void FactorMatrix(int64_t n, bool lower, T* matrix) {
  std::vector<T> a(n * n), l(n * n, T(0));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      a[i * n + j] = lower ? matrix[i * n + j] : Conjugate(matrix[j * n + i]);
    }
  }
  if (!FactorLower(n, a, l)) std::fill(l.begin(), l.end(), T(NAN));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      matrix[i * n + j] = lower ? l[i * n + j] : Conjugate(l[j * n + i]);
    }
  }
}

// A triangular matrix, perhaps transposed or conjugated, as a function of the index.
template <typename T>
struct Triangle {
  const T* data;
  int64_t n;
  bool lower;       // which part of `data` counts
  bool transposed;  // read as its transpose
  bool conjugated;
  bool unit_diagonal;

  T At(int64_t i, int64_t j) const {
    if (i == j && unit_diagonal) return T(1);
    const T value = transposed ? data[j * n + i] : data[i * n + j];
    return conjugated ? Conjugate(value) : value;
  }
  bool reads_as_lower() const { return lower != transposed; }
};

// Solves triangle * x = b for one column, whose elements are `stride` apart, in place.
template <typename T>
void Substitute(const Triangle<T>& triangle, T* column, int64_t stride) {
  for (int64_t step = 0; step < triangle.n; ++step) {
    const int64_t i = triangle.reads_as_lower() ? step : triangle.n - 1 - step;
    T sum = column[i * stride];
    for (int64_t k = 0; k < step; ++k) {
      const int64_t j = triangle.reads_as_lower() ? k : triangle.n - 1 - k;
      sum -= triangle.At(i, j) * column[j * stride];
    }
    column[i * stride] = sum / triangle.At(i, i);
  }
}

// Left: op(a) x = b, by columns of b. Right: x op(a) = b, which is transpose(op(a)) y =
// transpose(b) with y = transpose(x), by rows of b.
template <typename T>
void SolveMatrix(const hlo::TriangularSolveAttributes& attributes, const T* a, int64_t n, T* b,
                 int64_t columns) {
  const bool transposed = attributes.transpose_a == hlo::TriangularTranspose::kTranspose ||
                          attributes.transpose_a == hlo::TriangularTranspose::kAdjoint;
  const bool conjugated = attributes.transpose_a == hlo::TriangularTranspose::kAdjoint;
  const bool left = attributes.left_side;
  const Triangle<T> triangle{
      a, n, attributes.lower, transposed == left, conjugated, attributes.unit_diagonal};
  const int64_t rows = left ? n : columns;
  if (left) {
    for (int64_t column = 0; column < columns; ++column) Substitute(triangle, b + column, columns);
  } else {
    for (int64_t row = 0; row < rows; ++row) Substitute(triangle, b + row * n, 1);
  }
}

// f(T()) with double or complex<double>.
template <typename F>
void VisitWide(hlo::ElementType type, F&& f) {
  if (hlo::IsComplex(type)) {
    f(Complex());
  } else {
    f(double());
  }
}

absl::StatusOr<hlo::Literal> Rounded(const hlo::Literal& wide, const hlo::Shape& shape) {
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, ConvertTo(wide, shape.element_type()));
  return std::move(result).Reshaped(shape);
}

}  // namespace

// The other triangle of the result is zero. A matrix that is not positive definite gives NaN
// everywhere, as in XLA.
absl::StatusOr<hlo::Literal> EvalCholesky(const KernelArgs& args) {
  const bool lower = args.instruction.As<hlo::CholeskyAttributes>().lower;
  const hlo::ElementType type = args.result().element_type();
  AXLE_ASSIGN_OR_RETURN(hlo::Literal wide, ConvertTo(args.operand(0), WideType(type)));
  const int64_t n = args.result().dimensions().back();
  VisitWide(type, [&]<typename T>(T) {
    T* matrix = wide.data<T>().data();
    for (int64_t done = 0; done < wide.element_count(); done += n * n) {
      FactorMatrix(n, lower, matrix + done);
    }
  });
  return Rounded(wide, args.result());
}

absl::StatusOr<hlo::Literal> EvalTriangularSolve(const KernelArgs& args) {
  const auto& attributes = args.instruction.As<hlo::TriangularSolveAttributes>();
  const hlo::ElementType type = args.result().element_type();
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal a, ConvertTo(args.operand(0), WideType(type)));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal b, ConvertTo(args.operand(1), WideType(type)));
  const int64_t n = a.shape().dimensions().back();
  const DimsView b_dims = b.shape().dimensions();
  const int64_t columns = b_dims[b_dims.size() - (attributes.left_side ? 1 : 2)];
  VisitWide(type, [&]<typename T>(T) {
    const int64_t batch = n * columns == 0 ? 0 : b.element_count() / (n * columns);
    for (int64_t i = 0; i < batch; ++i) {
      SolveMatrix(attributes, a.data<T>().data() + i * n * n, n,
                  b.data<T>().data() + i * n * columns, columns);
    }
  });
  return Rounded(b, args.result());
}

}  // namespace axle::eval
