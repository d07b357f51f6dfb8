// SPDX-License-Identifier: Apache-2.0
// Errors of HLO text: AX0100-AX0199. Every message begins with the place, "file:line:column: ".
#ifndef AXLE_HLO_TEXT_ERRORS_H_
#define AXLE_HLO_TEXT_ERRORS_H_

#include "base/error.h"

namespace axle::hlo::text::errors {

inline constexpr ErrorDef kSyntax{
    "AX0100", absl::StatusCode::kInvalidArgument, "HLO text that cannot be read",
    "At the place that the message names the text has something else than HLO text can have there. "
    "The message says what was expected and what was found."};
inline constexpr ErrorDef kUnknownOpcode{
    "AX0101", absl::StatusCode::kInvalidArgument, "Unknown opcode",
    "The word before the operands is the name of no HLO operation. Check the spelling; operations "
    "that old versions of XLA had and new ones removed are not read."};
inline constexpr ErrorDef kMisplacedAttribute{
    "AX0102", absl::StatusCode::kInvalidArgument, "Attribute of another operation",
    "HLO has an attribute of this name, but not for this operation. The message lists the ones "
    "that "
    "the operation has. Attributes that HLO does not know at all are kept as they are."};
inline constexpr ErrorDef kMissingAttribute{
    "AX0103", absl::StatusCode::kInvalidArgument, "Missing attribute",
    "An operation, or a part of the module's header, lacks an attribute without which it has no "
    "meaning. The message names both."};
inline constexpr ErrorDef kDuplicateAttribute{
    "AX0104", absl::StatusCode::kInvalidArgument, "Attribute given twice",
    "The same attribute stands twice behind one operation or in one header, or two attributes say "
    "the same thing in two ways. Remove one."};
inline constexpr ErrorDef kUndefinedName{
    "AX0105", absl::StatusCode::kInvalidArgument, "Undefined name",
    "An operand or a called computation has a name that nothing bears. Operands must be defined "
    "before they are used, in the same computation; computations may stand in any order."};
inline constexpr ErrorDef kDuplicateName{
    "AX0106", absl::StatusCode::kInvalidArgument, "Name defined twice",
    "Two instructions of one computation, two computations of the module, or two ENTRY or ROOT "
    "marks claim the same place. Rename or remove one."};
inline constexpr ErrorDef kLiteral{
    "AX0107", absl::StatusCode::kInvalidArgument, "Literal that does not fit its shape",
    "The braces and values of a constant must match its shape: one level of braces a dimension, as "
    "many values as the dimensions say, of a kind that the element type has."};
inline constexpr ErrorDef kNumberRange{
    "AX0108", absl::StatusCode::kOutOfRange, "Number out of range",
    "A number does not fit into the type that it is for. The message has the number and the type."};
inline constexpr ErrorDef kNesting{
    "AX0109", absl::StatusCode::kInvalidArgument, "Nesting too deep",
    "Shapes, literals, shardings, braces or instructions within instructions nest deeper than the "
    "limit that the message names. Programs nest a handful of levels: the text is damaged."};
inline constexpr ErrorDef kShape{
    "AX0110", absl::StatusCode::kInvalidArgument, "Impossible shape",
    "A shape has an unknown element type, a negative or too large dimension, too many dimensions, "
    "or a layout that no array can have."};
inline constexpr ErrorDef kShapeMismatch{
    "AX0111", absl::StatusCode::kInvalidArgument, "Shape written twice, differently",
    "The text repeats a shape, in front of an operand or in the head of a computation, and the "
    "repetition disagrees with the definition. One of them is wrong."};
inline constexpr ErrorDef kSharding{
    "AX0112", absl::StatusCode::kInvalidArgument, "Impossible sharding",
    "The parts of a sharding contradict each other or do not suffice. The message says which."};
inline constexpr ErrorDef kOperandCount{"AX0113", absl::StatusCode::kInvalidArgument,
                                        "Wrong number of operands",
                                        "An operation has more or fewer operands than it takes."};
inline constexpr ErrorDef kNoShape{
    "AX0114", absl::StatusCode::kInvalidArgument, "Instruction without shape",
    "The result shape is left out and does not follow from the operands. Write it before the "
    "opcode."};
inline constexpr ErrorDef kEmpty{
    "AX0115", absl::StatusCode::kInvalidArgument, "No program in the text",
    "The text has no computation, or a computation has no instructions."};
inline constexpr ErrorDef kTooLong{
    "AX0116", absl::StatusCode::kResourceExhausted, "Text too long",
    "Texts are limited to 4 GiB. Use the binary form of the module."};

inline constexpr ErrorDef kTable[] = {
    kSyntax,
    kUnknownOpcode,
    kMisplacedAttribute,
    kMissingAttribute,
    kDuplicateAttribute,
    kUndefinedName,
    kDuplicateName,
    kLiteral,
    kNumberRange,
    kNesting,
    kShape,
    kShapeMismatch,
    kSharding,
    kOperandCount,
    kNoShape,
    kEmpty,
    kTooLong,
};

}  // namespace axle::hlo::text::errors

#endif  // AXLE_HLO_TEXT_ERRORS_H_
