// SPDX-License-Identifier: Apache-2.0
// What every backend must do, whatever it computes with: one suite over all backends of this build.
// The backend `null` returns zeros, so there the values of results are zeros and all else is as
// with the others.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "assembly/backends.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "check/actual_sizes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "load/load.h"
#include "runtime/program.h"

namespace axle::runtime {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;
using ::testing::HasSubstr;

using BufferPtr = std::shared_ptr<Buffer>;

constexpr int kDevices = 2;

absl::StatusOr<std::shared_ptr<Backend>> CreateBackend(const std::string& name) {
  return assembly::CreateBackend(name, {.device_count = kDevices});
}

// Backends are slow to make, so tests share one of each kind.
absl::StatusOr<std::shared_ptr<Backend>> SharedBackend(const std::string& name) {
  static auto* const backends =
      new std::map<std::string, absl::StatusOr<std::shared_ptr<Backend>>>();
  const auto found = backends->find(name);
  if (found != backends->end()) return found->second;
  return backends->emplace(name, CreateBackend(name)).first->second;
}

template <typename T>
Literal Vector(std::vector<T> values) {
  return Literal::Vector<T>(values);
}

std::vector<uint8_t> BytesOf(const Literal& literal) {
  std::vector<uint8_t> bytes(literal.bytes().size());
  if (!bytes.empty()) std::memcpy(bytes.data(), literal.bytes().data(), bytes.size());
  return bytes;
}

// Every bit pattern that a literal of the type can have in one element, over and over.
Literal Pattern(ElementType type, int64_t count) {
  Literal literal = *Literal::Zeros(Shape::Array(type, {count}));
  const int bits = hlo::IsPred(type) ? 1 : hlo::BitWidth(type);
  const unsigned mask = bits < 8 ? (1u << bits) - 1 : 0xff;
  uint8_t next = 1;
  for (std::byte& byte : literal.bytes()) byte = static_cast<std::byte>(next++ & mask);
  return literal;
}

class SeamTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    absl::StatusOr<std::shared_ptr<Backend>> backend = SharedBackend(GetParam());
    if (!backend.ok() && GetParam() == "xla-cpu" && ErrorIdOf(backend.status()) == "AX0941") {
      GTEST_SKIP() << backend.status();
    }
    ASSERT_TRUE(backend.ok()) << backend.status();
    backend_ = *std::move(backend);
  }

  bool computes() const { return GetParam() != "null"; }
  Device& device(int id = 0) const { return *backend_->devices()[id]; }

  absl::StatusOr<std::unique_ptr<Program>> Compile(const std::string& text, int device = 0) const {
    return CompileOn(backend_, text, device);
  }
  static absl::StatusOr<std::unique_ptr<Program>> CompileOn(std::shared_ptr<Backend> backend,
                                                            const std::string& text, int device) {
    AXLE_ASSIGN_OR_RETURN(hlo::Module module, load::LoadModule(text, "test"));
    ProgramOptions options;
    options.compile.device = device;
    return Program::Compile(std::move(backend),
                            std::make_shared<const hlo::Module>(std::move(module)), options);
  }

  BufferPtr Upload(const Literal& literal, int id = 0) const {
    absl::StatusOr<BufferPtr> buffer = UploadLiteral(device(id), literal);
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    return buffer.ok() ? *buffer : nullptr;
  }

  void ExpectValue(Buffer& buffer, const Literal& expected) const {
    EXPECT_TRUE(hlo::Compatible(buffer.shape(), expected.shape()))
        << buffer.shape().ToString() << ", expected " << expected.shape().ToString();
    const absl::StatusOr<Literal> actual = DownloadLiteral(buffer);
    ASSERT_TRUE(actual.ok()) << actual.status();
    const Literal zeros = *Literal::Zeros(expected.shape());
    EXPECT_EQ(BytesOf(*actual), BytesOf(computes() ? expected : zeros));
  }

  // Compiles, runs, and compares every output.
  void ExpectRun(const std::string& text, const std::vector<Literal>& inputs,
                 const std::vector<Literal>& expected) const {
    const auto program = Compile(text);
    ASSERT_TRUE(program.ok()) << program.status();
    std::vector<BufferPtr> arguments;
    for (const Literal& input : inputs) arguments.push_back(Upload(input));
    const auto results = (*program)->Execute(arguments);
    ASSERT_TRUE(results.ok()) << results.status();
    ASSERT_EQ(results->size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) ExpectValue(*(*results)[i], expected[i]);
  }

  std::shared_ptr<Backend> backend_;
};

