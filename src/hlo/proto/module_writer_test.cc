// SPDX-License-Identifier: Apache-2.0
// Modules both ways, and what writing adds: ids, order, unique names, signatures.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hlo/proto/codec.h"
#include "hlo/proto/module_testing.h"
#include "hlo/text/parser.h"
#include "proto/hlo.pb.h"

namespace axle::hlo {
namespace {

void ExpectError(const absl::Status& status, absl::string_view id, absl::string_view text) {
  EXPECT_TRUE(IsError(status, id, text)) << "not " << id << " … " << text << ": " << status;
}

// ---- Both ways ----------------------------------------------------------------------------------

TEST(ModuleCodecTest, IdsAreRenumberedEverywhere) {
  const wire::HloModuleProto proto = Write(*Read(Base("", "", R"(
      schedule { sequences { key: 4 value { instruction_ids: [40, 41] } }
                 sequences { key: 9 value { instruction_ids: [1000000000000, 7, -5] } } })")));
  const auto id = [](int64_t computation, int64_t local) { return (computation << 32) + local; };
  EXPECT_EQ(proto.entry_computation_id(), 2);
  EXPECT_EQ(proto.entry_computation_name(), "main");
  const wire::HloComputationProto& main = proto.computations(1);
  EXPECT_EQ(main.id(), 2);
  EXPECT_EQ(main.root_id(), id(2, 3));
  EXPECT_EQ(main.instructions(1).id(), id(2, 2));
  EXPECT_EQ(main.instructions(1).operand_ids(0), id(2, 1));
  EXPECT_EQ(main.instructions(1).called_computation_ids(0), 1);
  EXPECT_EQ(main.instructions(2).control_predecessor_ids(0), id(2, 2));
  ASSERT_EQ(proto.schedule().sequences_size(), 2);
  EXPECT_EQ(proto.schedule().sequences(1).key(), 2);
  EXPECT_EQ(proto.schedule().sequences(1).value().instruction_ids(2), id(2, 3));
}

TEST(ModuleCodecTest, EveryModuleFieldSurvives) {
  const wire::HloModuleProto proto = Write(*Read(Base(R"(
      metadata { op_type: 'a' op_name: 'b' source_file: 'c' source_line: 1 profile_type: [1, 2]
                 size_of_generated_code_in_bytes: 3 size_of_memory_working_set_in_bytes: 4
                 profile_info { relative_speedup: 1.5 } deduplicated_name: 'd' stack_frame_id: 5
                 scheduling_name: 'e' source_end_line: 6 source_column: 7 source_end_column: 8
                 metadata_payload: '\n\001f' }
      sharding { type: TUPLE tuple_shardings { type: OTHER tile_assignment_dimensions: [2, 1]
                   iota_reshape_dims: 2 iota_transpose_perm: 0 last_tile_dims: [MANUAL]
                   metadata { op_name: 'm' } tile_shape { element_type: F32 } }
                 tuple_shardings { type: MAXIMAL tile_assignment_dimensions: 1
                   tile_assignment_devices: 3 }
                 tuple_shardings { named_sharding { mesh { axes { name: 'x' size: 2 } } }
                   is_shard_group: true shard_group_id: 4 shard_group_type: LIKE }
                 tuple_shardings { type: OTHER replicate_on_last_tile_dim: true
                   iota_reshape_dims: [2, 3] iota_transpose_perm: [1, 0] } }
      frontend_attributes { map { key: 'k' value: 'v' } map { key: 'l' value: '' } }
      backend_config: '{"x":1}'
      original_value { elements { original_array: '\n\001o\022\001\002' } }
      statistics_viz { stat_index_to_visualize: 1 statistics { stat_name: 'st' stat_val: 0.1 } })",
                                                      "", R"(
      id: 77 is_dynamic: true use_auto_spmd_partitioning: true
      input_output_alias { entries { output_shape_index: 1 parameter_number: 2
                                     parameter_shape_index: [3, 4] kind: MUST_ALIAS } }
      buffer_donor { entries { parameter_number: 5 parameter_shape_index: 6 } }
      cross_program_prefetches { parameter: 7 index: 8 offset: 9 }
      spmd_output_sharding { type: REPLICATED }
      spmd_parameters_shardings { type: MANUAL } spmd_parameters_shardings { type: UNREDUCED }
      frontend_attributes { map { key: 'm' value: 'n' } }
      stack_frame_index { file_names: ['f', 'g'] function_names: 'h'
        file_locations { file_name_id: 1 function_name_id: 2 line: 3 column: 4 end_line: 5
                         end_column: 6 }
        stack_frames { file_location_id: 1 parent_frame_id: 2 } }
      profile_info { fingerprint: 'fp' relative_speedup: 2 }
      device_assignment { replica_count: 1 computation_count: 1
                          computation_devices { replica_device_ids: 0 } }
      original_value_recovery_table { entries { old_original_array { instruction_name: 'q' } } }
      device_type: 'dt' payloads: 'pl' pjrt_id: 0 debug_attributes: '\n\001z')")));
  // A second pass changes nothing, so equality of the first with the source is what is left to see.
  const wire::HloModuleProto again = Write(*Read(proto));
  EXPECT_EQ(again.SerializeAsString(), proto.SerializeAsString());

  const wire::HloInstructionProto& sum = proto.computations(1).instructions(2);
  const wire::OpMetadata& metadata = sum.metadata();
  EXPECT_EQ(absl::StrCat(metadata.op_type(), metadata.op_name(), metadata.source_file(),
                         metadata.deduplicated_name(), metadata.scheduling_name()),
            "abcde");
  EXPECT_EQ(absl::StrCat(metadata.source_line(), metadata.profile_type(1),
                         metadata.size_of_generated_code_in_bytes(),
                         metadata.size_of_memory_working_set_in_bytes(), metadata.stack_frame_id(),
                         metadata.source_end_line(), metadata.source_column(),
                         metadata.source_end_column()),
            "12345678");
  EXPECT_EQ(metadata.profile_info().relative_speedup(), 1.5);
  EXPECT_EQ(metadata.metadata_payload(), "\n\001f");
  ASSERT_EQ(sum.sharding().tuple_shardings_size(), 4);
  EXPECT_EQ(sum.sharding().tuple_shardings(0).metadata(0).op_name(), "m");
  EXPECT_EQ(sum.sharding().tuple_shardings(0).tile_shape().element_type(), wire::F32);
  EXPECT_EQ(sum.sharding().tuple_shardings(0).iota_transpose_perm(0), 0);
  EXPECT_EQ(sum.sharding().tuple_shardings(0).last_tile_dims(0), wire::OpSharding::MANUAL);
  EXPECT_EQ(sum.sharding().tuple_shardings(1).tile_assignment_dimensions(0), 1);
  EXPECT_EQ(sum.sharding().tuple_shardings(2).named_sharding().mesh().axes(0).size(), 2);
  EXPECT_EQ(sum.sharding().tuple_shardings(2).shard_group_type(), wire::OpSharding::LIKE);
  EXPECT_EQ(sum.sharding().tuple_shardings(3).iota_transpose_perm(0), 1);
  EXPECT_EQ(sum.frontend_attributes().map(1).key(), "l");
  EXPECT_EQ(sum.backend_config(), "{\"x\":1}");
  EXPECT_EQ(sum.original_value().elements(0).original_array(), "\n\001o\022\001\002");
  EXPECT_EQ(sum.statistics_viz().statistics(0).stat_val(), 0.1);
  EXPECT_EQ(proto.id(), 77);
  EXPECT_TRUE(proto.is_dynamic());
  EXPECT_TRUE(proto.use_auto_spmd_partitioning());
  EXPECT_EQ(proto.input_output_alias().entries(0).kind(),
            wire::HloInputOutputAliasProto::MUST_ALIAS);
  EXPECT_EQ(proto.input_output_alias().entries(0).parameter_shape_index(1), 4);
  EXPECT_EQ(proto.buffer_donor().entries(0).parameter_shape_index(0), 6);
  EXPECT_EQ(proto.cross_program_prefetches(0).offset(), 9);
  EXPECT_TRUE(proto.has_spmd_output_sharding());
  EXPECT_EQ(proto.spmd_parameters_shardings(1).type(), wire::OpSharding::UNREDUCED);
  EXPECT_EQ(proto.frontend_attributes().map(0).value(), "n");
  EXPECT_EQ(proto.stack_frame_index().file_names(1), "g");
  EXPECT_EQ(proto.stack_frame_index().file_locations(0).end_column(), 6);
  EXPECT_EQ(proto.stack_frame_index().stack_frames(0).parent_frame_id(), 2);
  EXPECT_EQ(proto.profile_info(0).fingerprint(), "fp");
  EXPECT_EQ(proto.device_assignment().computation_devices_size(), 1);
  EXPECT_EQ(proto.original_value_recovery_table().entries_size(), 1);
  EXPECT_EQ(proto.device_type(), "dt");
  EXPECT_EQ(proto.payloads(0), "pl");
  EXPECT_TRUE(proto.has_pjrt_id());
  EXPECT_EQ(proto.debug_attributes(0), "\n\001z");
}

TEST(ModuleCodecTest, ComparisonsSpellOutTheirOrderOnTheWireOnly) {
  const absl::string_view compare = R"(
    instructions { name: "q" opcode: "compare" F id: 1 operand_ids: 7 operand_ids: 7
                   comparison_direction: "LT" comparison_type: "TYPE" })";
  const auto read = [&](absl::string_view type) {
    return *Read(Base("", absl::StrReplaceAll(compare, {{"TYPE", type}})));
  };
  const auto order = [](const Module& module) {
    return module.entry_computation().instructions[3].As<CompareAttributes>().type;
  };
  const auto written = [](const Module& module) {
    return Write(module).computations(1).instructions(3).comparison_type();
  };
  EXPECT_EQ(order(read("FLOAT")), ComparisonType::kUnset);
  EXPECT_EQ(order(read("")), ComparisonType::kUnset);
  EXPECT_EQ(written(read("")), "FLOAT");
  EXPECT_EQ(order(read("TOTALORDER")), ComparisonType::kTotalOrder);
  EXPECT_EQ(written(read("TOTALORDER")), "TOTALORDER");
}

TEST(ModuleCodecTest, BadModuleFieldsAreErrors) {
  ExpectError(Read(Base("", "", "input_output_alias { entries { kind: 3 } }")).status(), "AX0214",
              "kind");
  ExpectError(Read(Base("", "", "stack_frame_index { file_names: '\\377' }")).status(), "AX0215",
              "file name");
  ExpectError(Read(Base("", "", "frontend_attributes { map { key: '\\377' } }")).status(), "AX0215",
              "frontend attribute");
}

// Adds field 9999 to a message.
void AddUnknown(google::protobuf::Message* message, absl::string_view value = "new") {
  message->GetReflection()->MutableUnknownFields(message)->AddLengthDelimited(9999,
                                                                              std::string(value));
}
bool HasUnknown(const google::protobuf::Message& message) {
  const auto& fields = message.GetReflection()->GetUnknownFields(message);
  return fields.field_count() == 1 && fields.field(0).number() == 9999;
}

TEST(ModuleCodecTest, UnknownFieldsAreKept) {
  wire::HloModuleProto proto = Base("sharding { type: OTHER } metadata { op_name: 'n' }", R"(
      instructions { name: "t" opcode: "cholesky" F id: 1 operand_ids: 7 })");
  AddUnknown(&proto);
  AddUnknown(proto.mutable_host_program_shape());
  AddUnknown(proto.mutable_host_program_shape()->mutable_result());
  wire::HloComputationProto* main = proto.mutable_computations(1);
  AddUnknown(main);
  AddUnknown(main->mutable_program_shape());
  wire::HloInstructionProto* sum = main->mutable_instructions(2);
  AddUnknown(sum);
  AddUnknown(sum->mutable_shape());
  AddUnknown(sum->mutable_shape()->mutable_layout());
  AddUnknown(sum->mutable_sharding());
  AddUnknown(sum->mutable_metadata());
  AddUnknown(main->mutable_instructions(3)->mutable_cholesky_options());
  sum->set_delta(4);  // a known field of another operation

  const absl::StatusOr<Module> module = Read(proto);
  ASSERT_TRUE(module.ok()) << module.status();
  const wire::HloModuleProto again = Write(*module);
  EXPECT_TRUE(HasUnknown(again));
  EXPECT_TRUE(HasUnknown(again.host_program_shape()));
  EXPECT_TRUE(HasUnknown(again.host_program_shape().result()));
  EXPECT_TRUE(HasUnknown(again.computations(1)));
  EXPECT_TRUE(HasUnknown(again.computations(1).program_shape()));
  const wire::HloInstructionProto& kept = again.computations(1).instructions(2);
  EXPECT_TRUE(HasUnknown(kept));
  EXPECT_TRUE(HasUnknown(kept.shape()));
  EXPECT_TRUE(HasUnknown(kept.shape().layout()));
  EXPECT_TRUE(HasUnknown(kept.sharding()));
  EXPECT_TRUE(HasUnknown(kept.metadata()));
  EXPECT_TRUE(HasUnknown(again.computations(1).instructions(3).cholesky_options()));
  EXPECT_EQ(kept.delta(), 4);
  EXPECT_FALSE(HasUnknown(again.computations(1).instructions(1))) << "those of another instruction";
}

TEST(ModuleCodecTest, UnknownFieldsInsideRepeatedMessagesAreRefused) {
  wire::HloModuleProto proto = Base("slice_dimensions { limit: 1 }");
  wire::HloInstructionProto* slice = proto.mutable_computations(1)->mutable_instructions(2);
  slice->set_opcode("slice");
  slice->mutable_operand_ids()->RemoveLast();
  AddUnknown(slice->mutable_slice_dimensions(0));
  ExpectError(Read(proto).status(), "AX0216", "'s': element 0 of field slice_dimensions");

  proto = Base("", "", "schedule { sequences { key: 4 } }");
  AddUnknown(proto.mutable_schedule()->mutable_sequences(0));
  ExpectError(Read(proto).status(), "AX0216", "sequences");
}

TEST(ModuleCodecTest, GroupsInUnknownFieldsAreSkipped) {
  wire::HloModuleProto proto = Base();
  proto.GetReflection()->MutableUnknownFields(&proto)->AddGroup(77)->AddVarint(1, 2);
  const absl::StatusOr<Module> module = Read(proto);
  ASSERT_TRUE(module.ok()) << module.status();
  const wire::HloModuleProto again = Write(*module);
  EXPECT_EQ(again.GetReflection()->GetUnknownFields(again).field(0).number(), 77);
  // A group that does not end.
  ExpectError(ModuleFromProtoBytes(absl::StrCat(Base().SerializeAsString(), "\x0b")).status(),
              "AX0200", "");
}

// ---- Writing ------------------------------------------------------------------------------------

TEST(ModuleWriterTest, CalleesComeFirstWhateverTheOrder) {
  Module module = *Read(Base());
  std::swap(module.computations[0], module.computations[1]);
  module.entry = 0;
  module.computations[0].instructions[1].called[0] = 1;
  const wire::HloModuleProto proto = Write(module);
  EXPECT_EQ(proto.computations(0).name(), "callee");
  EXPECT_EQ(proto.entry_computation_id(), 2);
  EXPECT_TRUE(Read(proto).ok());
}

TEST(ModuleWriterTest, RecursionIsAnError) {
  Module module = *Read(Base());
  module.computations[0].instructions[1].called.push_back(1);
  ExpectError(ModuleToProtoBytes(module).status(), "AX0230", "calls itself");
}

TEST(ModuleWriterTest, ControlEdgesBackwardsMoveInstructions) {
  Module module = *Read(Base());
  Computation& main = module.entry_computation();
  main.instructions[2].extras->control_predecessors.clear();
  // x waits for nothing that needs it: a constant after it.
  Instruction constant;
  constant.opcode = Opcode::kConstant;
  constant.name = "k";
  constant.shape = Shape::Scalar(ElementType::kF32);
  constant.attributes =
      Attributes(ConstantAttributes{std::make_shared<const Literal>(Literal::Scalar<float>(2))});
  main.Add(std::move(constant));
  main.instructions[1].mutable_extras().control_predecessors.push_back(3);
  const wire::HloModuleProto proto = Write(module);
  const wire::HloComputationProto& written = proto.computations(1);
  std::vector<std::string> names;
  for (const auto& instruction : written.instructions()) names.push_back(instruction.name());
  EXPECT_EQ(names, (std::vector<std::string>{"x", "k", "c", "s"}));
  EXPECT_EQ(written.root_id(), written.instructions(3).id());
  EXPECT_TRUE(Read(proto).ok());

  main.instructions[3].mutable_extras().control_predecessors.push_back(2);
  ExpectError(ModuleToProtoBytes(module).status(), "AX0231", "computation 'main': ");
}

TEST(ModuleWriterTest, RepeatedNamesGetSuffixesThatNobodyHas) {
  Module module = *Read(Base());
  module.computations[0].instructions[0].name = "x";
  module.computations[0].instructions[1].name = "x.1";
  const wire::HloModuleProto proto = Write(module);
  EXPECT_EQ(proto.computations(0).instructions(0).name(), "x");
  EXPECT_EQ(proto.computations(1).instructions(0).name(), "x.2");
  const wire::HloModuleProto same = Write(module, {.unique_instruction_names = false});
  EXPECT_EQ(same.computations(1).instructions(0).name(), "x");
}

TEST(ModuleWriterTest, SignaturesAreDerivedWhereNoneIsDeclared) {
  Module module = *Read(Base());
  module.config.entry_layout.reset();
  for (Computation& computation : module.computations) computation.declared.reset();
  const wire::HloModuleProto proto = Write(module);
  ASSERT_EQ(proto.host_program_shape().parameters_size(), 1);
  EXPECT_EQ(proto.host_program_shape().parameter_names(0), "x");
  EXPECT_TRUE(proto.host_program_shape().result().has_layout());
  EXPECT_EQ(proto.computations(0).program_shape().parameter_names(0), "p");

  module.entry_computation().instructions[0].As<ParameterAttributes>().number = 1;
  ExpectError(ModuleToProtoBytes(module).status(), "AX0232", "no parameter has the number 0");
  module.entry_computation().instructions[0].As<ParameterAttributes>().number = -1;
  ExpectError(ModuleToProtoBytes(module).status(), "AX0232", "number -1");
}

TEST(ModuleWriterTest, LayoutsCanBeFilledIn) {
  wire::HloModuleProto source = Base();
  wire::ShapeProto* shape =
      source.mutable_computations(1)->mutable_instructions(0)->mutable_shape();
  shape->clear_layout();
  shape->add_dimensions(2);
  const Module module = *Read(source);
  EXPECT_FALSE(Write(module).computations(1).instructions(0).shape().has_layout());
  EXPECT_TRUE(
      Write(module, {.fill_layouts = true}).computations(1).instructions(0).shape().has_layout());
}

TEST(ModuleWriterTest, LayoutsOfOutfeedsAndOfTheEntryAreFilledInToo) {
  const Module module = *ParseModule(R"(
HloModule m, entry_computation_layout={(f32[2,3])->token[]}
ENTRY e {
  a = f32[2,3] parameter(0)
  t = token[] after-all()
  ROOT o = token[] outfeed(a, t), outfeed_shape=f32[2,3]
})");
  const wire::HloModuleProto plain = Write(module);
  EXPECT_FALSE(plain.computations(0).instructions(2).outfeed_shape().has_layout());
  EXPECT_FALSE(plain.host_program_shape().parameters(0).has_layout());
  const wire::HloModuleProto filled = Write(module, {.fill_layouts = true});
  for (const wire::ShapeProto& shape : {filled.computations(0).instructions(2).outfeed_shape(),
                                        filled.host_program_shape().parameters(0)}) {
    ASSERT_EQ(shape.layout().minor_to_major_size(), 2);
    EXPECT_EQ(shape.layout().minor_to_major(0), 1);
    EXPECT_EQ(shape.layout().minor_to_major(1), 0);
  }
}

TEST(ModuleWriterTest, ScheduledModulesInTextOrderGetSequences) {
  Module module = *Read(Base());
  module.config.is_scheduled = true;
  module.computations[0].is_fusion = true;
  const wire::HloModuleProto proto = Write(module);
  ASSERT_EQ(proto.schedule().sequences_size(), 1) << "fusions have none";
  EXPECT_EQ(proto.schedule().sequences(0).key(), 2);
  EXPECT_EQ(proto.schedule().sequences(0).value().instruction_ids_size(), 3);
  EXPECT_TRUE(Read(proto)->config.is_scheduled);
}

TEST(ModuleWriterTest, TextMustBeUtf8) {
  const auto status = [](auto&& damage) {
    Module module = *Read(Base("metadata { op_name: 'n' }"));
    damage(module);
    return ModuleToProtoBytes(module).status();
  };
  ExpectError(status([](Module& m) { m.name = "\xff"; }), "AX0215", "module name");
  ExpectError(status([](Module& m) { m.computations[0].name = "\xff"; }), "AX0215", "name");
  ExpectError(status([](Module& m) { m.computations[0].execution_thread = "\xff"; }), "AX0215",
              "execution_thread");
  ExpectError(status([](Module& m) { m.computations[0].instructions[0].name = "\xff"; }), "AX0215",
              "computation 'callee': instruction ");
  ExpectError(status([](Module& m) { m.config.frontend_attributes["\xff"] = ""; }), "AX0215",
              "frontend attribute");
  ExpectError(status([](Module& m) { m.config.stack_frames.function_names = {"\xff"}; }), "AX0215",
              "function name");
}

TEST(ModuleWriterTest, TheSameModuleGivesTheSameBytes) {
  const Module module = *Read(Base("frontend_attributes { map { key: 'b' } map { key: 'a' } }"));
  EXPECT_EQ(*ModuleToProtoBytes(module), *ModuleToProtoBytes(Module(module)));
}

TEST(ModuleWriterTest, DeepCallChainsNeedNoStack) {
  constexpr int kDepth = 20000;
  wire::HloModuleProto proto = Base();
  const wire::HloComputationProto link = proto.computations(1);
  for (int i = 0; i < kDepth; ++i) {
    wire::HloComputationProto* next = proto.add_computations();
    *next = link;
    next->set_name(absl::StrCat("link", i));
    next->set_id(10 + i);
    next->mutable_instructions(1)->set_called_computation_ids(0, 9 + i);
  }
  proto.set_entry_computation_id(9 + kDepth);
  Module module = *Read(proto);
  std::reverse(module.computations.begin(), module.computations.end());
  const auto last = static_cast<ComputationIndex>(module.computations.size() - 1);
  for (Computation& computation : module.computations) {
    for (Instruction& instruction : computation.instructions) {
      for (ComputationIndex& callee : instruction.called) callee = last - callee;
    }
  }
  module.entry = 0;
  EXPECT_TRUE(ModuleToProtoBytes(module).ok());
}

}  // namespace
}  // namespace axle::hlo
