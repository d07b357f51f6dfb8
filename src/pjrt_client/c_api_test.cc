// SPDX-License-Identifier: Apache-2.0
// Compares every struct, field and enumerator that we declare with the official header of the wheel
// xla-cpu-pjrt 0.0.1 (PJRT 0.81): a program that includes both is generated from the text of our
// headers, compiled and run, so that nothing declared can be forgotten.
#include "pjrt_client/c_api.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace axle::pjrt_client {
namespace {

// Slots of the official table: its last is PJRT_LoadedExecutable_GetDeviceAssignment.
constexpr size_t kOfficialSlots = 118;

// Younger than the official header; their numbers are from the changelog of PJRT.
const std::set<std::string> kYoungerEnumerators = {"PJRT_Buffer_Type_S1", "PJRT_Buffer_Type_U1",
                                                   "PJRT_Buffer_Type_F6E2M3FN",
                                                   "PJRT_Buffer_Type_F6E3M2FN"};

constexpr char kProgramHead[] = R"(
#include <cstddef>
#include <cstdio>
namespace ours = axle::pjrt_client;
static int checks = 0, failures = 0;
static void Check(const char* what, size_t our, size_t official) {
  ++checks;
  if (our == official) return;
  ++failures;
  std::printf("%s: ours %zu, official %zu\n", what, our, official);
}
#define SIZE(s) Check("size of " #s, sizeof(ours::s), sizeof(::s));
#define FIELD(s, f) \
  Check("offset of " #s "." #f, offsetof(ours::s, f), offsetof(::s, f)); \
  Check("size of " #s "." #f, sizeof(((ours::s*)0)->f), sizeof(((::s*)0)->f));
#define VALUE(e) Check(#e, ours::e, ::e);
int main() {
)";
constexpr char kProgramTail[] = R"(
  std::printf("%d checks\n", checks);
  return failures == 0 ? 0 : 1;
}
)";

std::string OfficialHeader() {
  if (const char* path = std::getenv("AXLE_PJRT_OFFICIAL_HEADER")) return path;
  return AXLE_SOURCE_DIR "/.deps/xla-cpu-pjrt/xla_plugins/xla_cpu_pjrt/include/pjrt_c_api.h";
}

// One macro call for each struct, field and enumerator of one of our headers, whose form
// clang-format fixes: one declaration a line.
std::string ChecksOf(const std::string& header) {
  static const std::regex kStart(R"(^(struct|enum) (PJRT_\w+)( : int)? \{$)");
  static const std::regex kPointerField(R"(\(\*(\w+)\)\(.*;)");
  static const std::regex kField(R"((\w+);)");
  static const std::regex kEnumerator(R"(^  (PJRT_\w+) = )");
  std::ifstream file(header);
  EXPECT_TRUE(file.good()) << header;
  std::string checks, line, name;
  std::smatch match;
  while (std::getline(file, line)) {
    if (std::regex_search(line, match, kStart)) {
      name = match[2];
      if (match[1] == "struct" && name != "PJRT_Api")
        absl::StrAppend(&checks, "SIZE(", name, ")\n");
    } else if (line == "};") {
      name.clear();
    } else if (name.empty()) {
      continue;
    } else if (std::regex_search(line, match, kEnumerator)) {
      if (kYoungerEnumerators.contains(match[1])) continue;
      absl::StrAppend(&checks, "VALUE(", match[1].str(), ")\n");
    } else if (std::regex_search(line, match, kPointerField) ||
               std::regex_search(line, match, kField)) {
      absl::StrAppend(&checks, "FIELD(", name, ", ", match[1].str(), ")\n");
    }
  }
  return checks;
}

std::string SlotChecks() {
#define AXLE_SLOT(name) "PJRT_" #name,
  const std::vector<std::string> slots = {AXLE_PJRT_API_SLOTS(AXLE_SLOT, AXLE_SLOT, AXLE_SLOT)};
#undef AXLE_SLOT
  std::string checks;
  for (size_t i = 0; i < kOfficialSlots; ++i) {
    absl::StrAppend(&checks, "FIELD(PJRT_Api, ", slots[i], ")\n");
  }
  return checks;
}

struct Outcome {
  int status;
  std::string output;
};

Outcome RunCommand(const std::string& command, const std::string& output_file) {
  const int status = std::system(absl::StrCat(command, " >", output_file, " 2>&1").c_str());
  std::ifstream file(output_file);
  return {status, std::string(std::istreambuf_iterator<char>(file), {})};
}

// Compiles and runs the generated program.
Outcome Compare(const std::string& checks) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / absl::StrCat("axle_c_api_test_", getpid());
  std::filesystem::create_directory(folder);
  const std::string program = folder / "compare";
  const std::string log = folder / "log";
  std::ofstream(program + ".cc") << "#include \"" << OfficialHeader() << "\"\n"
                                 << "#include \"pjrt_client/c_api.h\"\n"
                                 << kProgramHead << checks << kProgramTail;
  // The official table names its fields like their types, which g++ takes with -fpermissive only.
  Outcome outcome =
      RunCommand(absl::StrCat("c++ -std=c++20 -w -fpermissive -I" AXLE_SOURCE_DIR "/src -o ",
                              program, " ", program, ".cc"),
                 log);
  if (outcome.status == 0) outcome = RunCommand(program, log);
  std::filesystem::remove_all(folder);
  return outcome;
}

class CApiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(OfficialHeader())) {
      GTEST_SKIP() << "no official header at " << OfficialHeader()
                   << ": run scripts/install-deps or set AXLE_PJRT_OFFICIAL_HEADER";
    }
    if (std::system("c++ --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no compiler c++";
  }
};

TEST_F(CApiTest, EverythingDeclaredIsWhereTheOfficialHeaderHasIt) {
  const std::string folder = AXLE_SOURCE_DIR "/src/pjrt_client/";
  const std::string checks =
      absl::StrCat(ChecksOf(folder + "c_api_types.h"), ChecksOf(folder + "c_api_args.h"),
                   ChecksOf(folder + "c_api.h"), SlotChecks());
  const Outcome outcome = Compare(checks);
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  // 7 structs and 58 argument structs with a head of two fields each is the least there can be.
  int count = 0;
  ASSERT_EQ(std::sscanf(outcome.output.c_str(), "%d checks", &count), 1) << outcome.output;
  EXPECT_GT(count, 65 * 5 + 2 * kOfficialSlots);
}

TEST_F(CApiTest, TheComparisonFindsDifferences) {
  const Outcome outcome = Compare("Check(\"seeded\", 1, 2);\n");
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("seeded: ours 1, official 2"), std::string::npos) << outcome.output;
}

// Beyond the official header at hand: sizes and numbers of version 0.114.
TEST(CApi, TableOfVersion114) {
  EXPECT_EQ(offsetof(PJRT_Api, PJRT_Error_ForEachPayload), 40u + 132 * 8);
  EXPECT_EQ(offsetof(PJRT_Api, PJRT_TopologyDescription_GetMemorySpaceKindIds), 40u + 137 * 8);
  EXPECT_EQ(PJRT_Buffer_Type_S1, 30);
  EXPECT_EQ(PJRT_Buffer_Type_U1, 31);
  EXPECT_EQ(PJRT_Buffer_Type_F6E2M3FN, 32);
  EXPECT_EQ(PJRT_Buffer_Type_F6E3M2FN, 33);
}

}  // namespace
}  // namespace axle::pjrt_client
