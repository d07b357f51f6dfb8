// SPDX-License-Identifier: Apache-2.0
// Visits the same field of two attribute structs at once, and compares field values. A struct
// describes its fields one struct at a time; the counterpart lies at the same offset in the other.
#ifndef AXLE_HLO_FIELDS_H_
#define AXLE_HLO_FIELDS_H_

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

#include "hlo/attributes.h"

namespace axle::hlo {

// Whether two fields hold the same value: floats bit for bit, literals by value with their layouts.
template <typename T>
bool FieldsEqual(const T& a, const T& b) {
  return a == b;
}
inline bool FieldsEqual(const float& a, const float& b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}
bool FieldsEqual(const std::shared_ptr<const Literal>& a, const std::shared_ptr<const Literal>& b);

// f(info, a's field, b's field) for every field of two structs of one type.
template <typename T, typename F>
void ForEachFieldPair(const T& a, const T& b, F&& f) {
  const char* const base_a = reinterpret_cast<const char*>(&a);
  const char* const base_b = reinterpret_cast<const char*>(&b);
  T::Fields(a, [&]<typename Field>(const FieldInfo& info, const Field& field) {
    const ptrdiff_t offset = reinterpret_cast<const char*>(&field) - base_a;
    f(info, field, *reinterpret_cast<const Field*>(base_b + offset));
  });
}

// f(info, field, the value that it has by default) for every field.
template <typename F>
void ForEachFieldWithDefault(const Attributes& attributes, F&& f) {
  attributes.Visit([&]<typename T>(const T& value) {
    static const T* const plain = new T();
    ForEachFieldPair(value, *plain, f);
  });
}

}  // namespace axle::hlo

#endif  // AXLE_HLO_FIELDS_H_
