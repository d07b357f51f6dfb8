// SPDX-License-Identifier: Apache-2.0
// The backend on real plugins, through runtime::Program as everybody uses it.
#include "pjrt_client/backend.h"

#include <atomic>
#include <cmath>
#include <filesystem>
#include <latch>
#include <limits>
#include <optional>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "base/aligned_bytes.h"
#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hlo/text/parser.h"
#include "pjrt_client/buffer_type.h"
#include "pjrt_client/fake_plugin_testing.h"
#include "runtime/program.h"

namespace axle::pjrt_client {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;
using runtime::Program;
using ::testing::HasSubstr;
using BufferPtr = std::shared_ptr<runtime::Buffer>;

class BackendTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(GetParam())) {
      GTEST_SKIP() << "no plugin at " << GetParam() << ": run scripts/install-deps";
    }
    MakeBackend(1);
  }

  void MakeBackend(int devices) {
    BackendOptions options;
    options.plugin_path = GetParam();
    options.device_count = devices;
    auto backend = CreateBackend(options);
    ASSERT_TRUE(backend.ok()) << backend.status();
    backend_ = *std::move(backend);
  }

  bool IsOldest() const { return GetParam() == OldestPluginPath(); }
  runtime::Device& device(int i = 0) { return *backend_->devices()[i]; }

  absl::StatusOr<std::unique_ptr<Program>> Compile(absl::string_view text,
                                                   const runtime::ProgramOptions& options = {}) {
    absl::StatusOr<hlo::Module> module = hlo::ParseModule(text);
    if (!module.ok()) return module.status();
    return Program::Compile(backend_, std::make_shared<const hlo::Module>(*std::move(module)),
                            options);
  }

  BufferPtr Put(const Literal& literal, int device_number = 0) {
    auto buffer = runtime::UploadLiteral(device(device_number), literal);
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    return *std::move(buffer);
  }
  BufferPtr PutF32(std::vector<float> values) { return Put(Literal::Vector<float>(values)); }

  static Literal Get(const BufferPtr& buffer) {
    auto literal = runtime::DownloadLiteral(*buffer);
    EXPECT_TRUE(literal.ok()) << literal.status();
    return literal.ok() ? *std::move(literal) : Literal();
  }
  static std::vector<float> GetF32(const BufferPtr& buffer) {
    const Literal literal = Get(buffer);
    return {literal.data<float>().begin(), literal.data<float>().end()};
  }

  // Compiles and runs; no buffers on an error.
  std::vector<BufferPtr> Run(absl::string_view text, const std::vector<BufferPtr>& arguments) {
    auto program = Compile(text);
    EXPECT_TRUE(program.ok()) << program.status();
    if (!program.ok()) return {};
    auto results = (*program)->Execute(arguments);
    EXPECT_TRUE(results.ok()) << results.status();
    return results.ok() ? *std::move(results) : std::vector<BufferPtr>();
  }

  std::shared_ptr<runtime::Backend> backend_;
};

constexpr absl::string_view kAdd = R"(
HloModule add
ENTRY main {
  a = f32[3] parameter(0)
  b = f32[3] parameter(1)
  ROOT sum = f32[3] add(a, b)
})";

TEST_P(BackendTest, DescribesItself) {
  EXPECT_EQ(backend_->name(), "xla-cpu");
  EXPECT_THAT(backend_->version(), HasSubstr("cpu"));
  EXPECT_THAT(backend_->version(), HasSubstr("PJRT 0."));
  ASSERT_EQ(backend_->devices().size(), 1u);
  EXPECT_EQ(device().id(), 0);
  EXPECT_EQ(device().kind(), "cpu");
  EXPECT_FALSE(device().description().empty());
  EXPECT_EQ(&device().backend(), backend_.get());
}

