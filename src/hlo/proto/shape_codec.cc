// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/shape_codec.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/proto/context.h"
#include "hlo/proto/errors.h"

namespace axle::hlo::proto {
namespace {

absl::Status BadShape(absl::string_view what) { return MakeError(errors::kShape, what); }

absl::StatusOr<ElementType> ReadElementType(int number) {
  if (number == Info(ElementType::kInvalid).wire_number) return ElementType::kInvalid;
  const std::optional<ElementType> type = ElementTypeFromWireNumber(number);
  if (!type.has_value()) return BadShape(absl::StrCat("unknown element type ", number));
  return *type;
}

template <typename List, typename Key>
void AppendList(const List& list, Key* key) {
  key->push_back(list.size());
  for (const auto value : list) key->push_back(static_cast<int64_t>(value));
}

constexpr int64_t kNoShape = -1;

// Lists that say of every dimension what holds when they are empty.
void DropDefaultDimLevels(Layout* layout) {
  const auto all_true = [](const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), false) == flags.end();
  };
  if (all_true(layout->dim_unique)) layout->dim_unique.clear();
  if (all_true(layout->dim_ordered)) layout->dim_ordered.clear();
  const bool all_dense =
      std::all_of(layout->dim_level_types.begin(), layout->dim_level_types.end(),
                  [](DimLevelType type) { return type == DimLevelType::kDense; });
  if (all_dense && layout->dim_unique.empty() && layout->dim_ordered.empty()) {
    layout->dim_level_types.clear();
  }
}

absl::StatusOr<Shape> BuildArray(const wire::ShapeProto& proto, ElementType type) {
  const int rank = proto.dimensions_size();
  if (rank > Shape::kMaxRank) return BadShape(absl::StrCat("array of ", rank, " dimensions"));
  const int flags = proto.is_dynamic_dimension_size();
  if (flags != 0 && flags != rank) {
    return BadShape(absl::StrCat(rank, " dimensions but ", flags, " dynamic flags"));
  }
  for (int i = 0; i < rank; ++i) {
    const int64_t dimension = proto.dimensions(i);
    if (dimension >= 0) continue;
    if (dimension != Shape::kUnbounded || flags == 0 || !proto.is_dynamic_dimension(i)) {
      return BadShape(absl::StrCat("dimension ", i, " has the size ", dimension));
    }
  }
  return Shape::Array(type, absl::MakeConstSpan(proto.dimensions().data(), rank),
                      absl::MakeConstSpan(proto.is_dynamic_dimension().data(), flags));
}

void WriteLayout(const Layout& layout, wire::LayoutProto* proto) {
  Assign(layout.minor_to_major, proto->mutable_minor_to_major());
  for (const DimLevelType type : layout.dim_level_types) {
    proto->add_dim_level_types(static_cast<wire::DimLevelType>(type));
  }
  Assign(layout.dim_unique, proto->mutable_dim_unique());
  Assign(layout.dim_ordered, proto->mutable_dim_ordered());
  for (const Tile& tile : layout.tiles) {
    Assign(tile.dimensions, proto->add_tiles()->mutable_dimensions());
  }
  proto->set_tail_padding_alignment_in_elements(layout.tail_padding_alignment_in_elements);
  proto->set_index_primitive_type(
      static_cast<wire::PrimitiveType>(Info(layout.index_type).wire_number));
  proto->set_pointer_primitive_type(
      static_cast<wire::PrimitiveType>(Info(layout.pointer_type).wire_number));
  proto->set_element_size_in_bits(layout.element_size_in_bits);
  proto->set_memory_space(layout.memory_space);
  for (const SplitConfig& split : layout.split_configs) {
    wire::SplitConfigProto* split_proto = proto->add_split_configs();
    split_proto->set_dimension(split.dimension);
    Assign(split.split_indices, split_proto->mutable_split_indices());
  }
  if (layout.physical_shape != nullptr && layout.physical_shape->valid()) {
    WriteShape(*layout.physical_shape, proto->mutable_physical_shape());
  }
  proto->set_dynamic_shape_metadata_prefix_bytes(layout.dynamic_shape_metadata_prefix_bytes);
}

}  // namespace

// ---- Reading: a key from every field, and a shape for every new key
// ------------------------------

