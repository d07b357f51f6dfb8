// SPDX-License-Identifier: Apache-2.0
#include "passes/rng_numbers.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hlo/float_formats.h"
#include "hlo/ops/data_movement.h"
#include "hlo/ops/elementwise.h"

namespace axle::passes {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;
using Index = hlo::InstructionIndex;

// Builds a computation without a status to look at in each line: what follows a failure is built in
// vain, and Finish says what failed.
class Emitter {
 public:
  Emitter(hlo::ModuleBuilder* module, absl::string_view name) : builder_(module, name) {}

  Index Parameter(const Shape& shape, absl::string_view name) {
    return Kept(hlo::Parameter(builder_, parameter_count_++, shape, name));
  }
  template <typename T>
  Index Constant(T value) {
    return Kept(hlo::Constant(builder_, Literal::Scalar<T>(value)));
  }
  Index Words(std::vector<uint64_t> values) {
    return Kept(hlo::Constant(builder_, Literal::Vector<uint64_t>(values)));
  }
  // Operands come in braces, which are evaluated in order, as arguments of functions are not.
  Index Op(Opcode opcode, std::initializer_list<Index> operands) {
    return Kept(builder_.Emit(opcode, operands));
  }
  Index Compare(hlo::ComparisonDirection direction, std::initializer_list<Index> operands) {
    return Kept(builder_.Emit(Opcode::kCompare, operands,
                              hlo::Attributes(hlo::CompareAttributes{direction})));
  }
  Index Convert(Index a, ElementType type) {
    if (builder_.shape(a).element_type() == type) return a;
    return Kept(hlo::Convert(builder_, a, type));
  }
  Index Bitcast(Index a, ElementType type) {
    return Kept(hlo::BitcastConvert(builder_, a, builder_.ShapeLike(a, type)));
  }
  // Every element of the dimensions of `shape` the scalar.
  Index Spread(Index scalar, const Shape& shape) {
    const ElementType type = builder_.shape(scalar).element_type();
    return Kept(hlo::Broadcast(builder_, scalar, shape.WithElementType(type), {}));
  }
  Index Slice(Index vector, int64_t start, int64_t limit) {
    return Kept(hlo::Slice(builder_, vector, {{{start, limit, 1}}}));
  }
  Index Concatenate(hlo::Operands vectors) { return Kept(hlo::Concatenate(builder_, vectors, 0)); }
  Index Element(Index tuple, int64_t i) { return Kept(hlo::GetTupleElement(builder_, tuple, i)); }
  Index Tuple(hlo::Operands elements) { return Kept(hlo::Tuple(builder_, elements)); }
  // (state, bits), from a state of u64[3]: key, counter.
  Index Philox(Index state, const Shape& bits) {
    hlo::RngBitGeneratorAttributes attributes;
    attributes.algorithm = hlo::RandomAlgorithm::kPhilox;
    return Kept(builder_.Emit(Opcode::kRngBitGenerator, {state}, hlo::Attributes(attributes),
                              {.declared = Shape::Tuple({builder_.shape(state), bits})}));
  }

  absl::StatusOr<hlo::ComputationIndex> Finish(Index root) {
    AXLE_RETURN_IF_ERROR(status_);
    return builder_.Finish(root);
  }

 private:
  Index Kept(absl::StatusOr<Index> emitted) {
    if (emitted.ok()) return *emitted;
    if (status_.ok()) status_ = emitted.status();
    return 0;  // there is a parameter
  }

  hlo::Builder builder_;
  int64_t parameter_count_ = 0;
  absl::Status status_;
};

// How numbers are made in f32 or f64; see the formulas.
struct Precision {
  ElementType type, word;
  int word_bits;
  int digits, low_digits;  // of uniform numbers, d and l
  int low_bits;            // of a width, c
};
constexpr Precision kSingle = {ElementType::kF32, ElementType::kU32, 32, 24, 12, 12};
constexpr Precision kDouble = {ElementType::kF64, ElementType::kU64, 64, 52, 26, 27};

class NumbersBuilder {
 public:
  NumbersBuilder(hlo::ModuleBuilder* module, absl::string_view name, const Shape& shape)
      : emit_(module, name),
        shape_(shape.WithoutLayouts()),
        type_(shape.element_type()),
        precision_(type_ == ElementType::kF64 ? kDouble : kSingle),
        a_(emit_.Parameter(Shape::Scalar(type_), "a")),
        b_(emit_.Parameter(Shape::Scalar(type_), "b")),
        state_(emit_.Parameter(Shape::Array(ElementType::kU64, {2}), "state")) {}

  absl::StatusOr<hlo::ComputationIndex> Build(hlo::RandomDistribution distribution) {
    const Index numbers = distribution == hlo::RandomDistribution::kNormal ? Normal()
                          : hlo::IsFloat(type_)                            ? UniformFloats()
                                                                           : UniformIntegers();
    return emit_.Finish(emit_.Tuple({numbers, state_}));
  }

