// SPDX-License-Identifier: Apache-2.0
// What readers never let through, or what text cannot say: modules made or changed by hand. Rules
// that a text can break are tested by tests/data/rules.
#include "hlo/verify/verify.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hlo/text/parser.h"

namespace axle::hlo {
namespace {

using ::testing::HasSubstr;

Module Parse(absl::string_view text) {
  absl::StatusOr<Module> module = ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *std::move(module) : Module();
}

// "ok", or "AX0402 main/y".
std::string Verdict(const Module& module, const VerifyOptions& options = {}) {
  const absl::Status status = VerifyModule(module, options);
  if (status.ok()) return "ok";
  const std::string id = ErrorIdOf(status);
  absl::string_view rest = status.message();
  rest.remove_prefix(id.size() + 2);  // "AX0402: "
  const absl::string_view place = rest.substr(0, rest.find(": "));
  return place.find(' ') == place.npos ? absl::StrCat(id, " ", place) : id;
}

// Parses, changes and verifies.
template <typename F>
std::string After(absl::string_view text, F&& change) {
  Module module = Parse(text);
  change(module);
  return Verdict(module);
}

constexpr absl::string_view kPlain = R"(HloModule m
f {
  p = f32[4] parameter(0)
  ROOT q = f32[4] negate(p)
}
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  z = f32[4] call(x), to_apply=f
  ROOT r = f32[4] add(z, y)
}
)";

constexpr ComputationIndex kF = 0;  // in kPlain
constexpr InstructionIndex kX = 0, kY = 1, kZ = 2, kR = 3;

Instruction& EntryInstruction(Module& module, InstructionIndex i) {
  return module.entry_computation().instructions[i];
}

TEST(VerifyTest, PlainModule) { EXPECT_EQ(Verdict(Parse(kPlain)), "ok"); }

TEST(VerifyTest, EntryExists) {
  EXPECT_EQ(Verdict(Module()), "AX0400");
  EXPECT_EQ(After(kPlain, [](Module& m) { m.entry = 2; }), "AX0400");
}

TEST(VerifyTest, RootExists) {
  EXPECT_EQ(After(kPlain, [](Module& m) { m.computations[kF].root = 2; }), "AX0401 f");
  EXPECT_EQ(After(kPlain, [](Module& m) { m.computations[kF].instructions.clear(); }), "AX0401 f");
}

