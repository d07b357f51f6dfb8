// SPDX-License-Identifier: Apache-2.0
// Errors of the wire form: AX0200 to AX0299.
#ifndef AXLE_HLO_PROTO_ERRORS_H_
#define AXLE_HLO_PROTO_ERRORS_H_

#include "base/error.h"

namespace axle::hlo::proto::errors {

inline constexpr ErrorDef kMalformed{
    "AX0200", absl::StatusCode::kInvalidArgument, "Not a serialized HLO module",
    "The bytes are no valid protocol buffer of the expected message. The file was cut off or "
    "damaged, or it holds something else: HLO text, StableHLO, a GraphDef."};
inline constexpr ErrorDef kNoComputations{
    "AX0201", absl::StatusCode::kInvalidArgument, "Module without computations",
    "The module holds no computation, so there is nothing to run. An empty file reads like this "
    "too, and so does a message of another kind."};
inline constexpr ErrorDef kNoEntry{
    "AX0202", absl::StatusCode::kInvalidArgument, "Entry computation missing",
    "entry_computation_id must be the id of one of the module's computations."};
inline constexpr ErrorDef kDuplicateComputation{
    "AX0203", absl::StatusCode::kInvalidArgument, "Two computations with one id or name",
    "Ids and names of computations must be unique in a module."};
inline constexpr ErrorDef kDuplicateInstruction{
    "AX0204", absl::StatusCode::kInvalidArgument, "Two instructions with one id or name",
    "Ids and names of instructions must be unique in a computation."};
inline constexpr ErrorDef kNoRoot{
    "AX0205", absl::StatusCode::kInvalidArgument, "Root of a computation missing",
    "root_id must be the id of one of the computation's instructions; a computation without "
    "instructions has no result."};
inline constexpr ErrorDef kUnknownOpcode{
    "AX0206", absl::StatusCode::kUnimplemented, "Unknown operation",
    "The module uses an operation that this version of Axle does not know: it was written by a "
    "newer XLA, or by one so old that the operation is gone."};
inline constexpr ErrorDef kNoOperand{
    "AX0207", absl::StatusCode::kInvalidArgument, "Operand missing",
    "An operand id must be the id of an earlier instruction of the same computation."};
inline constexpr ErrorDef kNoCallee{
    "AX0208", absl::StatusCode::kInvalidArgument, "Called computation missing",
    "A called computation must stand before its caller in the module. A computation cannot call "
    "itself, directly or through others."};
inline constexpr ErrorDef kNoControlPredecessor{
    "AX0209", absl::StatusCode::kInvalidArgument, "Control predecessor missing",
    "A control predecessor id must be the id of an earlier instruction of the same computation."};
inline constexpr ErrorDef kSchedule{
    "AX0210", absl::StatusCode::kInvalidArgument, "Schedule does not fit the module",
    "The schedule names a computation or an instruction that does not exist, or a computation "
    "twice."};
inline constexpr ErrorDef kShape{
    "AX0211", absl::StatusCode::kInvalidArgument, "Malformed shape",
    "A shape lacks its element type or has an unknown one, a negative dimension, other than one "
    "dynamic flag a dimension, more than 64 dimensions, dimensions of a tuple, elements of an "
    "array, or tuples nested deeper than 64."};
inline constexpr ErrorDef kLiteral{
    "AX0212", absl::StatusCode::kInvalidArgument, "Literal does not fit its shape",
    "A literal must hold exactly as many elements as its shape asks for, in the field of its "
    "element type, and its layout must name every dimension once."};
inline constexpr ErrorDef kFieldMissing{
    "AX0213", absl::StatusCode::kInvalidArgument, "Field missing",
    "The message lacks a field without which it has no meaning; the text names it."};
inline constexpr ErrorDef kFieldValue{
    "AX0214", absl::StatusCode::kInvalidArgument, "Field with an impossible value",
    "A field holds a number or word outside what it may hold; the text names it. An enumeration "
    "value may come from a newer XLA."};
inline constexpr ErrorDef kText{
    "AX0215", absl::StatusCode::kInvalidArgument, "Text is not UTF-8",
    "Names and other text in a module must be valid UTF-8; XLA refuses the whole file otherwise."};
inline constexpr ErrorDef kUnknownInside{
    "AX0216", absl::StatusCode::kUnimplemented, "Unknown field that cannot be kept",
    "A repeated part of the module has a field that this version of Axle does not know. Unknown "
    "fields elsewhere are kept and written back; here that would change the meaning, so the module "
    "is refused."};
inline constexpr ErrorDef kOldNames{
    "AX0217", absl::StatusCode::kUnimplemented, "Module of 2017",
    "Modules of that year refer to operands by name rather than by id. Load and save the module "
    "with a TensorFlow version of 2018 or 2019 first."};
inline constexpr ErrorDef kSparse{
    "AX0218", absl::StatusCode::kUnimplemented, "Sparse array",
    "XLA's sparse arrays of 2018 to 2020 are not supported. Make the value dense."};
inline constexpr ErrorDef kTooLarge{
    "AX0219", absl::StatusCode::kResourceExhausted, "Module too large for its wire form",
    "A protocol buffer, and each message in it, holds at most 2 GiB. Pass large constants as "
    "parameters instead."};
inline constexpr ErrorDef kRecursion{
    "AX0230", absl::StatusCode::kFailedPrecondition, "Computations call each other in a cycle",
    "The wire form lists callees before callers, so a module with recursion cannot be written. XLA "
    "does not allow recursion either."};
inline constexpr ErrorDef kControlCycle{
    "AX0231", absl::StatusCode::kFailedPrecondition, "Control edges form a cycle",
    "The wire form lists an instruction's operands and control predecessors before it, which a "
    "cycle of control edges makes impossible."};
inline constexpr ErrorDef kNotHeld{
    "AX0232", absl::StatusCode::kFailedPrecondition, "Value that the wire form cannot hold",
    "A number is too large for its field in the wire form, or the parameters of a computation that "
    "needs a signature are not numbered 0 to n-1. The text names it."};

inline constexpr ErrorDef kTable[] = {
    kMalformed,
    kNoComputations,
    kNoEntry,
    kDuplicateComputation,
    kDuplicateInstruction,
    kNoRoot,
    kUnknownOpcode,
    kNoOperand,
    kNoCallee,
    kNoControlPredecessor,
    kSchedule,
    kShape,
    kLiteral,
    kFieldMissing,
    kFieldValue,
    kText,
    kUnknownInside,
    kOldNames,
    kSparse,
    kTooLarge,
    kRecursion,
    kControlCycle,
    kNotHeld,
};

}  // namespace axle::hlo::proto::errors

#endif  // AXLE_HLO_PROTO_ERRORS_H_
