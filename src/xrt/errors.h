// SPDX-License-Identifier: Apache-2.0
// Errors of the XRT operations: AX1000-AX1099.
#ifndef AXLE_XRT_ERRORS_H_
#define AXLE_XRT_ERRORS_H_

#include "base/error.h"

namespace axle::xrt::errors {

// ---- The call -----------------------------------------------------------------------------------

inline constexpr ErrorDef kNoSuchOp{
    "AX1000", absl::StatusCode::kNotFound, "No such operation",
    "There is no XRT operation of this name. docs/xrt-ops.md lists them; upper and lower case "
    "matter."};
inline constexpr ErrorDef kInputCount{
    "AX1001", absl::StatusCode::kInvalidArgument, "Wrong number of tensors",
    "An operation was called with more or fewer input tensors than its signature says, or than the "
    "attribute says that counts them."};
inline constexpr ErrorDef kInputType{
    "AX1002", absl::StatusCode::kInvalidArgument, "Tensor of another type",
    "An input tensor of an operation has another element type than its signature or its attribute "
    "says. Handles are int64, messages are strings."};
inline constexpr ErrorDef kInputRank{
    "AX1003", absl::StatusCode::kInvalidArgument, "Tensor of another rank",
    "An input tensor of an operation is no scalar where one is wanted, or no vector."};
inline constexpr ErrorDef kAttribute{
    "AX1004", absl::StatusCode::kInvalidArgument, "Attribute missing or wrong",
    "An attribute of an operation is missing, is not one of this operation, or has a value of "
    "another type or one that it cannot have."};
inline constexpr ErrorDef kMessage{
    "AX1005", absl::StatusCode::kInvalidArgument, "Message that does not parse",
    "An input string is not the serialized message that the operation takes: it was cut off or "
    "damaged, is another message, or nests more than 100 deep."};
inline constexpr ErrorDef kMessageSize{
    "AX1006", absl::StatusCode::kResourceExhausted, "Message over 2 GB",
    "A protocol buffer holds at most 2^31 - 1 bytes. Values that are larger go through the typed "
    "operations, XRTAllocateFromTensor and XRTReadToTensor, or in pieces through AxleBeginRead and "
    "AxleBeginWrite."};

inline constexpr ErrorDef kMessageParts{
    "AX1025", absl::StatusCode::kResourceExhausted, "Value of too many parts for a message",
    "A LiteralProto repeats the shape of a tuple at every level below it, so that a tuple of many "
    "shared parts would take gigabytes. Read its parts (XRTSubTuple), or through XRTReadToTensor "
    "or AxleBeginRead."};

// ---- What messages and attributes say -----------------------------------------------------------

inline constexpr ErrorDef kNegative{
    "AX1010", absl::StatusCode::kInvalidArgument, "Negative number",
    "A field of a message that counts or numbers something is negative."};
inline constexpr ErrorDef kSeveralCores{
    "AX1011", absl::StatusCode::kUnimplemented, "Computation on several cores",
    "The request is for more than one replica or core, or for another than the first. One "
    "computation runs on one device."};
inline constexpr ErrorDef kHostCompute{
    "AX1012", absl::StatusCode::kUnimplemented, "Transfers between host and computation",
    "The configuration describes transfers to and from the host while the computation runs "
    "(host_compute_metadata). That is not implemented; pass values as inputs and results."};
inline constexpr ErrorDef kOtherDevice{
    "AX1013", absl::StatusCode::kInvalidArgument, "Another device",
    "A value, a computation or a device ordinal is of another device than the one that the "
    "operation runs on."};
inline constexpr ErrorDef kAssignment{
    "AX1014", absl::StatusCode::kInvalidArgument, "Device assignment without sense",
    "The coordinates of a device are three or four numbers, x, y, z and core; with three there is "
    "no z. x, y and z are 0, and core is the number of the device."};
inline constexpr ErrorDef kNoComputation{"AX1015", absl::StatusCode::kInvalidArgument,
                                         "No computation",
                                         "XRTCompile got a message without hlo_snapshot."};
inline constexpr ErrorDef kNoLiteral{"AX1016", absl::StatusCode::kInvalidArgument, "No literal",
                                     "XRTAllocate got a message without a value."};
inline constexpr ErrorDef kDynamicSizes{
    "AX1017", absl::StatusCode::kUnimplemented, "Literal of dynamic size",
    "The literal says that fewer elements of a dimension are in use than its shape has room for. "
    "Such values come out of programs but cannot be put on a device; send the part in use, or pass "
    "its size as an input of its own."};
inline constexpr ErrorDef kTupleInput{
    "AX1018", absl::StatusCode::kInvalidArgument, "Tuple of inputs that are not there",
    "A leaf of a tuple description names an input by a number that is negative or too large."};
inline constexpr ErrorDef kReleaseShared{
    "AX1019", absl::StatusCode::kInvalidArgument, "Release of an input in several places",
    "A tuple description releases an input that it uses more than once. Use it without the "
    "release, then release its handle. Inputs of one handle are one input."};
inline constexpr ErrorDef kTensorShape{
    "AX1020", absl::StatusCode::kInvalidArgument, "Tensor does not fit its shape",
    "XRTAllocateFromTensor takes a static shape a tensor, with as many elements as the tensor has, "
    "and at least one tensor unless it makes a tuple."};
inline constexpr ErrorDef kLayouts{
    "AX1021", absl::StatusCode::kInvalidArgument, "Malformed layouts",
    "The attribute layouts is empty, or has for each shape in turn as many numbers as the shape "
    "has dimensions: each dimension once, from minor to major, or -1 everywhere for the default."};
inline constexpr ErrorDef kLeafTypes{
    "AX1022", absl::StatusCode::kInvalidArgument, "Arrays of other types",
    "The attribute dtypes must name the element types of all arrays that the values hold, in "
    "order."};
inline constexpr ErrorDef kStepKind{
    "AX1023", absl::StatusCode::kInvalidArgument, "Step without a handle",
    "A step of an execution plan has neither a data handle nor a computation handle."};
inline constexpr ErrorDef kPattern{
    "AX1024", absl::StatusCode::kInvalidArgument, "Malformed regular expression",
    "A name of metrics is asked for by a regular expression of RE2's syntax, without "
    "back-references and look-around, at most 1000 bytes long."};

inline constexpr ErrorDef kTable[] = {
    kNoSuchOp,    kInputCount,    kInputType,    kInputRank,    kAttribute,    kMessage,
    kMessageSize, kNegative,      kSeveralCores, kHostCompute,  kMessageParts, kOtherDevice,
    kAssignment,  kNoComputation, kNoLiteral,    kDynamicSizes, kTupleInput,   kReleaseShared,
    kTensorShape, kLayouts,       kLeafTypes,    kStepKind,     kPattern};

}  // namespace axle::xrt::errors

#endif  // AXLE_XRT_ERRORS_H_
