// SPDX-License-Identifier: Apache-2.0
// A prepared call allocates its results and nothing else. In a program of its own because it
// counts every operator new.
#include "runtime/prepared_call.h"

#include <cstdlib>
#include <memory>
#include <new>

#include "gtest/gtest.h"
#include "hlo/text/parser.h"
#include "null/null.h"
#include "runtime/runtime_testing.h"

namespace {

thread_local int allocations = 0;

void* Allocate(size_t size) {
  ++allocations;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

void* operator new(size_t size) { return Allocate(size); }
void* operator new[](size_t size) { return Allocate(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

namespace axle::runtime {
namespace {

TEST(PreparedCallAllocationsTest, ALeafAndABufferAResult) {
  const auto store = Store::Create(null::Create(), {});
  const auto session = store->OpenSession({.name = "test"});
  PreparedCall call(session, ProgramOf(*session, kAdd));
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(call.Bind(i, Value(*session, Floats({1, 2}))).ok());
  }
  for (int run = 0; run < 3; ++run) {
    const int before = allocations;
    const absl::StatusOr<Allocation> result = call.Run();
    EXPECT_EQ(allocations - before, 2);
    ASSERT_TRUE(result.ok()) << result.status();
  }
}

}  // namespace
}  // namespace axle::runtime
