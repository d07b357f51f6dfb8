// SPDX-License-Identifier: Apache-2.0
// Errors of whole modules: AX0400-AX0499. Errors of one operation are those of hlo/ops.
#ifndef AXLE_HLO_VERIFY_ERRORS_H_
#define AXLE_HLO_VERIFY_ERRORS_H_

#include "base/error.h"

namespace axle::hlo::verify_errors {

inline constexpr ErrorDef kNoEntry{
    "AX0400", absl::StatusCode::kInvalidArgument, "Module without an entry computation",
    "A module needs at least one computation, and an entry that is one of them."};
inline constexpr ErrorDef kNoRoot{
    "AX0401", absl::StatusCode::kInvalidArgument, "Computation without a root",
    "A computation needs at least one instruction, and a root that is one of them."};
inline constexpr ErrorDef kOperandReference{"AX0402", absl::StatusCode::kInvalidArgument,
                                            "Operand that does not come before its user",
                                            "An instruction uses itself, a later instruction, or "
                                            "one that does not exist. Instructions must "
                                            "be in an order in which they can be executed."};
inline constexpr ErrorDef kCallReference{
    "AX0403", absl::StatusCode::kInvalidArgument, "Called computation that does not exist",
    "An instruction calls a computation that the module does not have."};
inline constexpr ErrorDef kName{
    "AX0404", absl::StatusCode::kInvalidArgument, "Missing or repeated name",
    "Every computation of a module, and every instruction of a computation, has a name of its own, "
    "which is not empty."};
inline constexpr ErrorDef kAttributeFamily{
    "AX0405", absl::StatusCode::kInvalidArgument, "Attributes of another operation",
    "An instruction carries the attributes of an operation that it is not. Readers never make such "
    "an instruction; a program that builds modules did."};
inline constexpr ErrorDef kParameterNumber{
    "AX0406", absl::StatusCode::kInvalidArgument, "Bad parameter number",
    "A computation with n parameters has them numbered 0 to n - 1, each number once."};
inline constexpr ErrorDef kNoShape{"AX0407", absl::StatusCode::kInvalidArgument,
                                   "Instruction without a shape",
                                   "An instruction does not say what shape its result has."};

inline constexpr ErrorDef kRecursion{
    "AX0410", absl::StatusCode::kInvalidArgument, "Computation that calls itself",
    "Calls of computations must not form a circle. Use a while loop to repeat something."};
inline constexpr ErrorDef kEntryCalled{
    "AX0411", absl::StatusCode::kInvalidArgument, "Entry computation is called",
    "The entry computation is called from outside only; no instruction may call it."};
inline constexpr ErrorDef kCallDepth{
    "AX0412", absl::StatusCode::kInvalidArgument, "Calls nested too deep",
    "A chain of computations that call one another is longer than the limit of the verifier. "
    "Backends use stack memory for each call in the chain."};
inline constexpr ErrorDef kFusionCaller{
    "AX0413", absl::StatusCode::kInvalidArgument, "Fused computation called from elsewhere",
    "The computation of a fusion is called by that fusion alone. Copy it for other callers."};

inline constexpr ErrorDef kControlReference{
    "AX0420", absl::StatusCode::kInvalidArgument, "Control predecessor that does not exist",
    "A control edge comes from an instruction that the computation does not have, or from the "
    "instruction itself."};
inline constexpr ErrorDef kControlCycle{
    "AX0421", absl::StatusCode::kInvalidArgument, "Circle of control edges",
    "Control edges and operands together make instructions wait for each other."};

inline constexpr ErrorDef kLayout{
    "AX0430", absl::StatusCode::kInvalidArgument, "Layout that does not fit its shape",
    "minor_to_major must list every dimension of the array once, most minor first; tiles, sizes "
    "and "
    "alignments must be positive, and splits and dimension types must fit the dimensions."};
inline constexpr ErrorDef kShapeNesting{
    "AX0431", absl::StatusCode::kInvalidArgument, "Shape nested too deep",
    "Tuples may nest 64 deep, and a shape may have 16 million parts in all."};
inline constexpr ErrorDef kLiteralMissing{
    "AX0432", absl::StatusCode::kInvalidArgument, "Constant without its value",
    "The constant was printed without its value, as constant({...}), so the program cannot be run. "
    "Print it with large constants included."};
inline constexpr ErrorDef kLiteralShape{
    "AX0433", absl::StatusCode::kInvalidArgument, "Value does not have its constant's shape",
    "The value of a constant has another element type or other dimensions than the instruction "
    "declares."};

inline constexpr ErrorDef kNoTarget{
    "AX0434", absl::StatusCode::kInvalidArgument, "Custom call without a target",
    "A custom call does not name the function that it calls (custom_call_target)."};

inline constexpr ErrorDef kEntryLayout{"AX0440", absl::StatusCode::kInvalidArgument,
                                       "Entry layout differs from the entry computation",
                                       "The module declares parameters and a result of the program "
                                       "that the entry computation does not "
                                       "have. The message has both."};
inline constexpr ErrorDef kSignature{
    "AX0441", absl::StatusCode::kInvalidArgument, "Declared signature differs from the computation",
    "A computation declares parameters or a result that its instructions do not have. The message "
    "has both."};
inline constexpr ErrorDef kAliasIndex{
    "AX0445", absl::StatusCode::kInvalidArgument,
    "Alias, donor or prefetch of something that is not there",
    "A table of the module names a parameter, or a part of a parameter or of the result, that the "
    "entry computation does not have, or one that is not an array."};
inline constexpr ErrorDef kAliasSize{
    "AX0446", absl::StatusCode::kInvalidArgument, "Aliased values of different sizes",
    "A parameter can share its memory with a part of the result only if both have the same number "
    "of bytes."};
inline constexpr ErrorDef kAliasTwice{
    "AX0447", absl::StatusCode::kInvalidArgument, "Aliased twice",
    "Each part of the result can share memory with one parameter, and each part of a parameter "
    "with "
    "one part of the result; what is aliased cannot be donated as well."};

inline constexpr ErrorDef kSchedule{
    "AX0450", absl::StatusCode::kInvalidArgument, "Bad schedule",
    "A schedule lists every instruction of a computation exactly once, operands and control "
    "predecessors before their users, and includes the entry computation."};
inline constexpr ErrorDef kSharding{
    "AX0455", absl::StatusCode::kInvalidArgument, "Bad sharding",
    "A tiled sharding has as many devices as the product of its tile counts, each device once; a "
    "tuple sharding has one entry for each part of the tuple; devices exist."};

inline constexpr ErrorDef kReplicaGroups{"AX0460", absl::StatusCode::kInvalidArgument,
                                         "Bad replica groups",
                                         "Groups of a collective are not empty, name every device "
                                         "from 0 on exactly once, have one size, "
                                         "and are as many devices together as the module runs on."};
inline constexpr ErrorDef kSourceTarget{
    "AX0461", absl::StatusCode::kInvalidArgument, "Bad source-target pairs",
    "In a collective-permute no device is the source of two pairs or the target of two, and all "
    "devices exist."};
inline constexpr ErrorDef kAsyncPair{
    "AX0462", absl::StatusCode::kInvalidArgument, "Start and done that do not belong together",
    "An operation that finishes an asynchronous one takes the operation that started it as its "
    "operand, directly, and nothing else uses the start. Both name the same channel, if any."};

inline constexpr ErrorDef kValueTooLarge{
    "AX0470", absl::StatusCode::kResourceExhausted, "Value larger than the limit",
    "An instruction's result has more bytes than the caller allows one value to have."};

inline constexpr ErrorDef kTable[] = {
    kNoEntry,         kNoRoot,          kOperandReference, kCallReference, kName,
    kAttributeFamily, kParameterNumber, kNoShape,          kRecursion,     kEntryCalled,
    kCallDepth,       kFusionCaller,    kControlReference, kControlCycle,  kLayout,
    kShapeNesting,    kLiteralMissing,  kLiteralShape,     kNoTarget,      kEntryLayout,
    kSignature,       kAliasIndex,      kAliasSize,        kAliasTwice,    kSchedule,
    kSharding,        kReplicaGroups,   kSourceTarget,     kAsyncPair,     kValueTooLarge,
};

}  // namespace axle::hlo::verify_errors

#endif  // AXLE_HLO_VERIFY_ERRORS_H_
