// SPDX-License-Identifier: Apache-2.0
#include "hlo/element_type.h"

namespace axle::hlo {
namespace {

constexpr ElementTypeInfo kTypes[] = {
#define AXLE_ELEMENT_TYPE(name, text, number, bits, kind) {text, number, bits, ElementClass::kind},
    AXLE_ELEMENT_TYPES(AXLE_ELEMENT_TYPE)
#undef AXLE_ELEMENT_TYPE
};
static_assert(sizeof(kTypes) / sizeof(kTypes[0]) == kElementTypeCount);

}  // namespace

const ElementTypeInfo& Info(ElementType type) { return kTypes[static_cast<int>(type)]; }

std::optional<ElementType> ElementTypeFromName(absl::string_view name) {
  for (int i = 1; i < kElementTypeCount; ++i) {
    if (kTypes[i].name == name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

std::optional<ElementType> ElementTypeFromWireNumber(int number) {
  for (int i = 1; i < kElementTypeCount; ++i) {
    if (kTypes[i].wire_number == number) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

}  // namespace axle::hlo
