// SPDX-License-Identifier: Apache-2.0
// XRTExecute and XRTExecuteChained.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "proto/xrt.pb.h"
#include "runtime/chain.h"
#include "xrt/errors.h"
#include "xrt/ops.h"
#include "xrt/values.h"

namespace axle::xrt {
namespace {

// The number of a replica or core, of which there is the first alone.
absl::Status CheckFirst(int32_t number, absl::string_view field) {
  if (number == 0) return absl::OkStatus();
  return MakeError(number < 0 ? errors::kNegative : errors::kSeveralCores,
                   absl::StrCat(field, " is ", number));
}

// What both configurations say about cores and replicas.
template <typename Config>
absl::Status CheckCores(const Config& config) {
  AXLE_RETURN_IF_ERROR(CheckFirst(config.core_index_in_replica(), "core_index_in_replica"));
  const wire::CommonExecutionConfig& common = config.common_config();
  AXLE_RETURN_IF_ERROR(CheckFirst(common.replica_id(), "replica_id"));
  if (common.local_replica_mapping_size() > 1) {
    return MakeError(errors::kSeveralCores,
                     absl::StrCat("local_replica_mapping has ", common.local_replica_mapping_size(),
                                  " replicas"));
  }
  for (const int32_t replica : common.local_replica_mapping()) {
    AXLE_RETURN_IF_ERROR(CheckFirst(replica, "local_replica_mapping"));
  }
  return absl::OkStatus();
}

absl::StatusOr<runtime::ChainStep> ReadStep(const OpSet& ops,
                                            const wire::XRTChainedExecuteOp& proto, int at) {
  runtime::ChainStep step;
  switch (proto.op_oneof_case()) {
    case wire::XRTChainedExecuteOp::kDataHandle:
      step.kind = runtime::ChainStep::Kind::kValue;
      step.handle = proto.data_handle();
      AXLE_RETURN_IF_ERROR(FindAllocation(ops, step.handle).status());
      break;
    case wire::XRTChainedExecuteOp::kComputationHandle:
      step.kind = runtime::ChainStep::Kind::kProgram;
      step.handle = proto.computation_handle();
      AXLE_RETURN_IF_ERROR(FindProgram(ops, step.handle).status());
      break;
    case wire::XRTChainedExecuteOp::OP_ONEOF_NOT_SET:
      return MakeError(errors::kStepKind, absl::StrCat("step ", at, " of the plan"));
  }
  for (const auto& input : proto.inputs()) {
    step.inputs.push_back({.step = input.op_index(), .part = input.output_index()});
  }
  for (const auto& output : proto.outputs()) {
    step.outputs.push_back({.part = output.output_index(), .place = output.result_index()});
  }
  return step;
}

}  // namespace

absl::StatusOr<Outputs> Execute(OpSet& ops, const Attributes&, absl::Span<const Value> inputs) {
  AXLE_ASSIGN_OR_RETURN(const auto config, Parse<wire::XRTExecutionConfig>(
                                               inputs[1], "execution_config (XRTExecutionConfig)"));
  AXLE_RETURN_IF_ERROR(CheckOrdinal(ops, config.device_ordinal()));
  AXLE_RETURN_IF_ERROR(CheckCores(config));
  const std::vector<int64_t> handles = Concatenate(inputs.subspan(2));
  runtime::Session::ExecuteRequest request;
  request.program = Int64(inputs[0]);
  request.inputs = handles;
  request.release_inputs = config.release_input_handles();
  request.release_program = config.release_compilation_handle();
  request.explode = config.return_exploded_tuple();
  request.launch.rng_seed = config.rng_seed();
  AXLE_ASSIGN_OR_RETURN(const auto program, FindProgram(ops, request.program));
  AXLE_ASSIGN_OR_RETURN(const std::vector<int64_t> results, ops.session().Execute(request));
  const bool exploded = request.explode && program->cached->program().result_tree().IsTuple();
  return MakeOutputs(exploded ? HandleVector(results) : ScalarHandle(results.front()));
}

absl::StatusOr<Outputs> ExecuteChained(OpSet& ops, const Attributes&,
                                       absl::Span<const Value> inputs) {
  AXLE_ASSIGN_OR_RETURN(const auto plan, Parse<wire::XRTChainedExecutePlan>(
                                             inputs[0], "execution_plan (XRTChainedExecutePlan)"));
  AXLE_ASSIGN_OR_RETURN(const auto config,
                        Parse<wire::XRTChainedExecuteConfig>(
                            inputs[1], "execution_config (XRTChainedExecuteConfig)"));
  AXLE_RETURN_IF_ERROR(CheckCores(config));
  std::vector<runtime::ChainStep> steps;
  steps.reserve(plan.ops_size());
  for (int i = 0; i < plan.ops_size(); ++i) {
    AXLE_ASSIGN_OR_RETURN(runtime::ChainStep step, ReadStep(ops, plan.ops(i), i));
    steps.push_back(std::move(step));
  }
  AXLE_ASSIGN_OR_RETURN(
      const std::vector<int64_t> results,
      runtime::ExecuteChain(ops.session(), steps, {.rng_seed = config.rng_seed()}));
  return MakeOutputs(HandleVector(results));
}

}  // namespace axle::xrt
