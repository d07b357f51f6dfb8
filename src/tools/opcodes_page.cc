// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "eval/evaluator.h"
#include "hlo/element_type.h"
#include "hlo/opcode.h"
#include "tools/docs_pages.h"

namespace axle::tools {
namespace {

using hlo::ElementType;
using hlo::OpCategory;
using hlo::Opcode;

constexpr struct {
  OpCategory category;
  absl::string_view title;
} kSections[] = {
    {OpCategory::kUnary, "Elementwise, one operand"},
    {OpCategory::kBinary, "Elementwise, two operands"},
    {OpCategory::kTernary, "Elementwise, three operands"},
    {OpCategory::kData, "Shapes and data movement"},
    {OpCategory::kLinearAlgebra, "Linear algebra"},
    {OpCategory::kReduction, "Reductions"},
    {OpCategory::kControl, "Control flow and calls"},
    {OpCategory::kRandom, "Random numbers"},
    {OpCategory::kCollective, "Devices, hosts and each other"},
};

constexpr struct {
  absl::string_view title;
  bool (*contains)(ElementType type);
} kClasses[] = {
    {"pred", hlo::IsPred},
    {"integers", hlo::IsIntegral},
    {"floats", hlo::IsFloat},
    {"complex", hlo::IsComplex},
};

// "all", "none", or the shorter of "f32 f64" and "all but f32 f64".
std::string SupportedTypes(Opcode opcode, bool (*contains)(ElementType)) {
  std::vector<absl::string_view> with, without;
  for (int i = 0; i < hlo::kElementTypeCount; ++i) {
    const ElementType type = static_cast<ElementType>(i);
    if (!hlo::IsArrayType(type) || !contains(type)) continue;
    (eval::Supports(opcode, type) ? with : without).push_back(hlo::Name(type));
  }
  if (without.empty()) return "all";
  if (with.empty()) return "none";
  if (with.size() <= without.size()) return absl::StrJoin(with, " ");
  return absl::StrCat("all but ", absl::StrJoin(without, " "));
}

std::string OperandCount(const hlo::OpcodeInfo& info) {
  if (info.max_operands == info.min_operands) return absl::StrCat(info.min_operands);
  return absl::StrCat(info.min_operands, "…",
                      info.max_operands == hlo::kVariadic ? "" : absl::StrCat(info.max_operands));
}

}  // namespace

std::string OpcodesPage() {
  std::string page =
      "# HLO opcodes\n"
      "\n"
      "Every opcode is read, printed, converted and verified. The columns behind the operands "
      "tell\n"
      "for which element types of the operands (of the result, where there are none) the backend\n"
      "`reference` runs it. The backend `null` takes all; what a PJRT plugin takes is its own\n"
      "matter.\n"
      "\n"
      "Made by `axle docs opcodes` from the tables in the sources; do not edit.\n";
  for (const auto& section : kSections) {
    absl::StrAppend(&page, "\n## ", section.title, "\n\n| opcode | operands |");
    for (const auto& types : kClasses) absl::StrAppend(&page, " ", types.title, " |");
    absl::StrAppend(&page, " what it computes |\n|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < hlo::OpcodeCount(); ++i) {
      const Opcode opcode = static_cast<Opcode>(i);
      const hlo::OpcodeInfo& info = hlo::Info(opcode);
      if (info.category != section.category) continue;
      absl::StrAppend(&page, "| `", info.name, "` | ", OperandCount(info), " |");
      for (const auto& types : kClasses) {
        absl::StrAppend(&page, " ", SupportedTypes(opcode, types.contains), " |");
      }
      absl::StrAppend(&page, " ", absl::StrReplaceAll(info.doc, {{"|", "\\|"}}), " |\n");
    }
  }
  return page;
}

}  // namespace axle::tools
