// SPDX-License-Identifier: Apache-2.0
#include "xrt/metrics.h"

#include <cmath>
#include <thread>

#include "xrt/xrt_testing.h"

namespace axle::xrt {
namespace {

constexpr absl::string_view kNames[] = {"/ops/a", "/ops/b", "", "/ops/a", "/ops/ab"};

MetricSummary Only(const Metrics& metrics) {
  const auto summaries = metrics.Collect();
  EXPECT_TRUE(summaries.ok() && summaries->size() == 1);
  return summaries->at(0);
}

// 1 … 100: so many percent are not above the number itself.
TEST(MetricsTest, PercentilesOfOneToAHundred) {
  Metrics metrics(kNames);
  for (int i = 100; i >= 1; --i) metrics.Record("/ops/a", 1000 + i, i);
  const MetricSummary summary = Only(metrics);
  EXPECT_EQ(summary.name, "/ops/a");
  EXPECT_EQ(summary.samples, 100);
  EXPECT_EQ(summary.total, 100);
  EXPECT_EQ(summary.sum, 5050);
  EXPECT_EQ(summary.least, 1);
  EXPECT_EQ(summary.greatest, 100);
  EXPECT_NEAR(summary.mean, 50.5, 1e-9);
  EXPECT_NEAR(summary.deviation, std::sqrt((100.0 * 100 - 1) / 12), 1e-9);
  EXPECT_EQ(summary.first_time, 1001);
  EXPECT_EQ(summary.last_time, 1100);
  std::vector<double> percents, values;
  for (const auto& point : summary.points) {
    percents.push_back(point.percent);
    values.push_back(point.value);
  }
  EXPECT_EQ(percents, (std::vector<double>{25, 50, 80, 90, 95, 99}));
  EXPECT_EQ(values, percents);
}

TEST(MetricsTest, OneSampleIsEveryPercentile) {
  Metrics metrics(kNames);
  metrics.Record("/ops/b", 5, 7);
  for (const auto& point : Only(metrics).points) EXPECT_EQ(point.value, 7);
}

TEST(MetricsTest, TheWindowForgets) {
  Metrics metrics(kNames);
  for (int i = 0; i < 10; ++i) metrics.Record("/ops/a", i, 1000000);
  for (int i = 0; i < static_cast<int>(Metrics::kWindow); ++i) metrics.Record("/ops/a", 100 + i, 3);
  const MetricSummary summary = Only(metrics);
  EXPECT_EQ(summary.samples, Metrics::kWindow);
  EXPECT_EQ(summary.total, Metrics::kWindow + 10);
  EXPECT_EQ(summary.greatest, 3);
  EXPECT_EQ(summary.first_time, 100);
  EXPECT_EQ(summary.sum, 10 * 1000000.0 + 3 * Metrics::kWindow);
}

TEST(MetricsTest, PatternsMatchWholeNames) {
  Metrics metrics(kNames);
  for (const absl::string_view name : kNames) metrics.Record(name, 1, 1);
  metrics.Record("/ops/unknown", 1, 1);
  const auto names = [&](std::vector<std::string> patterns) {
    std::vector<std::string> names;
    const auto summaries = metrics.Collect(patterns);
    for (const MetricSummary& summary : *summaries) names.push_back(summary.name);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({}), (Names{"/ops/a", "/ops/ab", "/ops/b"}));
  EXPECT_EQ(names({"/ops/a"}), (Names{"/ops/a"}));
  EXPECT_EQ(names({"ops"}), (Names{}));
  EXPECT_EQ(names({".*b", "/ops/a"}), (Names{"/ops/a", "/ops/ab", "/ops/b"}));
}

TEST(MetricsTest, BadPatterns) {
  Metrics metrics(kNames);
  for (const std::string& pattern :
       {std::string("("), std::string("(a)\\1"), std::string("a{1000}{1000}"),
        std::string(1001, 'a'), std::string("\xff")}) {
    const auto result = metrics.Collect(std::vector<std::string>{pattern});
    EXPECT_EQ(ErrorIdOf(result.status()), "AX1024") << pattern;
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  }
  // Takes exponential time in engines that backtrack.
  EXPECT_TRUE(metrics.Collect(std::vector<std::string>{"(/*o*p*s*)*(/*o*p*s*)*x"})->empty());
}

TEST(MetricsTest, SeveralThreads) {
  Metrics metrics(kNames);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&metrics] {
      for (int i = 0; i < 1000; ++i) {
        metrics.Record("/ops/a", i, 2);
        if (i % 100 == 0) {
          EXPECT_TRUE(metrics.Collect().ok());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Only(metrics).total, 4000);
  EXPECT_EQ(Only(metrics).sum, 8000);
}

class MetricsOpTest : public ::testing::Test {
 protected:
  static wire::MetricsReport Collect(Client& client, std::vector<std::string> patterns) {
    wire::XRTMetricsCollect request;
    for (std::string& pattern : patterns) request.add_metrics_regex(std::move(pattern));
    wire::MetricsReport report;
    EXPECT_TRUE(report.ParseFromString(
        Client::BytesOf(client.Run("XRTMetricsCollect", {Message(request)}))));
    return report;
  }
  static wire::MemoryInfo Memory(Client& client) {
    wire::MemoryInfo info;
    EXPECT_TRUE(info.ParseFromString(Client::BytesOf(client.Run("XRTMemoryInfo", {}))));
    return info;
  }
  static std::shared_ptr<runtime::Store> MakeStore(runtime::StoreOptions options = {}) {
    return runtime::Store::Create(*SharedBackend("reference"), WithLoader(std::move(options)));
  }
};

TEST_F(MetricsOpTest, CountsEveryCall) {
  Client client(MakeStore());
  EXPECT_EQ(Collect(client, {}).metrics_size(), 0);
  client.Allocate(Floats({1}));
  client.Allocate(Floats({2}));
  EXPECT_EQ(client.Fail("XRTAllocate", {Bytes("\xff")}), "AX1005");
  const int64_t tuple = client.Allocate(hlo::Literal::Tuple({Floats({2})}));
  client.Make("XRTSubTuple", {Handle(tuple), Index({0})});
  client.Make("XRTSubTupleAndRelease", {Handle(tuple), Index({0})});
  const wire::MetricsReport report = Collect(client, {});
  ASSERT_EQ(report.metrics_size(), 2);
  const wire::MetricValues& allocate = report.metrics(0);
  EXPECT_EQ(allocate.name(), "/tensorflow/xrt/ops/allocate");
  EXPECT_EQ(allocate.unit_of_measure(), wire::MetricValues::TIME);
  EXPECT_EQ(allocate.percentiles_value().total_samples(), 4);
  EXPECT_EQ(allocate.percentiles_value().num_samples(), 4);
  EXPECT_EQ(allocate.percentiles_value().points_size(), 6);
  EXPECT_GT(allocate.percentiles_value().min_value(), 0);
  EXPECT_GE(allocate.percentiles_value().accumulator(), allocate.percentiles_value().max_value());
  EXPECT_EQ(report.metrics(1).name(), "/tensorflow/xrt/ops/sub_tuple");
  EXPECT_EQ(report.metrics(1).percentiles_value().total_samples(), 2);
  EXPECT_EQ(Collect(client, {".*tuple"}).metrics_size(), 1);
}

TEST_F(MetricsOpTest, BadPatterns) {
  Client client(MakeStore());
  wire::XRTMetricsCollect request;
  request.add_metrics_regex("[");
  EXPECT_EQ(client.Fail("XRTMetricsCollect", {Message(request)}), "AX1024");
}

TEST_F(MetricsOpTest, MemoryInfo) {
  Client unlimited(MakeStore());
  EXPECT_EQ(Memory(unlimited).kb_total(), -1);
  EXPECT_EQ(Memory(unlimited).kb_free(), -1);
  Client limited(MakeStore({.max_device_bytes = 10 * 1024}));
  EXPECT_EQ(Memory(limited).kb_total(), 10);
  EXPECT_EQ(Memory(limited).kb_free(), 10);
  limited.Allocate(*hlo::Literal::Zeros(hlo::Shape::Array(hlo::ElementType::kU8, {2048})));
  EXPECT_EQ(Memory(limited).kb_free(), 8);
  OpSet nowhere(limited.session, 7);
  EXPECT_TRUE(nowhere.Run("XRTMemoryInfo", {}, {}).ok());
  const Value upload = AllocationOf(Floats({1}));
  EXPECT_EQ(ErrorIdOf(nowhere.Run("XRTAllocate", {}, absl::MakeConstSpan(&upload, 1)).status()),
            "AX0603");
}

}  // namespace
}  // namespace axle::xrt
