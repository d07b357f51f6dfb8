// SPDX-License-Identifier: Apache-2.0
// Forms of text, old and new, and what they become.
#include "hlo/text/parser.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hlo/compare.h"
#include "hlo/text/printer.h"

namespace axle::hlo {
namespace {

Module Parse(absl::string_view text) {
  absl::StatusOr<Module> module = ParseModule(text);
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  return module.ok() ? *std::move(module) : Module();
}

// Reads `text` and expects it to print as `printed`, which must read back the same.
void ExpectPrints(absl::string_view text, absl::string_view printed) {
  const Module module = Parse(text);
  EXPECT_EQ(PrintModule(module), printed);
  EXPECT_EQ(FirstDifference(module, Parse(printed)), "");
}

TEST(ParserTest, ScalarAdd) {
  const Module module = Parse(
      "HloModule m\nENTRY e {\n  x = f32[] parameter(0)\n"
      "  ROOT s = f32[] add(x, x)\n}\n");
  EXPECT_EQ(module.name, "m");
  const Computation& entry = module.entry_computation();
  EXPECT_EQ(entry.name, "e");
  ASSERT_EQ(entry.instructions.size(), 2);
  EXPECT_EQ(entry.instructions[0].As<ParameterAttributes>().number, 0);
  EXPECT_EQ(entry.root, 1);
  EXPECT_EQ(entry.root_instruction().opcode, Opcode::kAdd);
  EXPECT_EQ(entry.root_instruction().name, "s");
  EXPECT_EQ(entry.root_instruction().operands, (absl::InlinedVector<InstructionIndex, 4>{0, 0}));
}

TEST(ParserTest, CanonicalTextPrintsBack) {
  constexpr absl::string_view kText =
      R"(HloModule jit_f, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {2}, must-alias) }, buffer_donor={ (1, {0}) }, entry_computation_layout={(f32[2]{0})->(f32[2]{0}, f32[])}, allow_spmd_sharding_propagation_to_parameters={true,false}, allow_spmd_sharding_propagation_to_output={true}, replica_count=2, num_partitions=4, frontend_attributes={a="x \"y\"",xla.sdy.meshes={mesh = #sdy.mesh<["x"=2]>}}, alias_passthrough_params=true

FileNames
1 "a.py"
2 "dir/\"b\".py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=1 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=1 parent_frame_id=2}

%fused (x: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  ROOT %y = f32[2]{0} negate(%x)
}

%worker {
  ROOT %p = f32[2]{0} parameter(0)
}, execution_thread="worker"

%add {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}

ENTRY %main.1 (Arg_0.1: f32[2]) -> (f32[2], f32[]) {
  %Arg_0.1 = f32[2]{0} parameter(0), sharding={devices=[2]<=[2]}, metadata={op_name="x" source_file="a.py" source_line=3 stack_frame_id=2}
  %zero = f32[] constant(0)
  %many = (f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[]) tuple(%zero, %zero, %zero, %zero, %zero, /*index=5*/%zero)
  %fusion = f32[2]{0} fusion(%Arg_0.1), kind=kLoop, calls=%fused, control-predecessors={%zero}, backend_config={"a":{"b":"}"}}
  %reduce = f32[] reduce(%fusion, %zero), dimensions={0}, to_apply=%add, frontend_attributes={k="v"}, origin={{"r"}}, statistics={visualizing_index=0,s=1.5}, backend_config="opaque \000", future_attribute=[1,{2}]
  ROOT %tuple = (f32[2]{0}, f32[]) tuple(%fusion, %reduce)
}
)";
  ExpectPrints(kText, kText);
}

TEST(ParserTest, ModuleWithoutHeaderTakesTheEntrysName) {
  const Module module = Parse("f { p = f32[] parameter(0) }\ng { q = f32[] parameter(0) }");
  EXPECT_EQ(module.name, "module_g");
  EXPECT_EQ(module.entry, 1);  // the last one, when none is marked
  EXPECT_EQ(Parse("ENTRY f { p = f32[] parameter(0) } g { q = f32[] parameter(0) }").entry, 0);
}

TEST(ParserTest, ASingleInstruction) {
  constexpr absl::string_view kPrinted = R"(HloModule module_entry

ENTRY %entry {
  %x = f32[2] parameter(0)
  %parameter.anon = f32[2] parameter(1)
  ROOT %s = f32[2] add(%x, %parameter.anon)
}
)";
  ExpectPrints("%s = f32[2] add(f32[2] %x, f32[2])", kPrinted);
  ExpectPrints("ROOT s = f32[2] add(f32[2] x, f32[2])", kPrinted);
  EXPECT_EQ(Parse("f32[2] add(f32[2] x, f32[2] x)").entry_computation().root_instruction().name,
            "add.anon");
  EXPECT_FALSE(ParseModule("s = f32[2] add(x, x)").ok());
  EXPECT_FALSE(ParseModule("s = f32[2] negate(f32[2] x) t = f32[2] negate(s)").ok());
}

TEST(ParserTest, OldForms) {
  constexpr absl::string_view kPrinted = R"(HloModule old

%f (x.1: f32[]) -> f32[] {
  ROOT %x = f32[] parameter(0)
}

ENTRY %e (p: f32[2], q: pred[]) -> f32[] {
  %p = f32[2]{0} parameter(0)
  %q = pred[] parameter(1)
  %s = f32[1]{0} slice(%p), slice={[0:1]}
  %r = f32[] reshape(%s)
  ROOT %c = f32[] conditional(%q, %r, %r), true_computation=%f, false_computation=%f
}
)";
  ExpectPrints(R"(HloModule old:

%f (x.1: f32[]) -> f32[] {
  ROOT %x = f32[] parameter(0)
}

ENTRY %e (p: f32[2], q: pred[]) -> f32[] {
  %p = f32[2]{0} parameter(0)  // a comment
  %q = pred[] parameter(1) /* and
  another */
  %s = f32[1]{0} slice(f32[2]{0} %p), slice={[0:1]}
  %r = f32[] reshape(f32[1]{0} %s)
  ROOT %c = f32[] conditional(pred[] %q, f32[] %r, /*index=2*/f32[] %r), false_computation=%f, true_computation=f
}
)",
               kPrinted);
  // A scalar broadcast, a dot without dimensions (an outer product), a topk that takes the largest.
  const Module module = Parse(
      "ENTRY e { p = f32[] parameter(0) b = f32[3] broadcast(p) "
      "d = f32[3,3] dot(b, b) t = (f32[1], s32[1]) topk(b), k=1 }");
  const Computation& entry = module.entry_computation();
  EXPECT_TRUE(entry.instructions[1].As<DimensionsAttributes>().dimensions.empty());
  EXPECT_TRUE(entry.instructions[2].As<DotAttributes>().lhs_contracting_dims.empty());
  EXPECT_TRUE(entry.instructions[3].As<TopKAttributes>().largest);
}

