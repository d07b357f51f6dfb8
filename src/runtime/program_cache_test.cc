// SPDX-License-Identifier: Apache-2.0
#include "runtime/program_cache.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "gtest/gtest.h"
#include "runtime/runtime_testing.h"

namespace axle::runtime {
namespace {

// f32[] -> f32[]: plus `constant`. `name` names module and instructions, which nothing depends on.
std::string PlusText(int constant, absl::string_view name = "m") {
  return absl::StrCat("HloModule ", name, "\nENTRY main {\n  ", name, ".x = f32[] parameter(0)\n  ",
                      name, ".c = f32[] constant(", constant, ")\n  ROOT r = f32[] add(", name,
                      ".x, ", name, ".c)\n}\n");
}

class ProgramCacheTest : public ::testing::Test {
 protected:
  std::shared_ptr<ProgramCache> Cache(int64_t max_bytes = int64_t{1} << 30) {
    Faults faults;
    faults.fail = [this](FaultPoint point) {
      if (point != FaultPoint::kCompile) return absl::OkStatus();
      ++compiles_;
      if (compile_gate_ != nullptr) compile_gate_->Wait();
      return failures_left_-- > 0 ? absl::UnavailableError("compiler is out") : absl::OkStatus();
    };
    return ProgramCache::Create(
        std::make_shared<FaultBackend>(reference::Create({.device_count = 2}), faults),
        {.max_bytes = max_bytes, .loader = [this](absl::string_view bytes) {
           ++loads_;
           return hlo::ParseModule(bytes);
         }});
  }

  std::atomic<int> compiles_ = 0, loads_ = 0, failures_left_ = 0;
  std::shared_ptr<Gate> compile_gate_;
};

TEST_F(ProgramCacheTest, TheSameBytesAreReadAndCompiledOnce) {
  const auto cache = Cache();
  const auto first = cache->Get(PlusText(1), {});
  const auto second = cache->Get(PlusText(1), {});
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(loads_, 1);
  EXPECT_EQ(compiles_, 1);
  EXPECT_EQ(cache->stats().byte_hits, 1);
}

TEST_F(ProgramCacheTest, NamesMakeNoOtherProgram) {
  const auto cache = Cache();
  const auto first = cache->Get(PlusText(1, "a"), {});
  const auto second = cache->Get(PlusText(1, "b"), {});
  const auto third = cache->Get(ModuleOf(PlusText(1, "c")), {});
  ASSERT_TRUE(first.ok() && second.ok() && third.ok());
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(*first, *third);
  EXPECT_EQ(compiles_, 1);
  EXPECT_EQ(cache->stats().module_hits, 2);
}

TEST_F(ProgramCacheTest, AModuleIsComparedOnce) {
  const auto cache = Cache();
  const auto first = *cache->Get(PlusText(1), {});
  const auto module = ModuleOf(PlusText(1));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(first, *cache->Get(module, {}));
  EXPECT_EQ(cache->stats().comparisons, 1);
  EXPECT_EQ(first, *cache->Get(ModuleOf(PlusText(1)), {}));
  EXPECT_EQ(cache->stats().comparisons, 2);
  EXPECT_EQ(compiles_, 1);
}

TEST_F(ProgramCacheTest, OtherContentOptionsAndDevicesAreOtherPrograms) {
  const auto cache = Cache();
  const auto first = *cache->Get(PlusText(1), {});
  EXPECT_NE(first, *cache->Get(PlusText(2), {}));
  ProgramCache::Request on_second_device;
  on_second_device.options.compile.device = 1;
  const auto other_device = *cache->Get(PlusText(1), on_second_device);
  EXPECT_NE(first, other_device);
  EXPECT_EQ(other_device->program().device().id(), 1);
  ProgramCache::Request other_limit;
  other_limit.options.max_value_bytes = 1000;
  EXPECT_NE(first, *cache->Get(PlusText(1), other_limit));
  EXPECT_EQ(compiles_, 4);
}

TEST_F(ProgramCacheTest, SignatureMustMatchAndIsPartOfTheKey) {
  const auto cache = Cache();
  const std::string text = R"(
HloModule m
ENTRY main {
  x = f32[2,3] parameter(0)
  ROOT r = f32[2,3] negate(x)
})";
  const auto plain = *cache->Get(text, {});
  hlo::Layout column_major;
  column_major.minor_to_major = {0, 1};
  const hlo::Shape shape = hlo::Shape::Array(hlo::ElementType::kF32, {2, 3});
  hlo::ProgramShape signature{{shape.WithLayout(column_major)}, {}, shape.WithDefaultLayouts()};
  ProgramCache::Request request;
  request.signature = &signature;
  const auto with_layouts = cache->Get(text, request);
  ASSERT_TRUE(with_layouts.ok()) << with_layouts.status();
  EXPECT_NE(plain, *with_layouts);
  EXPECT_EQ((*with_layouts)->module().module()->config.entry_layout->parameters[0],
            signature.parameters[0]);
  EXPECT_EQ(*with_layouts, *cache->Get(text, request));