TEST_P(BackendTest, Adds) {
  const auto results = Run(kAdd, {PutF32({1, 2, 3}), PutF32({10, 20, 30})});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0]->ready().Await().ok());
  EXPECT_TRUE(results[0]->ready().IsReady());
  EXPECT_EQ(results[0]->shape(), Shape::Array(ElementType::kF32, {3}));
  EXPECT_EQ(&results[0]->device(), &device());
  EXPECT_EQ(results[0]->device_bytes(), 12);
  EXPECT_EQ(GetF32(results[0]), (std::vector<float>{11, 22, 33}));
  EXPECT_TRUE(results[0]->DynamicSizes()->empty());
}

TEST_P(BackendTest, TuplesAreLeaves) {
  const auto results =
      Run(R"(
HloModule tuples
ENTRY main {
  p = (f32[1], (s32[], f32[1])) parameter(0)
  q = f32[1] parameter(1)
  a = f32[1] get-tuple-element(p), index=0
  rest = (s32[], f32[1]) get-tuple-element(p), index=1
  n = s32[] get-tuple-element(rest), index=0
  b = f32[1] get-tuple-element(rest), index=1
  none = () tuple()
  inner = (f32[1], ()) tuple(b, none)
  ROOT out = ((f32[1], ()), s32[], f32[1], f32[1]) tuple(inner, n, a, q)
})",
          {PutF32({1}), Put(Literal::Scalar<int32_t>(7)), PutF32({2}), PutF32({3})});
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(GetF32(results[0]), (std::vector<float>{2}));
  EXPECT_EQ(Get(results[1]).data<int32_t>()[0], 7);
  EXPECT_EQ(GetF32(results[2]), (std::vector<float>{1}));
  EXPECT_EQ(GetF32(results[3]), (std::vector<float>{3}));
}

TEST_P(BackendTest, NoResults) {
  EXPECT_TRUE(Run("HloModule none\nENTRY main { ROOT none = () tuple() }", {}).empty());
}

// A layout that a module wants for an argument or result changes nothing: values are row-major.
TEST_P(BackendTest, LayoutsOfTheEntry) {
  Literal matrix = *Literal::Zeros(Shape::Array(ElementType::kF32, {2, 3}));
  for (int i = 0; i < 6; ++i) matrix.data<float>()[i] = static_cast<float>(i);
  const auto results = Run(R"(
HloModule layouts, entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{0,1}}
ENTRY main {
  p = f32[2,3]{0,1} parameter(0)
  ROOT n = f32[2,3]{0,1} negate(p)
})",
                           {Put(matrix)});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(GetF32(results[0]), (std::vector<float>{0, -1, -2, -3, -4, -5}));
}

// Every bit pattern of the types of 8 bits and less; some of the others.
TEST_P(BackendTest, EveryElementTypeComesBackAsItWent) {
  int known = 0, computed = 0;
  for (int i = 0; i < hlo::kElementTypeCount; ++i) {
    const auto type = static_cast<ElementType>(i);
    if (!hlo::IsArrayType(type)) continue;
    const int values = hlo::IsPred(type) ? 2 : 1 << std::min(8, hlo::BitWidth(type));
    Literal literal = *Literal::Zeros(Shape::Array(type, {values}));
    const int width = hlo::ByteWidth(type);
    for (int k = 0; k < values; ++k) literal.bytes()[k * width + width / 2] = std::byte(k);
    const std::string shape = literal.shape().ToString(false);
    const auto text =
        absl::StrCat("HloModule same\nENTRY main { ROOT p = ", shape, " parameter(0) }");
    const auto uploaded = runtime::UploadLiteral(device(), literal);
    const auto program = Compile(text);
    if (!uploaded.ok()) {
      EXPECT_EQ(ErrorIdOf(uploaded.status()), "AX0712") << shape;
      EXPECT_EQ(ErrorIdOf(program.status()), "AX0712") << shape;
      continue;
    }
    ++known;
    EXPECT_EQ(Get(*uploaded), literal) << shape;
    if (!program.ok()) {
      EXPECT_EQ(ErrorIdOf(program.status()), "AX0722") << shape;
      continue;
    }
    ++computed;
    const auto results = (*program)->Execute({*uploaded});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(Get((*results)[0]), literal) << shape;
  }
  EXPECT_EQ(computed, 28);  // all but s1, u1 and the types of six bits
  EXPECT_EQ(known, IsOldest() ? 28 : 32);
}

