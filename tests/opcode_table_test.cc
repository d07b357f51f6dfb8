// SPDX-License-Identifier: Apache-2.0
// Every opcode with every element type on every backend: the programs of tests/opcodes are
// verified, compiled and run, results are compared with the numbers beside the programs, and what
// comes of it is compared with tests/data/opcode_support.txt, from which docs/hlo-opcodes.md is
// made.
//
//   axle_opcode_table_test                        checks
//   axle_opcode_table_test --update               writes the table anew, if all results are right
//   axle_opcode_table_test --only add,multiply    these opcodes only
//   axle_opcode_table_test --types s4,f16         these element types only
//   axle_opcode_table_test --verbose              says what it does: the last line tells a crash
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "assembly/backends.h"
#include "base/error.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "check/actual_sizes.h"
#include "check/compare.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hlo/text/parser.h"
#include "hlo/verify/verify.h"
#include "opcode_templates.h"
#include "runtime/program.h"
#include "tools/opcode_support.h"

namespace axle {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Opcode;
using tools::OpcodeOutcomes;
using tools::OpcodeSupport;

constexpr char kTablePath[] = AXLE_SOURCE_DIR "/tests/data/opcode_support.txt";
constexpr char kTemplates[] = AXLE_SOURCE_DIR "/tests/opcodes";
constexpr char kTableHead[] =
    "# What comes of every opcode with every element type on every backend, and what\n"
    "# docs/hlo-opcodes.md is made from. Written by axle_opcode_table_test --update; a test fails\n"
    "# when it is no longer true. src/tools/opcode_support.h describes the rows.\n";

struct Flags {
  bool update = false;
  bool verbose = false;
  std::set<std::string> only, types;  // empty for all
};
Flags flags;

bool Chosen(const std::set<std::string>& names, absl::string_view name) {
  return names.empty() || names.contains(std::string(name));
}

// ---------------------------------------------------------------------------------------------
// Values

int MantissaBits(ElementType type) {
  switch (hlo::BitWidth(type)) {
    case 128:
      return 52;
    case 64:
      return type == ElementType::kC64 ? 23 : 52;
    case 32:
      return 23;
    default:
      return hlo::FormatOf(type).mantissa_bits;
  }
}

// Nothing for types of 8 bits and less, one unit in the last place of 16, a few of wider ones:
// backends compute narrow types in wider ones, and round results of functions in different ways.
check::Tolerance ToleranceOf(ElementType type) {
  if (!hlo::IsFloat(type) && !hlo::IsComplex(type)) return {};
  if (hlo::BitWidth(type) <= 8) return {};
  const int units = hlo::BitWidth(type) == 16 ? 1 : 8;
  const double rtol = units * std::ldexp(1.0, -MantissaBits(type));
  return {.rtol = rtol, .atol = rtol / 4};
}

// Nothing where the result is right.
std::string CompareResult(const OpcodeSection& section, ElementType type, int leaf,
                          const Literal& actual) {
  const ValueLine* line = section.FindLine(/*is_input=*/false, leaf, type);
  if (line == nullptr) return absl::StrCat("result ", leaf, ": no expected values");
  const int64_t count = actual.element_count();
  if (line->values.size() != 1 && line->values.size() != count) {
    return absl::StrCat("result ", leaf, ": ", line->values.size(), " expected values for ", count);
  }
  const auto expected = LiteralOfNumbers(actual.shape(), line->values);
  if (!expected.ok()) return std::string(expected.status().message());
  const auto difference =
      check::Compare(*expected, actual, ToleranceOf(actual.shape().element_type()));
  if (!difference.has_value()) return "";
  return absl::StrCat("result ", leaf, ": ", check::DifferenceText(*difference, actual));
}

// ---------------------------------------------------------------------------------------------
// Cells

struct Backend {
  std::string name;
  std::shared_ptr<runtime::Backend> backend;
};

std::vector<Backend> Backends() {
  std::vector<Backend> backends;
  for (const absl::string_view name : tools::kSupportBackends) {
    auto backend = assembly::CreateBackend(name);
    if (!backend.ok() && ErrorIdOf(backend.status()) == "AX0941") continue;  // no plugin here
    EXPECT_TRUE(backend.ok()) << backend.status();
    if (backend.ok()) backends.push_back({std::string(name), *std::move(backend)});
  }
  return backends;
}

absl::StatusOr<std::vector<Literal>> InputsOf(const OpcodeSection& section, ElementType type,
                                              absl::Span<const hlo::Shape> leaves) {
  static const auto* const counting =
      new std::vector<std::string>(absl::StrSplit("0 1 2 3 4 5 6 7", ' '));
  std::vector<Literal> inputs;
  for (size_t i = 0; i < leaves.size(); ++i) {
    const ValueLine* line = section.FindLine(/*is_input=*/true, i, type);
    AXLE_ASSIGN_OR_RETURN(
        Literal input,
        LiteralOfNumbers(leaves[i].WithoutLayouts(), line != nullptr ? line->values : *counting));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

// Uploads, executes, downloads; of dynamic dimensions, the actual sizes.
absl::StatusOr<std::vector<Literal>> RunOnLiterals(runtime::Program& program,
                                                   absl::Span<const Literal> inputs) {
  std::vector<std::shared_ptr<runtime::Buffer>> arguments;
  for (const Literal& input : inputs) {
    AXLE_ASSIGN_OR_RETURN(arguments.emplace_back(),
                          runtime::UploadLiteral(program.device(), input));
  }
  AXLE_ASSIGN_OR_RETURN(const auto buffers, program.Execute(arguments));
  std::vector<Literal> results;
  for (const auto& buffer : buffers) {
    AXLE_ASSIGN_OR_RETURN(Literal result, runtime::DownloadLiteral(*buffer));
    AXLE_ASSIGN_OR_RETURN(results.emplace_back(), check::WithActualSizes(std::move(result)));
  }
  return results;
}

class CellRunner {
 public:
  explicit CellRunner(std::vector<Backend> backends) : backends_(std::move(backends)) {}

  const std::vector<Backend>& backends() const { return backends_; }
  // Wrong results and faults of the templates, so far.
  std::set<std::string> failures() const {
    const std::lock_guard lock(mutex_);
    return failures_;
  }

  // The outcome on each backend. Thread-safe.
  std::vector<std::string> Run(const OpcodeSection& section, ElementType type) {
    const std::string cell = absl::StrCat(section.place, ": ", hlo::Name(section.opcode), " ",
                                          section.HasFreeType() ? hlo::Name(type) : "");
    auto parsed = hlo::ParseModule(section.ProgramFor(type));
    if (!parsed.ok()) {
      Fail(cell, parsed.status().ToString());
      return std::vector<std::string>(backends_.size(), "?");
    }
    const auto module = std::make_shared<const hlo::Module>(*std::move(parsed));
    if (const absl::Status status = hlo::VerifyModule(*module); !status.ok()) {
      Say(cell, status.ToString());
      return std::vector<std::string>(backends_.size(), std::string(tools::kSupportRefused));
    }
    std::vector<std::string> outcomes;
    for (const Backend& backend : backends_) {
      Say(absl::StrCat(cell, " on ", backend.name), "…");
      outcomes.push_back(RunOn(backend, section, type, module, cell));
    }
    return outcomes;
  }

 private:
  static void Say(const std::string& cell, const std::string& what) {
    if (flags.verbose) std::fprintf(stderr, "%s %s\n", cell.c_str(), what.c_str());
  }

  void Fail(const std::string& cell, const std::string& what) {
    const std::lock_guard lock(mutex_);
    failures_.insert(absl::StrCat(cell, ": ", what));
  }

  std::string Refused(const std::string& cell, const absl::Status& status) {
    Say(cell, status.ToString());
    const std::string id = ErrorIdOf(status);
    if (id.empty()) Fail(cell, absl::StrCat("no id: ", status.ToString()));
    return id;
  }

  std::string RunOn(const Backend& backend, const OpcodeSection& section, ElementType type,
                    const std::shared_ptr<const hlo::Module>& module, const std::string& cell) {
    const std::string place = absl::StrCat(cell, " on ", backend.name);
    const auto program = runtime::Program::Compile(backend.backend, module);
    if (!program.ok()) return Refused(place, program.status());
    const auto inputs = InputsOf(section, type, (*program)->parameter_leaves());
    if (!inputs.ok()) {
      Fail(place, inputs.status().ToString());
      return "?";
    }
    const auto results = RunOnLiterals(**program, *inputs);
    if (!results.ok()) return Refused(place, results.status());
    std::string outcome(tools::kSupportOk);
    for (size_t i = 0; i < results->size() && backend.name != "null"; ++i) {
      const std::string difference = CompareResult(section, type, i, (*results)[i]);
      if (difference.empty()) continue;
      Fail(place, difference);
      outcome = "wrong";
    }
    return outcome;
  }

  const std::vector<Backend> backends_;
  mutable std::mutex mutex_;
  std::set<std::string> failures_ ABSL_GUARDED_BY(mutex_);
};

// The first section of the opcode for the type; null when there is none.
const OpcodeSection* FindSection(absl::Span<const OpcodeSection> sections, Opcode opcode,
                                 ElementType type) {
  for (const OpcodeSection& section : sections) {
    if (section.opcode == opcode && section.types.Contains(type)) return &section;
  }
  return nullptr;
}

absl::StatusOr<std::vector<OpcodeSection>> ReadSections() {
  AXLE_ASSIGN_OR_RETURN(const std::vector<std::string> files, ListDirectory(kTemplates));
  std::vector<OpcodeSection> all;
  for (const std::string& file : files) {
    if (!absl::EndsWith(file, ".txt")) continue;
    AXLE_ASSIGN_OR_RETURN(const std::string text, ReadFile(absl::StrCat(kTemplates, "/", file)));
    AXLE_ASSIGN_OR_RETURN(std::vector<OpcodeSection> sections, ParseOpcodeSections(text, file));
    all.insert(all.end(), std::make_move_iterator(sections.begin()),
               std::make_move_iterator(sections.end()));
  }
  return all;
}

// The program of a section contains its opcode.
bool Mentions(const OpcodeSection& section) {
  return absl::StrContains(section.ProgramFor(ElementType::kF32),
                           absl::StrCat(hlo::Name(section.opcode), "("));
}

// Outcomes of one opcode on each backend of the runner.
std::vector<OpcodeOutcomes> RunOpcode(absl::Span<const OpcodeSection> sections, Opcode opcode,
                                      CellRunner& runner) {
  std::vector<OpcodeOutcomes> rows(runner.backends().size());
  for (const ElementType type : tools::ArrayTypes()) {
    if (!Chosen(flags.types, hlo::Name(type))) continue;
    const OpcodeSection* section = FindSection(sections, opcode, type);
    if (section == nullptr) continue;  // an untested cell
    const bool fixed = !section->HasFreeType();
    const std::vector<std::string> outcomes = runner.Run(*section, type);
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i][fixed ? ElementType::kInvalid : type] = outcomes[i];
    }
    if (fixed) break;
  }
  return rows;
}

// The same of every chosen opcode, on as many threads as there are processors, or one that tells
// what it does.
std::vector<std::vector<OpcodeOutcomes>> RunOpcodes(absl::Span<const OpcodeSection> sections,
                                                    CellRunner& runner) {
  std::vector<std::vector<OpcodeOutcomes>> rows(hlo::OpcodeCount());
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int i = next++; i < hlo::OpcodeCount(); i = next++) {
      const Opcode opcode = static_cast<Opcode>(i);
      if (Chosen(flags.only, hlo::Name(opcode))) rows[i] = RunOpcode(sections, opcode, runner);
    }
  };
  std::vector<std::thread> threads;
  const unsigned count = flags.verbose ? 1 : std::max(1u, std::thread::hardware_concurrency());
  for (unsigned t = 1; t < count; ++t) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return rows;
}

