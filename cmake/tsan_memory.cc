// SPDX-License-Identifier: Apache-2.0
// PJRT plugins are compiled without ThreadSanitizer, which therefore does not see what orders their
// threads, but sees their memcpy and free: it reports races where none is. The option
// ignore_noninstrumented_modules=1 has it ignore the memory that such modules touch so, and still
// see their threads and locks. But on Linux it takes every module for one of these, ours too. So
// our calls of such functions are sent here by the linker's --wrap, and ThreadSanitizer is told
// what they touch.

#include <cstddef>

// Declares the real function and what stands in its place by their linker names, which
// AxleOptions.cmake reads from here.
#define AXLE_WRAPPED(result, name, symbol, ...)         \
  result Real##name(__VA_ARGS__) asm("__real_" symbol); \
  result name(__VA_ARGS__) asm("__wrap_" symbol);

// Of the sanitizer's library; g++ has no header for them.
extern "C" {
size_t __sanitizer_get_allocated_size(const volatile void* memory);
void __tsan_read_range(void* begin, unsigned long size);
void __tsan_write_range(void* begin, unsigned long size);
}

// What the environment's TSAN_OPTIONS may override. Too large an allocation is refused, as without
// the sanitizer.
extern "C" const char* __tsan_default_options() {
  return "ignore_noninstrumented_modules=1:allocator_may_return_null=1:second_deadlock_stack=1";
}

namespace axle::tsan {

AXLE_WRAPPED(void*, Copy, "memcpy", void*, const void*, size_t)
AXLE_WRAPPED(void*, Move, "memmove", void*, const void*, size_t)
AXLE_WRAPPED(void*, Set, "memset", void*, int, size_t)
AXLE_WRAPPED(int, Compare, "memcmp", const void*, const void*, size_t)
AXLE_WRAPPED(void, Free, "free", void*)
AXLE_WRAPPED(void, Delete, "_ZdlPv", void*)
AXLE_WRAPPED(void, DeleteSized, "_ZdlPvm", void*, size_t)

void* Copy(void* to, const void* from, size_t size) {
  __tsan_read_range(const_cast<void*>(from), size);
  __tsan_write_range(to, size);
  return RealCopy(to, from, size);
}

void* Move(void* to, const void* from, size_t size) {
  __tsan_read_range(const_cast<void*>(from), size);
  __tsan_write_range(to, size);
  return RealMove(to, from, size);
}

void* Set(void* to, int value, size_t size) {
  __tsan_write_range(to, size);
  return RealSet(to, value, size);
}

int Compare(const void* a, const void* b, size_t size) {
  __tsan_read_range(const_cast<void*>(a), size);
  __tsan_read_range(const_cast<void*>(b), size);
  return RealCompare(a, b, size);
}

// To free memory is to write to it: nobody may use it at the same time.
void Free(void* memory) {
  if (memory != nullptr) __tsan_write_range(memory, __sanitizer_get_allocated_size(memory));
  RealFree(memory);
}

void Delete(void* memory) {
  if (memory != nullptr) __tsan_write_range(memory, __sanitizer_get_allocated_size(memory));
  RealDelete(memory);
}

void DeleteSized(void* memory, size_t size) {
  if (memory != nullptr) __tsan_write_range(memory, size);
  RealDeleteSized(memory, size);
}

}  // namespace axle::tsan
