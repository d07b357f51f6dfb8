// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "hlo/leaves.h"
#include "hlo/sharding_leaves.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {
namespace {

// Devices that the module runs on, where it says so: a module that names one leaves them open.
using DeviceCount = std::optional<int64_t>;

absl::Status BadSharding(absl::string_view message) {
  return MakeError(verify_errors::kSharding, message);
}

DeviceCount DeviceCountOf(const ModuleConfig& config) {
  int64_t count = 0;
  if (config.num_partitions <= 1 || config.replica_count < 1 ||
      __builtin_mul_overflow(config.replica_count, config.num_partitions, &count)) {
    return std::nullopt;
  }
  return count;
}

absl::Status CheckDevice(int64_t device, DeviceCount devices) {
  if (device >= 0 && (!devices || device < *devices)) return absl::OkStatus();
  return BadSharding(absl::StrCat("device ", device, "; expected at least 0",
                                  devices ? absl::StrCat(" and below ", *devices) : ""));
}

// Product of sizes of at least 1.
absl::StatusOr<int64_t> Product(absl::Span<const int64_t> sizes, const char* what) {
  int64_t product = 1;
  for (const int64_t size : sizes) {
    if (size < 1 || __builtin_mul_overflow(product, size, &product)) {
      return BadSharding(absl::StrCat(what, " has ", size,
                                      "; expected sizes of at least 1, with a product below 2^63"));
    }
  }
  return product;
}

absl::Status CheckPermutation(absl::Span<const int64_t> permutation, size_t count) {
  std::vector<bool> seen(count);
  bool fits = permutation.empty() || permutation.size() == count;
  for (const int64_t entry : permutation) {
    fits = fits && entry >= 0 && entry < static_cast<int64_t>(count) && !seen[entry];
    if (!fits) break;
    seen[entry] = true;
  }
  if (fits) return absl::OkStatus();
  return BadSharding(
      absl::StrCat("a transposition that does not name each of ", count, " dimensions once"));
}

absl::Status CheckTiled(const Sharding& sharding, DeviceCount devices) {
  AXLE_ASSIGN_OR_RETURN(const int64_t tiles, Product(sharding.tile_dimensions, "the tiling"));
  const size_t subgroups =
      sharding.last_tile_dims.size() + (sharding.replicate_on_last_tile_dim ? 1 : 0);
  if (sharding.tile_dimensions.empty() || subgroups > sharding.tile_dimensions.size()) {
    return BadSharding(absl::StrCat(sharding.tile_dimensions.size(), " tile dimensions, ",
                                    subgroups, " of them for subgroups"));
  }
  int64_t count = static_cast<int64_t>(sharding.devices.size());
  if (!sharding.iota_reshape_dims.empty()) {
    AXLE_ASSIGN_OR_RETURN(count, Product(sharding.iota_reshape_dims, "the iota of devices"));
    AXLE_RETURN_IF_ERROR(
        CheckPermutation(sharding.iota_transpose_perm, sharding.iota_reshape_dims.size()));
    AXLE_RETURN_IF_ERROR(CheckDevice(count - 1, devices));
  }
  if (count != tiles) {
    return BadSharding(absl::StrCat(count, " devices for ", tiles, " tiles; expected as many"));
  }
  absl::flat_hash_set<int64_t> seen;
  for (const int64_t device : sharding.devices) {
    AXLE_RETURN_IF_ERROR(CheckDevice(device, devices));
    if (!seen.insert(device).second) {
      return BadSharding(absl::StrCat("device ", device, " is listed twice"));
    }
  }
  return absl::OkStatus();
}

// Everything but what depends on the shape. Tuple shardings are flat: one entry a leaf.
absl::Status CheckOne(const Sharding& sharding, DeviceCount devices) {
  if (!sharding.unparsed.empty()) return absl::OkStatus();
  switch (sharding.type) {
    case Sharding::Type::kReplicated:
    case Sharding::Type::kManual:
    case Sharding::Type::kUnknown:
    case Sharding::Type::kUnreduced:
      return absl::OkStatus();
    case Sharding::Type::kMaximal:
      if (sharding.devices.size() != 1) {
        return BadSharding(
            absl::StrCat("maximal on ", sharding.devices.size(), " devices; expected one"));
      }
      return CheckDevice(sharding.devices[0], devices);
    case Sharding::Type::kTiled:
      return CheckTiled(sharding, devices);
    case Sharding::Type::kTuple:
      return BadSharding("a tuple sharding inside another; expected one entry a leaf");
  }
  return absl::OkStatus();
}

absl::Status CheckAlone(const Sharding& sharding, DeviceCount devices) {
  if (sharding.type != Sharding::Type::kTuple || !sharding.unparsed.empty()) {
    return CheckOne(sharding, devices);
  }
  for (const Sharding& element : sharding.elements) {
    AXLE_RETURN_IF_ERROR(CheckOne(element, devices));
  }
  return absl::OkStatus();
}

// A tiling has as many dimensions as the array that it tiles, besides those for subgroups.
absl::Status CheckRank(const Sharding& sharding, const Shape& leaf) {
  if (sharding.type != Sharding::Type::kTiled || !sharding.unparsed.empty()) {
    return absl::OkStatus();
  }
  const size_t subgroups =
      sharding.last_tile_dims.size() + (sharding.replicate_on_last_tile_dim ? 1 : 0);
  const size_t rank = sharding.tile_dimensions.size() - subgroups;
  if (rank == static_cast<size_t>(leaf.rank())) return absl::OkStatus();
  return BadSharding(absl::StrCat(rank, " tile dimensions for ", leaf.ToString(false)));
}

// One sharding for an array, one a leaf for a tuple; for an empty tuple, one all the same.
absl::Status CheckAgainst(const Shape& shape, const Sharding& sharding) {
  const bool is_tuple = shape.IsTuple();
  std::vector<Shape> leaves;
  AppendLeaves(shape, &leaves);
  if (!sharding.unparsed.empty() || leaves.empty()) return absl::OkStatus();
  if ((sharding.type == Sharding::Type::kTuple) != is_tuple) {
    return BadSharding(absl::StrCat("a sharding of ", is_tuple ? "one array" : "a tuple", " for ",
                                    shape.ToString(false)));
  }
  const auto shardings = LeafShardings(shape, sharding);
  if (!shardings.has_value()) {
    return BadSharding(absl::StrCat("a tuple sharding of ", sharding.elements.size(),
                                    " entries; expected ", leaves.size(),
                                    ", one a leaf of the shape"));
  }
  for (size_t i = 0; i < leaves.size(); ++i) {
    AXLE_RETURN_IF_ERROR(CheckRank(*(*shardings)[i], leaves[i]));
  }
  return absl::OkStatus();
}

// What a sharding of the instruction describes. An outfeed's may be of what goes out and a token.
Shape ShardedShape(const Computation& computation, const Instruction& instruction,
                   const Sharding& sharding) {
  if (instruction.opcode != Opcode::kOutfeed || sharding.type != Sharding::Type::kTuple) {
    return instruction.shape;
  }
  return Shape::Tuple({computation.instructions[instruction.operands[0]].shape, Shape::Token()});
}

}  // namespace

