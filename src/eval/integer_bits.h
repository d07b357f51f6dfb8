// SPDX-License-Identifier: Apache-2.0
// Two's complement arithmetic of any width in 64 bits, where nothing overflows undefined.
#ifndef AXLE_EVAL_INTEGER_BITS_H_
#define AXLE_EVAL_INTEGER_BITS_H_

#include <cstdint>

#include "eval/element_access.h"

namespace axle::eval {

// The kBits bits of x, zero above.
template <IntElement E>
uint64_t BitsOf(typename E::Value x) {
  return static_cast<uint64_t>(x) & (~uint64_t{0} >> (64 - E::kBits));
}

// The bits of x as a signed number, also where the type is unsigned.
template <IntElement E>
int64_t SignExtended(typename E::Value x) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) << (64 - E::kBits)) >> (64 - E::kBits);
}

template <IntElement E>
typename E::Value WrapAdd(typename E::Value a, typename E::Value b) {
  return static_cast<typename E::Value>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

template <IntElement E>
typename E::Value WrapSubtract(typename E::Value a, typename E::Value b) {
  return static_cast<typename E::Value>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

template <IntElement E>
typename E::Value WrapMultiply(typename E::Value a, typename E::Value b) {
  return static_cast<typename E::Value>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

template <IntElement E>
typename E::Value WrapNegate(typename E::Value x) {
  return WrapSubtract<E>(0, x);
}

}  // namespace axle::eval

#endif  // AXLE_EVAL_INTEGER_BITS_H_