TEST(ParserTest, WhatSaysNothingIsDropped) {
  const Module module = Parse(
      "f { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] add(a, b) }"
      "ENTRY e { p = f32[2] parameter(0) r = f32[2] reshape(p), "
      "inferred_dimension=0 s = f32[2] all-reduce(r), to_apply=f, "
      "mode=flattened_id }");
  EXPECT_EQ(PrintModule(module).find("inferred"), std::string::npos);
  EXPECT_EQ(PrintModule(module).find("mode"), std::string::npos);
}

TEST(ParserTest, ShapesThatFollowMayBeLeftOut) {
  const Module module = Parse(R"(
    f { a = f32[] parameter(0) b = f32[] parameter(1) c = add(a, b) }
    ENTRY e {
      p = f32[2,3]{0,1} parameter(0)
      z = f32[] constant(0)
      n = negate(p)
      r = reduce(n, z), dimensions={0}, to_apply=f
      t = tuple(r, n)
      g = get-tuple-element(t), index=1
    })");
  const Computation& entry = module.entry_computation();
  EXPECT_EQ(module.computations[0].root_instruction().shape.ToString(), "f32[]");
  EXPECT_EQ(entry.instructions[3].shape.ToString(), "f32[3]");
  EXPECT_EQ(entry.instructions[4].shape.ToString(), "(f32[3], f32[2,3])");
  EXPECT_EQ(entry.instructions[5].shape.ToString(), "f32[2,3]");
}

