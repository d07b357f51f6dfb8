// SPDX-License-Identifier: Apache-2.0
// Errors of files and .npy arrays: AX0001 to AX0099.
#ifndef AXLE_BASE_ERRORS_H_
#define AXLE_BASE_ERRORS_H_

#include "base/error.h"

namespace axle::errors {

inline constexpr ErrorDef kFileNotFound{
    "AX0001", absl::StatusCode::kNotFound, "File not found",
    "A file or folder that was named does not exist, or a part of its path is not a folder. Check "
    "the spelling and the current directory; the message has the path as it was used."};
inline constexpr ErrorDef kFileIsDirectory{
    "AX0002", absl::StatusCode::kInvalidArgument, "A folder where a file is needed",
    "The path names a folder, and the operation reads or writes one file. Name a file in it."};
inline constexpr ErrorDef kFileNoPermission{
    "AX0003", absl::StatusCode::kPermissionDenied, "No permission for a file",
    "The operating system refused access to the file or to a folder on the way to it. Change the "
    "file's permissions or run as a user who has them."};
inline constexpr ErrorDef kFileTooLarge{
    "AX0004", absl::StatusCode::kResourceExhausted, "File too large",
    "The file holds more bytes than the caller allows, so it was not read. If the size is meant, "
    "raise the limit in the options of the call."};
inline constexpr ErrorDef kFileFailed{
    "AX0005", absl::StatusCode::kUnavailable, "File operation failed",
    "The operating system reported an error while a file was read or written: a full disk, a "
    "device error, an interrupted network file system, or a path it cannot take. The message has "
    "the system's own words."};

inline constexpr ErrorDef kNpyNotNpy{
    "AX0010", absl::StatusCode::kInvalidArgument, "Not a .npy file",
    "The data does not begin with the six bytes \\x93NUMPY that every .npy file has. A .npz file "
    "is an archive of .npy files: unpack it first. A truncated download looks like this too."};
inline constexpr ErrorDef kNpyVersion{
    "AX0011", absl::StatusCode::kUnimplemented, "Unknown .npy format version",
    "The file's format version is none of 1.0, 2.0 and 3.0. Save the array again with numpy.save."};
inline constexpr ErrorDef kNpyHeader{
    "AX0012", absl::StatusCode::kInvalidArgument, "Malformed .npy header",
    "The header must be a Python dictionary literal with exactly the keys 'descr', 'fortran_order' "
    "and 'shape'. The message says what was met instead. The file is damaged or was not written by "
    "NumPy."};
inline constexpr ErrorDef kNpyType{
    "AX0013", absl::StatusCode::kUnimplemented, "Element type of a .npy file not supported",
    "Supported are bool, integers of 1 to 8 bytes, floats of 2 to 8 bytes, complex64, complex128 "
    "and raw V1 and V2, all little endian. Big-endian arrays, Python objects, strings, dates, long "
    "double and structured types are not: convert with array.astype(...) before saving."};
inline constexpr ErrorDef kNpyShape{
    "AX0014", absl::StatusCode::kInvalidArgument, "Impossible shape of a .npy array",
    "A dimension is negative or unreadable, there are more than 64 dimensions, or the number of "
    "bytes of the array does not fit into 63 bits."};
inline constexpr ErrorDef kNpySize{
    "AX0015", absl::StatusCode::kInvalidArgument, "Shape and data of a .npy array differ in size",
    "The bytes after the header are not as many as shape and element type ask for. A file that is "
    "too short was cut off while it was copied; one that is too long holds something else too."};

inline constexpr ErrorDef kTable[] = {
    kFileNotFound, kFileIsDirectory, kFileNoPermission, kFileTooLarge, kFileFailed, kNpyNotNpy,
    kNpyVersion,   kNpyHeader,       kNpyType,          kNpyShape,     kNpySize,
};

}  // namespace axle::errors

#endif  // AXLE_BASE_ERRORS_H_
