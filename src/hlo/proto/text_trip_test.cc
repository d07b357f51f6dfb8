// SPDX-License-Identifier: Apache-2.0
// HLO texts through the wire form and back. What that form cannot hold is listed, a module a line,
// in tests/data/hlo_wire_losses.txt.
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "gtest/gtest.h"
#include "hlo/compare.h"
#include "hlo/proto/codec.h"
#include "hlo/text/parser.h"
#include "hlo/text/printer.h"

namespace axle::hlo {
namespace {

constexpr size_t kMostLosses = 100;  // that ProtoLosses lists

std::string DataFolder() {
  const char* root = std::getenv("AXLE_TEST_DATA");
  return absl::StrCat(root != nullptr ? root : AXLE_SOURCE_DIR "/../shared/data", "/hlo");
}

// Lines "case | second | …" of a list in tests/data, by case; '#' begins a comment line.
std::map<std::string, std::vector<std::string>> ReadList(absl::string_view name) {
  std::map<std::string, std::vector<std::string>> list;
  const std::string text = *ReadFile(absl::StrCat(AXLE_SOURCE_DIR "/tests/data/", name));
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    if (line[0] == '#') continue;
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    list[cells[0]] = {cells.begin() + 1, cells.end()};
  }
  return list;
}

// The text of "file.hlo#piece"; lines that begin with "// -----" part the pieces.
std::string PieceOf(absl::string_view name) {
  const std::vector<std::string> parts = absl::StrSplit(name, '#');
  int at = 0, piece = 0;
  EXPECT_TRUE(absl::SimpleAtoi(parts[1], &piece));
  const std::string text = *ReadFile(absl::StrCat(DataFolder(), "/", parts[0]));
  std::string found;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StartsWith(line, "// -----")) {
      ++at;
    } else if (at == piece) {
      absl::StrAppend(&found, line, "\n");
    }
  }
  return found;
}

ProgramShape WithDefaultLayouts(ProgramShape shape) {
  for (Shape& parameter : shape.parameters) parameter = parameter.WithDefaultLayouts();
  shape.result = shape.result.WithDefaultLayouts();
  return shape;
}

// The wire always has signatures and the entry's layouts. Where the text leaves them out they must
// be what the instructions say; then they go.
void DropImplied(const Module& text, Module* back) {
  ASSERT_EQ(text.computations.size(), back->computations.size());
  for (size_t i = 0; i < text.computations.size(); ++i) {
    if (text.computations[i].declared.has_value()) continue;
    EXPECT_EQ(back->computations[i].declared, ProgramShapeOf(back->computations[i]));
    back->computations[i].declared.reset();
  }
  if (text.config.entry_layout.has_value()) return;
  ASSERT_TRUE(back->config.entry_layout.has_value());
  const ProgramShape layout = WithDefaultLayouts(*back->config.entry_layout);
  const ProgramShape implied = WithDefaultLayouts(ProgramShapeOf(text.entry_computation()));
  EXPECT_EQ(layout.parameters, implied.parameters);
  EXPECT_EQ(layout.result, implied.result);
  back->config.entry_layout.reset();
}

// Gives `back` one thing that was lost of `text`, as ProtoLosses names it.
void Restore(const std::string& loss, const Module& text, Module* back) {
  const auto copy = [&](auto ModuleConfig::* field) {
    EXPECT_NE(text.config.*field, back->config.*field) << "not lost: " << loss;
    back->config.*field = text.config.*field;
  };
  if (loss == "replica_count has no wire form") {
    copy(&ModuleConfig::replica_count);
  } else if (loss == "num_partitions has no wire form") {
    copy(&ModuleConfig::num_partitions);
  } else if (loss == "allow_spmd_sharding_propagation_to_parameters has no wire form") {
    copy(&ModuleConfig::allow_spmd_sharding_propagation_to_parameters);
  } else if (loss == "allow_spmd_sharding_propagation_to_output has no wire form") {
    copy(&ModuleConfig::allow_spmd_sharding_propagation_to_output);
  } else {
    ADD_FAILURE() << "unexpected loss: " << loss;
  }
}

