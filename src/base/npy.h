// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files: one array each. Format: numpy.lib.format, versions 1.0, 2.0 and 3.0.
#ifndef AXLE_BASE_NPY_H_
#define AXLE_BASE_NPY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/aligned_bytes.h"

namespace axle {

enum class NpyKind : uint8_t {
  kBool,      // ?: one byte, 0 or 1
  kSigned,    // i1, i2, i4, i8
  kUnsigned,  // u1, u2, u4, u8
  kFloat,     // f2, f4, f8
  kComplex,   // c8, c16: real part, imaginary part
  kRaw,       // V1, V2: bits of a type that NumPy lacks
};

struct NpyType {
  NpyKind kind = NpyKind::kRaw;
  int32_t size = 1;  // bytes of an element

  bool operator==(const NpyType&) const = default;
};

struct NpyArray {
  NpyType type;
  std::vector<int64_t> shape;  // empty: a scalar
  AlignedBytes data;           // row-major, little endian
};

// Reads the bytes of a .npy file. Safe on any input: the result is never larger than the input.
// Arrays in Fortran order are transposed to row-major; bytes of a bool array other than 0 become 1.
// Errors: AX0010 to AX0015.
absl::StatusOr<NpyArray> ReadNpy(absl::string_view bytes);

// ReadNpy of a file's content; errors name the path.
absl::StatusOr<NpyArray> ReadNpyFile(const std::string& path);

// The bytes of a .npy file with this content, as numpy.save writes it. `data` is row-major, little
// endian, and has exactly the bytes that shape and type ask for (else AX0014, AX0015; a type that
// ReadNpy would refuse: AX0013).
absl::StatusOr<std::string> WriteNpy(NpyType type, absl::Span<const int64_t> shape,
                                     absl::Span<const uint8_t> data);

absl::Status WriteNpyFile(const std::string& path, NpyType type, absl::Span<const int64_t> shape,
                          absl::Span<const uint8_t> data);

// NumPy's text for the type: "<f4", "|b1", "|V2".
std::string NpyDescr(NpyType type);

}  // namespace axle

#endif  // AXLE_BASE_NPY_H_
