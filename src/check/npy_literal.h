// SPDX-License-Identifier: Apache-2.0
// .npy files as literals and back. The program's element type decides how a file is read: bfloat16
// as uint16 or V2; types of 8 bits and less that NumPy lacks as uint8 or V1, one element a byte.
#ifndef AXLE_CHECK_NPY_LITERAL_H_
#define AXLE_CHECK_NPY_LITERAL_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/npy.h"
#include "hlo/literal.h"

namespace axle::check {

// The array as a literal of `shape` (static, no tuple). Errors: AX0910, AX0911, AX0912.
absl::StatusOr<hlo::Literal> LiteralFromNpy(const NpyArray& array, const hlo::Shape& shape);

// LiteralFromNpy of a file; errors name the path.
absl::StatusOr<hlo::Literal> LiteralFromNpyFile(const std::string& path, const hlo::Shape& shape);

// How an element type is stored: bfloat16 as uint16, types NumPy lacks as uint8.
NpyType NpyTypeOf(hlo::ElementType type);

absl::Status WriteLiteralAsNpy(const std::string& path, const hlo::Literal& literal);

}  // namespace axle::check

#endif  // AXLE_CHECK_NPY_LITERAL_H_
