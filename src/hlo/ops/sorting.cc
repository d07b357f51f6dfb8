// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/sorting.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/shape_checks.h"
#include "hlo/ops/structured_checks.h"
#include "hlo/ops/structured_errors.h"

namespace axle::hlo {

absl::StatusOr<Shape> SortRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  AXLE_RETURN_IF_ERROR(ExpectSameDimensions(context, 0, static_cast<int>(context.operands.size())));
  const auto& dimensions = context.instruction.As<SortAttributes>().dimensions;
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("dimensions", dimensions.size(), 1));
  AXLE_RETURN_IF_ERROR(ExpectDimension("dimensions", dimensions[0], context.operand(0).rank()));
  // Without a comparator: ascending by the first operand, as older programs have it.
  if (!context.called.empty()) {
    std::vector<Shape> parameters;
    for (const Shape& operand : context.operands) {
      parameters.insert(parameters.end(), 2, Shape::Scalar(operand.element_type()));
    }
    AXLE_RETURN_IF_ERROR(ExpectSignature(*context.called[0], parameters,
                                         Shape::Scalar(ElementType::kPred), "comparator"));
  }
  return OneOrTuple({context.operands.begin(), context.operands.end()});
}

absl::StatusOr<Shape> TopKRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const Shape& operand = context.operand(0);
  const int64_t k = context.instruction.As<TopKAttributes>().k;
  if (operand.rank() == 0) {
    return MakeError(ops_errors::kOperandShape, "operand 0 must have at least one dimension");
  }
  const int last = operand.rank() - 1;
  const int64_t limit = operand.dimension(last);
  if (k < 0 || (k > limit && limit != Shape::kUnbounded)) {
    return MakeError(structured_errors::kTopK,
                     absl::StrCat("k=", k, "; expected 0 to ", limit,
                                  ", the size of the operand's last dimension"));
  }
  DimensionList sizes(operand);
  sizes.Set(last, k, false);
  AXLE_ASSIGN_OR_RETURN(Shape values, sizes.ToShape(operand.element_type()));
  AXLE_ASSIGN_OR_RETURN(Shape indices, sizes.ToShape(ElementType::kS32));
  return Shape::Tuple({std::move(values), std::move(indices)});
}

}  // namespace axle::hlo