bool IsRenaming(const std::string& loss) { return absl::EndsWith(loss, "so it is renamed"); }

// Gives instructions of `back` their names in `text`; the losses that this makes good.
std::vector<std::string> RestoreNames(const Module& text, Module* back) {
  std::vector<std::string> losses;
  for (size_t i = 0; i < text.computations.size(); ++i) {
    const Computation& computation = text.computations[i];
    for (size_t j = 0; j < computation.instructions.size(); ++j) {
      const std::string& name = computation.instructions[j].name;
      if (back->computations[i].instructions[j].name == name) continue;
      back->computations[i].instructions[j].name = name;
      losses.push_back(absl::StrCat("computation '", computation.name, "': instruction '", name,
                                    "': another computation has an instruction of this name, so "
                                    "it is renamed"));
    }
  }
  return losses;
}

Module FromText(absl::string_view text) {
  absl::StatusOr<Module> module = ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *std::move(module) : Module();
}

Module ThroughTheWire(const Module& module, const ProtoWriteOptions& options) {
  const absl::StatusOr<std::string> bytes = ModuleToProtoBytes(module, options);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  absl::StatusOr<Module> again = ModuleFromProtoBytes(bytes.value_or(""));
  EXPECT_TRUE(again.ok()) << again.status();
  return again.ok() ? *std::move(again) : Module();
}

// `losses` are those of the list.
void CheckTrip(const Module& module, const std::vector<std::string>& losses) {
  const Module wire = ThroughTheWire(module, {.unique_instruction_names = false});
  Module back = FromText(PrintModule(wire));
  EXPECT_TRUE(Equivalent(wire, back));
  ASSERT_NO_FATAL_FAILURE(DropImplied(module, &back));
  for (const std::string& loss : losses) Restore(loss, module, &back);
  EXPECT_TRUE(Identical(module, back)) << FirstDifference(module, back);
}

// As CheckTrip, with names that XLA takes.
void CheckTripWithUniqueNames(const Module& module, const std::vector<std::string>& losses,
                              const std::vector<std::string>& renamings) {
  Module back = FromText(PrintModule(ThroughTheWire(module, {})));
  ASSERT_EQ(module.computations.size(), back.computations.size());
  std::vector<std::string> restored = RestoreNames(module, &back);
  if (restored.size() > kMostLosses) restored.resize(kMostLosses);
  EXPECT_EQ(restored, renamings);
  for (size_t i = 0; i < module.computations.size(); ++i) {
    back.computations[i].declared = module.computations[i].declared;
  }
  if (!module.config.entry_layout.has_value()) back.config.entry_layout.reset();
  for (const std::string& loss : losses) Restore(loss, module, &back);
  EXPECT_TRUE(Identical(module, back)) << FirstDifference(module, back);
}

TEST(TextTripTest, EveryTextComesBackIdentical) {
  if (!ListDirectory(DataFolder()).ok()) {
    GTEST_SKIP() << "no test data at " << DataFolder() << ": set AXLE_TEST_DATA";
  }
  const auto listed = ReadList("hlo_wire_losses.txt");
  size_t modules = 0, modules_with_losses = 0;
  for (const auto& [name, cells] : ReadList("hlo_outcomes.txt")) {
    if (absl::StartsWith(cells[0], "read ")) continue;
    SCOPED_TRACE(name);
    const Module module = FromText(PieceOf(name));
    std::vector<std::string> losses, renamings;
    for (const std::string& loss : ProtoLosses(module)) {
      if (absl::EndsWith(loss, "the constant has no value")) continue;  // nor in the text
      (IsRenaming(loss) ? renamings : losses).push_back(loss);
    }
    const auto row = listed.find(name);
    EXPECT_EQ(absl::StrJoin(losses, "; "), row == listed.end() ? "" : row->second[0]);
    CheckTrip(module, losses);
    CheckTripWithUniqueNames(module, losses, renamings);
    ++modules;
    modules_with_losses += !losses.empty();
  }
  EXPECT_GE(modules, 504);
  EXPECT_EQ(modules_with_losses, listed.size());
}

}  // namespace
}  // namespace axle::hlo
