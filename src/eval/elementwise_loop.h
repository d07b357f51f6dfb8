// SPDX-License-Identifier: Apache-2.0
// From the formula of an operation to loops over raw elements.
//
// An operation is a struct with static function templates Apply<E>(Value, …) for the elements E
// that it is defined for, told apart by concepts, and, where the result's type is another one, an
// alias template Result<E>.
#ifndef AXLE_EVAL_ELEMENTWISE_LOOP_H_
#define AXLE_EVAL_ELEMENTWISE_LOOP_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "eval/errors.h"
#include "eval/scalar_ops.h"
#include "eval/typed_dispatch.h"

namespace axle::eval {

template <typename Op, typename E>
struct ResultOf {
  using Type = E;
};
template <typename Op, typename E>
  requires requires { typename Op::template Result<E>; }
struct ResultOf<Op, E> {
  using Type = typename Op::template Result<E>;
};

template <typename Op, typename E>
void RunUnaryLoop(const void* a, void* out, int64_t n) {
  using R = typename ResultOf<Op, E>::Type;
  const auto* from = static_cast<const typename E::Stored*>(a);
  auto* to = static_cast<typename R::Stored*>(out);
  for (int64_t i = 0; i < n; ++i) to[i] = R::Store(Op::template Apply<E>(E::Load(from[i])));
}

template <typename Op, typename E>
void RunBinaryLoop(const void* a, const void* b, void* out, int64_t n) {
  using R = typename ResultOf<Op, E>::Type;
  const auto* left = static_cast<const typename E::Stored*>(a);
  const auto* right = static_cast<const typename E::Stored*>(b);
  auto* to = static_cast<typename R::Stored*>(out);
  for (int64_t i = 0; i < n; ++i) {
    to[i] = R::Store(Op::template Apply<E>(E::Load(left[i]), E::Load(right[i])));
  }
}

template <typename Op, typename E>
void RunTernaryLoop(const void* a, const void* b, const void* c, void* out, int64_t n) {
  const auto* first = static_cast<const typename E::Stored*>(a);
  const auto* second = static_cast<const typename E::Stored*>(b);
  const auto* third = static_cast<const typename E::Stored*>(c);
  auto* to = static_cast<typename E::Stored*>(out);
  for (int64_t i = 0; i < n; ++i) {
    to[i] =
        E::Store(Op::template Apply<E>(E::Load(first[i]), E::Load(second[i]), E::Load(third[i])));
  }
}

// The loop of Op for a type, or null where Op has no formula for it.
template <typename Op>
UnaryLoop UnaryLoopOf(ElementType type) {
  return DispatchElement(type, []<typename E>() -> UnaryLoop {
    if constexpr (requires(typename E::Value x) { Op::template Apply<E>(x); }) {
      return &RunUnaryLoop<Op, E>;
    } else {
      return nullptr;
    }
  });
}

template <typename Op>
BinaryLoop BinaryLoopOf(ElementType type) {
  return DispatchElement(type, []<typename E>() -> BinaryLoop {
    if constexpr (requires(typename E::Value x) { Op::template Apply<E>(x, x); }) {
      return &RunBinaryLoop<Op, E>;
    } else {
      return nullptr;
    }
  });
}

template <typename Op>
TernaryLoop TernaryLoopOf(ElementType type) {
  return DispatchElement(type, []<typename E>() -> TernaryLoop {
    if constexpr (requires(typename E::Value x) { Op::template Apply<E>(x, x, x); }) {
      return &RunTernaryLoop<Op, E>;
    } else {
      return nullptr;
    }
  });
}

inline absl::Status NoLoopError(hlo::Opcode opcode, ElementType type) {
  return MakeError(errors::kUnimplemented,
                   absl::StrCat(hlo::Name(opcode), " of ", hlo::Name(type), " is not defined"));
}

}  // namespace axle::eval

#endif  // AXLE_EVAL_ELEMENTWISE_LOOP_H_
