// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "hlo/opcode.h"
#include "tools/docs_pages.h"
#include "tools/opcode_support.h"

namespace axle::tools {
namespace {

using hlo::ElementType;
using hlo::OpCategory;
using hlo::Opcode;
using TypeSet = std::set<ElementType>;

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

constexpr absl::string_view kIntroduction =
    R"(# HLO opcodes

Every opcode is read, printed, converted and verified. For which element types it runs is what tests
saw: each cell of opcode × element type × backend is a small program that is compiled, run and held
against known results (`tests/opcodes`).

- **types**: the element types that the verifier takes; `–` where the program has no free type.
- **a backend**: `all` of those types run and give right results; or which do, and which are refused
  with what error, see [errors.md](errors.md).
- `null` returns zeros for whatever compiles. `xla-cpu` is XLA:CPU behind PJRT API 0.115; other
  plugins are not in the table.
- `ints`, `floats` and `complex` are all types of the kind that the opcode takes.

)";

// "s4 s8", or "–" for a program without a free type.
std::string AcceptedText(const TypeSet& accepted) {
  return accepted.contains(ElementType::kInvalid) ? "–" : TypesText(accepted, ArrayTypes());
}

TypeSet Without(const TypeSet& all, const TypeSet& some) {
  TypeSet rest;
  for (const ElementType type : all) {
    if (!some.contains(type)) rest.insert(type);
  }
  return rest;
}

// Types that a backend runs no opcode with: said once, not in every row.
TypeSet NeverRun(const OpcodeSupport& support, absl::string_view backend) {
  TypeSet never = ArrayTypes();
  for (int i = 0; i < hlo::OpcodeCount(); ++i) {
    for (const auto& [type, outcome] : *support.Find(static_cast<Opcode>(i), backend)) {
      if (outcome == kSupportOk) never.erase(type);
    }
  }
  return never;
}

// "all", "AX0800", "all but complex (AX0721), s4 (AX0707)", or "f32 f64; the rest AX0721".
std::string BackendText(const OpcodeOutcomes& outcomes, const TypeSet& types) {
  std::map<std::string, TypeSet> types_of;
  for (const ElementType type : types) types_of[outcomes.at(type)].insert(type);
  if (types_of.size() == 1) {
    const std::string& only = types_of.begin()->first;
    return only == kSupportOk ? "all" : only;
  }
  const TypeSet run = types_of[std::string(kSupportOk)];
  types_of.erase(std::string(kSupportOk));
  if (types_of.size() == 1 && run.size() * 2 < types.size()) {
    return absl::StrCat(TypesText(run, types), "; the rest ", types_of.begin()->first);
  }
  std::vector<std::string> refused;
  for (const auto& [outcome, some] : types_of) {
    refused.push_back(absl::StrCat(TypesText(some, types), " (", outcome, ")"));
  }
  return absl::StrCat("all but ", absl::StrJoin(refused, ", "));
}

std::string OperandCount(const hlo::OpcodeInfo& info) {
  if (info.max_operands == info.min_operands) return absl::StrCat(info.min_operands);
  return absl::StrCat(info.min_operands, "…",
                      info.max_operands == hlo::kVariadic ? "" : absl::StrCat(info.max_operands));
}

std::string OpcodeRow(Opcode opcode, const OpcodeSupport& support,
                      absl::Span<const TypeSet> never_run) {
  const hlo::OpcodeInfo& info = hlo::Info(opcode);
  const TypeSet accepted = AcceptedTypes(*support.Find(opcode, kSupportBackends[0]));
  std::string row = absl::StrCat("| `", info.name, "` | ", OperandCount(info), " | ",
                                 AcceptedText(accepted), " |");
  for (size_t b = 0; b < std::size(kSupportBackends); ++b) {
    absl::StrAppend(
        &row, " ",
        BackendText(*support.Find(opcode, kSupportBackends[b]), Without(accepted, never_run[b])),
        " |");
  }
  absl::StrAppend(&row, " ", absl::StrReplaceAll(info.doc, {{"|", "\\|"}}), " |\n");
  return row;
}

// Every type's name, and which no row has.
std::string TypesParagraph(absl::Span<const TypeSet> never_run) {
  std::vector<absl::string_view> names;
  for (const ElementType type : ArrayTypes()) names.push_back(hlo::Name(type));
  std::string text =
      absl::StrCat("The ", names.size(), " element types are ", absl::StrJoin(names, " "), ".\n");
  for (size_t b = 0; b < std::size(kSupportBackends); ++b) {
    if (never_run[b].empty()) continue;
    absl::StrAppend(&text, "\n`", kSupportBackends[b], "` refuses every program with ",
                    TypesText(never_run[b], ArrayTypes()),
                    "; its column leaves these types out.\n");
  }
  return text;
}

}  // namespace

absl::StatusOr<std::string> OpcodesPage(const OpcodeSupport& support) {
  if (const absl::Status status = support.CheckComplete(); !status.ok()) return status;
  std::vector<TypeSet> never_run;
  for (const absl::string_view backend : kSupportBackends) {
    never_run.push_back(NeverRun(support, backend));
  }
  std::string page = absl::StrCat(kIntroduction, TypesParagraph(never_run),
                                  "\nMade by `axle docs opcodes tests/data/opcode_support.txt`; do "
                                  "not edit.\n");
  for (const auto& section : kSections) {
    absl::StrAppend(&page, "\n## ", section.title, "\n\n| opcode | operands | types |");
    for (const absl::string_view backend : kSupportBackends) {
      absl::StrAppend(&page, " `", backend, "` |");
    }
    absl::StrAppend(&page, " what it computes |\n|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < hlo::OpcodeCount(); ++i) {
      const Opcode opcode = static_cast<Opcode>(i);
      if (hlo::Info(opcode).category == section.category)
        page += OpcodeRow(opcode, support, never_run);
    }
  }
  return page;
}

}  // namespace axle::tools
