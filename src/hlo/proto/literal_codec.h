// SPDX-License-Identifier: Apache-2.0
// Literal from and to its wire form.
#ifndef AXLE_HLO_PROTO_LITERAL_CODEC_H_
#define AXLE_HLO_PROTO_LITERAL_CODEC_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hlo/literal.h"
#include "hlo/proto/shape_codec.h"
#include "proto/xla_data.pb.h"

namespace axle::hlo::proto {

// The wire form orders elements by the shape's layout; the literal is row-major and keeps the shape
// with its layout. Nothing is allocated from the shape before the data is known to be as long as it
// asks for. Errors: AX0212 when they differ, AX0211 for the shape, AX0218 for sparse arrays.
absl::StatusOr<Literal> ReadLiteral(const wire::LiteralProto& proto, ShapeReader& shapes);

// Overwrites the message. `literal` has a valid shape. Errors: AX0212 for a layout that does not
// name every dimension once.
absl::Status WriteLiteral(const Literal& literal, wire::LiteralProto* proto);

// After WriteLiteral: gives the row-major layout to arrays that name none. Their data is in that
// order already.
void FillLayouts(const Literal& literal, wire::LiteralProto* proto);

}  // namespace axle::hlo::proto

#endif  // AXLE_HLO_PROTO_LITERAL_CODEC_H_
