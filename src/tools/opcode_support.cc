// SPDX-License-Identifier: Apache-2.0
#include "tools/opcode_support.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "tools/errors.h"

namespace axle::tools {
namespace {

using hlo::ElementType;
using hlo::Opcode;
using TypeSet = std::set<ElementType>;

constexpr absl::string_view kFixed = "fixed";

constexpr struct {
  absl::string_view name;
  bool (*contains)(ElementType type);
} kClasses[] = {{"ints", hlo::IsIntegral}, {"floats", hlo::IsFloat}, {"complex", hlo::IsComplex}};

TypeSet Without(const TypeSet& all, const TypeSet& some) {
  TypeSet rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

// Names of the types, or of a class where all its members within `all` are there.
std::string NamesText(TypeSet types, const TypeSet& all) {
  std::vector<absl::string_view> words;
  std::vector<absl::string_view> class_words;
  for (const auto& type_class : kClasses) {
    TypeSet members;
    std::copy_if(all.begin(), all.end(), std::inserter(members, members.end()),
                 type_class.contains);
    if (members.size() < 2 || !Without(members, types).empty()) continue;
    class_words.push_back(type_class.name);
    types = Without(types, members);
  }
  for (const ElementType type : types) words.push_back(hlo::Name(type));
  words.insert(words.end(), class_words.begin(), class_words.end());
  return absl::StrJoin(words, " ");
}

absl::Status BadTable(absl::string_view what) { return MakeError(errors::kSupportTable, what); }

// What NamesText wrote of all types.
absl::StatusOr<TypeSet> ParseNames(absl::Span<const absl::string_view> words) {
  TypeSet types;
  for (const absl::string_view word : words) {
    const auto type_class =
        std::find_if(std::begin(kClasses), std::end(kClasses),
                     [word](const auto& candidate) { return candidate.name == word; });
    if (type_class != std::end(kClasses)) {
      std::copy_if(ArrayTypes().begin(), ArrayTypes().end(), std::inserter(types, types.end()),
                   type_class->contains);
      continue;
    }
    const auto type = hlo::ElementTypeFromName(word);
    if (!type.has_value() || !hlo::IsArrayType(*type)) {
      return BadTable(absl::StrCat("no element type ", word));
    }
    types.insert(*type);
  }
  return types;
}

absl::StatusOr<TypeSet> ParseTypes(absl::string_view text) {
  if (text == kFixed) return TypeSet{ElementType::kInvalid};
  if (text == "all") return ArrayTypes();
  const bool inverted = absl::ConsumePrefix(&text, "all but ");
  const std::vector<absl::string_view> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  AXLE_ASSIGN_OR_RETURN(const TypeSet types, ParseNames(words));
  return inverted ? Without(ArrayTypes(), types) : types;
}

// "ok: all but s1" of a row.
absl::Status ParseOutcome(absl::string_view cell, OpcodeOutcomes* outcomes) {
  const std::vector<std::string> halves = absl::StrSplit(cell, absl::MaxSplits(": ", 1));
  if (halves.size() != 2) return BadTable(absl::StrCat("'", cell, "' is not 'OUTCOME: TYPES'"));
  AXLE_ASSIGN_OR_RETURN(const TypeSet types, ParseTypes(halves[1]));
  for (const ElementType type : types) {
    if (!outcomes->emplace(type, halves[0]).second) {
      return BadTable(absl::StrCat("two outcomes for ", hlo::Name(type)));
    }
  }
  return absl::OkStatus();
}

// Outcomes in the order of their first types, "ok" before all.
std::string RowText(const OpcodeOutcomes& outcomes) {
  std::map<std::string, TypeSet> types_of;
  for (const auto& [type, outcome] : outcomes) types_of[outcome].insert(type);
  std::vector<std::string> cells;
  for (const auto& [outcome, types] : types_of) {
    const bool fixed = *types.begin() == ElementType::kInvalid;
    std::string cell =
        absl::StrCat(outcome, ": ", fixed ? std::string(kFixed) : TypesText(types, ArrayTypes()));
    cells.insert(outcome == kSupportOk ? cells.begin() : cells.end(), std::move(cell));
  }
  return absl::StrJoin(cells, " | ");
}

std::vector<absl::string_view> NamesOf(const TypeSet& types) {
  std::vector<absl::string_view> names;
  for (const ElementType type : types) names.push_back(hlo::Name(type));
  return names;
}

constexpr size_t kMostNamed = 20;  // untested cells in a message

constexpr absl::string_view kTypesPrefix = "types: ";

// Words such as "ints" stand for the types of the first row, so it has to have all of them.
absl::Status CheckTypesRow(absl::string_view row) {
  if (!absl::ConsumePrefix(&row, kTypesPrefix)) return BadTable("the first row lacks the types");
  const std::vector<absl::string_view> words = absl::StrSplit(row, ' ');
  const std::vector<absl::string_view> names = NamesOf(ArrayTypes());
  if (words == names) return absl::OkStatus();
  return BadTable(absl::StrCat("untested element types: the table has ", row, "; there are ",
                               absl::StrJoin(names, " ")));
}

}  // namespace

const TypeSet& ArrayTypes() {
  static const TypeSet* const types = [] {
    auto* all = new TypeSet;
    for (int i = 0; i < hlo::kElementTypeCount; ++i) {
      if (hlo::IsArrayType(static_cast<ElementType>(i))) all->insert(static_cast<ElementType>(i));
    }
    return all;
  }();
  return *types;
}

TypeSet AcceptedTypes(const OpcodeOutcomes& outcomes) {
  TypeSet accepted;
  for (const auto& [type, outcome] : outcomes) {
    if (outcome != kSupportRefused) accepted.insert(type);
  }
  return accepted;
}

std::string TypesText(const TypeSet& types, const TypeSet& all) {
  if (types.empty()) return "none";
  const TypeSet rest = Without(all, types);
  if (rest.empty()) return "all";
  std::string with = NamesText(types, all);
  std::string without = absl::StrCat("all but ", NamesText(rest, all));
  return with.size() <= without.size() ? with : without;
}

absl::StatusOr<OpcodeSupport> OpcodeSupport::Parse(absl::string_view text) {
  OpcodeSupport support;
  bool has_types = false;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::string place = absl::StrCat("line ", ++number);
    if (line.empty() || line[0] == '#') continue;
    if (!has_types) {
      AXLE_RETURN_IF_ERROR(AtPlace(place, CheckTypesRow(line)));
      has_types = true;
      continue;
    }
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    const auto opcode = hlo::OpcodeFromName(cells[0]);
    if (!opcode.has_value() || cells.size() < 3) {
      return AtPlace(place, BadTable("is not 'OPCODE | BACKEND | OUTCOME: TYPES | …'"));
    }
    OpcodeOutcomes outcomes;
    for (size_t i = 2; i < cells.size(); ++i) {
      AXLE_RETURN_IF_ERROR(AtPlace(place, ParseOutcome(cells[i], &outcomes)));
    }
    if (!support.rows_.emplace(std::pair(*opcode, cells[1]), std::move(outcomes)).second) {
      return AtPlace(place, BadTable(absl::StrCat("a second row of ", cells[0])));
    }
  }
  if (!has_types) return BadTable("the first row, of the types, is missing");
  return support;
}

std::string OpcodeSupport::ToText() const {
  std::string text = absl::StrCat(kTypesPrefix, absl::StrJoin(NamesOf(ArrayTypes()), " "), "\n");
  for (int i = 0; i < hlo::OpcodeCount(); ++i) {
    for (const absl::string_view backend : kSupportBackends) {
      const OpcodeOutcomes* outcomes = Find(static_cast<Opcode>(i), backend);
      if (outcomes == nullptr) continue;
      absl::StrAppend(&text, hlo::Name(static_cast<Opcode>(i)), " | ", backend, " | ",
                      RowText(*outcomes), "\n");
    }
  }
  return text;
}

absl::Status OpcodeSupport::CheckComplete() const {
  std::vector<std::string> untested;
  for (int i = 0; i < hlo::OpcodeCount(); ++i) {
    const OpcodeOutcomes* first = Find(static_cast<Opcode>(i), kSupportBackends[0]);
    for (const absl::string_view backend : kSupportBackends) {
      const OpcodeOutcomes* outcomes = Find(static_cast<Opcode>(i), backend);
      if (first != nullptr && outcomes != nullptr &&
          AcceptedTypes(*outcomes) != AcceptedTypes(*first)) {
        return BadTable(absl::StrCat(hlo::Name(static_cast<Opcode>(i)), " on ", backend,
                                     ": other types that the verifier takes than on ",
                                     kSupportBackends[0]));
      }
      if (outcomes != nullptr && outcomes->contains(ElementType::kInvalid)) continue;
      TypeSet tested;
      if (outcomes != nullptr) {
        for (const auto& [type, outcome] : *outcomes) tested.insert(type);
      }
      const TypeSet rest = Without(ArrayTypes(), tested);
      if (rest.empty()) continue;
      untested.push_back(absl::StrCat(hlo::Name(static_cast<Opcode>(i)), " on ", backend, ": ",
                                      TypesText(rest, ArrayTypes())));
    }
  }
  if (untested.empty()) return absl::OkStatus();
  const size_t more = untested.size() - std::min(untested.size(), kMostNamed);
  untested.resize(untested.size() - more);
  return BadTable(absl::StrCat("untested cells: ", absl::StrJoin(untested, "; "),
                               more == 0 ? "" : absl::StrCat("; and ", more, " rows more")));
}

const OpcodeOutcomes* OpcodeSupport::Find(Opcode opcode, absl::string_view backend) const {
  const auto found = rows_.find({opcode, std::string(backend)});
  return found == rows_.end() ? nullptr : &found->second;
}

void OpcodeSupport::Set(Opcode opcode, absl::string_view backend, OpcodeOutcomes outcomes) {
  rows_[{opcode, std::string(backend)}] = std::move(outcomes);
}

}  // namespace axle::tools
