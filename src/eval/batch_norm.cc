// SPDX-License-Identifier: Apache-2.0
// The batch-norm operations, computed in f64 with the feature dimension first. For each feature,
// over the n elements x of it: y = (x - mean) / sqrt(variance + epsilon) * scale + offset.
#include <cmath>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"

namespace axle::eval {
namespace {

using hlo::ElementType;

// The operation's arrays as numbers. Elements of feature f are f * per_feature … of an array.
class BatchNorm {
 public:
  static absl::StatusOr<BatchNorm> Make(StepContext& context) {
    BatchNorm self(context);
    for (size_t i = 0; i < context.operands.size(); ++i) {
      const hlo::Literal& operand = context.array(static_cast<int>(i));
      const bool is_vector = operand.shape().rank() == 1 && i > 0;
      AXLE_ASSIGN_OR_RETURN(
          hlo::Literal numbers,
          ConvertPermuted(operand, is_vector ? Dims{0} : self.order_, ElementType::kF64));
      self.operands_.push_back(std::move(numbers));
    }
    return self;
  }

  double epsilon() const { return context_.instruction().As<hlo::BatchNormAttributes>().epsilon; }
  int64_t features() const { return features_; }
  int64_t per_feature() const { return per_feature_; }
  absl::Span<const double> operand(int i) const { return operands_[i].data<double>(); }

  // The elements, in feature order, as an array of the operand's shape.
  absl::StatusOr<hlo::Literal> Array(const std::vector<double>& numbers,
                                     const hlo::Shape& shape) const {
    AXLE_ASSIGN_OR_RETURN(hlo::Literal ordered,
                          hlo::Literal::Zeros(hlo::Shape::Array(
                              ElementType::kF64, Select(shape.dimensions(), order_))));
    std::copy(numbers.begin(), numbers.end(), ordered.data<double>().begin());
    Dims inverse(order_.size());
    for (size_t i = 0; i < order_.size(); ++i) inverse[order_[i]] = static_cast<int64_t>(i);
    AXLE_ASSIGN_OR_RETURN(hlo::Literal array,
                          ConvertPermuted(ordered, inverse, shape.element_type()));
    return std::move(array).Reshaped(shape);
  }

  static absl::StatusOr<hlo::Literal> Vector(const std::vector<double>& numbers,
                                             const hlo::Shape& shape) {
    AXLE_ASSIGN_OR_RETURN(
        hlo::Literal result,
        ConvertTo(hlo::Literal::Vector(absl::MakeConstSpan(numbers)), shape.element_type()));
    return std::move(result).Reshaped(shape);
  }

 private:
  explicit BatchNorm(const StepContext& context) : context_(context) {
    const DimsView dims = context.array(0).shape().dimensions();
    const int64_t feature = context.instruction().As<hlo::BatchNormAttributes>().feature_index;
    order_ = Concat({feature}, OtherDims(static_cast<int64_t>(dims.size()), {feature}));
    features_ = dims[feature];
    per_feature_ = Product(Select(dims, OtherDims(static_cast<int64_t>(dims.size()), {feature})));
  }

  const StepContext& context_;
  Dims order_;
  int64_t features_, per_feature_;
  std::vector<hlo::Literal> operands_;
};

// y of one feature.
void Normalize(const BatchNorm& norm, int64_t feature, double mean, double variance,
               std::vector<double>& y) {
  const double factor = norm.operand(1)[feature] / std::sqrt(variance + norm.epsilon());
  for (int64_t k = 0; k < norm.per_feature(); ++k) {
    const int64_t i = feature * norm.per_feature() + k;
    y[i] = (norm.operand(0)[i] - mean) * factor + norm.operand(2)[feature];
  }
}

}  // namespace

// (x, scale, offset) -> (y, mean, variance), with the mean and variance of x, not corrected.
absl::StatusOr<Value> RunBatchNormTraining(StepContext& context) {
  AXLE_ASSIGN_OR_RETURN(const BatchNorm norm, BatchNorm::Make(context));
  const int64_t n = norm.per_feature();
  std::vector<double> y(norm.features() * n), means(norm.features()), variances(norm.features());
  for (int64_t f = 0; f < norm.features(); ++f) {
    const auto x = norm.operand(0).subspan(f * n, n);
    double sum = 0, squares = 0;
    for (double element : x) sum += element;
    means[f] = sum / static_cast<double>(n);
    for (double element : x) squares += (element - means[f]) * (element - means[f]);
    variances[f] = squares / static_cast<double>(n);
    Normalize(norm, f, means[f], variances[f], y);
  }
  std::vector<hlo::Literal> results(3);
  AXLE_ASSIGN_OR_RETURN(results[0], norm.Array(y, context.result().tuple_shape(0)));
  AXLE_ASSIGN_OR_RETURN(results[1], norm.Vector(means, context.result().tuple_shape(1)));
  AXLE_ASSIGN_OR_RETURN(results[2], norm.Vector(variances, context.result().tuple_shape(2)));
  return context.ArrayOrTuple(std::move(results));
}

// (x, scale, offset, mean, variance) -> y.
absl::StatusOr<Value> RunBatchNormInference(StepContext& context) {
  AXLE_ASSIGN_OR_RETURN(const BatchNorm norm, BatchNorm::Make(context));
  std::vector<double> y(norm.features() * norm.per_feature());
  for (int64_t f = 0; f < norm.features(); ++f) {
    Normalize(norm, f, norm.operand(3)[f], norm.operand(4)[f], y);
  }
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, norm.Array(y, context.result()));
  return context.Array(std::move(result));
}

// (x, scale, mean, variance, dy) -> (dx, dscale, doffset). With r = 1 / sqrt(variance + epsilon)
// and h = (x - mean) r: doffset = sum dy, dscale = sum dy h, dx = scale r (dy - (doffset + h
// dscale) / n).
absl::StatusOr<Value> RunBatchNormGrad(StepContext& context) {
  AXLE_ASSIGN_OR_RETURN(const BatchNorm norm, BatchNorm::Make(context));
  const int64_t n = norm.per_feature();
  std::vector<double> dx(norm.features() * n), dscale(norm.features()), doffset(norm.features());
  for (int64_t f = 0; f < norm.features(); ++f) {
    const auto x = norm.operand(0).subspan(f * n, n), dy = norm.operand(4).subspan(f * n, n);
    const double r = 1 / std::sqrt(norm.operand(3)[f] + norm.epsilon());
    const double mean = norm.operand(2)[f];
    for (int64_t k = 0; k < n; ++k) {
      doffset[f] += dy[k];
      dscale[f] += dy[k] * (x[k] - mean) * r;
    }
    for (int64_t k = 0; k < n; ++k) {
      const double share = doffset[f] + (x[k] - mean) * r * dscale[f];
      dx[f * n + k] = norm.operand(1)[f] * r * (dy[k] - share / static_cast<double>(n));
    }
  }
  std::vector<hlo::Literal> results(3);
  AXLE_ASSIGN_OR_RETURN(results[0], norm.Array(dx, context.result().tuple_shape(0)));
  AXLE_ASSIGN_OR_RETURN(results[1], norm.Vector(dscale, context.result().tuple_shape(1)));
  AXLE_ASSIGN_OR_RETURN(results[2], norm.Vector(doffset, context.result().tuple_shape(2)));
  return context.ArrayOrTuple(std::move(results));
}

}  // namespace axle::eval
