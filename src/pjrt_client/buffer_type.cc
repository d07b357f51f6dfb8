// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/buffer_type.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/error.h"
#include "pjrt_client/errors.h"

namespace axle::pjrt_client {
namespace {

constexpr int kWholeBytes = 0;

// The bits of types that don't fill a byte; pred is 0 or 1 already.
int BitsOf(PJRT_Buffer_Type type) {
  switch (type) {
    case PJRT_Buffer_Type_S1:
    case PJRT_Buffer_Type_U1:
      return 1;
    case PJRT_Buffer_Type_S2:
    case PJRT_Buffer_Type_U2:
      return 2;
    case PJRT_Buffer_Type_S4:
    case PJRT_Buffer_Type_U4:
    case PJRT_Buffer_Type_F4E2M1FN:
      return 4;
    case PJRT_Buffer_Type_F6E2M3FN:
    case PJRT_Buffer_Type_F6E3M2FN:
      return 6;
    default:
      return kWholeBytes;
  }
}

struct TypeRow {
  absl::string_view name;
  size_t host_bytes;
  int since;  // minor version that brought the type; 0 for those older than any plugin we load
};

// Indexed by PJRT_Buffer_Type.
constexpr TypeRow kTypes[] = {
    {"invalid", 0, 0},
    {"pred", 1, 0},
    {"s8", 1, 0},
    {"s16", 2, 0},
    {"s32", 4, 0},
    {"s64", 8, 0},
    {"u8", 1, 0},
    {"u16", 2, 0},
    {"u32", 4, 0},
    {"u64", 8, 0},
    {"f16", 2, 0},
    {"f32", 4, 0},
    {"f64", 8, 0},
    {"bf16", 2, 0},
    {"c64", 8, 0},
    {"c128", 16, 0},
    {"f8e5m2", 1, 0},
    {"f8e4m3fn", 1, 0},
    {"f8e4m3b11fnuz", 1, 0},
    {"f8e5m2fnuz", 1, 0},
    {"f8e4m3fnuz", 1, 0},
    {"s4", 1, 0},
    {"u4", 1, 0},
    {"token", 0, 0},
    {"s2", 1, 0},
    {"u2", 1, 0},
    {"f8e4m3", 1, 0},
    {"f8e3m4", 1, 0},
    {"f8e8m0fnu", 1, 0},
    {"f4e2m1fn", 1, 0},
    {"s1", 1, 94},
    {"u1", 1, 94},
    {"f6e2m3fn", 1, 114},
    {"f6e3m2fn", 1, 114},
};
static_assert(std::size(kTypes) == PJRT_Buffer_Type_F6E3M2FN + 1);

const TypeRow* RowOf(PJRT_Buffer_Type type) {
  const auto index = static_cast<unsigned>(type);
  return index < std::size(kTypes) ? &kTypes[index] : nullptr;
}

}  // namespace

PJRT_Buffer_Type BufferTypeOf(hlo::ElementType type) {
  using hlo::ElementType;
  switch (type) {
#define AXLE_SAME_TYPE(name, hlo_name) \
  case ElementType::k##hlo_name:       \
    return PJRT_Buffer_Type_##name
    AXLE_SAME_TYPE(PRED, Pred);
    AXLE_SAME_TYPE(S1, S1);
    AXLE_SAME_TYPE(S2, S2);
    AXLE_SAME_TYPE(S4, S4);
    AXLE_SAME_TYPE(S8, S8);
    AXLE_SAME_TYPE(S16, S16);
    AXLE_SAME_TYPE(S32, S32);
    AXLE_SAME_TYPE(S64, S64);
    AXLE_SAME_TYPE(U1, U1);
    AXLE_SAME_TYPE(U2, U2);
    AXLE_SAME_TYPE(U4, U4);
    AXLE_SAME_TYPE(U8, U8);
    AXLE_SAME_TYPE(U16, U16);
    AXLE_SAME_TYPE(U32, U32);
    AXLE_SAME_TYPE(U64, U64);
    AXLE_SAME_TYPE(F4E2M1FN, F4E2M1FN);
    AXLE_SAME_TYPE(F6E2M3FN, F6E2M3FN);
    AXLE_SAME_TYPE(F6E3M2FN, F6E3M2FN);
    AXLE_SAME_TYPE(F8E3M4, F8E3M4);
    AXLE_SAME_TYPE(F8E4M3, F8E4M3);
    AXLE_SAME_TYPE(F8E4M3FN, F8E4M3FN);
    AXLE_SAME_TYPE(F8E4M3B11FNUZ, F8E4M3B11FNUZ);
    AXLE_SAME_TYPE(F8E4M3FNUZ, F8E4M3FNUZ);
    AXLE_SAME_TYPE(F8E5M2, F8E5M2);
    AXLE_SAME_TYPE(F8E5M2FNUZ, F8E5M2FNUZ);
    AXLE_SAME_TYPE(F8E8M0FNU, F8E8M0FNU);
    AXLE_SAME_TYPE(F16, F16);
    AXLE_SAME_TYPE(BF16, BF16);
    AXLE_SAME_TYPE(F32, F32);
    AXLE_SAME_TYPE(F64, F64);
    AXLE_SAME_TYPE(C64, C64);
    AXLE_SAME_TYPE(C128, C128);
#undef AXLE_SAME_TYPE
    case ElementType::kInvalid:
    case ElementType::kTuple:
    case ElementType::kOpaque:
    case ElementType::kToken:
    case ElementType::kBuffer:
      break;
  }
  return PJRT_Buffer_Type_INVALID;
}

absl::string_view BufferTypeName(PJRT_Buffer_Type type) {
  const TypeRow* row = RowOf(type);
  return row == nullptr ? "unknown" : row->name;
}

size_t HostBytesOf(PJRT_Buffer_Type type) {
  const TypeRow* row = RowOf(type);
  return row == nullptr ? 0 : row->host_bytes;
}

absl::Status CheckBufferType(PJRT_Buffer_Type type, int minor) {
  const TypeRow* row = RowOf(type);
  if (row == nullptr || row->host_bytes == 0) {
    return MakeError(errors::kBufferType,
                     absl::StrCat("element type ", static_cast<int>(type), " (",
                                  BufferTypeName(type), ") cannot be given to a plugin"));
  }
  if (minor < row->since) {
    return MakeError(errors::kBufferType,
                     absl::StrCat("element type ", row->name, " came with PJRT 0.", row->since,
                                  ", the plugin has 0.", minor));
  }
  return absl::OkStatus();
}

absl::StatusOr<size_t> HostBytesOf(PJRT_Buffer_Type type, absl::Span<const int64_t> dims) {
  int64_t bytes = static_cast<int64_t>(HostBytesOf(type));
  bool empty = false;
  for (const int64_t dim : dims) {
    if (dim < 0 || (dim > 0 && __builtin_mul_overflow(bytes, dim, &bytes))) {
      return MakeError(errors::kHostArray,
                       absl::StrCat("dimensions [", absl::StrJoin(dims, ","), "] of ",
                                    BufferTypeName(type), " are negative or too large"));
    }
    empty |= dim == 0;
  }
  return empty ? 0 : static_cast<size_t>(bytes);
}

void ClearOpenBits(PJRT_Buffer_Type type, absl::Span<uint8_t> elements) {
  const int bits = BitsOf(type);
  if (bits == kWholeBytes) return;
  const uint8_t value_mask = static_cast<uint8_t>((1 << bits) - 1);
  for (uint8_t& element : elements) element &= value_mask;
}

}  // namespace axle::pjrt_client
