// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/data_movement.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/shape_checks.h"

namespace axle::hlo {
namespace {

absl::Status BadAttribute(absl::string_view message) {
  return MakeError(ops_errors::kAttribute, message);
}

// get-dimension-size and set-dimension-size hold run-time sizes in s32.
absl::Status ExpectSizeFitsS32(const Shape& shape, int64_t dimension) {
  const int64_t size = shape.dimension(static_cast<int>(dimension));
  if (size <= std::numeric_limits<int32_t>::max()) return absl::OkStatus();
  return MakeError(ops_errors::kOperandShape,
                   absl::StrCat("dimension ", dimension, " of ", ShapeText(shape),
                                "; expected a size that fits in s32"));
}

// Same number of elements; an operand or result of unknown size may have any.
absl::Status ExpectSameElementCount(const Shape& operand, const Shape& result) {
  if (operand.is_unbounded() || result.is_unbounded()) return absl::OkStatus();
  AXLE_ASSIGN_OR_RETURN(const int64_t before, operand.ElementCount());
  AXLE_ASSIGN_OR_RETURN(const int64_t after, result.ElementCount());
  if (before == after) return absl::OkStatus();
  return MakeError(ops_errors::kShapeMismatch,
                   absl::StrCat("the declared shape is ", ShapeText(result), " with ", after,
                                " elements; expected ", before, " as the operand has"));
}

// Bits of an array, or nothing when they cannot be known from its shape alone: unknown sizes, tiles
// that pad, elements stored in another width.
absl::StatusOr<std::optional<int64_t>> KnownBits(const Shape& shape) {
  const Layout* layout = shape.layout();
  if (shape.is_unbounded() ||
      (layout && (!layout->tiles.empty() || layout->element_size_in_bits != 0))) {
    return std::nullopt;
  }
  AXLE_ASSIGN_OR_RETURN(const int64_t count, shape.ElementCount());
  int64_t bits = 0;
  if (__builtin_mul_overflow(count, int64_t{BitWidth(shape.element_type())}, &bits)) {
    return MakeError(ops_errors::kResultShape,
                     absl::StrCat(ShapeText(shape), " has more bits than 64 bits can count"));
  }
  return bits;
}

// Start indices of dynamic-slice and dynamic-update-slice, operands first and on: one integer
// scalar for each dimension, all of one type; or, as old programs have it, one integer vector.
absl::Status ExpectStarts(const RuleContext& context, int first, int rank) {
  const absl::Span<const Shape> starts = context.operands.subspan(first);
  if (starts.size() == 1 && starts[0].IsArray() && starts[0].rank() == 1) {
    AXLE_RETURN_IF_ERROR(ExpectType(starts[0], "the starts", IsIntegral, "integers"));
    if (SizesAgree(starts[0].dimension(0), rank)) return absl::OkStatus();
    return MakeError(ops_errors::kOperandShape,
                     absl::StrCat("the starts are ", ShapeText(starts[0]), "; expected ", rank,
                                  ", one for each dimension"));
  }
  if (starts.size() != rank) {
    return MakeError(ops_errors::kOperandCount,
                     absl::StrCat("it has ", starts.size(), " starts; expected ", rank,
                                  ", one for each dimension"));
  }
  for (int i = 0; i < rank; ++i) {
    const std::string what = OperandText(first + i);
    AXLE_RETURN_IF_ERROR(ExpectScalar(starts[i], what));
    AXLE_RETURN_IF_ERROR(ExpectType(starts[i], what, IsIntegral, "integers"));
    AXLE_RETURN_IF_ERROR(ExpectSameType(starts[0], OperandText(first), starts[i], what));
  }
  return absl::OkStatus();
}

// Size of a dimension after padding; the operand's gaps grow by `interior`, and negative edges
// crop.
absl::StatusOr<int64_t> PaddedSize(int64_t size, const PaddingDimension& padding, int dimension) {
  if (padding.interior < 0) {
    return BadAttribute(absl::StrCat("padding of dimension ", dimension, " is ", padding.low, "_",
                                     padding.high, "_", padding.interior,
                                     "; expected an interior of at least 0"));
  }
  if (size == Shape::kUnbounded) return size;
  int64_t result = 0;
  bool overflow = __builtin_mul_overflow(std::max<int64_t>(size - 1, 0), padding.interior, &result);
  overflow |= __builtin_add_overflow(result, size, &result);
  overflow |= __builtin_add_overflow(result, padding.low, &result);
  overflow |= __builtin_add_overflow(result, padding.high, &result);
  if (overflow || result < 0) {
    return BadAttribute(absl::StrCat("padding of dimension ", dimension, " of size ", size, " is ",
                                     padding.low, "_", padding.high, "_", padding.interior,
                                     overflow
                                         ? "; expected a result that fits in 64 bits"
                                         : "; expected edges that crop no more than there is"));
  }
  return result;
}

absl::Status CheckSlice(const SliceDimension& slice, int64_t size, int dimension) {
  const bool within = size == Shape::kUnbounded || slice.limit <= size;
  if (slice.start >= 0 && slice.start <= slice.limit && within && slice.stride >= 1) {
    return absl::OkStatus();
  }
  const std::string end = size == Shape::kUnbounded ? "" : absl::StrCat(" <= ", size);
  return BadAttribute(absl::StrCat("slice of dimension ", dimension, " is [", slice.start, ":",
                                   slice.limit, ":", slice.stride,
                                   "]; expected 0 <= start <= limit", end,
                                   " and a stride of at "
                                   "least 1"));
}

// How deep tuples nest in a shape: 0 for an array.
int Nesting(const Shape& shape) {
  int deepest = 0;
  for (const Shape& element : shape.tuple_shapes()) deepest = std::max(deepest, Nesting(element));
  return shape.IsTuple() ? deepest + 1 : deepest;
}

}  // namespace

absl::StatusOr<Shape> BitcastConvertRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "the operand"));
  AXLE_RETURN_IF_ERROR(ExpectDeclaredArray(context));
  const ElementType from = operand.element_type();
  const ElementType to = context.declared().element_type();
  const int from_bits = BitWidth(from);
  const int to_bits = BitWidth(to);
  const bool complex = IsComplex(from) || IsComplex(to);
  if (complex ? from != to : std::max(from_bits, to_bits) % std::min(from_bits, to_bits) != 0) {
    return MakeError(ops_errors::kElementType,
                     absl::StrCat("from ", Name(from), " to ", Name(to),
                                  "; expected widths of which one divides the other, and of "
                                  "complex types only the same"));
  }
  DimensionList dimensions(operand);
  if (from_bits > to_bits) {
    dimensions.Add(from_bits / to_bits, false);
  } else if (from_bits < to_bits) {
    const int64_t ratio = to_bits / from_bits;
    const int last = operand.rank() - 1;
    if (last < 0 || !SizesAgree(operand.dimension(last), ratio)) {
      return MakeError(ops_errors::kOperandShape,
                       absl::StrCat("the operand is ", ShapeText(operand),
                                    "; expected a last dimension of size ", ratio, ", for ",
                                    Name(to), " is so much wider"));
    }
    dimensions.RemoveLast();
  }
  return dimensions.ToShape(to);
}

