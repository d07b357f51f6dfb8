// SPDX-License-Identifier: Apache-2.0
// rng-bit-generator, whose bits are the same on every backend, and rng and
// rng-get-and-update-state, which draw from the state of the run.
#include <bit>
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
#include "eval/scalar_ops.h"

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

// Words of 32 or 64 random bits from the run's state: Philox with key 0 and the state as counter,
// which moves on by what was used.
template <typename Word>
absl::StatusOr<hlo::Literal> DrawWords(StepContext& context) {
  const hlo::Shape shape = context.result().WithElementType(hlo::NativeType<Word>::value);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal words, context.Zeros(shape));
  uint128& state = context.run.random_state();
  state += FillPhilox(0, state, words);
  return words;
}

// What numbers of C, f32 or f64, are made of: words, whose upper kDigits bits make a number below
// 1; the lower kLowDigits of those are taken apart, and so are kLowBits of a width.
template <typename C>
struct Digits {
  using Word = uint32_t;
  static constexpr int kDigits = 24, kLowDigits = 12, kLowBits = 12;
};
template <>
struct Digits<double> {
  using Word = uint64_t;
  static constexpr int kDigits = 52, kLowDigits = 26, kLowBits = 27;
};

// Digits of uniform numbers: those that C has, or the narrower type.
template <typename C>
int DigitsOf(hlo::ElementType type) {
  if (hlo::BitWidth(type) > 16) return Digits<C>::kDigits;
  return hlo::FormatOf(type).mantissa_bits + 1;
}

template <typename C>
absl::StatusOr<C> OperandAs(const StepContext& context, int i) {
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal number,
                        ConvertTo(context.array(i), hlo::NativeType<C>::value));
  return number.data<C>()[0];
}

template <typename C>
absl::StatusOr<hlo::Literal> UniformFloats(StepContext& context) {
  using Word = typename Digits<C>::Word;
  const hlo::ElementType type = context.result().element_type();
  const int digits = DigitsOf<C>(type);
  const int low_digits = digits > Digits<C>::kLowDigits ? Digits<C>::kLowDigits : 0;
  AXLE_ASSIGN_OR_RETURN(const C a, OperandAs<C>(context, 0));
  AXLE_ASSIGN_OR_RETURN(const C b, OperandAs<C>(context, 1));
  const C difference = b - a;
  const C width = difference < 0 ? 0 : difference;
  const C high = std::bit_cast<C>(std::bit_cast<Word>(width) & ~Word{0} << Digits<C>::kLowBits);
  const C low = width - high;
  const C scale = std::ldexp(C{1}, low_digits - digits), low_scale = std::ldexp(C{1}, -digits);
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal words, DrawWords<Word>(context));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal numbers,
                        context.Zeros(context.result().WithElementType(hlo::NativeType<C>::value)));
  for (int64_t i = 0; i < numbers.element_count(); ++i) {
    const Word drawn = words.data<Word>()[i] >> (8 * sizeof(Word) - digits);
    const C upper = static_cast<C>(drawn >> low_digits);
    const C lower = static_cast<C>(drawn & ((Word{1} << low_digits) - 1));
    C part = lower * (low * low_scale) + lower * (high * low_scale);
    part = part + upper * (low * scale);
    part = part + upper * (high * scale);
    numbers.data<C>()[i] = a + part;
  }
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, ConvertTo(numbers, type));
  AXLE_ASSIGN_OR_RETURN(numbers, ConvertTo(result, hlo::NativeType<C>::value));
  for (int64_t i = 0; i < numbers.element_count(); ++i) {
    if (numbers.data<C>()[i] >= b) {
      std::memcpy(ElementAt(result, i), context.array(0).bytes().data(), WidthOf(result));
    }
  }
  return result;
}

