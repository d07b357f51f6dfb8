// SPDX-License-Identifier: Apache-2.0
#include "pjrt_client/buffer_type.h"

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "gtest/gtest.h"

namespace axle::pjrt_client {
namespace {

constexpr int64_t kBig = int64_t{1} << 40;

TEST(BufferTypeTest, NamesAndBytes) {
  EXPECT_EQ(BufferTypeName(PJRT_Buffer_Type_F8E4M3B11FNUZ), "f8e4m3b11fnuz");
  EXPECT_EQ(BufferTypeName(PJRT_Buffer_Type_F6E3M2FN), "f6e3m2fn");
  EXPECT_EQ(BufferTypeName(static_cast<PJRT_Buffer_Type>(34)), "unknown");
  EXPECT_EQ(BufferTypeName(static_cast<PJRT_Buffer_Type>(-1)), "unknown");
  EXPECT_EQ(HostBytesOf(PJRT_Buffer_Type_PRED), 1u);
  EXPECT_EQ(HostBytesOf(PJRT_Buffer_Type_BF16), 2u);
  EXPECT_EQ(HostBytesOf(PJRT_Buffer_Type_C128), 16u);
  EXPECT_EQ(HostBytesOf(PJRT_Buffer_Type_S4), 1u);
  EXPECT_EQ(HostBytesOf(PJRT_Buffer_Type_TOKEN), 0u);
  EXPECT_EQ(HostBytesOf(static_cast<PJRT_Buffer_Type>(34)), 0u);
}

// Both number and name every array type; the names agree.
TEST(BufferTypeTest, TypesOfHlo) {
  for (int i = 0; i < hlo::kElementTypeCount; ++i) {
    const auto type = static_cast<hlo::ElementType>(i);
    if (hlo::IsArrayType(type)) {
      EXPECT_EQ(BufferTypeName(BufferTypeOf(type)), hlo::Name(type));
    } else {
      EXPECT_EQ(BufferTypeOf(type), PJRT_Buffer_Type_INVALID);
    }
  }
}

TEST(BufferTypeTest, WhatAPluginKnows) {
  EXPECT_TRUE(CheckBufferType(PJRT_Buffer_Type_F32, 57).ok());
  EXPECT_EQ(ErrorIdOf(CheckBufferType(PJRT_Buffer_Type_TOKEN, 114)), "AX0712");
  EXPECT_EQ(ErrorIdOf(CheckBufferType(PJRT_Buffer_Type_INVALID, 114)), "AX0712");
  EXPECT_EQ(ErrorIdOf(CheckBufferType(static_cast<PJRT_Buffer_Type>(34), 999)), "AX0712");
  EXPECT_EQ(ErrorIdOf(CheckBufferType(PJRT_Buffer_Type_S1, 93)), "AX0712");
  EXPECT_TRUE(CheckBufferType(PJRT_Buffer_Type_S1, 94).ok());
  EXPECT_EQ(ErrorIdOf(CheckBufferType(PJRT_Buffer_Type_F6E2M3FN, 113)), "AX0712");
  EXPECT_TRUE(CheckBufferType(PJRT_Buffer_Type_F6E2M3FN, 114).ok());
}

TEST(BufferTypeTest, BytesOfArrays) {
  EXPECT_EQ(*HostBytesOf(PJRT_Buffer_Type_F32, {}), 4u);
  EXPECT_EQ(*HostBytesOf(PJRT_Buffer_Type_F32, {2, 3}), 24u);
  EXPECT_EQ(*HostBytesOf(PJRT_Buffer_Type_F32, {2, 0, 3}), 0u);
  EXPECT_EQ(ErrorIdOf(HostBytesOf(PJRT_Buffer_Type_F32, {2, -1}).status()), "AX0713");
  EXPECT_EQ(ErrorIdOf(HostBytesOf(PJRT_Buffer_Type_S8, {kBig, kBig}).status()), "AX0713");
  EXPECT_EQ(ErrorIdOf(HostBytesOf(PJRT_Buffer_Type_S8, {0, kBig, kBig}).status()), "AX0713");
}

TEST(BufferTypeTest, ElementsBelowEightBits) {
  const auto cleared = [](PJRT_Buffer_Type type, std::vector<uint8_t> elements) {
    ClearOpenBits(type, absl::MakeSpan(elements));
    return elements;
  };
  using Bytes = std::vector<uint8_t>;
  // s4: 8 is -8 and 7 is 7, whatever is above; -8 is written as 8.
  EXPECT_EQ(cleared(PJRT_Buffer_Type_S4, {0x08, 0xf8, 0xf7, 0x07}), (Bytes{8, 8, 7, 7}));
  EXPECT_EQ(cleared(PJRT_Buffer_Type_U4, {0x08, 0xf8, 0xf7}), (Bytes{8, 8, 7}));
  EXPECT_EQ(cleared(PJRT_Buffer_Type_F4E2M1FN, {0xff}), (Bytes{0x0f}));
  EXPECT_EQ(cleared(PJRT_Buffer_Type_S2, {2, 1, 0xf1}), (Bytes{2, 1, 1}));
  EXPECT_EQ(cleared(PJRT_Buffer_Type_U2, {0xfe}), (Bytes{2}));
  EXPECT_EQ(cleared(PJRT_Buffer_Type_S1, {1, 0x10}), (Bytes{1, 0}));
  EXPECT_EQ(cleared(PJRT_Buffer_Type_U1, {0xff}), (Bytes{1}));
  EXPECT_EQ(cleared(PJRT_Buffer_Type_F6E3M2FN, {0xff}), (Bytes{0x3f}));
  EXPECT_EQ(cleared(PJRT_Buffer_Type_U8, {0xff}), (Bytes{0xff}));
  EXPECT_EQ(cleared(PJRT_Buffer_Type_F8E5M2, {0x88}), (Bytes{0x88}));
}

}  // namespace
}  // namespace axle::pjrt_client
