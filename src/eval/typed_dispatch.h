// SPDX-License-Identifier: Apache-2.0
// From an element type at run time to code templated on Element<type>.
#ifndef AXLE_EVAL_TYPED_DISPATCH_H_
#define AXLE_EVAL_TYPED_DISPATCH_H_

#include "eval/element_access.h"

namespace axle::eval {

// Calls function.template operator()<Element<type>>(); for types that are no array types returns
// a default-made result.
template <typename Function>
auto DispatchElement(ElementType type, Function function) {
  using Result = decltype(function.template operator()<Element<ElementType::kF32>>());
  switch (type) {
#define AXLE_CASE(name)      \
  case ElementType::k##name: \
    return function.template operator()<Element<ElementType::k##name>>();
    AXLE_CASE(Pred)
    AXLE_CASE(S1)
    AXLE_CASE(S2)
    AXLE_CASE(S4)
    AXLE_CASE(S8)
    AXLE_CASE(S16)
    AXLE_CASE(S32)
    AXLE_CASE(S64)
    AXLE_CASE(U1)
    AXLE_CASE(U2)
    AXLE_CASE(U4)
    AXLE_CASE(U8)
    AXLE_CASE(U16)
    AXLE_CASE(U32)
    AXLE_CASE(U64)
    AXLE_CASE(F4E2M1FN)
    AXLE_CASE(F6E2M3FN)
    AXLE_CASE(F6E3M2FN)
    AXLE_CASE(F8E3M4)
    AXLE_CASE(F8E4M3)
    AXLE_CASE(F8E4M3FN)
    AXLE_CASE(F8E4M3B11FNUZ)
    AXLE_CASE(F8E4M3FNUZ)
    AXLE_CASE(F8E5M2)
    AXLE_CASE(F8E5M2FNUZ)
    AXLE_CASE(F8E8M0FNU)
    AXLE_CASE(F16)
    AXLE_CASE(BF16)
    AXLE_CASE(F32)
    AXLE_CASE(F64)
    AXLE_CASE(C64)
    AXLE_CASE(C128)
#undef AXLE_CASE
    case ElementType::kInvalid:
    case ElementType::kTuple:
    case ElementType::kOpaque:
    case ElementType::kToken:
    case ElementType::kBuffer:
      return Result();
  }
  return Result();
}

}  // namespace axle::eval

#endif  // AXLE_EVAL_TYPED_DISPATCH_H_
