// SPDX-License-Identifier: Apache-2.0
#include "hlo/sharding_leaves.h"

#include <algorithm>
#include <utility>

namespace axle::hlo {
namespace {

// Devices, and bytes of text, of all entries together. A file could ask for the square of its size.
constexpr int64_t kMostSpread = int64_t{1} << 20;

}  // namespace

void SpreadOverLeaves(const Shape& shape, Sharding* sharding) {
  if (!shape.IsTuple() || sharding->type == Sharding::Type::kTuple || !sharding->unparsed.empty()) {
    return;
  }
  const int64_t entries = std::max<int64_t>(shape.LeafCount(), 1);
  const size_t size = 1 + sharding->devices.size() + sharding->tile_dimensions.size() +
                      sharding->iota_reshape_dims.size() + sharding->last_tile_dims.size() +
                      sharding->metadata_text.size() + sharding->unknown_wire.size();
  if (entries > kMostSpread / static_cast<int64_t>(size)) return;
  Sharding list;
  list.type = Sharding::Type::kTuple;
  list.elements.assign(entries, *sharding);
  *sharding = std::move(list);
}

std::optional<std::vector<const Sharding*>> LeafShardings(const Shape& shape,
                                                          const Sharding& sharding) {
  const int64_t leaves = shape.LeafCount();
  if (sharding.type != Sharding::Type::kTuple) {
    return std::vector<const Sharding*>(leaves, &sharding);
  }
  const int64_t entries = static_cast<int64_t>(sharding.elements.size());
  if (entries != leaves && (entries != 1 || leaves != 0)) return std::nullopt;
  std::vector<const Sharding*> shardings;
  shardings.reserve(leaves);
  for (int64_t i = 0; i < leaves; ++i) shardings.push_back(&sharding.elements[i]);
  return shardings;
}

}  // namespace axle::hlo