TEST(ParserTest, InstructionsAndComputationsInPlaceOfNames) {
  ExpectPrints(R"(HloModule m
    ENTRY e {
      p = f32[2] parameter(0)
      z = f32[] constant(0)
      r = f32[] reduce(multiply(p, f32[2] negate(p)), z), dimensions={0},
        to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
      negate.anon = f32[] negate(r)
    })",
               R"(HloModule m

%computation {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}

ENTRY %e {
  %p = f32[2] parameter(0)
  %z = f32[] constant(0)
  %negate.anon.1 = f32[2] negate(%p)
  %multiply.anon = f32[2] multiply(%p, %negate.anon.1)
  %r = f32[] reduce(%multiply.anon, %z), dimensions={0}, to_apply=%computation
  ROOT %negate.anon = f32[] negate(%r)
}
)");
}

TEST(ParserTest, TupleElementsInShort) {
  ExpectPrints(
      "HloModule m\nENTRY e { t = (f32[], (s32[2])) parameter(0) "
      "ROOT r = (s32[2], f32[]) tuple(%t#1#0, f32[] t#0) }",
      R"(HloModule m

ENTRY %e {
  %t = (f32[], (s32[2])) parameter(0)
  %get-tuple-element.anon = (s32[2]) get-tuple-element(%t), index=1
  %get-tuple-element.anon.1 = s32[2] get-tuple-element(%get-tuple-element.anon), index=0
  %get-tuple-element.anon.2 = f32[] get-tuple-element(%t), index=0
  ROOT %r = (s32[2], f32[]) tuple(%get-tuple-element.anon.1, %get-tuple-element.anon.2)
}
)");
}

constexpr absl::string_view kAsync = R"(HloModule m

%add {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}

ENTRY %e {
  %p = f32[2] parameter(0)
  %s = ((f32[2]), f32[2], u32[]) custom-call-start(%p), async_execution_thread="t", custom_call_target="foo", metadata={op_name="x"}, backend_config="y"
  %u = ((f32[2]), f32[2], u32[]) custom-call-update(%s)
  %d = f32[2] custom-call-done(%u)
  %s2 = ((f32[2]), f32[1], u32[]) reduce-scatter-start(%d), replica_groups={{0,1}}, dimensions={0}, to_apply=%add
  ROOT %d2 = f32[1] reduce-scatter-done(%s2)
}
)";

TEST(ParserTest, AsynchronousOperationsInShortForm) {
  ExpectPrints(kAsync, kAsync);
  const Module module = Parse(kAsync);
  ASSERT_EQ(module.computations.size(), 4);
  const Computation& wrapped = module.computations[1];
  EXPECT_EQ(wrapped.name, "async_wrapped");
  EXPECT_EQ(wrapped.execution_thread, "t");
  EXPECT_EQ(wrapped.root_instruction().opcode, Opcode::kCustomCall);
  EXPECT_EQ(wrapped.root_instruction().As<CustomCallAttributes>().target, "foo");
  EXPECT_EQ(wrapped.root_instruction().shape.ToString(), "f32[2]");
  EXPECT_EQ(wrapped.root_instruction().extras->backend_config, "y");
  EXPECT_EQ(module.computations[2].name, "async_wrapped.1");
  EXPECT_EQ(module.computations[2].root_instruction().called[0], 0);
  const Computation& entry = module.entry_computation();
  EXPECT_EQ(entry.instructions[1].opcode, Opcode::kAsyncStart);
  EXPECT_EQ(entry.instructions[1].called[0], 1);
  EXPECT_EQ(entry.instructions[1].As<AsyncAttributes>().execution_thread, "t");
  EXPECT_EQ(entry.instructions[2].opcode, Opcode::kAsyncUpdate);
  EXPECT_EQ(entry.instructions[3].opcode, Opcode::kAsyncDone);
}

