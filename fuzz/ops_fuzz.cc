// SPDX-License-Identifier: Apache-2.0
// Any bytes as a sequence of XRT operations: each gives outputs or a status, and when the session
// ends nothing is left. The bytes choose operations, messages (made here, or raw), handles (given
// out before, or invented) and attributes.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "hlo/proto/codec.h"
#include "hlo/text/parser.h"
#include "load/load.h"
#include "null/null.h"
#include "proto/hlo.pb.h"
#include "proto/xrt.pb.h"
#include "reference/reference.h"
#include "runtime/store.h"
#include "xrt/op_set.h"

namespace axle {
namespace {

constexpr int kMostOps = 40;

class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  uint8_t Byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  int64_t Int64() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | Byte();
    return static_cast<int64_t>(value);
  }
  // Small ones mostly.
  int64_t Number() {
    const uint8_t byte = Byte();
    return byte < 0xf0 ? int64_t{byte} - 8 : Int64();
  }
  std::string Text() {
    const size_t size = std::min<size_t>(Byte(), left_);
    std::string text(reinterpret_cast<const char*>(data_), size);
    data_ += size;
    left_ -= size;
    return text;
  }

 private:
  const uint8_t* data_;
  size_t left_;
};

std::string ComputationOf(absl::string_view text) {
  const auto module = hlo::ParseModule(text);
  AXLE_ASSERT(module.ok());
  const auto bytes = hlo::ModuleToProtoBytes(*module);
  AXLE_ASSERT(bytes.ok());
  wire::HloSnapshot snapshot;
  AXLE_ASSERT(snapshot.mutable_hlo()->mutable_hlo_module()->ParseFromString(*bytes));
  wire::XLAComputation computation;
  computation.set_hlo_snapshot(snapshot.SerializeAsString());
  return computation.SerializeAsString();
}

// A literal of f32 vectors, or a tuple of `parts` of them.
wire::LiteralProto LiteralOf(int parts) {
  wire::LiteralProto literal;
  auto* shape = literal.mutable_shape();
  if (parts == 0) {
    shape->set_element_type(wire::F32);
    shape->add_dimensions(2);
    shape->mutable_layout()->add_minor_to_major(0);
    literal.add_f32s(1);
    literal.add_f32s(2);
    return literal;
  }
  shape->set_element_type(wire::TUPLE);
  for (int i = 0; i < parts; ++i) {
    *literal.add_tuple_literals() = LiteralOf(0);
    *shape->add_tuple_shapes() = literal.tuple_literals(i).shape();
  }
  return literal;
}

std::vector<std::string> MakeMessages() {
  std::vector<std::string> messages = {""};
  messages.push_back(
      ComputationOf("HloModule a\nENTRY e {\n x = f32[2] parameter(0)\n y = f32[2] parameter(1)\n"
                    " ROOT r = f32[2] add(x, y)\n}\n"));
  messages.push_back(ComputationOf(
      "HloModule t\nENTRY e {\n t = (f32[2], f32[2]) parameter(0)\n"
      " x = f32[2] get-tuple-element(t), index=1\n ROOT r = (f32[2], f32[2]) tuple(x, x)\n}\n"));
  messages.push_back(
      ComputationOf("HloModule d, input_output_alias={ {}: (0, {}, may-alias) }\nENTRY e {\n"
                    " x = f32[2] parameter(0)\n ROOT r = f32[2] negate(x)\n}\n"));
  for (const int parts : {0, 1, 2, 3}) {
    wire::XLAAllocation allocation;
    *allocation.mutable_value() = LiteralOf(parts);
    messages.push_back(allocation.SerializeAsString());
    messages.push_back(LiteralOf(parts).SerializeAsString());
  }
  for (int flags = 0; flags < 8; ++flags) {
    wire::XRTExecutionConfig config;
    config.set_release_input_handles(flags & 1);
    config.set_release_compilation_handle(flags & 2);
    config.set_return_exploded_tuple(flags & 4);
    messages.push_back(config.SerializeAsString());
  }
  wire::XLATupleNode pair;
  pair.add_tuples()->set_input_index(0);
  pair.add_tuples()->set_input_index(1);
  messages.push_back(pair.SerializeAsString());
  pair.mutable_tuples(0)->set_release_input_handle(true);
  *pair.add_tuples() = wire::XLATupleNode(pair);
  messages.push_back(pair.SerializeAsString());
  return messages;
}

class Client {
 public:
  Client(Bytes& bytes, std::shared_ptr<runtime::Session> session)
      : bytes_(bytes), ops_(std::move(session), 0) {}

