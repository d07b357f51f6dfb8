// SPDX-License-Identifier: Apache-2.0
#include "xrt/call.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "xrt/errors.h"

namespace axle::xrt {
namespace {

using hlo::ElementType;

// How op_table.cc writes the types of attributes, in the order of the variant Attribute.
constexpr absl::string_view kAttributeTypes[] = {"int",       "bool",       "type",       "shape",
                                                 "list(int)", "list(type)", "list(shape)"};
static_assert(std::variant_size_v<Attribute> == std::size(kAttributeTypes));

template <typename... Parts>
absl::Status Fail(const ErrorDef& error, const OpDef& op, const Parts&... parts) {
  return MakeError(error, absl::StrCat(op.name, ": ", parts...));
}

// Of an attribute with one.
Attribute DefaultOf(const AttributeDef& def) {
  if (def.type == "bool") return def.default_value == "true";
  AXLE_ASSERT(def.type == "list(int)" && def.default_value == "[]");
  return std::vector<int64_t>();
}

// The input that stands for several tensors, if there is one.
const ArgumentDef* ListInput(const OpDef& op) {
  const auto found = std::find_if(op.inputs.begin(), op.inputs.end(),
                                  [](const ArgumentDef& input) { return !input.list.empty(); });
  return found == op.inputs.end() ? nullptr : &*found;
}

ElementType TypeOf(const Value& value) {
  const auto* literal = std::get_if<hlo::Literal>(&value);
  return literal == nullptr ? ElementType::kInvalid : literal->shape().element_type();
}

// What the inputs say about the attribute that counts them or names their types.
Attribute Deduce(const AttributeDef& def, absl::Span<const Value> list) {
  if (def.type == "int") return static_cast<int64_t>(list.size());
  std::vector<ElementType> types;
  for (const Value& value : list) types.push_back(TypeOf(value));
  return types;
}

absl::Status CheckAttribute(const OpDef& op, const AttributeDef& def, const Attribute& value) {
  const absl::string_view given = kAttributeTypes[value.index()];
  if (given == def.type) return absl::OkStatus();
  return Fail(errors::kAttribute, op, "attribute ", def.name, " is of type ", given, ", expected ",
              def.type);
}

// The tensors of the list input.
absl::StatusOr<absl::Span<const Value>> ListOf(const OpDef& op, absl::Span<const Value> inputs) {
  const size_t single = op.inputs.size() - 1;
  if (inputs.size() < single) {
    return Fail(errors::kInputCount, op, inputs.size(), " input tensors, expected at least ",
                single);
  }
  const size_t at = ListInput(op) - op.inputs.data();
  return inputs.subspan(at, inputs.size() - single);
}

absl::StatusOr<size_t> ListSize(const OpDef& op, const ArgumentDef& list,
                                const Attributes& attributes) {
  const Attribute& value = attributes.find(list.list)->second;
  if (const auto* types = std::get_if<std::vector<ElementType>>(&value)) return types->size();
  const int64_t count = std::get<int64_t>(value);
  if (count < 0) return Fail(errors::kAttribute, op, "attribute ", list.list, " is ", count);
  return static_cast<size_t>(count);
}

absl::string_view TypeName(ArgumentType type) {
  switch (type) {
    case ArgumentType::kHandle:
    case ArgumentType::kInt64:
      return "int64";
    case ArgumentType::kInt32:
      return "int32";
    case ArgumentType::kString:
      return "string";
    case ArgumentType::kAny:
      return "an array";
  }
  return "";
}

bool HasType(const Value& value, ArgumentType type) {
  const auto* literal = std::get_if<hlo::Literal>(&value);
  if (literal == nullptr) return type == ArgumentType::kString;
  switch (type) {
    case ArgumentType::kHandle:
    case ArgumentType::kInt64:
      return literal->shape().element_type() == ElementType::kS64;
    case ArgumentType::kInt32:
      return literal->shape().element_type() == ElementType::kS32;
    case ArgumentType::kAny:
      return literal->shape().IsArray();
    case ArgumentType::kString:
      break;
  }
  return false;
}

absl::Span<const int64_t> DimensionsOf(const Value& value) {
  if (const auto* strings = std::get_if<Strings>(&value)) return strings->dimensions;
  return std::get<hlo::Literal>(value).shape().dimensions();
}

bool HasRank(size_t rank, ArgumentRank expected) {
  switch (expected) {
    case ArgumentRank::kScalar:
      return rank == 0;
    case ArgumentRank::kVector:
      return rank == 1;
    case ArgumentRank::kScalarOrVector:
      return rank <= 1;
    case ArgumentRank::kAny:
      return true;
  }
  return false;
}

absl::string_view RankName(ArgumentRank rank) {
  switch (rank) {
    case ArgumentRank::kScalar:
      return "a scalar";
    case ArgumentRank::kVector:
      return "a vector";
    case ArgumentRank::kScalarOrVector:
      return "a scalar or a vector";
    case ArgumentRank::kAny:
      return "any rank";
  }
  return "";
}

// As many strings as the dimensions say?
bool IsComplete(const Strings& strings) {
  uint64_t count = 1;
  for (const int64_t dimension : strings.dimensions) {
    if (dimension < 0) return false;
    if (dimension > 0 && count > std::numeric_limits<int64_t>::max() / uint64_t(dimension)) {
      return false;
    }
    count *= static_cast<uint64_t>(dimension);
  }
  return count == strings.values.size();
}

absl::Status CheckTensor(const OpDef& op, const ArgumentDef& def, const Value& value) {
  if (!HasType(value, def.type)) {
    const absl::string_view given = std::holds_alternative<Strings>(value)
                                        ? absl::string_view("string")
                                        : hlo::Name(TypeOf(value));
    return Fail(errors::kInputType, op, "input ", def.name, " is ", given, ", expected ",
                TypeName(def.type));
  }
  const size_t rank = DimensionsOf(value).size();
  if (!HasRank(rank, def.rank)) {
    return Fail(errors::kInputRank, op, "input ", def.name, " has ", rank, " dimensions, expected ",
                RankName(def.rank));
  }
  const auto* strings = std::get_if<Strings>(&value);
  if (strings != nullptr && !IsComplete(*strings)) {
    return Fail(errors::kInputRank, op, "input ", def.name, " has ", strings->values.size(),
                " strings, other than its dimensions say");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Attributes> CompleteAttributes(const OpDef& op, const Attributes& given,
                                              absl::Span<const Value> inputs) {
  Attributes complete;
  for (const AttributeDef& def : op.attributes) {
    const auto found = given.find(def.name);
    if (found != given.end()) {
      AXLE_RETURN_IF_ERROR(CheckAttribute(op, def, found->second));
      complete.emplace(std::string(def.name), found->second);
      continue;
    }
    const ArgumentDef* const list = ListInput(op);
    if (list != nullptr && list->list == def.name) {
      AXLE_ASSIGN_OR_RETURN(const absl::Span<const Value> tensors, ListOf(op, inputs));
      complete.emplace(std::string(def.name), Deduce(def, tensors));
    } else if (!def.default_value.empty()) {
      complete.emplace(std::string(def.name), DefaultOf(def));
    } else {
      return Fail(errors::kAttribute, op, "attribute ", def.name, " is missing");
    }
  }
  for (const auto& [name, value] : given) {
    if (complete.contains(name)) continue;
    return Fail(errors::kAttribute, op, "there is no attribute ", name);
  }
  return complete;
}

absl::Status CheckInputs(const OpDef& op, const Attributes& attributes,
                         absl::Span<const Value> inputs) {
  const ArgumentDef* const list = ListInput(op);
  size_t expected = op.inputs.size();
  if (list != nullptr) {
    AXLE_ASSIGN_OR_RETURN(const size_t size, ListSize(op, *list, attributes));
    expected += size - 1;
  }
  if (inputs.size() != expected) {
    return Fail(errors::kInputCount, op, inputs.size(), " input tensors, expected ", expected);
  }
  size_t at = 0;
  for (const ArgumentDef& def : op.inputs) {
    const size_t end = &def == list ? inputs.size() - (op.inputs.end() - &def - 1) : at + 1;
    for (; at < end; ++at) AXLE_RETURN_IF_ERROR(CheckTensor(op, def, inputs[at]));
  }
  if (list == nullptr || list->type != ArgumentType::kAny) return absl::OkStatus();
  const auto& types = std::get<std::vector<ElementType>>(attributes.find(list->list)->second);
  for (size_t i = 0; i < types.size(); ++i) {
    const ElementType given = TypeOf(inputs[list - op.inputs.data() + i]);
    if (given == types[i]) continue;
    return Fail(errors::kInputType, op, "tensor ", i, " of ", list->name, " is ", hlo::Name(given),
                ", ", list->list, " says ", hlo::Name(types[i]));
  }
  return absl::OkStatus();
}

}  // namespace axle::xrt
