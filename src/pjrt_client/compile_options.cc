// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/compile_options.h"

#include <algorithm>
#include <cstring>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "pjrt_client/errors.h"

namespace axle::pjrt_client {
namespace {

// More replicas or partitions than any system has devices.
constexpr int64_t kMostDevices = int64_t{1} << 20;

// Appends fields in protobuf's wire format.
class WireWriter {
 public:
  void Varint(int field, uint64_t value) {
    Raw(uint64_t{static_cast<unsigned>(field)} << 3);
    Raw(value);
  }
  void Bytes(int field, absl::string_view bytes) {
    Raw(uint64_t{static_cast<unsigned>(field)} << 3 | 2);
    Raw(bytes.size());
    bytes_.append(bytes.data(), bytes.size());
  }
  void Double(int field, double value) {
    Raw(uint64_t{static_cast<unsigned>(field)} << 3 | 1);
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(bits >> (8 * i)));
  }
  void Raw(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

absl::Status Check(const CompileOptions& options) {
  const auto fail = [](auto... parts) {
    return MakeError(errors::kCompileOptions, absl::StrCat(parts...));
  };
  for (const int64_t count : {options.num_replicas, options.num_partitions}) {
    if (count < 1 || count > kMostDevices) {
      return fail("num_replicas ", options.num_replicas, " and num_partitions ",
                  options.num_partitions, " must be from 1 to ", kMostDevices);
    }
  }
  const int64_t devices = options.num_replicas * options.num_partitions;
  if (options.num_partitions > 1 && !options.use_spmd_partitioning) {
    return fail(options.num_partitions, " partitions need use_spmd_partitioning");
  }
  if (options.portable && (devices != 1 || !options.device_ids.empty())) {
    return fail("a portable program has one replica, one partition and no assigned device");
  }
  absl::flat_hash_set<absl::string_view> names;
  for (const OptionOverride& option : options.overrides) {
    if (!names.insert(option.name).second) return fail(option.name, " is set twice");
  }
  if (options.device_ids.empty()) return absl::OkStatus();
  if (static_cast<int64_t>(options.device_ids.size()) != devices) {
    return fail(options.device_ids.size(), " devices are assigned to ", options.num_replicas,
                " replicas x ", options.num_partitions, " partitions");
  }
  absl::flat_hash_set<int64_t> seen;
  for (const int64_t id : options.device_ids) {
    if (id < 0) return fail("device id ", id, " is negative");
    if (!seen.insert(id).second) return fail("device ", id, " is assigned twice");
  }
  return absl::OkStatus();
}

// DeviceAssignmentProto: replica_count 1, computation_count 2, computation_devices 3, one for each
// partition, in which replica_device_ids 1 (packed) has a device for each replica.
std::string DeviceAssignment(const CompileOptions& options) {
  WireWriter assignment;
  assignment.Varint(1, options.num_replicas);
  assignment.Varint(2, options.num_partitions);
  for (int64_t partition = 0; partition < options.num_partitions; ++partition) {
    WireWriter ids;
    for (int64_t replica = 0; replica < options.num_replicas; ++replica) {
      ids.Raw(options.device_ids[replica * options.num_partitions + partition]);
    }
    WireWriter row;
    row.Bytes(1, ids.bytes());
    assignment.Bytes(3, row.bytes());
  }
  return assignment.bytes();
}

// ExecutableBuildOptionsProto: device_ordinal 1 (-1: none), num_replicas 4, num_partitions 5,
// use_spmd_partitioning 6, device_assignment 9.
std::string BuildOptions(const CompileOptions& options) {
  WireWriter build;
  build.Varint(1, static_cast<uint64_t>(int64_t{-1}));
  build.Varint(4, options.num_replicas);
  build.Varint(5, options.num_partitions);
  if (options.use_spmd_partitioning) build.Varint(6, 1);
  if (!options.device_ids.empty()) build.Bytes(9, DeviceAssignment(options));
  return build.bytes();
}

// OptionOverrideProto: a oneof of string 1, bool 2, int64 3, double 4; written also where zero.
std::string OverrideValue(const OptionOverride& option) {
  WireWriter value;
  if (const auto* text = std::get_if<std::string>(&option.value)) {
    value.Bytes(1, *text);
  } else if (const auto* flag = std::get_if<bool>(&option.value)) {
    value.Varint(2, *flag ? 1 : 0);
  } else if (const auto* integer = std::get_if<int64_t>(&option.value)) {
    value.Varint(3, static_cast<uint64_t>(*integer));
  } else {
    value.Double(4, std::get<double>(option.value));
  }
  return value.bytes();
}

}  // namespace

// CompileOptionsProto: executable_build_options 3, compile_portable_executable 4,
// env_option_overrides 7, a map whose entries have key 1 and value 2.
absl::StatusOr<std::string> SerializeCompileOptions(const CompileOptions& options) {
  AXLE_RETURN_IF_ERROR(Check(options));
  WireWriter result;
  result.Bytes(3, BuildOptions(options));
  if (options.portable) result.Varint(4, 1);
  std::vector<const OptionOverride*> sorted;
  for (const OptionOverride& option : options.overrides) sorted.push_back(&option);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return a->name < b->name; });
  for (const OptionOverride* option : sorted) {
    WireWriter entry;
    entry.Bytes(1, option->name);
    entry.Bytes(2, OverrideValue(*option));
    result.Bytes(7, entry.bytes());
  }
  return result.bytes();
}

}  // namespace axle::pjrt_client
