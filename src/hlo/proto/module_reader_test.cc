// SPDX-License-Identifier: Apache-2.0
// Reading of modules: references, errors with their places, forms of old files.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hlo/proto/codec.h"
#include "hlo/proto/errors.h"
#include "hlo/proto/module_testing.h"
#include "proto/hlo.pb.h"

namespace axle::hlo {
namespace {

void ExpectError(const absl::Status& status, absl::string_view id, absl::string_view text) {
  EXPECT_TRUE(IsError(status, id, text)) << "not " << id << " … " << text << ": " << status;
}

TEST(ModuleReaderTest, ReferencesBecomeIndices) {
  const absl::StatusOr<Module> module = Read(Base());
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(module->name, "base");
  EXPECT_EQ(module->entry, 1);
  ASSERT_EQ(module->computations.size(), 2);
  const Computation& main = module->entry_computation();
  EXPECT_EQ(main.root, 2);
  EXPECT_EQ(main.instructions[1].called[0], 0);
  const Instruction& sum = main.root_instruction();
  EXPECT_EQ(sum.opcode, Opcode::kAdd);
  EXPECT_EQ(sum.operands[0], 1);
  EXPECT_EQ(sum.operands[1], 0);
  ASSERT_EQ(sum.control_predecessors().size(), 1);
  EXPECT_EQ(sum.control_predecessors()[0], 1);
  EXPECT_EQ(main.instructions[0].metadata, nullptr);
  EXPECT_EQ(main.instructions[0].extras, nullptr);
  ASSERT_TRUE(module->config.entry_layout.has_value());
  EXPECT_EQ(module->config.entry_layout->result, Shape::Scalar(ElementType::kF32));
  ASSERT_TRUE(main.declared.has_value());
}

TEST(ModuleReaderTest, BytesThatAreNoModule) {
  ExpectError(ModuleFromProtoBytes("").status(), "AX0201", "no computations");
  ExpectError(ModuleFromProtoBytes("HloModule text, not proto\n").status(), "AX0200", "");
  const std::string bytes = Base().SerializeAsString();
  for (size_t length = 1; length < bytes.size(); ++length) {
    EXPECT_FALSE(ModuleFromProtoBytes(absl::string_view(bytes).substr(0, length)).ok()) << length;
  }
}

TEST(ModuleReaderTest, EverySingleByteMayBeWrong) {
  const std::string bytes =
      Base("metadata { op_name: \"n\" } sharding { type: OTHER }").SerializeAsString();
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {0x01, 0x08, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      const absl::StatusOr<Module> module = ModuleFromProtoBytes(damaged);
      if (module.ok()) {
        const auto again = ModuleToProtoBytes(*module);
        EXPECT_TRUE(again.ok() || !ErrorIdOf(again.status()).empty()) << again.status();
      } else {
        EXPECT_NE(ErrorIdOf(module.status()), "") << module.status();
      }
    }
  }
}

TEST(ModuleReaderTest, ErrorsNameComputationAndInstruction) {
  const auto error = [](auto&& damage) {
    wire::HloModuleProto proto = Base();
    damage(proto);
    return Read(proto).status();
  };
  using M = wire::HloModuleProto;
  const auto at = [](M& m, int i) { return m.mutable_computations(1)->mutable_instructions(i); };
  const absl::string_view place = "computation 'main': instruction 's': ";

  ExpectError(error([](M& m) { m.set_entry_computation_id(3); }), "AX0202", "3");
  ExpectError(error([](M& m) { m.clear_host_program_shape(); }), "AX0213", "host_program_shape");
  ExpectError(error([](M& m) { m.mutable_host_program_shape()->clear_result(); }), "AX0213",
              "host_program_shape: ");
  ExpectError(error([](M& m) { m.set_name("\xff"); }), "AX0215", "module name");
  ExpectError(error([](M& m) { m.mutable_computations(1)->clear_name(); }), "AX0213",
              "computation number 1: field name");
  ExpectError(error([](M& m) { m.mutable_computations(1)->set_name("\xff"); }), "AX0215",
              "computation number 1: ");
  ExpectError(error([](M& m) { m.mutable_computations(1)->set_name("callee"); }), "AX0203",
              "computation 'callee': ");
  ExpectError(error([](M& m) {
                *m.add_computations() = m.computations(0);
                m.mutable_computations(2)->set_name("again");
              }),
              "AX0203", "computation 'again': another one has the id 4");
  ExpectError(error([](M& m) { m.mutable_computations(1)->set_root_id(8); }), "AX0205",
              "computation 'main': root_id is 8");
  ExpectError(error([](M& m) { m.mutable_computations(0)->clear_instructions(); }), "AX0205",
              "computation 'callee': it has no instructions");
  ExpectError(
      error([](M& m) { m.mutable_computations(0)->mutable_program_shape()->clear_result(); }),
      "AX0213", "computation 'callee': program_shape: ");
  ExpectError(error([](M& m) { m.mutable_computations(0)->set_execution_thread("\xff"); }),
              "AX0215", "execution_thread");

  ExpectError(error([&](M& m) { at(m, 2)->clear_name(); }), "AX0213",
              "computation 'main': instruction number 2: field name");
  ExpectError(error([&](M& m) { at(m, 2)->set_name("\xff"); }), "AX0215", "instruction number 2: ");
  ExpectError(error([&](M& m) { at(m, 2)->set_name("c"); }), "AX0204", "instruction 'c': ");
  ExpectError(error([&](M& m) { at(m, 2)->set_id(7); }), "AX0204", place);
  ExpectError(error([&](M& m) { at(m, 2)->set_opcode("frobnicate"); }), "AX0206",
              absl::StrCat(place, "no operation is called 'frobnicate'"));
  ExpectError(error([&](M& m) { at(m, 2)->clear_opcode(); }), "AX0206", place);
  ExpectError(error([&](M& m) { at(m, 2)->clear_shape(); }), "AX0213", place);
  ExpectError(error([&](M& m) { at(m, 2)->mutable_shape()->add_dimensions(-2); }), "AX0211", place);
  ExpectError(error([&](M& m) { at(m, 2)->set_operand_ids(1, 12); }), "AX0207",
              absl::StrCat(place, "operand 1 has the id 12"));
  ExpectError(error([&](M& m) { at(m, 2)->set_operand_ids(1, -5); }), "AX0207", place);  // itself
  ExpectError(error([&](M& m) { at(m, 2)->set_operand_ids(1, 40); }), "AX0207",
              place);  // elsewhere
  ExpectError(error([&](M& m) { at(m, 1)->set_operand_ids(0, -5); }), "AX0207", "'c'");  // later
  ExpectError(error([&](M& m) { at(m, 2)->set_control_predecessor_ids(0, -5); }), "AX0209", place);
  ExpectError(error([&](M& m) { at(m, 1)->set_called_computation_ids(0, 9); }), "AX0208",
              "called computation 0 has the id 9");  // itself
  ExpectError(error([](M& m) { m.mutable_computations()->SwapElements(0, 1); }), "AX0208",
              "called computation 0 has the id 4");  // later
  ExpectError(error([&](M& m) { at(m, 2)->mutable_metadata()->set_op_name("\xff"); }), "AX0215",
              absl::StrCat(place, "op_name"));
  ExpectError(error([&](M& m) {
                at(m, 2)->mutable_sharding()->set_type(static_cast<wire::OpSharding::Type>(7));
              }),
              "AX0214", absl::StrCat(place, "field type of a sharding"));
  ExpectError(error([&](M& m) { at(m, 2)->mutable_backend_config_payload()->set_id(0); }), "AX0214",
              place);
  ExpectError(
      error([&](M& m) { at(m, 2)->mutable_frontend_attributes()->add_map()->set_value("\xff"); }),
      "AX0215", place);
}

TEST(ModuleReaderTest, ModulesOf2017ReferByName) {
  wire::HloModuleProto proto = Base();
  wire::HloInstructionProto* add = proto.mutable_computations(1)->mutable_instructions(2);
  add->GetReflection()->MutableUnknownFields(add)->AddLengthDelimited(4, "x");
  ExpectError(Read(proto).status(), "AX0217", "field 4");
}

TEST(ModuleReaderTest, OpcodesThatXlaHasRenamed) {
  const absl::StatusOr<Module> module = Read(Base("", R"(
    instructions { name: "r" opcode: "cross-replica-sum" F id: 1 operand_ids: 7 }
    instructions { name: "t" opcode: "less-than" F id: 2 operand_ids: 7 operand_ids: 1 })"));
  ASSERT_TRUE(module.ok()) << module.status();
  const auto& instructions = module->entry_computation().instructions;
  EXPECT_EQ(instructions[3].opcode, Opcode::kAllReduce);
  EXPECT_EQ(instructions[4].opcode, Opcode::kCompare);
  EXPECT_EQ(instructions[4].As<CompareAttributes>().direction, ComparisonDirection::kLt);
}

TEST(ModuleReaderTest, UnpackedRepeatedFieldsAreReadToo) {
  // dimensions, field 14, as two varints of their own rather than one packed list.
  wire::HloModuleProto proto = Base();
  wire::HloInstructionProto* add = proto.mutable_computations(1)->mutable_instructions(2);
  add->set_opcode("transpose");
  add->mutable_operand_ids()->RemoveLast();
  google::protobuf::UnknownFieldSet* fields = add->GetReflection()->MutableUnknownFields(add);
  fields->AddVarint(14, 1);
  fields->AddVarint(14, 0);
  const absl::StatusOr<Module> module = Read(proto);
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(module->entry_computation().root_instruction().As<DimensionsAttributes>().dimensions,
            (std::vector<int64_t>{1, 0}));
}

TEST(ModuleReaderTest, PayloadsGiveBackendConfigs) {
  const absl::StatusOr<Module> by_number =
      Read(Base("backend_config_payload { id: 1 }", "", "payloads: 'zero' payloads: 'one'"));
  ASSERT_TRUE(by_number.ok()) << by_number.status();
  EXPECT_EQ(by_number->entry_computation().root_instruction().extras->backend_config, "one");
  const absl::StatusOr<Module> inline_value = Read(Base("backend_config_payload { value: 'v' }"));
  ASSERT_TRUE(inline_value.ok()) << inline_value.status();
  EXPECT_EQ(inline_value->entry_computation().root_instruction().extras->backend_config, "v");
}

TEST(ModuleReaderTest, JsonConfigsAreToldByTheirBraces) {
  const auto is_json = [](absl::string_view config) {
    wire::HloModuleProto proto = Base();
    proto.mutable_computations(1)->mutable_instructions(2)->set_backend_config(std::string(config));
    return Read(proto)->entry_computation().root_instruction().extras->backend_config_is_json;
  };
  EXPECT_TRUE(is_json(R"({"a": {"b": "}\"}"}})"));
  EXPECT_FALSE(is_json("{}{}"));
  EXPECT_FALSE(is_json("{"));
  EXPECT_FALSE(is_json("opaque"));
  EXPECT_FALSE(is_json(R"({"unfinished})"));
}

