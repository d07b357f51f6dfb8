// SPDX-License-Identifier: Apache-2.0
// rng-bit-generator, whose bits are the same on every backend, and rng and
// rng-get-and-update-state, whose numbers every backend may choose.
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "eval/counter_rng.h"
#include "eval/index.h"
#include "eval/literal_values.h"
#include "eval/operations.h"

namespace axle::eval {
namespace {

using uint128 = unsigned __int128;

// The first `width` bytes of a 32- or 64-bit word, which are its low bits.
void StoreBits(hlo::Literal& bits, int64_t element, uint64_t word) {
  const int width = WidthOf(bits);
  const int unused = 8 * width - hlo::BitWidth(bits.shape().element_type());
  word = word << (64 - 8 * width + unused) >> (64 - 8 * width + unused);
  std::memcpy(ElementAt(bits, element), &word, width);
}

// The dimension along which pairs of 32-bit words lie: the first of even size, else the largest.
int SplitDimension(DimsView dims) {
  int largest = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] % 2 == 0) return static_cast<int>(i);
    if (dims[i] > dims[largest]) largest = static_cast<int>(i);
  }
  return largest;
}

// 64-bit elements: counter + i, both words in one. Smaller ones: counter + i gives one word each to
// two neighbours along one dimension, i counting the pairs in row-major order; of an odd size, the
// last pair's second word is dropped. Returns how far the counter goes.
uint64_t FillThreeFry(uint64_t key, uint64_t counter, hlo::Literal& bits) {
  const int64_t count = bits.element_count();
  if (WidthOf(bits) == 8) {
    for (int64_t i = 0; i < count; ++i) {
      const auto words = ThreeFry2x32(key, counter + i);
      StoreBits(bits, i, words[0] | uint64_t{words[1]} << 32);
    }
    return count;
  }
  Dims dims(bits.shape().dimensions().begin(), bits.shape().dimensions().end());
  if (dims.empty()) dims.push_back(1);
  const Dims strides = RowMajorStrides(dims);
  const int split = SplitDimension(dims);
  Dims pairs = dims;
  pairs[split] = (dims[split] + 1) / 2;
  if (Product(pairs) == 0) return 0;
  Dims index(pairs.size(), 0);
  uint64_t used = 0;
  do {
    const auto words = ThreeFry2x32(key, counter + used++);
    const int64_t first = Offset(index, strides) + index[split] * strides[split];
    StoreBits(bits, first, words[0]);
    if (2 * index[split] + 1 < dims[split]) StoreBits(bits, first + strides[split], words[1]);
  } while (NextIndex(pairs, absl::MakeSpan(index)));
  return used;
}

// Counter + i gives four 32-bit words to elements 4 i … 4 i + 3, or two 64-bit ones to 2 i, 2 i
// + 1.
uint64_t FillPhilox(uint64_t key, uint128 counter, hlo::Literal& bits) {
  const bool wide = WidthOf(bits) == 8;
  const int64_t per_counter = wide ? 2 : 4;
  const int64_t count = bits.element_count();
  const int64_t used = (count + per_counter - 1) / per_counter;
  for (int64_t i = 0; i < used; ++i) {
    const auto words = Philox4x32(key, counter + i);
    for (int64_t k = 0; k < per_counter && i * per_counter + k < count; ++k) {
      const uint64_t word =
          wide ? words[2 * k] | uint64_t{words[2 * k + 1]} << 32 : uint64_t{words[k]};
      StoreBits(bits, i * per_counter + k, word);
    }
  }
  return used;
}

// A number in [0, 1) that the type holds exactly, if it is a float, so that it stays below 1.
double UnitInterval(uint64_t random, hlo::ElementType type) {
  int digits = 53;
  if (type == hlo::ElementType::kF32) digits = 24;
  if (hlo::IsFloat(type) && hlo::BitWidth(type) <= 16) {
    digits = hlo::FormatOf(type).mantissa_bits + 1;
  }
  return std::ldexp(static_cast<double>(random >> (64 - digits)), -digits);
}

}  // namespace

// State: the key, then a counter: of 64 bits for Threefry; of 128 bits, low word first, for Philox,
// which is the default, and where the state is u64[2] the key is the counter's high word too. The
// next state has the counter advanced by what was used.
absl::StatusOr<Value> RunRngBitGenerator(StepContext& context) {
  const auto algorithm = context.instruction().As<hlo::RngBitGeneratorAttributes>().algorithm;
  AXLE_ASSIGN_OR_RETURN(hlo::Literal state, context.Take(0));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal bits, context.Zeros(context.result().tuple_shape(1)));
  const absl::Span<uint64_t> words = state.data<uint64_t>();
  if (algorithm == hlo::RandomAlgorithm::kThreeFry) {
    words[1] += FillThreeFry(words[0], words[1], bits);
  } else {
    const uint64_t high = words.size() > 2 ? words[2] : words[0];
    uint128 counter = uint128{high} << 64 | words[1];
    counter += FillPhilox(words[0], counter, bits);
    words[1] = static_cast<uint64_t>(counter);
    if (words.size() > 2) words[2] = static_cast<uint64_t>(counter >> 64);
  }
  std::vector<hlo::Literal> results;
  results.push_back(std::move(state));
  results.push_back(std::move(bits));
  return context.ArrayOrTuple(std::move(results));
}

// uniform: a + (b - a) u with u in [0, 1); normal: mean + deviation * the first number of a
// Box-Muller pair. Computed in f64 and converted; integers are rounded down to lie in [a, b).
absl::StatusOr<Value> RunRng(StepContext& context) {
  const bool normal = context.instruction().As<hlo::RngAttributes>().distribution ==
                      hlo::RandomDistribution::kNormal;
  const hlo::ElementType type = context.result().element_type();
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal a, ConvertTo(context.array(0), hlo::ElementType::kF64));
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal b, ConvertTo(context.array(1), hlo::ElementType::kF64));
  const double first = a.data<double>()[0], second = b.data<double>()[0];
  AXLE_ASSIGN_OR_RETURN(hlo::Literal numbers,
                        context.Zeros(context.result().WithElementType(hlo::ElementType::kF64)));
  for (double& number : numbers.data<double>()) {
    const auto words = Philox4x32(0, context.run.random_state()++);
    const double u = UnitInterval(words[0] | uint64_t{words[1]} << 32, type);
    const double v = UnitInterval(words[2] | uint64_t{words[3]} << 32, type);
    if (normal) {
      number =
          first + second * std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * std::numbers::pi * v);
    } else {
      number = first + (second - first) * u;
      if (hlo::IsIntegral(type)) number = std::floor(number);
    }
  }
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, ConvertTo(numbers, type));
  return context.Array(std::move(result).Reshaped(context.result()));
}

// The run's 128-bit state as u64[2], low word first, before it moves on by delta.
absl::StatusOr<Value> RunRngGetAndUpdateState(StepContext& context) {
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, context.Zeros(context.result()));
  uint128& state = context.run.random_state();
  result.data<uint64_t>()[0] = static_cast<uint64_t>(state);
  result.data<uint64_t>()[1] = static_cast<uint64_t>(state >> 64);
  state += context.instruction().As<hlo::RngGetAndUpdateStateAttributes>().delta;
  return context.Array(std::move(result));
}

}  // namespace axle::eval
