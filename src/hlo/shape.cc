// SPDX-License-Identifier: Apache-2.0
#include "hlo/shape.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/errors.h"

namespace axle::hlo {
namespace {

void AppendTiles(const std::vector<Tile>& tiles, std::string* out) {
  if (tiles.empty()) return;
  absl::StrAppend(out, "T");
  for (const Tile& tile : tiles) {
    absl::StrAppend(out, "(",
                    absl::StrJoin(tile.dimensions, ",",
                                  [](std::string* text, int64_t dimension) {
                                    if (dimension == Tile::kCombine) {
                                      text->push_back('*');
                                    } else {
                                      absl::StrAppend(text, dimension);
                                    }
                                  }),
                    ")");
  }
}

void AppendDimLevels(const Layout& layout, std::string* out) {
  if (layout.dim_level_types.empty()) return;
  static constexpr char kNames[] = {'D', 'C', 'S', 'H'};
  absl::StrAppend(out, "D(");
  for (size_t i = 0; i < layout.dim_level_types.size(); ++i) {
    if (i > 0) out->push_back(',');
    out->push_back(kNames[static_cast<int>(layout.dim_level_types[i])]);
    if (i < layout.dim_unique.size() && !layout.dim_unique[i]) out->push_back('+');
    if (i < layout.dim_ordered.size() && !layout.dim_ordered[i]) out->push_back('~');
  }
  out->push_back(')');
}

void AppendSplits(const std::vector<SplitConfig>& splits, std::string* out) {
  if (splits.empty()) return;
  absl::StrAppend(out, "SC");
  for (const SplitConfig& split : splits) {
    absl::StrAppend(out, "(", split.dimension, ":", absl::StrJoin(split.split_indices, ","), ")");
  }
}

void AppendShape(const Shape& shape, bool with_layout, std::string* out) {
  if (!shape.valid()) {
    absl::StrAppend(out, "invalid");
    return;
  }
  if (shape.IsTuple()) {
    out->push_back('(');
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      if (i > 0) absl::StrAppend(out, ", ");
      if (i > 0 && i % 5 == 0) absl::StrAppend(out, "/*index=", i, "*/");
      AppendShape(shape.tuple_shapes()[i], with_layout, out);
    }
    out->push_back(')');
    return;
  }
  if (shape.IsBuffer()) {
    absl::StrAppend(out, "b(");
    AppendShape(shape.tuple_shape(0), with_layout, out);
    out->push_back(')');
    return;
  }
  absl::StrAppend(out, Name(shape.element_type()), "[");
  for (int i = 0; i < shape.rank(); ++i) {
    if (i > 0) out->push_back(',');
    if (shape.dimension(i) == Shape::kUnbounded) {
      out->push_back('?');
    } else {
      absl::StrAppend(out, shape.is_dynamic(i) ? "<=" : "", shape.dimension(i));
    }
  }
  out->push_back(']');
  if (with_layout && shape.layout() != nullptr) {
    const std::string layout = ToString(*shape.layout());
    if (shape.rank() > 0 || layout != "{}") absl::StrAppend(out, layout);
  }
}

bool SameTuple(const Shape& a, const Shape& b, bool (*same)(const Shape&, const Shape&)) {
  const auto x = a.tuple_shapes();
  const auto y = b.tuple_shapes();
  return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), same);
}

}  // namespace

Layout Layout::RowMajor(int rank) {
  Layout layout;
  layout.minor_to_major.resize(rank);
  for (int i = 0; i < rank; ++i) layout.minor_to_major[i] = rank - 1 - i;
  return layout;
}

bool Layout::operator==(const Layout& other) const {
  const bool same_physical =
      physical_shape == other.physical_shape ||
      (physical_shape && other.physical_shape && *physical_shape == *other.physical_shape);
  return same_physical && minor_to_major == other.minor_to_major &&
         dim_level_types == other.dim_level_types && dim_unique == other.dim_unique &&
         dim_ordered == other.dim_ordered && tiles == other.tiles &&
         tail_padding_alignment_in_elements == other.tail_padding_alignment_in_elements &&
         index_type == other.index_type && pointer_type == other.pointer_type &&
         element_size_in_bits == other.element_size_in_bits && memory_space == other.memory_space &&
         split_configs == other.split_configs &&
         dynamic_shape_metadata_prefix_bytes == other.dynamic_shape_metadata_prefix_bytes;
}

