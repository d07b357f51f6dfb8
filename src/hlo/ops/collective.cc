// SPDX-License-Identifier: Apache-2.0
#include "hlo/ops/collective.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/ops/shape_checks.h"
#include "hlo/ops/structured_checks.h"
#include "hlo/ops/structured_errors.h"

namespace axle::hlo {
namespace {

using structured_errors::kCollective;

std::vector<Shape> OperandsOf(const RuleContext& context) {
  return {context.operands.begin(), context.operands.end()};
}

// Devices in a group where the attribute says so: the size of the first of listed groups.
std::optional<int64_t> KnownGroupSize(const ReplicaGroups& groups) {
  switch (groups.kind) {
    case ReplicaGroups::Kind::kList:
      if (groups.groups.empty()) return std::nullopt;
      return static_cast<int64_t>(groups.groups[0].size());
    case ReplicaGroups::Kind::kIota:
      return groups.group_size;
    case ReplicaGroups::Kind::kMesh:
      return std::nullopt;
  }
  return std::nullopt;
}

// The one dimension that the operation works along, valid for all operands.
absl::StatusOr<int> CollectiveDimension(const RuleContext& context) {
  const auto& a = context.instruction.As<CollectiveAttributes>();
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("dimensions", a.dimensions ? a.dimensions->size() : 0, 1));
  for (const Shape& operand : context.operands) {
    AXLE_RETURN_IF_ERROR(ExpectDimension("dimensions", a.dimensions->front(), operand.rank()));
  }
  return static_cast<int>(a.dimensions->front());
}

// `whole` is `part` but for `dimension`, where it is a multiple; the factor is the size of a group,
// and the same for all operands (*factor: 0 at first).
absl::Status CheckParts(const Shape& part, const Shape& whole, int dimension, int64_t* factor) {
  bool fits =
      whole.IsArray() && whole.element_type() == part.element_type() && whole.rank() == part.rank();
  for (int i = 0; fits && i < part.rank(); ++i) {
    fits = i == dimension || SizesAgree(part.dimension(i), whole.dimension(i));
  }
  if (fits) {
    const int64_t small = part.dimension(dimension);
    const int64_t large = whole.dimension(dimension);
    if (small == Shape::kUnbounded || large == Shape::kUnbounded) return absl::OkStatus();
    fits = small > 0 && large % small == 0 && (*factor == 0 || *factor == large / small);
    if (fits) *factor = large / small;
  }
  if (fits) return absl::OkStatus();
  return MakeError(kCollective,
                   absl::StrCat(whole.ToString(false), " is not ", part.ToString(false),
                                " times the size of a group in dimension ", dimension));
}

// `result`, which is what the operation was declared to give, against the operands. `gather`: the
// result is the whole, else the operands are.
absl::StatusOr<Shape> CheckGathered(const RuleContext& context, const Shape& result, bool gather) {
  AXLE_ASSIGN_OR_RETURN(const int dimension, CollectiveDimension(context));
  const size_t count = context.operands.size();
  const bool counts_agree =
      count == 1 ? result.IsArray() : result.IsTuple() && result.tuple_shapes().size() == count;
  if (!counts_agree) {
    return MakeError(structured_errors::kDeclaredShape,
                     absl::StrCat("declared as ", result.ToString(false), "; expected ",
                                  count == 1 ? "an array" : "a tuple with an array an operand"));
  }
  int64_t factor = 0;
  for (size_t i = 0; i < count; ++i) {
    const Shape& one = count == 1 ? result : result.tuple_shape(static_cast<int>(i));
    const Shape& operand = context.operand(static_cast<int>(i));
    AXLE_RETURN_IF_ERROR(gather ? CheckParts(operand, one, dimension, &factor)
                                : CheckParts(one, operand, dimension, &factor));
  }
  const auto& groups = context.instruction.As<CollectiveAttributes>().replica_groups;
  const std::optional<int64_t> group_size = KnownGroupSize(groups);
  // Groups of one device are what tools write that leave the devices open.
  if (group_size && *group_size != 1 && factor != 0 && factor != *group_size) {
    return MakeError(kCollective, absl::StrCat("sizes differ by a factor of ", factor,
                                               "; a group has ", *group_size, " devices"));
  }
  return result.WithoutLayouts();
}

// What all-reduce and its kin apply: two scalars of one type to one.
absl::Status CheckReduction(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const ProgramShape& combiner = *context.called[0];
  const ElementType type = combiner.result.IsScalar() ? combiner.result.element_type()
                                                      : context.operand(0).element_type();
  return ExpectCombiner(combiner, {type});
}

bool IsContext(const Shape& shape) { return shape.IsScalar() && IsIntegral(shape.element_type()); }

// A start gives (operands, results, contexts…): of the two first, bare shapes for one operand and
// tuples for several. Older programs declare the result alone.
bool HasStartForm(const RuleContext& context, const Shape& declared) {
  if (!declared.IsTuple() || declared.tuple_shapes().size() < 2 ||
      declared.tuple_shapes().size() > 4) {
    return false;
  }
  for (size_t i = 2; i < declared.tuple_shapes().size(); ++i) {
    if (!IsContext(declared.tuple_shape(static_cast<int>(i)))) return false;
  }
  return Compatible(declared.tuple_shape(0), OneOrTuple(OperandsOf(context)));
}

// The start's tuple with `result` in its place, taking contexts from the declared shape.
Shape StartShape(const RuleContext& context, const Shape& declared, Shape result) {
  std::vector<Shape> elements(declared.tuple_shapes().begin(), declared.tuple_shapes().end());
  elements[0] = OneOrTuple(OperandsOf(context));
  elements[1] = std::move(result);
  return Shape::Tuple(std::move(elements));
}

// (data, u32[], token[]): what send and recv hand to their done.
bool IsTransfer(const Shape& shape) {
  return shape.IsTuple() && shape.tuple_shapes().size() == 3 &&
         Compatible(shape.tuple_shape(1), Shape::Scalar(ElementType::kU32)) &&
         shape.tuple_shape(2).IsToken();
}

absl::Status ExpectTransfer(const Shape& shape, const char* what) {
  if (IsTransfer(shape)) return absl::OkStatus();
  return MakeError(kCollective,
                   absl::StrCat(what, " must be (data, u32[], token[]), as send and recv give"));
}

absl::StatusOr<Shape> PermuteShape(const RuleContext& context) {
  const auto& a = context.instruction.As<CollectivePermuteAttributes>();
  if (a.slice_sizes.empty()) {
    AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
    return OneOrTuple(OperandsOf(context));
  }
  // In place: parts of operand 0 go into operand 1, at starts that operands 2 and 3 give, which are
  // tuples of scalars.
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("operands", context.operands.size(), 4));
  return context.operand(1);
}

}  // namespace

