// SPDX-License-Identifier: Apache-2.0
#include "opcode_templates.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "hlo/float_formats.h"

namespace axle {
namespace {

using hlo::ElementType;

absl::Status BadLine(const std::string& place, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(place, ": ", what));
}

bool IsTypeName(absl::string_view name) {
  constexpr absl::string_view kClasses[] = {"pred",   "ints",  "signed", "unsigned",
                                            "floats", "reals", "complex"};
  return std::find(std::begin(kClasses), std::end(kClasses), name) != std::end(kClasses) ||
         hlo::ElementTypeFromName(name).has_value();
}

absl::StatusOr<TypeSelector> ParseSelector(absl::Span<const std::string> names,
                                           const std::string& place) {
  for (const std::string& name : names) {
    if (!IsTypeName(name)) return BadLine(place, absl::StrCat("no element type ", name));
  }
  return TypeSelector{{names.begin(), names.end()}};
}

// "input 1 ints u8: 0 1 2" or "expect: 3".
absl::StatusOr<ValueLine> ParseValueLine(absl::string_view line, const std::string& place) {
  const std::vector<std::string> halves = absl::StrSplit(line, absl::MaxSplits(':', 1));
  if (halves.size() != 2) return BadLine(place, "no colon");
  std::vector<std::string> words = absl::StrSplit(halves[0], ' ', absl::SkipEmpty());
  ValueLine result;
  result.is_input = words[0] == "input";
  words.erase(words.begin());
  if (!words.empty() && absl::SimpleAtoi(words[0], &result.number)) words.erase(words.begin());
  AXLE_ASSIGN_OR_RETURN(result.types, ParseSelector(words, place));
  result.values = absl::StrSplit(halves[1], ' ', absl::SkipEmpty());
  if (result.values.empty()) return BadLine(place, "no values");
  return result;
}

absl::StatusOr<OpcodeSection> ParseHead(absl::string_view line, const std::string& place) {
  std::vector<std::string> words = absl::StrSplit(line.substr(2), ' ', absl::SkipEmpty());
  const auto opcode = hlo::OpcodeFromName(words.empty() ? "" : words[0]);
  if (!opcode.has_value()) return BadLine(place, "a section begins with == and an opcode");
  words.erase(words.begin());
  OpcodeSection section{*opcode, {}, {}, "", place};
  AXLE_ASSIGN_OR_RETURN(section.types, ParseSelector(words, place));
  return section;
}

// The real type of complex numbers, else the type itself; and the other way round.
ElementType RealType(ElementType type) {
  if (type == ElementType::kC64) return ElementType::kF32;
  return type == ElementType::kC128 ? ElementType::kF64 : type;
}
ElementType ComplexType(ElementType type) {
  return type == ElementType::kF64 || type == ElementType::kC128 ? ElementType::kC128
                                                                 : ElementType::kC64;
}

// The unsigned integers of the same width; u8 where there are none.
ElementType BitsType(ElementType type) {
  for (int i = 0; i < hlo::kElementTypeCount; ++i) {
    const ElementType candidate = static_cast<ElementType>(i);
    if (hlo::IsUnsigned(candidate) && hlo::BitWidth(candidate) == hlo::BitWidth(type)) {
      return candidate;
    }
  }
  return ElementType::kU8;
}

// ---------------------------------------------------------------------------------------------
// Numbers

// "B", "B-1": the width of the type less a number; "MIN": only its highest bit.
std::optional<int64_t> ParseWidth(absl::string_view text, ElementType type) {
  if (text == "MIN") return static_cast<int64_t>(uint64_t{1} << (hlo::BitWidth(type) - 1));
  if (!absl::ConsumePrefix(&text, "B")) return std::nullopt;
  int64_t less = 0;
  if (absl::ConsumePrefix(&text, "-") && !absl::SimpleAtoi(text, &less)) return std::nullopt;
  return hlo::BitWidth(type) - less;
}

std::optional<uint64_t> ParseInteger(absl::string_view text, ElementType type) {
  int64_t value;
  uint64_t bits;
  double number;
  if (const auto width = ParseWidth(text, type)) return static_cast<uint64_t>(*width);
  if (absl::SimpleAtoi(text, &value)) return static_cast<uint64_t>(value);
  if (absl::SimpleAtoi(text, &bits) || absl::SimpleHexAtoi(text, &bits)) return bits;
  if (!absl::SimpleAtod(text, &number) || !(std::fabs(number) < 0x1p62)) return std::nullopt;
  return static_cast<uint64_t>(static_cast<int64_t>(number));
}

// "1.5", "nan", "(1,-2)".
bool ParseComplex(absl::string_view text, double* real, double* imaginary) {
  *imaginary = 0;
  if (!absl::ConsumePrefix(&text, "(")) return absl::SimpleAtod(text, real);
  const std::vector<std::string> parts = absl::StrSplit(absl::StripSuffix(text, ")"), ',');
  return parts.size() == 2 && absl::SimpleAtod(parts[0], real) &&
         absl::SimpleAtod(parts[1], imaginary);
}

template <typename T>
void Store(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof(value));
}

