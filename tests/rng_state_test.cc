// SPDX-License-Identifier: Apache-2.0
// Programs that draw random numbers, with their state made explicit: XLA:CPU must draw what the
// evaluator draws from the same seed in the program as it was.
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "assembly/backends.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "eval/evaluator.h"
#include "gtest/gtest.h"
#include "hlo/text/parser.h"
#include "hlo/verify/verify.h"
#include "passes/explicit_rng_state.h"
#include "runtime/program.h"

namespace axle {
namespace {

using hlo::Literal;

constexpr uint64_t kSeed = 2026;

class RngStateTest : public ::testing::Test {
 protected:
  void SetUp() override {
    static auto* const backend =
        new absl::StatusOr<std::shared_ptr<runtime::Backend>>(assembly::CreateBackend("xla-cpu"));
    if (ErrorIdOf(backend->status()) == "AX0941") GTEST_SKIP() << backend->status();
    ASSERT_TRUE(backend->ok()) << backend->status();
    backend_ = **backend;
  }

  static absl::StatusOr<std::vector<Literal>> Expected(const hlo::Module& module) {
    AXLE_ASSIGN_OR_RETURN(const auto evaluator,
                          eval::Evaluator::Create(std::make_shared<const hlo::Module>(module)));
    AXLE_ASSIGN_OR_RETURN(Literal result, evaluator->Run({}, {.rng_seed = kSeed}));
    if (result.IsTuple())
      return std::vector<Literal>(result.elements().begin(), result.elements().end());
    return std::vector<Literal>{std::move(result)};
  }

  absl::StatusOr<std::vector<Literal>> Actual(hlo::Module module) const {
    AXLE_RETURN_IF_ERROR(passes::MakeRngStateExplicit(&module).status());
    AXLE_ASSIGN_OR_RETURN(const auto program,
                          runtime::Program::Compile(
                              backend_, std::make_shared<const hlo::Module>(std::move(module))));
    const Literal state = Literal::Vector<uint64_t>(passes::InitialRngState(kSeed));
    AXLE_ASSIGN_OR_RETURN(auto argument, runtime::UploadLiteral(program->device(), state));
    AXLE_ASSIGN_OR_RETURN(const auto buffers, program->Execute({argument}));
    std::vector<Literal> results;
    for (const auto& buffer : buffers) {
      AXLE_ASSIGN_OR_RETURN(Literal result, runtime::DownloadLiteral(*buffer));
      results.push_back(std::move(result));
    }
    return results;
  }

  // Calls `expect(expected, actual)` for each result but the state.
  template <typename Expect>
  void Compare(const std::string& text, Expect expect) const {
    SCOPED_TRACE(text);
    const auto module = hlo::ParseModule(text);
    ASSERT_TRUE(module.ok()) << module.status();
    ASSERT_TRUE(hlo::VerifyModule(*module).ok());
    const auto expected = Expected(*module);
    ASSERT_TRUE(expected.ok()) << expected.status();
    const auto actual = Actual(*module);
    ASSERT_TRUE(actual.ok()) << actual.status();
    ASSERT_EQ(actual->size(), expected->size() + 1);
    for (size_t i = 0; i < expected->size(); ++i) expect((*expected)[i], (*actual)[i]);
  }

  void ExpectEqual(const std::string& text) const {
    Compare(text, [](const Literal& expected, const Literal& actual) {
      EXPECT_TRUE(expected == actual);
    });
  }

