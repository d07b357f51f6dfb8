// SPDX-License-Identifier: Apache-2.0
// XRTCompile and XRTReleaseCompilationHandle.
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "hlo/proto/shape_codec.h"
#include "proto/xrt.pb.h"
#include "xrt/errors.h"
#include "xrt/ops.h"
#include "xrt/values.h"

namespace axle::xrt {
namespace {

// A number of replicas or cores: 1, or 0 for the same.
absl::Status CheckOne(int32_t count, absl::string_view field) {
  if (count == 0 || count == 1) return absl::OkStatus();
  return MakeError(count < 0 ? errors::kNegative : errors::kSeveralCores,
                   absl::StrCat(field, " is ", count));
}

absl::Status CheckAssignment(const OpSet& ops, const wire::XrtDeviceAssignment& assignment) {
  for (const auto& core : assignment.computation_devices()) {
    if (assignment.computation_devices_size() > 1 || core.replica_devices_size() > 1) {
      return MakeError(errors::kSeveralCores,
                       absl::StrCat("device_assignment has ", assignment.computation_devices_size(),
                                    " cores with ", core.replica_devices_size(), " replicas"));
    }
    for (const auto& device : core.replica_devices()) {
      const int count = device.value_size();
      bool good = count == 3 || count == 4;
      for (int i = 0; i + 1 < count; ++i) good &= device.value(i) == 0;
      if (!good || device.value(count - 1) < 0) {
        return MakeError(errors::kAssignment, absl::StrCat("device_assignment has the coordinates ",
                                                           absl::StrJoin(device.value(), ",")));
      }
      if (device.value(count - 1) != ops.device()) {
        return MakeError(errors::kOtherDevice,
                         absl::StrCat("device_assignment names device ", device.value(count - 1),
                                      "; the operation runs on device ", ops.device()));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckConfig(const OpSet& ops, const wire::XLAComputationConfig& config) {
  AXLE_RETURN_IF_ERROR(CheckOne(config.num_replicas(), "num_replicas"));
  AXLE_RETURN_IF_ERROR(CheckOne(config.num_cores_per_replica(), "num_cores_per_replica"));
  if (config.per_core_program_shape_size() > 0) {
    return MakeError(errors::kSeveralCores,
                     absl::StrCat("per_core_program_shape has ",
                                  config.per_core_program_shape_size(), " shapes"));
  }
  if (!config.host_compute_metadata().empty()) {
    return MakeError(errors::kHostCompute,
                     absl::StrCat("host_compute_metadata has ",
                                  config.host_compute_metadata().size(), " bytes"));
  }
  return CheckAssignment(ops, config.device_assignment());
}

absl::StatusOr<std::string> SerializeSignature(const runtime::OwnedProgram& program) {
  hlo::ProgramShape signature = program.cached->program().signature();
  for (hlo::Shape& parameter : signature.parameters) parameter = parameter.WithDefaultLayouts();
  signature.result = signature.result.WithDefaultLayouts();
  wire::ProgramShapeProto proto;
  hlo::proto::WriteProgramShape(signature, &proto);
  return Serialize(proto);
}

}  // namespace

absl::StatusOr<Outputs> Compile(OpSet& ops, const Attributes&, absl::Span<const Value> inputs) {
  AXLE_ASSIGN_OR_RETURN(const auto computation,
                        Parse<wire::XLAComputation>(inputs[0], "computation (XLAComputation)"));
  AXLE_RETURN_IF_ERROR(CheckConfig(ops, computation.config()));
  if (computation.hlo_snapshot().empty()) {
    return MakeError(errors::kNoComputation, "hlo_snapshot is empty");
  }
  runtime::ProgramCache::Request request;
  request.options.compile.device = ops.device();
  std::optional<hlo::ProgramShape> signature;
  if (computation.config().has_program_shape()) {
    hlo::proto::ShapeReader shapes;
    AXLE_ASSIGN_OR_RETURN(signature, shapes.Read(computation.config().program_shape()));
    request.signature = &*signature;
  }
  AXLE_ASSIGN_OR_RETURN(runtime::OwnedProgram program,
                        ops.session().Compile(computation.hlo_snapshot(), request));
  AXLE_ASSIGN_OR_RETURN(std::string shape, SerializeSignature(program));
  AXLE_ASSIGN_OR_RETURN(const int64_t handle, ops.session().Keep(std::move(program)));
  return MakeOutputs(ScalarHandle(handle), Strings{{1}, {std::move(shape)}});
}

absl::StatusOr<Outputs> ReleaseCompilationHandle(OpSet& ops, const Attributes&,
                                                 absl::Span<const Value> inputs) {
  const absl::Span<const int64_t> handles = Int64s(inputs[0]);
  for (const int64_t handle : handles) AXLE_RETURN_IF_ERROR(FindProgram(ops, handle).status());
  AXLE_RETURN_IF_ERROR(ops.session().handles().Release(handles, runtime::HandleKind::kProgram));
  return Outputs();
}

}  // namespace axle::xrt