absl::StatusOr<Shape> AllGatherRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  return CheckGathered(context, context.declared(), /*gather=*/true);
}

absl::StatusOr<Shape> AllGatherStartRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const Shape& declared = context.declared();
  if (!HasStartForm(context, declared)) return CheckGathered(context, declared, true);
  AXLE_ASSIGN_OR_RETURN(Shape result, CheckGathered(context, declared.tuple_shape(1), true));
  return StartShape(context, declared, std::move(result));
}

absl::StatusOr<Shape> AllReduceRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(CheckReduction(context));
  return OneOrTuple(OperandsOf(context));
}

absl::StatusOr<Shape> AllReduceStartRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(CheckReduction(context));
  Shape result = OneOrTuple(OperandsOf(context));
  const Shape& declared = context.declared();
  // One operand's result is no tuple, so a tuple can only be the pair of operand and result.
  if (context.operands.size() == 1 && HasStartForm(context, declared)) {
    return StartShape(context, declared, std::move(result));
  }
  return result;
}

absl::StatusOr<Shape> ReduceScatterRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(CheckReduction(context));
  return CheckGathered(context, context.declared(), /*gather=*/false);
}

absl::StatusOr<Shape> AllToAllRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const auto& a = context.instruction.As<CollectiveAttributes>();
  const std::optional<int64_t> group_size = KnownGroupSize(a.replica_groups);
  if (a.dimensions && !a.dimensions->empty()) {
    AXLE_RETURN_IF_ERROR(ExpectEntryCount("operands of an all-to-all along a dimension",
                                          context.operands.size(), 1));
    AXLE_ASSIGN_OR_RETURN(const int dimension, CollectiveDimension(context));
    const int64_t size = context.operand(0).dimension(dimension);
    if (group_size && (*group_size < 1 || (size != Shape::kUnbounded && size % *group_size != 0))) {
      return MakeError(kCollective,
                       absl::StrCat("dimension ", dimension, " of size ", size,
                                    " cannot be split among ", *group_size, " devices"));
    }
    return context.operand(0);
  }
  if (group_size && *group_size != static_cast<int64_t>(context.operands.size())) {
    return MakeError(kCollective,
                     absl::StrCat(context.operands.size(), " operands; expected one for each of ",
                                  *group_size, " devices in a group"));
  }
  // Parts are exchanged as they lie in memory, so their layouts agree too.
  const Shape first = context.operand(0).WithDefaultLayouts();
  for (const Shape& operand : context.operands) {
    if (operand.WithDefaultLayouts() != first) {
      return MakeError(kCollective, absl::StrCat("operands of ", first.ToString(), " and ",
                                                 operand.WithDefaultLayouts().ToString(),
                                                 "; expected one shape and layout for all"));
    }
  }
  return Shape::Tuple(OperandsOf(context));
}

