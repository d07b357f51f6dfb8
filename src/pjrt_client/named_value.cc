// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/named_value.h"

#include <cstring>
#include <utility>

namespace axle::pjrt_client {
namespace {

PJRT_NamedValue ToPjrt(const NamedValue& from) {
  PJRT_NamedValue to;
  std::memset(static_cast<void*>(&to), 0, sizeof(to));
  // Elements of an array: the exact size, no tail.
  to.struct_size = sizeof(to);
  to.name = from.name.data();
  to.name_size = from.name.size();
  to.value_size = 1;
  if (const auto* text = std::get_if<std::string>(&from.value)) {
    to.type = PJRT_NamedValue_kString;
    to.string_value = text->data();
    to.value_size = text->size();
  } else if (const auto* integer = std::get_if<int64_t>(&from.value)) {
    to.type = PJRT_NamedValue_kInt64;
    to.int64_value = *integer;
  } else if (const auto* list = std::get_if<std::vector<int64_t>>(&from.value)) {
    to.type = PJRT_NamedValue_kInt64List;
    to.int64_array_value = list->data();
    to.value_size = list->size();
  } else if (const auto* number = std::get_if<float>(&from.value)) {
    to.type = PJRT_NamedValue_kFloat;
    to.float_value = *number;
  } else {
    to.type = PJRT_NamedValue_kBool;
    to.bool_value = std::get<bool>(from.value);
  }
  return to;
}

}  // namespace

std::vector<PJRT_NamedValue> ToPjrt(absl::Span<const NamedValue> values) {
  std::vector<PJRT_NamedValue> result;
  result.reserve(values.size());
  for (const NamedValue& value : values) result.push_back(ToPjrt(value));
  return result;
}

std::vector<NamedValue> FromPjrt(const PJRT_NamedValue* values, size_t count) {
  std::vector<NamedValue> result;
  // The stride of the array is the plugin's idea of the struct.
  const char* position = reinterpret_cast<const char*>(values);
  for (size_t i = 0; i < count; ++i) {
    const auto& from = *reinterpret_cast<const PJRT_NamedValue*>(position);
    const bool strided = from.struct_size > sizeof(PJRT_NamedValue) && from.struct_size % 8 == 0;
    position += strided ? from.struct_size : sizeof(PJRT_NamedValue);
    NamedValue to{std::string(from.name, from.name_size), false};
    switch (from.type) {
      case PJRT_NamedValue_kString:
        to.value = std::string(from.string_value, from.value_size);
        break;
      case PJRT_NamedValue_kInt64:
        to.value = from.int64_value;
        break;
      case PJRT_NamedValue_kInt64List:
        to.value =
            std::vector<int64_t>(from.int64_array_value, from.int64_array_value + from.value_size);
        break;
      case PJRT_NamedValue_kFloat:
        to.value = from.float_value;
        break;
      case PJRT_NamedValue_kBool:
        to.value = from.bool_value;
        break;
      default:  // A kind of the future; the enum comes from outside.
        continue;
    }
    result.push_back(std::move(to));
  }
  return result;
}

}  // namespace axle::pjrt_client