 private:
  Index Spread(Index scalar) { return emit_.Spread(scalar, shape_); }
  Index Number(double value) {
    return precision_.type == ElementType::kF64 ? emit_.Constant(value)
                                                : emit_.Constant(static_cast<float>(value));
  }
  Index Word(uint64_t value) {
    return precision_.word == ElementType::kU64 ? emit_.Constant(value)
                                                : emit_.Constant(static_cast<uint32_t>(value));
  }

  // Random words, one a number; the state moves on. Of no numbers there is no need to ask the
  // generator, which may not know what to do.
  Index Words(ElementType word) {
    const Shape shape = shape_.WithElementType(word);
    const absl::Span<const int64_t> dims = shape.dimensions();
    if (std::find(dims.begin(), dims.end(), 0) != dims.end()) {
      return Spread(word == ElementType::kU64 ? emit_.Constant(uint64_t{0})
                                              : emit_.Constant(uint32_t{0}));
    }
    const Index drawn = emit_.Philox(emit_.Concatenate({emit_.Words({0}), state_}), shape);
    state_ = emit_.Slice(emit_.Element(drawn, 0), 1, 3);
    return emit_.Element(drawn, 1);
  }

  // The upper `digits` bits of random words.
  Index Digits(int digits) {
    return emit_.Op(Opcode::kShiftRightLogical,
                    {Words(precision_.word), Spread(Word(precision_.word_bits - digits))});
  }

  Index UniformFloats() {
    const int digits =
        hlo::BitWidth(type_) > 16 ? precision_.digits : hlo::FormatOf(type_).mantissa_bits + 1;
    const Index a = emit_.Convert(a_, precision_.type), b = emit_.Convert(b_, precision_.type);
    const Index width =
        emit_.Op(Opcode::kMaximum, {emit_.Op(Opcode::kSubtract, {b, a}), Number(0)});
    const Index kept_bits = emit_.Op(Opcode::kAnd, {emit_.Bitcast(width, precision_.word),
                                                    Word(~uint64_t{0} << precision_.low_bits)});
    const Index high = emit_.Bitcast(kept_bits, precision_.type);
    const Index low = emit_.Op(Opcode::kSubtract, {width, high});
    const Index part = Scaled(Digits(digits), digits, high, low);
    const Index numbers = emit_.Op(Opcode::kAdd, {Spread(a), part});
    if (type_ == precision_.type) {
      const Index outside = emit_.Compare(hlo::ComparisonDirection::kGe, {numbers, Spread(b)});
      return emit_.Op(Opcode::kSelect, {outside, Spread(a_), numbers});
    }
    const Index narrow = emit_.Convert(numbers, type_);
    return emit_.Op(Opcode::kSelect, {IsB(narrow, b), Spread(a_), narrow});
  }

  // (high + low) drawn / 2^digits, in steps whose products are exact.
  Index Scaled(Index drawn, int digits, Index high, Index low) {
    const int low_digits = digits > precision_.low_digits ? precision_.low_digits : 0;
    const auto product = [&](Index integers, Index scalar, int exponent) {
      return emit_.Op(Opcode::kMultiply,
                      {integers, Spread(emit_.Op(Opcode::kMultiply,
                                                 {scalar, Number(std::ldexp(1, exponent))}))});
    };
    if (low_digits == 0) {
      const Index upper = emit_.Convert(drawn, precision_.type);
      return emit_.Op(Opcode::kAdd, {product(upper, low, -digits), product(upper, high, -digits)});
    }
    const Index upper = emit_.Convert(
        emit_.Op(Opcode::kShiftRightLogical, {drawn, Spread(Word(low_digits))}), precision_.type);
    const Index lower = emit_.Convert(
        emit_.Op(Opcode::kAnd, {drawn, Spread(Word((uint64_t{1} << low_digits) - 1))}),
        precision_.type);
    Index part =
        emit_.Op(Opcode::kAdd, {product(lower, low, -digits), product(lower, high, -digits)});
    part = emit_.Op(Opcode::kAdd, {part, product(upper, low, low_digits - digits)});
    return emit_.Op(Opcode::kAdd, {part, product(upper, high, low_digits - digits)});
  }