// Lines of one text that the other lacks: "-was" and "+is".
std::string ChangedLines(const std::string& before, const std::string& after) {
  const std::vector<std::string> was = absl::StrSplit(before, '\n');
  const std::vector<std::string> is = absl::StrSplit(after, '\n');
  std::string changes;
  for (const std::string& line : was) {
    if (std::find(is.begin(), is.end(), line) == is.end())
      absl::StrAppend(&changes, "-", line, "\n");
  }
  for (const std::string& line : is) {
    if (std::find(was.begin(), was.end(), line) == was.end()) {
      absl::StrAppend(&changes, "+", line, "\n");
    }
  }
  return changes;
}

// ---------------------------------------------------------------------------------------------

TEST(OpcodeTableTest, EveryCellHasAnOutcome) {
  const auto text = ReadFile(kTablePath);
  ASSERT_TRUE(text.ok()) << text.status();
  const auto table = OpcodeSupport::Parse(*text);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->CheckComplete(), absl::OkStatus());
  EXPECT_EQ(kTableHead + table->ToText(), *text) << "not as --update writes it";
}

TEST(OpcodeTableTest, ProgramsContainTheirOpcodes) {
  const auto sections = ReadSections();
  ASSERT_TRUE(sections.ok()) << sections.status();
  for (const OpcodeSection& section : *sections) EXPECT_TRUE(Mentions(section)) << section.place;
}

