// SPDX-License-Identifier: Apache-2.0
#include "hlo/attributes.h"

namespace axle::hlo {

Attributes Attributes::Default(AttributeFamily family) {
  switch (family) {
    case AttributeFamily::kNone:
      return Attributes();
#define AXLE_FAMILY(name)        \
  case AttributeFamily::k##name: \
    return Attributes(name##Attributes());
      AXLE_ATTRIBUTE_FAMILIES(AXLE_FAMILY)
#undef AXLE_FAMILY
  }
  return Attributes();
}

}  // namespace axle::hlo