constexpr char kAdd[] = R"(
HloModule add
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  ROOT r = f32[2] add(x, y)
})";

constexpr char kIncrement[] = R"(
HloModule increment
ENTRY main {
  x = s32[2] parameter(0)
  one = s32[] constant(1)
  ones = s32[2] broadcast(one), dimensions={}
  ROOT r = s32[2] add(x, ones)
})";

TEST_P(SeamTest, DescribesItself) {
  EXPECT_EQ(backend_->name(), GetParam());
  EXPECT_FALSE(backend_->version().empty());
  ASSERT_EQ(backend_->devices().size(), kDevices);
  for (int i = 0; i < kDevices; ++i) {
    EXPECT_EQ(device(i).id(), i);
    EXPECT_EQ(&device(i).backend(), backend_.get());
    EXPECT_FALSE(device(i).kind().empty());
    EXPECT_FALSE(device(i).description().empty());
  }
}

// ---- Buffers ------------------------------------------------------------------------------------

TEST_P(SeamTest, EveryElementTypeGoesThereAndBack) {
  std::vector<std::string> refused;
  for (int i = 0; i < hlo::kElementTypeCount; ++i) {
    const ElementType type = static_cast<ElementType>(i);
    if (!hlo::IsArrayType(type)) continue;
    const Literal literal = Pattern(type, 300);
    const auto buffer = UploadLiteral(device(), literal);
    if (!buffer.ok()) {
      EXPECT_EQ(buffer.status().code(), absl::StatusCode::kUnimplemented) << buffer.status();
      refused.emplace_back(hlo::Name(type));
      continue;
    }
    EXPECT_EQ((*buffer)->shape(), literal.shape());
    EXPECT_EQ(&(*buffer)->device(), &device());
    EXPECT_GT((*buffer)->device_bytes(), 0);
    const auto back = DownloadLiteral(**buffer);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(BytesOf(*back), BytesOf(literal)) << hlo::Name(type);
  }
  if (GetParam() != "xla-cpu") {
    EXPECT_THAT(refused, ::testing::IsEmpty());
  }
}

TEST_P(SeamTest, ShapesOfAllRanks) {
  for (const std::vector<int64_t>& dimensions :
       {std::vector<int64_t>{}, {1}, {3, 0, 2}, {2, 3, 4}, {2, 1, 2, 1, 2, 1, 2, 1}}) {
    const Shape shape = Shape::Array(ElementType::kS16, dimensions);
    Literal literal = Pattern(ElementType::kS16, *shape.ElementCount());
    literal = std::move(literal).Reshaped(shape);
    const BufferPtr buffer = Upload(literal);
    ASSERT_NE(buffer, nullptr);
    EXPECT_EQ(buffer->shape(), shape);
    const auto back = DownloadLiteral(*buffer);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_TRUE(*back == literal) << shape.ToString();
  }
}

TEST_P(SeamTest, SizesOfHostMemoryAreChecked) {
  const Shape shape = Shape::Array(ElementType::kF32, {4});
  const std::vector<std::byte> bytes(17);
  for (const size_t size : {0, 15, 17}) {
    int released = 0;
    const auto buffer =
        device().Upload(shape, absl::MakeConstSpan(bytes).subspan(0, size),
                        HostMemory::kReadUntilReleased, [&released] { ++released; });
    EXPECT_EQ(buffer.status().code(), absl::StatusCode::kInvalidArgument) << buffer.status();
    EXPECT_EQ(released, 1);
  }
  const BufferPtr buffer = Upload(Vector<float>({1, 2, 3, 4}));
  std::vector<std::byte> target(17);
  for (const size_t size : {0, 15, 17}) {
    const absl::Status copied = buffer->CopyToHost(absl::MakeSpan(target).subspan(0, size));
    EXPECT_EQ(copied.code(), absl::StatusCode::kInvalidArgument) << copied;
  }
  EXPECT_TRUE(buffer->CopyToHost(absl::MakeSpan(target).subspan(0, 16)).ok());
}