// -8 … 7 plus 1 wraps to -7 … 7, -8; in hexadecimal 9 … f, 0 … 7, 8.
TEST_P(BackendTest, FourBitNumbers) {
  Literal input = *Literal::Zeros(Shape::Array(ElementType::kS4, {16}));
  for (int i = 0; i < 16; ++i) input.bytes()[i] = std::byte((i + 8) % 16);
  const auto results = Run(R"(
HloModule nibbles
ENTRY main {
  p = s4[16] parameter(0)
  wide = s8[16] convert(p)
  one = s8[] constant(1)
  ones = s8[16] broadcast(one), dimensions={}
  sum = s8[16] add(wide, ones)
  ROOT r = s4[16] convert(sum)
})",
                           {Put(input)});
  ASSERT_EQ(results.size(), 1u);
  const Literal output = Get(results[0]);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(output.bytes()[i], std::byte((i + 9) % 16)) << i;
}

TEST_P(BackendTest, ArraysWithoutElements) {
  const Literal empty = *Literal::Zeros(Shape::Array(ElementType::kF32, {0, 5}));
  const auto results =
      Run("HloModule e\nENTRY main { p = f32[0,5] parameter(0) ROOT n = f32[0,5] negate(p) }",
          {Put(empty)});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(Get(results[0]), empty);
}

// XLA:CPU's default would drop the NaN.
TEST_P(BackendTest, MaximumKeepsNan) {
  const auto results = Run(R"(
HloModule max
ENTRY main {
  a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  ROOT m = f32[2] maximum(a, b)
})",
                           {PutF32({NAN, 1}), PutF32({1, NAN})});
  ASSERT_EQ(results.size(), 1u);
  for (const float value : GetF32(results[0])) EXPECT_TRUE(std::isnan(value)) << value;
}

// The newest plugin by itself gets this wrong from 64 elements on. atan2(y, 1) = atan(y).
TEST_P(BackendTest, Atan2OfAConstant) {
  std::vector<float> y(64);
  for (int i = 0; i < 64; ++i) y[i] = 0.25f * static_cast<float>(i - 32);
  const auto results = Run(R"(
HloModule atan2
ENTRY main {
  y = f32[64] parameter(0)
  one = f32[] constant(1)
  x = f32[64] broadcast(one), dimensions={}
  ROOT r = f32[64] atan2(y, x)
})",
                           {PutF32(y)});
  ASSERT_EQ(results.size(), 1u);
  const std::vector<float> r = GetF32(results[0]);
  for (int i = 0; i < 64; ++i) EXPECT_NEAR(r[i], std::atan(y[i]), 1e-6) << y[i];
}

constexpr absl::string_view kDynamic = R"(
HloModule dynamic
ENTRY main {
  a = f32[2,4] parameter(0)
  n = s32[] parameter(1)
  ROOT r = f32[2,<=4] set-dimension-size(a, n), dimensions={1}
})";