absl::StatusOr<hlo::Literal> UniformIntegers(StepContext& context) {
  const bool is_signed = hlo::IsSigned(context.result().element_type());
  const hlo::ElementType wide = is_signed ? hlo::ElementType::kS64 : hlo::ElementType::kU64;
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal first, ConvertTo(context.array(0), wide));
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal second, ConvertTo(context.array(1), wide));
  const bool ascending = is_signed ? first.data<int64_t>()[0] < second.data<int64_t>()[0]
                                   : first.data<uint64_t>()[0] < second.data<uint64_t>()[0];
  uint64_t a, b;
  std::memcpy(&a, first.bytes().data(), sizeof(a));
  std::memcpy(&b, second.bytes().data(), sizeof(b));
  const uint64_t count = ascending ? b - a : 1;
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal words, DrawWords<uint64_t>(context));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal result, context.Zeros(context.result()));
  for (int64_t i = 0; i < result.element_count(); ++i) {
    StoreBits(result, i, a + words.data<uint64_t>()[i] % count);
  }
  return result;
}

// Numbers of [0, 1).
template <typename C>
absl::StatusOr<hlo::Literal> UnitInterval(StepContext& context) {
  using Word = typename Digits<C>::Word;
  AXLE_ASSIGN_OR_RETURN(const hlo::Literal words, DrawWords<Word>(context));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal numbers,
                        context.Zeros(context.result().WithElementType(hlo::NativeType<C>::value)));
  for (int64_t i = 0; i < numbers.element_count(); ++i) {
    const Word drawn = words.data<Word>()[i] >> (8 * sizeof(Word) - Digits<C>::kDigits);
    numbers.data<C>()[i] = std::ldexp(static_cast<C>(drawn), -Digits<C>::kDigits);
  }
  return numbers;
}

template <typename C>
absl::StatusOr<hlo::Literal> NormalFloats(StepContext& context) {
  AXLE_ASSIGN_OR_RETURN(const C mean, OperandAs<C>(context, 0));
  AXLE_ASSIGN_OR_RETURN(const C deviation, OperandAs<C>(context, 1));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal radii, UnitInterval<C>(context));
  AXLE_ASSIGN_OR_RETURN(hlo::Literal angles, UnitInterval<C>(context));
  const auto apply = [](hlo::Opcode opcode, absl::Span<C> values) {
    FindUnary(opcode, hlo::NativeType<C>::value)(values.data(), values.data(), values.size());
  };
  const absl::Span<C> radius = radii.data<C>(), angle = angles.data<C>();
  for (C& r : radius) r = 1 - r;
  apply(hlo::Opcode::kLog, radius);
  for (C& r : radius) r = -2 * r;
  apply(hlo::Opcode::kSqrt, radius);
  for (C& phi : angle) phi = static_cast<C>(2 * std::numbers::pi) * phi;
  apply(hlo::Opcode::kCos, angle);
  for (size_t i = 0; i < radius.size(); ++i) radius[i] = mean + deviation * (radius[i] * angle[i]);
  return ConvertTo(radii, context.result().element_type());
}

template <typename C>
absl::StatusOr<hlo::Literal> RandomFloats(StepContext& context) {
  const bool normal = context.instruction().As<hlo::RngAttributes>().distribution ==
                      hlo::RandomDistribution::kNormal;
  return normal ? NormalFloats<C>(context) : UniformFloats<C>(context);
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

// The numbers that the pass explicit_rng_state has every backend compute, operation by operation;
// passes/explicit_rng_state.h has the formulas.
absl::StatusOr<Value> RunRng(StepContext& context) {
  const hlo::ElementType type = context.result().element_type();
  absl::StatusOr<hlo::Literal> numbers = !hlo::IsFloat(type) ? UniformIntegers(context)
                                         : type == hlo::ElementType::kF64
                                             ? RandomFloats<double>(context)
                                             : RandomFloats<float>(context);
  AXLE_RETURN_IF_ERROR(numbers.status());
  return context.Array((*std::move(numbers)).Reshaped(context.result()));
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