absl::StatusOr<Shape> RaggedAllToAllRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  const Shape& input = context.operand(0);
  const Shape& output = context.operand(1);
  const bool same_rows = input.rank() == output.rank() && input.rank() >= 1 &&
                         input.element_type() == output.element_type();
  bool fits = same_rows;
  for (int i = 1; fits && i < input.rank(); ++i) {
    fits = SizesAgree(input.dimension(i), output.dimension(i));
  }
  if (!fits) {
    return MakeError(kCollective, "operands 0 and 1 may differ in the size of dimension 0 only");
  }
  const Shape& offsets = context.operand(2);
  AXLE_RETURN_IF_ERROR(ExpectType(offsets, "operand 2", IsIntegral, "integers"));
  for (int i = 2; i < 6; ++i) {
    if (!ShapesAgree(context.operand(i), offsets) || offsets.rank() < 1 || offsets.rank() > 2) {
      return MakeError(kCollective,
                       "operands 2 to 5, offsets and sizes, must have one shape of 1 or 2 "
                       "dimensions");
    }
  }
  return output;
}

absl::StatusOr<Shape> CollectiveBroadcastRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectArrayOperands(context));
  AXLE_RETURN_IF_ERROR(ExpectEntryCount("operands", context.operands.size(), 1));
  return context.operand(0);
}

absl::StatusOr<Shape> CollectivePermuteRule(const RuleContext& context) {
  return PermuteShape(context);
}

absl::StatusOr<Shape> CollectivePermuteStartRule(const RuleContext& context) {
  AXLE_ASSIGN_OR_RETURN(Shape result, PermuteShape(context));
  const Shape& declared = context.declared();
  const auto& a = context.instruction.As<CollectivePermuteAttributes>();
  if (a.slice_sizes.empty()) {
    if (!HasStartForm(context, declared)) return result;
    return StartShape(context, declared, std::move(result));
  }
  // In place: (input, output, contexts…).
  std::vector<Shape> elements = {context.operand(0), std::move(result)};
  if (declared.IsTuple() && declared.tuple_shapes().size() <= 4) {
    for (size_t i = 2; i < declared.tuple_shapes().size(); ++i) {
      const Shape& element = declared.tuple_shape(static_cast<int>(i));
      if (IsContext(element)) elements.push_back(element);
    }
  }
  return Shape::Tuple(std::move(elements));
}