TEST_P(SeamTest, HostMemoryIsReleasedOnce) {
  const Literal literal = Vector<int32_t>({5, 6, 7});
  for (const HostMemory semantics : {HostMemory::kCopyDuringCall, HostMemory::kReadUntilReleased}) {
    std::atomic<int> released = 0;
    {
      const auto buffer =
          device().Upload(literal.shape(), literal.bytes(), semantics, [&released] { ++released; });
      ASSERT_TRUE(buffer.ok()) << buffer.status();
      const auto back = DownloadLiteral(**buffer);
      ASSERT_TRUE(back.ok()) << back.status();
      EXPECT_TRUE(*back == literal);
    }
    // A backend may let go of the memory on a thread of its own.
    for (int i = 0; i < 1000 && released == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(released, 1);
  }
}

TEST_P(SeamTest, CopiedHostMemoryMayChange) {
  std::vector<int32_t> host(1000, 7);
  const Shape shape = Shape::Array(ElementType::kS32, {1000});
  const auto buffer =
      device().Upload(shape, {reinterpret_cast<const std::byte*>(host.data()), 4 * host.size()},
                      HostMemory::kCopyDuringCall, nullptr);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  std::fill(host.begin(), host.end(), 8);
  const auto back = DownloadLiteral(**buffer);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_TRUE(*back == Literal::Vector<int32_t>(std::vector<int32_t>(1000, 7)));
}

TEST_P(SeamTest, ReadyHappensAndCallsBack) {
  const BufferPtr buffer = Upload(Vector<float>({1, 2}));
  EXPECT_TRUE(buffer->ready().Await().ok());
  EXPECT_TRUE(buffer->ready().IsReady());
  std::atomic<int> calls = 0;
  buffer->ready().OnReady([&calls](absl::Status status) { calls += status.ok() ? 1 : 100; });
  for (int i = 0; i < 1000 && calls == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(calls, 1);
}

TEST_P(SeamTest, DeletedBuffersRefuseUse) {
  const BufferPtr buffer = Upload(Vector<float>({1, 2}));
  const BufferPtr other = Upload(Vector<float>({3, 4}));
  EXPECT_FALSE(buffer->IsDeleted());
  buffer->Delete();
  buffer->Delete();
  EXPECT_TRUE(buffer->IsDeleted());
  EXPECT_EQ(buffer->shape(), other->shape());
  EXPECT_EQ(&buffer->device(), &device());
  EXPECT_EQ(ErrorIdOf(DownloadLiteral(*buffer).status()), "AX0604");

  const auto program = Compile(kAdd);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(ErrorIdOf((*program)->Execute({buffer, other}).status()), "AX0604");
  EXPECT_EQ(ErrorIdOf((*program)->Execute({other, buffer}).status()), "AX0604");
  const auto results = (*program)->Execute({other, other});
  ASSERT_TRUE(results.ok()) << results.status();
  ExpectValue(*results->front(), Vector<float>({6, 8}));
}

// ---- Programs -----------------------------------------------------------------------------------

TEST_P(SeamTest, ScalarAdd) {
  ExpectRun(R"(
HloModule m
ENTRY main {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT r = f32[] add(x, y)
})",
            {Literal::Scalar<float>(1.5f), Literal::Scalar<float>(2)},
            {Literal::Scalar<float>(3.5f)});
}

TEST_P(SeamTest, NoParameters) {
  ExpectRun("HloModule m\nENTRY main { ROOT c = s32[3] constant({1, -2, 3}) }", {},
            {Vector<int32_t>({1, -2, 3})});
}

TEST_P(SeamTest, TupleParameterAndResultAreLeaves) {
  ExpectRun(R"(
HloModule m
ENTRY main {
  p = (f32[2], (s32[], f32[1])) parameter(0)
  q = s32[] parameter(1)
  a = f32[2] get-tuple-element(p), index=0
  inner = (s32[], f32[1]) get-tuple-element(p), index=1
  b = s32[] get-tuple-element(inner), index=0
  c = f32[1] get-tuple-element(inner), index=1
  sum = s32[] add(b, q)
  t = (s32[], f32[2]) tuple(sum, a)
  ROOT r = (f32[1], (s32[], f32[2])) tuple(c, t)
})",
            {Vector<float>({1, 2}), Literal::Scalar<int32_t>(3), Vector<float>({4}),
             Literal::Scalar<int32_t>(5)},
            {Vector<float>({4}), Literal::Scalar<int32_t>(8), Vector<float>({1, 2})});
}

