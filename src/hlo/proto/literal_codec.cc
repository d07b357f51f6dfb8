// SPDX-License-Identifier: Apache-2.0
#include "hlo/proto/literal_codec.h"

#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "google/protobuf/repeated_field.h"
#include "hlo/proto/errors.h"

namespace axle::hlo::proto {
namespace {

// AXLE_LITERAL_FIELD(element type, field that holds its elements)
#define AXLE_LITERAL_FIELDS(AXLE_LITERAL_FIELD)     \
  AXLE_LITERAL_FIELD(Pred, preds)                   \
  AXLE_LITERAL_FIELD(S1, s1s)                       \
  AXLE_LITERAL_FIELD(S2, s2s)                       \
  AXLE_LITERAL_FIELD(S4, s4s)                       \
  AXLE_LITERAL_FIELD(S8, s8s)                       \
  AXLE_LITERAL_FIELD(S16, s16s)                     \
  AXLE_LITERAL_FIELD(S32, s32s)                     \
  AXLE_LITERAL_FIELD(S64, s64s)                     \
  AXLE_LITERAL_FIELD(U1, u1s)                       \
  AXLE_LITERAL_FIELD(U2, u2s)                       \
  AXLE_LITERAL_FIELD(U4, u4s)                       \
  AXLE_LITERAL_FIELD(U8, u8s)                       \
  AXLE_LITERAL_FIELD(U16, u16s)                     \
  AXLE_LITERAL_FIELD(U32, u32s)                     \
  AXLE_LITERAL_FIELD(U64, u64s)                     \
  AXLE_LITERAL_FIELD(F4E2M1FN, f4e2m1fns)           \
  AXLE_LITERAL_FIELD(F6E2M3FN, f6e2m3fns)           \
  AXLE_LITERAL_FIELD(F6E3M2FN, f6e3m2fns)           \
  AXLE_LITERAL_FIELD(F8E3M4, f8e3m4s)               \
  AXLE_LITERAL_FIELD(F8E4M3, f8e4m3s)               \
  AXLE_LITERAL_FIELD(F8E4M3FN, f8e4m3fns)           \
  AXLE_LITERAL_FIELD(F8E4M3B11FNUZ, f8e4m3b11fnuzs) \
  AXLE_LITERAL_FIELD(F8E4M3FNUZ, f8e4m3fnuzs)       \
  AXLE_LITERAL_FIELD(F8E5M2, f8e5m2s)               \
  AXLE_LITERAL_FIELD(F8E5M2FNUZ, f8e5m2fnuzs)       \
  AXLE_LITERAL_FIELD(F8E8M0FNU, f8e8m0fnus)         \
  AXLE_LITERAL_FIELD(F16, f16s)                     \
  AXLE_LITERAL_FIELD(BF16, bf16s)                   \
  AXLE_LITERAL_FIELD(F32, f32s)                     \
  AXLE_LITERAL_FIELD(F64, f64s)                     \
  AXLE_LITERAL_FIELD(C64, c64s)                     \
  AXLE_LITERAL_FIELD(C128, c128s)

absl::Span<const std::byte> AsBytes(const std::string& field) {
  return {reinterpret_cast<const std::byte*>(field.data()), field.size()};
}

template <typename T>
absl::Span<const std::byte> AsBytes(const google::protobuf::RepeatedField<T>& field) {
  return {reinterpret_cast<const std::byte*>(field.data()), field.size() * sizeof(T)};
}

std::byte* Resize(size_t bytes, std::string* field) {
  field->resize(bytes);
  return reinterpret_cast<std::byte*>(field->data());
}

template <typename T>
std::byte* Resize(size_t bytes, google::protobuf::RepeatedField<T>* field) {
  field->Resize(static_cast<int>(bytes / sizeof(T)), T());
  return reinterpret_cast<std::byte*>(field->mutable_data());
}

// The elements as the host holds them: every field has the width of its type, types under 8 bits
// one byte.
absl::Span<const std::byte> DataOf(const wire::LiteralProto& proto, ElementType type) {
  switch (type) {
#define AXLE_LITERAL_FIELD(name, field) \
  case ElementType::k##name:            \
    return AsBytes(proto.field());
    AXLE_LITERAL_FIELDS(AXLE_LITERAL_FIELD)
#undef AXLE_LITERAL_FIELD
    case ElementType::kInvalid:
    case ElementType::kTuple:
    case ElementType::kOpaque:
    case ElementType::kToken:
    case ElementType::kBuffer:
      break;
  }
  return {};
}

std::byte* ResizeData(ElementType type, size_t bytes, wire::LiteralProto* proto) {
  switch (type) {
#define AXLE_LITERAL_FIELD(name, field) \
  case ElementType::k##name:            \
    return Resize(bytes, proto->mutable_##field());
    AXLE_LITERAL_FIELDS(AXLE_LITERAL_FIELD)
#undef AXLE_LITERAL_FIELD
    case ElementType::kInvalid:
    case ElementType::kTuple:
    case ElementType::kOpaque:
    case ElementType::kToken:
    case ElementType::kBuffer:
      break;
  }
  return nullptr;
}

// Bytes in the fields of all element types.
size_t AllData(const wire::LiteralProto& proto) {
  size_t bytes = 0;
#define AXLE_LITERAL_FIELD(name, field) bytes += AsBytes(proto.field()).size();
  AXLE_LITERAL_FIELDS(AXLE_LITERAL_FIELD)
#undef AXLE_LITERAL_FIELD
  return bytes;
}

absl::Status BadLiteral(const Shape& shape, absl::string_view what) {
  return MakeError(errors::kLiteral,
                   absl::StrCat("literal of shape ", shape.ToString(), ": ", what));
}

// How many bytes lie between neighbours along each dimension in the order of the shape's layout.
absl::StatusOr<std::vector<int64_t>> LayoutStrides(const Shape& shape) {
  std::vector<int64_t> strides(shape.rank(), 0);
  int64_t stride = ByteWidth(shape.element_type());
  const auto& order = shape.layout()->minor_to_major;
  if (order.size() != strides.size()) return BadLiteral(shape, "layout of another rank");
  for (const int64_t dimension : order) {
    if (dimension < 0 || dimension >= shape.rank() || strides[dimension] != 0) {
      return BadLiteral(shape, "layout does not name every dimension once");
    }
    strides[dimension] = stride;
    stride *= shape.dimension(static_cast<int>(dimension));
  }
  return strides;
}

bool IsRowMajor(const Shape& shape) {
  if (shape.layout() == nullptr) return true;
  return shape.layout()->minor_to_major == Layout::RowMajor(shape.rank()).minor_to_major;
}

// Calls copy(row-major offset, offset in the layout's order) for every element, in row-major order.
// There is at least one.
template <typename Copy>
void ForEachElement(const Shape& shape, absl::Span<const int64_t> strides, int64_t bytes,
                    Copy&& copy) {
  const int64_t width = ByteWidth(shape.element_type());
  std::vector<int64_t> index(shape.rank(), 0);
  int64_t other = 0;
  for (int64_t offset = 0; offset < bytes; offset += width) {
    copy(offset, other);
    for (int d = shape.rank() - 1; d >= 0; --d) {
      other += strides[d];
      if (++index[d] < shape.dimension(d)) break;
      other -= strides[d] * shape.dimension(d);
      index[d] = 0;
    }
  }
}

absl::Status ReadDynamicSizes(const wire::LiteralProto& proto, Literal* literal) {
  if (proto.dynamic_sizes().empty()) return absl::OkStatus();
  const Shape& shape = literal->shape();
  if (proto.dynamic_sizes_size() != shape.rank()) {
    return BadLiteral(shape, absl::StrCat(proto.dynamic_sizes_size(), " dynamic sizes"));
  }
  std::vector<int32_t> sizes(proto.dynamic_sizes().begin(), proto.dynamic_sizes().end());
  bool all_full = true;
  for (int i = 0; i < shape.rank(); ++i) {
    if (sizes[i] < 0 || sizes[i] > shape.dimension(i)) {
      return BadLiteral(shape, absl::StrCat("dynamic size ", sizes[i], " of dimension ", i));
    }
    all_full &= sizes[i] == shape.dimension(i);
  }
  if (!all_full) literal->set_dynamic_sizes(std::move(sizes));
  return absl::OkStatus();
}

absl::StatusOr<Literal> ReadArray(const wire::LiteralProto& proto, const Shape& shape) {
  const ElementType type = shape.element_type();
  const absl::Span<const std::byte> data = DataOf(proto, type);
  AXLE_ASSIGN_OR_RETURN(const int64_t bytes, shape.ByteSize());
  const int64_t width = ByteWidth(type);
  if (bytes != static_cast<int64_t>(data.size())) {
    return BadLiteral(shape, absl::StrCat("needs ", bytes / width, " elements, has ",
                                          data.size() / static_cast<double>(width)));
  }
  if (!proto.tuple_literals().empty() || AllData(proto) != data.size()) {
    return BadLiteral(shape, "holds data of another type too");
  }
  AXLE_ASSIGN_OR_RETURN(Literal literal, Literal::Zeros(shape));
  std::byte* target = literal.bytes().data();
  if (bytes == 0) return literal;
  if (IsRowMajor(shape)) {
    std::memcpy(target, data.data(), bytes);
  } else {
    AXLE_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, LayoutStrides(shape));
    ForEachElement(shape, strides, bytes, [&](int64_t row_major, int64_t offset) {
      std::memcpy(target + row_major, data.data() + offset, width);
    });
  }
  if (IsSubByte(type)) {
    const std::byte mask{static_cast<uint8_t>((1 << BitWidth(type)) - 1)};
    for (std::byte& value : literal.bytes()) value &= mask;
  }
  AXLE_RETURN_IF_ERROR(ReadDynamicSizes(proto, &literal));
  return literal;
}

// Recursion follows the shape, whose nesting is bounded.
absl::StatusOr<Literal> ReadAs(const wire::LiteralProto& proto, const Shape& shape,
                               ShapeReader& shapes) {
  shapes.Note(proto);
  if (!proto.sparse_indices().empty()) {
    return MakeError(errors::kSparse, "literal with sparse indices");
  }
  if (shape.IsArray()) return ReadArray(proto, shape);
  if (AllData(proto) != 0 || !proto.dynamic_sizes().empty()) {
    return BadLiteral(shape, "holds elements of an array");
  }
  const size_t count = shape.IsTuple() ? shape.tuple_shapes().size() : 0;
  if (static_cast<size_t>(proto.tuple_literals_size()) != count) {
    return BadLiteral(shape, absl::StrCat("has ", proto.tuple_literals_size(), " parts"));
  }
  if (!shape.IsTuple()) return Literal::Zeros(shape);
  std::vector<Literal> elements;
  elements.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const wire::LiteralProto& element = proto.tuple_literals(static_cast<int>(i));
    if (element.has_shape()) {
      AXLE_ASSIGN_OR_RETURN(const Shape own, shapes.Read(element.shape()));
      if (own != shape.tuple_shapes()[i]) {
        return BadLiteral(shape, absl::StrCat("part ", i, " has the shape ", own.ToString()));
      }
    }
    AXLE_ASSIGN_OR_RETURN(Literal part, ReadAs(element, shape.tuple_shapes()[i], shapes));
    elements.push_back(std::move(part));
  }
  return Literal::Tuple(std::move(elements));
}

absl::Status WriteArray(const Literal& literal, wire::LiteralProto* proto) {
  const Shape& shape = literal.shape();
  const ElementType type = shape.element_type();
  const absl::Span<const std::byte> bytes = literal.bytes();
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return MakeError(errors::kTooLarge, absl::StrCat("literal of shape ", shape.ToString()));
  }
  std::byte* target = ResizeData(type, bytes.size(), proto);
  if (bytes.empty()) return absl::OkStatus();
  if (IsRowMajor(shape)) {
    std::memcpy(target, bytes.data(), bytes.size());
  } else {
    AXLE_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, LayoutStrides(shape));
    const int64_t width = ByteWidth(type);
    ForEachElement(shape, strides, bytes.size(), [&](int64_t row_major, int64_t offset) {
      std::memcpy(target + offset, bytes.data() + row_major, width);
    });
  }
  // XLA holds signed integers under 8 bits with their sign extended to the byte.
  if (IsSubByte(type) && IsSigned(type)) {
    const int unused = 8 - BitWidth(type);
    for (size_t i = 0; i < bytes.size(); ++i) {
      const auto shifted = static_cast<int8_t>(static_cast<uint8_t>(target[i]) << unused);
      target[i] = static_cast<std::byte>(shifted >> unused);
    }
  }
  proto->mutable_dynamic_sizes()->Add(literal.dynamic_sizes().begin(),
                                      literal.dynamic_sizes().end());
  return absl::OkStatus();
}

