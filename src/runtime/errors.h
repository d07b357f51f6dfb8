// SPDX-License-Identifier: Apache-2.0
// Errors of the runtime: AX0600-AX0699.
#ifndef AXLE_RUNTIME_ERRORS_H_
#define AXLE_RUNTIME_ERRORS_H_

#include "base/error.h"

namespace axle::runtime::errors {

inline constexpr ErrorDef kArgumentCount{
    "AX0600", absl::StatusCode::kInvalidArgument, "Wrong number of inputs",
    "A program was run with more or fewer inputs than it has parameter leaves. `axle compile` "
    "prints the signature of a program."};
inline constexpr ErrorDef kArgumentShape{
    "AX0601", absl::StatusCode::kInvalidArgument, "Input does not fit",
    "An input's element type or dimensions differ from what the program's parameter declares. "
    "`axle compile` prints the signature of a program."};
inline constexpr ErrorDef kArgumentDevice{
    "AX0602", absl::StatusCode::kInvalidArgument, "Input on another device",
    "An input lies in the memory of another device than the one the program was compiled for. Copy "
    "it there first, or compile for its device."};
inline constexpr ErrorDef kNoSuchDevice{
    "AX0603", absl::StatusCode::kInvalidArgument, "No such device",
    "The backend has fewer devices than the number given. `axle devices` lists them."};
inline constexpr ErrorDef kDeletedBuffer{
    "AX0604", absl::StatusCode::kFailedPrecondition, "Value is gone",
    "A value was used after it was deleted or donated to a program. Keep a copy, or do not donate "
    "it."};
inline constexpr ErrorDef kManyDevices{
    "AX0605", absl::StatusCode::kUnimplemented, "Program for several devices",
    "The program asks for more than one replica or partition. Running one program on several "
    "devices at once is not implemented."};
inline constexpr ErrorDef kTooLarge{
    "AX0606", absl::StatusCode::kResourceExhausted, "Program needs too much memory",
    "A value of the program is larger than the memory limit, so the program was refused before it "
    "started. Use smaller shapes, or raise the limit if the device has the memory."};
inline constexpr ErrorDef kHostSize{
    "AX0607", absl::StatusCode::kInvalidArgument, "Host memory of the wrong size",
    "The bytes given for an upload or a download are not as many as the shape takes."};
inline constexpr ErrorDef kUnknownAttribute{
    "AX0608", absl::StatusCode::kUnimplemented, "Attribute of unknown meaning",
    "The program carries an attribute that Axle does not know. It is kept when the program is "
    "converted or printed, but a program is not run while part of its meaning is unknown. Remove "
    "the attribute if it does not matter."};
inline constexpr ErrorDef kMissingCustomCall{
    "AX0609", absl::StatusCode::kUnimplemented, "Custom call that the backend lacks",
    "The program calls a function of the backend by a name that this backend does not provide. Run "
    "the program on a backend that has it, or export the program without it."};

inline constexpr ErrorDef kQuota{
    "AX0610", absl::StatusCode::kResourceExhausted, "Limit on memory reached",
    "A session or a device holds as many bytes as it may, and the request needs more. Nothing was "
    "changed. Release values, or raise the limit. What a program still running uses is counted "
    "until "
    "it ends."};
inline constexpr ErrorDef kTreeTooLarge{
    "AX0611", absl::StatusCode::kInvalidArgument, "Value with too many parts",
    "A tuple may have at most 2^20 leaves, a shared value counted as often as it occurs, and 64 "
    "levels."};
inline constexpr ErrorDef kTupleIndex{
    "AX0612", absl::StatusCode::kInvalidArgument, "No such part of a value",
    "An index names an element that the tuple does not have, or an element of an array. Each "
    "number "
    "of an index picks an element of a tuple, from 0; the empty index is the whole value."};
inline constexpr ErrorDef kSignature{
    "AX0613", absl::StatusCode::kInvalidArgument, "Program of another shape",
    "The request says what parameters and result the program has, and the module has others. "
    "Types, "
    "dimensions and the number of parameters must agree; layouts are taken from the request."};
inline constexpr ErrorDef kCompileWait{
    "AX0614", absl::StatusCode::kDeadlineExceeded, "Compilation takes longer than the wait",
    "Another request is compiling the same program, and it was not ready when this request's time "
    "was up. The compilation goes on; ask again."};
inline constexpr ErrorDef kNoLoader{
    "AX0615", absl::StatusCode::kFailedPrecondition, "No reader for programs",
    "A program was given as bytes where only modules in memory are taken: the cache was made "
    "without a loader."};
inline constexpr ErrorDef kMustDonate{
    "AX0616", absl::StatusCode::kFailedPrecondition, "Input must be given away",
    "The program writes a result into the memory of an input, and may not have that input: the "
    "caller did not give it away, another value shares it, it is an input twice, or it is memory "
    "of "
    "the caller's. Give the only value that holds it away, or copy it first."};
inline constexpr ErrorDef kDeviceMemory{
    "AX0617", absl::StatusCode::kResourceExhausted, "Device out of memory",
    "The backend found no memory for what was asked. The message says how much that was and who "
    "holds most. Nothing else was changed: release values and try again."};
inline constexpr ErrorDef kNoArray{
    "AX0618", absl::StatusCode::kInvalidArgument, "Value that no device holds",
    "Values on devices are arrays of known size, and tuples of them. Tokens, opaque values and "
    "arrays without a bound exist inside programs only."};
inline constexpr ErrorDef kNotBound{
    "AX0619", absl::StatusCode::kFailedPrecondition, "Input without a value",
    "A prepared call was run before each of its inputs had a value, or after the program took one "
    "over. Bind a value to every input."};
inline constexpr ErrorDef kNoSuchHandle{
    "AX0620", absl::StatusCode::kNotFound, "No such handle",
    "The handle is of no value or program of this session: it was released, or never given out, or "
    "belongs to another session. Handles of one session mean nothing to another."};
inline constexpr ErrorDef kStaleHandle{
    "AX0621", absl::StatusCode::kNotFound, "Handle from before a restart",
    "The handle was given out by an earlier run of the process, whose values and programs ended "
    "with it. Compile the programs and allocate the values again."};
inline constexpr ErrorDef kHandleKind{
    "AX0622", absl::StatusCode::kInvalidArgument, "Handle of another kind",
    "A program's handle stands where a value is wanted, or the other way round."};
inline constexpr ErrorDef kSessionEnded{
    "AX0623", absl::StatusCode::kFailedPrecondition, "Session has ended",
    "The session was ended while the request was under way, or before. What it held is released; "
    "open another session."};
inline constexpr ErrorDef kPlan{
    "AX0624", absl::StatusCode::kInvalidArgument, "Plan that does not fit together",
    "A chain of programs names a step that does not come before, a part that a step's result does "
    "not have, or places of results that are not 0, 1, 2 … with each given once. Nothing of the "
    "chain was run."};
inline constexpr ErrorDef kWriteShape{
    "AX0625", absl::StatusCode::kInvalidArgument, "Write of another shape",
    "What is written must have the element types and dimensions of the value it replaces."};
inline constexpr ErrorDef kRange{"AX0626", absl::StatusCode::kOutOfRange, "Bytes beyond the value",
                                 "A read or write of a part of a value reaches beyond its bytes."};

inline constexpr ErrorDef kTransfer{
    "AX0627", absl::StatusCode::kFailedPrecondition, "Transfer that cannot do this",
    "A transfer in pieces either reads a value or writes one, and takes no more pieces once it is "
    "finished. Begin another one."};

inline constexpr ErrorDef kDynamicUpload{
    "AX0629", absl::StatusCode::kUnimplemented, "Upload of an array smaller than its bounds",
    "A literal with dynamic dimensions that are smaller than their bounds was to be put on a "
    "device. "
    "Only whole arrays go there; let the program set the sizes (set-dimension-size)."};

inline constexpr ErrorDef kTable[] = {
    kArgumentCount, kArgumentShape, kArgumentDevice, kNoSuchDevice,     kDeletedBuffer,
    kManyDevices,   kTooLarge,      kHostSize,       kUnknownAttribute, kMissingCustomCall,
    kQuota,         kTreeTooLarge,  kTupleIndex,     kSignature,        kCompileWait,
    kNoLoader,      kMustDonate,    kDeviceMemory,   kNoArray,          kNotBound,
    kNoSuchHandle,  kStaleHandle,   kHandleKind,     kSessionEnded,     kPlan,
    kWriteShape,    kRange,         kTransfer,       kDynamicUpload};

}  // namespace axle::runtime::errors

#endif  // AXLE_RUNTIME_ERRORS_H_
