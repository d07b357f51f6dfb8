// SPDX-License-Identifier: Apache-2.0
// Shape: what a value looks like. A Shape is a pointer to immutable shared data, so copies are
// cheap and readers can make equal shapes share one block (ShapeInterner). Thread-safe to copy and
// read.
#ifndef AXLE_HLO_SHAPE_H_
#define AXLE_HLO_SHAPE_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hlo/element_type.h"

namespace axle::hlo {

class Shape;

// Tuples nest at most this deep; readers refuse more before they build anything.
inline constexpr int kMaxShapeNesting = 64;

struct Tile {
  std::vector<int64_t> dimensions;  // kCombine: "*" in text
  static constexpr int64_t kCombine = std::numeric_limits<int64_t>::min();
  bool operator==(const Tile&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const Tile& tile) {
    return H::combine(std::move(h), tile.dimensions);
  }
};

struct SplitConfig {
  int64_t dimension = 0;
  std::vector<int64_t> split_indices;
  bool operator==(const SplitConfig&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const SplitConfig& split) {
    return H::combine(std::move(h), split.dimension, split.split_indices);
  }
};

enum class DimLevelType : uint8_t {
  kDense = 0,
  kCompressed = 1,
  kSingleton = 2,
  kLooseCompressed = 3
};

// How an array is laid out in memory. Text form:
// {minor_to_major:D(dim
// types)T(tiles)L(tail)#(index)*(pointer)E(bits)S(space)SC(splits)P(phys)M(n)}
struct Layout {
  absl::InlinedVector<int64_t, 6> minor_to_major;
  std::vector<DimLevelType> dim_level_types;
  std::vector<bool> dim_unique;
  std::vector<bool> dim_ordered;
  std::vector<Tile> tiles;
  int64_t tail_padding_alignment_in_elements = 1;
  ElementType index_type = ElementType::kInvalid;
  ElementType pointer_type = ElementType::kInvalid;
  int64_t element_size_in_bits = 0;
  int64_t memory_space = 0;
  std::vector<SplitConfig> split_configs;
  std::shared_ptr<const Shape> physical_shape;  // may be null
  int64_t dynamic_shape_metadata_prefix_bytes = 0;

  static Layout RowMajor(int rank);
  bool operator==(const Layout& other) const;
  template <typename H>
  friend H AbslHashValue(H h, const Layout& layout);
};

class Shape {
 public:
  // A dimension whose size is only known at run time and has no bound ("?" in text).
  static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::min();

  Shape() = default;  // invalid: no shape given
  // Arrays carry no layout unless one is set; element type must be an array type, dimensions >= 0
  // or kUnbounded (then dynamic), and dynamic empty or one flag a dimension.
  static Shape Array(ElementType type, absl::Span<const int64_t> dimensions,
                     absl::Span<const bool> dynamic = {});
  static Shape ArrayWithLayout(ElementType type, absl::Span<const int64_t> dimensions,
                               absl::Span<const bool> dynamic, Layout layout);
  static Shape Scalar(ElementType type) { return Array(type, {}); }
  static Shape Tuple(std::vector<Shape> elements);
  static Shape Token();
  static Shape Opaque();
  static Shape Buffer(Shape contents);  // b(contents)

  bool valid() const { return data_ != nullptr; }
  ElementType element_type() const { return data_ ? data_->type : ElementType::kInvalid; }
  bool IsArray() const { return IsArrayType(element_type()); }
  bool IsScalar() const { return IsArray() && rank() == 0; }
  bool IsTuple() const { return element_type() == ElementType::kTuple; }
  bool IsToken() const { return element_type() == ElementType::kToken; }
  bool IsOpaque() const { return element_type() == ElementType::kOpaque; }
  bool IsBuffer() const { return element_type() == ElementType::kBuffer; }

  int rank() const { return static_cast<int>(dimensions().size()); }
  absl::Span<const int64_t> dimensions() const {
    return data_ ? absl::Span<const int64_t>(data_->dimensions) : absl::Span<const int64_t>();
  }
  int64_t dimension(int i) const { return data_->dimensions[i]; }
  bool is_dynamic(int i) const { return data_->dynamic_mask >> i & 1; }
  bool has_dynamic_dimensions() const { return data_ && data_->dynamic_mask != 0; }
  bool is_unbounded() const;  // any dimension kUnbounded
  // Flags as given to Array; at most kMaxRank dimensions.
  static constexpr int kMaxRank = 64;
  std::vector<bool> dynamic_dimensions() const;

