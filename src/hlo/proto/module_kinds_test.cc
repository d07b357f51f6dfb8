// SPDX-License-Identifier: Apache-2.0
// Messages that hold a module, and what the wire form loses.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "base/error.h"
#include "gtest/gtest.h"
#include "hlo/proto/codec.h"
#include "hlo/proto/literal_codec.h"
#include "hlo/proto/provenance.h"
#include "proto/hlo.pb.h"

namespace axle::hlo {
namespace {

// A parameter that is the result.
Module Identity() {
  Module module;
  module.name = "identity";
  Computation& main = module.computations.emplace_back();
  main.name = "main";
  Instruction parameter;
  parameter.opcode = Opcode::kParameter;
  parameter.name = "x";
  parameter.shape = Shape::Array(ElementType::kF32, {2});
  parameter.attributes = Attributes(ParameterAttributes());
  main.Add(std::move(parameter));
  return module;
}

wire::HloModuleProto IdentityProto() {
  wire::HloModuleProto proto;
  EXPECT_TRUE(proto.ParseFromString(*ModuleToProtoBytes(Identity())));
  return proto;
}

TEST(ModuleKindsTest, KindsAreToldByContent) {
  const wire::HloModuleProto module = IdentityProto();
  EXPECT_EQ(GuessProtoKind(module.SerializeAsString()), ProtoKind::kModule);
  wire::HloProto hlo;
  *hlo.mutable_hlo_module() = module;
  EXPECT_EQ(GuessProtoKind(hlo.SerializeAsString()), ProtoKind::kHloProto);
  hlo.set_buffer_assignment("\x0a\x00");
  EXPECT_EQ(GuessProtoKind(hlo.SerializeAsString()), ProtoKind::kHloProto);
  wire::HloSnapshot snapshot;
  *snapshot.mutable_hlo() = hlo;
  EXPECT_EQ(GuessProtoKind(snapshot.SerializeAsString()), ProtoKind::kSnapshot);
  wire::HloModuleProtoWithConfig with_config;
  *with_config.mutable_hlo_module() = module;
  with_config.mutable_config()->set_replica_count(2);
  EXPECT_EQ(GuessProtoKind(with_config.SerializeAsString()), ProtoKind::kModuleWithConfig);
  for (const std::string& bytes :
       {std::string(), std::string("HloModule m"), std::string(1000, '\0'),
        module.SerializeAsString().substr(0, 30)}) {
    EXPECT_EQ(GuessProtoKind(bytes), ProtoKind::kModule);
  }
  for (const std::string& bytes : {module.SerializeAsString(), hlo.SerializeAsString(),
                                   snapshot.SerializeAsString(), with_config.SerializeAsString()}) {
    const absl::StatusOr<Module> read = ModuleFromAnyProtoBytes(bytes);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->name, "identity");
  }
}

TEST(ModuleKindsTest, SnapshotsHoldArgumentsAndResult) {
  wire::HloSnapshot proto;
  *proto.mutable_hlo()->mutable_hlo_module() = IdentityProto();
  const Literal value = Literal::Vector<float>({1, 2});
  ASSERT_TRUE(proto::WriteLiteral(value, proto.add_arguments()).ok());
  ASSERT_TRUE(proto::WriteLiteral(value, proto.mutable_result()).ok());
  proto.set_execution_platform("Host");
  const absl::StatusOr<Snapshot> snapshot = SnapshotFromProtoBytes(proto.SerializeAsString());
  ASSERT_TRUE(snapshot.ok()) << snapshot.status();
  ASSERT_EQ(snapshot->arguments.size(), 1);
  EXPECT_EQ(snapshot->arguments[0], value);
  EXPECT_EQ(snapshot->result, value);
  EXPECT_EQ(snapshot->platform, "Host");

  proto.mutable_arguments(0)->clear_f32s();
  const absl::Status status = SnapshotFromProtoBytes(proto.SerializeAsString()).status();
  EXPECT_EQ(ErrorIdOf(status), "AX0212");
  EXPECT_TRUE(absl::StrContains(status.message(), "argument 0: ")) << status;
}

TEST(ModuleKindsTest, ConfigurationsAreTakenOver) {
  wire::HloModuleProtoWithConfig proto;
  *proto.mutable_hlo_module() = IdentityProto();
  wire::HloModuleConfigProto* config = proto.mutable_config();
  config->set_replica_count(4);
  config->set_num_partitions(2);
  config->set_use_auto_spmd_partitioning(true);
  config->add_allow_spmd_sharding_propagation_to_parameters(true);
  config->add_allow_spmd_sharding_propagation_to_output(false);
  *config->mutable_entry_computation_layout() = proto.hlo_module().host_program_shape();
  config->mutable_entry_computation_layout()->mutable_result()->mutable_layout()->set_memory_space(
      1);
  const absl::StatusOr<Module> module = ModuleFromConfiguredProtoBytes(proto.SerializeAsString());
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(module->config.replica_count, 4);
  EXPECT_EQ(module->config.num_partitions, 2);
  EXPECT_TRUE(module->config.use_auto_spmd_partitioning);
  EXPECT_EQ(module->config.allow_spmd_sharding_propagation_to_parameters, std::vector<bool>{true});
  EXPECT_EQ(module->config.allow_spmd_sharding_propagation_to_output, std::vector<bool>{false});
  EXPECT_EQ(module->config.entry_layout->result.layout()->memory_space, 1);

  config->mutable_entry_computation_layout()->clear_result();
  EXPECT_EQ(ErrorIdOf(ModuleFromConfiguredProtoBytes(proto.SerializeAsString()).status()),
            "AX0213");
  proto.clear_config();
  EXPECT_EQ(ModuleFromConfiguredProtoBytes(proto.SerializeAsString())->config.replica_count, 1);
}

TEST(ModuleKindsTest, MessagesWithoutAModule) {
  for (const absl::string_view bytes : {absl::string_view(), absl::string_view("\xff\xff")}) {
    EXPECT_EQ(ErrorIdOf(ModuleFromHloProtoBytes(bytes).status()), "AX0200");
    EXPECT_EQ(ErrorIdOf(SnapshotFromProtoBytes(bytes).status()), "AX0200");
    EXPECT_EQ(ErrorIdOf(ModuleFromConfiguredProtoBytes(bytes).status()), "AX0200");
  }
}

TEST(ModuleKindsTest, SplitModulesAreOne) {
  // A message field may come in several parts, which then count as one message.
  const std::string bytes = IdentityProto().SerializeAsString();
  wire::HloModuleProto head, tail;
  ASSERT_TRUE(head.ParseFromString(bytes));
  tail.mutable_host_program_shape()->Swap(head.mutable_host_program_shape());
  head.clear_host_program_shape();
  wire::HloProto first, second;
  *first.mutable_hlo_module() = head;
  *second.mutable_hlo_module() = tail;
  const auto module =
      ModuleFromHloProtoBytes(first.SerializeAsString() + second.SerializeAsString());
  EXPECT_TRUE(module.ok()) << module.status();
}

// ---- Losses -------------------------------------------------------------------------------------

TEST(ProtoLossesTest, NothingIsLostOfWhatTheWireFormHolds) {
  Module module = Identity();
  Extras& extras = module.computations[0].instructions[0].mutable_extras();
  extras.original_value = "{{\"y\" {1}}}";
  extras.statistics = "{visualizing_index=0,a=1}";
  extras.backend_config = "x";
  extras.sharding = std::make_unique<Sharding>();
  EXPECT_TRUE(ProtoLosses(module).empty());
}

TEST(ProtoLossesTest, EachLossIsNamed) {
  const auto loss = [](auto&& change) {
    Module module = Identity();
    change(module, module.computations[0].instructions[0]);
    const std::vector<std::string> losses = ProtoLosses(module);
    EXPECT_EQ(losses.size(), 1);
    return losses.empty() ? std::string() : losses[0];
  };
  const auto expect = [&](absl::string_view text, auto&& change) {
    const std::string found = loss(change);
    EXPECT_TRUE(absl::StrContains(found, text)) << found;
  };
  expect("replica_count", [](Module& m, Instruction&) { m.config.replica_count = 2; });
  expect("num_partitions", [](Module& m, Instruction&) { m.config.num_partitions = 2; });
  expect("to_parameters", [](Module& m, Instruction&) {
    m.config.allow_spmd_sharding_propagation_to_parameters = {true};
  });
  expect("to_output", [](Module& m, Instruction&) {
    m.config.allow_spmd_sharding_propagation_to_output = {true};
  });
  expect("new_thing=1",
         [](Module& m, Instruction&) { m.config.unknown_text.emplace_back("new_thing", "1"); });
  expect("computation 'main': instruction 'x': attribute new_thing=1", [](Module&, Instruction& i) {
    i.mutable_extras().unknown_text.emplace_back("new_thing", "1");
  });
  expect("origin", [](Module&, Instruction& i) { i.mutable_extras().original_value = "{(}"; });
  expect("statistics", [](Module&, Instruction& i) { i.mutable_extras().statistics = "{a}"; });
  expect("metadata", [](Module&, Instruction& i) {
    auto metadata = std::make_shared<Metadata>();
    metadata->unknown_text = " a=b";
    i.metadata = metadata;
  });
  expect("sharding", [](Module&, Instruction& i) {
    i.mutable_extras().sharding = std::make_unique<Sharding>();
    i.extras->sharding->unparsed = "{mesh}";
  });
  expect("sharding", [](Module& m, Instruction&) {
    m.config.spmd_output_sharding.emplace().metadata_text = "{a}";
  });
  expect("sharding", [](Module& m, Instruction&) {
    m.config.spmd_parameter_shardings.emplace_back().elements.resize(1);
    m.config.spmd_parameter_shardings[0].elements[0].unparsed = "{mesh}";
  });
  expect("no value", [](Module&, Instruction& i) {
    i.opcode = Opcode::kConstant;
    i.attributes = Attributes(ConstantAttributes());
  });
  expect("sparsity", [](Module&, Instruction& i) {
    i.opcode = Opcode::kDot;
    i.attributes = Attributes(DotAttributes());
    i.As<DotAttributes>().sparsity_config = "{a}";
  });
  expect("domain", [](Module&, Instruction& i) {
    i.opcode = Opcode::kDomain;
    i.attributes = Attributes(DomainAttributes());
    i.As<DomainAttributes>().domain.kind = "other";
  });
  expect("renamed", [](Module& m, Instruction&) {
    m.computations.push_back(m.computations[0]);
    m.computations[1].name = "other";
  });
}

TEST(ProtoLossesTest, TheListIsBounded) {
  Module module = Identity();
  for (int i = 0; i < 300; ++i) module.computations.push_back(module.computations[0]);
  EXPECT_EQ(ProtoLosses(module).size(), 100);
}

// ---- Provenance ---------------------------------------------------------------------------------

TEST(ProvenanceTest, OriginsOfTuples) {
  const Shape leaf = Shape::Scalar(ElementType::kF32);
  const Shape shape = Shape::Tuple({Shape::Tuple({leaf, leaf}), leaf});
  // The form that XLA prints, with one leaf unknown.
  const std::string text = "{(({\"v1\"}, {\"v2\" {0,3}}), {})}";
  const auto proto = proto::OriginalValueFromText(text);
  ASSERT_TRUE(proto.has_value());
  ASSERT_EQ(proto->elements_size(), 2);
  EXPECT_EQ(proto->elements(1).shape_index(0), 0);
  EXPECT_EQ(proto->elements(1).shape_index(1), 1);
  wire::OriginalArrayProto array;
  ASSERT_TRUE(array.ParseFromString(proto->elements(1).original_array()));
  EXPECT_EQ(array.instruction_name(), "v2");
  EXPECT_EQ(array.shape_index(1), 3);
  EXPECT_EQ(proto::OriginalValueText(*proto, shape), text);
  EXPECT_EQ(proto::OriginalValueText(*proto, leaf), std::nullopt) << "no such leaves";
}

TEST(ProvenanceTest, SyntheticCallsAndOldFiles) {
  wire::OriginalValueProto synthetic;
  synthetic.set_is_synthetic_call(true);
  EXPECT_EQ(proto::OriginalValueText(synthetic, Shape::Token()), "{[synthetic_call]}");
  EXPECT_TRUE(proto::OriginalValueFromText("{[synthetic_call]}")->is_synthetic_call());

  // Before mid-2025: the name itself, and the index beside it. "x1" would be a message too.
  wire::OriginalValueProto old;
  wire::OriginalValueElementProto* element = old.add_elements();
  element->set_original_array("x1");
  EXPECT_EQ(proto::OriginalValueText(old, Shape::Token()), "{{\"x1\"}}");
  element->add_legacy_original_shape_index(2);
  EXPECT_EQ(proto::OriginalValueText(old, Shape::Token()), "{{\"x1\" {2}}}");
}

TEST(ProvenanceTest, WhatTextCannotSayStaysSerialized) {
  wire::OriginalValueProto proto;
  wire::OriginalArrayProto array;
  array.set_instruction_name("with \" quote");
  proto.add_elements()->set_original_array(array.SerializeAsString());
  EXPECT_EQ(proto::OriginalValueText(proto, Shape::Token()), std::nullopt);
  array.set_instruction_name("x");
  proto.mutable_elements(0)->set_original_array(array.SerializeAsString());
  *proto.add_elements() = proto.elements(0);
  EXPECT_EQ(proto::OriginalValueText(proto, Shape::Token()), std::nullopt) << "one leaf twice";
}

TEST(ProvenanceTest, TextThatIsNone) {
  for (const char* text : {"", "{", "{}", "{{}", "{{\"a}}", "{(}", "{({\"a\"}", "{{\"a\" {x}}}",
                           "{{\"a\"}} more", "{({\"a\"} {\"b\"})}"}) {
    EXPECT_EQ(proto::OriginalValueFromText(text).has_value(), false) << text;
  }
  std::string deep = "{";
  for (int i = 0; i < 100000; ++i) deep += "(";
  EXPECT_FALSE(proto::OriginalValueFromText(deep).has_value());
  for (const char* text : {"", "{", "{}", "{a=1}", "{visualizing_index=x}",
                           "{visualizing_index=1,a}", "{visualizing_index=1,=2}"}) {
    EXPECT_FALSE(proto::StatisticsFromText(text).has_value()) << text;
  }
}

TEST(ProvenanceTest, Statistics) {
  wire::StatisticsViz proto;
  proto.set_stat_index_to_visualize(1);
  proto.add_statistics()->set_stat_name("stat-1");
  proto.mutable_statistics(0)->set_stat_val(0.1);
  proto.add_statistics()->set_stat_name("stat-2");
  proto.mutable_statistics(1)->set_stat_val(33);
  const std::string text = "{visualizing_index=1,stat-1=0.1,stat-2=33}";
  EXPECT_EQ(proto::StatisticsText(proto), text);
  EXPECT_EQ(proto::StatisticsFromText(text)->SerializeAsString(), proto.SerializeAsString());
  proto.mutable_statistics(0)->set_stat_name("a,b");
  EXPECT_EQ(proto::StatisticsText(proto), std::nullopt);
}

}  // namespace
}  // namespace axle::hlo
