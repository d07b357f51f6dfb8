// SPDX-License-Identifier: Apache-2.0
// Values while a program runs: arrays that several places may share, and tuples that share their
// elements. An array with one owner may be taken out and changed in place.
#ifndef AXLE_EVAL_VALUE_H_
#define AXLE_EVAL_VALUE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hlo/literal.h"

namespace axle::eval {

// Bytes of the arrays that one run has made and not yet released. Not thread-safe; outlives every
// Value that it has counted.
class MemoryMeter {
 public:
  explicit MemoryMeter(int64_t max_bytes) : max_bytes_(max_bytes) {}
  MemoryMeter(const MemoryMeter&) = delete;
  MemoryMeter& operator=(const MemoryMeter&) = delete;

  // Whether `bytes` more may come alive; changes nothing. Error: kMemoryLimit with the sizes.
  absl::Status Check(int64_t bytes) const {
    return bytes <= max_bytes_ - live_bytes_ ? absl::OkStatus() : OverLimit(bytes);
  }
  void Add(int64_t bytes) { live_bytes_ += bytes; }
  int64_t live_bytes() const { return live_bytes_; }

 private:
  absl::Status OverLimit(int64_t bytes) const;

  const int64_t max_bytes_;
  int64_t live_bytes_ = 0;
};

// Empty by default, which is also what a token is. Copies share. Not thread-safe.
class Value {
 public:
  Value() = default;
  // An array of this run, counted until its last owner lets it go.
  static Value Array(hlo::Literal literal, MemoryMeter& meter);
  // A literal of any shape that outlives the run; never changed, never counted.
  static Value Borrowed(const hlo::Literal& literal);
  static Value Tuple(std::vector<Value> elements);
  // A literal of any shape: arrays as Array does.
  static Value Of(hlo::Literal literal, MemoryMeter& meter);

  bool is_array() const { return node_ != nullptr && node_->array != nullptr; }
  const hlo::Literal& array() const { return *node_->array; }           // is_array() only
  absl::Span<const Value> elements() const { return node_->elements; }  // tuples only

  // The array itself where `value` was its only owner, else a copy; `value` is empty afterwards.
  // Error: the copy would pass the meter's limit.
  static absl::StatusOr<hlo::Literal> TakeArray(Value value, MemoryMeter& meter);
  // A literal of `shape`, which the value has but for layouts; arrays as TakeArray does.
  static absl::StatusOr<hlo::Literal> ToLiteral(Value value, const hlo::Shape& shape,
                                                MemoryMeter& meter);

 private:
  struct Node {
    const hlo::Literal* array = nullptr;  // null for a tuple
    hlo::Literal own;                     // what `array` points to, where the run made it
    MemoryMeter* meter = nullptr;         // counts the bytes of `own`
    std::vector<Value> elements;

    Node() = default;
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    ~Node() {
      if (meter != nullptr) meter->Add(-static_cast<int64_t>(own.bytes().size()));
    }
  };

  std::shared_ptr<Node> node_;
};

}  // namespace axle::eval

#endif  // AXLE_EVAL_VALUE_H_
