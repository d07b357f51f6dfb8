// SPDX-License-Identifier: Apache-2.0
// Shapes and layouts. Their text form is in hlo/shape.h.
#ifndef AXLE_HLO_TEXT_SHAPE_READER_H_
#define AXLE_HLO_TEXT_SHAPE_READER_H_

#include "absl/status/statusor.h"
#include "hlo/shape.h"
#include "hlo/text/reader.h"

namespace axle::hlo::text {

// Whether the current token can begin a shape: an element type, or a tuple of shapes.
bool AtShape(const Reader& reader);

// A '{' behind an array begins its layout if an integer or ':' follows; so the body of a
// computation can follow a shape. In front of a literal, whose braces hold integers too, only a '{'
// right behind the ']' does.
enum class LayoutMayFollow : uint8_t { kAnywhere, kDirectly };
absl::StatusOr<Shape> ReadShape(Reader& reader,
                                LayoutMayFollow layout = LayoutMayFollow::kAnywhere);

absl::StatusOr<Layout> ReadLayout(Reader& reader);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_SHAPE_READER_H_
