// SPDX-License-Identifier: Apache-2.0
// dot: sums of products over contracting dimensions; result dimensions are batch, then the free
// ones of the left and of the right operand.
//
// Products and sums are computed in one wide type (see accumulation.h) in the order of the
// contracting dimensions and rounded to the result's type once.
#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "eval/accumulation.h"
#include "eval/errors.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"

namespace axle::eval {
namespace {

// An operand as a dense array of matrices.
struct Sizes {
  int64_t batch, rows, inner, columns;
};

// result[i, j] += left[i, k] * right[k, j], for k from 0 up. A few rows at once, so that a row of
// `right` is used while it is in the cache.
template <typename T>
void MultiplyMatrix(const Sizes& sizes, const T* left, const T* right, T* result) {
  constexpr int64_t kRows = 8;
  for (int64_t first = 0; first < sizes.rows; first += kRows) {
    const int64_t end = std::min(first + kRows, sizes.rows);
    for (int64_t k = 0; k < sizes.inner; ++k) {
      for (int64_t i = first; i < end; ++i) {
        MultiplyAddRow(left[i * sizes.inner + k], right + k * sizes.columns,
                       result + i * sizes.columns, sizes.columns);
      }
    }
  }
}

template <typename T>
void MultiplyMatrices(const Sizes& sizes, const T* left, const T* right, T* result) {
  for (int64_t b = 0; b < sizes.batch; ++b) {
    MultiplyMatrix(sizes, left + b * sizes.rows * sizes.inner,
                   right + b * sizes.inner * sizes.columns,
                   result + b * sizes.rows * sizes.columns);
  }
}

}  // namespace

absl::StatusOr<hlo::Literal> EvalDot(const KernelArgs& args) {
  const auto& attributes = args.instruction.As<hlo::DotAttributes>();
  const hlo::Shape& left_shape = args.operand(0).shape();
  const hlo::Shape& right_shape = args.operand(1).shape();
  const Dims left_free = OtherDims(
      left_shape.rank(), Concat(attributes.lhs_batch_dims, attributes.lhs_contracting_dims));
  const Dims right_free = OtherDims(
      right_shape.rank(), Concat(attributes.rhs_batch_dims, attributes.rhs_contracting_dims));
  const hlo::ElementType type = AccumulationType(
      {left_shape.element_type(), right_shape.element_type(), args.result().element_type()});
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal left,
                        ConvertPermuted(args.operand(0),
                                        Concat(Concat(attributes.lhs_batch_dims, left_free),
                                               attributes.lhs_contracting_dims),
                                        type));
  AXLE_ASSIGN_OR_RETURN(
      const hlo::Literal right,
      ConvertPermuted(
          args.operand(1),
          Concat(Concat(attributes.rhs_batch_dims, attributes.rhs_contracting_dims), right_free),
          type));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal sums,
                        hlo::Literal::Zeros(hlo::Shape::Array(type, args.result().dimensions())));
  const DimsView left_dims = left_shape.dimensions();
  const Sizes sizes{Product(Select(left_dims, attributes.lhs_batch_dims)),
                    Product(Select(left_dims, left_free)),
                    Product(Select(left_dims, attributes.lhs_contracting_dims)),
                    Product(Select(right_shape.dimensions(), right_free))};
  VisitAccumulation(type, [&]<typename T>(T) {
    MultiplyMatrices<T>(sizes, left.data<T>().data(), right.data<T>().data(),
                        sums.data<T>().data());
  });
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, ConvertTo(sums, args.result().element_type()));
  return std::move(result).Reshaped(args.result());
}

}  // namespace axle::eval
