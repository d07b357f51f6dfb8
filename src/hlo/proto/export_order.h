// SPDX-License-Identifier: Apache-2.0
// Orders that the wire form asks for.
#ifndef AXLE_HLO_PROTO_EXPORT_ORDER_H_
#define AXLE_HLO_PROTO_EXPORT_ORDER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "hlo/module.h"

namespace axle::hlo::proto {

// All computations, callees before callers, else as in the module. Error AX0230 for recursion.
absl::StatusOr<std::vector<ComputationIndex>> ComputationOrder(const Module& module);

// All instructions, operands and control predecessors before their users, else as in the
// computation. Error AX0231 for cycles.
absl::StatusOr<std::vector<InstructionIndex>> InstructionOrder(const Computation& computation);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_EXPORT_ORDER_H_
