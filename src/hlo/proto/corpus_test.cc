// SPDX-License-Identifier: Apache-2.0
// Files that XLA wrote, and files that are broken in one way each.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/error.h"
#include "base/file.h"
#include "google/protobuf/util/field_comparator.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "hlo/compare.h"
#include "hlo/proto/codec.h"
#include "hlo/text/parser.h"
#include "proto/hlo.pb.h"

namespace axle::hlo {
namespace {

std::string DataFolder(absl::string_view name) {
  const char* root = std::getenv("AXLE_TEST_DATA");
  return absl::StrCat(root != nullptr ? root : AXLE_SOURCE_DIR "/../shared/data", "/", name);
}

// Gives computations and instructions the numbers that ModuleToProtoBytes gives them.
void Renumber(wire::HloModuleProto* module) {
  std::map<int64_t, int64_t> computations;
  for (wire::HloComputationProto& computation : *module->mutable_computations()) {
    const auto id = static_cast<int64_t>(computations.size()) + 1;
    computations[computation.id()] = id;
    computation.set_id(id);
    std::map<int64_t, int64_t> instructions;
    for (wire::HloInstructionProto& instruction : *computation.mutable_instructions()) {
      const int64_t local = (id << 32) + static_cast<int64_t>(instructions.size()) + 1;
      instructions[instruction.id()] = local;
      instruction.set_id(local);
      for (int64_t& operand : *instruction.mutable_operand_ids()) operand = instructions[operand];
      for (int64_t& before : *instruction.mutable_control_predecessor_ids()) {
        before = instructions[before];
      }
      for (int64_t& callee : *instruction.mutable_called_computation_ids()) {
        callee = computations[callee];
      }
    }
    computation.set_root_id(instructions[computation.root_id()]);
  }
  module->set_entry_computation_id(computations[module->entry_computation_id()]);
}

// XLA writes empty messages where there is nothing to say, and default precisions one by one.
void DropEmpty(wire::HloModuleProto* module) {
  for (wire::HloComputationProto& computation : *module->mutable_computations()) {
    for (wire::HloInstructionProto& instruction : *computation.mutable_instructions()) {
      wire::PrecisionConfig* precision = instruction.mutable_precision_config();
      bool all_default = true;
      for (const int value : precision->operand_precision()) all_default &= value == 0;
      if (all_default) precision->clear_operand_precision();
      if (precision->ByteSizeLong() == 0) instruction.clear_precision_config();
      if (instruction.metadata().ByteSizeLong() == 0) instruction.clear_metadata();
      if (instruction.statistics_viz().ByteSizeLong() == 0) instruction.clear_statistics_viz();
      if (instruction.frontend_attributes().map().empty()) instruction.clear_frontend_attributes();
      if (instruction.sparsity_config().empty()) instruction.clear_sparsity_config();
    }
  }
  if (module->input_output_alias().entries().empty()) module->clear_input_output_alias();
  if (module->buffer_donor().entries().empty()) module->clear_buffer_donor();
  if (module->frontend_attributes().map().empty()) module->clear_frontend_attributes();
}

int CountUnknown(const Module& module) {
  int count = !module.config.unknown_wire.empty();
  for (const Computation& computation : module.computations) {
    count += !computation.unknown_wire.empty();
    for (const Instruction& instruction : computation.instructions) {
      count += instruction.extras && !instruction.extras->unknown_wire.empty();
    }
  }
  return count;
}

TEST(CorpusTest, JaxModulesComeBackAsTheyWere) {
  const std::string root = DataFolder("jax");
  const auto cases = ListDirectory(root);
  if (!cases.ok()) GTEST_SKIP() << "no test data at " << root << ": set AXLE_TEST_DATA";
  int modules = 0;
  for (const std::string& name : *cases) {
    const auto bytes = ReadFile(absl::StrCat(root, "/", name, "/program.hlo.pb"));
    if (!bytes.ok()) continue;
    SCOPED_TRACE(name);
    const absl::StatusOr<Module> module = ModuleFromAnyProtoBytes(*bytes);
    ASSERT_TRUE(module.ok()) << module.status();
    EXPECT_EQ(CountUnknown(*module), 0) << "fields that belong to no attribute";
    EXPECT_TRUE(ProtoLosses(*module).empty());
    wire::HloModuleProto source, written;
    ASSERT_TRUE(source.ParseFromString(*bytes));
    ASSERT_TRUE(written.ParseFromString(*ModuleToProtoBytes(*module)));
    Renumber(&source);
    DropEmpty(&source);
    DropEmpty(&written);
    google::protobuf::util::MessageDifferencer differencer;
    google::protobuf::util::DefaultFieldComparator comparator;
    comparator.set_treat_nan_as_equal(true);
    differencer.set_field_comparator(&comparator);
    std::string differences;
    differencer.ReportDifferencesToString(&differences);
    EXPECT_TRUE(differencer.Compare(source, written)) << differences.substr(0, 1000);
    ++modules;
  }
  EXPECT_GE(modules, 200);
}

TEST(CorpusTest, TextAndMessageOfAJaxModuleAreOneProgram) {
  const std::string root = DataFolder("jax");
  const auto cases = ListDirectory(root);
  if (!cases.ok()) GTEST_SKIP() << "no test data at " << root << ": set AXLE_TEST_DATA";
  for (const std::string& name : *cases) {
    const auto bytes = ReadFile(absl::StrCat(root, "/", name, "/program.hlo.pb"));
    const auto text = ReadFile(absl::StrCat(root, "/", name, "/program.hlo"));
    if (!bytes.ok() || !text.ok()) continue;
    SCOPED_TRACE(name);
    const absl::StatusOr<Module> from_text = ParseModule(*text);
    const absl::StatusOr<Module> from_bytes = ModuleFromProtoBytes(*bytes);
    ASSERT_TRUE(from_text.ok() && from_bytes.ok());
    EXPECT_TRUE(Equivalent(*from_text, *from_bytes)) << FirstDifference(*from_text, *from_bytes);
    const Module again = *ModuleFromProtoBytes(*ModuleToProtoBytes(*from_bytes));
    EXPECT_TRUE(Identical(*from_bytes, again)) << FirstDifference(*from_bytes, again);
  }
}

TEST(CorpusTest, CutOffModulesAreErrorsOrShorterModules) {
  const auto bytes = ReadFile(DataFolder("jax") + "/while_collatz/program.hlo.pb");
  if (!bytes.ok()) GTEST_SKIP() << bytes.status();
  int errors = 0, tried = 0;
  for (size_t length = 0; length < bytes->size(); length += 7, ++tried) {
    const absl::Status status =
        ModuleFromAnyProtoBytes(absl::string_view(*bytes).substr(0, length)).status();
    // Nothing says how long a message is, so one cut between two optional fields is one too.
    if (status.ok()) continue;
    ++errors;
    EXPECT_NE(ErrorIdOf(status), "") << length << " " << status;
  }
  EXPECT_GT(errors, tried * 9 / 10);
}

// What XLA:CPU said about each file: accepted, error, timeout, exception or CRASH.
TEST(CorpusTest, MalformedModulesAreRefusedOrReadNeverWorse) {
  const std::string root = DataFolder("hlo/malformed");
  const auto outcomes = ReadFile(root + "/outcomes.csv");
  if (!outcomes.ok()) GTEST_SKIP() << "no test data at " << root << ": set AXLE_TEST_DATA";
  // XLA looks at the lower half of an operand's id only, so here it takes an instruction of this
  // computation for one of another. Axle takes ids as they are written.
  const std::vector<std::string> stricter = {"operand_id_zero.pb", "operand_other_computation.pb"};
  int files = 0, refused = 0;
  for (const absl::string_view line : absl::StrSplit(*outcomes, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> row = absl::StrSplit(line, ',');
    if (!absl::EndsWith(row[0], ".pb")) continue;
    SCOPED_TRACE(row[0]);
    const auto bytes = ReadFile(absl::StrCat(root, "/", row[0]));
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    const absl::StatusOr<Module> module = ModuleFromAnyProtoBytes(*bytes);
    ++files;
    if (module.ok()) {
      // What can be read can be written, or the error says why not.
      const auto written = ModuleToProtoBytes(*module);
      EXPECT_TRUE(written.ok() || !ErrorIdOf(written.status()).empty());
      continue;
    }
    ++refused;
    EXPECT_NE(ErrorIdOf(module.status()), "") << module.status();
    const bool may_refuse = row[1] != "accepted" ||
                            std::find(stricter.begin(), stricter.end(), row[0]) != stricter.end();
    EXPECT_TRUE(may_refuse && !absl::StartsWith(row[0], "valid_")) << module.status();
  }
  EXPECT_EQ(files, 123);
  EXPECT_GE(refused, 40);
}

}  // namespace
}  // namespace axle::hlo
