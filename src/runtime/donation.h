// SPDX-License-Identifier: Apache-2.0
// Which parameters a program takes over.
#ifndef AXLE_RUNTIME_DONATION_H_
#define AXLE_RUNTIME_DONATION_H_

#include <vector>

#include "absl/types/span.h"
#include "hlo/module.h"

namespace axle::runtime {

// A parameter whose memory the program may use for results or for itself.
struct Donation {
  int parameter = 0;
  int result = -1;    // the result leaf that gets the memory; -1: the module does not say
  bool must = false;  // the program cannot run without
};

// Of a module with a flat entry: at most one a parameter, ascending.
std::vector<Donation> DonationsOf(const hlo::Module& module);

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_DONATION_H_
