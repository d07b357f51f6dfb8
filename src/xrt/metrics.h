// SPDX-License-Identifier: Apache-2.0
// Metrics: how long calls took, by name, with percentiles over the last of them.
#ifndef AXLE_XRT_METRICS_H_
#define AXLE_XRT_METRICS_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace axle::xrt {

// Of one name. Times are in nanoseconds; all but total and sum are of the window, the last calls.
struct MetricSummary {
  struct Point {
    double percent = 0;
    double value = 0;  // the least of the window's that so many percent are not above
  };
  std::string name;
  uint64_t first_time = 0, last_time = 0;  // when the first and the last call ended, Unix time
  double least = 0, greatest = 0, mean = 0, deviation = 0;  // deviation: of the population
  uint64_t samples = 0;                                     // calls in the window
  uint64_t total = 0;                                       // calls ever
  double sum = 0;                                           // of all calls ever
  std::vector<Point> points;                                // 25, 50, 80, 90, 95, 99 %
};

// Thread-safe.
class Metrics {
 public:
  static constexpr size_t kWindow = 1024;

  // Names may occur several times; the empty one is left out.
  explicit Metrics(absl::Span<const absl::string_view> names);

  // A call that ended at `end`, in nanoseconds of Unix time. Unknown names are ignored.
  void Record(absl::string_view name, int64_t end, int64_t duration);

  // Of each name that has calls and that one of the patterns matches in full, or of all without
  // patterns; ascending by name. Error AX1024 for a pattern that RE2 cannot read. Matching takes
  // time linear in the name, whatever the pattern.
  absl::StatusOr<std::vector<MetricSummary>> Collect(
      absl::Span<const std::string> patterns = {}) const;

 private:
  struct Sample {
    int64_t end = 0;
    int64_t duration = 0;
  };
  struct Series {
    mutable std::mutex mutex;
    std::vector<Sample> window;  // guarded by mutex; a ring once it is full
    uint64_t total = 0;          // guarded by mutex
    double sum = 0;              // guarded by mutex
  };
  static MetricSummary Summarize(absl::string_view name, const Series& series);

  absl::flat_hash_map<std::string, std::unique_ptr<Series>> series_;  // fixed once made
};

}  // namespace axle::xrt

#endif  // AXLE_XRT_METRICS_H_
