// SPDX-License-Identifier: Apache-2.0
// axle stats: runs a script of XRT operations, then shows what the runtime counted.
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "tools/xrt.h"

namespace axle::tools {
namespace {

double PointOf(const xrt::MetricSummary& metric, double percent) {
  for (const xrt::MetricSummary::Point& point : metric.points) {
    if (point.percent == percent) return point.value;
  }
  return 0;
}

std::string LimitText(int64_t limit) {
  return limit == runtime::Account::kUnlimited ? "none" : absl::StrCat(limit);
}

Json LimitJson(int64_t limit) {
  return limit == runtime::Account::kUnlimited ? Json() : Json(limit);
}

// ---- Text ---------------------------------------------------------------------------------------

std::string CacheText(const runtime::ProgramCache::Stats& stats) {
  return absl::StrCat("program cache\n  programs   ", stats.kept, " kept, ", stats.known,
                      " known, ", stats.kept_bytes, " bytes\n  hits       ", stats.byte_hits,
                      " by bytes, ", stats.module_hits, " by module, ", stats.waits,
                      " waited\n  compiles   ", stats.compiles, ", ", stats.failures, " failures, ",
                      stats.evictions, " evictions\n");
}

std::string MemoryText(xrt_script::Runner& runner) {
  std::string text =
      absl::StrFormat("%-32s %12s %12s %12s\n", "memory in bytes", "used", "peak", "limit");
  for (const auto& [name, session] : runner.sessions()) {
    if (session.session == nullptr) continue;
    const runtime::HandleTable::Counts counts = session.session->handles().counts();
    const runtime::Account& account = session.session->account();
    absl::StrAppendFormat(&text, "  %-30s %12d %12d %12s", absl::StrCat("session ", name),
                          account.used(), account.peak(), LimitText(account.limit()));
    absl::StrAppend(&text, "  ", counts.allocations, " values, ", counts.programs, " programs, ",
                    counts.transfers, " transfers", session.ended ? ", ended" : "", "\n");
  }
  for (const auto& device : runner.store().backend()->devices()) {
    const runtime::PooledAccount& account = runner.store().device_account(device->id());
    absl::StrAppendFormat(&text, "  %-30s %12d %12s %12s\n", absl::StrCat("device ", device->id()),
                          account.used(), "", LimitText(account.limit()));
  }
  return text;
}

std::string ResultsText(const runtime::ProgramCache& cache) {
  std::string text = absl::StrFormat("%-32s %12s\n", "results by program", "bytes");
  for (const auto& [name, bytes] : cache.Holders()) {
    absl::StrAppendFormat(&text, "  %-30s %12d\n", name, bytes);
  }
  return text;
}

std::string MetricsText(const std::string& session, const xrt::OpSet& operations) {
  std::string text =
      absl::StrFormat("%-40s %8s %12s %12s\n",
                      absl::StrCat("operations of ", session, " on device ", operations.device()),
                      "calls", "median us", "95 % us");
  const auto metrics = operations.metrics().Collect();
  if (!metrics.ok()) return text;
  for (const xrt::MetricSummary& metric : *metrics) {
    absl::StrAppendFormat(&text, "  %-38s %8d %12.1f %12.1f\n", metric.name, metric.total,
                          PointOf(metric, 50) / 1e3, PointOf(metric, 95) / 1e3);
  }
  return text;
}

void PrintText(xrt_script::Runner& runner, Console& console) {
  console.Print(CacheText(runner.store().cache()->stats()));
  console.Print(MemoryText(runner));
  console.Print(ResultsText(*runner.store().cache()));
  for (const auto& [name, session] : runner.sessions()) {
    for (const auto& [device, operations] : session.operations) {
      console.Print(MetricsText(name, *operations));
    }
  }
}

// ---- JSON ---------------------------------------------------------------------------------------

Json CacheJson(const runtime::ProgramCache::Stats& stats) {
  return {{"kept", stats.kept},          {"known", stats.known},
          {"bytes", stats.kept_bytes},   {"byte_hits", stats.byte_hits},
          {"waits", stats.waits},        {"module_hits", stats.module_hits},
          {"compiles", stats.compiles},  {"failures", stats.failures},
          {"evictions", stats.evictions}};
}

Json MetricsJson(const xrt::OpSet& operations) {
  Json list = Json::array();
  const auto metrics = operations.metrics().Collect();
  if (!metrics.ok()) return list;
  for (const xrt::MetricSummary& metric : *metrics) {
    list.push_back({{"name", metric.name},
                    {"calls", metric.total},
                    {"median_us", PointOf(metric, 50) / 1e3},
                    {"percentile_95_us", PointOf(metric, 95) / 1e3}});
  }
  return list;
}

Json StatsJson(xrt_script::Runner& runner) {
  Json sessions = Json::array(), devices = Json::array(), results = Json::array();
  for (const auto& [name, session] : runner.sessions()) {
    if (session.session == nullptr) continue;
    const runtime::HandleTable::Counts counts = session.session->handles().counts();
    const runtime::Account& account = session.session->account();
    Json json = {{"name", name},
                 {"memory",
                  {{"used", account.used()},
                   {"peak", account.peak()},
                   {"limit", LimitJson(account.limit())}}}};
    json["ended"] = session.ended;
    json["values"] = counts.allocations;
    json["programs"] = counts.programs;
    json["transfers"] = counts.transfers;
    for (const auto& [device, operations] : session.operations) {
      json["operations"].push_back({{"device", device}, {"metrics", MetricsJson(*operations)}});
    }
    sessions.push_back(std::move(json));
  }
  for (const auto& device : runner.store().backend()->devices()) {
    const runtime::PooledAccount& account = runner.store().device_account(device->id());
    devices.push_back(
        {{"id", device->id()},
         {"memory", {{"used", account.used()}, {"limit", LimitJson(account.limit())}}}});
  }
  for (const auto& [name, bytes] : runner.store().cache()->Holders()) {
    results.push_back({{"program", name}, {"bytes", bytes}});
  }
  return {{"cache", CacheJson(runner.store().cache()->stats())},
          {"sessions", std::move(sessions)},
          {"devices", std::move(devices)},
          {"results", std::move(results)}};
}

}  // namespace

absl::StatusOr<ExitCode> StatsCommand(const Invocation& invocation) {
  XrtFlags flags;
  AXLE_ASSIGN_OR_RETURN(const auto operands, invocation.Parse(flags.Flags(invocation.console)));
  if (!operands.has_value()) return ExitCode::kOk;
  AXLE_ASSIGN_OR_RETURN(const auto backend, flags.backend.Create());
  Console& console = invocation.console;
  XrtOutcome outcome = RunXrtScript(operands->front(), backend, flags, console);
  if (console.json) {
    Json json = {{"backend", backend->name()}, {"run", std::move(outcome.json)}};
    if (outcome.runner != nullptr) json["stats"] = StatsJson(*outcome.runner);
    console.PrintJson(json);
  } else if (outcome.runner != nullptr) {
    PrintText(*outcome.runner, console);
  }
  return outcome.code;
}

}  // namespace axle::tools
