// SPDX-License-Identifier: Apache-2.0
// Programs and values for tests of the runtime.
#ifndef AXLE_RUNTIME_RUNTIME_TESTING_H_
#define AXLE_RUNTIME_RUNTIME_TESTING_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "hlo/literal.h"
#include "hlo/text/parser.h"
#include "reference/reference.h"
#include "runtime/fault_backend_testing.h"
#include "runtime/session.h"
#include "runtime/store.h"

namespace axle::runtime {

inline std::shared_ptr<const VerifiedModule> ModuleOf(absl::string_view text) {
  absl::StatusOr<hlo::Module> module = hlo::ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  auto verified = VerifiedModule::Create(*std::move(module));
  EXPECT_TRUE(verified.ok()) << verified.status() << "\n" << text;
  return *std::move(verified);
}

inline hlo::Literal Floats(std::vector<float> values) {
  return hlo::Literal::Vector<float>(values);
}

// A store over the evaluator with two devices, and faults where `faults` says.
inline std::shared_ptr<Store> StoreOf(Faults faults = {}, StoreOptions options = {}) {
  auto inner = reference::Create({.device_count = 2});
  if (!options.cache.loader)
    options.cache.loader = [](absl::string_view bytes) { return hlo::ParseModule(bytes); };
  return Store::Create(std::make_shared<FaultBackend>(std::move(inner), std::move(faults)),
                       std::move(options));
}

inline Allocation Value(Session& session, const hlo::Literal& literal, int device = 0) {
  absl::StatusOr<Allocation> value = session.Upload(literal, device);
  EXPECT_TRUE(value.ok()) << value.status();
  return *std::move(value);
}

inline OwnedProgram ProgramOf(Session& session, absl::string_view text,
                              const ProgramCache::Request& request = {}) {
  absl::StatusOr<OwnedProgram> program = session.Compile(ModuleOf(text), request);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

inline void ExpectHolds(const Allocation& allocation, const hlo::Literal& expected) {
  const absl::StatusOr<hlo::Literal> literal = allocation.ToLiteral();
  ASSERT_TRUE(literal.ok()) << literal.status();
  EXPECT_TRUE(*literal == expected);
}

// f32[2] -> f32[2]: each plus 1.
inline constexpr absl::string_view kIncrement = R"(
HloModule increment
ENTRY main {
  x = f32[2] parameter(0)
  one = f32[] constant(1)
  ones = f32[2] broadcast(one), dimensions={}
  ROOT r = f32[2] add(x, ones)
})";

// f32[2], f32[2] -> f32[2].
inline constexpr absl::string_view kAdd = R"(
HloModule sum
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  ROOT r = f32[2] add(x, y)
})";

// f32[2], f32[2] -> f32[2], which goes where the first one was.
inline constexpr absl::string_view kAddInPlace = R"(
HloModule in_place, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  ROOT r = f32[2] add(x, y)
})";
inline constexpr absl::string_view kAddMustAlias = R"(
HloModule must, input_output_alias={ {}: (0, {}, must-alias) }
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  ROOT r = f32[2] add(x, y)
})";

// (f32[2], f32[2]), f32[2] -> (f32[2] sum of all three, (f32[2] the third)).
inline constexpr absl::string_view kTuples = R"(
HloModule tuples
ENTRY main {
  t = (f32[2], f32[2]) parameter(0)
  z = f32[2] parameter(1)
  x = f32[2] get-tuple-element(t), index=0
  y = f32[2] get-tuple-element(t), index=1
  xy = f32[2] add(x, y)
  sum = f32[2] add(xy, z)
  inner = (f32[2]) tuple(z)
  ROOT r = (f32[2], (f32[2])) tuple(sum, inner)
})";

}  // namespace axle::runtime

#endif  // AXLE_RUNTIME_RUNTIME_TESTING_H_
