// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/attribute_keys.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "hlo/attributes.h"

namespace axle::hlo::text {
namespace {

constexpr CallSlot kToApplySlots[] = {{"to_apply", 0}};
constexpr CallSlot kCallsSlots[] = {{"calls", 0}};
constexpr CallSlot kSelectScatterSlots[] = {{"select", 0}, {"scatter", 1}};
constexpr CallSlot kBodyConditionSlots[] = {{"body", 0}, {"condition", 1}};
constexpr CallSlot kBranchSlots[] = {
    {"true_computation", 0}, {"false_computation", 1}, {"branch_computations", 0, true}};
constexpr CallSlot kAnyNumberSlots[] = {{"called_computations", 0, true}, {"to_apply", 0}};

constexpr Calls kAllCalls[] = {
    Calls::kNone,          Calls::kToApply,       Calls::kOptionalToApply,
    Calls::kCalls,         Calls::kOptionalCalls, Calls::kSelectScatter,
    Calls::kBodyCondition, Calls::kBranches,      Calls::kAnyNumber};

// Keys of any instruction, and of any async operation, that no family lists.
constexpr absl::string_view kCommonKeys[] = {
    "sharding", "frontend_attributes", "control-predecessors", "metadata", "backend_config",
    "origin",   "statistics"};

template <typename F>
void ForEachFieldKey(AttributeFamily family, F&& f) {
  Attributes::Default(family).Visit([&](auto& fields) {
    fields.Fields(fields, [&](const FieldInfo& info, const auto&) {
      if (!info.key.empty()) f(info.key);
    });
  });
}

absl::flat_hash_set<absl::string_view> CollectKeys() {
  absl::flat_hash_set<absl::string_view> keys(std::begin(kCommonKeys), std::end(kCommonKeys));
  for (const Calls calls : kAllCalls) {
    for (const CallSlot& slot : CallSlots(calls)) keys.insert(slot.key);
  }
  const auto insert = [&](absl::string_view key) { keys.insert(key); };
#define AXLE_FAMILY(name) ForEachFieldKey(AttributeFamily::k##name, insert);
  AXLE_ATTRIBUTE_FAMILIES(AXLE_FAMILY)
#undef AXLE_FAMILY
  return keys;
}

}  // namespace

absl::Span<const CallSlot> CallSlots(Calls calls) {
  switch (calls) {
    case Calls::kNone:
      return {};
    case Calls::kToApply:
    case Calls::kOptionalToApply:
      return kToApplySlots;
    case Calls::kCalls:
    case Calls::kOptionalCalls:
      return kCallsSlots;
    case Calls::kSelectScatter:
      return kSelectScatterSlots;
    case Calls::kBodyCondition:
      return kBodyConditionSlots;
    case Calls::kBranches:
      return kBranchSlots;
    case Calls::kAnyNumber:
      return kAnyNumberSlots;
  }
  return {};
}

int RequiredCalls(Calls calls) {
  switch (calls) {
    case Calls::kNone:
    case Calls::kOptionalToApply:
    case Calls::kOptionalCalls:
    case Calls::kAnyNumber:
      return -1;
    case Calls::kToApply:
    case Calls::kCalls:
    case Calls::kBranches:
      return 1;
    case Calls::kSelectScatter:
    case Calls::kBodyCondition:
      return 2;
  }
  return -1;
}

bool IsKnownKey(absl::string_view key) {
  static const auto* const keys = new absl::flat_hash_set<absl::string_view>(CollectKeys());
  return keys->contains(key);
}

bool IsOptionalKey(Opcode opcode, absl::string_view key) {
  if (key == "replica_groups") return true;
  if (opcode == Opcode::kDot || opcode == Opcode::kScaledDot) return true;  // an outer product
  if (opcode == Opcode::kRaggedDot) return key == "lhs_ragged_dims";
  if (opcode == Opcode::kTopK) return key == "largest";
  return opcode == Opcode::kMap;
}

bool IsRequiredKey(Opcode opcode, absl::string_view key) {
  if (opcode == Opcode::kDomain) return key == "domain";
  const bool has_dimension = opcode == Opcode::kAllGather || opcode == Opcode::kAllGatherStart ||
                             opcode == Opcode::kReduceScatter;
  return has_dimension && key == "dimensions";
}

bool IsIgnoredKey(Opcode opcode, absl::string_view key) {
  if (opcode == Opcode::kReshape) return key == "inferred_dimension";
  const bool reduces = opcode == Opcode::kAllReduce || opcode == Opcode::kAllReduceStart ||
                       opcode == Opcode::kReduceScatter;
  return reduces && key == "mode";
}

std::string KeysOf(Opcode opcode) {
  std::string keys;
  const auto add = [&](absl::string_view key) {
    absl::StrAppend(&keys, keys.empty() ? "" : ", ", key);
  };
  ForEachFieldKey(Info(opcode).attributes, add);
  for (const CallSlot& slot : CallSlots(Info(opcode).calls)) add(slot.key);
  return keys.empty() ? "none of its own" : keys;
}

}  // namespace axle::hlo::text