TEST(VerifyTest, OperandsComeBefore) {
  EXPECT_EQ(After(kPlain, [](Module& m) { EntryInstruction(m, kR).operands[1] = kR; }),
            "AX0402 main/r");
  EXPECT_EQ(After(kPlain, [](Module& m) { EntryInstruction(m, kZ).operands[0] = kR; }),
            "AX0402 main/z");
  EXPECT_EQ(After(kPlain, [](Module& m) { EntryInstruction(m, kR).operands[0] = 4'000'000'000; }),
            "AX0402 main/r");
}

TEST(VerifyTest, CalledComputationsExist) {
  EXPECT_EQ(After(kPlain, [](Module& m) { EntryInstruction(m, kZ).called[0] = 2; }),
            "AX0403 main/z");
}

TEST(VerifyTest, Names) {
  EXPECT_EQ(After(kPlain, [](Module& m) { EntryInstruction(m, kY).name = "x"; }), "AX0404 main/x");
  EXPECT_EQ(After(kPlain, [](Module& m) { EntryInstruction(m, kY).name = ""; }), "AX0404 main/");
  EXPECT_EQ(After(kPlain, [](Module& m) { m.computations[kF].name = "main"; }), "AX0404 main");
  EXPECT_EQ(After(kPlain, [](Module& m) { m.computations[kF].name = ""; }), "AX0404 ");
  // Instructions of different computations may share a name.
  EXPECT_EQ(After(kPlain, [](Module& m) { EntryInstruction(m, kX).name = "p"; }), "ok");
}

TEST(VerifyTest, AttributeFamily) {
  EXPECT_EQ(
      After(kPlain,
            [](Module& m) { EntryInstruction(m, kR).attributes = Attributes(IotaAttributes()); }),
      "AX0405 main/r");
  EXPECT_EQ(After(kPlain, [](Module& m) { EntryInstruction(m, kX).attributes = Attributes(); }),
            "AX0405 main/x");
}

TEST(VerifyTest, ParameterNumbers) {
  for (const int64_t number :
       {int64_t{-1}, int64_t{0}, int64_t{2}, std::numeric_limits<int64_t>::min(),
        std::numeric_limits<int64_t>::max()}) {
    EXPECT_EQ(After(kPlain,
                    [&](Module& m) {
                      EntryInstruction(m, kY).As<ParameterAttributes>().number = number;
                    }),
              "AX0406 main/y");
  }
}

TEST(VerifyTest, InstructionsHaveShapes) {
  EXPECT_EQ(After(kPlain, [](Module& m) { EntryInstruction(m, kR).shape = Shape(); }),
            "AX0407 main/r");
  EXPECT_EQ(
      After(kPlain, [](Module& m) { EntryInstruction(m, kR).shape = Shape::Tuple({Shape()}); }),
      "AX0407 main/r");
}

TEST(VerifyTest, CallsFormNoCircle) {
  const auto call = [](ComputationIndex callee) {
    return [callee](Module& m) {
      Instruction& q = m.computations[kF].instructions[1];
      q.opcode = Opcode::kCall;
      q.attributes = Attributes(CallAttributes());
      q.called.push_back(callee);
    };
  };
  EXPECT_EQ(After(kPlain, call(kF)), "AX0410 f/q");
  EXPECT_EQ(After(kPlain, call(1)), "AX0410 main/z");
}

TEST(VerifyTest, EntryIsNotCalled) {
  // A computation that nothing calls may not call the entry either.
  constexpr absl::string_view kText = R"(HloModule m
ENTRY main {
  ROOT x = f32[4] parameter(0)
}
stray {
  p = f32[4] parameter(0)
  ROOT q = f32[4] call(p), to_apply=main
}
)";
  EXPECT_EQ(Verdict(Parse(kText)), "AX0411 stray/q");
}

// A module with a chain of `length` computations, the entry among them.
Module Chain(int length) {
  Module module;
  for (int i = 0; i < length; ++i) {
    Computation& computation = module.computations.emplace_back();
    computation.name = absl::StrCat("c", i);
    Instruction parameter;
    parameter.opcode = Opcode::kParameter;
    parameter.name = "p";
    parameter.shape = Shape::Scalar(ElementType::kF32);
    parameter.attributes = Attributes(ParameterAttributes());
    computation.Add(std::move(parameter));
    if (i == 0) continue;
    Instruction call;
    call.opcode = Opcode::kCall;
    call.name = "q";
    call.shape = Shape::Scalar(ElementType::kF32);
    call.attributes = Attributes(CallAttributes());
    call.operands = {0};
    call.called = {static_cast<ComputationIndex>(i - 1)};
    computation.Add(std::move(call));
    computation.root = 1;
  }
  module.entry = static_cast<ComputationIndex>(length - 1);
  return module;
}

TEST(VerifyTest, CallsAreNestedWithinLimits) {
  EXPECT_EQ(Verdict(Chain(10'000)), "ok");
  EXPECT_EQ(Verdict(Chain(10'001)), "AX0412 c10000");
  EXPECT_EQ(Verdict(Chain(8), {.max_call_depth = 7}), "AX0412 c7");
  // No stack of ours is used, however deep the limit.
  EXPECT_EQ(Verdict(Chain(100'000), {.max_call_depth = 100'000}), "ok");
}

TEST(VerifyTest, ControlEdgesExist) {
  EXPECT_EQ(After(kPlain,
                  [](Module& m) {
                    EntryInstruction(m, kR).mutable_extras().control_predecessors.push_back(4);
                  }),
            "AX0420 main/r");
  EXPECT_EQ(After(kPlain,
                  [](Module& m) {
                    EntryInstruction(m, kR).mutable_extras().control_predecessors.push_back(kR);
                  }),
            "AX0420 main/r");
}

TEST(VerifyTest, ControlEdgesFormNoCircleWithData) {
  const auto edge = [](InstructionIndex from, InstructionIndex to) {
    return [from, to](Module& m) {
      EntryInstruction(m, to).mutable_extras().control_predecessors.push_back(from);
    };
  };
  EXPECT_EQ(After(kPlain, edge(kX, kR)), "ok");
  EXPECT_EQ(After(kPlain, edge(kY, kX)), "ok");  // against the order, but no circle
  EXPECT_EQ(After(kPlain, edge(kR, kX)), "AX0421 main/x");
}

// A chain of negations, with a control edge from each to the one before: in a circle as a whole, or
// in pairs.
TEST(VerifyTest, ControlEdgesOfLongComputations) {
  constexpr int kLength = 100'000;
  Module module;
  Computation& computation = module.computations.emplace_back();
  computation.name = "main";
  for (InstructionIndex i = 0; i < kLength; ++i) {
    Instruction instruction;
    instruction.opcode = i == 0 ? Opcode::kParameter : Opcode::kNegate;
    instruction.name = absl::StrCat("i", i);
    instruction.shape = Shape::Scalar(ElementType::kF32);
    if (i == 0) instruction.attributes = Attributes(ParameterAttributes());
    if (i > 0) instruction.operands = {i - 1};
    computation.Add(std::move(instruction));
  }
  computation.root = kLength - 1;
  EXPECT_EQ(Verdict(module), "ok");
  computation.instructions[0].mutable_extras().control_predecessors.push_back(kLength - 1);
  EXPECT_EQ(Verdict(module), "AX0421 main/i0");
}

Shape Nested(int depth) {
  Shape shape = Shape::Scalar(ElementType::kF32);
  for (int i = 0; i < depth; ++i) shape = Shape::Tuple({shape});
  return shape;
}

TEST(VerifyTest, ShapesNestWithinLimits) {
  constexpr absl::string_view kText = "HloModule m\nENTRY main { ROOT x = f32[] parameter(0) }";
  const auto with_shape = [&](Shape shape) {
    return After(kText, [&](Module& m) {
      EntryInstruction(m, 0).shape = shape;
      m.config.entry_layout.reset();
      m.entry_computation().declared.reset();
    });
  };
  EXPECT_EQ(with_shape(Nested(64)), "ok");
  EXPECT_EQ(with_shape(Nested(65)), "AX0431 main/x");
  // 2^40 parts that share their memory.
  Shape doubled = Shape::Scalar(ElementType::kF32);
  for (int i = 0; i < 40; ++i) doubled = Shape::Tuple({doubled, doubled});
  EXPECT_EQ(with_shape(doubled), "AX0431 main/x");
  // 2^62 elements of one byte each fit, of two bytes do not; nor do two of the former with others.
  constexpr int64_t kHuge = int64_t{1} << 31;
  const Shape bytes = Shape::Array(ElementType::kU8, {kHuge, kHuge});
  EXPECT_EQ(with_shape(bytes), "ok");
  EXPECT_EQ(with_shape(bytes.WithElementType(ElementType::kU16)), "AX0300 main/x");
  EXPECT_EQ(with_shape(Shape::Tuple({bytes, bytes})), "AX0300 main/x");
  EXPECT_EQ(with_shape(Shape::Array(ElementType::kU8, {kHuge, kHuge, 2})), "AX0300 main/x");
  EXPECT_EQ(with_shape(Shape::Array(ElementType::kF32, {Shape::kUnbounded})), "AX0301 main/x");
}

TEST(VerifyTest, Options) {
  constexpr absl::string_view kText = "HloModule m\nENTRY main { ROOT x = f32[?] parameter(0) }";
  EXPECT_EQ(Verdict(Parse(kText), {.allow_unbounded_dimensions = true}), "ok");
  // 16 bytes a value.
  EXPECT_EQ(Verdict(Parse(kPlain), {.max_value_bytes = 16}), "ok");
  EXPECT_EQ(Verdict(Parse(kPlain), {.max_value_bytes = 15}), "AX0470 f/p");
}

TEST(VerifyTest, Layouts) {
  constexpr absl::string_view kText = "HloModule m\nENTRY main { ROOT x = f32[2,3] parameter(0) }";
  const auto with_layout = [&](auto change) {
    return After(kText, [&](Module& m) {
      Layout layout = Layout::RowMajor(2);
      change(layout);
      EntryInstruction(m, 0).shape = EntryInstruction(m, 0).shape.WithLayout(layout);
    });
  };
  const std::string bad = "AX0430 main/x";
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(with_layout([](Layout& l) { l.tiles = {{{8, 128}}, {{Tile::kCombine, 2}}}; }), "ok");
  EXPECT_EQ(with_layout([](Layout& l) { l.minor_to_major = {0}; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.minor_to_major = {0, 0}; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.minor_to_major = {0, 2}; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.minor_to_major = {kMin, 1}; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.minor_to_major = {0, 1, 2}; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.tiles = {{{0}}}; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.dim_level_types = {DimLevelType::kDense}; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.tail_padding_alignment_in_elements = 0; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.element_size_in_bits = -1; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.memory_space = -1; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.dynamic_shape_metadata_prefix_bytes = kMin; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.index_type = ElementType::kU32; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.split_configs = {{2, {1}}}; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.split_configs = {{1, {2, 1}}}; }), bad);
  EXPECT_EQ(with_layout([](Layout& l) { l.split_configs = {{1, {1, 2}}}; }), "ok");
}

TEST(VerifyTest, Constants) {
  constexpr absl::string_view kText = "HloModule m\nENTRY main { ROOT c = f32[] constant(1) }";
  const auto with_literal = [&](std::shared_ptr<const Literal> literal) {
    return After(kText, [&](Module& m) {
      EntryInstruction(m, 0).As<ConstantAttributes>().literal = std::move(literal);
    });
  };
  EXPECT_EQ(with_literal(nullptr), "AX0432 main/c");
  EXPECT_EQ(with_literal(std::make_shared<Literal>(Literal::Scalar<int32_t>(1))), "AX0433 main/c");
  EXPECT_EQ(with_literal(std::make_shared<Literal>(Literal::Vector<float>({1}))), "AX0433 main/c");
}

TEST(VerifyTest, CustomCallsHaveTargets) {
  constexpr absl::string_view kText =
      "HloModule m\nENTRY main { ROOT c = f32[] custom-call(), custom_call_target=\"f\" }";
  EXPECT_EQ(
      After(kText,
            [](Module& m) { EntryInstruction(m, 0).As<CustomCallAttributes>().target.clear(); }),
      "AX0434 main/c");
}

TEST(VerifyTest, EntryLayout) {
  const auto with_layout = [](auto change) {
    return After(kPlain, [&](Module& m) {
      const Shape shape = Shape::Array(ElementType::kF32, {4});
      m.config.entry_layout = ProgramShape{{shape, shape}, {}, shape};
      change(*m.config.entry_layout);
    });
  };
  const std::string bad = "AX0440 entry_computation_layout";
  EXPECT_EQ(with_layout([](ProgramShape&) {}), "ok");
  EXPECT_EQ(with_layout([](ProgramShape& p) { p.parameters.pop_back(); }), bad);
  EXPECT_EQ(with_layout([](ProgramShape& p) { p.parameters[1] = Shape::Token(); }), bad);
  EXPECT_EQ(with_layout([](ProgramShape& p) { p.result = Shape::Token(); }), bad);
  EXPECT_EQ(with_layout([](ProgramShape& p) { p.result = Shape(); }), bad);
  EXPECT_EQ(with_layout([](ProgramShape& p) {
              p.parameters[0] = p.result.WithLayout(Layout::RowMajor(2));
            }),
            "AX0430 entry_computation_layout");
}

TEST(VerifyTest, DeclaredSignature) {
  EXPECT_EQ(
      After(kPlain,
            [](Module& m) { m.computations[kF].declared = ProgramShape{{}, {}, Shape::Token()}; }),
      "AX0441 f");
}

constexpr absl::string_view kTuples = R"(HloModule m
ENTRY main {
  x = (f32[4], (s32[2,2])) parameter(0)
  y = f32[8] parameter(1)
  a = f32[4] get-tuple-element(x), index=0
  ROOT r = (f32[4], f32[8]) tuple(a, y)
}
)";

std::string WithAliases(std::vector<InputOutputAlias> aliases, std::vector<BufferDonor> donors) {
  return After(kTuples, [&](Module& m) {
    m.config.aliases = std::move(aliases);
    m.config.donors = std::move(donors);
  });
}

TEST(VerifyTest, Aliases) {
  const std::string table = " input_output_alias";
  EXPECT_EQ(WithAliases({{{0}, 0, {0}}, {{1}, 1, {}}}, {{0, {1, 0}}}), "ok");
  EXPECT_EQ(WithAliases({{{0}, 0, {1, 0}}}, {}), "ok");  // 16 bytes both
  EXPECT_EQ(WithAliases({{{2}, 0, {0}}}, {}), "AX0445" + table);
  EXPECT_EQ(WithAliases({{{-1}, 0, {0}}}, {}), "AX0445" + table);
  EXPECT_EQ(WithAliases({{{}, 0, {0}}}, {}), "AX0445" + table);  // a tuple is no memory
  EXPECT_EQ(WithAliases({{{0}, 2, {}}}, {}), "AX0445" + table);
  EXPECT_EQ(WithAliases({{{0}, -1, {}}}, {}), "AX0445" + table);
  EXPECT_EQ(WithAliases({{{0}, 0, {1}}}, {}), "AX0445" + table);
  EXPECT_EQ(WithAliases({{{0}, 0, {0, 0}}}, {}), "AX0445" + table);
  EXPECT_EQ(WithAliases({{{0}, 1, {}}}, {}), "AX0446" + table);
  EXPECT_EQ(WithAliases({{{0}, 0, {0}}, {{0}, 0, {1, 0}}}, {}), "AX0447" + table);
  constexpr absl::string_view kTwice = R"(HloModule m
ENTRY main {
  x = f32[4] parameter(0)
  ROOT r = (f32[4], f32[4]) tuple(x, x)
}
)";
  EXPECT_EQ(After(kTwice, [](Module& m) { m.config.aliases = {{{0}, 0, {}}, {{1}, 0, {}}}; }),
            "AX0447" + table);
}

TEST(VerifyTest, DonorsAndPrefetches) {
  EXPECT_EQ(WithAliases({}, {{2, {}}}), "AX0445 buffer_donor");
  EXPECT_EQ(WithAliases({}, {{0, {}}}), "AX0445 buffer_donor");
  EXPECT_EQ(WithAliases({{{1}, 1, {}}}, {{1, {}}}), "AX0447 buffer_donor");
  EXPECT_EQ(
      After(kTuples,
            [](Module& m) { m.config.cross_program_prefetches.push_back({1, {3}, std::nullopt}); }),
      "AX0445 cross_program_prefetches");
}

TEST(VerifyTest, Schedules) {
  const auto with_schedule = [](std::vector<InstructionIndex> sequence) {
    return After(kPlain, [&](Module& m) { m.config.schedule[m.entry] = std::move(sequence); });
  };
  EXPECT_EQ(with_schedule({kX, kY, kZ, kR}), "ok");
  EXPECT_EQ(with_schedule({kX, kZ, kY, kR}), "ok");
  EXPECT_EQ(with_schedule({kY, kZ, kX, kR}), "AX0450 main/z");
  EXPECT_EQ(with_schedule({kX, kY, kZ}), "AX0450 main");
  EXPECT_EQ(with_schedule({kX, kY, kY, kR}), "AX0450 main");
  EXPECT_EQ(with_schedule({kX, kY, kZ, 9}), "AX0450 main");
  EXPECT_EQ(After(kPlain, [](Module& m) { m.config.schedule[kF] = {0, 1}; }), "AX0450");
  EXPECT_EQ(After(kPlain,
                  [](Module& m) {
                    m.config.schedule[m.entry] = {kX, kY, kZ, kR};
                    m.config.schedule[7] = {};
                  }),
            "AX0450");
  EXPECT_EQ(After(kPlain,
                  [](Module& m) {
                    m.config.schedule[m.entry] = {kX, kZ, kY, kR};
                    EntryInstruction(m, kZ).mutable_extras().control_predecessors = {kY};
                  }),
            "AX0450 main/z");
}

std::string WithSharding(Sharding sharding, int64_t partitions = 1) {
  return After(kPlain, [&](Module& m) {
    m.config.num_partitions = partitions;
    EntryInstruction(m, kR).mutable_extras().sharding = std::make_unique<Sharding>(sharding);
  });
}

TEST(VerifyTest, Shardings) {
  const std::string bad = "AX0455 main/r";
  Sharding maximal{.type = Sharding::Type::kMaximal, .devices = {3}};
  EXPECT_EQ(WithSharding(maximal), "ok");  // one partition leaves the devices open
  EXPECT_EQ(WithSharding(maximal, 4), "ok");
  EXPECT_EQ(WithSharding(maximal, 3), bad);
  maximal.devices.push_back(1);
  EXPECT_EQ(WithSharding(maximal), bad);

  Sharding tiled{.type = Sharding::Type::kTiled, .tile_dimensions = {2}, .devices = {0, 1}};
  EXPECT_EQ(WithSharding(tiled, 2), "ok");
  tiled.devices = {0, 2};
  EXPECT_EQ(WithSharding(tiled, 2), bad);
  tiled.devices = {0};
  EXPECT_EQ(WithSharding(tiled), bad);
  tiled.devices.clear();
  tiled.iota_reshape_dims = {2};
  EXPECT_EQ(WithSharding(tiled), "ok");
  tiled.iota_transpose_perm = {1};
  EXPECT_EQ(WithSharding(tiled), bad);
  tiled.iota_transpose_perm = {};
  tiled.replicate_on_last_tile_dim = true;  // leaves no dimension for the array
  EXPECT_EQ(WithSharding(tiled), bad);

  // Products that overflow.
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(WithSharding({.type = Sharding::Type::kTiled, .tile_dimensions = {kMax, kMax}}), bad);
  EXPECT_EQ(WithSharding({.type = Sharding::Type::kTiled, .tile_dimensions = {-1}}), bad);
  EXPECT_EQ(WithSharding({.type = Sharding::Type::kTiled}), bad);

  Sharding tuple{.type = Sharding::Type::kTuple, .elements = {Sharding()}};
  EXPECT_EQ(WithSharding(tuple), bad);
  EXPECT_EQ(WithSharding({.type = Sharding::Type::kTuple, .elements = {tuple}}), bad);
  EXPECT_EQ(WithSharding({.unparsed = "anything"}), "ok");
}

TEST(VerifyTest, ShardingsOfTheModule) {
  const Sharding bad{.type = Sharding::Type::kMaximal};
  EXPECT_EQ(After(kPlain, [&](Module& m) { m.config.spmd_output_sharding = bad; }),
            "AX0455 spmd_output_sharding");
  EXPECT_EQ(After(kPlain, [&](Module& m) { m.config.spmd_parameter_shardings = {bad}; }),
            "AX0455 spmd_parameters_shardings");
}

TEST(VerifyTest, MembersOfGroups) {
  constexpr absl::string_view kGather = R"(HloModule m
ENTRY main {
  x = f32[4] parameter(0)
  ROOT r = f32[8] all-gather(x), replica_groups={{0,1},{2,3}}, dimensions={0}
}
)";
  const auto with_replicas = [&](int64_t replicas) {
    return After(kGather, [&](Module& m) { m.config.replica_count = replicas; });
  };
  EXPECT_EQ(with_replicas(1), "ok");  // left open
  EXPECT_EQ(with_replicas(4), "ok");
  EXPECT_EQ(with_replicas(2), "AX0460 main/r");
  const auto with_iota = [&](auto change) {
    return After(kGather, [&](Module& m) {
      ReplicaGroups groups{.kind = ReplicaGroups::Kind::kIota,
                           .group_count = 2,
                           .group_size = 2,
                           .reshape_dims = {4}};
      change(groups);
      EntryInstruction(m, 1).As<CollectiveAttributes>().replica_groups = groups;
    });
  };
  EXPECT_EQ(with_iota([](ReplicaGroups&) {}), "ok");
  EXPECT_EQ(with_iota([](ReplicaGroups& g) { g.reshape_dims = {5}; }), "AX0460 main/r");
  EXPECT_EQ(with_iota([](ReplicaGroups& g) { g.reshape_dims = {-4}; }), "AX0460 main/r");
  EXPECT_EQ(with_iota([](ReplicaGroups& g) { g.transpose_perm = {1}; }), "AX0460 main/r");
  EXPECT_EQ(with_iota([](ReplicaGroups& g) { g.group_count = 0; }), "AX0460 main/r");
}

TEST(VerifyTest, UnknownAttributesAreAllowed) {
  EXPECT_EQ(After(kPlain,
                  [](Module& m) {
                    EntryInstruction(m, kR).mutable_extras().unknown_text.push_back({"new", "1"});
                    m.config.unknown_text.push_back({"newer", "{}"});
                  }),
            "ok");
}

TEST(VerifyTest, MessagesSayPlaceAndExpectation) {
  Module module = Parse(kPlain);
  EntryInstruction(module, kR).shape = Shape::Array(ElementType::kF32, {5});
  const std::string message(VerifyModule(module).message());
  EXPECT_THAT(message, HasSubstr("AX0325: main/r: "));
  EXPECT_THAT(message, HasSubstr("f32[5]"));
  EXPECT_THAT(message, HasSubstr("expected f32[4]"));
}

}  // namespace
}  // namespace axle::hlo
