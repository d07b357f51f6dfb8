// SPDX-License-Identifier: Apache-2.0
#include "xrt/values.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "hlo/proto/literal_codec.h"
#include "hlo/proto/shape_codec.h"
#include "runtime/errors.h"
#include "xrt/errors.h"

namespace axle::xrt {
namespace {

constexpr size_t kMaxMessageBytes = std::numeric_limits<int32_t>::max();

absl::Status TooLarge(absl::string_view what, size_t bytes) {
  return MakeError(
      errors::kMessageSize,
      absl::StrCat(what, " of ", bytes, " bytes; a message holds at most ", kMaxMessageBytes,
                   ". See XRTAllocateFromTensor, XRTReadToTensor, "
                   "AxleBeginRead and AxleBeginWrite"));
}

// Messages that hold parts of a literal, with the fields that hold more of them.
struct PartField {
  absl::string_view message;
  int number;
  absl::string_view type;
};
constexpr PartField kPartFields[] = {{"XLAAllocation", 2, "LiteralProto"},
                                     {"LiteralProto", 1, "ShapeProto"},
                                     {"LiteralProto", 10, "LiteralProto"},
                                     {"ShapeProto", 4, "ShapeProto"}};
// A literal of kMaxLeaves arrays, each with its shape, at each level that literals usually have.
constexpr int64_t kMaxPartCost = 8 * runtime::kMaxLeaves;
constexpr int64_t kLiteralCost = 4;
constexpr int kMaxMessageNesting = 100;

// Takes what the parts cost off `left`; false once that is less than 0. Of bytes that are no
// message the parser knows more.
bool CountParts(absl::string_view message, absl::string_view bytes, int depth, int64_t* left) {
  using google::protobuf::internal::WireFormatLite;
  *left -= message == "LiteralProto" ? kLiteralCost : 1;
  if (*left < 0) return false;
  if (depth > kMaxMessageNesting) return true;
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()),
                                               static_cast<int>(bytes.size()));
  while (const uint32_t tag = input.ReadTag()) {
    const int number = WireFormatLite::GetTagFieldNumber(tag);
    const auto part =
        std::find_if(std::begin(kPartFields), std::end(kPartFields), [&](const PartField& field) {
          return field.message == message && field.number == number &&
                 WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
        });
    if (part == std::end(kPartFields)) {
      if (!WireFormatLite::SkipField(&input, tag)) return true;
      continue;
    }
    uint32_t size = 0;
    if (!input.ReadVarint32(&size)) return true;
    const size_t begin = static_cast<size_t>(input.CurrentPosition());
    if (size > bytes.size() - begin) return true;
    if (!CountParts(part->type, bytes.substr(begin, size), depth + 1, left)) return false;
    input.Skip(static_cast<int>(size));
  }
  return true;
}

// Whether any array of the literal uses less than its shape has room for.
bool HasDynamicSizes(const hlo::Literal& literal) {
  if (!literal.dynamic_sizes().empty()) return true;
  for (const hlo::Literal& element : literal.elements()) {
    if (HasDynamicSizes(element)) return true;
  }
  return false;
}

template <typename... Parts>
absl::Status OtherDevice(const OpSet& ops, const Parts&... parts) {
  return MakeError(errors::kOtherDevice,
                   absl::StrCat(parts..., "; the operation runs on device ", ops.device()));
}

}  // namespace