TEST_P(BackendTest, DynamicResults) {
  Literal matrix = *Literal::Zeros(Shape::Array(ElementType::kF32, {2, 4}));
  for (int i = 0; i < 8; ++i) matrix.data<float>()[i] = static_cast<float>(i + 1);
  const auto program = Compile(kDynamic);
  ASSERT_TRUE(program.ok()) << program.status();
  const BufferPtr a = Put(matrix);
  auto results = (*program)->Execute({a, Put(Literal::Scalar<int32_t>(3))});
  ASSERT_TRUE(results.ok()) << results.status();
  const BufferPtr three = results->front();
  EXPECT_EQ(*three->DynamicSizes(), (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(GetF32(three), (std::vector<float>{1, 2, 3, 0, 5, 6, 7, 0}));
  results = (*program)->Execute({a, Put(Literal::Scalar<int32_t>(4))});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE((*results)[0]->DynamicSizes()->empty());
  EXPECT_EQ(GetF32(results->front()), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));

  // Such a value fits no static parameter, and XLA:CPU has no use for dynamic ones.
  const auto fixed =
      Compile("HloModule f\nENTRY main { p = f32[2,4] parameter(0) ROOT n = f32[2,4] negate(p) }");
  ASSERT_TRUE(fixed.ok()) << fixed.status();
  EXPECT_EQ(ErrorIdOf((*fixed)->Execute({three}).status()), "AX0717");
  const auto unused =
      Compile("HloModule u\nENTRY main { p = f32[2,<=4] parameter(0) ROOT c = f32[] constant(1) }");
  ASSERT_TRUE(unused.ok()) << unused.status();
  EXPECT_EQ(ErrorIdOf((*unused)->Execute({a}).status()), "AX0717");
  EXPECT_TRUE(absl::IsUnimplemented(
      Compile(
          "HloModule d\nENTRY main { p = f32[2,<=4] parameter(0) ROOT n = f32[2,<=4] negate(p) }")
          .status()));
}

TEST_P(BackendTest, ArgumentsAreChecked) {
  const auto program = Compile(kAdd);
  ASSERT_TRUE(program.ok()) << program.status();
  const BufferPtr a = PutF32({1, 2, 3});
  const auto id = [&](std::vector<BufferPtr> arguments) {
    return ErrorIdOf((*program)->Execute(arguments).status());
  };
  EXPECT_EQ(id({a}), "AX0600");
  // The plugin compares byte sizes only.
  EXPECT_EQ(id({a, Put(Literal::Vector<int32_t>({1, 2, 3}))}), "AX0601");
  const BufferPtr b = PutF32({1, 2, 3});
  b->Delete();
  EXPECT_EQ(id({a, b}), "AX0604");
  EXPECT_EQ(id({a, a}), "");
}

TEST_P(BackendTest, DeletedBuffers) {
  const BufferPtr a = PutF32({1, 2, 3});
  EXPECT_FALSE(a->IsDeleted());
  a->Delete();
  a->Delete();
  EXPECT_TRUE(a->IsDeleted());
  std::vector<std::byte> bytes(12);
  EXPECT_EQ(ErrorIdOf(a->CopyToHost(absl::MakeSpan(bytes))), "AX0604");
  EXPECT_TRUE(a->ready().IsReady());
  EXPECT_EQ(ErrorIdOf(a->ready().Await()), "AX0604");
  absl::Status outcome;
  a->ready().OnReady([&](absl::Status status) { outcome = std::move(status); });
  EXPECT_EQ(ErrorIdOf(outcome), "AX0604");
}

TEST_P(BackendTest, HostSizesAreChecked) {
  const BufferPtr a = PutF32({1, 2, 3});
  std::vector<std::byte> bytes(11);
  EXPECT_EQ(ErrorIdOf(a->CopyToHost(absl::MakeSpan(bytes))), "AX0607");
  EXPECT_EQ(ErrorIdOf(device()
                          .Upload(a->shape(), bytes, runtime::HostMemory::kCopyDuringCall, nullptr)
                          .status()),
            "AX0607");
}

TEST_P(BackendTest, ReadyEventsCallBack) {
  const auto results = Run(kAdd, {PutF32({1, 2, 3}), PutF32({1, 2, 3})});
  ASSERT_EQ(results.size(), 1u);
  const runtime::Event ready = results[0]->ready();
  for (int i = 0; i < 2; ++i) {
    std::latch called(1);
    absl::Status outcome = absl::UnknownError("not called");
    ready.OnReady([&](absl::Status status) {
      outcome = std::move(status);
      called.count_down();
    });
    called.wait();
    EXPECT_TRUE(outcome.ok()) << outcome;
  }
}

TEST_P(BackendTest, ThreadsAskOneBuffer) {
  for (int round = 0; round < 20; ++round) {
    const auto results = Run(kAdd, {PutF32({1, 2, 3}), PutF32({1, 2, 3})});
    ASSERT_EQ(results.size(), 1u);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&results] {
        results[0]->IsReady();
        EXPECT_TRUE(results[0]->Await().ok());
        EXPECT_TRUE(results[0]->IsReady());
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// A result is the last owner of all that made it.
TEST_P(BackendTest, AResultOutlivesProgramAndBackend) {
  std::vector<std::shared_ptr<runtime::Buffer>> results;
  {
    BackendOptions options;
    options.plugin_path = GetParam();
    auto backend = CreateBackend(options);
    ASSERT_TRUE(backend.ok()) << backend.status();
    auto module = hlo::ParseModule("HloModule m\nENTRY e { ROOT c = f32[2] constant({1, 2}) }");
    ASSERT_TRUE(module.ok()) << module.status();
    auto program = runtime::Program::Compile(
        *backend, std::make_shared<const hlo::Module>(*std::move(module)));
    ASSERT_TRUE(program.ok()) << program.status();
    auto made = (*program)->Execute({});
    ASSERT_TRUE(made.ok()) << made.status();
    results = *std::move(made);
  }
  EXPECT_TRUE(results[0]->Await().ok());
  EXPECT_EQ(Get(results[0]).data<float>()[1], 2);
}

// The host's memory is borrowed while the buffer lives, and given back once.
TEST_P(BackendTest, HostMemoryUntilReleased) {
  AlignedBytes memory(1 << 16);
  std::fill(memory.span().begin(), memory.span().end(), 3);
  const Shape shape = Shape::Array(ElementType::kU8, {1 << 16});
  const absl::Span<const std::byte> bytes(reinterpret_cast<const std::byte*>(memory.data()),
                                          static_cast<size_t>(memory.size()));
  for (const bool aligned : {true, false}) {
    std::atomic<int> released = 0;
    std::latch called(1);
    const auto release = [&] {
      ++released;
      called.count_down();
    };
    const size_t skip = aligned ? 0 : 1;
    auto buffer =
        device().Upload(Shape::Array(ElementType::kU8, {(1 << 16) - static_cast<int>(skip)}),
                        bytes.subspan(skip), runtime::HostMemory::kReadUntilReleased, release);
    ASSERT_TRUE(buffer.ok()) << buffer.status();
    EXPECT_EQ(Get(*buffer).bytes()[5], std::byte(3));
    buffer->reset();
    called.wait();
    EXPECT_EQ(released, 1);
  }
  std::atomic<int> released = 0;
  const auto count = [&] { ++released; };
  EXPECT_TRUE(device().Upload(shape, bytes, runtime::HostMemory::kCopyDuringCall, count).ok());
  EXPECT_EQ(released, 1);
  for (const auto memory_use :
       {runtime::HostMemory::kCopyDuringCall, runtime::HostMemory::kReadUntilReleased}) {
    released = 0;
    EXPECT_FALSE(device().Upload(shape, bytes.subspan(1), memory_use, count).ok());
    EXPECT_EQ(released, 1);
  }
}

std::string Donating(absl::string_view kind) {
  return absl::StrCat("HloModule donate, input_output_alias={ {}: (0, {}, ", kind, R"() }
ENTRY main {
  p = f32[1024] parameter(0)
  q = f32[1024] parameter(1)
  ROOT r = f32[1024] add(p, q)
})");
}

TEST_P(BackendTest, DonatedArgumentsAreGone) {
  const auto program = Compile(Donating("may-alias"));
  ASSERT_TRUE(program.ok()) << program.status();
  const std::vector<float> ones(1024, 1), twos(1024, 2);
  const BufferPtr p = PutF32(ones), q = PutF32(ones);
  // Kept on request.
  const int kept[] = {0};
  auto results = (*program)->Execute({p, q}, {.non_donatable = kept});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_FALSE(p->IsDeleted());
  EXPECT_EQ(GetF32(p), ones);
  EXPECT_EQ(GetF32(results->front()), twos);
  results = (*program)->Execute({p, q});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE(p->IsDeleted());
  EXPECT_FALSE(q->IsDeleted());
  EXPECT_EQ(GetF32(results->front()), twos);
  EXPECT_EQ(ErrorIdOf((*program)->Execute({p, q}).status()), "AX0604");
}

TEST_P(BackendTest, OneArgumentDonatedAndUsed) {
  const auto program = Compile(Donating("may-alias"));
  ASSERT_TRUE(program.ok()) << program.status();
  const BufferPtr p = PutF32(std::vector<float>(1024, 1));
  // The plugin refuses the launch, which leaves the argument as it was.
  EXPECT_FALSE((*program)->Execute({p, p}).ok());
  EXPECT_FALSE(p->IsDeleted());
  EXPECT_EQ(GetF32(p)[0], 1);
}

TEST_P(BackendTest, WhatMustBeDonated) {
  const auto program = Compile(Donating("must-alias"));
  ASSERT_TRUE(program.ok()) << program.status();
  const BufferPtr p = PutF32(std::vector<float>(1024, 1)), q = PutF32(std::vector<float>(1024, 1));
  const int kept[] = {0};
  EXPECT_EQ(ErrorIdOf((*program)->Execute({p, q}, {.non_donatable = kept}).status()), "AX0718");
  EXPECT_FALSE(p->IsDeleted());
  EXPECT_TRUE((*program)->Execute({p, q}).ok());
  EXPECT_TRUE(p->IsDeleted());
}

// A program that could write over the host's memory must leave it.
TEST_P(BackendTest, BorrowedHostMemoryIsNeverDonated) {
  Literal ones = *Literal::Zeros(Shape::Array(ElementType::kF32, {1024}));
  for (float& value : ones.data<float>()) value = 1;
  const auto borrowed =
      device().Upload(ones.shape(), ones.bytes(), runtime::HostMemory::kReadUntilReleased, nullptr);
  ASSERT_TRUE(borrowed.ok()) << borrowed.status();
  const auto may = Compile(Donating("may-alias")), must = Compile(Donating("must-alias"));
  ASSERT_TRUE(may.ok() && must.ok()) << may.status() << must.status();
  const auto results = (*may)->Execute({*borrowed, Put(ones)});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(GetF32(results->front()), std::vector<float>(1024, 2));
  EXPECT_EQ(ones.data<float>()[0], 1);
  EXPECT_FALSE((*borrowed)->IsDeleted());
  EXPECT_EQ(ErrorIdOf((*must)->Execute({*borrowed, Put(ones)}).status()), "AX0718");
}

TEST_P(BackendTest, SeveralDevices) {
  MakeBackend(3);
  ASSERT_EQ(backend_->devices().size(), 3u);
  const auto program = Compile(kAdd, {.compile = {.device = 1}});
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(&(*program)->device(), &device(1));
  const Literal ones = Literal::Vector<float>({1, 1, 1});
  const BufferPtr here = Put(ones, 1), there = Put(ones, 0);
  const auto results = (*program)->Execute({here, here});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(&results->front()->device(), &device(1));
  EXPECT_EQ(GetF32(results->front()), (std::vector<float>{2, 2, 2}));
  EXPECT_EQ(ErrorIdOf((*program)->Execute({here, there}).status()), "AX0602");
  EXPECT_EQ(ErrorIdOf(Compile(kAdd, {.compile = {.device = 3}}).status()), "AX0603");
}

TEST_P(BackendTest, BuffersOfAnotherClient) {
  const BufferPtr foreign = PutF32({1, 2, 3});
  MakeBackend(1);
  const auto program = Compile(kAdd);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(ErrorIdOf((*program)->Execute({foreign, foreign}).status()), "AX0602");
}

TEST_P(BackendTest, BuffersAndProgramsKeepTheBackendAlive) {
  auto program = Compile(kAdd);
  ASSERT_TRUE(program.ok()) << program.status();
  BufferPtr a = PutF32({1, 2, 3});
  backend_.reset();
  auto results = (*program)->Execute({a, a});
  ASSERT_TRUE(results.ok()) << results.status();
  a.reset();
  program->reset();
  EXPECT_EQ(GetF32(results->front()), (std::vector<float>{2, 4, 6}));
}

TEST_P(BackendTest, MemoryOfPrograms) {
  const auto program = Compile(kAdd);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)->memory().arguments, 24);
  EXPECT_EQ((*program)->memory().results, 12);
}

// Each of these kills or hangs a plugin that gets it as it is, or takes it in silence.
TEST_P(BackendTest, WhatThePluginMustNotSee) {
  const auto entry = [](absl::string_view instructions) {
    return absl::StrCat("HloModule m\nENTRY main {\n p = f32[4,8] parameter(0)\n", instructions,
                        "}\n");
  };
  struct Case {
    std::string text;
    std::string id;
  };
  const Case cases[] = {
      {entry("t = (f32[4,8]) tuple(p)\n ROOT r = f32[] get-tuple-element(t), index=1\n"), "AX0324"},
      {entry("t = (f32[4,8]) tuple(p)\n ROOT r = f32[] get-tuple-element(t), index=-1\n"),
       "AX0324"},
      {entry("ROOT q = f32[4,8] parameter(-1)\n"), "AX0108"},
      {entry("ROOT r = f32[4,4] custom-call(p), custom_call_target=\"TopK\"\n"), "AX0870"},
      {entry("ROOT r = f32[4] custom-call(), custom_call_target=\"Sharding\"\n"), "AX0870"},
      {entry("ROOT r = f32[4,4] custom-call(p), custom_call_target=\"__onednn$matmul\"\n"),
       "AX0609"},
      {entry(
           "ROOT r = (f32[4,8], s32[]) custom-call(p), custom_call_target=\"lapack_spotrf_ffi\"\n"),
       "AX0609"},
      {entry("t = token[] after-all()\n i = (f32[4], token[]) infeed(t)\n"
             " ROOT r = f32[4] get-tuple-element(i), index=0\n"),
       "AX0719"},
      {entry("t = token[] after-all()\n o = token[] outfeed(p, t), outfeed_shape=f32[4,8]\n"
             " ROOT r = f32[4,8] copy(p)\n"),
       "AX0719"},
      // 800 GB.
      {entry("z = f32[] constant(0)\n"
             " ROOT r = f32[100000,2000000] pad(p, z), padding=99996_0x1999992_0\n"),
       "AX0606"},
      {"HloModule m\nENTRY main { ROOT i = s64[400000,400000] iota(), iota_dimension=0 }",
       "AX0606"},
      {"HloModule m, num_partitions=2\nENTRY main { ROOT c = f32[] constant(1) }", "AX0605"},
      {"HloModule m\nENTRY main { ROOT p = f32[?] parameter(0) }", "AX0301"},
      {"HloModule m\nENTRY main { ROOT c = f32[3] constant({...}) }", "AX0432"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ErrorIdOf(Compile(c.text).status()), c.id) << c.text << Compile(c.text).status();
  }
}

// What only the compiler that wrote it understands goes away on the way to the plugin.
TEST_P(BackendTest, OptimisedProgramsRun) {
  Literal matrix = *Literal::Zeros(Shape::Array(ElementType::kF32, {2, 3}));
  for (int i = 0; i < 6; ++i) matrix.data<float>()[i] = static_cast<float>(i);
  const auto results = Run(R"(
HloModule optimised, is_scheduled=true
body {
  p = f32[2,3]{1,0} parameter(0)
  c = f32[2,3]{0,1} copy(p)
  b = f32[6]{0} bitcast(c)
  ROOT n = f32[6]{0} negate(b), backend_config="bogus"
}
ENTRY main {
  a = f32[2,3]{1,0} parameter(0)
  s = (f32[2,3]{1,0}, f32[2,3]{1,0}, u32[]) copy-start(a)
  d = f32[2,3]{1,0} copy-done(s)
  ROOT f = f32[6]{0} fusion(d), kind=kInput, calls=body, backend_config={"bogus":1}
})",
                           {Put(matrix)});
  ASSERT_EQ(results.size(), 1u);
  // Column by column: 0 3, 1 4, 2 5.
  EXPECT_EQ(GetF32(results[0]), (std::vector<float>{0, -3, -1, -4, -2, -5}));
}

