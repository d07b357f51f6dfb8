// SPDX-License-Identifier: Apache-2.0
// HLO text → Module, and the parts of HLO text on their own.
//
// Reads what today's XLA prints and what it still reads: operands with or without shapes, names
// with or without '%', modules with or without a header, a single instruction, operations nested as
// operands, computations in braces where a name could stand, asynchronous operations in their short
// form (custom-call-start), tuple elements as %t#0. Attributes that HLO does not know are kept.
//
// Total: any bytes give a value or a status. Takes linear time. The result owns all that it holds.
// All functions are thread-safe. Errors are AX0100 to AX0199; their messages begin with
// "file:line:column: ".
#ifndef AXLE_HLO_TEXT_PARSER_H_
#define AXLE_HLO_TEXT_PARSER_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hlo/module.h"

namespace axle::hlo {

struct ParseOptions {
  std::string file_name;  // for places in messages; may be empty
  // Braces, shardings, nested instructions and computations nest at most this deep. (Shapes have
  // their own limit, kMaxShapeNesting.)
  int max_nesting = 100;
};

// A module. Names, shapes and metadata are shared where they are equal. The order of computations
// is that of the text; computations without a name of their own come before their callers. The
// result satisfies the invariants of hlo/module.h; hlo/verify checks the rest.
absl::StatusOr<Module> ParseModule(absl::string_view text, const ParseOptions& options = {});

// "f32[2,<=3]{1,0:T(8,128)}", "(s32[], token[])".
absl::StatusOr<Shape> ParseShape(absl::string_view text, const ParseOptions& options = {});

// "{1,0:T(8,128)S(5)}".
absl::StatusOr<Layout> ParseLayout(absl::string_view text, const ParseOptions& options = {});

// "f32[2] {1, 2}", "(s32[] 1, pred[] true)": every array preceded by its shape.
absl::StatusOr<Literal> ParseLiteral(absl::string_view text, const ParseOptions& options = {});

// "{1, 2}" or "(1, true)", of a shape known already. The whole text must be the literal.
absl::StatusOr<Literal> ParseLiteralOfShape(absl::string_view text, const Shape& shape,
                                            const ParseOptions& options = {});

// "{replicated}", "{devices=[2,1]<=[2]}", "{{manual}, {maximal device=0}}".
absl::StatusOr<Sharding> ParseSharding(absl::string_view text, const ParseOptions& options = {});

struct TextPlace {
  int64_t line = 0;    // from 1
  int64_t column = 0;  // in bytes, from 1
};

// The place in the text that a status of these functions is about.
std::optional<TextPlace> PlaceOf(const absl::Status& status);

// The line of `text` at `place` with a caret under the column; long lines are cut around it.
// "  12 | text\n     |   ^\n". Empty when the text has no such line.
std::string Excerpt(absl::string_view text, const TextPlace& place);

}  // namespace axle::hlo

#endif  // AXLE_HLO_TEXT_PARSER_H_
