// SPDX-License-Identifier: Apache-2.0
// Opcodes and what is true of each, from the rows of opcode_table.inc.
#ifndef AXLE_HLO_OPCODE_H_
#define AXLE_HLO_OPCODE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/attribute_families.h"
#include "hlo/element_type.h"

namespace axle::hlo {

enum class Opcode : uint8_t {
#define AXLE_OPCODE(name, ...) k##name,
#include "hlo/opcode_table.inc"
#undef AXLE_OPCODE
};

enum class OpCategory : uint8_t {
  kUnary,
  kBinary,
  kTernary,
  kData,
  kLinearAlgebra,
  kReduction,
  kControl,
  kRandom,
  kCollective,
};

// Which computations an instruction calls, in the order of Instruction::called.
enum class Calls : uint8_t {
  kNone,
  kToApply,          // to_apply
  kOptionalToApply,  // to_apply or none
  kCalls,            // calls
  kOptionalCalls,    // calls or none
  kSelectScatter,    // select, scatter
  kBodyCondition,    // body, condition
  kBranches,         // branch_computations, or true_computation and false_computation
  kAnyNumber,        // called_computations, or to_apply
};

inline constexpr int kVariadic = -1;

// Element types that every operand may have: a bit for each ElementClass.
enum OperandTypes : uint8_t {
  kByRule = 0,  // the shape rule decides
  kPredBit = 1,
  kSignedBit = 2,
  kUnsignedBit = 4,
  kFloatBit = 8,
  kComplexBit = 16,
  kIntegers = kSignedBit | kUnsignedBit,
  kBits = kPredBit | kIntegers,
  kFloats = kFloatBit,
  kFloatsOrComplex = kFloatBit | kComplexBit,
  kRealNumbers = kIntegers | kFloatBit,
  kSignedNumbers = kSignedBit | kFloatsOrComplex,
  kNumbers = kIntegers | kFloatsOrComplex,
  kAnyType = kPredBit | kNumbers,
};
bool Allows(OperandTypes types, ElementType type);
// "integers or floating-point numbers".
std::string TypesText(OperandTypes types);

enum OpFlags : uint8_t {
  kCommutative = 1,  // operands may be swapped
  kSideEffect = 2,   // may not be removed, repeated or merged
};

struct OpcodeInfo {
  absl::string_view name;
  int min_operands;
  int max_operands;  // or kVariadic
  OpCategory category;
  OperandTypes operand_types;
  AttributeFamily attributes;
  Calls calls;
  uint8_t flags;
  absl::string_view doc;
};

const OpcodeInfo& Info(Opcode opcode);
inline absl::string_view Name(Opcode opcode) { return Info(opcode).name; }
std::optional<Opcode> OpcodeFromName(absl::string_view name);
int OpcodeCount();

inline bool IsElementwise(Opcode opcode) { return Info(opcode).category <= OpCategory::kTernary; }

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPCODE_H_
