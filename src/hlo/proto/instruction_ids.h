// SPDX-License-Identifier: Apache-2.0
// InstructionIds: the instructions of a computation by their ids on the wire.
#ifndef AXLE_HLO_PROTO_INSTRUCTION_IDS_H_
#define AXLE_HLO_PROTO_INSTRUCTION_IDS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hlo/instruction.h"

namespace axle::hlo::proto {

// Ids are any numbers. Those close to the first one, as nearly all are, have their place in a
// table, where neighbours share cache lines; the others are hashed.
class InstructionIds {
 public:
  // `count`: about how many will be inserted.
  explicit InstructionIds(size_t count) : near_(kSpread * count, kNone) {}

  // False, and nothing done, if the id has an instruction already.
  bool Insert(int64_t id, InstructionIndex index) {
    if (!first_.has_value()) first_ = static_cast<uint64_t>(id) - near_.size() / 2;
    const uint64_t place = static_cast<uint64_t>(id) - *first_;
    if (place >= near_.size()) return far_.emplace(id, index).second;
    if (near_[place] != kNone) return false;
    near_[place] = index;
    return true;
  }

  std::optional<InstructionIndex> Find(int64_t id) const {
    if (!first_.has_value()) return std::nullopt;
    const uint64_t place = static_cast<uint64_t>(id) - *first_;
    if (place < near_.size()) {
      return near_[place] == kNone ? std::nullopt : std::optional<InstructionIndex>(near_[place]);
    }
    const auto found = far_.find(id);
    return found == far_.end() ? std::nullopt : std::optional<InstructionIndex>(found->second);
  }

 private:
  static constexpr size_t kSpread = 4;  // places an instruction, the first one's in the middle
  static constexpr InstructionIndex kNone = std::numeric_limits<InstructionIndex>::max();

  std::optional<uint64_t> first_;  // id of place 0; differences wrap around
  std::vector<InstructionIndex> near_;
  absl::flat_hash_map<int64_t, InstructionIndex> far_;
};

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_INSTRUCTION_IDS_H_