TEST(ModuleReaderTest, EqualMetadataIsShared) {
  wire::HloModuleProto proto = Base("metadata { op_name: 'n' source_line: 3 }");
  *proto.mutable_computations(1)->mutable_instructions(0)->mutable_metadata() =
      proto.computations(1).instructions(2).metadata();
  const Module module = *Read(proto);
  const auto& instructions = module.entry_computation().instructions;
  ASSERT_NE(instructions[0].metadata, nullptr);
  EXPECT_EQ(instructions[0].metadata, instructions[2].metadata);
  EXPECT_TRUE(instructions[0].shape.SharesDataWith(instructions[2].shape));
}

TEST(ModuleReaderTest, SchedulesMustFit) {
  const auto status = [](absl::string_view schedule) {
    return Read(Base("", "", schedule)).status();
  };
  EXPECT_TRUE(status("schedule { sequences { key: 4 value { instruction_ids: [40, 41] } } }").ok());
  ExpectError(status("schedule { sequences { key: 5 } }"), "AX0210", "computation 5");
  ExpectError(status("schedule { sequences { key: 4 value { instruction_ids: 7 } } }"), "AX0210",
              "computation 'callee': the schedule names instruction 7");
  ExpectError(status("schedule { sequences { key: 4 } sequences { key: 4 } }"), "AX0210", "two");
}

