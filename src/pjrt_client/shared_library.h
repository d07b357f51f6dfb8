// SPDX-License-Identifier: Apache-2.0
// Shared libraries of strangers.
#ifndef AXLE_PJRT_CLIENT_SHARED_LIBRARY_H_
#define AXLE_PJRT_CLIENT_SHARED_LIBRARY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace axle::pjrt_client {

// Whether `path` is a whole 64-bit ELF shared library for this machine. The dynamic linker trusts a
// file's headers and maps parts that a cut-off file doesn't have, which ends in a bus error.
absl::Status CheckSharedLibrary(const std::string& path);

// Checks and loads the library at `path` (never searched for), all symbols bound and none of them
// visible to others. It stays loaded: plugins leave threads and thread-local state behind. Returns
// the handle for dlsym.
absl::StatusOr<void*> LoadSharedLibrary(const std::string& path);

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_SHARED_LIBRARY_H_
