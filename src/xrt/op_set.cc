// SPDX-License-Identifier: Apache-2.0
#include "xrt/op_set.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/error.h"
#include "base/status_macros.h"
#include "xrt/call.h"
#include "xrt/errors.h"

namespace axle::xrt {
namespace {

const OpDef* FindOp(absl::string_view name) {
  const auto found =
      std::find_if(Ops().begin(), Ops().end(), [&](const OpDef& op) { return op.name == name; });
  return found == Ops().end() ? nullptr : &*found;
}

std::vector<absl::string_view> MetricNames() {
  std::vector<absl::string_view> names;
  for (const OpDef& op : Ops()) names.push_back(op.metric);
  return names;
}

absl::StatusOr<std::vector<Value>> Call(OpSet& ops, const OpDef& op, const Attributes& attributes,
                                        absl::Span<const Value> inputs) {
  AXLE_ASSIGN_OR_RETURN(const Attributes complete, CompleteAttributes(op, attributes, inputs));
  AXLE_RETURN_IF_ERROR(CheckInputs(op, complete, inputs));
  absl::StatusOr<std::vector<Value>> outputs = op.run(ops, complete, inputs);
  if (!outputs.ok()) return AtPlace(op.name, outputs.status());
  return outputs;
}

}  // namespace

OpSet::OpSet(std::shared_ptr<runtime::Session> session, int device)
    : session_(std::move(session)), device_(device), metrics_(MetricNames()) {}

absl::StatusOr<std::vector<Value>> OpSet::Run(absl::string_view name, const Attributes& attributes,
                                              absl::Span<const Value> inputs) {
  const OpDef* const op = FindOp(name);
  if (op == nullptr) return MakeError(errors::kNoSuchOp, absl::StrCat("operation ", name));
  const auto begin = std::chrono::steady_clock::now();
  absl::StatusOr<std::vector<Value>> outputs = Call(*this, *op, attributes, inputs);
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
  metrics_.Record(op->metric, absl::GetCurrentTimeNanos(), took.count());
  return outputs;
}

}  // namespace axle::xrt
