// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/errors.h"
#include "base/status_macros.h"
#include "gtest/gtest.h"

namespace axle {
namespace {

constexpr ErrorDef kDef{"AX0000", absl::StatusCode::kNotFound, "Title", "Help."};

TEST(ErrorTest, MessageStartsWithTheIdAndThePayloadHoldsIt) {
  const absl::Status status = MakeError(kDef, "no such thing");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "AX0000: no such thing");
  EXPECT_EQ(ErrorIdOf(status), "AX0000");
}

TEST(ErrorTest, StatusesFromElsewhereHaveNoId) {
  EXPECT_EQ(ErrorIdOf(absl::OkStatus()), "");
  EXPECT_EQ(ErrorIdOf(absl::InternalError("AX0000: looks like one")), "");
}

TEST(ErrorTest, PlacesGoBehindTheIdOutermostFirst) {
  const absl::Status inner = MakeError(kDef, "no such thing");
  const absl::Status status = AtPlace("module m", AtPlace("instruction x", inner));
  EXPECT_EQ(status.message(), "AX0000: module m: instruction x: no such thing");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ErrorIdOf(status), "AX0000");
}

TEST(ErrorTest, PlacesOfStatusesWithoutId) {
  EXPECT_EQ(AtPlace("file f", absl::InternalError("broken")).message(), "file f: broken");
  EXPECT_TRUE(AtPlace("file f", absl::OkStatus()).ok());
}

TEST(ErrorTest, RowsOfBaseAreUniqueAndComplete) {
  absl::flat_hash_set<absl::string_view> ids;
  for (const ErrorDef& def : errors::kTable) {
    EXPECT_TRUE(ids.insert(def.id).second) << def.id;
    EXPECT_EQ(def.id.size(), 6) << def.id;
    EXPECT_EQ(def.id.substr(0, 4), "AX00");
    EXPECT_NE(def.code, absl::StatusCode::kOk) << def.id;
    EXPECT_FALSE(def.title.empty()) << def.id;
    EXPECT_GT(def.help.size(), 40) << def.id;
  }
}

absl::StatusOr<int> Half(int x) {
  if (x % 2 != 0) return absl::InvalidArgumentError(absl::StrCat(x, " is odd"));
  return x / 2;
}

absl::StatusOr<int> Quarter(int x) {
  AXLE_ASSIGN_OR_RETURN(const int half, Half(x));
  AXLE_RETURN_IF_ERROR(Half(half).status());
  return half / 2;
}

TEST(StatusMacrosTest, PassValuesAndErrors) {
  EXPECT_EQ(Quarter(12).value(), 3);
  EXPECT_EQ(Quarter(7).status().message(), "7 is odd");
  EXPECT_EQ(Quarter(6).status().message(), "3 is odd");
}

}  // namespace
}  // namespace axle
