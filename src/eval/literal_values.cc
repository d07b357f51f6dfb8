// SPDX-License-Identifier: Apache-2.0
#include "eval/literal_values.h"

#include <limits>

#include "base/status_macros.h"
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

void FillWith(const hlo::Literal& scalar, hlo::Literal& array) {
  const DimsView dims = array.shape().dimensions();
  const Dims no_strides(dims.size(), 0);
  CopyStrided(WidthOf(array), dims, {scalar.bytes().data(), no_strides},
              {array.bytes().data(), RowMajorStrides(dims)});
}

void CopyPermuted(const hlo::Literal& array, DimsView order, hlo::Literal& result) {
  const DimsView dims = array.shape().dimensions();
  const Dims ordered = Select(dims, order);
  CopyStrided(WidthOf(array), ordered, {array.bytes().data(), Select(RowMajorStrides(dims), order)},
              {result.bytes().data(), RowMajorStrides(ordered)});
}

absl::StatusOr<hlo::Literal> ConvertPermuted(const hlo::Literal& array, DimsView order,
                                             hlo::ElementType type) {
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, hlo::Literal::Zeros(hlo::Shape::Array(
                                                 type, Select(array.shape().dimensions(), order))));
  if (array.shape().element_type() == type) {
    CopyPermuted(array, order, result);
    return result;
  }
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal converted, ConvertTo(array, type));
  CopyPermuted(converted, order, result);
  return result;
}

}  // namespace axle::eval
