// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {
namespace {

absl::Status BadGroups(absl::string_view message) {
  return MakeError(verify_errors::kReplicaGroups, message);
}

// What the numbers in groups count: channel and use_global_device_ids decide.
enum class Members : uint8_t { kReplicas, kPartitions, kDevices };

// How many members there are; 1 also where the module leaves them open.
int64_t MemberCount(const ModuleConfig& config, Members members) {
  switch (members) {
    case Members::kReplicas:
      return config.replica_count;
    case Members::kPartitions:
      return config.num_partitions;
    case Members::kDevices: {
      int64_t count = 0;
      const bool overflow =
          __builtin_mul_overflow(config.replica_count, config.num_partitions, &count);
      return overflow ? 1 : count;
    }
  }
  return 1;
}

// Collectives with the attribute use_global_device_ids.
bool TakesGlobalIds(Opcode opcode) {
  return opcode == Opcode::kAllGather || opcode == Opcode::kAllGatherStart ||
         opcode == Opcode::kAllReduce || opcode == Opcode::kAllReduceStart ||
         opcode == Opcode::kReduceScatter;
}

Members MembersOf(const Instruction& instruction, const CollectiveAttributes& a) {
  if (!a.channel_id) return Members::kReplicas;
  if (!TakesGlobalIds(instruction.opcode)) return Members::kPartitions;
  return a.use_global_device_ids ? Members::kDevices : Members::kReplicas;
}

// Groups that exchange parts of their arrays have one size; those that reduce whole arrays need
// not.
bool TakesGroupsOfAnySize(Opcode opcode) {
  return opcode == Opcode::kAllReduce || opcode == Opcode::kAllReduceStart;
}

absl::Status CheckListedGroups(const std::vector<std::vector<int64_t>>& groups, Opcode opcode,
                               int64_t* named) {
  absl::flat_hash_set<int64_t> seen;
  int64_t largest = -1;
  for (const auto& group : groups) {
    const bool fits = group.size() == groups[0].size() || TakesGroupsOfAnySize(opcode);
    if (group.empty() || !fits) {
      return BadGroups(absl::StrCat("a group of ", group.size(), " members; expected groups of ",
                                    groups[0].size(), ", at least 1"));
    }
    for (const int64_t member : group) {
      if (member < 0 || !seen.insert(member).second) {
        return BadGroups(absl::StrCat("member ", member, "; expected each number from 0 on once"));
      }
      largest = std::max(largest, member);
    }
  }
  *named = static_cast<int64_t>(seen.size());
  if (largest != *named - 1) {
    return BadGroups(
        absl::StrCat(*named, " members, the largest ", largest, "; expected no number left out"));
  }
  return absl::OkStatus();
}

absl::Status CheckIotaGroups(const ReplicaGroups& groups, int64_t* named) {
  int64_t product = 1;
  for (const int64_t size : groups.reshape_dims) {
    if (size < 1 || __builtin_mul_overflow(product, size, &product)) {
      return BadGroups(absl::StrCat("an iota with size ", size, "; expected at least 1"));
    }
  }
  if (groups.group_count < 1 || groups.group_size < 1 ||
      __builtin_mul_overflow(groups.group_count, groups.group_size, named) || *named != product) {
    return BadGroups(absl::StrCat(groups.group_count, " groups of ", groups.group_size,
                                  " from an iota of ", product, " members"));
  }
  std::vector<bool> seen(groups.reshape_dims.size());
  bool fits = groups.transpose_perm.empty() || groups.transpose_perm.size() == seen.size();
  for (size_t i = 0; fits && i < groups.transpose_perm.size(); ++i) {
    const int64_t entry = groups.transpose_perm[i];
    fits = entry >= 0 && entry < static_cast<int64_t>(seen.size()) && !seen[entry];
    if (fits) seen[entry] = true;
  }
  return fits ? absl::OkStatus() : BadGroups("an iota with a transposition that is none");
}

absl::Status CheckGroups(const ModuleConfig& config, const Instruction& instruction,
                         const CollectiveAttributes& a) {
  if (a.use_global_device_ids && !a.channel_id) {
    return BadGroups("use_global_device_ids without a channel_id");
  }
  const Members members = MembersOf(instruction, a);
  int64_t named = 0;
  switch (a.replica_groups.kind) {
    case ReplicaGroups::Kind::kMesh:
      return absl::OkStatus();
    case ReplicaGroups::Kind::kList:
      if (a.replica_groups.groups.empty()) {
        if (members != Members::kDevices) return absl::OkStatus();
        return BadGroups("use_global_device_ids without groups");
      }
      AXLE_RETURN_IF_ERROR(CheckListedGroups(a.replica_groups.groups, instruction.opcode, &named));
      break;
    case ReplicaGroups::Kind::kIota:
      AXLE_RETURN_IF_ERROR(CheckIotaGroups(a.replica_groups, &named));
      break;
  }
  const int64_t count = MemberCount(config, members);
  if (count > 1 && count != named) {
    return BadGroups(
        absl::StrCat(named, " members; expected the ", count, " that the module runs on"));
  }
  return absl::OkStatus();
}

absl::Status CheckPairs(const ModuleConfig& config, const CollectivePermuteAttributes& a) {
  const int64_t count =
      MemberCount(config, a.channel_id ? Members::kPartitions : Members::kReplicas);
  absl::flat_hash_set<int64_t> sources;
  absl::flat_hash_set<int64_t> targets;
  for (const auto& [source, target] : a.source_target_pairs.pairs) {
    if (source < 0 || target < 0 || (count > 1 && (source >= count || target >= count))) {
      return MakeError(verify_errors::kSourceTarget,
                       absl::StrCat("pair {", source, ",", target, "}; expected numbers from 0 on",
                                    count > 1 ? absl::StrCat(" and below ", count) : ""));
    }
    // In place, one device may send several slices.
    const bool in_place = !a.slice_sizes.empty();
    if (!in_place && (!sources.insert(source).second || !targets.insert(target).second)) {
      return MakeError(verify_errors::kSourceTarget,
                       absl::StrCat("pair {", source, ",", target,
                                    "} repeats a source or a target; expected each once"));
    }
  }
  return absl::OkStatus();
}

// Only the module says how many operands an all-to-all without a dimension needs, if no group does.
absl::Status CheckAllToAll(const ModuleConfig& config, const Instruction& instruction,
                           const CollectiveAttributes& a) {
  const bool along_dimension = a.dimensions && !a.dimensions->empty();
  const bool grouped =
      a.replica_groups.kind != ReplicaGroups::Kind::kList || !a.replica_groups.groups.empty();
  if (instruction.opcode != Opcode::kAllToAll || along_dimension || grouped) {
    return absl::OkStatus();
  }
  const int64_t count = MemberCount(config, MembersOf(instruction, a));
  if (static_cast<int64_t>(instruction.operands.size()) == count) return absl::OkStatus();
  return BadGroups(absl::StrCat(instruction.operands.size(), " operands; expected one for each of ",
                                count, " members"));
}

}  // namespace

absl::Status CheckCollective(const ModuleConfig& config, const Instruction& instruction) {
  if (const auto* a = instruction.attributes.TryAs<CollectiveAttributes>()) {
    AXLE_RETURN_IF_ERROR(CheckGroups(config, instruction, *a));
    return CheckAllToAll(config, instruction, *a);
  }
  const auto* a = instruction.attributes.TryAs<CollectivePermuteAttributes>();
  return a != nullptr ? CheckPairs(config, *a) : absl::OkStatus();
}

}  // namespace axle::hlo::verify
