// SPDX-License-Identifier: Apache-2.0
// For tests of shape rules: shapes and signatures from text, and one instruction on its own.
#ifndef AXLE_HLO_OPS_RULE_TESTING_H_
#define AXLE_HLO_OPS_RULE_TESTING_H_

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/assert.h"
#include "base/error.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

// Splits at commas outside of brackets.
inline std::vector<absl::string_view> SplitTopLevel(absl::string_view text) {
  std::vector<absl::string_view> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (text[i] != ',' || depth > 0) continue;
    parts.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  if (!absl::StripAsciiWhitespace(text.substr(start)).empty()) parts.push_back(text.substr(start));
  return parts;
}

// "f32[2,<=3,?]", "(s32[], token[])", "b(f32[])"; "" is the invalid shape.
inline Shape S(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  if (text.empty()) return Shape();
  if (text.front() == '(') {
    std::vector<Shape> elements;
    for (absl::string_view part : SplitTopLevel(text.substr(1, text.size() - 2))) {
      elements.push_back(S(part));
    }
    return Shape::Tuple(std::move(elements));
  }
  if (absl::ConsumePrefix(&text, "b(")) return Shape::Buffer(S(text.substr(0, text.size() - 1)));
  const size_t open = text.find('[');
  const ElementType type = ElementTypeFromName(text.substr(0, open)).value();
  if (type == ElementType::kToken) return Shape::Token();
  if (type == ElementType::kOpaque) return Shape::Opaque();
  absl::InlinedVector<int64_t, 4> sizes;
  absl::InlinedVector<bool, 4> dynamic;
  for (absl::string_view size : SplitTopLevel(text.substr(open + 1, text.size() - open - 2))) {
    dynamic.push_back(absl::ConsumePrefix(&size, "<=") || size == "?");
    sizes.push_back(0);
    if (size == "?") sizes.back() = Shape::kUnbounded;
    if (size != "?") AXLE_ASSERT(absl::SimpleAtoi(size, &sizes.back()));
  }
  return Shape::Array(type, sizes, dynamic);
}

// "(f32[2], s32[]) -> f32[]".
inline ProgramShape Signature(absl::string_view text) {
  const size_t arrow = text.rfind("->");
  const Shape parameters = S(text.substr(0, arrow));
  ProgramShape shape;
  shape.parameters.assign(parameters.tuple_shapes().begin(), parameters.tuple_shapes().end());
  shape.result = S(text.substr(arrow + 2));
  return shape;
}

// One instruction; what is not given is as a builder leaves it.
struct RuleCase {
  Opcode opcode;
  std::vector<std::string> operands = {};
  std::string declared = "";
  Attributes attributes = {};
  std::vector<std::string> called = {};
};

// Calls f(context) for the instruction, named %x.
template <typename F>
auto WithContext(const RuleCase& rule_case, F&& f) {
  Instruction instruction;
  instruction.opcode = rule_case.opcode;
  instruction.name = "x";
  instruction.shape = S(rule_case.declared);
  instruction.attributes = rule_case.attributes.family() == AttributeFamily::kNone
                               ? Attributes::Default(Info(rule_case.opcode).attributes)
                               : rule_case.attributes;
  std::vector<Shape> operands;
  for (const std::string& operand : rule_case.operands) operands.push_back(S(operand));
  std::vector<ProgramShape> signatures;
  for (const std::string& called : rule_case.called) signatures.push_back(Signature(called));
  std::vector<const ProgramShape*> called;
  for (const ProgramShape& signature : signatures) called.push_back(&signature);
  return f(RuleContext{instruction, operands, called});
}

// The text of the shape that InferShape gives, or the id of its error: "f32[2]", "AX0321". A
// declared shape that does not agree with the inferred one counts as an error, AX0325.
inline std::string Infer(const RuleCase& rule_case) {
  return WithContext(rule_case, [](const RuleContext& context) {
    const absl::StatusOr<Shape> shape = InferShape(context);
    if (!shape.ok()) return ErrorIdOf(shape.status());
    const absl::Status declared = CheckDeclaredShape(context, *shape);
    return declared.ok() ? shape->ToString() : ErrorIdOf(declared);
  });
}

// The message of the error.
inline std::string InferError(const RuleCase& rule_case) {
  return WithContext(rule_case, [](const RuleContext& context) {
    const absl::StatusOr<Shape> shape = InferShape(context);
    if (!shape.ok()) return std::string(shape.status().message());
    return std::string(CheckDeclaredShape(context, *shape).message());
  });
}

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_RULE_TESTING_H_
