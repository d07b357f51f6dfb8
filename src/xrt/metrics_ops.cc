// SPDX-License-Identifier: Apache-2.0
// XRTMetricsCollect and XRTMemoryInfo.
#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "proto/xrt.pb.h"
#include "xrt/ops.h"
#include "xrt/values.h"

namespace axle::xrt {
namespace {

void WriteSummary(const MetricSummary& summary, wire::MetricValues* metric) {
  metric->set_name(summary.name);
  metric->set_unit_of_measure(wire::MetricValues::TIME);
  wire::Percentiles* const values = metric->mutable_percentiles_value();
  values->set_start_nstime(summary.first_time);
  values->set_end_nstime(summary.last_time);
  values->set_min_value(summary.least);
  values->set_max_value(summary.greatest);
  values->set_mean(summary.mean);
  values->set_stddev(summary.deviation);
  values->set_num_samples(summary.samples);
  values->set_total_samples(summary.total);
  values->set_accumulator(summary.sum);
  for (const MetricSummary::Point& point : summary.points) {
    wire::Percentiles::Point* const written = values->add_points();
    written->set_percentile(point.percent);
    written->set_value(point.value);
  }
}

}  // namespace

absl::StatusOr<Outputs> CollectMetrics(OpSet& ops, const Attributes&,
                                       absl::Span<const Value> inputs) {
  AXLE_ASSIGN_OR_RETURN(const auto request,
                        Parse<wire::XRTMetricsCollect>(inputs[0], "request (XRTMetricsCollect)"));
  const std::vector<std::string> patterns(request.metrics_regex().begin(),
                                          request.metrics_regex().end());
  AXLE_ASSIGN_OR_RETURN(const std::vector<MetricSummary> summaries,
                        ops.metrics().Collect(patterns));
  wire::MetricsReport report;
  for (const MetricSummary& summary : summaries) WriteSummary(summary, report.add_metrics());
  AXLE_ASSIGN_OR_RETURN(std::string message, Serialize(report));
  return MakeOutputs(ScalarString(std::move(message)));
}

absl::StatusOr<Outputs> ReportMemory(OpSet& ops, const Attributes&, absl::Span<const Value>) {
  constexpr int64_t kUnknown = -1;
  constexpr int64_t kKilobyte = 1024;
  const runtime::Store& store = ops.session().store();
  wire::MemoryInfo info;
  info.set_kb_total(kUnknown);
  info.set_kb_free(kUnknown);
  const int devices = static_cast<int>(store.backend()->devices().size());
  if (ops.device() >= 0 && ops.device() < devices) {
    const runtime::PooledAccount& account = store.device_account(ops.device());
    if (account.limit() != runtime::Account::kUnlimited) {
      info.set_kb_total(account.limit() / kKilobyte);
      info.set_kb_free(std::max<int64_t>(account.limit() - account.used(), 0) / kKilobyte);
    }
  }
  AXLE_ASSIGN_OR_RETURN(std::string message, Serialize(info));
  return MakeOutputs(ScalarString(std::move(message)));
}

}  // namespace axle::xrt