absl::Status ShapeReader::AppendLayoutKey(const wire::LayoutProto& layout, int depth, Key* key) {
  Note(layout);
  AppendList(layout.minor_to_major(), key);
  AppendList(layout.dim_level_types(), key);
  AppendList(layout.dim_unique(), key);
  AppendList(layout.dim_ordered(), key);
  key->push_back(layout.tiles_size());
  for (const wire::TileProto& tile : layout.tiles()) {
    Note(tile);
    AppendList(tile.dimensions(), key);
  }
  key->push_back(layout.split_configs_size());
  for (const wire::SplitConfigProto& split : layout.split_configs()) {
    Note(split);
    key->push_back(split.dimension());
    AppendList(split.split_indices(), key);
  }
  key->insert(key->end(), {layout.legacy_format(), layout.tail_padding_alignment_in_elements(),
                           layout.index_primitive_type(), layout.pointer_primitive_type(),
                           layout.element_size_in_bits(), layout.memory_space(),
                           layout.dynamic_shape_metadata_prefix_bytes()});
  int64_t physical = kNoShape;
  if (layout.has_physical_shape()) {
    AXLE_ASSIGN_OR_RETURN(physical, ReadIndex(layout.physical_shape(), depth + 1));
  }
  key->push_back(physical);
  return absl::OkStatus();
}

absl::StatusOr<int> ShapeReader::ReadIndex(const wire::ShapeProto& proto, int depth) {
  Note(proto);
  if (depth > kMaxShapeNesting) return BadShape("nested too deep");
  Key key = {proto.element_type()};
  AppendList(proto.dimensions(), &key);
  AppendList(proto.is_dynamic_dimension(), &key);
  const size_t elements = key.size() + 1;
  key.push_back(proto.tuple_shapes_size());
  for (const wire::ShapeProto& element : proto.tuple_shapes()) {
    AXLE_ASSIGN_OR_RETURN(const int index, ReadIndex(element, depth + 1));
    key.push_back(index);
  }
  if (proto.has_layout()) AXLE_RETURN_IF_ERROR(AppendLayoutKey(proto.layout(), depth, &key));

  const auto found = index_.find(key);
  if (found != index_.end()) return found->second;
  AXLE_ASSIGN_OR_RETURN(
      Shape shape, Build(proto, absl::MakeSpan(key).subspan(elements, proto.tuple_shapes_size()),
                         proto.has_layout() ? key.back() : kNoShape));
  const int index = static_cast<int>(shapes_.size());
  shapes_.push_back(std::move(shape));
  index_.emplace(std::move(key), index);
  return index;
}

absl::StatusOr<Shape> ShapeReader::Build(const wire::ShapeProto& proto,
                                         absl::Span<const int64_t> elements,
                                         int64_t physical) const {
  AXLE_ASSIGN_OR_RETURN(const ElementType type, ReadElementType(proto.element_type()));
  if (type == ElementType::kInvalid) return BadShape("no element type");
  const bool is_array = IsArrayType(type);
  const bool has_elements = type == ElementType::kTuple || type == ElementType::kBuffer;
  if (!is_array && !proto.dimensions().empty()) {
    return BadShape(absl::StrCat(Name(type), " with dimensions"));
  }
  if (!has_elements && !elements.empty()) {
    return BadShape(absl::StrCat(Name(type), " with elements"));
  }
  Shape shape;
  if (is_array) {
    AXLE_ASSIGN_OR_RETURN(shape, BuildArray(proto, type));
  } else if (type == ElementType::kTuple) {
    std::vector<Shape> parts;
    parts.reserve(elements.size());
    for (const int64_t index : elements) parts.push_back(shapes_[index]);
    shape = Shape::Tuple(std::move(parts));
  } else if (type == ElementType::kBuffer) {
    if (elements.size() != 1) {
      return BadShape(absl::StrCat("buffer of ", elements.size(), " contents"));
    }
    shape = Shape::Buffer(shapes_[elements[0]]);
  } else {
    shape = type == ElementType::kToken ? Shape::Token() : Shape::Opaque();
  }
  if (!proto.has_layout()) return shape;
  AXLE_ASSIGN_OR_RETURN(Layout layout, BuildLayout(proto.layout(), physical));
  // Scalars have one layout, which text does not mention.
  if (is_array && layout == Layout() && shape.rank() == 0) return shape;
  if (is_array || type == ElementType::kBuffer) return shape.WithLayout(std::move(layout));
  // XLA gives an empty layout to tokens and opaque values too.
  if (layout == Layout()) return shape;
  return BadShape(absl::StrCat(Name(type), " with a layout"));
}

