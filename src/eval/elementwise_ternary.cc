// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "base/status_macros.h"
#include "eval/elementwise_loop.h"
#include "eval/kernels.h"
#include "eval/maximum_minimum.h"

namespace axle::eval {
namespace {

using hlo::Literal;
using hlo::Opcode;

// min(max(low, x), high), so high wins where the bounds cross and NaN stays.
struct Clamp {
  template <typename E>
  static typename E::Value Apply(typename E::Value low, typename E::Value x,
                                 typename E::Value high) {
    return Minimum::Apply<E>(Maximum::Apply<E>(low, x), high);
  }
};

// Moves elements of kBytes bytes, whatever they mean.
template <int kBytes>
void RunSelect(const void* pred, const void* on_true, const void* on_false, void* out, int64_t n) {
  const auto* choice = static_cast<const uint8_t*>(pred);
  const auto* yes = static_cast<const char*>(on_true);
  const auto* no = static_cast<const char*>(on_false);
  auto* to = static_cast<char*>(out);
  for (int64_t i = 0; i < n; ++i) {
    std::memmove(to + i * kBytes, (choice[i] != 0 ? yes : no) + i * kBytes, kBytes);
  }
}

TernaryLoop SelectLoopOf(ElementType type) {
  if (!hlo::IsArrayType(type)) return nullptr;
  switch (hlo::ByteWidth(type)) {
    case 1:
      return &RunSelect<1>;
    case 2:
      return &RunSelect<2>;
    case 4:
      return &RunSelect<4>;
    case 8:
      return &RunSelect<8>;
    default:
      return &RunSelect<16>;
  }
}

// An operand of clamp: an array, or a scalar that stands for an array of equal elements.
class Bound {
 public:
  static constexpr int64_t kBlock = 256;  // elements that one call of a loop sees

  Bound(const Literal& literal, int64_t width)
      : width_(width), repeats_(literal.element_count() == 1), data_(literal.bytes().data()) {
    if (!repeats_) return;
    for (int64_t i = 0; i < kBlock; ++i) std::memcpy(block_ + i * width, data_, width);
  }
  const void* At(int64_t i) const { return repeats_ ? block_ : data_ + i * width_; }

 private:
  int64_t width_;
  bool repeats_;
  const std::byte* data_;
  alignas(16) std::byte block_[kBlock * 16];
};

}  // namespace

TernaryLoop FindTernary(Opcode opcode, ElementType operand) {
  if (opcode == Opcode::kClamp) return TernaryLoopOf<Clamp>(operand);
  if (opcode == Opcode::kSelect) return SelectLoopOf(operand);
  return nullptr;
}

absl::StatusOr<Literal> EvalSelect(const KernelArgs& args) {
  const Literal& pred = args.operand(0);
  const Literal& on_true = args.operand(1);
  const Literal& on_false = args.operand(2);
  const ElementType type = on_true.shape().element_type();
  const TernaryLoop loop = FindTernary(Opcode::kSelect, type);
  if (loop == nullptr) return NoLoopError(Opcode::kSelect, type);
  AXLE_ASSIGN_OR_RETURN(Literal result, Literal::Zeros(args.result()));
  if (pred.shape().rank() == 0) {
    const Literal& chosen = pred.data<bool>()[0] ? on_true : on_false;
    std::copy(chosen.bytes().begin(), chosen.bytes().end(), result.bytes().begin());
    return result;
  }
  loop(pred.bytes().data(), on_true.bytes().data(), on_false.bytes().data(), result.bytes().data(),
       result.element_count());
  return result;
}

absl::StatusOr<Literal> EvalClamp(const KernelArgs& args) {
  const Literal& x = args.operand(1);
  const ElementType type = x.shape().element_type();
  const TernaryLoop loop = FindTernary(Opcode::kClamp, type);
  if (loop == nullptr) return NoLoopError(Opcode::kClamp, type);
  AXLE_ASSIGN_OR_RETURN(Literal result, Literal::Zeros(args.result()));
  const int64_t width = hlo::ByteWidth(type);
  const Bound low(args.operand(0), width);
  const Bound high(args.operand(2), width);
  for (int64_t i = 0; i < x.element_count(); i += Bound::kBlock) {
    loop(low.At(i), x.bytes().data() + i * width, high.At(i), result.bytes().data() + i * width,
         std::min(Bound::kBlock, x.element_count() - i));
  }
  return result;
}

}  // namespace axle::eval
