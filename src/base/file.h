// SPDX-License-Identifier: Apache-2.0
// Whole files: read, write, list. All functions are thread-safe; errors are AX0001 to AX0005 and
// name the path.
#ifndef AXLE_BASE_FILE_H_
#define AXLE_BASE_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace axle {

struct ReadFileOptions {
  // Files with more bytes are refused; nothing is allocated for them.
  int64_t max_bytes = int64_t{4} << 30;
};

// The content of the file, byte for byte. Pipes and devices are read to their end.
absl::StatusOr<std::string> ReadFile(const std::string& path, const ReadFileOptions& options = {});

// Writes a file so that readers see the old content or the new one, never a part: a temporary file
// beside it takes its place once it is complete and on disk. Symbolic links are followed and stay;
// pipes and devices are written to directly.
absl::Status WriteFileAtomically(const std::string& path, absl::string_view content);

// Names of the folder's entries without "." and "..", sorted bytewise.
absl::StatusOr<std::vector<std::string>> ListDirectory(const std::string& path);

}  // namespace axle

#endif  // AXLE_BASE_FILE_H_
