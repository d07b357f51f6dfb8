// SPDX-License-Identifier: Apache-2.0
// Shardings of tuple-shaped values. One is a list with an entry a leaf, depth first; a tuple
// without leaves has one entry all the same. Older programs write the sharding of one array
// instead, which then holds for every leaf. Functions are thread-safe.
#ifndef AXLE_HLO_SHARDING_LEAVES_H_
#define AXLE_HLO_SHARDING_LEAVES_H_

#include <optional>
#include <vector>

#include "hlo/attribute_values.h"
#include "hlo/shape.h"

namespace axle::hlo {

// Turns the sharding of one array into the list that it stands for when `shape` is a tuple, as
// XLA's readers do. Leaves as they are lists, shardings of other shapes, shardings known as text
// only, and those that would grow past 2^20 devices.
void SpreadOverLeaves(const Shape& shape, Sharding* sharding);

// For each leaf of `shape` its sharding: the list's entries, or `sharding` itself for all. None
// when a list has more or fewer entries than `shape` has leaves. The pointers are into `sharding`.
std::optional<std::vector<const Sharding*>> LeafShardings(const Shape& shape,
                                                          const Sharding& sharding);

}  // namespace axle::hlo

#endif  // AXLE_HLO_SHARDING_LEAVES_H_