absl::StatusOr<Layout> ShapeReader::BuildLayout(const wire::LayoutProto& proto,
                                                int64_t physical) const {
  constexpr int kLegacyDense = 1;
  if (proto.legacy_format() > kLegacyDense) {
    return MakeError(errors::kSparse, absl::StrCat("layout of format ", proto.legacy_format()));
  }
  Layout layout;
  layout.minor_to_major.assign(proto.minor_to_major().begin(), proto.minor_to_major().end());
  for (const int type : proto.dim_level_types()) {
    if (type < 0 || type > static_cast<int>(DimLevelType::kLooseCompressed)) {
      return BadShape(absl::StrCat("unknown dimension level type ", type));
    }
    layout.dim_level_types.push_back(static_cast<DimLevelType>(type));
  }
  layout.dim_unique.assign(proto.dim_unique().begin(), proto.dim_unique().end());
  layout.dim_ordered.assign(proto.dim_ordered().begin(), proto.dim_ordered().end());
  DropDefaultDimLevels(&layout);
  for (const wire::TileProto& tile : proto.tiles()) {
    layout.tiles.push_back(Tile{ToVector(tile.dimensions())});
  }
  if (proto.tail_padding_alignment_in_elements() != 0) {
    layout.tail_padding_alignment_in_elements = proto.tail_padding_alignment_in_elements();
  }
  AXLE_ASSIGN_OR_RETURN(layout.index_type, ReadElementType(proto.index_primitive_type()));
  AXLE_ASSIGN_OR_RETURN(layout.pointer_type, ReadElementType(proto.pointer_primitive_type()));
  layout.element_size_in_bits = proto.element_size_in_bits();
  layout.memory_space = proto.memory_space();
  for (const wire::SplitConfigProto& split : proto.split_configs()) {
    layout.split_configs.push_back(SplitConfig{split.dimension(), ToVector(split.split_indices())});
  }
  if (physical != kNoShape)
    layout.physical_shape = std::make_shared<const Shape>(shapes_[physical]);
  layout.dynamic_shape_metadata_prefix_bytes = proto.dynamic_shape_metadata_prefix_bytes();
  return layout;
}

absl::StatusOr<Shape> ShapeReader::Read(const wire::ShapeProto& proto) {
  AXLE_ASSIGN_OR_RETURN(const int index, ReadIndex(proto, 0));
  return shapes_[index];
}

absl::StatusOr<ProgramShape> ShapeReader::Read(const wire::ProgramShapeProto& proto) {
  Note(proto);
  ProgramShape shape;
  shape.parameters.reserve(proto.parameters_size());
  for (const wire::ShapeProto& parameter : proto.parameters()) {
    absl::StatusOr<Shape> parameter_shape = Read(parameter);
    if (!parameter_shape.ok()) {
      return AtPlace(absl::StrCat("parameter ", shape.parameters.size()), parameter_shape.status());
    }
    shape.parameters.push_back(*std::move(parameter_shape));
  }
  for (const std::string& name : proto.parameter_names()) {
    AXLE_RETURN_IF_ERROR(CheckText(name, "parameter name"));
    shape.parameter_names.push_back(name);
  }
  if (!proto.has_result()) return MissingField("result of a program shape");
  absl::StatusOr<Shape> result = Read(proto.result());
  if (!result.ok()) return AtPlace("result", result.status());
  shape.result = *std::move(result);
  return shape;
}

void WriteShape(const Shape& shape, wire::ShapeProto* proto) {
  proto->set_element_type(static_cast<wire::PrimitiveType>(Info(shape.element_type()).wire_number));
  for (const Shape& element : shape.tuple_shapes()) WriteShape(element, proto->add_tuple_shapes());
  Assign(shape.dimensions(), proto->mutable_dimensions());
  for (int i = 0; i < shape.rank(); ++i) proto->add_is_dynamic_dimension(shape.is_dynamic(i));
  if (shape.layout() != nullptr) {
    WriteLayout(*shape.layout(), proto->mutable_layout());
  } else if (shape.IsScalar()) {
    WriteLayout(Layout(), proto->mutable_layout());
  }
}

void WriteProgramShape(const ProgramShape& shape, wire::ProgramShapeProto* proto) {
  for (const Shape& parameter : shape.parameters) WriteShape(parameter, proto->add_parameters());
  if (shape.result.valid()) WriteShape(shape.result, proto->mutable_result());
  for (const std::string& name : shape.parameter_names) proto->add_parameter_names(name);
}

}  // namespace axle::hlo::proto
