// SPDX-License-Identifier: Apache-2.0
// Modules from and to XLA's serialized messages (proto/hlo.proto).
//
// Reading takes any bytes: the result is a module with the invariants of hlo/module.h or an error
// (AX0200 to AX0219, or AX0300 to AX0303 for literals) that names the computation and instruction.
// Whether the program is well-typed is for hlo/verify. What Axle does not know is kept as bytes in
// the unknown_wire fields of the IR and written back. All functions are thread-safe.
#ifndef AXLE_HLO_PROTO_CODEC_H_
#define AXLE_HLO_PROTO_CODEC_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hlo/literal.h"
#include "hlo/module.h"

namespace axle::hlo {

// ---- Reading ------------------------------------------------------------------------------------

// An HloModuleProto. Ids are any 64-bit numbers; callees must stand before callers and operands
// and control predecessors before users, as XLA writes them. host_program_shape is required.
absl::StatusOr<Module> ModuleFromProtoBytes(absl::string_view bytes);

// The messages that hold a module.
enum class ProtoKind {
  kModule,            // HloModuleProto
  kHloProto,          // HloProto: a module and its buffer assignment, which is dropped
  kSnapshot,          // HloSnapshot: an HloProto, arguments and result
  kModuleWithConfig,  // HloModuleProtoWithConfig: a module and how it was compiled
};

// Which of them the bytes are, told by whether opcodes stand where that message has them. kModule
// when none fits. Looks at the beginning of the first computation only.
ProtoKind GuessProtoKind(absl::string_view bytes);

// An HloProto.
absl::StatusOr<Module> ModuleFromHloProtoBytes(absl::string_view bytes);

struct Snapshot {
  Module module;
  std::vector<Literal> arguments;
  std::optional<Literal> result;
  std::string platform;  // that ran it
};
absl::StatusOr<Snapshot> SnapshotFromProtoBytes(absl::string_view bytes);

// An HloModuleProtoWithConfig. Layout of the entry, replicas, partitions and propagation flags come
// from the configuration; its debug options, device assignment and the like are dropped.
absl::StatusOr<Module> ModuleFromConfiguredProtoBytes(absl::string_view bytes);

// Any of the four, by GuessProtoKind.
absl::StatusOr<Module> ModuleFromAnyProtoBytes(absl::string_view bytes);

// ---- Writing ------------------------------------------------------------------------------------

struct ProtoWriteOptions {
  // XLA refuses modules in which two instructions have one name, also if in different computations;
  // HLO text allows that. Repeated names get a suffix.
  bool unique_instruction_names = true;
  // Gives row-major layouts to arrays without one. XLA needs them to compile.
  bool fill_layouts = false;
};

// An HloModuleProto. Computations are ordered callees first, else as in the module; instructions
// stay in order unless a control edge points backwards. Ids are 1, 2, … for computations and
// (computation id << 32) + 1, 2, … for instructions, everywhere they occur. The bytes depend on the
// module and the options alone. Errors: AX0215, AX0219 and AX0230 to AX0232.
absl::StatusOr<std::string> ModuleToProtoBytes(const Module& module,
                                               const ProtoWriteOptions& options = {});

// What of this module ModuleToProtoBytes leaves out because HloModuleProto cannot hold it: one
// sentence each, with its place; at most 100.
std::vector<std::string> ProtoLosses(const Module& module);

}  // namespace axle::hlo

#endif  // AXLE_HLO_PROTO_CODEC_H_