  signature.parameters[0] = hlo::Shape::Array(hlo::ElementType::kF32, {3, 2});
  EXPECT_EQ(ErrorIdOf(cache->Get(text, request).status()), "AX0613");
  signature.parameters.clear();
  EXPECT_EQ(ErrorIdOf(cache->Get(text, request).status()), "AX0613");
  signature = {{shape}, {}, hlo::Shape::Array(hlo::ElementType::kF64, {2, 3})};
  EXPECT_EQ(ErrorIdOf(cache->Get(text, request).status()), "AX0613");
}

TEST_F(ProgramCacheTest, AFailureLeavesNothingAndIsTriedAgain) {
  const auto cache = Cache();
  failures_left_ = 1;
  const auto failed = cache->Get(PlusText(1), {});
  EXPECT_TRUE(absl::IsUnavailable(failed.status())) << failed.status();
  EXPECT_EQ(cache->stats().known, 0);
  const auto second = cache->Get(PlusText(1), {});
  EXPECT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(compiles_, 2);
}

TEST_F(ProgramCacheTest, BadBytesAreTheLoadersErrors) {
  const auto cache = Cache();
  EXPECT_FALSE(cache->Get("no program", {}).ok());
  EXPECT_EQ(cache->stats().known, 0);
  const auto without_loader = ProgramCache::Create(reference::Create(), {});
  EXPECT_EQ(ErrorIdOf(without_loader->Get(PlusText(1), {}).status()), "AX0615");
}

// All but one wait for the one that compiles.
TEST_F(ProgramCacheTest, OneFlightAtATime) {
  const auto cache = Cache();
  compile_gate_ = std::make_shared<Gate>();
  std::vector<absl::StatusOr<std::shared_ptr<CachedProgram>>> results(
      6, absl::UnknownError("not run"));
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&] { result = cache->Get(ModuleOf(PlusText(1)), {}); });
  }
  while (compiles_ == 0) std::this_thread::yield();
  // A request that has no time gives up, and the compile goes on.
  ProgramCache::Request hurried;
  hurried.deadline = absl::Now() + absl::Milliseconds(1);
  const auto given_up = cache->Get(ModuleOf(PlusText(1)), hurried);
  EXPECT_EQ(ErrorIdOf(given_up.status()), "AX0614");
  EXPECT_TRUE(absl::IsDeadlineExceeded(given_up.status()));
  compile_gate_->Open();
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) {
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(*result, *results[0]);
  }
  EXPECT_EQ(compiles_, 1);
}

TEST_F(ProgramCacheTest, LeastRecentlyUsedGoFirstAndTheNewestStays) {
  const auto cache = Cache(/*max_bytes=*/1);  // room for none
  const std::string one = PlusText(1), two = PlusText(2);
  ASSERT_TRUE(cache->Get(one, {}).ok());
  EXPECT_EQ(cache->stats().kept, 1);  // the newest, although it alone passes the bound
  ASSERT_TRUE(cache->Get(two, {}).ok());
  EXPECT_EQ(cache->stats().kept, 1);
  EXPECT_EQ(cache->stats().known, 1);
  ASSERT_TRUE(cache->Get(two, {}).ok());
  EXPECT_EQ(compiles_, 2);
  ASSERT_TRUE(cache->Get(one, {}).ok());
  EXPECT_EQ(compiles_, 3);
}

TEST_F(ProgramCacheTest, UseDecidesWhoStays) {
  const auto measured = Cache();
  ASSERT_TRUE(measured->Get(PlusText(1), {}).ok());
  const int64_t size = measured->stats().kept_bytes;
  ASSERT_GT(size, 0);

  const auto cache = Cache(2 * size + size / 2);  // room for two
  compiles_ = 0;
  ASSERT_TRUE(cache->Get(PlusText(1), {}).ok());
  ASSERT_TRUE(cache->Get(PlusText(2), {}).ok());
  ASSERT_TRUE(cache->Get(PlusText(1), {}).ok());
  ASSERT_TRUE(cache->Get(PlusText(3), {}).ok());  // 2 has to go
  ASSERT_TRUE(cache->Get(PlusText(1), {}).ok());
  EXPECT_EQ(compiles_, 3);
  ASSERT_TRUE(cache->Get(PlusText(2), {}).ok());
  EXPECT_EQ(compiles_, 4);
  EXPECT_EQ(cache->stats().evictions, 2);
}

TEST_F(ProgramCacheTest, OwnedProgramsLiveOnAndAreFoundAgain) {
  const auto cache = Cache(/*max_bytes=*/1);
  auto owned = *cache->Get(PlusText(1), {});
  ASSERT_TRUE(cache->Get(PlusText(2), {}).ok());
  EXPECT_EQ(cache->stats().kept, 1);
  EXPECT_EQ(cache->stats().known, 2);
  EXPECT_EQ(owned, *cache->Get(PlusText(1), {}));
  EXPECT_EQ(compiles_, 2);
  ASSERT_TRUE(cache->Get(PlusText(2), {}).ok());  // evicted meanwhile, and nobody owned it
  EXPECT_EQ(compiles_, 3);
  owned.reset();
  EXPECT_EQ(cache->stats().known, 1);
}

TEST_F(ProgramCacheTest, ProgramsMayOutliveTheCache) {
  auto cache = Cache();
  const auto owned = *cache->Get(PlusText(1), {});
  cache.reset();
  EXPECT_EQ(owned->program().signature().parameters.size(), 1);
}

TEST_F(ProgramCacheTest, ManyThreadsManyPrograms) {
  const auto cache = Cache(/*max_bytes=*/20'000);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 60; ++i) {
        const auto program = cache->Get(PlusText((t + i) % 12), {});
        if (!program.ok() || (*program)->program().signature().parameters.size() != 1) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(cache->stats().known, cache->stats().kept);
}

}  // namespace
}  // namespace axle::runtime