void StoreReal(ElementType type, double value, std::byte* to) {
  if (type == ElementType::kF64) return Store(value, to);
  if (type == ElementType::kF32) return Store(static_cast<float>(value), to);
  const uint32_t bits = hlo::EncodeFloat(hlo::FormatOf(type), value);
  std::memcpy(to, &bits, hlo::ByteWidth(type));
}

bool StoreNumber(ElementType type, absl::string_view text, std::byte* to) {
  double real, imaginary;
  if (hlo::IsIntegral(type)) {
    const std::optional<uint64_t> value = ParseInteger(text, type);
    if (!value.has_value()) return false;
    const int bits = hlo::BitWidth(type);
    const uint64_t wrapped = bits == 64 ? *value : *value & ((uint64_t{1} << bits) - 1);
    std::memcpy(to, &wrapped, hlo::ByteWidth(type));
    return true;
  }
  if (!ParseComplex(text, &real, &imaginary)) return false;
  if (hlo::IsPred(type)) {
    Store(static_cast<uint8_t>(real != 0), to);
  } else if (hlo::IsComplex(type)) {
    StoreReal(RealType(type), real, to);
    StoreReal(RealType(type), imaginary, to + hlo::ByteWidth(type) / 2);
  } else {
    StoreReal(type, real, to);
  }
  return true;
}

}  // namespace

bool TypeSelector::Contains(ElementType type) const {
  return names.empty() || std::any_of(names.begin(), names.end(), [type](const std::string& name) {
           if (name == "ints") return hlo::IsIntegral(type);
           if (name == "signed") return hlo::IsSigned(type);
           if (name == "unsigned") return hlo::IsUnsigned(type);
           if (name == "floats") return hlo::IsFloat(type);
           if (name == "reals") return hlo::IsFloat(type) || hlo::IsIntegral(type);
           if (name == "complex") return hlo::IsComplex(type);
           return name == hlo::Name(type);
         });
}

bool OpcodeSection::HasFreeType() const {
  return absl::StrContains(absl::StrReplaceAll(program, {{"$OP", ""}}), "$");
}

const ValueLine* OpcodeSection::FindLine(bool is_input, int number, ElementType type) const {
  for (const ValueLine& line : lines) {
    if (line.is_input == is_input && line.number == number && line.types.Contains(type)) {
      return &line;
    }
  }
  return nullptr;
}

std::string OpcodeSection::ProgramFor(ElementType type) const {
  return absl::StrReplaceAll(program, {{"$OP", hlo::Name(opcode)},
                                       {"$T", hlo::Name(type)},
                                       {"$R", hlo::Name(RealType(type))},
                                       {"$C", hlo::Name(ComplexType(type))},
                                       {"$U", hlo::Name(BitsType(type))}});
}

absl::StatusOr<std::vector<OpcodeSection>> ParseOpcodeSections(absl::string_view text,
                                                               absl::string_view file) {
  std::vector<OpcodeSection> sections;
  std::string last_program;
  const auto close = [&] {
    if (sections.empty()) return;
    if (sections.back().program.empty()) sections.back().program = last_program;
    last_program = sections.back().program;
  };
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::string place = absl::StrCat(file, ":", ++number);
    if (line.empty() || line[0] == '#') continue;
    if (absl::StartsWith(line, "==")) {
      close();
      AXLE_ASSIGN_OR_RETURN(OpcodeSection section, ParseHead(line, place));
      sections.push_back(std::move(section));
    } else if (sections.empty()) {
      return BadLine(place, "outside of a section");
    } else if (absl::StartsWith(line, "input") || absl::StartsWith(line, "expect")) {
      AXLE_ASSIGN_OR_RETURN(ValueLine values, ParseValueLine(line, place));
      sections.back().lines.push_back(std::move(values));
    } else {
      absl::StrAppend(&sections.back().program, line, "\n");
    }
  }
  close();
  return sections;
}

absl::StatusOr<hlo::Literal> LiteralOfNumbers(const hlo::Shape& shape,
                                              absl::Span<const std::string> numbers) {
  AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, hlo::Literal::Zeros(shape));
  const ElementType type = shape.element_type();
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    const std::string& text = numbers[i % numbers.size()];
    if (!StoreNumber(type, text, literal.bytes().data() + i * hlo::ByteWidth(type))) {
      return absl::InvalidArgumentError(absl::StrCat(text, " is no ", hlo::Name(type)));
    }
  }
  return literal;
}

}  // namespace axle
