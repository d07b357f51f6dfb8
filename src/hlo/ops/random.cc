// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/random.h"

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/shape_checks.h"
#include "hlo/ops/structured_errors.h"

namespace axle::hlo {
namespace {

using structured_errors::kDeclaredShape;
using structured_errors::kRandom;

bool IsState(const Shape& shape, int64_t size) {
  return shape.element_type() == ElementType::kU64 && shape.rank() == 1 &&
         shape.dimension(0) == size;
}

absl::Status ExpectState(const RuleContext& context, RandomAlgorithm algorithm) {
  const Shape& state = context.operand(0);
  const bool three_fry = algorithm == RandomAlgorithm::kThreeFry;
  if (IsState(state, 2) || (!three_fry && IsState(state, 3))) return absl::OkStatus();
  return MakeError(kRandom, absl::StrCat("a state of ", ShapeText(state), "; expected u64[2]",
                                         three_fry ? "" : " or u64[3]"));
}

}  // namespace

absl::StatusOr<Shape> RngRule(const RuleContext& context) {
  const RandomDistribution distribution = context.instruction.As<RngAttributes>().distribution;
  if (distribution == RandomDistribution::kInvalid) {
    return MakeError(kRandom, "no distribution; expected rng_uniform or rng_normal");
  }
  const Shape& declared = context.declared();
  if (!declared.IsArray()) {
    return MakeError(kDeclaredShape, "the declared shape must be an array");
  }
  const ElementType type = declared.element_type();
  const bool normal = distribution == RandomDistribution::kNormal;
  if (!(normal ? IsFloat(type) : IsFloat(type) || IsIntegral(type))) {
    return MakeError(kRandom, absl::StrCat("no ", normal ? "normal" : "uniform",
                                           " numbers of type ", Name(type)));
  }
  const Shape scalar = Shape::Scalar(type);
  if (!Compatible(context.operand(0), scalar) || !Compatible(context.operand(1), scalar)) {
    return MakeError(kRandom, absl::StrCat("both operands must be ", scalar.ToString(),
                                           ", as the result's elements are"));
  }
  return declared.WithoutLayouts();
}

absl::StatusOr<Shape> RngBitGeneratorRule(const RuleContext& context) {
  const RandomAlgorithm algorithm = context.instruction.As<RngBitGeneratorAttributes>().algorithm;
  AXLE_RETURN_IF_ERROR(ExpectState(context, algorithm));
  const Shape& declared = context.declared();
  const Shape& state = context.operand(0);
  if (!declared.IsTuple() || declared.tuple_shapes().size() != 2 ||
      !Compatible(declared.tuple_shape(0), state)) {
    return MakeError(kDeclaredShape,
                     absl::StrCat("declared as ", declared.ToString(false), "; expected (",
                                  state.ToString(false), ", bits)"));
  }
  AXLE_RETURN_IF_ERROR(
      ExpectType(declared.tuple_shape(1), "the bits", IsUnsigned, "unsigned integers"));
  return declared.WithoutLayouts();
}

absl::StatusOr<Shape> RngGetAndUpdateStateRule(const RuleContext& context) {
  (void)context;
  return Shape::Array(ElementType::kU64, {2});
}

}  // namespace axle::hlo