  std::shared_ptr<runtime::Backend> backend_;
};

std::string OneRng(const char* type, const char* a, const char* b, const char* distribution) {
  return absl::StrFormat(R"(
HloModule m
ENTRY main {
  a = %1$s[] constant(%2$s)
  b = %1$s[] constant(%3$s)
  r = %1$s[67,31] rng(a, b), distribution=rng_%4$s
  s = u64[2] rng-get-and-update-state(), delta=-9
  ROOT t = (%1$s[67,31], u64[2]) tuple(r, s)
})",
                         type, a, b, distribution);
}

TEST_F(RngStateTest, UniformFloatsAreEqual) {
  for (const char* type : {"f16", "bf16", "f32", "f64", "f8e5m2", "f8e4m3fn"}) {
    ExpectEqual(OneRng(type, "-0.1", "3.7", "uniform"));
  }
  for (const char* type : {"f32", "f64"}) {
    ExpectEqual(OneRng(type, "0", "1", "uniform"));
    ExpectEqual(OneRng(type, "-12345.678", "0.0001", "uniform"));
  }
  // Rounding makes the upper bound of some.
  ExpectEqual(OneRng("f32", "1", "1.00000012", "uniform"));
  ExpectEqual(OneRng("bf16", "100", "101", "uniform"));
  ExpectEqual(OneRng("f16", "-1e-6", "0", "uniform"));
}

TEST_F(RngStateTest, IntegersAreEqual) {
  ExpectEqual(OneRng("s4", "-8", "7", "uniform"));
  ExpectEqual(OneRng("s8", "-128", "127", "uniform"));
  ExpectEqual(OneRng("u8", "3", "200", "uniform"));
  ExpectEqual(OneRng("s32", "-1000", "1000000", "uniform"));
  ExpectEqual(OneRng("s32", "5", "5", "uniform"));
  ExpectEqual(OneRng("u32", "0", "4294967295", "uniform"));
  ExpectEqual(OneRng("s64", "-9223372036854775808", "9223372036854775807", "uniform"));
  ExpectEqual(OneRng("u64", "0", "18446744073709551615", "uniform"));
}

TEST_F(RngStateTest, NormalFloatsAreClose) {
  Compare(OneRng("f32", "-1", "2", "normal"), [](const Literal& expected, const Literal& actual) {
    if (expected.shape().element_type() != hlo::ElementType::kF32) return;
    for (int64_t i = 0; i < expected.element_count(); ++i) {
      EXPECT_NEAR(expected.data<float>()[i], actual.data<float>()[i], 2e-5) << i;
    }
  });
  Compare(OneRng("f64", "-1", "2", "normal"), [](const Literal& expected, const Literal& actual) {
    if (expected.shape().element_type() != hlo::ElementType::kF64) return;
    for (int64_t i = 0; i < expected.element_count(); ++i) {
      EXPECT_NEAR(expected.data<double>()[i], actual.data<double>()[i], 1e-13) << i;
    }
  });
}

// Operands that the compiler does not know.
TEST_F(RngStateTest, BoundsMayBeComputed) {
  ExpectEqual(R"(
HloModule m
ENTRY main {
  zero = f32[] constant(0)
  one = f32[] constant(1)
  a = f32[] rng(zero, one), distribution=rng_uniform
  b = f32[] add(a, one)
  r = f32[1000] rng(a, b), distribution=rng_uniform
  c = f64[] convert(a)
  d = f64[] convert(b)
  s = f64[1000] rng(c, d), distribution=rng_uniform
  ROOT t = (f32[1000], f64[1000]) tuple(r, s)
})");
}

TEST_F(RngStateTest, LoopsAndBranches) {
  for (const char* which : {"true", "false"}) {
    ExpectEqual(absl::StrFormat(R"(
HloModule m
body {
  x = f32[4] parameter(0)
  zero = f32[] constant(0)
  one = f32[] constant(1)
  d = f32[4] rng(zero, one), distribution=rng_uniform
  ROOT r = f32[4] add(x, d)
}
go_on {
  x = f32[4] parameter(0)
  zero = f32[] constant(0)
  one = f32[] constant(1)
  limit = f32[] constant(0.875)
  d = f32[] rng(zero, one), distribution=rng_uniform
  ROOT c = pred[] compare(d, limit), direction=LT
}
below {
  x = f32[4] parameter(0)
  first = f32[1] slice(x), slice={[0:1]}
  scalar = f32[] reshape(first)
  limit = f32[] constant(20)
  ROOT c = pred[] compare(scalar, limit), direction=LT
}
keep { ROOT x = f32[4] parameter(0) }
ENTRY main {
  which = pred[] constant(%s)
  zero = f32[] constant(0)
  zeros = f32[4] broadcast(zero), dimensions={}
  a = f32[4] while(zeros), body=body, condition=go_on
  b = f32[4] while(zeros), body=body, condition=below
  c = f32[4] conditional(which, a, b), true_computation=body, false_computation=keep
  d = f32[4] fusion(c), kind=kLoop, calls=fused
  ROOT t = (f32[4], f32[4], f32[4], f32[4]) tuple(a, b, c, d)
}
fused {
  x = f32[4] parameter(0)
  ROOT r = f32[4] call(x), to_apply=body
})",
                                which));
  }
}

}  // namespace
}  // namespace axle
