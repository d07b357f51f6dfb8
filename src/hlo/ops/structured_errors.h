// SPDX-License-Identifier: Apache-2.0
// Errors of structured operations (gather, dot, reduce, sort, collectives …): AX0350-AX0399. What
// they share with all other operations is in errors.h.
#ifndef AXLE_HLO_OPS_STRUCTURED_ERRORS_H_
#define AXLE_HLO_OPS_STRUCTURED_ERRORS_H_

#include "base/error.h"

namespace axle::hlo::structured_errors {

inline constexpr ErrorDef kDimensionNumbers{
    "AX0350", absl::StatusCode::kInvalidArgument, "Bad dimension numbers",
    "An attribute lists dimensions of an operand or of the result, and an entry is out of range, "
    "listed twice, out of order, or the list has the wrong length. The message names the attribute "
    "and what was expected."};
inline constexpr ErrorDef kSliceSizes{
    "AX0351", absl::StatusCode::kInvalidArgument, "Bad slice or update sizes",
    "A gather takes, or a scatter writes, windows that do not fit into the operand. Each size must "
    "be between 0 and the operand's size in that dimension, and at most 1 where the dimension is "
    "left out of the window."};
inline constexpr ErrorDef kAccumulation{
    "AX0352", absl::StatusCode::kInvalidArgument, "Element types that cannot be multiplied so",
    "The operands of a dot or convolution must be of one class (integers, floats or complex "
    "numbers), the result is of that class too, and integers are not narrowed."};
inline constexpr ErrorDef kConvolution{
    "AX0353", absl::StatusCode::kInvalidArgument, "Bad convolution",
    "Group counts are at least 1, only one of feature_group_count and batch_group_count may exceed "
    "1, and they must divide the features and batch of the operands: the input has as many "
    "features as the kernel's input features times feature_group_count. The window has the sizes "
    "of the kernel's spatial dimensions."};
inline constexpr ErrorDef kMatrix{
    "AX0354", absl::StatusCode::kInvalidArgument, "Matrices of the wrong shape",
    "cholesky and triangular-solve work on the last two dimensions, which must be square for the "
    "triangular matrix; the dimensions before them, and the side that is solved, must agree."};
inline constexpr ErrorDef kFft{
    "AX0355", absl::StatusCode::kInvalidArgument, "Bad Fourier transform",
    "fft_length has 1 to 3 entries, one for each of the last dimensions, and equals their sizes; "
    "for IRFFT the last one is that of the result, whose half plus 1 is the operand's size. RFFT "
    "takes f32 or f64, all other types take c64 or c128."};
inline constexpr ErrorDef kTopK{
    "AX0356", absl::StatusCode::kInvalidArgument, "Bad k of a topk",
    "k must lie between 0 and the size of the operand's last dimension."};
inline constexpr ErrorDef kScan{
    "AX0357", absl::StatusCode::kInvalidArgument, "Bad scan",
    "A scan has inputs followed by num_carries initial values, moves along one dimension that all "
    "inputs share, and its computation takes a slice of each input and the carries, and returns a "
    "slice of each output and the carries."};
inline constexpr ErrorDef kRandom{
    "AX0358", absl::StatusCode::kInvalidArgument, "Bad random numbers",
    "rng needs a distribution and two scalars of the type that it returns; rng-bit-generator needs "
    "a state as its algorithm has (u64[2] for three-fry, u64[2] or u64[3] for philox) and returns "
    "it with an array of bits; rng-get-and-update-state returns u64[2]."};
inline constexpr ErrorDef kCollective{
    "AX0359", absl::StatusCode::kInvalidArgument, "Bad collective operation",
    "The operands, dimension and declared result of a collective do not belong together. The "
    "message says which and what was expected."};
inline constexpr ErrorDef kDeclaredShape{
    "AX0360", absl::StatusCode::kInvalidArgument, "Declared result of the wrong form",
    "For some operations the operands do not decide the result; its declared shape does, within "
    "limits. The message says what the operation can return."};

inline constexpr ErrorDef kTable[] = {
    kDimensionNumbers, kSliceSizes, kAccumulation,  kConvolution, kMatrix, kFft, kTopK, kScan,
    kRandom,           kCollective, kDeclaredShape,
};

}  // namespace axle::hlo::structured_errors

#endif  // AXLE_HLO_OPS_STRUCTURED_ERRORS_H_
