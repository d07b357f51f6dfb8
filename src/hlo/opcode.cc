// SPDX-License-Identifier: Apache-2.0
#include "hlo/opcode.h"

#include "absl/container/flat_hash_map.h"

namespace axle::hlo {
namespace {

constexpr OpcodeInfo kOpcodes[] = {
#define AXLE_OPCODE(name, text, least, most, category, family, calls, flags, doc) \
  {text, least, most, OpCategory::category, AttributeFamily::k##family, Calls::calls, flags, doc},
#include "hlo/opcode_table.inc"
#undef AXLE_OPCODE
};
constexpr int kCount = sizeof(kOpcodes) / sizeof(kOpcodes[0]);

}  // namespace

const OpcodeInfo& Info(Opcode opcode) { return kOpcodes[static_cast<int>(opcode)]; }

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