std::string ToString(const Layout& layout) {
  std::string suffix;
  AppendDimLevels(layout, &suffix);
  AppendTiles(layout.tiles, &suffix);
  if (layout.tail_padding_alignment_in_elements != 1) {
    absl::StrAppend(&suffix, "L(", layout.tail_padding_alignment_in_elements, ")");
  }
  if (layout.index_type != ElementType::kInvalid) {
    absl::StrAppend(&suffix, "#(", Name(layout.index_type), ")");
  }
  if (layout.pointer_type != ElementType::kInvalid) {
    absl::StrAppend(&suffix, "*(", Name(layout.pointer_type), ")");
  }
  if (layout.element_size_in_bits != 0) {
    absl::StrAppend(&suffix, "E(", layout.element_size_in_bits, ")");
  }
  if (layout.memory_space != 0) absl::StrAppend(&suffix, "S(", layout.memory_space, ")");
  AppendSplits(layout.split_configs, &suffix);
  if (layout.physical_shape) {
    absl::StrAppend(&suffix, "P(", layout.physical_shape->ToString(), ")");
  }
  if (layout.dynamic_shape_metadata_prefix_bytes != 0) {
    absl::StrAppend(&suffix, "M(", layout.dynamic_shape_metadata_prefix_bytes, ")");
  }
  return absl::StrCat("{", absl::StrJoin(layout.minor_to_major, ","), suffix.empty() ? "" : ":",
                      suffix, "}");
}

std::shared_ptr<Shape::Data> Shape::Copy(const Data& data) {
  auto copy = std::make_shared<Data>();
  copy->type = data.type;
  copy->dynamic_mask = data.dynamic_mask;
  copy->dimensions = data.dimensions;
  copy->tuple = data.tuple;
  if (data.layout) copy->layout = std::make_unique<const Layout>(*data.layout);
  return copy;
}

Shape Shape::Array(ElementType type, absl::Span<const int64_t> dimensions,
                   absl::Span<const bool> dynamic) {
  AXLE_ASSERT(IsArrayType(type));
  AXLE_ASSERT(dimensions.size() <= kMaxRank);
  AXLE_ASSERT(dynamic.empty() || dynamic.size() == dimensions.size());
  auto data = std::make_shared<Data>();
  data->type = type;
  data->dimensions.assign(dimensions.begin(), dimensions.end());
  for (size_t i = 0; i < dimensions.size(); ++i) {
    AXLE_ASSERT(dimensions[i] >= 0 || dimensions[i] == kUnbounded);
    if (dimensions[i] == kUnbounded || (!dynamic.empty() && dynamic[i])) {
      data->dynamic_mask |= uint64_t{1} << i;
    }
  }
  return Shape(std::move(data));
}

Shape Shape::ArrayWithLayout(ElementType type, absl::Span<const int64_t> dimensions,
                             absl::Span<const bool> dynamic, Layout layout) {
  return Array(type, dimensions, dynamic).WithLayout(std::move(layout));
}

Shape Shape::Tuple(std::vector<Shape> elements) {
  auto data = std::make_shared<Data>();
  data->type = ElementType::kTuple;
  data->tuple = std::move(elements);
  return Shape(std::move(data));
}

Shape Shape::Token() {
  auto data = std::make_shared<Data>();
  data->type = ElementType::kToken;
  return Shape(std::move(data));
}

Shape Shape::Opaque() {
  auto data = std::make_shared<Data>();
  data->type = ElementType::kOpaque;
  return Shape(std::move(data));
}

Shape Shape::Buffer(Shape contents) {
  auto data = std::make_shared<Data>();
  data->type = ElementType::kBuffer;
  data->tuple.push_back(std::move(contents));
  return Shape(std::move(data));
}

bool Shape::is_unbounded() const {
  for (const int64_t size : dimensions()) {
    if (size == kUnbounded) return true;
  }
  return false;
}

std::vector<bool> Shape::dynamic_dimensions() const {
  std::vector<bool> flags(rank());
  for (int i = 0; i < rank(); ++i) flags[i] = is_dynamic(i);
  return flags;
}

Shape Shape::WithLayout(Layout layout) const {
  AXLE_ASSERT(IsArray() || IsBuffer());
  auto copy = Copy(*data_);
  copy->layout = std::make_unique<const Layout>(std::move(layout));
  return Shape(std::move(copy));
}

Shape Shape::WithoutLayouts() const {
  if (!data_ || (!data_->layout && data_->tuple.empty())) return *this;
  auto copy = Copy(*data_);
  copy->layout = nullptr;
  for (Shape& element : copy->tuple) element = element.WithoutLayouts();
  return Shape(std::move(copy));
}

Shape Shape::WithDefaultLayouts() const {
  if (!data_) return *this;
  if (IsArray()) return data_->layout ? *this : WithLayout(Layout::RowMajor(rank()));
  if (data_->tuple.empty()) return *this;
  auto copy = Copy(*data_);
  for (Shape& element : copy->tuple) element = element.WithDefaultLayouts();
  return Shape(std::move(copy));
}

