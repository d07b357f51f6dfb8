// SPDX-License-Identifier: Apache-2.0
// original_value and statistics_viz of instructions: text in the IR, messages on the wire.
#ifndef AXLE_HLO_PROTO_PROVENANCE_H_
#define AXLE_HLO_PROTO_PROVENANCE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "hlo/shape.h"
#include "proto/xla_data.pb.h"

namespace axle::hlo::proto {

// The text of origin={…}, braces included, for an instruction of this shape: {(({"a"}, {"b" {1}}),
// {})} names for every leaf the instruction of the unoptimised module that it came from, or
// {[synthetic_call]}. Nothing when the text would lose something.
std::optional<std::string> OriginalValueText(const wire::OriginalValueProto& proto,
                                             const Shape& shape);
std::optional<wire::OriginalValueProto> OriginalValueFromText(absl::string_view text);

// The text of statistics={…}, braces included: {visualizing_index=1,name=0.5,other=2}.
std::optional<std::string> StatisticsText(const wire::StatisticsViz& proto);
std::optional<wire::StatisticsViz> StatisticsFromText(absl::string_view text);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_PROVENANCE_H_
