// SPDX-License-Identifier: Apache-2.0
#include "hlo/fields.h"

namespace axle::hlo {
namespace {

bool SameShapes(const Literal& a, const Literal& b) {
  if (!(a.shape() == b.shape()) || a.elements().size() != b.elements().size()) return false;
  for (size_t i = 0; i < a.elements().size(); ++i) {
    if (!SameShapes(a.elements()[i], b.elements()[i])) return false;
  }
  return true;
}

}  // namespace

bool FieldsEqual(const std::shared_ptr<const Literal>& a, const std::shared_ptr<const Literal>& b) {
  if (a == b) return true;
  return a && b && *a == *b && SameShapes(*a, *b);
}

}  // namespace axle::hlo
