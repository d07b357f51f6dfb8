// SPDX-License-Identifier: Apache-2.0
#include "eval/counter_rng.h"

#include <bit>

namespace axle::eval {
namespace {

uint32_t Low(uint64_t x) { return static_cast<uint32_t>(x); }
uint32_t High(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

}  // namespace

std::array<uint32_t, 2> ThreeFry2x32(uint64_t key, uint64_t counter) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  constexpr uint32_t kParity = 0x1BD11BDA;
  const uint32_t keys[3] = {Low(key), High(key), Low(key) ^ High(key) ^ kParity};
  uint32_t x = Low(counter) + keys[0], y = High(counter) + keys[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (int rotation : kRotations[group % 2]) {
      x += y;
      y = std::rotl(y, rotation) ^ x;
    }
    x += keys[(group + 1) % 3];
    y += keys[(group + 2) % 3] + group + 1;
  }
  return {x, y};
}

std::array<uint32_t, 4> Philox4x32(uint64_t key, unsigned __int128 counter) {
  constexpr uint64_t kMultiplier[2] = {0xD2511F53, 0xCD9E8D57};
  constexpr uint32_t kWeyl[2] = {0x9E3779B9, 0xBB67AE85};
  std::array<uint32_t, 4> x;
  for (int i = 0; i < 4; ++i) x[i] = static_cast<uint32_t>(counter >> (32 * i));
  uint32_t key_low = Low(key), key_high = High(key);
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = kMultiplier[0] * x[0], product1 = kMultiplier[1] * x[2];
    x = {High(product1) ^ x[1] ^ key_low, Low(product1), High(product0) ^ x[3] ^ key_high,
         Low(product0)};
    key_low += kWeyl[0];
    key_high += kWeyl[1];
  }
  return x;
}

}  // namespace axle::eval
