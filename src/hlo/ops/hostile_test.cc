// SPDX-License-Identifier: Apache-2.0
// Every rule takes any operands and attributes: it answers a shape or an error, whatever it is
// given. What goes wrong here are assertions, and overflows where a sanitizer looks.
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "hlo/ops/rule_testing.h"

namespace axle::hlo {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// Puts `value` wherever a struct of attributes has a number, and lists of `count` of them.
struct Spoil {
  int64_t value;
  size_t count;

  template <typename T>
  void operator()(const FieldInfo&, T& field) const {
    Set(field);
  }
  void Set(int64_t& field) const { field = value; }
  void Set(std::vector<int64_t>& field) const { field.assign(count, value); }
  void Set(std::vector<std::vector<int64_t>>& field) const {
    field.assign(count, std::vector<int64_t>(count, value));
  }
  void Set(WindowConfig& field) const {
    field.dimensions.assign(count, {value, value, value, value, value, value});
  }
  void Set(PaddingConfig& field) const { field.dimensions.assign(count, {value, value, value}); }
  void Set(SliceConfig& field) const { field.dimensions.assign(count, {value, value, value}); }
  void Set(ConvolutionDimensions& field) const {
    const std::vector<int64_t> list(count, value);
    field = {value, value, list, value, value, list, value, value, list};
  }
  void Set(ReplicaGroups& field) const { field.groups.assign(count, {value}); }
  void Set(SourceTargetPairs& field) const { field.pairs.assign(count, {value, value}); }
  void Set(OutputOperandAliases& field) const { field.assign(count, {{value}, value, {value}}); }
  template <typename T>
  void Set(std::optional<T>& field) const {
    Set(field.emplace());
  }
  template <typename T>
  void Set(T&) const {}  // enumerations, flags, texts, shapes
};

Attributes Spoiled(AttributeFamily family, int64_t value, size_t count) {
  Attributes attributes = Attributes::Default(family);
  attributes.Visit(
      [&](auto& fields) { std::decay_t<decltype(fields)>::Fields(fields, Spoil{value, count}); });
  return attributes;
}

std::string OfRank64() {
  std::string text = "f32[1";
  for (int i = 1; i < 64; ++i) text += ",1";
  return text + "]";
}

// Operands in turn from one of these lists.
const std::vector<std::vector<std::string>>& OperandLists() {
  static const auto* const lists = new std::vector<std::vector<std::string>>{
      {"f32[]"},
      {"f32[2,3]"},
      {"f32[2,3]", "f32[]"},
      {"f32[2,3]", "s32[2]", "f32[2,3]"},
      {"c64[4,4]"},
      {"u64[2]", "s32[]"},
      {"f32[4611686018427387904]"},
      {"f32[9223372036854775807,0]", "s32[1]"},
      {"f32[?,<=3]"},
      {OfRank64()},
      {"(f32[2], token[])"},
      {"()"},
      {"token[]"},
      {"opaque[]"},
  };
  return *lists;
}

size_t CallCount(Calls calls) {
  switch (calls) {
    case Calls::kNone:
      return 0;
    case Calls::kToApply:
    case Calls::kOptionalToApply:
    case Calls::kCalls:
    case Calls::kOptionalCalls:
    case Calls::kAnyNumber:
      return 1;
    case Calls::kSelectScatter:
    case Calls::kBodyCondition:
    case Calls::kBranches:
      return 2;
  }
  return 0;
}

TEST(HostileTest, EveryRuleAnswers) {
  for (int i = 0; i < OpcodeCount(); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const OpcodeInfo& info = Info(opcode);
    SCOPED_TRACE(info.name);
    RuleCase rule_case{opcode};
    for (const std::vector<std::string>& list : OperandLists()) {
      const int most = info.max_operands == kVariadic ? info.min_operands + 3 : info.max_operands;
      for (int operands = info.min_operands; operands <= most; ++operands) {
        rule_case.operands.clear();
        for (int k = 0; k < operands; ++k) rule_case.operands.push_back(list[k % list.size()]);
        for (const char* called : {"(f32[], f32[]) -> f32[]", "() -> ()"}) {
          rule_case.called.assign(CallCount(info.calls), called);
          for (const std::string& declared : {std::string(), list[0]}) {
            rule_case.declared = declared;
            for (const int64_t value : {kMin, int64_t{-1}, int64_t{0}, int64_t{1}, kMax}) {
              for (const size_t count : {0, 1, 2, 65}) {
                rule_case.attributes = Spoiled(info.attributes, value, count);
                EXPECT_NE(Infer(rule_case), "");
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace axle::hlo
