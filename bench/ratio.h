// SPDX-License-Identifier: Apache-2.0
// Runs the registered benchmarks 21 times each, interleaved at random, and closes with the ratios
// of medians that matter, each against its bound. The raw log goes where --benchmark_out says.
#ifndef AXLE_BENCH_RATIO_H_
#define AXLE_BENCH_RATIO_H_

#include <string>
#include <vector>

namespace axle::bench {

struct Ratio {
  std::string name;       // what it tells, for people
  std::string numerator;  // benchmark names
  std::string denominator;
  double bound = 0;  // what the ratio should stay below; 0: for information
};

// main() of a benchmark binary. Exit status 0 whatever the ratios: machines are noisy.
int RunWithRatios(int argc, char** argv, const std::vector<Ratio>& ratios);

}  // namespace axle::bench

#endif  // AXLE_BENCH_RATIO_H_