absl::StatusOr<Shape> BitcastRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "the operand"));
  AXLE_RETURN_IF_ERROR(ExpectDeclaredArray(context));
  AXLE_ASSIGN_OR_RETURN(const std::optional<int64_t> before, KnownBits(operand));
  AXLE_ASSIGN_OR_RETURN(const std::optional<int64_t> after, KnownBits(context.declared()));
  if (before && after && *before != *after) {
    return MakeError(ops_errors::kShapeMismatch,
                     absl::StrCat("the declared shape is ", ShapeText(context.declared()), " with ",
                                  *after, " bits; expected ", *before, " as the operand has"));
  }
  return context.declared();
}

absl::StatusOr<Shape> BroadcastRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "the operand"));
  AXLE_RETURN_IF_ERROR(ExpectDeclaredArray(context));
  const Shape& result = context.declared();
  AXLE_RETURN_IF_ERROR(ExpectSameType(operand, "the operand", result, "the declared shape"));
  const auto& dimensions = context.instruction.As<DimensionsAttributes>().dimensions;
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("dimensions", dimensions.size(), operand.rank()));
  for (int i = 0; i < operand.rank(); ++i) {
    // In any order; XLA takes a number given twice too, and then reads the operand's diagonal.
    AXLE_RETURN_IF_ERROR(ExpectDimension("dimensions", dimensions[i], result.rank()));
    const int into = static_cast<int>(dimensions[i]);
    if (SizesAgree(operand.dimension(i), result.dimension(into))) continue;
    return MakeError(ops_errors::kShapeMismatch,
                     absl::StrCat("the declared shape is ", ShapeText(result), "; expected size ",
                                  operand.dimension(i), " in dimension ", into,
                                  ", which dimension ", i, " of the operand becomes"));
  }
  return result;
}

