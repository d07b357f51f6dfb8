// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/compile_options.h"

#include <string>

#include "absl/strings/escaping.h"
#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace axle::pjrt_client {
namespace {

using ::testing::HasSubstr;

std::string Hex(const CompileOptions& options) {
  const auto bytes = SerializeCompileOptions(options);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.ok() ? absl::BytesToHexString(*bytes) : "";
}

void ExpectRefused(const CompileOptions& options, const char* words) {
  const absl::Status status = SerializeCompileOptions(options).status();
  EXPECT_EQ(ErrorIdOf(status), "AX0714") << status;
  EXPECT_THAT(status.message(), HasSubstr(words));
}

CompileOptions Bare() {
  CompileOptions options;
  options.overrides.clear();
  return options;
}

// field 3, 15 bytes: 08 = field 1 varint -1 (nine times ff, 01); 20 01 = field 4; 28 01 = field 5.
constexpr char kOneDevice[] = "1a0f08ffffffffffffffffff0120012801";

TEST(CompileOptionsTest, Smallest) { EXPECT_EQ(Hex(Bare()), kOneDevice); }

// field 7, 33 bytes: key (field 1) of 27 bytes, value (field 2) of 2 bytes: field 2 = 0.
TEST(CompileOptionsTest, DefaultKeepsNan) {
  EXPECT_EQ(Hex({}), std::string(kOneDevice) + "3a210a1b" +
                         absl::BytesToHexString("xla_cpu_enable_fast_min_max") + "12021000");
}

// Field 9 of the build options: 08 02 = 2 replicas, 10 01 = 1 computation, 1a 04 = one row of
// 4 bytes: 0a 02 = packed ids 03 01 (hex ids). The build options then have 15 + 2 + 10 bytes.
TEST(CompileOptionsTest, ReplicasOnDevices) {
  CompileOptions options = Bare();
  options.num_replicas = 2;
  options.device_ids = {3, 1};
  EXPECT_EQ(Hex(options),
            "1a1b08ffffffffffffffffff01200228014a0a08021001"
            "1a040a020301");
}

// Replica by replica in: (r0p0, r0p1, r1p0, r1p1) = 0 1 2 300; partition by partition out: rows
// {0, 2} and {1, 300}, 300 being ac 02.
TEST(CompileOptionsTest, PartitionsAreRows) {
  CompileOptions options = Bare();
  options.num_replicas = 2;
  options.num_partitions = 2;
  options.use_spmd_partitioning = true;
  options.device_ids = {0, 1, 2, 300};
  EXPECT_EQ(Hex(options),
            "1a2408ffffffffffffffffff01200228023001"
            "4a1108021002"
            "1a040a020002"
            "1a050a0301ac02");
}

// 20 01 = field 4 of the outer message.
TEST(CompileOptionsTest, Portable) {
  CompileOptions options = Bare();
  options.portable = true;
  EXPECT_EQ(Hex(options), std::string(kOneDevice) + "2001");
}

// Sorted by name, values: 22 (double, field 4) would be 21: field 4, wire type 1, 1.5 = 3ff8 << 48.
TEST(CompileOptionsTest, OverridesOfEveryKindInOrderOfNames) {
  CompileOptions options = Bare();
  options.overrides = {{"d", 1.5}, {"c", int64_t{300}}, {"b", true}, {"a", std::string("xy")}};
  EXPECT_EQ(Hex(options), std::string(kOneDevice) +
                              "3a09"
                              "0a0161"
                              "12040a027879"
                              "3a07"
                              "0a0162"
                              "12021001"
                              "3a08"
                              "0a0163"
                              "120318ac02"
                              "3a0e"
                              "0a0164"
                              "120921000000000000f83f");
}

TEST(CompileOptionsTest, OverrideSetTwice) {
  CompileOptions options;
  options.overrides.push_back({"xla_cpu_enable_fast_min_max", true});
  ExpectRefused(options, "xla_cpu_enable_fast_min_max is set twice");
}

TEST(CompileOptionsTest, CountsOutOfRange) {
  CompileOptions options;
  options.num_replicas = 0;
  ExpectRefused(options, "num_replicas 0");
  options.num_replicas = -1;
  ExpectRefused(options, "num_replicas -1");
  options.num_replicas = int64_t{1} << 40;
  ExpectRefused(options, "must be from 1 to");
  options.num_replicas = 1;
  options.num_partitions = 0;
  ExpectRefused(options, "num_partitions 0");
}

TEST(CompileOptionsTest, PartitionsNeedSpmd) {
  CompileOptions options;
  options.num_partitions = 2;
  ExpectRefused(options, "use_spmd_partitioning");
  options.use_spmd_partitioning = true;
  EXPECT_TRUE(SerializeCompileOptions(options).ok());
}

TEST(CompileOptionsTest, DeviceAssignment) {
  CompileOptions options;
  options.num_replicas = 2;
  options.device_ids = {0};
  ExpectRefused(options, "1 devices are assigned to 2 replicas x 1 partitions");
  options.device_ids = {1, 1};
  ExpectRefused(options, "device 1 is assigned twice");
  options.device_ids = {1, -1};
  ExpectRefused(options, "device id -1 is negative");
}

TEST(CompileOptionsTest, PortableIsForOneDevice) {
  CompileOptions options;
  options.portable = true;
  options.num_replicas = 2;
  ExpectRefused(options, "portable");
  options.num_replicas = 1;
  options.device_ids = {0};
  ExpectRefused(options, "portable");
}

}  // namespace
}  // namespace axle::pjrt_client
