// SPDX-License-Identifier: Apache-2.0
// dot: sums of products over contracting dimensions; result dimensions are batch, then the free
// ones of the left and of the right operand.
//
// Products and sums are computed in one wide type (see accumulation.h) in the order of the
// contracting dimensions and rounded to the result's type once.
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

// result[b, i, j] += left[b, i, k] * right[b, k, j], for k from 0 up.
template <typename T>
void MultiplyMatrices(const Sizes& sizes, const T* left, const T* right, T* result) {
  for (int64_t row = 0; row < sizes.batch * sizes.rows; ++row) {
    const T* right_rows = right + row / sizes.rows * sizes.inner * sizes.columns;
    T* out = result + row * sizes.columns;
    for (int64_t k = 0; k < sizes.inner; ++k) {
      MultiplyAddRow(left[row * sizes.inner + k], right_rows + k * sizes.columns, out,
                     sizes.columns);
    }
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
