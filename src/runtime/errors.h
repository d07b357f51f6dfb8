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

inline constexpr ErrorDef kTable[] = {
    kArgumentCount, kArgumentShape, kArgumentDevice, kNoSuchDevice,     kDeletedBuffer,
    kManyDevices,   kTooLarge,      kHostSize,       kUnknownAttribute, kMissingCustomCall};

}  // namespace axle::runtime::errors

#endif  // AXLE_RUNTIME_ERRORS_H_
