// SPDX-License-Identifier: Apache-2.0
// Errors of the PJRT client, AX0700 to AX0799.
#ifndef AXLE_PJRT_CLIENT_ERRORS_H_
#define AXLE_PJRT_CLIENT_ERRORS_H_

#include "absl/status/status.h"
#include "base/error.h"

namespace axle::pjrt_client::errors {

inline constexpr ErrorDef kPluginFile{
    "AX0700", absl::StatusCode::kNotFound, "The plugin file cannot be read",
    "The path of a PJRT plugin names no readable file. Check the path; `scripts/install-deps` "
    "downloads the plugin that Axle is tested with."};
inline constexpr ErrorDef kPluginNotLibrary{
    "AX0701", absl::StatusCode::kInvalidArgument, "The plugin file is no shared library",
    "The file is not a complete 64-bit ELF shared library for this machine: another kind of file, "
    "another processor or a download that was cut short. Name the plugin's .so file."};
inline constexpr ErrorDef kPluginLoad{
    "AX0702", absl::StatusCode::kFailedPrecondition, "The plugin cannot be loaded",
    "The dynamic linker refused the library; its words follow. Usually a library that the plugin "
    "needs is missing or too old."};
inline constexpr ErrorDef kPluginSymbol{
    "AX0703", absl::StatusCode::kInvalidArgument, "The library is no PJRT plugin",
    "A PJRT plugin exports the function GetPjrtApi; this library doesn't, or the function returned "
    "nothing. Name the plugin's .so file."};
inline constexpr ErrorDef kPluginVersion{
    "AX0704", absl::StatusCode::kFailedPrecondition, "The plugin's PJRT version is not supported",
    "Axle drives plugins of PJRT C API 0.57 (December 2024) and later minor versions of major "
    "version 0. Use a newer plugin, or a newer Axle for a newer major version."};
inline constexpr ErrorDef kPluginTable{
    "AX0705", absl::StatusCode::kFailedPrecondition, "The plugin's function table is unusable",
    "The table that the plugin answered is too short or lacks functions that no client can do "
    "without. The plugin is broken."};
inline constexpr ErrorDef kSlotMissing{
    "AX0706", absl::StatusCode::kUnimplemented, "The plugin lacks a function",
    "The plugin's function table doesn't have the PJRT function that was needed: the plugin is "
    "older than the function or leaves it out."};
// The code of the status is the one that the plugin answered.
inline constexpr ErrorDef kPluginAnswered{
    "AX0707", absl::StatusCode::kUnknown, "The plugin answered an error",
    "The plugin refused or failed a call; the PJRT function and the plugin's own words follow. The "
    "status code is the plugin's."};
inline constexpr ErrorDef kPluginThrew{
    "AX0708", absl::StatusCode::kInternal, "The plugin threw an exception",
    "A C++ exception came out of the plugin, which is a fault of the plugin. Its state may be "
    "damaged: create a new client, better a new process."};
inline constexpr ErrorDef kPluginAnswer{
    "AX0709", absl::StatusCode::kInternal, "The plugin's answer is unusable",
    "The plugin reported success but its answer is missing something that PJRT requires. This is a "
    "fault of the plugin."};
inline constexpr ErrorDef kClientOption{
    "AX0710", absl::StatusCode::kInvalidArgument, "A client option is out of range",
    "Options of a client are checked before the plugin sees them, since plugins crash on some "
    "values. The message says what is allowed."};
inline constexpr ErrorDef kNoDevices{
    "AX0711", absl::StatusCode::kFailedPrecondition, "The plugin found no device",
    "The plugin created a client without any device that this process can use. Check that the "
    "hardware and its driver are there."};
inline constexpr ErrorDef kBufferType{
    "AX0712", absl::StatusCode::kUnimplemented, "The plugin has no such element type",
    "Values of this element type cannot be handed to the plugin: tokens never, and types that are "
    "younger than the plugin's PJRT version."};
inline constexpr ErrorDef kHostArray{
    "AX0713", absl::StatusCode::kInvalidArgument, "A host array is inconsistent",
    "Dimensions must not be negative, and the data must have exactly the bytes that element type "
    "and dimensions ask for (one byte an element for types of 8 bits and less)."};
inline constexpr ErrorDef kCompileOptions{
    "AX0714", absl::StatusCode::kInvalidArgument, "Compile options are inconsistent",
    "Numbers of replicas and partitions must be positive and fit the devices, assigned devices "
    "must "
    "exist, once each, and no option is set twice. Checked before the plugin sees them, since "
    "plugins abort on some."};
inline constexpr ErrorDef kEmptyProgram{"AX0715", absl::StatusCode::kInvalidArgument,
                                        "The program is empty",
                                        "A compile call was given no bytes."};
inline constexpr ErrorDef kExecuteArguments{
    "AX0716", absl::StatusCode::kInvalidArgument, "A launch doesn't fit the program",
    "A launch needs one list of arguments for each device of the program, all of one length and "
    "without holes, and room for exactly the program's results."};

inline constexpr ErrorDef kDynamicArgument{
    "AX0717", absl::StatusCode::kUnimplemented, "Input with other dynamic dimensions",
    "Plugins store an array with dynamic dimensions in another way than a static one. A parameter "
    "with dynamic dimensions takes only a value that a program returned with dynamic dimensions, "
    "and a static parameter only a static value. Declare the parameter static and set its size "
    "inside the program with set-dimension-size."};
inline constexpr ErrorDef kMustDonate{
    "AX0718", absl::StatusCode::kFailedPrecondition, "Input that must be given away",
    "The program declares that a result takes over the memory of an input (must-alias), but the "
    "input may not be donated: the caller keeps it, or its memory is borrowed from the host."};
inline constexpr ErrorDef kHostTransfer{
    "AX0719", absl::StatusCode::kUnimplemented, "Program that talks to the host while it runs",
    "Infeed and outfeed wait for the host for ever when it has nothing to say, and PJRT has no way "
    "to speak to them. Make the data inputs and results of the program."};
inline constexpr ErrorDef kOutOfMemory{
    "AX0720", absl::StatusCode::kResourceExhausted, "The device is out of memory",
    "The plugin could not get the memory for a value; its words follow. Release values that are no "
    "longer needed, or use smaller shapes. Everything else stays usable."};

inline constexpr ErrorDef kCrashesXlaCpu{
    "AX0721", absl::StatusCode::kUnimplemented, "Operation that crashes XLA:CPU",
    "XLA:CPU crashes while it compiles the inverse cosine, sine and hyperbolic functions, cosh and "
    "sinh of complex numbers, and concatenate of s2 and u2. Run the program on the backend "
    "reference, or write it with other operations or wider types."};
inline constexpr ErrorDef kTypeOfXlaCpu{
    "AX0722", absl::StatusCode::kUnimplemented, "Element type that XLA:CPU lacks",
    "XLA:CPU knows s1, u1, f6e2m3fn and f6e3m2fn by name, but computes wrong values with integers "
    "of one bit and crashes on floating-point numbers of six. Run the program on the backend "
    "reference, or use a wider type."};
inline constexpr ErrorDef kWrongOnXlaCpu{
    "AX0723", absl::StatusCode::kUnimplemented, "Operation that XLA:CPU computes wrongly",
    "XLA:CPU compares complex numbers in maximum, minimum and clamp by their real parts alone, "
    "counts 8 bits for integers of 4 in popcnt and mulhi, mixes up s2 and u2 in sort, and makes "
    "NaN of f8e8m0fnu in cholesky and triangular-solve. Run the program on the backend reference, "
    "or convert to a wider type in the program."};

inline constexpr ErrorDef kTable[] = {
    kPluginFile,   kPluginNotLibrary, kPluginLoad,      kPluginSymbol,  kPluginVersion,
    kPluginTable,  kSlotMissing,      kPluginAnswered,  kPluginThrew,   kPluginAnswer,
    kClientOption, kNoDevices,        kBufferType,      kHostArray,     kCompileOptions,
    kEmptyProgram, kExecuteArguments, kDynamicArgument, kMustDonate,    kHostTransfer,
    kOutOfMemory,  kCrashesXlaCpu,    kTypeOfXlaCpu,    kWrongOnXlaCpu,
};

}  // namespace axle::pjrt_client::errors

#endif  // AXLE_PJRT_CLIENT_ERRORS_H_
