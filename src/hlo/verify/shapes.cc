// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/errors.h"
#include "hlo/verify/checks.h"
#include "hlo/verify/errors.h"

namespace axle::hlo::verify {
namespace {

constexpr int64_t kMaxShapeParts = int64_t{1} << 24;

absl::Status BadLayout(const Shape& shape, absl::string_view message) {
  return MakeError(verify_errors::kLayout, absl::StrCat(shape.ToString(), ": ", message));
}

absl::Status CheckMinorToMajor(const Shape& shape, const Layout& layout) {
  if (layout.minor_to_major.size() != static_cast<size_t>(shape.rank())) {
    return BadLayout(shape, absl::StrCat("minor_to_major has ", layout.minor_to_major.size(),
                                         " entries; expected ", shape.rank()));
  }
  uint64_t seen = 0;
  for (const int64_t dimension : layout.minor_to_major) {
    if (dimension < 0 || dimension >= shape.rank() || (seen >> dimension & 1) != 0) {
      return BadLayout(
          shape, absl::StrCat("minor_to_major has ", dimension, "; expected each dimension below ",
                              shape.rank(), " once"));
    }
    seen |= uint64_t{1} << dimension;
  }
  return absl::OkStatus();
}

// One entry a dimension, or none at all.
bool FitsRank(size_t entries, const Shape& shape) {
  return entries == 0 || entries == static_cast<size_t>(shape.rank());
}

// Types of indices into sparse storage: none in a dense layout.
bool FitsIndexType(ElementType type, const Layout& layout) {
  const bool sparse = std::any_of(layout.dim_level_types.begin(), layout.dim_level_types.end(),
                                  [](DimLevelType level) { return level != DimLevelType::kDense; });
  return type == ElementType::kInvalid || (sparse && IsUnsigned(type));
}

absl::Status CheckSplits(const Shape& shape, const Layout& layout) {
  for (const SplitConfig& split : layout.split_configs) {
    if (split.dimension < 0 || split.dimension >= shape.rank()) {
      return BadLayout(shape, absl::StrCat("a split of dimension ", split.dimension,
                                           "; expected one below ", shape.rank()));
    }
    int64_t last = 0;
    for (const int64_t index : split.split_indices) {
      if (index <= last || index >= shape.dimension(static_cast<int>(split.dimension))) {
        return BadLayout(shape, absl::StrCat("a split at ", index,
                                             "; expected rising places inside the dimension"));
      }
      last = index;
    }
  }
  return absl::OkStatus();
}

absl::Status CheckLayout(const Shape& shape, const Layout& layout) {
  AXLE_RETURN_IF_ERROR(CheckMinorToMajor(shape, layout));
  for (const Tile& tile : layout.tiles) {
    for (const int64_t dimension : tile.dimensions) {
      if (dimension < 1 && dimension != Tile::kCombine) {
        return BadLayout(shape,
                         absl::StrCat("a tile of size ", dimension, "; expected at least 1 or *"));
      }
    }
  }
  if (!FitsRank(layout.dim_level_types.size(), shape) ||
      !FitsRank(layout.dim_unique.size(), shape) || !FitsRank(layout.dim_ordered.size(), shape)) {
    return BadLayout(shape, "dimension types; expected one a dimension or none");
  }
  if (layout.tail_padding_alignment_in_elements < 1 || layout.element_size_in_bits < 0 ||
      layout.memory_space < 0 || layout.dynamic_shape_metadata_prefix_bytes < 0) {
    return BadLayout(shape, "a negative size, alignment or memory space");
  }
  if (!FitsIndexType(layout.index_type, layout) || !FitsIndexType(layout.pointer_type, layout)) {
    return BadLayout(shape,
                     "an index or pointer type; expected an unsigned one, in sparse layouts");
  }
  return CheckSplits(shape, layout);
}

absl::Status CheckArray(const Shape& shape, const VerifyOptions& options) {
  for (const int64_t size : shape.dimensions()) {
    if (size == Shape::kUnbounded && !options.allow_unbounded_dimensions) {
      return MakeError(errors::kUnboundedShape,
                       absl::StrCat(shape.ToString(false), " has no known size"));
    }
  }
  return shape.layout() == nullptr ? absl::OkStatus() : CheckLayout(shape, *shape.layout());
}

// `parts` counts down: shapes share their parts in memory, so that a small one may stand for a tree
// too large to walk.
absl::Status Walk(const Shape& shape, const VerifyOptions& options, int depth, int64_t* parts,
                  int64_t* bytes) {
  if (depth > kMaxShapeNesting || --*parts < 0) {
    return MakeError(verify_errors::kShapeNesting,
                     absl::StrCat("a shape nested deeper than ", kMaxShapeNesting, " or of over ",
                                  kMaxShapeParts, " parts"));
  }
  if (!shape.valid()) {
    return MakeError(verify_errors::kNoShape, "a part of the shape is invalid");
  }
  if (shape.IsArray()) {
    AXLE_RETURN_IF_ERROR(CheckArray(shape, options));
    if (shape.is_unbounded()) return absl::OkStatus();
    AXLE_ASSIGN_OR_RETURN(const int64_t size, shape.ByteSize());
    if (__builtin_add_overflow(*bytes, size, bytes)) {
      return MakeError(errors::kShapeTooLarge, "the parts of the shape overflow 64 bits");
    }
    return absl::OkStatus();
  }
  for (const Shape& element : shape.tuple_shapes()) {
    AXLE_RETURN_IF_ERROR(Walk(element, options, depth + 1, parts, bytes));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckShape(const Shape& shape, const VerifyOptions& options) {
  int64_t parts = kMaxShapeParts;
  int64_t bytes = 0;
  AXLE_RETURN_IF_ERROR(Walk(shape, options, 0, &parts, &bytes));
  if (bytes <= options.max_value_bytes) return absl::OkStatus();
  return MakeError(verify_errors::kValueTooLarge,
                   absl::StrCat(shape.ToString(false), " has ", bytes, " bytes; expected at most ",
                                options.max_value_bytes));
}

}  // namespace axle::hlo::verify