absl::StatusOr<Shape> ConcatenateRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const Shape& first = context.operand(0);
  AXLE_ASSIGN_OR_RETURN(
      const int64_t along,
      ExpectOneDimension(context.instruction.As<DimensionsAttributes>().dimensions, first.rank()));
  const int joined = static_cast<int>(along);
  DimensionList dimensions(first);
  for (int i = 1; i < context.operands.size(); ++i) {
    const Shape& shape = context.operand(i);
    AXLE_RETURN_IF_ERROR(ExpectSameType(first, "operand 0", shape, OperandText(i)));
    int64_t total = dimensions.size(joined);
    const bool known = total != Shape::kUnbounded && shape.rank() == first.rank() &&
                       shape.dimension(joined) != Shape::kUnbounded;
    bool fits = shape.rank() == first.rank();
    for (int d = 0; fits && d < first.rank(); ++d) {
      fits = d == joined || SizesAgree(first.dimension(d), shape.dimension(d));
    }
    if (!fits) {
      return MakeError(ops_errors::kOperandShape,
                       absl::StrCat(OperandText(i), " is ", ShapeText(shape),
                                    "; expected the sizes of operand 0, ", ShapeText(first),
                                    ", in all dimensions but ", joined));
    }
    if (known && __builtin_add_overflow(total, shape.dimension(joined), &total)) {
      return MakeError(ops_errors::kResultShape,
                       absl::StrCat("the size of dimension ", joined, " overflows 64 bits"));
    }
    const bool dynamic = dimensions.dynamic(joined) || shape.is_dynamic(joined);
    dimensions.Merge(shape);
    dimensions.Set(joined, known ? total : Shape::kUnbounded, dynamic);
  }
  return dimensions.ToShape(first.element_type());
}

absl::StatusOr<Shape> ConstantRule(const RuleContext& context) {
  const auto& literal = context.instruction.As<ConstantAttributes>().literal;
  if (literal) return literal->shape();
  if (context.declared().valid()) return context.declared();  // printed without its value
  return BadAttribute("it has no value");
}

absl::StatusOr<Shape> DynamicReshapeRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "operand 0"));
  AXLE_RETURN_IF_ERROR(ExpectDeclaredArray(context));
  const Shape& result = context.declared();
  AXLE_RETURN_IF_ERROR(ExpectSameType(operand, "operand 0", result, "the declared shape"));
  AXLE_RETURN_IF_ERROR(ExpectSameElementCount(operand, result));
  if (context.operands.size() != result.rank() + 1) {
    return MakeError(ops_errors::kOperandCount,
                     absl::StrCat("it has ", context.operands.size() - 1, " sizes; expected ",
                                  result.rank(), ", one for each dimension of the result"));
  }
  for (int i = 1; i < context.operands.size(); ++i) {
    AXLE_RETURN_IF_ERROR(ExpectScalar(context.operand(i), OperandText(i)));
    AXLE_RETURN_IF_ERROR(ExpectType(
        context.operand(i), OperandText(i), [](ElementType t) { return t == ElementType::kS32; },
        "s32"));
  }
  return result;
}

