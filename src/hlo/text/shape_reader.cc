// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/shape_reader.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "hlo/text/errors.h"

namespace axle::hlo::text {
namespace {

// The offset where the shape that begins at `begin` seems to end, by its brackets alone; 0 when
// there is no telling. Only a key for shapes read before: what it cuts is read in full once.
size_t GuessShapeEnd(absl::string_view text, size_t begin) {
  size_t i = begin;
  if (text[i] == '(') {
    int depth = 0;
    for (; i < text.size(); ++i) {
      if (text[i] == '(') ++depth;
      if (text[i] == ')' && --depth == 0) return i + 1;
      if (text[i] == '=' && (i == 0 || text[i - 1] != '<')) return 0;  // left the shape
    }
    return 0;
  }
  while (i < text.size() && absl::ascii_isalnum(static_cast<unsigned char>(text[i]))) ++i;
  if (i >= text.size() || text[i] != '[') return 0;
  i = text.find(']', i);
  if (i == absl::string_view::npos) return 0;
  ++i;
  if (i >= text.size() || text[i] != '{') return i;
  int depth = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i + 1;
    if (text[i] == '=') return 0;
  }
  return 0;
}

// Whether a '{' at the current token begins a layout.
bool AtLayout(const Reader& reader, LayoutMayFollow where, size_t shape_end) {
  if (!reader.At('{')) return false;
  const bool directly = reader.token().begin == shape_end;
  if (where == LayoutMayFollow::kDirectly && !directly) return false;
  const Token ahead = reader.Ahead();
  if (ahead.kind == TokenKind::kNumber) return true;
  if (ahead.kind != TokenKind::kPunctuation) return false;
  return ahead.text == ":" || (ahead.text == "}" && directly);
}

absl::StatusOr<ElementType> TakeElementType(Reader& reader) {
  const size_t begin = reader.token().begin;
  AXLE_ASSIGN_OR_RETURN(const absl::string_view name, reader.TakeWord("an element type"));
  const std::optional<ElementType> type = ElementTypeFromName(name);
  if (!type.has_value()) {
    return reader.Error(errors::kShape, begin, absl::StrCat("unknown element type '", name, "'"));
  }
  return *type;
}

// "(n)" behind a letter of a layout.
absl::StatusOr<int64_t> TakeParenthesizedSize(Reader& reader, absl::string_view what) {
  AXLE_RETURN_IF_ERROR(reader.Take('(', what));
  AXLE_ASSIGN_OR_RETURN(const int64_t value, reader.TakeSize(what));
  AXLE_RETURN_IF_ERROR(reader.Take(')', what));
  return value;
}

absl::StatusOr<ElementType> TakeParenthesizedType(Reader& reader) {
  AXLE_RETURN_IF_ERROR(reader.Take('(', "before an integer type"));
  AXLE_ASSIGN_OR_RETURN(const ElementType type, TakeElementType(reader));
  AXLE_RETURN_IF_ERROR(reader.Take(')', "behind an integer type"));
  return type;
}

// D(D,C+,S~): density, '+' not unique, '~' not ordered.
absl::Status ReadDimLevels(Reader& reader, Layout& layout) {
  bool all_unique = true, all_ordered = true;
  AXLE_RETURN_IF_ERROR(reader.TakeList('(', ')', "dimension types", [&]() -> absl::Status {
    DimLevelType type = DimLevelType::kDense;
    if (reader.TryWord("C")) {
      type = DimLevelType::kCompressed;
    } else if (reader.TryWord("S")) {
      type = DimLevelType::kSingleton;
    } else if (reader.TryWord("H")) {
      type = DimLevelType::kLooseCompressed;
    } else if (!reader.TryWord("D")) {
      return reader.Expected("a dimension type D, C, S or H");
    }
    layout.dim_level_types.push_back(type);
    layout.dim_unique.push_back(!reader.Try('+'));
    layout.dim_ordered.push_back(!reader.Try('~'));
    all_unique &= layout.dim_unique.back();
    all_ordered &= layout.dim_ordered.back();
    return absl::OkStatus();
  }));
  if (all_unique) layout.dim_unique.clear();
  if (all_ordered) layout.dim_ordered.clear();
  return absl::OkStatus();
}

// T(8,128)(2,1): one tile a pair of parentheses; '*' combines dimensions.
absl::Status ReadTiles(Reader& reader, Layout& layout) {
  do {
    Tile tile;
    AXLE_RETURN_IF_ERROR(reader.TakeList('(', ')', "a tile", [&]() -> absl::Status {
      if (reader.Try('*')) {
        tile.dimensions.push_back(Tile::kCombine);
        return absl::OkStatus();
      }
      AXLE_ASSIGN_OR_RETURN(const int64_t size, reader.TakeSize("a tile dimension"));
      tile.dimensions.push_back(size);
      return absl::OkStatus();
    }));
    layout.tiles.push_back(std::move(tile));
  } while (reader.At('('));
  return absl::OkStatus();
}

// SC(0:4,8)(1:2): dimension and the indices where it splits.
absl::Status ReadSplits(Reader& reader, Layout& layout) {
  do {
    SplitConfig split;
    AXLE_RETURN_IF_ERROR(reader.Take('(', "before a split"));
    AXLE_ASSIGN_OR_RETURN(split.dimension, reader.TakeSize("a split dimension"));
    AXLE_RETURN_IF_ERROR(reader.Take(':', "in a split"));
    if (!reader.At(')')) {
      do {
        AXLE_ASSIGN_OR_RETURN(const int64_t index, reader.TakeSize("a split index"));
        split.split_indices.push_back(index);
      } while (reader.Try(','));
    }
    AXLE_RETURN_IF_ERROR(reader.Take(')', "behind a split"));
    layout.split_configs.push_back(std::move(split));
  } while (reader.At('('));
  return absl::OkStatus();
}

absl::StatusOr<Shape> ReadShapeAt(Reader& reader, LayoutMayFollow layout, int depth);

absl::StatusOr<Layout> ReadLayoutAt(Reader& reader, int depth);

// One suffix of a layout, its letter still to come.
absl::Status ReadLayoutSuffix(Reader& reader, Layout& layout, int depth) {
  if (reader.TryWord("D")) return ReadDimLevels(reader, layout);
  if (reader.TryWord("T")) return ReadTiles(reader, layout);
  if (reader.TryWord("SC")) return ReadSplits(reader, layout);
  if (reader.TryWord("L")) {
    AXLE_ASSIGN_OR_RETURN(layout.tail_padding_alignment_in_elements,
                          TakeParenthesizedSize(reader, "a tail alignment"));
  } else if (reader.Try('#')) {
    AXLE_ASSIGN_OR_RETURN(layout.index_type, TakeParenthesizedType(reader));
  } else if (reader.Try('*')) {
    AXLE_ASSIGN_OR_RETURN(layout.pointer_type, TakeParenthesizedType(reader));
  } else if (reader.TryWord("E")) {
    AXLE_ASSIGN_OR_RETURN(layout.element_size_in_bits,
                          TakeParenthesizedSize(reader, "an element size in bits"));
  } else if (reader.TryWord("S")) {
    AXLE_ASSIGN_OR_RETURN(layout.memory_space, TakeParenthesizedSize(reader, "a memory space"));
  } else if (reader.TryWord("P")) {
    AXLE_RETURN_IF_ERROR(reader.Take('(', "before a physical shape"));
    AXLE_ASSIGN_OR_RETURN(Shape shape, ReadShapeAt(reader, LayoutMayFollow::kAnywhere, depth + 1));
    AXLE_RETURN_IF_ERROR(reader.Take(')', "behind a physical shape"));
    layout.physical_shape = std::make_shared<const Shape>(std::move(shape));
  } else if (reader.TryWord("M")) {
    AXLE_ASSIGN_OR_RETURN(layout.dynamic_shape_metadata_prefix_bytes,
                          TakeParenthesizedSize(reader, "the size of a metadata prefix"));
  } else {
    return reader.Expected("'}' or one of D T L # * E S SC P M in a layout");
  }
  return absl::OkStatus();
}

absl::StatusOr<Layout> ReadLayoutAt(Reader& reader, int depth) {
  Layout layout;
  AXLE_RETURN_IF_ERROR(reader.Take('{', "before a layout"));
  if (reader.AtKind(TokenKind::kNumber)) {
    do {
      AXLE_ASSIGN_OR_RETURN(const int64_t dimension, reader.TakeSize("a dimension in a layout"));
      layout.minor_to_major.push_back(dimension);
    } while (reader.Try(','));
  }
  if (reader.Try(':')) {
    while (!reader.At('}')) AXLE_RETURN_IF_ERROR(ReadLayoutSuffix(reader, layout, depth));
  }
  AXLE_RETURN_IF_ERROR(reader.Take('}', "behind a layout"));
  return layout;
}

struct Dimensions {
  absl::InlinedVector<int64_t, 6> sizes;
  absl::InlinedVector<bool, 6> dynamic;
};

absl::StatusOr<Dimensions> ReadDimensions(Reader& reader) {
  Dimensions dimensions;
  AXLE_RETURN_IF_ERROR(reader.TakeList('[', ']', "dimensions", [&]() -> absl::Status {
    if (dimensions.sizes.size() == Shape::kMaxRank) {
      return reader.ErrorHere(errors::kShape,
                              absl::StrCat("more than ", Shape::kMaxRank, " dimensions"));
    }
    if (reader.Try('?')) {
      dimensions.sizes.push_back(Shape::kUnbounded);
      dimensions.dynamic.push_back(true);
      return absl::OkStatus();
    }
    const bool dynamic = reader.TryKind(TokenKind::kLessEqual);
    AXLE_ASSIGN_OR_RETURN(const int64_t size, reader.TakeSize("a dimension"));
    dimensions.sizes.push_back(size);
    dimensions.dynamic.push_back(dynamic);
    return absl::OkStatus();
  }));
  return dimensions;
}

absl::StatusOr<Shape> ReadArray(Reader& reader, ElementType type, LayoutMayFollow where,
                                int depth) {
  AXLE_ASSIGN_OR_RETURN(const Dimensions dimensions, ReadDimensions(reader));
  // The cursor has skipped space; the shape itself ended at its ']'.
  const absl::string_view before = reader.text().substr(0, reader.token().begin);
  const size_t end = before.rfind(']') + 1;
  if (!AtLayout(reader, where, end)) {
    return Shape::Array(type, dimensions.sizes, dimensions.dynamic);
  }
  const size_t begin = reader.token().begin;
  AXLE_ASSIGN_OR_RETURN(Layout layout, ReadLayoutAt(reader, depth));
  if (layout == Layout() && dimensions.sizes.empty()) {
    return Shape::Array(type, {}, {});  // f32[]{} is f32[]
  }
  if (layout.minor_to_major.size() != dimensions.sizes.size() && !layout.minor_to_major.empty()) {
    return reader.Error(errors::kShape, begin,
                        absl::StrCat("a layout of ", layout.minor_to_major.size(),
                                     " dimensions for an array of ", dimensions.sizes.size()));
  }
  return Shape::ArrayWithLayout(type, dimensions.sizes, dimensions.dynamic, std::move(layout));
}

absl::StatusOr<Shape> ReadShapeAt(Reader& reader, LayoutMayFollow layout, int depth) {
  if (depth > kMaxShapeNesting) {
    return reader.ErrorHere(errors::kNesting,
                            absl::StrCat("shapes nest at most ", kMaxShapeNesting, " deep"));
  }
  if (reader.At('(')) {
    std::vector<Shape> elements;
    AXLE_RETURN_IF_ERROR(reader.TakeList('(', ')', "a tuple's shapes", [&]() -> absl::Status {
      AXLE_ASSIGN_OR_RETURN(Shape element, ReadShapeAt(reader, layout, depth + 1));
      elements.push_back(std::move(element));
      return absl::OkStatus();
    }));
    return Shape::Tuple(std::move(elements));
  }
  const size_t begin = reader.token().begin;
  AXLE_ASSIGN_OR_RETURN(const ElementType type, TakeElementType(reader));
  if (IsArrayType(type)) return ReadArray(reader, type, layout, depth);
  if (type == ElementType::kBuffer) {
    AXLE_RETURN_IF_ERROR(reader.Take('(', "behind 'b'"));
    AXLE_ASSIGN_OR_RETURN(Shape contents, ReadShapeAt(reader, layout, depth + 1));
    AXLE_RETURN_IF_ERROR(reader.Take(')', "behind a buffer's shape"));
    return Shape::Buffer(std::move(contents));
  }
  if (type == ElementType::kToken || type == ElementType::kOpaque) {
    AXLE_RETURN_IF_ERROR(reader.Take('[', "behind the type"));
    AXLE_RETURN_IF_ERROR(reader.Take(']', "behind the type"));
    return type == ElementType::kToken ? Shape::Token() : Shape::Opaque();
  }
  return reader.Error(errors::kShape, begin,
                      absl::StrCat("'", Name(type), "' is not the element type of a shape"));
}

}  // namespace