Shape Shape::WithElementType(ElementType type) const {
  AXLE_ASSERT(IsArray() && IsArrayType(type));
  if (type == element_type()) return *this;
  auto copy = Copy(*data_);
  copy->type = type;
  return Shape(std::move(copy));
}

Shape Shape::WithStaticDimensions() const {
  if (!data_ || (data_->dynamic_mask == 0 && data_->tuple.empty())) return *this;
  auto copy = Copy(*data_);
  copy->dynamic_mask = 0;
  for (Shape& element : copy->tuple) element = element.WithStaticDimensions();
  return Shape(std::move(copy));
}

absl::StatusOr<int64_t> Shape::ElementCount() const {
  int64_t count = 1;
  bool overflow = false;
  for (const int64_t size : dimensions()) {
    if (size == kUnbounded) {
      return MakeError(errors::kUnboundedShape, absl::StrCat(ToString(), " has no known size"));
    }
    // A zero anywhere makes the array empty, however large the rest.
    if (size == 0) return 0;
    overflow |= __builtin_mul_overflow(count, size, &count);
  }
  if (overflow) {
    return MakeError(errors::kShapeTooLarge,
                     absl::StrCat(ToString(), " has more elements than 64 bits can count"));
  }
  return count;
}

absl::StatusOr<int64_t> Shape::ByteSize() const {
  if (IsTuple()) {
    int64_t total = 0;
    for (const Shape& element : tuple_shapes()) {
      AXLE_ASSIGN_OR_RETURN(const int64_t bytes, element.ByteSize());
      if (__builtin_add_overflow(total, bytes, &total)) {
        return MakeError(errors::kShapeTooLarge, absl::StrCat(ToString(), " overflows 64 bits"));
      }
    }
    return total;
  }
  if (!IsArray()) return 0;
  AXLE_ASSIGN_OR_RETURN(const int64_t count, ElementCount());
  int64_t bytes = 0;
  if (__builtin_mul_overflow(count, int64_t{ByteWidth(element_type())}, &bytes)) {
    return MakeError(errors::kShapeTooLarge, absl::StrCat(ToString(), " overflows 64 bits"));
  }
  return bytes;
}

int64_t Shape::LeafCount() const {
  if (!IsTuple()) return valid() ? 1 : 0;
  int64_t count = 0;
  for (const Shape& element : tuple_shapes()) count += element.LeafCount();
  return count;
}

const Shape* Shape::SubShape(absl::Span<const int64_t> index) const {
  const Shape* shape = this;
  for (const int64_t i : index) {
    if (!shape->IsTuple() || i < 0 || i >= static_cast<int64_t>(shape->tuple_shapes().size())) {
      return nullptr;
    }
    shape = &shape->tuple_shape(static_cast<int>(i));
  }
  return shape;
}

std::string Shape::ToString(bool with_layout) const {
  std::string out;
  AppendShape(*this, with_layout, &out);
  return out;
}

bool operator==(const Shape& a, const Shape& b) {
  if (a.data_ == b.data_) return true;
  if (!a.data_ || !b.data_) return false;
  const Shape::Data& x = *a.data_;
  const Shape::Data& y = *b.data_;
  if (x.type != y.type || x.dynamic_mask != y.dynamic_mask || x.dimensions != y.dimensions) {
    return false;
  }
  if ((x.layout == nullptr) != (y.layout == nullptr)) return false;
  if (x.layout && !(*x.layout == *y.layout)) return false;
  return x.tuple == y.tuple;
}

bool SameDimensions(const Shape& a, const Shape& b) {
  if (a.IsTuple() || b.IsTuple() || a.IsBuffer() || b.IsBuffer()) {
    return a.element_type() == b.element_type() && SameTuple(a, b, SameDimensions);
  }
  if (!a.IsArray() || !b.IsArray()) return a.element_type() == b.element_type();
  return a.dimensions() == b.dimensions();
}

bool Compatible(const Shape& a, const Shape& b) {
  if (a.SharesDataWith(b)) return true;
  if (a.element_type() != b.element_type()) return false;
  return a.dimensions() == b.dimensions() && SameTuple(a, b, Compatible);
}

bool HasDefaultLayout(const Shape& shape) {
  if (shape.IsTuple()) {
    return std::all_of(shape.tuple_shapes().begin(), shape.tuple_shapes().end(), HasDefaultLayout);
  }
  if (!shape.IsArray() || shape.layout() == nullptr) return true;
  return *shape.layout() == Layout::RowMajor(shape.rank());
}

Shape ShapeInterner::Intern(Shape shape) { return *shapes_.insert(std::move(shape)).first; }

}  // namespace axle::hlo