absl::StatusOr<Shape> DynamicSliceRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "operand 0"));
  AXLE_RETURN_IF_ERROR(ExpectStarts(context, 1, operand.rank()));
  const auto& sizes = context.instruction.As<DynamicSliceAttributes>().sizes;
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("dynamic_slice_sizes", sizes.size(), operand.rank()));
  DimensionList dimensions;
  for (int i = 0; i < operand.rank(); ++i) {
    const int64_t size = operand.dimension(i);
    if (sizes[i] < 0 || (size != Shape::kUnbounded && sizes[i] > size)) {
      return BadAttribute(absl::StrCat("dynamic_slice_sizes has ", sizes[i], " for dimension ", i,
                                       " of size ", size, "; expected 0 to the dimension's size"));
    }
    dimensions.Add(sizes[i], operand.is_dynamic(i) && sizes[i] == size);
  }
  return dimensions.ToShape(operand.element_type());
}

absl::StatusOr<Shape> DynamicUpdateSliceRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  const Shape& update = context.operand(1);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "operand 0"));
  AXLE_RETURN_IF_ERROR(ExpectArray(update, "the update"));
  AXLE_RETURN_IF_ERROR(ExpectSameType(operand, "operand 0", update, "the update"));
  AXLE_RETURN_IF_ERROR(ExpectStarts(context, 2, operand.rank()));
  bool fits = update.rank() == operand.rank();
  for (int i = 0; fits && i < operand.rank(); ++i) {
    fits = operand.dimension(i) == Shape::kUnbounded || update.dimension(i) <= operand.dimension(i);
  }
  if (!fits) {
    return MakeError(ops_errors::kOperandShape,
                     absl::StrCat("the update is ", ShapeText(update),
                                  "; expected one that fits into operand 0, ", ShapeText(operand)));
  }
  return operand;
}

absl::StatusOr<Shape> GetDimensionSizeRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "the operand"));
  AXLE_ASSIGN_OR_RETURN(
      const int64_t dimension,
      ExpectOneDimension(context.instruction.As<DimensionsAttributes>().dimensions,
                         operand.rank()));
  AXLE_RETURN_IF_ERROR(ExpectSizeFitsS32(operand, dimension));
  return Shape::Scalar(ElementType::kS32);
}

absl::StatusOr<Shape> GetTupleElementRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  const int64_t index = context.instruction.As<GetTupleElementAttributes>().index;
  if (!operand.IsTuple()) {
    return MakeError(ops_errors::kOperandShape,
                     absl::StrCat("the operand is ", ShapeText(operand), "; expected a tuple"));
  }
  const int64_t count = static_cast<int64_t>(operand.tuple_shapes().size());
  if (index < 0 || index >= count) {
    return BadAttribute(absl::StrCat("index is ", index, " in a tuple of ", count,
                                     " elements; expected 0 to below that"));
  }
  return operand.tuple_shape(static_cast<int>(index));
}

absl::StatusOr<Shape> IotaRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectDeclaredArray(context));
  const Shape& result = context.declared();
  AXLE_RETURN_IF_ERROR(ExpectType(result, "the declared shape", IsNumber,
                                  "integers, floating-point or complex numbers"));
  AXLE_RETURN_IF_ERROR(ExpectDimension(
      "iota_dimension", context.instruction.As<IotaAttributes>().iota_dimension, result.rank()));
  return result;
}

absl::StatusOr<Shape> PadRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  const Shape& value = context.operand(1);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "operand 0"));
  AXLE_RETURN_IF_ERROR(ExpectScalar(value, "the padding value"));
  AXLE_RETURN_IF_ERROR(ExpectSameType(operand, "operand 0", value, "the padding value"));
  const auto& padding = context.instruction.As<PadAttributes>().padding.dimensions;
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("padding", padding.size(), operand.rank()));
  DimensionList dimensions;
  for (int i = 0; i < operand.rank(); ++i) {
    AXLE_ASSIGN_OR_RETURN(const int64_t size, PaddedSize(operand.dimension(i), padding[i], i));
    dimensions.Add(size, operand.is_dynamic(i));
  }
  return dimensions.ToShape(operand.element_type());
}

absl::StatusOr<Shape> ParameterRule(const RuleContext& context) {
  const auto& parameter = context.instruction.As<ParameterAttributes>();
  if (!context.declared().valid()) {
    return MakeError(ops_errors::kShapeMismatch, "the parameter has no shape");
  }
  if (parameter.number < 0) {
    return BadAttribute(
        absl::StrCat("the parameter has number ", parameter.number, "; expected at least 0"));
  }
  const size_t flags = parameter.replication.size();
  if (flags > 0) {
    AXLE_RETURN_IF_ERROR(
        ExpectEntryCount("parameter_replication", flags, context.declared().LeafCount()));
  }
  return context.declared();
}

