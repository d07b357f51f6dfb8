// SPDX-License-Identifier: Apache-2.0
// A 64-bit hash that is the same in every process: for keys that leave it. Not against adversaries.
#ifndef AXLE_HLO_STABLE_HASH_H_
#define AXLE_HLO_STABLE_HASH_H_

#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"

namespace axle::hlo {

class StableHash {
 public:
  void Add(uint64_t value) { state_ = Mix(state_ ^ value, kFactor) + kStep; }

  void AddBytes(const void* data, size_t size) {
    Add(size);
    const char* bytes = static_cast<const char*>(data);
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), bytes += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, bytes, sizeof(word));
      Add(word);
    }
    uint64_t rest = 0;
    if (size > 0) std::memcpy(&rest, bytes, size);
    Add(rest);
  }
  void AddText(absl::string_view text) { AddBytes(text.data(), text.size()); }

  uint64_t value() const { return Mix(state_, kStep); }

 private:
  // Odd constants without structure: the fractional digits of the square roots of 2 and 3.
  static constexpr uint64_t kFactor = 0x6a09e667f3bcc909;
  static constexpr uint64_t kStep = 0xbb67ae8584caa73b;

  static uint64_t Mix(uint64_t a, uint64_t b) {
    const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }

  uint64_t state_ = kStep;
};

}  // namespace axle::hlo

#endif  // AXLE_HLO_STABLE_HASH_H_
