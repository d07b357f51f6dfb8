// SPDX-License-Identifier: Apache-2.0
// What a module says besides its computations, from and to its wire message.
#ifndef AXLE_HLO_PROTO_MODULE_FIELDS_H_
#define AXLE_HLO_PROTO_MODULE_FIELDS_H_

#include "absl/status/status.h"
#include "hlo/module.h"
#include "hlo/proto/context.h"
#include "proto/hlo.pb.h"

namespace axle::hlo::proto {

// Name, id and configuration of `module`, whose computations, entry and schedule have been read.
// Destroys `proto`.
absl::Status ReadModuleFields(wire::HloModuleProto* proto, ReadContext& context, Module* module);

// All but name, entry, computations and schedule, and host_program_shape only if the module
// declares it.
absl::Status WriteModuleFields(const Module& module, wire::HloModuleProto* proto);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_MODULE_FIELDS_H_
