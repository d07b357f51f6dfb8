// SPDX-License-Identifier: Apache-2.0
#include "xrt/metrics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/error.h"
#include "re2/re2.h"
#include "xrt/errors.h"

namespace axle::xrt {
namespace {

constexpr size_t kPercents[] = {25, 50, 80, 90, 95, 99};
constexpr size_t kMaxPatternBytes = 1000;
constexpr int64_t kMaxPatternMemory = 1 << 20;

absl::StatusOr<std::vector<std::unique_ptr<RE2>>> CompilePatterns(
    absl::Span<const std::string> patterns) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxPatternMemory);
  std::vector<std::unique_ptr<RE2>> compiled;
  for (const std::string& pattern : patterns) {
    if (pattern.size() > kMaxPatternBytes) {
      return MakeError(errors::kPattern, absl::StrCat("a pattern of ", pattern.size(), " bytes"));
    }
    compiled.push_back(std::make_unique<RE2>(pattern, options));
    if (!compiled.back()->ok()) {
      return MakeError(errors::kPattern,
                       absl::StrCat("pattern ", pattern, ": ", compiled.back()->error()));
    }
  }
  return compiled;
}

bool Matches(const std::vector<std::unique_ptr<RE2>>& patterns, const std::string& name) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                         [&](const auto& re) { return RE2::FullMatch(name, *re); });
}

}  // namespace

Metrics::Metrics(absl::Span<const absl::string_view> names) {
  for (const absl::string_view name : names) {
    if (!name.empty()) series_.try_emplace(std::string(name), std::make_unique<Series>());
  }
}

void Metrics::Record(absl::string_view name, int64_t end, int64_t duration) {
  const auto found = series_.find(name);
  if (found == series_.end()) return;
  Series& series = *found->second;
  const std::lock_guard lock(series.mutex);
  if (series.window.size() < kWindow) {
    series.window.push_back({end, duration});
  } else {
    series.window[series.total % kWindow] = {end, duration};
  }
  ++series.total;
  series.sum += static_cast<double>(duration);
}

MetricSummary Metrics::Summarize(absl::string_view name, const Series& series) {
  MetricSummary summary;
  summary.name = std::string(name);
  std::vector<Sample> window;
  {
    const std::lock_guard lock(series.mutex);
    window = series.window;
    summary.total = series.total;
    summary.sum = series.sum;
  }
  summary.samples = window.size();
  if (window.empty()) return summary;
  const double count = static_cast<double>(window.size());
  const auto [first, last] = std::minmax_element(
      window.begin(), window.end(), [](const Sample& a, const Sample& b) { return a.end < b.end; });
  summary.first_time = static_cast<uint64_t>(first->end);
  summary.last_time = static_cast<uint64_t>(last->end);
  for (const Sample& sample : window) summary.mean += static_cast<double>(sample.duration) / count;
  double squares = 0;
  for (const Sample& sample : window) {
    const double distance = static_cast<double>(sample.duration) - summary.mean;
    squares += distance * distance;
  }
  summary.deviation = std::sqrt(squares / count);
  std::sort(window.begin(), window.end(),
            [](const Sample& a, const Sample& b) { return a.duration < b.duration; });
  summary.least = static_cast<double>(window.front().duration);
  summary.greatest = static_cast<double>(window.back().duration);
  for (const size_t percent : kPercents) {
    const size_t rank = (percent * window.size() + 99) / 100;  // rounded up, so at least 1
    summary.points.push_back(
        {static_cast<double>(percent), static_cast<double>(window[rank - 1].duration)});
  }
  return summary;
}

absl::StatusOr<std::vector<MetricSummary>> Metrics::Collect(
    absl::Span<const std::string> patterns) const {
  const auto compiled = CompilePatterns(patterns);
  if (!compiled.ok()) return compiled.status();
  std::vector<MetricSummary> summaries;
  for (const auto& [name, series] : series_) {
    if (!Matches(*compiled, name)) continue;
    MetricSummary summary = Summarize(name, *series);
    if (summary.total > 0) summaries.push_back(std::move(summary));
  }
  std::sort(summaries.begin(), summaries.end(),
            [](const MetricSummary& a, const MetricSummary& b) { return a.name < b.name; });
  return summaries;
}

}  // namespace axle::xrt
