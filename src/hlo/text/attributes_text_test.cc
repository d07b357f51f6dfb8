// SPDX-License-Identifier: Apache-2.0
// The descriptions of attribute families against their text: every field of every opcode, set to a
// value of its own, is printed, reads back the same, and is not printed when it is not set.
#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hlo/compare.h"
#include "hlo/fields.h"
#include "hlo/text/attribute_keys.h"
#include "hlo/text/parser.h"
#include "hlo/text/printer.h"

namespace axle::hlo {
namespace {

// A value unlike the default, one overload a type.
void Sample(bool& value) { value = !value; }
void Sample(int64_t& value) { value += 7; }
void Sample(float& value) { value = 0.001f; }
void Sample(std::string& value) { value = "a \"b\" \n{c}"; }
void Sample(std::vector<int64_t>& value) { value = {3, -1, 2}; }
void Sample(std::vector<bool>& value) { value = {true, false, true}; }
void Sample(std::vector<std::vector<int64_t>>& value) { value = {{1, 2}, {}, {3}}; }
void Sample(Shape& value) {
  value = Shape::Tuple({Shape::Scalar(ElementType::kS32),
                        Shape::Array(ElementType::kF32, {2, 3}).WithLayout(Layout::RowMajor(2))});
}
void Sample(std::vector<Shape>& value) { Sample(value.emplace_back()); }
void Sample(std::shared_ptr<const Literal>& value) {
  const int32_t numbers[] = {1, -2};
  value = std::make_shared<const Literal>(Literal::Vector<int32_t>(numbers));
}
void Sample(OperandPrecision& value) { value.values = {Precision::kHighest, Precision::kDefault}; }
void Sample(ResultAccuracy& value) { value.tolerance = {0.5, 1e-7, 3}; }
void Sample(WindowConfig& value) { value.dimensions = {{3, 2, 1, -1, 2, 4, true}, {}}; }
void Sample(PaddingConfig& value) { value.dimensions = {{1, -2, 3}, {}}; }
void Sample(SliceConfig& value) { value.dimensions = {{1, 9, 2}, {0, 4, 1}}; }
void Sample(ConvolutionDimensions& value) { value = {0, 3, {1, 2}, 2, 3, {0, 1}, 3, 0, {1, 2}}; }
void Sample(ReplicaGroups& value) {
  value.kind = ReplicaGroups::Kind::kIota;
  value.group_count = 2;
  value.group_size = 4;
  value.reshape_dims = {4, 2};
  value.transpose_perm = {1, 0};
}
void Sample(SourceTargetPairs& value) { value.pairs = {{0, 1}, {1, 0}}; }
void Sample(OutputOperandAliases& value) { value = {{{1}, 0, {}}, {{}, 2, {0, 1}}}; }
void Sample(DomainShardings& value) {
  value.entry.emplace().type = Sharding::Type::kReplicated;
  Sharding& exit = value.exit.emplace();
  exit.type = Sharding::Type::kMaximal;
  exit.devices = {1};
}
template <typename E>
  requires std::is_enum_v<E>
void Sample(E& value) {
  value = static_cast<E>(EnumNames<E>::values.size() - 1);
}
template <typename T>
void Sample(std::optional<T>& value) {
  Sample(value.emplace());
}

constexpr int kNone = -1;

// Whether an instruction of the opcode always has the field.
bool IsAlwaysThere(Opcode opcode, const FieldInfo& info) {
  return info.print == FieldPrint::kAlways || text::IsRequiredKey(opcode, info.key);
}

// Sets the fields that are always there, and field `index`.
void SetFields(Opcode opcode, Attributes& attributes, int index) {
  attributes.Visit([&](auto& family) {
    int i = 0;
    family.Fields(family, [&](const FieldInfo& info, auto& field) {
      if (i++ == index || IsAlwaysThere(opcode, info)) Sample(field);
    });
  });
}

std::vector<FieldInfo> FieldsOf(Opcode opcode) {
  std::vector<FieldInfo> fields;
  Attributes::Default(Info(opcode).attributes).Visit([&](auto& family) {
    family.Fields(family, [&](const FieldInfo& info, const auto&) { fields.push_back(info); });
  });
  return fields;
}

Instruction Parameter(int64_t number, Shape shape) {
  Instruction parameter;
  parameter.opcode = Opcode::kParameter;
  parameter.name = absl::StrCat("p", number);
  parameter.shape = std::move(shape);
  parameter.attributes = Attributes::Default(AttributeFamily::kParameter);
  parameter.As<ParameterAttributes>().number = number;
  return parameter;
}

Computation Callee(absl::string_view name) {
  Computation callee;
  callee.name = std::string(name);
  callee.Add(Parameter(0, Shape::Scalar(ElementType::kF32)));
  return callee;
}

// A module whose entry's root has the opcode, with field `index` set.
Module ModuleWith(Opcode opcode, int index) {
  Module module;
  module.name = "m";
  module.computations.push_back(Callee("f"));
  module.computations.push_back(Callee("g"));
  module.computations.emplace_back();
  module.entry = 2;
  Computation& entry = module.entry_computation();
  entry.name = "main";
  Instruction root;
  root.opcode = opcode;
  root.name = "root";
  root.shape = Shape::Array(ElementType::kS32, {2});
  root.attributes = Attributes::Default(Info(opcode).attributes);
  SetFields(opcode, root.attributes, index);
  for (int i = 0; i < Info(opcode).min_operands; ++i) {
    entry.Add(Parameter(i, Shape::Array(ElementType::kF32, {2})));
    root.operands.push_back(i);
  }
  const int calls = text::RequiredCalls(Info(opcode).calls);
  for (int i = 0; i < calls; ++i) root.called.push_back(i);
  if (opcode == Opcode::kFusion) module.computations[0].is_fusion = true;
  entry.root = entry.instructions.size();
  entry.Add(std::move(root));
  return module;
}

bool Prints(const std::string& text, absl::string_view key) {
  return text.find(absl::StrCat(", ", key, "=")) != std::string::npos;
}

void ExpectRoundTrip(const Module& module, const std::string& text) {
  const absl::StatusOr<Module> again = ParseModule(text);
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << text;
  EXPECT_EQ(FirstDifference(module, *again), "") << text;
  EXPECT_TRUE(Equivalent(module, *again)) << text;
  EXPECT_EQ(EquivalenceHash(module), EquivalenceHash(*again)) << text;
}

TEST(AttributesTextTest, EveryFieldOfEveryOpcodeReadsBack) {
  for (int i = 0; i < OpcodeCount(); ++i) {
    const Opcode opcode = static_cast<Opcode>(i);
    SCOPED_TRACE(Name(opcode));
    const Module base = ModuleWith(opcode, kNone);
    const std::string base_text = PrintModule(base);
    ExpectRoundTrip(base, base_text);
    const std::vector<FieldInfo> fields = FieldsOf(opcode);
    for (int field = 0; field < fields.size(); ++field) {
      const FieldInfo& info = fields[field];
      SCOPED_TRACE(info.key);
      const Module module = ModuleWith(opcode, field);
      const std::string text = PrintModule(module);
      ExpectRoundTrip(module, text);
      if (info.print == FieldPrint::kPositional) continue;
      EXPECT_TRUE(Prints(text, info.key)) << text;
      EXPECT_EQ(Prints(base_text, info.key), IsAlwaysThere(opcode, info)) << base_text;
      if (IsAlwaysThere(opcode, info)) continue;
      EXPECT_FALSE(Identical(base, module));
      EXPECT_EQ(Equivalent(base, module), !info.semantic);
    }
  }
}

TEST(AttributesTextTest, KeysAreUniqueInAFamily) {
  for (int i = 0; i < OpcodeCount(); ++i) {
    std::vector<std::string> keys;
    for (const FieldInfo& info : FieldsOf(static_cast<Opcode>(i))) keys.emplace_back(info.key);
    for (const text::CallSlot& slot : text::CallSlots(Info(static_cast<Opcode>(i)).calls)) {
      keys.emplace_back(slot.key);
    }
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end()) << Name(Opcode(i));
  }
}

}  // namespace
}  // namespace axle::hlo