absl::StatusOr<Shape> ReshapeRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "the operand"));
  AXLE_RETURN_IF_ERROR(ExpectDeclaredArray(context));
  AXLE_RETURN_IF_ERROR(
      ExpectSameType(operand, "the operand", context.declared(), "the declared shape"));
  AXLE_RETURN_IF_ERROR(ExpectSameElementCount(operand, context.declared()));
  return context.declared();
}

absl::StatusOr<Shape> ReverseRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "the operand"));
  AXLE_RETURN_IF_ERROR(ExpectUniqueDimensions(
      "dimensions", context.instruction.As<DimensionsAttributes>().dimensions, operand.rank()));
  return operand;
}

absl::StatusOr<Shape> SetDimensionSizeRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "operand 0"));
  AXLE_RETURN_IF_ERROR(ExpectScalar(context.operand(1), "the size"));
  AXLE_RETURN_IF_ERROR(ExpectType(
      context.operand(1), "the size", [](ElementType t) { return t == ElementType::kS32; }, "s32"));
  AXLE_ASSIGN_OR_RETURN(
      const int64_t dimension,
      ExpectOneDimension(context.instruction.As<DimensionsAttributes>().dimensions,
                         operand.rank()));
  AXLE_RETURN_IF_ERROR(ExpectSizeFitsS32(operand, dimension));
  DimensionList dimensions(operand);
  const int i = static_cast<int>(dimension);
  dimensions.Set(i, operand.dimension(i), true);
  return dimensions.ToShape(operand.element_type());
}

absl::StatusOr<Shape> SliceRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "the operand"));
  const auto& slices = context.instruction.As<SliceAttributes>().slice.dimensions;
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("slice", slices.size(), operand.rank()));
  DimensionList dimensions;
  for (int i = 0; i < operand.rank(); ++i) {
    const int64_t size = operand.dimension(i);
    const SliceDimension& slice = slices[i];
    AXLE_RETURN_IF_ERROR(CheckSlice(slice, size, i));
    const int64_t length = slice.limit - slice.start;
    const bool whole = slice.start == 0 && slice.limit == size && slice.stride == 1;
    dimensions.Add(length / slice.stride + (length % slice.stride != 0),
                   whole && operand.is_dynamic(i));
  }
  return dimensions.ToShape(operand.element_type());
}

absl::StatusOr<Shape> TransposeRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "the operand"));
  const auto& permutation = context.instruction.As<DimensionsAttributes>().dimensions;
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("dimensions", permutation.size(), operand.rank()));
  AXLE_RETURN_IF_ERROR(ExpectUniqueDimensions("dimensions", permutation, operand.rank()));
  DimensionList dimensions;
  for (const int64_t from : permutation) {
    const int i = static_cast<int>(from);
    dimensions.Add(operand.dimension(i), operand.is_dynamic(i));
  }
  return dimensions.ToShape(operand.element_type());
}

absl::StatusOr<Shape> TupleRule(const RuleContext& context) {
  Shape tuple = Shape::Tuple({context.operands.begin(), context.operands.end()});
  if (Nesting(tuple) > kMaxShapeNesting) {
    return MakeError(
        ops_errors::kResultShape,
        absl::StrCat("the result would nest tuples more than ", kMaxShapeNesting, " deep"));
  }
  return tuple;
}

absl::StatusOr<InstructionIndex> BitcastConvert(Builder& builder, InstructionIndex operand,
                                                const Shape& shape) {
  return builder.Emit(Opcode::kBitcastConvert, {operand}, {}, {.declared = shape});
}

absl::StatusOr<InstructionIndex> Broadcast(Builder& builder, InstructionIndex operand,
                                           const Shape& shape, std::vector<int64_t> dimensions) {
  return builder.Emit(Opcode::kBroadcast, {operand},
                      Attributes(DimensionsAttributes{std::move(dimensions)}), {.declared = shape});
}