absl::StatusOr<Shape> CollectiveDoneRule(const RuleContext& context) {
  const Shape& start = context.operand(0);
  const Shape& declared = context.declared();
  const bool pair = start.IsTuple() && start.tuple_shapes().size() >= 2;
  if (!pair || Compatible(start, declared)) return start;
  // (operands, results, …) gives the results. An all-reduce-start of several operands gives them
  // without a pair, so there the declared shape decides.
  const bool all_reduce = context.instruction.opcode == Opcode::kAllReduceDone;
  return all_reduce && !Compatible(start.tuple_shape(1), declared) ? start : start.tuple_shape(1);
}

absl::StatusOr<Shape> CopyStartRule(const RuleContext& context) {
  const Shape& operand = context.operand(0);
  AXLE_RETURN_IF_ERROR(ExpectArray(operand, "operand 0"));
  return Shape::Tuple({operand, operand, Shape::Scalar(ElementType::kU32)});
}

absl::StatusOr<Shape> CopyDoneRule(const RuleContext& context) {
  const Shape& start = context.operand(0);
  if (!start.IsTuple() || start.tuple_shapes().size() != 3 ||
      !Compatible(start.tuple_shape(0), start.tuple_shape(1)) || !IsContext(start.tuple_shape(2))) {
    return MakeError(kCollective,
                     "the operand must be (target, source, u32[]), as copy-start gives");
  }
  return start.tuple_shape(0);
}

absl::StatusOr<Shape> InfeedRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectToken(context.operand(0), "operand 0"));
  const Shape& declared = context.declared();
  if (!declared.IsTuple() || declared.tuple_shapes().size() != 2 ||
      !declared.tuple_shape(1).IsToken()) {
    return MakeError(
        structured_errors::kDeclaredShape,
        absl::StrCat("declared as ", declared.ToString(false), "; expected (data, token[])"));
  }
  return declared.WithoutLayouts();
}

absl::StatusOr<Shape> OutfeedRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectToken(context.operand(1), "operand 1"));
  // Programs may leave outfeed_shape out.
  const Shape& shape = context.instruction.As<OutfeedAttributes>().shape;
  if (shape.valid() && !ShapesAgree(shape, context.operand(0))) {
    return MakeError(kCollective, absl::StrCat("outfeed_shape=", shape.ToString(false),
                                               "; expected the shape of operand 0"));
  }
  return Shape::Token();
}

absl::StatusOr<Shape> SendRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectToken(context.operand(1), "operand 1"));
  return Shape::Tuple({context.operand(0), Shape::Scalar(ElementType::kU32), Shape::Token()});
}

absl::StatusOr<Shape> SendDoneRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectTransfer(context.operand(0), "operand 0"));
  return Shape::Token();
}

absl::StatusOr<Shape> RecvRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectToken(context.operand(0), "operand 0"));
  AXLE_RETURN_IF_ERROR(ExpectTransfer(context.declared(), "the declared shape"));
  return context.declared().WithoutLayouts();
}

absl::StatusOr<Shape> RecvDoneRule(const RuleContext& context) {
  AXLE_RETURN_IF_ERROR(ExpectTransfer(context.operand(0), "operand 0"));
  return Shape::Tuple({context.operand(0).tuple_shape(0), Shape::Token()});
}

absl::StatusOr<Shape> PartitionIdRule(const RuleContext& context) {
  (void)context;
  return Shape::Scalar(ElementType::kU32);
}

absl::StatusOr<Shape> ReplicaIdRule(const RuleContext& context) {
  (void)context;
  return Shape::Scalar(ElementType::kU32);
}

}  // namespace axle::hlo
