// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/sharding_reader.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "hlo/text/errors.h"

namespace axle::hlo::text {
namespace {

using Type = Sharding::Type;

std::optional<Type> TypeFromWord(absl::string_view word) {
  if (word == "replicated") return Type::kReplicated;
  if (word == "maximal") return Type::kMaximal;
  if (word == "manual") return Type::kManual;
  if (word == "unknown") return Type::kUnknown;
  if (word == "unreduced") return Type::kUnreduced;
  return std::nullopt;
}

absl::Status ReadDevices(Reader& reader, Sharding& sharding) {
  AXLE_ASSIGN_OR_RETURN(sharding.tile_dimensions, reader.TakeInt64List('[', ']', "tile sizes"));
  if (reader.TryKind(TokenKind::kLessEqual)) {
    return ReadIota(reader, sharding.iota_reshape_dims, sharding.iota_transpose_perm);
  }
  do {
    AXLE_ASSIGN_OR_RETURN(const int64_t device, reader.TakeInt64("a device number"));
    sharding.devices.push_back(device);
  } while (reader.Try(','));
  return absl::OkStatus();
}

absl::Status ReadLastTileDims(Reader& reader, Sharding& sharding) {
  return reader.TakeList('{', '}', "types of the last tile dimensions", [&]() -> absl::Status {
    const std::optional<Type> type = TypeFromWord(reader.token().text);
    if (!type.has_value()) return reader.Expected("replicated, maximal, manual or unreduced");
    sharding.last_tile_dims.push_back(*type);
    reader.Next();
    return absl::OkStatus();
  });
}

// A part with a value: device=, devices=, last_tile_dims=, metadata=.
absl::Status ReadKeyed(Reader& reader, Sharding& sharding) {
  AXLE_ASSIGN_OR_RETURN(const absl::string_view key, reader.TakeWord("a part of a sharding"));
  AXLE_RETURN_IF_ERROR(reader.Take('=', "in a sharding"));
  if (key == "device") {
    AXLE_ASSIGN_OR_RETURN(const int64_t device, reader.TakeInt64("a device number"));
    sharding.devices = {device};
    return absl::OkStatus();
  }
  if (key == "devices") return ReadDevices(reader, sharding);
  if (key == "last_tile_dims") return ReadLastTileDims(reader, sharding);
  if (key == "metadata") {
    AXLE_ASSIGN_OR_RETURN(const absl::string_view text, reader.TakeGroup("metadata"));
    sharding.metadata_text = std::string(text);
    return absl::OkStatus();
  }
  return reader.Expected("device, devices, last_tile_dims or metadata in a sharding");
}

absl::Status CheckParts(Reader& reader, size_t begin, const Sharding& sharding) {
  const auto fail = [&](absl::string_view message) {
    return reader.Error(errors::kSharding, begin, message);
  };
  const bool has_devices = !sharding.devices.empty() || !sharding.tile_dimensions.empty();
  switch (sharding.type) {
    case Type::kReplicated:
    case Type::kManual:
    case Type::kUnknown:
    case Type::kUnreduced:
      return has_devices ? fail("this type of sharding names no devices") : absl::OkStatus();
    case Type::kMaximal:
      return sharding.devices.size() == 1 && sharding.tile_dimensions.empty()
                 ? absl::OkStatus()
                 : fail("a maximal sharding names exactly one device");
    case Type::kTiled:
      if (sharding.tile_dimensions.empty()) {
        return fail(
            "a sharding is replicated, maximal, manual, unknown, unreduced, or names "
            "devices=[tiles]…");
      }
      return absl::OkStatus();
    case Type::kTuple:
      return absl::OkStatus();
  }
  return absl::OkStatus();
}

// The inside of a sharding that is no tuple, and its closing brace.
absl::StatusOr<Sharding> ReadParts(Reader& reader, size_t begin) {
  Sharding sharding;
  sharding.type = Type::kTiled;
  while (!reader.At('}')) {
    const std::optional<Type> type = TypeFromWord(reader.token().text);
    if (reader.AtKind(TokenKind::kWord) && type.has_value()) {
      if (sharding.type != Type::kTiled) return reader.Expected("one type of sharding only");
      sharding.type = *type;
      reader.Next();
    } else if (reader.TryWord("last_tile_dim_replicate")) {
      sharding.replicate_on_last_tile_dim = true;
    } else if (reader.AtWord("shard_as") || reader.AtWord("shard_like")) {
      sharding.is_shard_group = true;
      sharding.shard_group_type = reader.AtWord("shard_as") ? Sharding::ShardGroupType::kAs
                                                            : Sharding::ShardGroupType::kLike;
      reader.Next();
      AXLE_ASSIGN_OR_RETURN(sharding.shard_group_id, reader.TakeInt64("a shard group number"));
    } else {
      AXLE_RETURN_IF_ERROR(ReadKeyed(reader, sharding));
    }
  }
  reader.Next();
  AXLE_RETURN_IF_ERROR(CheckParts(reader, begin, sharding));
  return sharding;
}

}  // namespace

absl::Status ReadIota(Reader& reader, std::vector<int64_t>& reshape_dims,
                      std::vector<int64_t>& transpose_perm) {
  AXLE_ASSIGN_OR_RETURN(reshape_dims, reader.TakeInt64List('[', ']', "iota dimensions"));
  if (!reader.TryWord("T")) return absl::OkStatus();
  const size_t begin = reader.token().begin;
  AXLE_ASSIGN_OR_RETURN(transpose_perm, reader.TakeInt64List('(', ')', "an iota permutation"));
  std::vector<bool> seen(reshape_dims.size());
  bool identity = true;
  for (size_t i = 0; i < transpose_perm.size(); ++i) {
    const int64_t to = transpose_perm[i];
    if (to < 0 || to >= static_cast<int64_t>(seen.size()) || seen[to]) {
      return reader.Error(errors::kSharding, begin, "not a permutation of the iota's dimensions");
    }
    seen[to] = true;
    identity &= to == static_cast<int64_t>(i);
  }
  if (transpose_perm.size() != reshape_dims.size()) {
    return reader.Error(errors::kSharding, begin, "not a permutation of the iota's dimensions");
  }
  if (identity) transpose_perm.clear();
  return absl::OkStatus();
}

absl::StatusOr<Sharding> ReadSharding(Reader& reader) {
  Reader::Level level(reader);
  AXLE_RETURN_IF_ERROR(level.status());
  const size_t begin = reader.token().begin;
  if (reader.At('{')) {
    const Token ahead = reader.Ahead();
    if (ahead.text == "mesh" || ahead.text == "maximal_mesh" || ahead.text == "@") {
      Sharding named;
      AXLE_ASSIGN_OR_RETURN(const absl::string_view text, reader.TakeGroup("a named sharding"));
      named.unparsed = std::string(text);
      return named;
    }
  }
  AXLE_RETURN_IF_ERROR(reader.Take('{', "before a sharding"));
  if (!reader.At('{') && !reader.At('}')) return ReadParts(reader, begin);
  Sharding tuple;
  tuple.type = Type::kTuple;
  if (!reader.At('}')) {
    do {
      AXLE_ASSIGN_OR_RETURN(Sharding element, ReadSharding(reader));
      tuple.elements.push_back(std::move(element));
    } while (reader.Try(','));
  }
  AXLE_RETURN_IF_ERROR(reader.Take('}', "behind the shardings of a tuple"));
  return tuple;
}

}  // namespace axle::hlo::text
