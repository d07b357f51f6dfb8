// SPDX-License-Identifier: Apache-2.0
#include "hlo/opcode.h"

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace axle::hlo {
namespace {

constexpr OpcodeInfo kOpcodes[] = {
#define AXLE_OPCODE(name, text, least, most, category, rule, types, family, calls, flags, doc) \
  {text,         least, most, OpCategory::category, types, AttributeFamily::k##family,         \
   Calls::calls, flags, doc},
#include "hlo/opcode_table.inc"
#undef AXLE_OPCODE
};
constexpr int kCount = sizeof(kOpcodes) / sizeof(kOpcodes[0]);

}  // namespace

const OpcodeInfo& Info(Opcode opcode) { return kOpcodes[static_cast<int>(opcode)]; }

bool Allows(OperandTypes types, ElementType type) {
  switch (Info(type).kind) {
    case ElementClass::kPred:
      return (types & kPredBit) != 0;
    case ElementClass::kSigned:
      return (types & kSignedBit) != 0;
    case ElementClass::kUnsigned:
      return (types & kUnsignedBit) != 0;
    case ElementClass::kFloat:
      return (types & kFloatBit) != 0;
    case ElementClass::kComplex:
      return (types & kComplexBit) != 0;
    case ElementClass::kNone:
    case ElementClass::kNonArray:
      return false;
  }
  return false;
}

std::string TypesText(OperandTypes types) {
  std::vector<absl::string_view> kinds;
  if ((types & kIntegers) == kIntegers) {
    kinds.push_back("integers");
  } else if ((types & kSignedBit) != 0) {
    kinds.push_back("signed integers");
  } else if ((types & kUnsignedBit) != 0) {
    kinds.push_back("unsigned integers");
  }
  if ((types & kFloatBit) != 0) kinds.push_back("floating-point numbers");
  if ((types & kComplexBit) != 0) kinds.push_back("complex numbers");
  if ((types & kPredBit) != 0) kinds.push_back("pred");
  if (kinds.size() < 2) return absl::StrJoin(kinds, "");
  const absl::string_view last = kinds.back();
  kinds.pop_back();
  return absl::StrCat(absl::StrJoin(kinds, ", "), " or ", last);
}

int OpcodeCount() { return kCount; }

std::optional<Opcode> OpcodeFromName(absl::string_view name) {
  static const auto* const by_name = [] {
    auto* map = new absl::flat_hash_map<absl::string_view, Opcode>();
    for (int i = 0; i < kCount; ++i) map->emplace(kOpcodes[i].name, static_cast<Opcode>(i));
    return map;
  }();
  const auto found = by_name->find(name);
  if (found == by_name->end()) return std::nullopt;
  return found->second;
}

}  // namespace axle::hlo