  // Where narrow numbers equal b, which rounding may have made of smaller ones. Compilers that
  // compute narrow types in wider ones may skip that rounding when they compare, but not when they
  // show the bits. Zeros of either sign are equal.
  Index IsB(Index narrow, Index wide_b) {
    if (hlo::BitWidth(type_) < 8) {
      return emit_.Compare(hlo::ComparisonDirection::kEq, {narrow, Spread(b_)});
    }
    const bool byte = hlo::BitWidth(type_) == 8;
    const ElementType word = byte ? ElementType::kU8 : ElementType::kU16;
    const Index sign = byte ? emit_.Constant(uint8_t{0x80}) : emit_.Constant(uint16_t{0x8000});
    const Index bits = emit_.Bitcast(narrow, word), b_bits = emit_.Bitcast(b_, word);
    const Index other_zero = emit_.Op(
        Opcode::kSelect, {emit_.Compare(hlo::ComparisonDirection::kEq, {wide_b, Number(0)}),
                          emit_.Op(Opcode::kXor, {b_bits, sign}), b_bits});
    return emit_.Op(Opcode::kOr,
                    {emit_.Compare(hlo::ComparisonDirection::kEq, {bits, Spread(b_bits)}),
                     emit_.Compare(hlo::ComparisonDirection::kEq, {bits, Spread(other_zero)})});
  }

  Index UniformIntegers() {
    const bool is_signed = hlo::IsSigned(type_);
    const ElementType wide = is_signed ? ElementType::kS64 : ElementType::kU64;
    const Index a = emit_.Convert(a_, wide), b = emit_.Convert(b_, wide);
    const Index one = is_signed ? emit_.Constant(int64_t{1}) : emit_.Constant(uint64_t{1});
    const auto as_word = [&](Index i) {
      return is_signed ? emit_.Bitcast(i, ElementType::kU64) : i;
    };
    const Index count =
        as_word(emit_.Op(Opcode::kSelect, {emit_.Compare(hlo::ComparisonDirection::kLt, {a, b}),
                                           emit_.Op(Opcode::kSubtract, {b, a}), one}));
    const Index steps = emit_.Op(Opcode::kRemainder, {Words(ElementType::kU64), Spread(count)});
    const Index sum = emit_.Op(Opcode::kAdd, {Spread(as_word(a)), steps});
    return emit_.Convert(is_signed ? emit_.Bitcast(sum, wide) : sum, type_);
  }

  Index UnitInterval() {
    return emit_.Op(Opcode::kMultiply, {emit_.Convert(Digits(precision_.digits), precision_.type),
                                        Spread(Number(std::ldexp(1, -precision_.digits)))});
  }

  Index Normal() {
    const Index u = UnitInterval(), v = UnitInterval();
    const Index log = emit_.Op(Opcode::kLog, {emit_.Op(Opcode::kSubtract, {Spread(Number(1)), u})});
    const Index radius =
        emit_.Op(Opcode::kSqrt, {emit_.Op(Opcode::kMultiply, {Spread(Number(-2)), log})});
    const Index angle = emit_.Op(Opcode::kMultiply, {Spread(Number(2 * std::numbers::pi)), v});
    const Index standard = emit_.Op(Opcode::kMultiply, {radius, emit_.Op(Opcode::kCos, {angle})});
    const Index mean = emit_.Convert(a_, precision_.type);
    const Index deviation = emit_.Convert(b_, precision_.type);
    return emit_.Convert(
        emit_.Op(Opcode::kAdd,
                 {Spread(mean), emit_.Op(Opcode::kMultiply, {Spread(deviation), standard})}),
        type_);
  }

  Emitter emit_;
  const Shape shape_;
  const ElementType type_;
  const Precision precision_;
  const Index a_, b_;
  Index state_;
};

}  // namespace

absl::StatusOr<hlo::ComputationIndex> AddRngNumbers(hlo::ModuleBuilder* module,
                                                    hlo::RandomDistribution distribution,
                                                    const Shape& shape) {
  const std::string name =
      absl::StrCat(hlo::EnumName(distribution), "_", hlo::Name(shape.element_type()));
  return NumbersBuilder(module, name, shape).Build(distribution);
}

absl::StatusOr<hlo::ComputationIndex> AddRngStateAdvance(hlo::ModuleBuilder* module,
                                                         int64_t delta) {
  Emitter emit(module, "rng_state_advance");
  const Index state = emit.Parameter(Shape::Array(ElementType::kU64, {2}), "state");
  const Index low = emit.Slice(state, 0, 1), high = emit.Slice(state, 1, 2);
  const Index next_low = emit.Op(Opcode::kAdd, {low, emit.Words({static_cast<uint64_t>(delta)})});
  const Index carry =
      emit.Convert(emit.Compare(hlo::ComparisonDirection::kLt, {next_low, low}), ElementType::kU64);
  const Index sign = emit.Words({delta < 0 ? ~uint64_t{0} : 0});
  const Index next_high = emit.Op(Opcode::kAdd, {emit.Op(Opcode::kAdd, {high, sign}), carry});
  return emit.Finish(emit.Concatenate({next_low, next_high}));
}

}  // namespace axle::passes