absl::StatusOr<InstructionIndex> Concatenate(Builder& builder, Operands operands,
                                             int64_t dimension) {
  return builder.Emit(Opcode::kConcatenate, operands,
                      Attributes(DimensionsAttributes{{dimension}}));
}

absl::StatusOr<InstructionIndex> Constant(Builder& builder, Literal literal) {
  auto shared = std::make_shared<const Literal>(std::move(literal));
  return builder.Emit(Opcode::kConstant, {}, Attributes(ConstantAttributes{std::move(shared)}));
}

absl::StatusOr<InstructionIndex> DynamicSlice(Builder& builder, InstructionIndex operand,
                                              Operands starts, std::vector<int64_t> sizes) {
  std::vector<InstructionIndex> operands = {operand};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return builder.Emit(Opcode::kDynamicSlice, operands,
                      Attributes(DynamicSliceAttributes{std::move(sizes)}));
}

absl::StatusOr<InstructionIndex> DynamicUpdateSlice(Builder& builder, InstructionIndex operand,
                                                    InstructionIndex update, Operands starts) {
  std::vector<InstructionIndex> operands = {operand, update};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return builder.Emit(Opcode::kDynamicUpdateSlice, operands);
}

absl::StatusOr<InstructionIndex> GetDimensionSize(Builder& builder, InstructionIndex operand,
                                                  int64_t dimension) {
  return builder.Emit(Opcode::kGetDimensionSize, {operand},
                      Attributes(DimensionsAttributes{{dimension}}));
}

absl::StatusOr<InstructionIndex> GetTupleElement(Builder& builder, InstructionIndex tuple,
                                                 int64_t index) {
  return builder.Emit(Opcode::kGetTupleElement, {tuple},
                      Attributes(GetTupleElementAttributes{index}));
}

absl::StatusOr<InstructionIndex> Iota(Builder& builder, const Shape& shape, int64_t dimension) {
  return builder.Emit(Opcode::kIota, {}, Attributes(IotaAttributes{dimension}),
                      {.declared = shape});
}

absl::StatusOr<InstructionIndex> Pad(Builder& builder, InstructionIndex operand,
                                     InstructionIndex value, PaddingConfig padding) {
  return builder.Emit(Opcode::kPad, {operand, value},
                      Attributes(PadAttributes{std::move(padding)}));
}

absl::StatusOr<InstructionIndex> Parameter(Builder& builder, int64_t number, const Shape& shape,
                                           absl::string_view name) {
  return builder.Emit(Opcode::kParameter, {}, Attributes(ParameterAttributes{number}),
                      {.declared = shape, .name = name});
}

absl::StatusOr<InstructionIndex> Reshape(Builder& builder, InstructionIndex operand,
                                         const Shape& shape) {
  return builder.Emit(Opcode::kReshape, {operand}, {}, {.declared = shape});
}

absl::StatusOr<InstructionIndex> Reverse(Builder& builder, InstructionIndex operand,
                                         std::vector<int64_t> dimensions) {
  return builder.Emit(Opcode::kReverse, {operand},
                      Attributes(DimensionsAttributes{std::move(dimensions)}));
}

absl::StatusOr<InstructionIndex> SetDimensionSize(Builder& builder, InstructionIndex operand,
                                                  InstructionIndex size, int64_t dimension) {
  return builder.Emit(Opcode::kSetDimensionSize, {operand, size},
                      Attributes(DimensionsAttributes{{dimension}}));
}

absl::StatusOr<InstructionIndex> Slice(Builder& builder, InstructionIndex operand,
                                       SliceConfig slice) {
  return builder.Emit(Opcode::kSlice, {operand}, Attributes(SliceAttributes{std::move(slice)}));
}

absl::StatusOr<InstructionIndex> Transpose(Builder& builder, InstructionIndex operand,
                                           std::vector<int64_t> permutation) {
  return builder.Emit(Opcode::kTranspose, {operand},
                      Attributes(DimensionsAttributes{std::move(permutation)}));
}

absl::StatusOr<InstructionIndex> Tuple(Builder& builder, Operands operands) {
  return builder.Emit(Opcode::kTuple, operands);
}

}  // namespace axle::hlo