std::vector<int64_t> Concatenate(absl::Span<const Value> tensors) {
  std::vector<int64_t> all;
  for (const Value& tensor : tensors) {
    const absl::Span<const int64_t> part = Int64s(tensor);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

absl::Status ParseInto(const Value& value, absl::string_view name,
                       google::protobuf::MessageLite* message) {
  const std::string& bytes = String(value);
  if (bytes.size() > kMaxMessageBytes) return TooLarge(name, bytes.size());
  if (message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::OkStatus();
  }
  return MakeError(errors::kMessage, absl::StrCat("the ", bytes.size(), " bytes of ", name,
                                                  " are not the message that it takes"));
}

absl::Status CheckParts(absl::string_view message, const Value& value) {
  const std::string& bytes = String(value);
  int64_t left = kMaxPartCost;
  if (bytes.size() > kMaxMessageBytes || CountParts(message, bytes, 0, &left)) {
    return absl::OkStatus();  // for the parser
  }
  return MakeError(runtime::errors::kTreeTooLarge,
                   absl::StrCat(message, " of ", bytes.size(), " bytes"));
}

absl::StatusOr<std::string> Serialize(const google::protobuf::MessageLite& message) {
  const size_t bytes = message.ByteSizeLong();
  if (bytes > kMaxMessageBytes) return TooLarge("the result is a message", bytes);
  std::string serialized;
  message.SerializeToString(&serialized);
  return serialized;
}

absl::StatusOr<hlo::Literal> ParseLiteral(const wire::LiteralProto& proto) {
  hlo::proto::ShapeReader shapes;
  AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, hlo::proto::ReadLiteral(proto, shapes));
  if (!HasDynamicSizes(literal)) return literal;
  return MakeError(errors::kDynamicSizes,
                   absl::StrCat("literal of shape ", literal.shape().ToString(false)));
}

namespace {

constexpr int64_t kMaxMessageParts = int64_t{1} << 21;

// ShapeProtos in the LiteralProto of `shape`: each part has the shape of all that is below it.
int64_t MessageParts(const hlo::Shape& shape, int depth = 1) {
  int64_t parts = depth;
  for (const hlo::Shape& element : shape.tuple_shapes()) parts += MessageParts(element, depth + 1);
  return parts;
}

}  // namespace

absl::Status CheckMessageSize(const hlo::Shape& shape) {
  if (const int64_t parts = MessageParts(shape); parts > kMaxMessageParts) {
    return MakeError(errors::kMessageParts,
                     absl::StrCat("a value of ", shape.LeafCount(), " arrays makes a message of ",
                                  parts, " shapes; the limit is ", kMaxMessageParts));
  }
  AXLE_ASSIGN_OR_RETURN(const int64_t bytes, shape.ByteSize());
  if (static_cast<size_t>(bytes) <= kMaxMessageBytes) return absl::OkStatus();
  return TooLarge("the value is a literal", static_cast<size_t>(bytes));
}

absl::StatusOr<std::string> SerializeLiteral(const hlo::Literal& literal) {
  AXLE_RETURN_IF_ERROR(CheckMessageSize(literal.shape()));
  wire::LiteralProto proto;
  AXLE_RETURN_IF_ERROR(hlo::proto::WriteLiteral(literal, &proto));
  hlo::proto::FillLayouts(literal, &proto);
  return Serialize(proto);
}

absl::StatusOr<std::shared_ptr<const runtime::Allocation>> FindAllocation(const OpSet& ops,
                                                                          int64_t handle) {
  AXLE_ASSIGN_OR_RETURN(std::shared_ptr<const runtime::Allocation> allocation,
                        ops.session().handles().FindAllocation(handle));
  const runtime::Device* const device = allocation->device();
  if (device == nullptr || device->id() == ops.device()) return allocation;
  return OtherDevice(ops, "the value of handle ", handle, " is on device ", device->id());
}

absl::StatusOr<std::shared_ptr<const runtime::OwnedProgram>> FindProgram(const OpSet& ops,
                                                                         int64_t handle) {
  AXLE_ASSIGN_OR_RETURN(std::shared_ptr<const runtime::OwnedProgram> program,
                        ops.session().handles().FindProgram(handle));
  const int device = program->cached->program().device().id();
  if (device == ops.device()) return program;
  return OtherDevice(ops, "the computation of handle ", handle, " is compiled for device ", device);
}

absl::StatusOr<std::shared_ptr<runtime::Transfer>> FindTransfer(const OpSet& ops, int64_t handle) {
  AXLE_ASSIGN_OR_RETURN(std::shared_ptr<runtime::Transfer> transfer,
                        ops.session().handles().FindTransfer(handle));
  if (transfer->device() < 0 || transfer->device() == ops.device()) return transfer;
  return OtherDevice(ops, "the transfer of handle ", handle, " is with device ",
                     transfer->device());
}

absl::Status CheckOrdinal(const OpSet& ops, int64_t ordinal) {
  if (ordinal == 0 || ordinal == ops.device()) return absl::OkStatus();
  if (ordinal < 0) {
    return MakeError(errors::kNegative, absl::StrCat("device_ordinal is ", ordinal));
  }
  return OtherDevice(ops, "device_ordinal is ", ordinal);
}

absl::StatusOr<int64_t> KeepAndRelease(const OpSet& ops, runtime::Allocation allocation,
                                       absl::Span<const int64_t> released,
                                       runtime::HandleKind kind) {
  runtime::HandleTable& handles = ops.session().handles();
  AXLE_ASSIGN_OR_RETURN(const int64_t handle, ops.session().Keep(std::move(allocation)));
  const absl::Status status = handles.Release(released, kind);
  if (status.ok()) return handle;
  handles.ReleaseIfPresent({handle});  // another call was faster
  return status;
}

absl::StatusOr<hlo::Shape> ArrayOf(const Attributes& attributes) {
  const auto type = Get<hlo::ElementType>(attributes, "dtype");
  const auto& shape = Get<hlo::Shape>(attributes, "shape");
  if (hlo::IsArrayType(type) && shape.IsArray() && !shape.has_dynamic_dimensions()) {
    return hlo::Shape::Array(type, shape.dimensions());
  }
  return MakeError(errors::kAttribute,
                   absl::StrCat("no array of dtype ", hlo::Name(type), " and shape ",
                                shape.valid() ? shape.ToString(false) : "unknown"));
}

}  // namespace axle::xrt
