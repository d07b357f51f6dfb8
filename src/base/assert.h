// SPDX-License-Identifier: Apache-2.0
// AXLE_ASSERT: our own invariants, on in every build type. Never for input: input at fault is a
// Status.
#ifndef AXLE_BASE_ASSERT_H_
#define AXLE_BASE_ASSERT_H_

namespace axle::internal {
[[noreturn]] void AssertFailed(const char* condition, const char* file, int line);
}

#define AXLE_ASSERT(condition)            \
  (static_cast<bool>(condition) ? void(0) \
                                : ::axle::internal::AssertFailed(#condition, __FILE__, __LINE__))

#endif  // AXLE_BASE_ASSERT_H_