TEST(ModuleReaderTest, ShardingsOfWholeTuplesSpread) {
  wire::HloModuleProto source = Base();
  wire::HloInstructionProto* root = source.mutable_computations(1)->mutable_instructions(0);
  root->mutable_sharding()->set_type(wire::OpSharding::MANUAL);
  Module module = *Read(source);
  EXPECT_EQ(module.entry_computation().instructions[0].sharding()->type, Sharding::Type::kManual);
  wire::ShapeProto tuple;
  tuple.set_element_type(wire::TUPLE);
  *tuple.add_tuple_shapes() = root->shape();
  *tuple.add_tuple_shapes() = root->shape();
  *root->mutable_shape() = tuple;
  module = *Read(source);
  const Sharding& sharding = *module.entry_computation().instructions[0].sharding();
  EXPECT_EQ(sharding.type, Sharding::Type::kTuple);
  ASSERT_EQ(sharding.elements.size(), 2);
  EXPECT_EQ(sharding.elements[1].type, Sharding::Type::kManual);
}

TEST(ProtoErrorsTest, RowsAreUniqueAndComplete) {
  std::string last;
  for (const ErrorDef& def : proto::errors::kTable) {
    EXPECT_LT(last, def.id) << "ids are in order, so none is twice";
    last = std::string(def.id);
    EXPECT_EQ(def.id.substr(0, 4), "AX02");
    EXPECT_FALSE(def.title.empty());
    EXPECT_GT(def.help.size(), 40);
  }
}

}  // namespace
}  // namespace axle::hlo
