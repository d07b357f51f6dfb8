// SPDX-License-Identifier: Apache-2.0
#include "base/shared_string.h"

#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace axle {
namespace {

TEST(SharedStringTest, CopiesShareAndOutliveTheFirst) {
  auto first = SharedString(absl::string_view("a\0b", 3));
  const SharedString copy = first;
  EXPECT_EQ(copy.view().data(), first.view().data());
  first = "other";
  EXPECT_EQ(copy.view(), absl::string_view("a\0b", 3));
  EXPECT_EQ(first.view(), "other");
  const SharedString moved = std::move(first);
  EXPECT_EQ(moved.view(), "other");
  EXPECT_EQ(moved, SharedString(std::string("other")));
  EXPECT_FALSE(moved == copy);
}

TEST(SharedStringTest, AssignsToItself) {
  SharedString text("text");
  const SharedString& same = text;
  text = same;
  EXPECT_EQ(text.view(), "text");
  text = text.view().substr(1);
  EXPECT_EQ(text.view(), "ext");
}

TEST(SharedStringTest, EmptyIsEmpty) {
  EXPECT_TRUE(SharedString().empty());
  EXPECT_TRUE(SharedString("").empty());
  EXPECT_EQ(SharedString("").view(), "");
  EXPECT_EQ(SharedString(), SharedString(""));
  EXPECT_FALSE(SharedString("x").empty());
}

TEST(StringInternerTest, EqualStringsShare) {
  StringInterner interner;
  const SharedString first = interner.Intern("abc");
  EXPECT_EQ(interner.Intern(std::string("abc")).view().data(), first.view().data());
  EXPECT_NE(interner.Intern("abd").view().data(), first.view().data());
  EXPECT_TRUE(interner.Intern("").empty());
}

}  // namespace
}  // namespace axle
