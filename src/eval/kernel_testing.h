// SPDX-License-Identifier: Apache-2.0
// For tests of kernels: literals from values, and one kernel run by itself.
#ifndef AXLE_EVAL_KERNEL_TESTING_H_
#define AXLE_EVAL_KERNEL_TESTING_H_

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <ostream>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "eval/kernels.h"
#include "hlo/float_formats.h"
#include "hlo/literal.h"

namespace axle::hlo {

// What googletest prints of a literal: shape and stored bytes.
inline void PrintTo(const Literal& literal, std::ostream* out) {
  *out << literal.shape().ToString() << std::hex;
  for (const std::byte b : literal.bytes()) *out << ' ' << static_cast<int>(b);
  *out << std::dec;
}

}  // namespace axle::hlo

namespace axle::eval {

// A vector of element type `type` made of numbers. pred and integers take whole numbers; types of
// 16 bits and less round to nearest; complex types get an imaginary part of 0.
inline hlo::Literal NumbersOf(hlo::ElementType type, const std::vector<double>& numbers) {
  using hlo::ElementType;
  hlo::Literal literal =
      *hlo::Literal::Zeros(hlo::Shape::Array(type, {static_cast<int64_t>(numbers.size())}));
  const int width = hlo::ByteWidth(type);
  for (size_t i = 0; i < numbers.size(); ++i) {
    std::byte* to = literal.bytes().data() + i * width;
    const auto store = [&](auto value) { std::memcpy(to, &value, width); };
    if (hlo::IsUnsigned(type) || hlo::IsPred(type)) {
      store(static_cast<uint64_t>(numbers[i]));
    } else if (hlo::IsSigned(type)) {
      const int bits = hlo::BitWidth(type);
      const uint64_t mask = bits < 8 ? (1u << bits) - 1 : ~uint64_t{0};
      store(static_cast<uint64_t>(static_cast<int64_t>(numbers[i])) & mask);
    } else if (type == ElementType::kF64 || type == ElementType::kC128) {
      std::memcpy(to, &numbers[i], sizeof(double));
    } else if (type == ElementType::kF32 || type == ElementType::kC64) {
      const float value = static_cast<float>(numbers[i]);
      std::memcpy(to, &value, sizeof(float));
    } else {
      store(hlo::EncodeFloat(hlo::FormatOf(type), numbers[i]));
    }
  }
  return literal;
}

// Bytes as they are stored, for elements of one byte.
inline hlo::Literal BytesOf(hlo::ElementType type, const std::vector<uint8_t>& bytes) {
  hlo::Literal literal =
      *hlo::Literal::Zeros(hlo::Shape::Array(type, {static_cast<int64_t>(bytes.size())}));
  if (!bytes.empty()) std::memcpy(literal.bytes().data(), bytes.data(), bytes.size());
  return literal;
}

template <typename T>
hlo::Literal VectorOf(std::initializer_list<T> values) {
  return hlo::Literal::Vector<T>(std::vector<T>(values));
}

template <typename T>
std::vector<T> ValuesOf(const hlo::Literal& literal) {
  return std::vector<T>(literal.data<T>().begin(), literal.data<T>().end());
}

inline std::vector<int> StoredBytes(const hlo::Literal& literal) {
  std::vector<int> bytes;
  for (const std::byte b : literal.bytes()) bytes.push_back(static_cast<int>(b));
  return bytes;
}

// The kernel on operands, with the given result shape and attributes.
inline absl::StatusOr<hlo::Literal> RunKernel(Kernel kernel, hlo::Opcode opcode, hlo::Shape result,
                                              const std::vector<hlo::Literal>& operands,
                                              hlo::Attributes attributes = {}) {
  hlo::Instruction instruction;
  instruction.opcode = opcode;
  instruction.shape = std::move(result);
  instruction.attributes = std::move(attributes);
  std::vector<const hlo::Literal*> pointers;
  for (const hlo::Literal& operand : operands) pointers.push_back(&operand);
  return kernel({instruction, pointers});
}

// The same with the shape of the first operand, or another element type in it.
inline absl::StatusOr<hlo::Literal> RunElementwise(Kernel kernel, hlo::Opcode opcode,
                                                   const std::vector<hlo::Literal>& operands) {
  return RunKernel(kernel, opcode, operands[0].shape(), operands);
}
inline absl::StatusOr<hlo::Literal> RunElementwiseTo(Kernel kernel, hlo::Opcode opcode,
                                                     hlo::ElementType result,
                                                     const std::vector<hlo::Literal>& operands,
                                                     hlo::Attributes attributes = {}) {
  return RunKernel(kernel, opcode, operands[0].shape().WithElementType(result), operands,
                   std::move(attributes));
}

}  // namespace axle::eval

#endif  // AXLE_EVAL_KERNEL_TESTING_H_