// Anything that reading the short form would not bring back is printed in full.
TEST(PrinterTest, AsynchronousOperationsInFullWhereTheShortFormWouldLose) {
  const auto prints_in_full = [](const Module& module) {
    const std::string text = PrintModule(module);
    EXPECT_EQ(FirstDifference(module, Parse(text)), "") << text;
    return text.find("async-start(") != std::string::npos;
  };
  EXPECT_FALSE(prints_in_full(Parse(kAsync)));
  Module renamed = Parse(kAsync);
  renamed.computations[1].name = "other";
  EXPECT_TRUE(prints_in_full(renamed));
  Module annotated = Parse(kAsync);
  annotated.computations[1].instructions[1].mutable_extras().sharding =
      std::make_unique<Sharding>();
  EXPECT_TRUE(prints_in_full(annotated));
  Module parameter = Parse(kAsync);
  parameter.computations[1].instructions[0].name = "q";
  EXPECT_TRUE(prints_in_full(parameter));
  Module elsewhere = Parse(kAsync);
  elsewhere.entry_computation().instructions[3].called.push_back(1);  // also called by the done
  EXPECT_TRUE(prints_in_full(elsewhere));
  Module longer = Parse(kAsync);
  Instruction extra = longer.computations[1].instructions[1];
  extra.name = "extra";
  longer.computations[1].Add(std::move(extra));
  EXPECT_TRUE(prints_in_full(longer));
}

TEST(ParserTest, AsynchronousOperationsWithAComputationOfTheirOwn) {
  constexpr absl::string_view kText = R"(HloModule m

%f {
  ROOT %p = f32[2] parameter(0)
}

ENTRY %e {
  %q = f32[2] parameter(0)
  %s = ((f32[2]), f32[2], u32[]) async-start(%q), calls=%f, output_to_operand_aliasing={{}: (0, {})}
  %u = ((f32[2]), f32[2], u32[]) async-update(%s)
  ROOT %d = f32[2] async-done(%u), calls=%f
}
)";
  ExpectPrints(kText, kText);
}

TEST(ParserTest, ComputationsMayStandInAnyOrder) {
  const Module module = Parse(
      "ENTRY e { p = f32[] parameter(0) c = f32[] call(p), to_apply=f }"
      "f { p = f32[] parameter(0) }");
  EXPECT_EQ(module.entry, 0);
  EXPECT_EQ(module.entry_computation().root_instruction().called[0], 1);
}

TEST(ParserTest, CalledComputationsKeepTheOrderOfTheIr) {
  const Module module = Parse(R"(
    f { p = f32[] parameter(0) }
    g { p = f32[] parameter(0) }
    ENTRY e {
      p = f32[] parameter(0)
      i = s32[] parameter(1)
      w = f32[] while(p), condition=f, body=g
      c = f32[] conditional(i, w, w, w), branch_computations={g, f, g}
      k = f32[] custom-call(c), custom_call_target="x", called_computations={%f, %g}
      l = f32[] custom-call(c), custom_call_target="x", to_apply=g
    })");
  const Computation& entry = module.entry_computation();
  using Called = absl::InlinedVector<ComputationIndex, 2>;
  EXPECT_EQ(entry.instructions[2].called, (Called{1, 0}));  // body, condition
  EXPECT_EQ(entry.instructions[3].called, (Called{1, 0, 1}));
  EXPECT_EQ(entry.instructions[4].called, (Called{0, 1}));
  EXPECT_EQ(entry.instructions[5].called, (Called{1}));
  EXPECT_EQ(FirstDifference(module, Parse(PrintModule(module))), "");
}

