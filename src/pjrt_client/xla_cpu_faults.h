// SPDX-License-Identifier: Apache-2.0
// What XLA:CPU is known to crash on or to compute wrongly: found by running every opcode with every
// element type (tests/opcodes), in the plugin of PJRT API 0.115.
#ifndef AXLE_PJRT_CLIENT_XLA_CPU_FAULTS_H_
#define AXLE_PJRT_CLIENT_XLA_CPU_FAULTS_H_

#include "absl/status/status.h"
#include "hlo/module.h"

namespace axle::pjrt_client {

// Refuses the instruction where XLA:CPU must not see it. Errors: AX0721 to AX0723.
absl::Status CheckForXlaCpu(const hlo::Instruction& instruction);

}  // namespace axle::pjrt_client

#endif  // AXLE_PJRT_CLIENT_XLA_CPU_FAULTS_H_