TEST(OpcodeTableTest, OutcomesAreThoseOfTheTable) {
  const auto sections = ReadSections();
  ASSERT_TRUE(sections.ok()) << sections.status();
  const auto text = ReadFile(kTablePath);
  auto recorded = OpcodeSupport::Parse(flags.update ? text.value_or("") : *text);
  if (!recorded.ok() && flags.update) recorded = OpcodeSupport();
  ASSERT_TRUE(recorded.ok()) << recorded.status();
  CellRunner runner(Backends());
  OpcodeSupport found = *recorded;
  std::vector<std::vector<OpcodeOutcomes>> all_rows = RunOpcodes(*sections, runner);
  for (int i = 0; i < hlo::OpcodeCount(); ++i) {
    const Opcode opcode = static_cast<Opcode>(i);
    std::vector<OpcodeOutcomes>& rows = all_rows[i];
    for (size_t b = 0; b < rows.size(); ++b) {
      if (rows[b].empty()) continue;
      const std::string& backend = runner.backends()[b].name;
      const OpcodeOutcomes* before = recorded->Find(opcode, backend);
      if (!flags.types.empty() && before != nullptr) rows[b].insert(before->begin(), before->end());
      found.Set(opcode, backend, std::move(rows[b]));
    }
  }
  EXPECT_THAT(runner.failures(), ::testing::IsEmpty());
  if (!flags.update) {
    EXPECT_EQ(ChangedLines(recorded->ToText(), found.ToText()), "")
        << "if that is right: axle_opcode_table_test --update";
    return;
  }
  EXPECT_EQ(WriteFileAtomically(kTablePath, kTableHead + found.ToText()), absl::OkStatus());
}

}  // namespace
}  // namespace axle

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--update") axle::flags.update = true;
    if (flag == "--verbose") axle::flags.verbose = true;
    if (flag == "--only" && i + 1 < argc) axle::flags.only = absl::StrSplit(argv[++i], ',');
    if (flag == "--types" && i + 1 < argc) axle::flags.types = absl::StrSplit(argv[++i], ',');
  }
  return RUN_ALL_TESTS();
}
