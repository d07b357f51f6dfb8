// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <type_traits>

#include "base/status_macros.h"
#include "eval/elementwise_loop.h"
#include "eval/integer_bits.h"
#include "eval/kernels.h"

namespace axle::eval {
namespace {

using hlo::ComparisonDirection;
using hlo::ComparisonType;
using hlo::Opcode;

template <ComparisonDirection direction, typename T>
bool Holds(T a, T b) {
  if constexpr (direction == ComparisonDirection::kEq) return a == b;
  if constexpr (direction == ComparisonDirection::kNe) return a != b;
  if constexpr (direction == ComparisonDirection::kGe) return a >= b;
  if constexpr (direction == ComparisonDirection::kGt) return a > b;
  if constexpr (direction == ComparisonDirection::kLe) return a <= b;
  if constexpr (direction == ComparisonDirection::kLt) return a < b;
}

// The order of the values: of floats, NaN is unequal to everything and -0 equals 0. Complex numbers
// have no order, only equality.
template <ComparisonDirection direction>
struct CompareValues {
  template <typename E>
  using Result = Element<ElementType::kPred>;

  template <typename E>
    requires PredElement<E> || RealElement<E>
  static bool Apply(typename E::Value a, typename E::Value b) {
    return Holds<direction>(a, b);
  }
  template <ComplexElement E>
    requires(direction == ComparisonDirection::kEq || direction == ComparisonDirection::kNe)
  static bool Apply(typename E::Value a, typename E::Value b) {
    return Holds<direction>(a, b);
  }
};

// The order of IEEE 754 totalOrder: -NaN < -infinity < … < -0 < 0 < … < infinity < NaN, by the bits
// as a sign and a magnitude.
template <FloatElement E>
int64_t TotalOrderKey(typename E::Stored stored) {
  using Bits = std::conditional_t<
      sizeof(stored) == 1, uint8_t,
      std::conditional_t<sizeof(stored) == 2, uint16_t,
                         std::conditional_t<sizeof(stored) == 4, uint32_t, uint64_t>>>;
  const uint64_t bits = std::bit_cast<Bits>(stored);
  if (E::kType == ElementType::kF8E8M0FNU) return static_cast<int64_t>(bits);  // has no sign
  const uint64_t sign = uint64_t{1} << (E::kBits - 1);
  const int64_t magnitude = static_cast<int64_t>(bits & (sign - 1));
  return bits & sign ? -1 - magnitude : magnitude;
}

template <ComparisonDirection direction, typename E>
void RunTotalOrder(const void* a, const void* b, void* out, int64_t n) {
  const auto* left = static_cast<const typename E::Stored*>(a);
  const auto* right = static_cast<const typename E::Stored*>(b);
  auto* to = static_cast<uint8_t*>(out);
  for (int64_t i = 0; i < n; ++i) {
    to[i] = Holds<direction>(TotalOrderKey<E>(left[i]), TotalOrderKey<E>(right[i]));
  }
}

template <ComparisonDirection direction>
BinaryLoop LoopOf(ComparisonType type, ElementType operand) {
  if (type != ComparisonType::kTotalOrder || !hlo::IsFloat(operand)) {
    return BinaryLoopOf<CompareValues<direction>>(operand);
  }
  return DispatchElement(operand, []<typename E>() -> BinaryLoop {
    if constexpr (FloatElement<E>) {
      return &RunTotalOrder<direction, E>;
    } else {
      return nullptr;
    }
  });
}

}  // namespace

BinaryLoop FindCompare(ComparisonDirection direction, ComparisonType type, ElementType operand) {
  switch (direction) {
    case ComparisonDirection::kEq:
      return LoopOf<ComparisonDirection::kEq>(type, operand);
    case ComparisonDirection::kNe:
      return LoopOf<ComparisonDirection::kNe>(type, operand);
    case ComparisonDirection::kGe:
      return LoopOf<ComparisonDirection::kGe>(type, operand);
    case ComparisonDirection::kGt:
      return LoopOf<ComparisonDirection::kGt>(type, operand);
    case ComparisonDirection::kLe:
      return LoopOf<ComparisonDirection::kLe>(type, operand);
    case ComparisonDirection::kLt:
      return LoopOf<ComparisonDirection::kLt>(type, operand);
  }
  return nullptr;
}

absl::StatusOr<hlo::Literal> EvalCompare(const KernelArgs& args) {
  const hlo::Literal& a = args.operand(0);
  const auto& attributes = args.instruction.As<hlo::CompareAttributes>();
  const ElementType type = a.shape().element_type();
  const BinaryLoop loop = FindCompare(attributes.direction, attributes.type, type);
  if (loop == nullptr) return NoLoopError(Opcode::kCompare, type);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(args.result()));
  loop(a.bytes().data(), args.operand(1).bytes().data(), result.bytes().data(), a.element_count());
  return result;
}

}  // namespace axle::eval
