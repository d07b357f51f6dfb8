// SPDX-License-Identifier: Apache-2.0
// The attribute structs from and to the instruction's wire message: one set of three functions a
// family, in family_codec_<group>.cc.
#ifndef AXLE_HLO_PROTO_FAMILY_CODEC_H_
#define AXLE_HLO_PROTO_FAMILY_CODEC_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/attributes.h"
#include "hlo/proto/context.h"
#include "proto/hlo.pb.h"

namespace axle::hlo::proto {

// For every family:
//   WireFields    numbers of the fields that ReadWire understands and WriteWire writes. Whatever
//                 else an instruction has is kept as unknown.
//   ReadWire      fills a default-constructed struct. Errors: AX0213 for a missing field without
//                 which the struct would mean something else, AX0214 for impossible values.
//   WriteWire     sets the fields of a message in which none of them is set, except for what
//                 ReadWire put into ReadContext::kept.
#define AXLE_FAMILY(name)                                                             \
  absl::Span<const int> WireFields(const name##Attributes&);                          \
  absl::Status ReadWire(const wire::HloInstructionProto& proto, ReadContext& context, \
                        name##Attributes& attributes);                                \
  absl::Status WriteWire(const name##Attributes& attributes, wire::HloInstructionProto& proto);
AXLE_FAMILY(None)
AXLE_ATTRIBUTE_FAMILIES(AXLE_FAMILY)
#undef AXLE_FAMILY

// ---- Parts that several families share ----------------------------------------------------------

WindowConfig ReadWindow(const wire::Window& proto, ReadContext& context);
void WriteWindow(const WindowConfig& window, wire::Window* proto);

ConvolutionDimensions ReadConvolutionDimensions(const wire::ConvolutionDimensionNumbers& proto,
                                                ReadContext& context);
void WriteConvolutionDimensions(const ConvolutionDimensions& dimensions,
                                wire::ConvolutionDimensionNumbers* proto);

// precision_config, whose algorithm goes to `algorithm` or, if that is null, to context.Keep().
// Default precision for every operand is an empty list.
absl::Status ReadPrecision(const wire::HloInstructionProto& proto, ReadContext& context,
                           OperandPrecision& precision, DotAlgorithm* algorithm);
void WritePrecision(const OperandPrecision& precision, DotAlgorithm algorithm,
                    wire::HloInstructionProto& proto);

// Group counts: absent is 1.
inline int64_t ReadGroupCount(int64_t count) { return count == 0 ? 1 : count; }

OutputOperandAliases ReadAliases(const wire::HloInstructionProto& proto, ReadContext& context);
void WriteAliases(const OutputOperandAliases& aliases, wire::HloInstructionProto& proto);

// Ids of channels: absent, zero and below mean none.
inline std::optional<int64_t> ReadChannel(int64_t id) {
  return id > 0 ? std::optional<int64_t>(id) : std::nullopt;
}

// Some values are kept as text where they come from text and serialized where they come from the
// wire. Text begins with a brace or a word, which no field of these messages does.
inline bool IsWireForm(absl::string_view value) {
  return !value.empty() && value[0] != '{' && value[0] != 'm';
}

// Names of execution threads: the main thread has none here.
absl::StatusOr<std::string> ReadThread(const std::string& name);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_FAMILY_CODEC_H_
