// SPDX-License-Identifier: Apache-2.0
// Module → HLO text, and the parts of HLO text on their own.
//
// Prints the canonical form of today's XLA. What ParseModule reads from the text is Identical
// (hlo/compare.h) to a module that came from text. A module that came from elsewhere may hold what
// text has no words for and loses it: unknown wire fields, ids, shardings of the whole program,
// cross-program prefetches. Total on any module whose indices are valid. Thread-safe.
#ifndef AXLE_HLO_TEXT_PRINTER_H_
#define AXLE_HLO_TEXT_PRINTER_H_

#include <cstdint>
#include <limits>
#include <string>

#include "absl/types/span.h"
#include "hlo/module.h"

namespace axle::hlo {

struct PrintOptions {
  bool operand_shapes = false;  // add(f32[] %x, f32[] %y)
  bool metadata = true;         // metadata, origin, statistics and the tables of source places
  // Constants of more elements print as {...}, which loses them.
  int64_t max_constant_elements = std::numeric_limits<int64_t>::max();
};

// Computations in file order, instructions in the order of the schedule where there is one.
std::string PrintModule(const Module& module, const PrintOptions& options = {});

// One line without indentation: "%sum = f32[] add(%x, %y)". Whole computations that it calls appear
// by name. The computation gives the operands their names.
std::string PrintInstruction(const Module& module, const Computation& computation,
                             const Instruction& instruction, const PrintOptions& options = {});

// "f32[2] {1, 2}", "(s32[] 1, pred[] true)": what ParseLiteral reads. Without shapes: "{1, 2}".
// Tokens print as "token[]".
std::string PrintLiteral(const Literal& literal, bool with_shapes = true);

// "{devices=[2,1]<=[2]}".
std::string PrintSharding(const Sharding& sharding);

}  // namespace axle::hlo

#endif  // AXLE_HLO_TEXT_PRINTER_H_
