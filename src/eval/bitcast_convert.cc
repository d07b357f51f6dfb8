// SPDX-License-Identifier: Apache-2.0
// The bits of an array, read as one little-endian string in row-major order, cut into elements of
// another width: element 0 of a new last dimension holds the lowest bits.
#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "eval/errors.h"
#include "eval/kernels.h"

namespace axle::eval {
namespace {

using hlo::ElementType;
using hlo::Literal;

// Types under 8 bits hold their bits in the low end of a byte each. A wider element is a multiple
// of a narrower one, so none straddles two bytes.
void Unpack(const std::byte* from, int from_bits, std::byte* to, int to_bits, int64_t to_count) {
  const int64_t group = std::min(from_bits, 8) / to_bits;  // elements from one byte
  const std::byte mask{static_cast<uint8_t>((1 << to_bits) - 1)};
  for (int64_t i = 0; i < to_count; ++i) {
    to[i] = from[i / group] >> static_cast<int>(i % group) * to_bits & mask;
  }
}

void Pack(const std::byte* from, int from_bits, std::byte* to, int to_bits, int64_t from_count) {
  const int64_t group = std::min(to_bits, 8) / from_bits;  // elements into one byte
  for (int64_t i = 0; i < from_count; ++i) {
    to[i / group] |= from[i] << static_cast<int>(i % group) * from_bits;
  }
}

}  // namespace

absl::StatusOr<Literal> EvalBitcastConvert(const KernelArgs& args) {
  const Literal& x = args.operand(0);
  const ElementType from = x.shape().element_type();
  const ElementType to = args.result().element_type();
  const int from_bits = hlo::BitWidth(from);
  const int to_bits = hlo::BitWidth(to);
  if (std::max(from_bits, to_bits) % std::min(from_bits, to_bits) != 0) {
    return MakeError(errors::kUnimplemented,
                     absl::StrCat("bitcast-convert of ", hlo::Name(from), " to ", hlo::Name(to),
                                  ": neither width is a multiple of the other"));
  }
  AXLE_ASSIGN_OR_RETURN(Literal result, Literal::Zeros(args.result()));
  const std::byte* source = x.bytes().data();
  std::byte* target = result.bytes().data();
  if (from_bits == to_bits || (from_bits >= 8 && to_bits >= 8)) {
    std::copy_n(source, result.bytes().size(), target);
  } else if (to_bits < from_bits) {
    Unpack(source, from_bits, target, to_bits, result.element_count());
  } else {
    Pack(source, from_bits, target, to_bits, x.element_count());
  }
  // A pred is 0 or 1 whatever bits it was made of.
  if (to == ElementType::kPred) {
    for (std::byte& byte : result.bytes()) byte = std::byte{byte != std::byte{0}};
  }
  return result;
}

}  // namespace axle::eval
