// SPDX-License-Identifier: Apache-2.0
// A small module as protobuf text, for the tests of this folder.
#ifndef AXLE_HLO_PROTO_MODULE_TESTING_H_
#define AXLE_HLO_PROTO_MODULE_TESTING_H_

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/assert.h"
#include "base/error.h"
#include "google/protobuf/text_format.h"
#include "hlo/proto/codec.h"
#include "proto/hlo.pb.h"

namespace axle::hlo {

inline constexpr absl::string_view kF32 =
    "shape { element_type: F32 layout { "
    "tail_padding_alignment_in_elements: 1 } } ";
inline constexpr absl::string_view kSignature =
    "{ parameters { element_type: F32 } result { element_type: F32 } }";

// Two computations: `callee` negates its parameter, `main` calls it and adds. F stands for a scalar
// float shape.
inline constexpr absl::string_view kBase = R"(
  name: "base" entry_computation_name: "main" entry_computation_id: 9
  host_program_shape SIG
  computations {
    name: "callee" id: 4 root_id: 41 program_shape SIG
    instructions { name: "p" opcode: "parameter" F id: 40 }
    instructions { name: "n" opcode: "negate" F id: 41 operand_ids: 40 }
  }
  computations {
    name: "main" id: 9 root_id: -5 program_shape SIG
    instructions { name: "x" opcode: "parameter" F id: 1000000000000 }
    instructions { name: "c" opcode: "call" F id: 7 operand_ids: 1000000000000
                   called_computation_ids: 4 }
    instructions { name: "s" opcode: "add" F id: -5 operand_ids: 7 operand_ids: 1000000000000
                   control_predecessor_ids: 7 EXTRA }
    MORE
  }
  TAIL
)";

inline wire::HloModuleProto TestProto(absl::string_view text) {
  wire::HloModuleProto proto;
  const std::string full = absl::StrReplaceAll(
      text, {{" F ", absl::StrCat(" ", kF32)}, {" SIG", absl::StrCat(" ", kSignature)}});
  AXLE_ASSERT(google::protobuf::TextFormat::ParseFromString(full, &proto));
  return proto;
}

inline wire::HloModuleProto Base(absl::string_view extra = "", absl::string_view more = "",
                                 absl::string_view tail = "") {
  return TestProto(absl::StrReplaceAll(kBase, {{"EXTRA", extra}, {"MORE", more}, {"TAIL", tail}}));
}

inline absl::StatusOr<Module> Read(const wire::HloModuleProto& proto) {
  return ModuleFromProtoBytes(proto.SerializeAsString());
}

inline wire::HloModuleProto Write(const Module& module, const ProtoWriteOptions& options = {}) {
  const absl::StatusOr<std::string> bytes = ModuleToProtoBytes(module, options);
  wire::HloModuleProto proto;
  AXLE_ASSERT(bytes.ok() && proto.ParseFromString(*bytes));
  return proto;
}

// Whether the error has this id and this text in its message.
inline bool IsError(const absl::Status& status, absl::string_view id, absl::string_view text) {
  return ErrorIdOf(status) == id && absl::StrContains(status.message(), text);
}

}  // namespace axle::hlo

#endif  // AXLE_HLO_PROTO_MODULE_TESTING_H_
