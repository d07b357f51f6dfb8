// SPDX-License-Identifier: Apache-2.0
#include "eval/literal_values.h"

#include <limits>

#include "eval/kernels.h"
#include "eval/typed_dispatch.h"
#include "hlo/instruction.h"

namespace axle::eval {

absl::StatusOr<hlo::Literal> ConvertTo(const hlo::Literal& array, hlo::ElementType type) {
  hlo::Instruction convert;
  convert.opcode = hlo::Opcode::kConvert;
  convert.shape = hlo::Shape::Array(type, array.shape().dimensions());
  const hlo::Literal* operand = &array;
  return EvalConvert(KernelArgs{convert, {&operand, 1}});
}

int64_t IntegerAt(const hlo::Literal& array, int64_t i) {
  return DispatchElement(array.shape().element_type(), [&]<typename E>() -> int64_t {
    if constexpr (IntElement<E>) {
      const typename E::Value value =
          E::Load(reinterpret_cast<const typename E::Stored*>(array.bytes().data())[i]);
      if constexpr (E::kType == hlo::ElementType::kU64) {
        if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
          return std::numeric_limits<int64_t>::max();
        }
      }
      return static_cast<int64_t>(value);
    } else {
      return 0;
    }
  });
}

}  // namespace axle::eval