TEST(ParserTest, ElidedConstantsHaveNoValue) {
  for (const char* text : {"{...}", "{ {...} }"}) {
    const Module module =
        Parse(absl::StrCat("ENTRY e { c = f32[1000,1000] constant(", text, ") }"));
    EXPECT_EQ(module.entry_computation().root_instruction().As<ConstantAttributes>().literal,
              nullptr);
    EXPECT_NE(PrintModule(module).find("constant({...})"), std::string::npos);
  }
  EXPECT_EQ(Parse("ENTRY e { c = (f32[2], s32[]) constant(({...}, 1)) }")
                .entry_computation()
                .root_instruction()
                .As<ConstantAttributes>()
                .literal,
            nullptr);
}

TEST(ParserTest, SchedulesAreTheOrderOfTheText) {
  const Module module = Parse(
      "HloModule m, is_scheduled=true\n"
      "f { p = f32[] parameter(0) }\n"
      "ENTRY e { p = f32[] parameter(0) "
      "q = f32[] fusion(p), kind=kLoop, calls=f }");
  ASSERT_EQ(module.config.schedule.size(), 1);  // fusions have none
  EXPECT_EQ(module.config.schedule.at(1), (std::vector<InstructionIndex>{0, 1}));
  EXPECT_TRUE(module.computations[0].is_fusion);
}

TEST(PrinterTest, FollowsTheSchedule) {
  Module module = Parse(
      "HloModule m, is_scheduled=true\nENTRY e { p = f32[] parameter(0) "
      "q = f32[] negate(p) ROOT r = f32[] abs(p) }");
  module.config.schedule[0] = {0, 2, 1};
  EXPECT_EQ(PrintModule(module),
            "HloModule m, is_scheduled=true\n\nENTRY %e {\n"
            "  %p = f32[] parameter(0)\n"
            "  ROOT %r = f32[] abs(%p)\n"
            "  %q = f32[] negate(%p)\n}\n");
  module.config.schedule[0] = {1, 0, 2};  // not an order in which it could run
  EXPECT_EQ(PrintModule(module),
            "HloModule m, is_scheduled=true\n\nENTRY %e {\n"
            "  %p = f32[] parameter(0)\n"
            "  %q = f32[] negate(%p)\n"
            "  ROOT %r = f32[] abs(%p)\n}\n");
}

TEST(PrinterTest, Options) {
  const Module module = Parse(
      "HloModule m\nENTRY e { p = f32[2]{0} parameter(0), "
      "metadata={op_name=\"x\"} c = f32[2] constant({1, 2}) "
      "ROOT r = f32[2] add(p, c) }");
  EXPECT_EQ(
      PrintModule(module, {.operand_shapes = true, .metadata = false, .max_constant_elements = 1}),
      "HloModule m\n\nENTRY %e {\n"
      "  %p = f32[2]{0} parameter(0)\n"
      "  %c = f32[2] constant({...})\n"
      "  ROOT %r = f32[2] add(f32[2]{0} %p, f32[2] %c)\n}\n");
  const Computation& entry = module.entry_computation();
  EXPECT_EQ(PrintInstruction(module, entry, entry.instructions[2]), "%r = f32[2] add(%p, %c)");
}

TEST(PrinterTest, NamesOfAnyBytes) {
  Module module = Parse(
      "HloModule m\nf { p = f32[] parameter(0) }\nENTRY e (p: f32[]) -> f32[] { "
      "p = f32[] parameter(0) q = f32[] call(p), to_apply=f }");
  module.name = "a b/c";
  module.computations[0].name = "f(x)";
  module.entry_computation().instructions[0].name = "\"\xff\n";
  module.entry_computation().declared->parameter_names[0] = "";
  EXPECT_EQ(FirstDifference(module, Parse(PrintModule(module))), "");
}

