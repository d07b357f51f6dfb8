// SPDX-License-Identifier: Apache-2.0
// Functions that thread-sanitizer builds put in the place of others, with the linker's --wrap.
// AxleOptions.cmake finds the names in the sources that include this.
#ifndef AXLE_CMAKE_TSAN_WRAP_H_
#define AXLE_CMAKE_TSAN_WRAP_H_

// Declares the real function and its twin by their linker names.
#define AXLE_WRAPPED(result, name, symbol, ...)         \
  result Real##name(__VA_ARGS__) asm("__real_" symbol); \
  result name(__VA_ARGS__) asm("__wrap_" symbol);

#endif  // AXLE_CMAKE_TSAN_WRAP_H_