TEST_P(SeamTest, SignatureKeepsTuples) {
  const auto program = Compile(R"(
HloModule m
ENTRY main {
  p = (f32[2], s32[]) parameter(0)
  a = f32[2] get-tuple-element(p), index=0
  ROOT r = (f32[2]) tuple(a)
})");
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ((*program)->signature().parameters.size(), 1);
  EXPECT_EQ((*program)->signature().parameters[0].ToString(false), "(f32[2], s32[])");
  EXPECT_EQ((*program)->signature().result.ToString(false), "(f32[2])");
  ASSERT_EQ((*program)->parameter_leaves().size(), 2);
  EXPECT_EQ((*program)->parameter_leaves()[1].ToString(), "s32[]");
  ASSERT_EQ((*program)->result_leaves()->size(), 1);
}

TEST_P(SeamTest, TupleOfOne) {
  ExpectRun(R"(
HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  n = f32[2] negate(x)
  ROOT r = (f32[2]) tuple(n)
})",
            {Vector<float>({1, -2})}, {Vector<float>({-1, 2})});
}

TEST_P(SeamTest, EmptyTuples) {
  ExpectRun("HloModule m\nENTRY main { ROOT r = () tuple() }", {}, {});
  ExpectRun(R"(
HloModule m
ENTRY main {
  p = ((), f32[1]) parameter(0)
  e = () get-tuple-element(p), index=0
  x = f32[1] get-tuple-element(p), index=1
  n = f32[1] negate(x)
  two = ((), ()) tuple(e, e)
  ROOT r = ((), f32[1], ((), ())) tuple(e, n, two)
})",
            {Vector<float>({3})}, {Vector<float>({-3})});
}

TEST_P(SeamTest, ArraysWithoutElements) {
  ExpectRun(R"(
HloModule m
ENTRY main {
  x = f32[0,4] parameter(0)
  z = f32[] constant(7)
  n = f32[0,4] negate(x)
  w = f32[2] broadcast(z), dimensions={}
  ROOT r = (f32[0,4], f32[2]) tuple(n, w)
})",
            {*Literal::Zeros(Shape::Array(ElementType::kF32, {0, 4}))},
            {*Literal::Zeros(Shape::Array(ElementType::kF32, {0, 4})), Vector<float>({7, 7})});
}

TEST_P(SeamTest, ResultsAreInputsAgain) {
  const auto program = Compile(kIncrement);
  ASSERT_TRUE(program.ok()) << program.status();
  BufferPtr value = Upload(Vector<int32_t>({0, 100}));
  for (int i = 0; i < 10; ++i) {
    const auto results = (*program)->Execute({value});
    ASSERT_TRUE(results.ok()) << results.status();
    value = results->front();
  }
  ExpectValue(*value, Vector<int32_t>({10, 110}));
}

TEST_P(SeamTest, ParameterAsResultOutlivesTheInput) {
  const auto program = Compile(R"(
HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  ROOT r = (f32[2], f32[2]) tuple(x, x)
})");
  ASSERT_TRUE(program.ok()) << program.status();
  const BufferPtr input = Upload(Vector<float>({1, 2}));
  const auto results = (*program)->Execute({input});
  ASSERT_TRUE(results.ok()) << results.status();
  input->Delete();
  (*results)[0]->Delete();
  ExpectValue(*(*results)[1], Vector<float>({1, 2}));
}

TEST_P(SeamTest, HostFormIsRowMajorWhateverTheLayout) {
  const Shape matrix = Shape::Array(ElementType::kF32, {2, 3});
  ExpectRun(R"(
HloModule m, entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{0,1}}
ENTRY main {
  x = f32[2,3]{0,1} parameter(0)
  ROOT r = f32[2,3]{0,1} negate(x)
})",
            {Vector<float>({1, 2, 3, 4, 5, 6}).Reshaped(matrix)},
            {Vector<float>({-1, -2, -3, -4, -5, -6}).Reshaped(matrix)});
}