absl::Status CheckSharding(const ModuleConfig& config, const Computation& computation,
                           const Instruction& instruction) {
  if (const Sharding* sharding = instruction.sharding()) {
    AXLE_RETURN_IF_ERROR(CheckAlone(*sharding, DeviceCountOf(config)));
    const Shape shape = ShardedShape(computation, instruction, *sharding);
    AXLE_RETURN_IF_ERROR(CheckAgainst(shape, *sharding));
  }
  if (instruction.opcode != Opcode::kDomain) return absl::OkStatus();
  const DomainShardings& domain = instruction.As<DomainAttributes>().domain;
  const DeviceCount devices = DeviceCountOf(config);
  if (domain.entry) AXLE_RETURN_IF_ERROR(CheckAlone(*domain.entry, devices));
  return domain.exit ? CheckAlone(*domain.exit, devices) : absl::OkStatus();
}

absl::Status CheckShardings(const ModuleConfig& config) {
  const DeviceCount devices = DeviceCountOf(config);
  for (const Sharding& sharding : config.spmd_parameter_shardings) {
    AXLE_RETURN_IF_ERROR(AtPlace("spmd_parameters_shardings", CheckAlone(sharding, devices)));
  }
  if (!config.spmd_output_sharding) return absl::OkStatus();
  return AtPlace("spmd_output_sharding", CheckAlone(*config.spmd_output_sharding, devices));
}

}  // namespace axle::hlo::verify
