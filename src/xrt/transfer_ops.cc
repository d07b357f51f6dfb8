// SPDX-License-Identifier: Apache-2.0
// Operations that move values in pieces. They are Axle's own: XRT had none.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/proto/shape_codec.h"
#include "xrt/ops.h"
#include "xrt/values.h"

namespace axle::xrt {

using TransferPtr = std::shared_ptr<runtime::Transfer>;

absl::StatusOr<Outputs> BeginRead(OpSet& ops, const Attributes&, absl::Span<const Value> inputs) {
  AXLE_ASSIGN_OR_RETURN(const auto allocation, FindAllocation(ops, Int64(inputs[0])));
  AXLE_ASSIGN_OR_RETURN(TransferPtr transfer, ops.session().BeginRead(*allocation));
  wire::ShapeProto proto;
  hlo::proto::WriteShape(transfer->shape().WithDefaultLayouts(), &proto);
  AXLE_ASSIGN_OR_RETURN(std::string shape, Serialize(proto));
  AXLE_ASSIGN_OR_RETURN(const int64_t handle, ops.session().Keep(std::move(transfer)));
  return MakeOutputs(ScalarHandle(handle), ScalarString(std::move(shape)));
}

absl::StatusOr<Outputs> ReadChunk(OpSet& ops, const Attributes&, absl::Span<const Value> inputs) {
  AXLE_ASSIGN_OR_RETURN(const TransferPtr transfer, FindTransfer(ops, Int64(inputs[0])));
  AXLE_ASSIGN_OR_RETURN(std::string bytes,
                        transfer->Read(Int64(inputs[1]), Int64(inputs[2]), Int64(inputs[3])));
  return MakeOutputs(ScalarString(std::move(bytes)));
}

absl::StatusOr<Outputs> BeginWrite(OpSet& ops, const Attributes& attributes,
                                   absl::Span<const Value>) {
  AXLE_ASSIGN_OR_RETURN(const hlo::Shape shape, ArrayOf(attributes));
  AXLE_ASSIGN_OR_RETURN(TransferPtr transfer, ops.session().BeginWrite(shape, ops.device()));
  AXLE_ASSIGN_OR_RETURN(const int64_t handle, ops.session().Keep(std::move(transfer)));
  return MakeOutputs(ScalarHandle(handle));
}

absl::StatusOr<Outputs> WriteChunk(OpSet& ops, const Attributes&, absl::Span<const Value> inputs) {
  AXLE_ASSIGN_OR_RETURN(const TransferPtr transfer, FindTransfer(ops, Int64(inputs[0])));
  AXLE_RETURN_IF_ERROR(transfer->Write(Int64(inputs[1]), String(inputs[2])));
  return Outputs();
}

absl::StatusOr<Outputs> FinishWrite(OpSet& ops, const Attributes&, absl::Span<const Value> inputs) {
  const int64_t handle = Int64(inputs[0]);
  AXLE_ASSIGN_OR_RETURN(const TransferPtr transfer, FindTransfer(ops, handle));
  AXLE_ASSIGN_OR_RETURN(runtime::Allocation allocation, ops.session().FinishWrite(*transfer));
  AXLE_ASSIGN_OR_RETURN(const int64_t value, KeepAndRelease(ops, std::move(allocation), {handle},
                                                            runtime::HandleKind::kTransfer));
  return MakeOutputs(ScalarHandle(value));
}

absl::StatusOr<Outputs> EndTransfer(OpSet& ops, const Attributes&, absl::Span<const Value> inputs) {
  const absl::Span<const int64_t> handles = Int64s(inputs[0]);
  for (const int64_t handle : handles) AXLE_RETURN_IF_ERROR(FindTransfer(ops, handle).status());
  AXLE_RETURN_IF_ERROR(ops.session().handles().Release(handles, runtime::HandleKind::kTransfer));
  return Outputs();
}

}  // namespace axle::xrt