  // Elements of a tuple; for a buffer, its one contents shape.
  absl::Span<const Shape> tuple_shapes() const {
    return data_ ? absl::Span<const Shape>(data_->tuple) : absl::Span<const Shape>();
  }
  const Shape& tuple_shape(int i) const { return data_->tuple[i]; }

  const Layout* layout() const { return data_ ? data_->layout.get() : nullptr; }  // may be null
  Shape WithLayout(Layout layout) const;                                          // array only
  Shape WithoutLayouts() const;                                                   // recursively
  Shape WithDefaultLayouts() const;               // row-major where an array has none, recursively
  Shape WithElementType(ElementType type) const;  // array only; drops nothing else
  Shape WithStaticDimensions() const;             // bounds stay as sizes, recursively

  // Number of elements of an array (product of the bounds), or an error when it overflows int64 or
  // a dimension is unbounded.
  absl::StatusOr<int64_t> ElementCount() const;
  // Bytes of a Literal of this shape, all leaves together; same errors. Tokens count 0.
  absl::StatusOr<int64_t> ByteSize() const;

  // Arrays, tokens, opaques and buffers below this shape, depth first; itself if no tuple.
  int64_t LeafCount() const;
  // The shape at `index` (a path through tuples), or nullptr.
  const Shape* SubShape(absl::Span<const int64_t> index) const;

  // "f32[2,3]{1,0}"; without layouts: "f32[2,3]".
  std::string ToString(bool with_layout = true) const;

  // Deep equality, layouts included (a missing layout differs from any given one).
  friend bool operator==(const Shape& a, const Shape& b);
  friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }
  template <typename H>
  friend H AbslHashValue(H h, const Shape& shape) {
    h = H::combine(std::move(h), shape.element_type(), shape.dimensions(),
                   shape.data_ ? shape.data_->dynamic_mask : 0);
    if (shape.layout() != nullptr) h = H::combine(std::move(h), *shape.layout());
    for (const Shape& element : shape.tuple_shapes()) h = H::combine(std::move(h), element);
    return h;
  }
  bool SharesDataWith(const Shape& other) const { return data_ == other.data_; }

 private:
  struct Data {
    ElementType type = ElementType::kInvalid;
    uint64_t dynamic_mask = 0;
    absl::InlinedVector<int64_t, 4> dimensions;
    std::vector<Shape> tuple;
    std::unique_ptr<const Layout> layout;
  };
  explicit Shape(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  static std::shared_ptr<Data> Copy(const Data& data);

  std::shared_ptr<const Data> data_;
};

// All that equality compares.
template <typename H>
H AbslHashValue(H h, const Layout& layout) {
  h = H::combine(std::move(h), layout.minor_to_major, layout.dim_level_types, layout.tiles,
                 layout.tail_padding_alignment_in_elements, layout.index_type, layout.pointer_type,
                 layout.element_size_in_bits, layout.memory_space, layout.split_configs,
                 layout.dynamic_shape_metadata_prefix_bytes);
  for (const bool unique : layout.dim_unique) h = H::combine(std::move(h), unique);
  for (const bool ordered : layout.dim_ordered) h = H::combine(std::move(h), ordered);
  return layout.physical_shape ? H::combine(std::move(h), *layout.physical_shape) : std::move(h);
}

// Same element types and dimensions; layouts and dynamic flags ignored ("compatible" in XLA).
bool Compatible(const Shape& a, const Shape& b);
// Compatible but for element types.
bool SameDimensions(const Shape& a, const Shape& b);
// Row-major without tiles or custom element sizes, or no layout at all.
bool HasDefaultLayout(const Shape& shape);

// Makes equal shapes share their data. Not thread-safe; lives as long as one read.
class ShapeInterner {
 public:
  Shape Intern(Shape shape);

 private:
  absl::flat_hash_set<Shape> shapes_;
};

// Parameters and result of a computation or program.
struct ProgramShape {
  std::vector<Shape> parameters;
  std::vector<std::string> parameter_names;  // empty or one a parameter
  Shape result;
  bool operator==(const ProgramShape&) const = default;
};

std::string ToString(const Layout& layout);

}  // namespace axle::hlo

#endif  // AXLE_HLO_SHAPE_H_
