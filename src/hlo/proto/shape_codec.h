// SPDX-License-Identifier: Apache-2.0
// Shape and ProgramShape from and to their wire forms.
#ifndef AXLE_HLO_PROTO_SHAPE_CODEC_H_
#define AXLE_HLO_PROTO_SHAPE_CODEC_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hlo/proto/unknown_fields.h"
#include "hlo/shape.h"
#include "proto/xla_data.pb.h"

namespace axle::hlo::proto {

// Equal shapes that one reader returns share their data, and cost a lookup after the first. Not
// thread-safe.
class ShapeReader {
 public:
  // Errors: AX0211 for anything that Shape cannot be, an absent element type included; AX0218 for
  // sparse layouts.
  absl::StatusOr<Shape> Read(const wire::ShapeProto& proto);
  absl::StatusOr<ProgramShape> Read(const wire::ProgramShapeProto& proto);

  // Whether any message that was read since has fields that are not in proto/xla_data.proto.
  bool saw_unknown() const { return saw_unknown_; }
  void clear_saw_unknown() { saw_unknown_ = false; }
  template <typename Message>
  void Note(const Message& message) {
    if (HasUnknownFields(message)) saw_unknown_ = true;
  }

 private:
  // A shape's content as a sequence of numbers; elements of tuples are their positions in shapes_.
  using Key = absl::InlinedVector<int64_t, 20>;

  absl::StatusOr<int> ReadIndex(const wire::ShapeProto& proto, int depth);
  absl::Status AppendLayoutKey(const wire::LayoutProto& layout, int depth, Key* key);
  absl::StatusOr<Shape> Build(const wire::ShapeProto& proto, absl::Span<const int64_t> elements,
                              int64_t physical) const;
  absl::StatusOr<Layout> BuildLayout(const wire::LayoutProto& proto, int64_t physical) const;

  std::vector<Shape> shapes_;
  absl::flat_hash_map<Key, int> index_;
  bool saw_unknown_ = false;
};

// `shape` must be valid, the message empty except for unknown fields, which stay.
void WriteShape(const Shape& shape, wire::ShapeProto* proto);
void WriteProgramShape(const ProgramShape& shape, wire::ProgramShapeProto* proto);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_SHAPE_CODEC_H_