  void Step() {
    const auto defs = xrt::Ops();
    const xrt::OpDef& op = defs[bytes_.Byte() % defs.size()];
    xrt::Attributes attributes;
    std::vector<xrt::Value> inputs;
    for (const xrt::ArgumentDef& input : op.inputs) {
      const int count = input.list.empty() ? 1 : bytes_.Byte() % 4;
      for (int i = 0; i < count; ++i) inputs.push_back(Input(input));
    }
    for (const xrt::AttributeDef& attribute : op.attributes) AddAttribute(attribute, &attributes);
    const auto outputs = ops_.Run(op.name, attributes, inputs);
    if (!outputs.ok()) {
      AXLE_ASSERT(!absl::IsInternal(outputs.status()) && !absl::IsUnknown(outputs.status()));
      return;
    }
    for (size_t i = 0; i < outputs->size() && i < op.outputs.size(); ++i) {
      if (op.outputs[i].type != xrt::ArgumentType::kHandle) continue;
      const auto handles = std::get<hlo::Literal>((*outputs)[i]).data<int64_t>();
      handles_.insert(handles_.end(), handles.begin(), handles.end());
    }
  }

 private:
  int64_t Handle() {
    const uint8_t byte = bytes_.Byte();
    if (byte >= 0xf8 || handles_.empty()) return bytes_.Int64();
    return handles_[handles_.size() - 1 - byte % handles_.size()];
  }

  std::string Message() {
    static const auto* const messages = new std::vector<std::string>(MakeMessages());
    const uint8_t byte = bytes_.Byte();
    return byte >= 0xf0 ? bytes_.Text() : (*messages)[byte % messages->size()];
  }

  xrt::Value Input(const xrt::ArgumentDef& def) {
    switch (def.type) {
      case xrt::ArgumentType::kString:
        return xrt::Strings{{}, {Message()}};
      case xrt::ArgumentType::kInt64:
        return hlo::Literal::Scalar<int64_t>(bytes_.Number());
      case xrt::ArgumentType::kInt32: {
        std::vector<int32_t> numbers(bytes_.Byte() % 4);
        for (int32_t& number : numbers) number = static_cast<int32_t>(bytes_.Byte() % 4) - 1;
        return hlo::Literal::Vector<int32_t>(numbers);
      }
      case xrt::ArgumentType::kAny:
        return hlo::Literal::Vector<float>({1, 2});
      case xrt::ArgumentType::kHandle:
        break;
    }
    if (def.rank != xrt::ArgumentRank::kAny || bytes_.Byte() % 2 == 0) {
      return hlo::Literal::Scalar<int64_t>(Handle());
    }
    std::vector<int64_t> handles(bytes_.Byte() % 4);
    for (int64_t& handle : handles) handle = Handle();
    return hlo::Literal::Vector<int64_t>(handles);
  }

  hlo::Shape ArrayShape() {
    std::vector<int64_t> dimensions(bytes_.Byte() % 4);
    for (int64_t& dimension : dimensions) dimension = std::max<int64_t>(0, bytes_.Number());
    return hlo::Shape::Array(hlo::ElementType::kF32, dimensions);
  }

  void AddAttribute(const xrt::AttributeDef& def, xrt::Attributes* attributes) {
    xrt::Attribute value;
    if (def.type == "type") {
      value = hlo::ElementType::kF32;
    } else if (def.type == "shape") {
      value = ArrayShape();
    } else if (def.type == "bool") {
      value = bytes_.Byte() % 2 == 1;
    } else if (def.type == "list(type)" && def.name == "dtypes" && bytes_.Byte() % 2 == 0) {
      value = std::vector<hlo::ElementType>(bytes_.Byte() % 4, hlo::ElementType::kF32);
    } else if (def.type == "list(shape)") {
      std::vector<hlo::Shape> shapes(bytes_.Byte() % 4);
      for (hlo::Shape& shape : shapes) shape = ArrayShape();
      value = std::move(shapes);
    } else if (def.type == "list(int)") {
      std::vector<int64_t> numbers(bytes_.Byte() % 4);
      for (int64_t& number : numbers) number = bytes_.Number();
      value = std::move(numbers);
    } else {
      return;
    }
    attributes->emplace(std::string(def.name), std::move(value));
  }

  Bytes& bytes_;
  xrt::OpSet ops_;
  std::vector<int64_t> handles_;
};

std::shared_ptr<runtime::Store> StoreOf(std::shared_ptr<runtime::Backend> backend) {
  runtime::StoreOptions options;
  options.cache.loader = [](absl::string_view bytes) { return load::LoadModule(bytes, "fuzz"); };
  options.cache.max_bytes = 1 << 16;
  options.max_value_bytes = 1 << 20;
  return runtime::Store::Create(std::move(backend), std::move(options));
}

void RunOps(Bytes& bytes, const std::shared_ptr<runtime::Store>& store) {
  {
    const auto session = store->OpenSession({.name = "fuzz", .max_bytes = 1 << 20});
    Client client(bytes, session);
    for (int i = 0; i < kMostOps && !bytes.empty(); ++i) client.Step();
    session->End();
    AXLE_ASSERT(session->account().used() == 0);
  }
  AXLE_ASSERT(store->device_account(0).used() == 0);
  AXLE_ASSERT(store->cache()->Holders().empty());
}

}  // namespace
}  // namespace axle

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto* const null = new auto(axle::StoreOf(axle::null::Create()));
  static const auto* const reference = new auto(axle::StoreOf(axle::reference::Create()));
  axle::Bytes bytes(data, size);
  axle::RunOps(bytes, bytes.Byte() % 2 == 0 ? *null : *reference);
  return 0;
}