TEST_P(SeamTest, TypesThatCppLacksInPrograms) {
  Literal s4 = *Literal::Zeros(Shape::Array(ElementType::kS4, {3}));
  const uint8_t bits[] = {0x7, 0x8, 0xf};  // 7, -8, -1
  std::memcpy(s4.bytes().data(), bits, sizeof(bits));
  Literal bf16 = *Literal::Zeros(Shape::Array(ElementType::kBF16, {1}));
  bf16.data<hlo::BF16>()[0] = hlo::BF16(1.5f);
  ExpectRun(
      R"(
HloModule m
ENTRY main {
  x = s4[3] parameter(0)
  p = pred[2] parameter(1)
  b = bf16[1] parameter(2)
  wide = s32[3] convert(x)
  not = pred[2] not(p)
  double = bf16[1] add(b, b)
  ROOT r = (s32[3], pred[2], bf16[1], s4[3]) tuple(wide, not, double, x)
})",
      {s4, Literal::Vector<bool>(absl::Span<const bool>({true, false})), bf16},
      {Vector<int32_t>({7, -8, -1}), Literal::Vector<bool>(absl::Span<const bool>({false, true})),
       [&] {
         Literal doubled = bf16;
         doubled.data<hlo::BF16>()[0] = hlo::BF16(3.0f);
         return doubled;
       }(),
       s4});
}

TEST_P(SeamTest, DynamicResultsHaveTheirSizes) {
  const auto program = Compile(R"(
HloModule m
ENTRY main {
  x = s32[2,3] parameter(0)
  n = s32[] parameter(1)
  ROOT r = s32[2,<=3] set-dimension-size(x, n), dimensions={1}
})");
  if (program.status().code() == absl::StatusCode::kUnimplemented) {
    GTEST_SKIP() << program.status();
  }
  ASSERT_TRUE(program.ok()) << program.status();
  const Literal matrix =
      Vector<int32_t>({1, 2, 3, 4, 5, 6}).Reshaped(Shape::Array(ElementType::kS32, {2, 3}));
  const auto results = (*program)->Execute({Upload(matrix), Upload(Literal::Scalar<int32_t>(2))});
  ASSERT_TRUE(results.ok()) << results.status();
  Buffer& result = *results->front();
  EXPECT_EQ(result.shape().WithStaticDimensions(), matrix.shape());
  if (!computes()) return;
  const auto whole = DownloadLiteral(result);
  ASSERT_TRUE(whole.ok()) << whole.status();
  const auto actual = check::WithActualSizes(*whole);
  ASSERT_TRUE(actual.ok()) << actual.status();
  EXPECT_TRUE(*actual ==
              Vector<int32_t>({1, 2, 4, 5}).Reshaped(Shape::Array(ElementType::kS32, {2, 2})));
}

TEST_P(SeamTest, ArgumentsAreChecked) {
  const auto program = Compile(kAdd);
  ASSERT_TRUE(program.ok()) << program.status();
  const auto error = [&](const std::vector<BufferPtr>& arguments) {
    return ErrorIdOf((*program)->Execute(arguments).status());
  };
  const BufferPtr right = Upload(Vector<float>({1, 2}));
  EXPECT_EQ(error({}), "AX0600");
  EXPECT_EQ(error({right}), "AX0600");
  EXPECT_EQ(error({right, right, right}), "AX0600");
  EXPECT_EQ(error({right, Upload(Vector<float>({1, 2, 3}))}), "AX0601");
  EXPECT_EQ(error({right, Upload(Vector<int32_t>({1, 2}))}), "AX0601");
  EXPECT_EQ(error({right, Upload(Literal::Scalar<float>(1))}), "AX0601");
  EXPECT_EQ(error({right, nullptr}), "AX0601");
  EXPECT_EQ(error({right, Upload(Vector<float>({1, 2}), 1)}), "AX0602");
  EXPECT_EQ(error({right, right}), "");
}

TEST_P(SeamTest, RunsOnTheDeviceThatWasChosen) {
  const auto program = Compile(kAdd, 1);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)->device().id(), 1);
  const BufferPtr value = Upload(Vector<float>({1, 2}), 1);
  EXPECT_EQ(value->device().id(), 1);
  const auto results = (*program)->Execute({value, value});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(&results->front()->device(), &device(1));
  ExpectValue(*results->front(), Vector<float>({2, 4}));
}

TEST_P(SeamTest, DevicesThatDoNotExist) {
  EXPECT_EQ(ErrorIdOf(Compile(kAdd, kDevices).status()), "AX0603");
  EXPECT_EQ(ErrorIdOf(Compile(kAdd, -1).status()), "AX0603");
}

TEST_P(SeamTest, MalformedProgramsDoNotReachTheBackend) {
  const auto program = Compile(R"(
HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  ROOT r = f32[3] negate(x)
})");
  EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument) << program.status();
  EXPECT_NE(ErrorIdOf(program.status()), "");
}

