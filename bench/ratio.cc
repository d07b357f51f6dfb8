// SPDX-License-Identifier: Apache-2.0
#include "ratio.h"

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"

namespace axle::bench {
namespace {

// Prints as usual and remembers the medians of real times.
class MedianReporter final : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Aggregate && run.aggregate_name == "median") {
        medians_[run.run_name.function_name] = run.GetAdjustedRealTime();
      }
    }
    ConsoleReporter::ReportRuns(runs);
  }

  double Median(const std::string& name) { return medians_[name]; }

 private:
  std::map<std::string, double> medians_;
};

}  // namespace

int RunWithRatios(int argc, char** argv, const std::vector<Ratio>& ratios) {
  std::vector<char*> arguments(argv, argv + argc);
  static char repetitions[] = "--benchmark_repetitions=21";
  static char interleave[] = "--benchmark_enable_random_interleaving=true";
  static char aggregates[] = "--benchmark_display_aggregates_only=true";
  arguments.insert(arguments.begin() + 1, {repetitions, interleave, aggregates});
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  for (const Ratio& ratio : ratios) {
    const double numerator = reporter.Median(ratio.numerator);
    const double denominator = reporter.Median(ratio.denominator);
    if (denominator == 0) {
      std::printf("ratio %-44s not measured\n", ratio.name.c_str());
      continue;
    }
    std::printf("ratio %-44s %7.2f", ratio.name.c_str(), numerator / denominator);
    if (ratio.bound > 0) std::printf(" (bound %.2f)", ratio.bound);
    std::printf("\n");
  }
  return 0;
}

}  // namespace axle::bench
