// SPDX-License-Identifier: Apache-2.0
// The backend `reference`: runs programs on the evaluator, in host memory, on the caller's thread.
// Slow and obvious; always there.
#ifndef AXLE_REFERENCE_REFERENCE_H_
#define AXLE_REFERENCE_REFERENCE_H_

#include <memory>

#include "runtime/backend.h"

namespace axle::reference {

struct Options {
  int device_count = 1;  // at least 1; devices share the host's memory and processors
};

std::shared_ptr<runtime::Backend> Create(const Options& options = {});

}  // namespace axle::reference

#endif  // AXLE_REFERENCE_REFERENCE_H_
