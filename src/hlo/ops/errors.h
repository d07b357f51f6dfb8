// SPDX-License-Identifier: Apache-2.0
// Errors of operations in general, of elementwise operations, data movement and control flow:
// AX0320-AX0349. (AX0350-AX0399: structured_errors.h.) InferShape puts the instruction and the
// shapes of its operands before every message.
#ifndef AXLE_HLO_OPS_ERRORS_H_
#define AXLE_HLO_OPS_ERRORS_H_

#include "base/error.h"

namespace axle::hlo::ops_errors {

inline constexpr ErrorDef kOperandCount{
    "AX0320", absl::StatusCode::kInvalidArgument, "Wrong number of operands",
    "An operation has fewer or more operands than it takes. The message says how many it has and "
    "how many it takes. The program is damaged, or a tool that wrote it disagrees about the "
    "operation."};
inline constexpr ErrorDef kOperandShape{
    "AX0321", absl::StatusCode::kInvalidArgument, "Operand of the wrong shape",
    "An operand does not have the shape that the operation needs: an array where a tuple is given, "
    "another number of dimensions, or other sizes. Operations on arrays do not broadcast by "
    "themselves: insert a broadcast where sizes differ."};
inline constexpr ErrorDef kElementType{
    "AX0322", absl::StatusCode::kInvalidArgument, "Element type not allowed here",
    "An operation does not exist for the element type of an operand, or its operands have element "
    "types that may not be mixed. Insert a convert."};
inline constexpr ErrorDef kCalledComputation{
    "AX0323", absl::StatusCode::kInvalidArgument, "Called computation does not fit",
    "An operation calls another number of computations than it must, or one whose parameters or "
    "result do not have the shapes that the operation passes and expects. The message has both."};
inline constexpr ErrorDef kAttribute{
    "AX0324", absl::StatusCode::kInvalidArgument, "Attribute out of range",
    "An attribute of an operation is missing, or has a value that the operation's operands do not "
    "allow: a dimension number past the last one or given twice, a negative size, a stride of 0. "
    "The message names the attribute, its value and the values that are allowed."};
inline constexpr ErrorDef kShapeMismatch{
    "AX0325", absl::StatusCode::kInvalidArgument, "Declared shape is not the operation's shape",
    "The shape that the program gives for an instruction is not the one that follows from its "
    "operands and attributes. The message has both."};
inline constexpr ErrorDef kResultShape{
    "AX0326", absl::StatusCode::kInvalidArgument, "Impossible result shape",
    "The result of an operation would have more than 64 dimensions, or a size that does not fit in "
    "64 bits. Check the attributes that the message names."};
inline constexpr ErrorDef kBuilderReference{
    "AX0327", absl::StatusCode::kInvalidArgument, "No such instruction or computation",
    "A builder was asked for an instruction whose operand or called computation does not exist, or "
    "to finish a computation without a root. Operands must be emitted first, by the same builder."};

inline constexpr ErrorDef kTable[] = {
    kOperandCount, kOperandShape,  kElementType, kCalledComputation,
    kAttribute,    kShapeMismatch, kResultShape, kBuilderReference,
};

}  // namespace axle::hlo::ops_errors

#endif  // AXLE_HLO_OPS_ERRORS_H_
