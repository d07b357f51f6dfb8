// SPDX-License-Identifier: Apache-2.0
// The small programs of tests/opcodes/, from which every opcode is tested with every element type.
// tests/opcodes/README.md describes the files.
#ifndef AXLE_TESTS_OPCODE_TEMPLATES_H_
#define AXLE_TESTS_OPCODE_TEMPLATES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/literal.h"
#include "hlo/opcode.h"

namespace axle {

// Names of element types or of classes of them; none stand for every type.
struct TypeSelector {
  std::vector<std::string> names;
  bool Contains(hlo::ElementType type) const;
};

// Numbers of an input or a result, for the types that the selector contains.
struct ValueLine {
  bool is_input = false;
  int number = 0;  // of the leaf among the parameters' or result's leaves
  TypeSelector types;
  std::vector<std::string> values;
};

struct OpcodeSection {
  hlo::Opcode opcode;
  TypeSelector types;
  std::vector<ValueLine> lines;
  std::string program;  // with $OP, $T and so on
  std::string place;    // "elementwise.txt:12"

  // The program depends on the type of a cell.
  bool HasFreeType() const;
  // The first line for the leaf whose selector contains the type; null when there is none.
  const ValueLine* FindLine(bool is_input, int number, hlo::ElementType type) const;
  std::string ProgramFor(hlo::ElementType type) const;
};

absl::StatusOr<std::vector<OpcodeSection>> ParseOpcodeSections(absl::string_view text,
                                                               absl::string_view file);

// An array of the shape with the numbers, over and over. Pred is whether a number is not 0,
// integers wrap, floating-point numbers are rounded. Errors: unreadable numbers.
absl::StatusOr<hlo::Literal> LiteralOfNumbers(const hlo::Shape& shape,
                                              absl::Span<const std::string> numbers);

}  // namespace axle

#endif  // AXLE_TESTS_OPCODE_TEMPLATES_H_
