// SPDX-License-Identifier: Apache-2.0
// What shape rules share: checks of shapes, element types and dimension numbers, and result shapes
// built without overflow. A check says what it looked at (`what`, such as "operand 1" or "the
// predicate"), what it found and what it needs; InferShape says where.
#ifndef AXLE_HLO_OPS_SHAPE_CHECKS_H_
#define AXLE_HLO_OPS_SHAPE_CHECKS_H_

#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hlo/ops/rules.h"

namespace axle::hlo {

// "f32[2,3]": without layout, as messages show shapes.
std::string ShapeText(const Shape& shape);
// "operand 1".
std::string OperandText(int i);

// Kinds of shape; AX0321.
absl::Status ExpectArray(const Shape& shape, absl::string_view what);
absl::Status ExpectScalar(const Shape& shape, absl::string_view what);
absl::Status ExpectToken(const Shape& shape, absl::string_view what);
absl::Status ExpectArrayOperands(const RuleContext& context);
// The declared shape, which decides the result of this operation, is an array.
absl::Status ExpectDeclaredArray(const RuleContext& context);

// Element types; AX0322. The array's type is one that `allowed`, a predicate such as IsFloat,
// accepts; `expected` says it in words.
absl::Status ExpectType(const Shape& shape, absl::string_view what, bool (*allowed)(ElementType),
                        absl::string_view expected);
absl::Status ExpectSameType(const Shape& a, absl::string_view what_a, const Shape& b,
                            absl::string_view what_b);
bool IsIntegralOrPred(ElementType type);
bool IsFloatOrComplex(ElementType type);
bool IsNumber(ElementType type);  // integral, float or complex

// Sizes agree when equal; a size that nothing is known of ("?") agrees with any.
inline bool SizesAgree(int64_t a, int64_t b) {
  return a == b || a == Shape::kUnbounded || b == Shape::kUnbounded;
}
// Compatible(), but unbounded sizes agree with any.
bool ShapesAgree(const Shape& a, const Shape& b);
// Both arrays have the same rank and sizes that agree; AX0321.
absl::Status ExpectSameDimensions(const Shape& a, absl::string_view what_a, const Shape& b,
                                  absl::string_view what_b);

// Dimension numbers; AX0324. 0 <= dimension < rank; for several, also none twice.
absl::Status ExpectDimension(absl::string_view attribute, int64_t dimension, int64_t rank);
absl::Status ExpectUniqueDimensions(absl::string_view attribute,
                                    absl::Span<const int64_t> dimensions, int64_t rank);
// The one entry of `dimensions`, in [0, rank).
absl::StatusOr<int64_t> ExpectOneDimension(absl::Span<const int64_t> dimensions, int64_t rank);
// An attribute with one entry for each of the operand's dimensions.
absl::Status ExpectEntryCount(absl::string_view attribute, size_t entries, size_t needed);

// The dimensions of an array that a rule puts together.
class DimensionList {
 public:
  DimensionList() = default;
  explicit DimensionList(const Shape& shape);
  void Add(int64_t size, bool dynamic) {
    sizes_.push_back(size);
    dynamic_.push_back(dynamic);
  }
  void Set(int i, int64_t size, bool dynamic) {
    sizes_[i] = size;
    dynamic_[i] = dynamic;
  }
  // What another array says about the same dimensions, whose sizes agree: a known size tells more
  // than an unknown one, and each may make a dimension dynamic.
  void Merge(const Shape& shape);

  void RemoveLast() {
    sizes_.pop_back();
    dynamic_.pop_back();
  }
  int rank() const { return static_cast<int>(sizes_.size()); }
  int64_t size(int i) const { return sizes_[i]; }
  bool dynamic(int i) const { return dynamic_[i]; }

  // AX0326 for more than Shape::kMaxRank dimensions or a negative size.
  absl::StatusOr<Shape> ToShape(ElementType type) const;

 private:
  absl::InlinedVector<int64_t, 6> sizes_;
  absl::InlinedVector<bool, 6> dynamic_;
};

}  // namespace axle::hlo

#endif  // AXLE_HLO_OPS_SHAPE_CHECKS_H_
