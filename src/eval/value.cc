// SPDX-License-Identifier: Apache-2.0
#include "eval/value.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "eval/errors.h"

namespace axle::eval {

absl::Status MemoryMeter::OverLimit(int64_t bytes) const {
  return MakeError(errors::kMemoryLimit,
                   absl::StrCat(bytes, " bytes more are needed; ", live_bytes_, " of the limit of ",
                                max_bytes_, " bytes are in use"));
}

Value Value::Array(hlo::Literal literal, MemoryMeter& meter) {
  Value value;
  value.node_ = std::make_shared<Node>();
  value.node_->own = std::move(literal);
  value.node_->array = &value.node_->own;
  value.node_->meter = &meter;
  meter.Add(static_cast<int64_t>(value.node_->own.bytes().size()));
  return value;
}

Value Value::Borrowed(const hlo::Literal& literal) {
  if (literal.shape().IsTuple()) {
    std::vector<Value> elements;
    elements.reserve(literal.elements().size());
    for (const hlo::Literal& element : literal.elements()) elements.push_back(Borrowed(element));
    return Tuple(std::move(elements));
  }
  Value value;
  if (!literal.shape().IsArray()) return value;
  value.node_ = std::make_shared<Node>();
  value.node_->array = &literal;
  return value;
}

Value Value::Tuple(std::vector<Value> elements) {
  Value value;
  value.node_ = std::make_shared<Node>();
  value.node_->elements = std::move(elements);
  return value;
}

Value Value::Of(hlo::Literal literal, MemoryMeter& meter) {
  if (literal.shape().IsArray()) return Array(std::move(literal), meter);
  if (!literal.shape().IsTuple()) return Value();
  std::vector<Value> elements;
  for (hlo::Literal& element : literal.elements()) {
    elements.push_back(Of(std::move(element), meter));
  }
  return Tuple(std::move(elements));
}

absl::StatusOr<hlo::Literal> Value::TakeArray(Value value, MemoryMeter& meter) {
  Node& node = *value.node_;
  if (node.meter != nullptr && value.node_.use_count() == 1) {
    node.meter->Add(-static_cast<int64_t>(node.own.bytes().size()));
    node.meter = nullptr;
    return std::move(node.own);
  }
  AXLE_RETURN_IF_ERROR(meter.Check(static_cast<int64_t>(node.array->bytes().size())));
  return *node.array;
}

absl::StatusOr<hlo::Literal> Value::ToLiteral(Value value, const hlo::Shape& shape,
                                              MemoryMeter& meter) {
  if (shape.IsTuple()) {
    std::vector<hlo::Literal> elements;
    elements.reserve(shape.tuple_shapes().size());
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      // Elements are owned by their tuple too; letting go of it first leaves them one owner.
      Value element = value.node_.use_count() == 1 ? std::move(value.node_->elements[i])
                                                   : value.node_->elements[i];
      AXLE_ASSIGN_OR_RETURN(hlo::Literal literal,
                            ToLiteral(std::move(element), shape.tuple_shape(i), meter));
      elements.push_back(std::move(literal));
    }
    return hlo::Literal::Tuple(std::move(elements));
  }
  if (!shape.IsArray()) return hlo::Literal::Zeros(shape);
  AXLE_ASSIGN_OR_RETURN(hlo::Literal literal, TakeArray(std::move(value), meter));
  return std::move(literal).Reshaped(shape);
}

}  // namespace axle::eval
