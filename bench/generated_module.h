// SPDX-License-Identifier: Apache-2.0
// Modules of any size for the readers' benchmarks.
#ifndef AXLE_BENCH_GENERATED_MODULE_H_
#define AXLE_BENCH_GENERATED_MODULE_H_

#include <string>

namespace axle::bench {

// HLO text of a module with `instructions` instructions, as a front end would print it: arrays of a
// few shapes, calls of a small computation, metadata with an op_name of its own each.
std::string GeneratedText(int instructions);

}  // namespace axle::bench

#endif  // AXLE_BENCH_GENERATED_MODULE_H_