TEST(ParserTest, MetadataKeepsWhatItDoesNotKnow) {
  const Module module = Parse(
      "ENTRY e { p = f32[] parameter(0), metadata={op_type=\"t\" op_name=\"n\" source_file=\"f\" "
      "source_line=1 source_end_line=2 source_column=3 source_end_column=4 profile_type={1,2} "
      "deduplicated_name=\"d\" scheduling_name=\"s\" size_of_generated_code_in_bytes=5 "
      "size_of_memory_working_set_in_bytes=6 stack_frame_id=7 preserve_layout=true x={\"}\"}} "
      "q = f32[] negate(p), metadata={op_type=\"t\" op_name=\"n\" source_file=\"f\"}}");
  const Metadata& metadata = *module.entry_computation().instructions[0].metadata;
  EXPECT_EQ(metadata.op_type.view(), "t");
  EXPECT_EQ(metadata.op_name.view(), "n");
  EXPECT_EQ(metadata.source_file.view(), "f");
  EXPECT_EQ(metadata.source_line, 1);
  EXPECT_EQ(metadata.source_end_column, 4);
  EXPECT_EQ(metadata.rare().profile_types, (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(metadata.stack_frame_id, 7);
  EXPECT_EQ(metadata.unknown_text.view(), " preserve_layout=true x={\"}\"}");
  EXPECT_EQ(FirstDifference(module, Parse(PrintModule(module))), "");
}

TEST(ParserTest, EqualShapesAndMetadataAreShared) {
  const Module module = Parse(
      "ENTRY e { p = f32[2]{0} parameter(0), metadata={op_name=\"n\"} "
      "q = f32[2]{0} negate(f32[2]{0} p), metadata={op_name=\"n\"} "
      "r = f32[2] {0} negate(q) s = f32[2] negate(q) }");
  const auto& instructions = module.entry_computation().instructions;
  EXPECT_TRUE(instructions[0].shape.SharesDataWith(instructions[1].shape));
  EXPECT_TRUE(instructions[0].shape.SharesDataWith(instructions[2].shape));
  EXPECT_EQ(instructions[3].shape.layout(), nullptr);
  EXPECT_EQ(instructions[0].metadata, instructions[1].metadata);
}

TEST(ParserTest, ReplicaGroupsOfEveryKind) {
  for (const char* text : {"{}", "{{0,1},{2,3}}", "[2,4]<=[8]", "[2,4]<=[4,2]T(1,0)",
                           "mesh['x'=2,'y'=2] {'y'}", "mesh['x'=4], device_ids=([4]T(0)) {'x'}"}) {
    const std::string module = absl::StrCat(
        "ENTRY e { p = f32[] parameter(0) r = f32[] collective-broadcast(p), replica_groups=", text,
        ", channel_id=1 }");
    EXPECT_NE(
        PrintModule(Parse(module)).find(absl::StrCat(", channel_id=1, replica_groups=", text)),
        std::string::npos)
        << PrintModule(Parse(module));
  }
}

TEST(ParserTest, DimensionLabelsWithGaps) {
  const Module module = Parse(
      "ENTRY e { p = f32[1,1,1] parameter(0) "
      "c = f32[1,1,1] convolution(p, p), dim_labels=?bf_?io->f?b }");
  const auto& labels = module.entry_computation().root_instruction().As<ConvolutionAttributes>();
  EXPECT_EQ(labels.dimensions.input_batch, 1);
  EXPECT_EQ(labels.dimensions.output_batch, 2);
  EXPECT_NE(PrintModule(module).find("dim_labels=?bf_?io->f?b"), std::string::npos);
  // The last has 65 dimensions, one more than an array can have.
  const std::string too_many = absl::StrCat("b", std::string(63, '?'), "f_io->bf");
  const std::vector<std::string> all_bad = {"bf_io->bb", "b0f_io->b0f", "bx_io->bf", "b1f_1io->b1f",
                                            "bf_i->bf",  "bf",          too_many};
  for (const std::string& bad : all_bad) {
    EXPECT_FALSE(ParseModule(absl::StrCat("ENTRY e { p = f32[1,1] parameter(0) c = f32[1,1] "
                                          "convolution(p, p), dim_labels=",
                                          bad, " }"))
                     .ok())
        << bad;
  }
}

}  // namespace
}  // namespace axle::hlo
