// SPDX-License-Identifier: Apache-2.0
// The backend `null`: compiles everything, computes nothing, returns zeros. It is the skeleton to
// copy for a new backend, and what the runtime's own cost is measured on.
#ifndef AXLE_NULL_NULL_H_
#define AXLE_NULL_NULL_H_

#include <memory>

#include "runtime/backend.h"

namespace axle::null {

struct Options {
  int device_count = 1;  // at least 1
};

std::shared_ptr<runtime::Backend> Create(const Options& options = {});

}  // namespace axle::null

#endif  // AXLE_NULL_NULL_H_