bool AtShape(const Reader& reader) {
  if (reader.At('(')) return true;
  if (!reader.AtKind(TokenKind::kWord)) return false;
  if (!ElementTypeFromName(reader.token().text).has_value()) return false;
  // "f32" alone may be a name: a type stands before '[', or as 'b' before '('.
  const Token ahead = reader.Ahead();
  return ahead.kind == TokenKind::kPunctuation &&
         (ahead.text == "[" || (ahead.text == "(" && reader.token().text == "b"));
}

absl::StatusOr<Shape> ReadShape(Reader& reader, LayoutMayFollow layout) {
  const size_t begin = reader.token().begin;
  if (reader.AtEnd()) return reader.Expected("a shape");
  const size_t guess = GuessShapeEnd(reader.text(), begin);
  if (guess != 0) {
    const absl::string_view key = reader.text().substr(begin, guess - begin);
    const auto found = reader.shapes_by_text.find(key);
    if (found != reader.shapes_by_text.end()) {
      Lexer behind = reader.lexer();
      behind.MoveTo(guess);
      // A layout that a space separates from its shape is not part of the key.
      if (behind.token().text != "{" || layout == LayoutMayFollow::kDirectly ||
          found->second.layout() != nullptr || !found->second.IsArray()) {
        reader.lexer() = behind;
        return found->second;
      }
    }
  }
  AXLE_ASSIGN_OR_RETURN(Shape shape, ReadShapeAt(reader, layout, 0));
  shape = reader.shapes.Intern(std::move(shape));
  // Remember it under its text if the guess was right: nothing but space up to the cursor.
  if (guess != 0 && guess <= reader.token().begin) {
    Lexer behind = reader.lexer();
    behind.MoveTo(guess);
    if (behind.token().begin == reader.token().begin) {
      reader.shapes_by_text.emplace(reader.text().substr(begin, guess - begin), shape);
    }
  }
  return shape;
}

absl::StatusOr<Layout> ReadLayout(Reader& reader) { return ReadLayoutAt(reader, 0); }

}  // namespace axle::hlo::text
