// SPDX-License-Identifier: Apache-2.0
// NameIndex: the instructions of a computation by name.
#ifndef AXLE_HLO_NAME_INDEX_H_
#define AXLE_HLO_NAME_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "hlo/instruction.h"

namespace axle::hlo {

// Holds of each name its instruction and half its hash, and finds the name itself in the
// instruction, so that it fits into caches where a table of names would not. `instructions` must
// outlive it and may grow, but neither lose nor rename what is in the index. Not thread-safe.
class NameIndex {
 public:
  explicit NameIndex(const std::vector<Instruction>* instructions)
      : instructions_(*instructions), entries_(0, Hash{instructions}, Equal{instructions}) {}

  void Reserve(size_t count) { entries_.reserve(count); }

  // Fetches into caches what Insert(instruction of this name) will need: of large computations that
  // is far away.
  void Prefetch(absl::string_view name) const { entries_.prefetch(Wanted(name)); }
  // False, and nothing done, if it has an instruction of the same name.
  bool Insert(InstructionIndex index) {
    const Wanted wanted(instructions_[index].name);
    bool added = false;
    entries_.lazy_emplace(wanted, [&](const auto& construct) {
      construct(Entry{index, wanted.half_hash()});
      added = true;
    });
    return added;
  }

  std::optional<InstructionIndex> Find(absl::string_view name) const {
    const auto found = entries_.find(Wanted(name));
    return found == entries_.end() ? std::nullopt : std::optional<InstructionIndex>(found->index);
  }

 private:
  using Instructions = std::vector<Instruction>;
  struct Entry {
    InstructionIndex index;
    uint32_t half_hash;
  };
  struct Wanted {
    explicit Wanted(absl::string_view n) : name(n), hash(absl::Hash<absl::string_view>()(n)) {}
    uint32_t half_hash() const { return static_cast<uint32_t>(hash >> 32); }
    absl::string_view name;
    size_t hash;
  };
  struct Hash {
    using is_transparent = void;
    const Instructions* instructions;
    size_t operator()(const Entry& e) const { return Wanted((*instructions)[e.index].name).hash; }
    size_t operator()(const Wanted& wanted) const { return wanted.hash; }
  };
  struct Equal {
    using is_transparent = void;
    const Instructions* instructions;
    bool operator()(const Entry& a, const Entry& b) const { return a.index == b.index; }
    bool operator()(const Entry& e, const Wanted& wanted) const {
      return e.half_hash == wanted.half_hash() && (*instructions)[e.index].name == wanted.name;
    }
  };

  const Instructions& instructions_;
  absl::flat_hash_set<Entry, Hash, Equal> entries_;
};

}  // namespace axle::hlo

#endif  // AXLE_HLO_NAME_INDEX_H_
