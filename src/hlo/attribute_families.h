// SPDX-License-Identifier: Apache-2.0
// The list of attribute families: each is a struct <Name>Attributes in attributes.h. kNone stands
// for no attributes at all.
#ifndef AXLE_HLO_ATTRIBUTE_FAMILIES_H_
#define AXLE_HLO_ATTRIBUTE_FAMILIES_H_

#include <cstdint>

#define AXLE_ATTRIBUTE_FAMILIES(AXLE_FAMILY) \
  AXLE_FAMILY(Async)                         \
  AXLE_FAMILY(BatchNorm)                     \
  AXLE_FAMILY(Call)                          \
  AXLE_FAMILY(Cholesky)                      \
  AXLE_FAMILY(Collective)                    \
  AXLE_FAMILY(CollectivePermute)             \
  AXLE_FAMILY(Compare)                       \
  AXLE_FAMILY(Constant)                      \
  AXLE_FAMILY(Convolution)                   \
  AXLE_FAMILY(CopyOp)                        \
  AXLE_FAMILY(CopyStart)                     \
  AXLE_FAMILY(CustomCall)                    \
  AXLE_FAMILY(Dimensions)                    \
  AXLE_FAMILY(Domain)                        \
  AXLE_FAMILY(Dot)                           \
  AXLE_FAMILY(DynamicSlice)                  \
  AXLE_FAMILY(Fft)                           \
  AXLE_FAMILY(Fusion)                        \
  AXLE_FAMILY(Gather)                        \
  AXLE_FAMILY(GetTupleElement)               \
  AXLE_FAMILY(Infeed)                        \
  AXLE_FAMILY(Iota)                          \
  AXLE_FAMILY(Outfeed)                       \
  AXLE_FAMILY(Pad)                           \
  AXLE_FAMILY(Parameter)                     \
  AXLE_FAMILY(RaggedDot)                     \
  AXLE_FAMILY(ReducePrecision)               \
  AXLE_FAMILY(ResultAccuracy)                \
  AXLE_FAMILY(Rng)                           \
  AXLE_FAMILY(RngBitGenerator)               \
  AXLE_FAMILY(RngGetAndUpdateState)          \
  AXLE_FAMILY(Scan)                          \
  AXLE_FAMILY(Scatter)                       \
  AXLE_FAMILY(SendRecv)                      \
  AXLE_FAMILY(Slice)                         \
  AXLE_FAMILY(Sort)                          \
  AXLE_FAMILY(TopK)                          \
  AXLE_FAMILY(TriangularSolve)               \
  AXLE_FAMILY(Window)

namespace axle::hlo {

enum class AttributeFamily : uint8_t {
  kNone,
#define AXLE_FAMILY(name) k##name,
  AXLE_ATTRIBUTE_FAMILIES(AXLE_FAMILY)
#undef AXLE_FAMILY
};

struct NoneAttributes;
#define AXLE_FAMILY(name) struct name##Attributes;
AXLE_ATTRIBUTE_FAMILIES(AXLE_FAMILY)
#undef AXLE_FAMILY

// FamilyOf<DotAttributes> is AttributeFamily::kDot.
template <typename T>
inline constexpr AttributeFamily FamilyOf = AttributeFamily::kNone;
#define AXLE_FAMILY(name) \
  template <>             \
  inline constexpr AttributeFamily FamilyOf<name##Attributes> = AttributeFamily::k##name;
AXLE_ATTRIBUTE_FAMILIES(AXLE_FAMILY)
#undef AXLE_FAMILY

}  // namespace axle::hlo

#endif  // AXLE_HLO_ATTRIBUTE_FAMILIES_H_
