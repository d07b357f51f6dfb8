// SPDX-License-Identifier: Apache-2.0
// A library that is compiled without sanitizers, as PJRT plugins are: a thread of its own does what
// it is asked to, and only atomics, which no sanitizer sees there, hand the work over.
#ifndef AXLE_TESTS_SANITIZER_SELFTEST_PLUGIN_H_
#define AXLE_TESTS_SANITIZER_SELFTEST_PLUGIN_H_

#include <cstddef>

extern "C" {

// Begins to copy `size` bytes in the library's thread, which then calls `done`, if there is one.
// One piece of work at a time.
void PluginCopy(void* to, const void* from, size_t size, void (*done)(void*), void* argument);

// Returns when the work is done.
void PluginAwait();

// A block that the library's thread has allocated and filled with `value`. Whoever gets it frees
// it.
void* PluginFilled(size_t size, int value);
}

#endif  // AXLE_TESTS_SANITIZER_SELFTEST_PLUGIN_H_