// 4 TB: no machine that runs this has them.
TEST_P(BackendTest, OutOfMemory) {
  const auto program = Compile(R"(
HloModule huge
ENTRY main {
  x = f32[] parameter(0)
  b = f32[1000000,1000000] broadcast(x), dimensions={}
  ROOT r = f32[1000000,1000000] sine(b)
})",
                               {.max_value_bytes = int64_t{1} << 50});
  ASSERT_TRUE(program.ok()) << program.status();
  const auto results = (*program)->Execute({Put(Literal::Scalar<float>(1))});
  const absl::Status status = results.ok() ? results->front()->ready().Await() : results.status();
  EXPECT_EQ(ErrorIdOf(status), "AX0720") << status;
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_THAT(status.message(), HasSubstr("program huge"));
  // Everything stays usable.
  EXPECT_EQ(Run(kAdd, {PutF32({1, 2, 3}), PutF32({1, 2, 3})}).size(), 1u);
}

TEST_P(BackendTest, MoreCustomCallsOnRequest) {
  BackendOptions options;
  options.plugin_path = GetParam();
  auto registry = std::make_shared<custom_calls::Registry>();
  const auto any = [](const hlo::Instruction&, absl::Span<const Shape>) {
    return absl::OkStatus();
  };
  registry->Add({"mine", any, nullptr});
  options.custom_calls = std::move(registry);
  auto backend = CreateBackend(options);
  ASSERT_TRUE(backend.ok()) << backend.status();
  backend_ = *std::move(backend);
  constexpr absl::string_view kCall =
      "HloModule m\nENTRY main { p = f32[] parameter(0) ROOT r = f32[] custom-call(p), "
      "custom_call_target=\"$0\", api_version=API_VERSION_TYPED_FFI }";
  // The plugin gets it, and doesn't know it.
  EXPECT_EQ(ErrorIdOf(Compile(absl::Substitute(kCall, "mine")).status()), "AX0707");
  EXPECT_EQ(ErrorIdOf(Compile(absl::Substitute(kCall, "Sharding")).status()), "AX0609");
}

TEST_P(BackendTest, ErrorsOfThePluginNameIt) {
  BackendOptions options;
  options.plugin_path = GetParam();
  options.device_count = 0;  // crashes the plugin
  EXPECT_EQ(ErrorIdOf(CreateBackend(options).status()), "AX0710");
  options.plugin_path = "/nonexistent.so";
  EXPECT_EQ(ErrorIdOf(CreateBackend(options).status()), "AX0700");
}

INSTANTIATE_TEST_SUITE_P(Plugins, BackendTest,
                         ::testing::Values(NewestPluginPath(), OldestPluginPath()),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           return info.index == 0 ? "newest" : "oldest";
                         });

}  // namespace
}  // namespace axle::pjrt_client
