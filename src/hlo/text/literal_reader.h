// SPDX-License-Identifier: Apache-2.0
// Literals: "1", "{ { 1, 2 }, { 3, 4 } }", "(1, {true, false})", "(1.5, -2)" of complex types, and
// "{...}" for a value that was left out.
#ifndef AXLE_HLO_TEXT_LITERAL_READER_H_
#define AXLE_HLO_TEXT_LITERAL_READER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "hlo/literal.h"
#include "hlo/text/reader.h"

namespace axle::hlo::text {

// A literal of `shape`; null where the text left out the value or a part of it.
absl::StatusOr<std::shared_ptr<const Literal>> ReadLiteral(Reader& reader, const Shape& shape);

// Every array preceded by its shape: "(s32[] 1, f32[2] {1, 2})".
absl::StatusOr<std::shared_ptr<const Literal>> ReadShapedLiteral(Reader& reader);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_LITERAL_READER_H_
