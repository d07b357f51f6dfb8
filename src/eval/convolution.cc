// SPDX-License-Identifier: Apache-2.0
// convolution: each output element is the sum of products of the input under the window and the
// kernel, over window places in row-major order, then over input features.
//
// Operands are brought into the order (batch, spatial, feature) and (spatial, input feature, output
// feature), so that the innermost loop runs over output features.
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/accumulation.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"
#include "eval/window.h"

namespace axle::eval {
namespace {

// The convolution in the order of the head comment.
struct Problem {
  const std::vector<hlo::WindowDimension>& window;
  Dims input_spatial, kernel_spatial, output_spatial;
  int64_t batch;           // of the output
  int64_t input_features;  // all of them
  int64_t group_inputs;    // input features that one output feature sees
  int64_t output_features;
  int64_t feature_groups, batch_groups;
};

// Index of the kernel element and the input element at a window offset; false on padding.
bool Locate(const Problem& problem, DimsView place, DimsView offset, int64_t& input,
            int64_t& kernel) {
  input = kernel = 0;
  for (size_t d = 0; d < place.size(); ++d) {
    const hlo::WindowDimension& window = problem.window[d];
    const int64_t position = WindowPosition(window, place[d], offset[d], problem.input_spatial[d]);
    if (position < 0) return false;
    input = input * problem.input_spatial[d] + position;
    kernel = kernel * problem.kernel_spatial[d] +
             (window.window_reversal ? window.size - 1 - offset[d] : offset[d]);
  }
  return true;
}

// Adds one element of the window: all features of one output place.
template <typename T>
void AddProducts(const Problem& problem, const T* input, const T* kernel, T* output,
                 int64_t batch_stride) {
  const int64_t outputs = problem.output_features;
  const int64_t feature_group = outputs / problem.feature_groups;
  const int64_t batch_group = outputs / problem.batch_groups;
  // Runs of output features that see the same input features of the same batch.
  const int64_t run = std::min(feature_group, batch_group);
  for (int64_t first = 0; first < outputs; first += run) {
    const T* seen =
        input + first / batch_group * batch_stride + first / feature_group * problem.group_inputs;
    for (int64_t i = 0; i < problem.group_inputs; ++i) {
      MultiplyAddRow(seen[i], kernel + i * outputs + first, output + first, run);
    }
  }
}

template <typename T>
void Convolve(const Problem& problem, const T* input, const T* kernel, T* output) {
  const int64_t input_places = Product(problem.input_spatial);
  const int64_t batch_stride = problem.batch * input_places * problem.input_features;
  const int64_t kernel_stride = problem.group_inputs * problem.output_features;
  if (problem.batch * Product(problem.output_spatial) * problem.output_features == 0) return;
  if (Product(problem.kernel_spatial) == 0 || input_places == 0) return;
  for (int64_t b = 0; b < problem.batch; ++b) {
    Dims place(problem.output_spatial.size(), 0);
    do {
      Dims offset(place.size(), 0);
      do {
        int64_t input_place, kernel_place;
        if (!Locate(problem, place, offset, input_place, kernel_place)) continue;
        AddProducts(problem, input + (b * input_places + input_place) * problem.input_features,
                    kernel + kernel_place * kernel_stride, output, batch_stride);
      } while (NextIndex(problem.kernel_spatial, absl::MakeSpan(offset)));
      output += problem.output_features;
    } while (NextIndex(problem.output_spatial, absl::MakeSpan(place)));
  }
}

Dims Order(int64_t first, const std::vector<int64_t>& spatial, int64_t last) {
  return Concat(Concat({first}, spatial), {last});
}

}  // namespace

absl::StatusOr<hlo::Literal> EvalConvolution(const KernelArgs& args) {
  const auto& attributes = args.instruction.As<hlo::ConvolutionAttributes>();
  const hlo::ConvolutionDimensions& dims = attributes.dimensions;
  const DimsView input_dims = args.operand(0).shape().dimensions();
  const DimsView kernel_dims = args.operand(1).shape().dimensions();
  const DimsView output_dims = args.result().dimensions();
  const hlo::ElementType type =
      AccumulationType({args.operand(0).shape().element_type(),
                        args.operand(1).shape().element_type(), args.result().element_type()});
  AXLE_ASSIGN_OR_RETURN(
      const hlo::Literal input,
      ConvertPermuted(args.operand(0),
                      Order(dims.input_batch, dims.input_spatial, dims.input_feature), type));
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal kernel,
                        ConvertPermuted(args.operand(1),
                                        Concat(dims.kernel_spatial, {dims.kernel_input_feature,
                                                                     dims.kernel_output_feature}),
                                        type));
  const Dims output_order = Order(dims.output_batch, dims.output_spatial, dims.output_feature);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal sums, hlo::Literal::Zeros(hlo::Shape::Array(
                                               type, Select(output_dims, output_order))));
  const Problem problem{attributes.window.dimensions,
                        Select(input_dims, dims.input_spatial),
                        Select(kernel_dims, dims.kernel_spatial),
                        Select(output_dims, dims.output_spatial),
                        output_dims[dims.output_batch],
                        input_dims[dims.input_feature],
                        kernel_dims[dims.kernel_input_feature],
                        output_dims[dims.output_feature],
                        attributes.feature_group_count,
                        attributes.batch_group_count};
  VisitAccumulation(type, [&]<typename T>(T) {
    Convolve<T>(problem, input.data<T>().data(), kernel.data<T>().data(), sums.data<T>().data());
  });
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal rounded, ConvertTo(sums, args.result().element_type()));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  // Back to the order of the result: its dimension output_order[i] is dimension i of the sums.
  Dims inverse(output_order.size());
  for (size_t i = 0; i < output_order.size(); ++i) {
    inverse[output_order[i]] = static_cast<int64_t>(i);
  }
  CopyPermuted(rounded, inverse, result);
  return result;
}

}  // namespace axle::eval
