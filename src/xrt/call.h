// SPDX-License-Identifier: Apache-2.0
// Holding a call to the signature of its operation: once for all of them.
#ifndef AXLE_XRT_CALL_H_
#define AXLE_XRT_CALL_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xrt/op_set.h"

namespace axle::xrt {

// The attributes of a call, with what it left out. Errors: AX1004 for one that the operation does
// not have, that has another type, or that is missing; AX1001 for other inputs than it counts.
absl::StatusOr<Attributes> CompleteAttributes(const OpDef& op, const Attributes& given,
                                              absl::Span<const Value> inputs);

// Errors: AX1001, AX1002 and AX1003 for the number, types and ranks of the inputs. `attributes` are
// complete.
absl::Status CheckInputs(const OpDef& op, const Attributes& attributes,
                         absl::Span<const Value> inputs);

}  // namespace axle::xrt

#endif  // AXLE_XRT_CALL_H_