TEST_P(SeamTest, UnknownCustomCallIsRefusedByName) {
  const auto program = Compile(R"(
HloModule m
ENTRY main {
  x = f32[4] parameter(0)
  ROOT r = f32[4] custom-call(x), custom_call_target="no_such_target"
})");
  if (!computes()) {
    EXPECT_TRUE(program.ok()) << program.status();
    return;
  }
  EXPECT_EQ(ErrorIdOf(program.status()), "AX0609");
  EXPECT_THAT(std::string(program.status().message()), HasSubstr("no_such_target"));
}

TEST_P(SeamTest, ArgumentsThatMayNotBeDonatedStay) {
  const auto program = Compile(R"(
HloModule m, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  ROOT r = f32[2] add(x, y)
})");
  ASSERT_TRUE(program.ok()) << program.status();
  const BufferPtr kept = Upload(Vector<float>({1, 2}));
  const BufferPtr other = Upload(Vector<float>({10, 20}));
  const int none[] = {0, 1};
  const auto results = (*program)->Execute({kept, other}, {.non_donatable = none});
  ASSERT_TRUE(results.ok()) << results.status();
  ExpectValue(*results->front(), Vector<float>({11, 22}));
  ASSERT_FALSE(kept->IsDeleted());
  const auto back = DownloadLiteral(*kept);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_TRUE(*back == Vector<float>({1, 2}));
}

TEST_P(SeamTest, DonatedArgumentsAreGoneOrUnchanged) {
  const auto program = Compile(R"(
HloModule m, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY main {
  x = f32[2] parameter(0)
  ROOT r = f32[2] negate(x)
})");
  ASSERT_TRUE(program.ok()) << program.status();
  const BufferPtr given = Upload(Vector<float>({1, 2}));
  const auto results = (*program)->Execute({given});
  ASSERT_TRUE(results.ok()) << results.status();
  ExpectValue(*results->front(), Vector<float>({-1, -2}));
  const auto back = DownloadLiteral(*given);
  if (given->IsDeleted()) {
    EXPECT_EQ(ErrorIdOf(back.status()), "AX0604");
  } else {
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_TRUE(*back == Vector<float>({1, 2}));
  }
}

TEST_P(SeamTest, OutlivesTheCallersPointers) {
  auto backend = CreateBackend(GetParam());
  ASSERT_TRUE(backend.ok()) << backend.status();
  auto program = CompileOn(*backend, kIncrement, 0);
  ASSERT_TRUE(program.ok()) << program.status();
  BufferPtr input = *UploadLiteral(*(*backend)->devices()[0], Vector<int32_t>({1, 2}));
  backend->reset();
  auto results = (*program)->Execute({input});
  ASSERT_TRUE(results.ok()) << results.status();
  program->reset();
  input.reset();
  const BufferPtr result = std::move(results->front());
  EXPECT_EQ(result->device().backend().name(), GetParam());
  ExpectValue(*result, Vector<int32_t>({2, 3}));
}

TEST_P(SeamTest, FourThreadsAtOnce) {
  const auto program = Compile(kIncrement);
  ASSERT_TRUE(program.ok()) << program.status();
  constexpr int kThreads = 4, kRuns = 25;
  std::vector<std::string> failures(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const auto run = [&]() -> absl::Status {
        AXLE_ASSIGN_OR_RETURN(BufferPtr value,
                              UploadLiteral(device(), Vector<int32_t>({t * 1000, t})));
        for (int i = 0; i < kRuns; ++i) {
          AXLE_ASSIGN_OR_RETURN(const auto results, (*program)->Execute({value}));
          value = results.front();
        }
        AXLE_ASSIGN_OR_RETURN(const Literal last, DownloadLiteral(*value));
        const Literal expected =
            computes() ? Vector<int32_t>({t * 1000 + kRuns, t + kRuns}) : Vector<int32_t>({0, 0});
        return last == expected ? absl::OkStatus() : absl::InternalError("wrong values");
      };
      if (const absl::Status status = run(); !status.ok()) failures[t] = status.ToString();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& failure : failures) EXPECT_EQ(failure, "");
}

INSTANTIATE_TEST_SUITE_P(Backends, SeamTest, ::testing::Values("reference", "null", "xla-cpu"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace axle::runtime