absl::Status WriteContent(const Literal& literal, wire::LiteralProto* proto) {
  WriteShape(literal.shape(), proto->mutable_shape());
  if (literal.shape().IsArray()) return WriteArray(literal, proto);
  for (const Literal& element : literal.elements()) {
    AXLE_RETURN_IF_ERROR(WriteContent(element, proto->add_tuple_literals()));
  }
  return absl::OkStatus();
}

}  // namespace

void FillLayouts(const Literal& literal, wire::LiteralProto* proto) {
  proto->mutable_shape()->Clear();
  WriteShape(literal.shape().WithDefaultLayouts(), proto->mutable_shape());
  for (size_t i = 0; i < literal.elements().size(); ++i) {
    FillLayouts(literal.elements()[i], proto->mutable_tuple_literals(static_cast<int>(i)));
  }
}

absl::StatusOr<Literal> ReadLiteral(const wire::LiteralProto& proto, ShapeReader& shapes) {
  if (!proto.has_shape()) return MakeError(errors::kLiteral, "literal without a shape");
  AXLE_ASSIGN_OR_RETURN(const Shape shape, shapes.Read(proto.shape()));
  return ReadAs(proto, shape, shapes);
}

absl::Status WriteLiteral(const Literal& literal, wire::LiteralProto* proto) {
  proto->Clear();
  return WriteContent(literal, proto);
}

}  // namespace axle::hlo::proto
